"""The opponent's half in a season (SI-120 to SI-132), relief, and pitchers' abilities (SI-202 to SI-214)."""

from __future__ import annotations

from typing import Any

from engine.asks import Play, reroll, roll_dice
from engine.dice import D6
from engine.games.seventh_inning_stretch import blank_cards
from engine.games.seventh_inning_stretch.dice.abilities import AbilityUse, ability_uses
from engine.games.seventh_inning_stretch.dice.goals import RollGoal
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.innings.look_ahead import AbilityTotals, is_fresh
from engine.games.seventh_inning_stretch.innings.one_game import end_half, score_runs
from engine.games.seventh_inning_stretch.state import DICE_COUNT, State, Step
from engine.games.seventh_inning_stretch.words import (
    describe_scoring,
    pitcher_labels,
    player_notes,
    runs_text,
    use_labels,
)
from engine.lazy import LazyFact
from engine.seats import opposite_seat

# The opponent's half ------------------------------------------------------------------------------------------------


def play_team_half(s: State) -> Play:
    """Play the opponent's half, which is one roll without outs (SI-128)."""
    yield from offer_relief(s)
    pitched = yield from use_ability(s, AbilityTotals(), early=True)
    count = team_roll_count(s, pitched)
    s.threw = "team"
    rule = describe_scoring(s.opponent_team, s.playoff_condition.more_runs)
    s.dice = yield from roll_dice(s.defense, "team", (D6,) * count, count=count, team=s.opponent_team.name, rule=rule)
    s.now = dice_text(s, s.dice, pitched, None)
    s.emit("team-rolled", seat=s.clock.batting_seat, team=s.opponent_team.name, faces=list(s.dice), what=s.now)
    pitched = yield from use_ability(s, pitched)
    if s.opponent_team.runs is None:
        runs = yield from blank_cards.ask_runs(s)
    else:
        runs = s.opponent_team.runs(s.dice, s.guard_facts)
    score_runs(s, pitched.limited_runs(runs, s.playoff_condition.more_runs))
    end_half(s)


def team_dice(s: State) -> tuple[int, int]:
    """Return the dice for the team's roll, at most twelve (SI-003), and their minimum (SI-123, SI-170, A9)."""
    force, team = s.playoff_condition, s.opponent_team
    count = team.dice if force.dice is None else force.dice
    return min(DICE_COUNT, count + force.more_dice), team.least if force.least is None else force.least


def team_roll_count(s: State, pitched: AbilityTotals) -> int:
    """Return the number of dice for the team's roll after abilities, never below its minimum (SI-028)."""
    count, least = team_dice(s)
    return max(count - pitched.fewer, min(least, count))


# Relief and abilities ---------------------------------------------------------------------------------------------


def offer_relief(s: State) -> Step[None]:
    """Offer a relief pitcher. The one who leaves keeps his exhaustion (SI-120 to SI-122, SI-132)."""
    seat = s.defense
    names = s.bench_players(seat, s.box.pitchers)
    if not names or not s.is_allowed("pitchers"):
        return
    squad = s.squad(seat)
    left = s.pitcher_card.stamina - s.tired.get(squad.pitcher, 0)
    labels, about = LazyFact(pitcher_labels, s, names), LazyFact(player_notes, s, names)
    facts = {"pitcher": squad.pitcher, "left": left, "labels": labels, "notes": about}
    count, least = (0, 0) if s.duel else team_dice(s)
    name = yield look_ahead.choice_ask(
        s, seat, "relief", ("stays", *names), facts, look_ahead.moot_relief, names, least, count
    )
    if name != "stays":
        s.count_use("pitchers")
        s.update_squad(seat, pitcher=name, dugout=(*squad.dugout, squad.pitcher))
        s.emit("relieves", seat=opposite_seat(s.clock.batting_seat), pitcher=name, out=squad.pitcher)


def can_use_ability(s: State) -> bool:
    """True if the current pitcher may use his ability again (SI-126, SI-208, A6)."""
    return is_fresh(s, s.pitcher_card.name) and s.is_allowed("abilities")


def add_exhaustion(s: State) -> None:
    """Add an exhaustion token for one use (SI-026)."""
    name = s.pitcher_card.name
    s.tired = {**s.tired, name: s.tired.get(name, 0) + 1}
    s.count_use("abilities")


def use_ability(
    s: State, done: AbilityTotals, early: bool = False, goal: RollGoal | None = None
) -> Step[AbilityTotals]:
    """Offer uses of the ability after the roll (SI-125, SI-204), or if `early` before it (SI-028, A33)."""
    count, seat = 0, s.defense
    while can_use_ability(s):
        pitcher = s.pitcher_card
        least = 1 if goal is not None else team_dice(s)[1]
        left = team_roll_count(s, done) if early else 0
        if pitcher.blank or pitcher.ability is None:
            ways = blank_cards.possible_uses(early, goal is None, s.dice, least, left)
        elif goal is not None and not pitcher.ability.duel:
            return done
        else:
            ways = ability_uses(pitcher.ability, () if early else s.dice, count, least, left)
        ways = tuple(use for use in ways if not is_wasted_use(s, done, use))
        if not ways:
            return done
        again = pitcher.stamina - s.tired.get(pitcher.name, 0)
        says = pitcher.ability.text if pitcher.ability else "as the card says"
        facts: dict[str, Any] = {"pitcher": pitcher.name, "left": again, "labels": use_labels(ways), "ability": says}
        codes = {use.code: use for use in ways}
        options = ("enough", *codes)
        if early:
            facts |= {"team": s.opponent_team.name, "count": left}
            ask = look_ahead.choice_ask(s, seat, "before", options, facts, look_ahead.moot_early_use, done, left, least)
        else:
            notes = LazyFact(
                lambda s, ways, done: {one.code: use_note(s, one, done, goal) for one in ways}, s, ways, done
            )
            facts |= {"dice": list(s.dice), "now": s.now, "notes": notes}
            ask = look_ahead.choice_ask(
                s, seat, "ability", options, facts, look_ahead.moot_use, done, count, least, goal
            )
        what = yield ask
        if what == "enough":
            return done
        use = codes[what]
        if pitcher.blank:
            use = yield from blank_cards.ask_use_amount(s, use)
        count += 1
        add_exhaustion(s)
        side = opposite_seat(s.clock.batting_seat)
        tokens = s.tired[pitcher.name]
        s.emit("ability", seat=side, pitcher=pitcher.name, what=use.label, tokens=tokens, of=pitcher.stamina)
        if use.again:
            told = {"pitcher": pitcher.name, "what": use.label}
            s.dice = yield from reroll(s.defense, "ability-reroll", s.dice, use.again, use.most, **told)
        elif use.faces is not None:
            s.dice = use.faces
        done = done.with_use(use)
        if not early:
            s.now = dice_text(s, s.dice, done, goal)
            s.emit("dice-now", seat=side, faces=list(s.dice), what=s.now)
    return done


def opponent_runs(s: State, faces: tuple[int, ...], done: AbilityTotals) -> int | None:
    """Return the opponent's runs with these dice, or None if the card is blank."""
    return (
        None
        if s.opponent_team.runs is None
        else done.limited_runs(s.opponent_team.runs(faces, s.guard_facts), s.playoff_condition.more_runs)
    )


def dice_text(s: State, faces: tuple[int, ...], done: AbilityTotals, goal: RollGoal | None) -> str:
    """Return a batter's outcomes or the opponent's runs with these dice, in words."""
    if goal is not None:
        return goal.describe_dice(faces, s.guard_facts)
    runs = opponent_runs(s, faces, done)
    return "as the card says" if runs is None else runs_text(runs)


def use_note(s: State, use: AbilityUse, done: AbilityTotals, goal: RollGoal | None) -> str:
    """Return the dice in words after this use, or "" if they are not known yet."""
    if use.again or (s.pitcher_card.blank and use.faces is None):
        return ""
    return dice_text(s, s.dice if use.faces is None else use.faces, done.with_use(use), goal)


def is_wasted_use(s: State, done: AbilityTotals, use: AbilityUse) -> bool:
    """True if the use would only take away runs, and there are none."""
    if not use.less and use.cap is None:
        return False
    now = opponent_runs(s, s.dice, done)
    return now is not None and now == opponent_runs(s, s.dice, done.with_use(use))


def defend_at_bat(s: State, goal: RollGoal) -> Step[tuple[int, ...]]:
    """Let a duel's pitcher change the dice of an at-bat last (SI-204 to SI-207, SI-213, A23)."""
    worn = s.tired
    yield from use_ability(s, AbilityTotals(), goal=goal)
    s.banned = s.tired is not worn
    return s.dice
