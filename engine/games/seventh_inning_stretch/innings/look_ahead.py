"""Search for moot choices, where every other option has the same effect or only wastes dice, tokens or stamina.

Wasted resources never help later. Cards depend on runners, outs, innings, the score and the bench, but never on unused
resources, and no player is forced to use any. A blank card may depend on anything, so it makes every choice matter.

Nothing else counts as worse. A better outcome can cost a game, because the next card may need runners or outs, and a
half that ends early changes who leads off the next one. Only public facts count. Every function returns None if the
choice matters, or if there are too many dice to try.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

from engine.asks import Choose
from engine.events import Facts
from engine.games.seventh_inning_stretch.dice.abilities import AbilityUse, ability_uses
from engine.games.seventh_inning_stretch.dice.conditions import Guard, may_miss, possible_outcomes
from engine.games.seventh_inning_stretch.dice.goals import SAFE_OUTCOME, DiceRuleGoal, RollAim, RollGoal
from engine.games.seventh_inning_stretch.dice.odds import DIE_FACES, MAX_REROLL_DICE
from engine.games.seventh_inning_stretch.innings.outcomes import OUTCOMES_BEST_FIRST, outcome_effect
from engine.games.seventh_inning_stretch.state import EXHAUSTION_TOKEN_COUNT, REGULATION_INNINGS, State
from engine.lazy import LazyFact
from engine.seats import SEATS, Seat, replace_for_seat

MAX_TRIED_ROLLS = 2000
"""The most distinct rolls that are tried before a choice counts as one that matters."""

WIN_COST = -1
"""Cost of a half that wins the game, below any number of runs."""
LOSS_COST = 999
"""Cost of a half that loses the game, above any number of runs."""


@dataclass(frozen=True, slots=True)
class AbilityTotals:
    """Effects of abilities on a team's roll: `fewer` dice, `less` runs, and at most `cap` runs, None for no limit."""

    fewer: int = 0
    less: int = 0
    cap: int | None = None

    def with_use(self, use: AbilityUse) -> AbilityTotals:
        caps = [cap for cap in (self.cap, use.cap) if cap is not None]
        return AbilityTotals(self.fewer + use.fewer, self.less + use.less, min(caps, default=None))

    def limited_runs(self, rolled: int, more: int) -> int:
        """Return the opponent's runs for `rolled` runs on the dice, plus `more` runs of a playoff card (SI-171)."""
        left = max(0, rolled - self.less)
        return more + (left if self.cap is None else min(left, self.cap))


def choice_ask(
    s: State, seat: Seat, why: str, options: tuple[str, ...], facts: Facts, look: Any, *about: Any
) -> Choose:
    """Return an ask whose moot option is the result of `look(s, *about)`, if no card is blank."""
    return Choose(seat, why, options, facts, LazyFact(lambda s: None if has_blank_card(s) else look(s, *about), s))


def has_blank_card(s: State) -> bool:
    box, names = s.box, {name for squad in s.squads for name in squad.roster}
    players = [card for of in (box.batters, box.pitchers) for name, card in of.items() if name in names]
    return any(card.blank for card in players) or (s.opponent != "" and s.opponent_team.blank)


def depends_on_score(s: State) -> bool:
    """True if the opponent's card, or a batter of the season's manager, depends on the score."""
    names = {name for squad in s.squads for name in squad.roster}
    cards = [card for name, card in s.box.batters.items() if name in names]
    guards: list[Guard] = [when for card in cards for when in card.dice.when]
    guards += [when for card in cards for line in card.lines for when in line.when]
    if s.opponent_team.runs is not None:
        guards += [when for _, guarded in s.opponent_team.runs.chains for when in guarded]
    return any(when.what == "lead" for when in guards)


# At bat ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutcomePosition:
    """The facts of an outcome that can still matter. `runs_on` is True if runners may then try for an extra base."""

    outs: int
    on: tuple[bool, bool, bool]
    runs: int
    runs_on: bool

    def is_as_good_as(self, other: OutcomePosition) -> bool:
        """True if this is the same position. Runners who may try for an extra base may also hold."""
        same = (self.outs, self.on, self.runs) == (other.outs, other.on, other.runs)
        return same and self.runs_on >= other.runs_on


def outcome_position(s: State, outcome: str) -> OutcomePosition:
    """Return the position after an outcome. "" puts the batter out."""
    then = outcome_effect(s.bases, s.outs, s.batter_card.name, outcome)
    first, second, third = (then.outs < 3 and runner is not None for runner in then.bases)
    earlier = any(runner not in (None, s.batter_card.name) for runner in then.bases)
    hit = outcome not in ("", "walk", "sacrifice")
    return OutcomePosition(then.outs, (first, second, third), len(then.home), hit and earlier)


def is_as_good(s: State, one: str, other: str) -> bool:
    """True if the outcome `one` wins the game, or leads to the position of `other`."""
    ours = outcome_position(s, one)
    return would_walk_off(s, ours.runs) or ours.is_as_good_as(outcome_position(s, other))


def choosable_outcomes(s: State, met: tuple[str, ...]) -> tuple[str, ...]:
    """Return the outcomes that the side at bat can choose from if its dice meet these (A19)."""
    if met and s.house["conditionChoice"] == "best":
        return (min(met, key=OUTCOMES_BEST_FIRST.index),)
    return met or ("",)


def moot_dice(s: State, goal: RollGoal, options: tuple[str, ...]) -> str | None:
    """Return "0" if every possible roll is an out."""
    if (
        goal.blank
        or "0" not in options
        or not all(one.isdigit() for one in options)
        or (s.duel and can_pitcher_answer(s))
    ):
        return None
    reach = {
        one for count in options for one in possible_outcomes(goal.lines, (1,) * int(count), True, 0, s.guard_facts)
    }
    return "0" if SAFE_OUTCOME not in reach and all(is_as_good(s, "", one) for one in reach) else None


def moot_token(s: State, aim: RollAim) -> str | None:
    """Return "keep" if no token can change the result of the dice."""
    usable = s.usable_tokens
    if isinstance(aim, DiceRuleGoal):
        near = {s.dice[0]}
        for _ in range(usable.nudges):
            near |= {face + by for face in near for by in (-1, 1) if face + by in DIE_FACES}
        faces = DIE_FACES if usable.rerolls else tuple(near)
        now, best = (
            min(s.supply_left.dice, max(aim.dice.dice_count(s.guard_facts, one) for one in some))
            for some in (s.dice, faces)
        )
        return "keep" if best <= now else None
    if aim.blank or (s.duel and s.threw == "swing" and can_pitcher_answer(s)):
        # The defense may answer with the ability, and then other dice may hold.
        return None
    met = aim.met_outcomes(s.dice, s.guard_facts)
    reach = possible_outcomes(aim.lines, s.dice, usable.rerolls > 0, usable.nudges, s.guard_facts)
    if may_miss(aim.lines, s.dice, usable.rerolls > 0, usable.nudges, s.guard_facts):
        reach = (*reach, "")
    if s.threw != "swing":
        return "keep" if len(reach) == 1 else None
    return (
        "keep" if all(any(is_as_good(s, ours, one) for ours in choosable_outcomes(s, met)) for one in reach) else None
    )


def can_pitcher_answer(s: State) -> bool:
    """True if a duel's pitcher can still use his ability on this roll."""
    works = s.pitcher_card.blank or s.pitcher_card.ability is None or s.pitcher_card.ability.duel
    return works and is_fresh(s, s.pitcher_card.name) and s.is_allowed("abilities")


def moot_outcome(s: State, options: tuple[str, ...]) -> str | None:
    """Return an outcome that wins the game, or whose position equals those of all others."""
    return next((one for one in options if all(is_as_good(s, one, other) for other in options)), None)


# In the field --------------------------------------------------------------------------------------------------------


def is_fresh(s: State, name: str) -> bool:
    """True if this pitcher has stamina left, and the supply has exhaustion tokens (SI-126, A6)."""
    enough = sum(s.tired.values()) < EXHAUSTION_TOKEN_COUNT or s.house["supplyLimit"] == "unlimited"
    return enough and s.tired.get(name, 0) < s.box.pitchers[name].stamina


def only_fresh_starter(s: State, names: tuple[str, ...]) -> str | None:
    """Return the only pitcher who has stamina left."""
    able = [name for name in names if is_fresh(s, name)]
    return able[0] if len(able) == 1 else None


def moot_relief(s: State, names: tuple[str, ...], least: int, count: int) -> str | None:
    """Return "stays" if no reliever could use an ability, or no roll of `least` to `count` dice matters."""

    def can_help(name: str) -> bool:
        ability = s.box.pitchers[name].ability
        return is_fresh(s, name) and s.is_allowed("abilities") and (not s.duel or ability is None or ability.duel)

    if not any(map(can_help, names)):
        return "stays"
    return "stays" if not s.duel and is_roll_irrelevant(s, AbilityTotals(), least, count) else None


def moot_early_use(s: State, done: AbilityTotals, count: int, least: int) -> str | None:
    """Return "enough" if the half costs the same for every roll of `least` to `count` dice."""
    return "enough" if is_roll_irrelevant(s, done, least, count) else None


def is_roll_irrelevant(s: State, done: AbilityTotals, least: int, count: int) -> bool:
    """True if every roll of `least` to `count` dice costs the same, and no ability could do better."""
    runs = s.opponent_team.runs
    if s.clock.inning < REGULATION_INNINGS or runs is None or count > MAX_REROLL_DICE:
        return False
    some = range(min(least, count), count + 1)
    shown = (faces for number in some for faces in combinations_with_replacement(DIE_FACES, number))
    costs = {
        runs_cost(s, done.limited_runs(runs(faces, s.guard_facts), s.playoff_condition.more_runs)) for faces in shown
    }
    return len(costs | {runs_cost(s, s.playoff_condition.more_runs)}) == 1


def runs_cost(s: State, runs: int) -> int:
    """Return the cost of these runs: `WIN_COST` or `LOSS_COST` if the half ends the game, otherwise their number."""
    side = s.clock.batting_seat
    score = replace_for_seat(s.score, side, s.score[SEATS.index(side)] + runs)
    if not s.clock.is_decided(*score, REGULATION_INNINGS):
        return runs
    return WIN_COST if score[SEATS.index(s.side)] == max(score) else LOSS_COST


def would_walk_off(s: State, runs: int) -> bool:
    """True if these runs of the side at bat would end the game (SI-119)."""
    side: Seat = s.clock.batting_seat
    score = replace_for_seat(s.score, side, s.score[SEATS.index(side)] + runs)
    late = s.clock.inning > REGULATION_INNINGS and s.house["extraInningWalkoff"] == "false"
    both = s.duel and s.house["duelEnd"] == "bothBat"
    return not late and not both and s.clock.is_walk_off(*score, REGULATION_INNINGS)


def moot_use(s: State, done: AbilityTotals, used: int, least: int, goal: RollGoal | None) -> str | None:
    """Return "enough" if no uses matter. More runs for the opponent are waste, unless a card depends on the score."""
    card, team = s.pitcher_card.ability, s.opponent_team.runs if goal is None else None
    if card is None or len(s.dice) > MAX_REROLL_DICE or (goal.blank if goal else team is None):
        return None

    def batter_choices(faces: tuple[int, ...]) -> set[OutcomePosition]:
        assert goal is not None
        return {outcome_position(s, one) for one in choosable_outcomes(s, goal.met_outcomes(faces, s.guard_facts))}

    def dice_cost(faces: tuple[int, ...], pitched: AbilityTotals) -> int:
        assert team is not None
        return runs_cost(s, pitched.limited_runs(team(faces, s.guard_facts), s.playoff_condition.more_runs))

    if goal is None:
        now = dice_cost(s.dice, done)
        best = now == WIN_COST or not depends_on_score(s)

    def may_matter(faces: tuple[int, ...], pitched: AbilityTotals) -> bool:
        """True if the pitcher might want these dice."""
        if goal is not None:
            # A batter with more choices is never worse off.
            return not batter_choices(s.dice) <= batter_choices(faces)
        then = dice_cost(faces, pitched)
        return then < now or (then > now and not best)

    if goal is not None and may_stop_other_use(s, batter_choices(s.dice)):
        return None
    left = min(
        s.pitcher_card.stamina - s.tired.get(s.pitcher_card.name, 0),
        s.allowed_count("abilities", EXHAUSTION_TOKEN_COUNT),
    )
    seen = edge = {(tuple(sorted(s.dice)), done)}
    for number in range(used, used + left):
        edge = {
            then
            for faces, by in edge
            for use in ability_uses(card, faces, number, least)
            for then in use_results(use, faces, by)
        } - seen
        if len(seen) + len(edge) > MAX_TRIED_ROLLS or any(may_matter(*then) for then in edge):
            return None
        seen = seen | edge
    return "enough"


def may_stop_other_use(s: State, results: Iterable[OutcomePosition]) -> bool:
    """True if an ability in a duel may cost others theirs, or ban tokens for an extra base (SI-206, A36, A6)."""
    names = {name for squad in s.squads for name in squad.roster}
    stamina = sum(card.stamina for name, card in s.box.pitchers.items() if name in names)
    tokens = s.house["duelTokenBan"] == "restOfTurn" and (s.pool.rerolls or s.pool.nudges)
    runs_out = s.house["supplyLimit"] == "physical" and stamina > EXHAUSTION_TOKEN_COUNT
    return runs_out or (bool(tokens) and any(one.runs_on for one in results))


def use_results(
    use: AbilityUse, faces: tuple[int, ...], done: AbilityTotals
) -> Iterator[tuple[tuple[int, ...], AbilityTotals]]:
    """Yield every possible effect of a use: the dice in ascending order, and the totals of abilities so far."""
    if not use.again:
        yield tuple(sorted(faces if use.faces is None else use.faces)), done.with_use(use)
    for places in combinations(use.again, use.most):
        left = [face for place, face in enumerate(faces) if place not in places]
        for new in combinations_with_replacement(DIE_FACES, use.most):
            yield tuple(sorted((*left, *new))), done
