"""Which choices are moot: every other option leads to the same position, or only wastes dice, tokens or stamina.

What is wasted never helps later: cards look at runners, outs, innings, the score and the bench, never at what is left,
and no player is forced to use what he has. A blank card may look at anything, so with one in play nothing is moot.

Nothing else counts as worse. A better outcome can cost a game: the next card may ask for runners or outs, and a half
that ends early lets another batter lead off the next one. Only what everybody knows is looked at. Every function
returns None if the choice matters, or if there are more dice than can be tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

from engine.asks import Choose
from engine.events import Facts
from engine.games.seventh_inning_stretch.dice.abilities import Use, uses
from engine.games.seventh_inning_stretch.dice.conditions import When, may_miss, possible
from engine.games.seventh_inning_stretch.dice.goals import SAFE, Aim, Brings, Goal
from engine.games.seventh_inning_stretch.dice.odds import FACES, MOST
from engine.games.seventh_inning_stretch.innings.outcomes import BEST, after
from engine.games.seventh_inning_stretch.state import REGULATION, TOKENS, State
from engine.lazy import Lazy
from engine.seats import SEATS, Seat, put

TRIES = 2000
"""The most different rolls that are looked at before a choice counts as one that matters."""

WIN, LOSS = -1, 999
"""What a half costs that ends the game."""


@dataclass(frozen=True, slots=True)
class Pitched:
    """What abilities did to a team's roll: dice `fewer`, runs `less`, and at most `cap` runs (None: any)."""

    fewer: int = 0
    less: int = 0
    cap: int | None = None

    def after(self, use: Use) -> Pitched:
        """Add one use."""
        caps = [cap for cap in (self.cap, use.cap) if cap is not None]
        return Pitched(self.fewer + use.fewer, self.less + use.less, min(caps, default=None))

    def runs(self, rolled: int, more: int) -> int:
        """Return the opponent's runs for dice worth `rolled`, plus `more` runs of a playoff card (SI-171)."""
        left = max(0, rolled - self.less)
        return more + (left if self.cap is None else min(left, self.cap))


def choice(s: State, seat: Seat, why: str, options: tuple[str, ...], facts: Facts, look: Any, *about: Any) -> Choose:
    """Return a question of whose `options` one may be moot: what `look(s, *about)` finds, if all cards are known."""
    return Choose(seat, why, options, facts, Lazy(lambda s: None if unread(s) else look(s, *about), s))


def unread(s: State) -> bool:
    """True if a card of either side is blank."""
    box, names = s.box, {name for squad in s.squads for name in squad.roster}
    players = [card for of in (box.batters, box.pitchers) for name, card in of.items() if name in names]
    return any(card.blank for card in players) or (s.opponent != "" and s.team.blank)


def looks_at_score(s: State) -> bool:
    """True if the opponent, or a batter of the season's manager, looks at the score."""
    names = {name for squad in s.squads for name in squad.roster}
    cards = [card for name, card in s.box.batters.items() if name in names]
    guards: list[When] = [when for card in cards for when in card.dice.when]
    guards += [when for card in cards for line in card.lines for when in line.when]
    if s.team.runs is not None:
        guards += [when for _, guarded in s.team.runs.chains for when in guarded]
    return any(when.what == "lead" for when in guards)


# At bat ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Position:
    """What can still matter of an outcome: the outs, the bases with runners, and the runs that came in.

    `runs_on` is True if runners may then try for an extra base.
    """

    outs: int
    on: tuple[bool, bool, bool]
    runs: int
    runs_on: bool

    def as_good(self, other: Position) -> bool:
        """True if this is the same position; runners who may try for an extra base may also hold."""
        same = (self.outs, self.on, self.runs) == (other.outs, other.on, other.runs)
        return same and self.runs_on >= other.runs_on


def position(s: State, outcome: str) -> Position:
    """Return the position after an outcome; "" puts the batter out."""
    then = after(s.bases, s.outs, s.hitter.name, outcome)
    first, second, third = (then.outs < 3 and runner is not None for runner in then.bases)
    earlier = any(runner not in (None, s.hitter.name) for runner in then.bases)
    hit = outcome not in ("", "walk", "sacrifice")
    return Position(then.outs, (first, second, third), len(then.home), hit and earlier)


def as_good(s: State, one: str, other: str) -> bool:
    """True if the outcome `one` wins the game, or leads to the position of `other`."""
    ours = position(s, one)
    return won(s, ours.runs) or ours.as_good(position(s, other))


def choosable(s: State, met: tuple[str, ...]) -> tuple[str, ...]:
    """Return the outcomes that the side at bat can choose from if its dice meet these (A19)."""
    if met and s.house["conditionChoice"] == "best":
        return (min(met, key=BEST.index),)
    return met or ("",)


def dice(s: State, goal: Goal, options: tuple[str, ...]) -> str | None:
    """Return "0" if whatever is rolled is an out."""
    if goal.blank or "0" not in options or not all(one.isdigit() for one in options) or (s.duel and answers(s)):
        return None
    reach = {one for count in options for one in possible(goal.lines, (1,) * int(count), True, 0, s.at)}
    return "0" if SAFE not in reach and all(as_good(s, "", one) for one in reach) else None


def tokens(s: State, aim: Aim) -> str | None:
    """Return "keep" if no token can change what comes of the dice."""
    usable = s.usable
    if isinstance(aim, Brings):
        near = {s.dice[0]}
        for _ in range(usable.nudges):
            near |= {face + by for face in near for by in (-1, 1) if face + by in FACES}
        faces = FACES if usable.rerolls else tuple(near)
        now, best = (min(s.supply.dice, max(aim.dice.count(s.at, one) for one in some)) for some in (s.dice, faces))
        return "keep" if best <= now else None
    if aim.blank or (s.duel and s.threw == "swing" and answers(s)):
        # The defense may answer with the ability, and then other dice may hold.
        return None
    met = aim.met(s.dice, s.at)
    reach = possible(aim.lines, s.dice, usable.rerolls > 0, usable.nudges, s.at)
    if may_miss(aim.lines, s.dice, usable.rerolls > 0, usable.nudges, s.at):
        reach = (*reach, "")
    if s.threw != "swing":
        return "keep" if len(reach) == 1 else None
    return "keep" if all(any(as_good(s, ours, one) for ours in choosable(s, met)) for one in reach) else None


def answers(s: State) -> bool:
    """True if a duel's pitcher can still use his ability on this roll."""
    works = s.pitcher.blank or s.pitcher.ability is None or s.pitcher.ability.duel
    return works and fresh(s, s.pitcher.name) and s.allowed("abilities")


def outcome(s: State, options: tuple[str, ...]) -> str | None:
    """Return an outcome that wins the game, or after which the position is the same as after any other."""
    return next((one for one in options if all(as_good(s, one, other) for other in options)), None)


# In the field --------------------------------------------------------------------------------------------------------


def fresh(s: State, name: str) -> bool:
    """True if this pitcher has stamina left, and there are exhaustion tokens (SI-126, A6)."""
    enough = sum(s.tired.values()) < TOKENS or s.house["supplyLimit"] == "unlimited"
    return enough and s.tired.get(name, 0) < s.box.pitchers[name].stamina


def starter(s: State, names: tuple[str, ...]) -> str | None:
    """Return the only pitcher who has stamina left."""
    able = [name for name in names if fresh(s, name)]
    return able[0] if len(able) == 1 else None


def relief(s: State, names: tuple[str, ...], least: int, count: int) -> str | None:
    """Return "stays" if nobody on the bench could use an ability, or if the team's roll of `least` to `count` dice
    decides nothing; a duel has no such roll.
    """

    def helps(name: str) -> bool:
        ability = s.box.pitchers[name].ability
        return fresh(s, name) and s.allowed("abilities") and (not s.duel or ability is None or ability.duel)

    if not any(map(helps, names)):
        return "stays"
    return "stays" if not s.duel and decides_nothing(s, Pitched(), least, count) else None


def before(s: State, done: Pitched, count: int, least: int) -> str | None:
    """Return "enough" if the half comes to the same with `least` to `count` dice, whatever they show."""
    return "enough" if decides_nothing(s, done, least, count) else None


def decides_nothing(s: State, done: Pitched, least: int, count: int) -> bool:
    """True if every roll of `least` to `count` dice costs the same, as with a lead that no roll can take away, and no
    ability could do better by taking its runs off.
    """
    runs = s.team.runs
    if s.clock.inning < REGULATION or runs is None or count > MOST:
        return False
    some = range(min(least, count), count + 1)
    shown = (faces for number in some for faces in combinations_with_replacement(FACES, number))
    costs = {cost(s, done.runs(runs(faces, s.at), s.force.more_runs)) for faces in shown}
    return len(costs | {cost(s, s.force.more_runs)}) == 1


def cost(s: State, runs: int) -> int:
    """Return what these runs cost: WIN or LOSS if the half ends the game, else their number."""
    side = s.clock.batting
    score = put(s.score, side, s.score[SEATS.index(side)] + runs)
    if not s.clock.decided(*score, REGULATION):
        return runs
    return WIN if score[SEATS.index(s.side)] == max(score) else LOSS


def won(s: State, runs: int) -> bool:
    """True if these runs of the side at bat would end the game (SI-119)."""
    side: Seat = s.clock.batting
    score = put(s.score, side, s.score[SEATS.index(side)] + runs)
    late = s.clock.inning > REGULATION and s.house["extraInningWalkoff"] == "false"
    both = s.duel and s.house["duelEnd"] == "bothBat"
    return not late and not both and s.clock.walked_off(*score, REGULATION)


def ability(s: State, done: Pitched, used: int, least: int, goal: Goal | None) -> str | None:
    """Return "enough" if no row of uses, whatever is rolled again, changes what comes of the dice; more runs for the
    opponent are waste, unless a card looks at the score.
    """
    card, team = s.pitcher.ability, s.team.runs if goal is None else None
    if card is None or len(s.dice) > MOST or (goal.blank if goal else team is None):
        return None

    def results(faces: tuple[int, ...]) -> set[Position]:
        """Return what a batter can choose from with these dice."""
        assert goal is not None
        return {position(s, one) for one in choosable(s, goal.met(faces, s.at))}

    def costs(faces: tuple[int, ...], pitched: Pitched) -> int:
        """Return what these dice cost against a team."""
        assert team is not None
        return cost(s, pitched.runs(team(faces, s.at), s.force.more_runs))

    if goal is None:
        now = costs(s.dice, done)
        best = now == WIN or not looks_at_score(s)

    def matters(faces: tuple[int, ...], pitched: Pitched) -> bool:
        """True if the pitcher might want these dice."""
        if goal is not None:
            # A batter who has more to choose from is never worse off.
            return not results(s.dice) <= results(faces)
        then = costs(faces, pitched)
        return then < now or (then > now and not best)

    if goal is not None and stops(s, results(s.dice)):
        return None
    left = min(s.pitcher.stamina - s.tired.get(s.pitcher.name, 0), s.leaves("abilities", TOKENS))
    seen = edge = {(tuple(sorted(s.dice)), done)}
    for number in range(used, used + left):
        edge = {
            then for faces, by in edge for use in uses(card, faces, number, least) for then in tried(use, faces, by)
        } - seen
        if len(seen) + len(edge) > TRIES or any(matters(*then) for then in edge):
            return None
        seen = seen | edge
    return "enough"


def stops(s: State, results: Iterable[Position]) -> bool:
    """True if an ability of a duel may stop something else: tokens for an extra base, or the other pitchers, who take
    exhaustion from the same supply (SI-206, A36, A6).
    """
    names = {name for squad in s.squads for name in squad.roster}
    stamina = sum(card.stamina for name, card in s.box.pitchers.items() if name in names)
    tokens = s.house["duelTokenBan"] == "restOfTurn" and (s.pool.rerolls or s.pool.nudges)
    runs_out = s.house["supplyLimit"] == "physical" and stamina > TOKENS
    return runs_out or (bool(tokens) and any(one.runs_on for one in results))


def tried(use: Use, faces: tuple[int, ...], done: Pitched) -> Iterator[tuple[tuple[int, ...], Pitched]]:
    """Yield everything that a use can lead to: the dice in ascending order, and what abilities did so far."""
    if not use.again:
        yield tuple(sorted(faces if use.faces is None else use.faces)), done.after(use)
    for places in combinations(use.again, use.most):
        left = [face for place, face in enumerate(faces) if place not in places]
        for new in combinations_with_replacement(FACES, use.most):
            yield tuple(sorted((*left, *new))), done
