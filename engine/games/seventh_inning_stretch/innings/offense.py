"""A batter's turn: substitution, gather, steal, at-bat, extra bases (SI-043 to SI-119)."""

from __future__ import annotations

from typing import Any

from engine import diamond
from engine.asks import Play, choose, roll
from engine.diamond import place_runner, runners_on_base
from engine.games.seventh_inning_stretch import blank_cards
from engine.games.seventh_inning_stretch.dice.conditions import LINE_OUTCOMES
from engine.games.seventh_inning_stretch.dice.goals import (
    DiceRuleGoal,
    RollGoal,
    describe_tries,
    option_notes,
    runner_goal,
)
from engine.games.seventh_inning_stretch.innings import look_ahead
from engine.games.seventh_inning_stretch.innings.defense import defend_at_bat, offer_relief
from engine.games.seventh_inning_stretch.innings.one_game import (
    advance_batting_order,
    end_game,
    end_half,
    is_walk_off,
    score_runs,
)
from engine.games.seventh_inning_stretch.innings.outcomes import (
    HIT_BASES,
    OUTCOMES_BEST_FIRST,
    OutcomeEffect,
    effect_notes,
    outcome_effect,
)
from engine.games.seventh_inning_stretch.innings.pool import (
    ROLL_PURPOSES,
    VETERAN_OPTION,
    call_veteran,
    dice_count_options,
    gain_resources,
    may_call_veteran,
    roll_committed_dice,
    spend_tokens,
)
from engine.games.seventh_inning_stretch.state import State, Step
from engine.games.seventh_inning_stretch.words import (
    bench_labels,
    card_lines_text,
    describe_card,
    describe_resources,
    dice_count_labels,
    player_notes,
    star_dice_text,
)
from engine.lazy import LazyFact

STEAL_RULES = {"steal-second": (1, 5), "steal-third": (2, 6)}
"""The base a runner steals from, and the face that a die must show (SI-067, SI-068, SI-071, SI-072)."""


def play_turn(s: State) -> Play:
    """Play one batter's turn (SI-044)."""
    s.rested, s.banned = True, False
    yield from bring_up_batter(s)
    yield from gather(s)
    count = yield from commit_dice(s)
    if count is None:
        # Caught stealing for the third out, so this batter did not finish his turn (SI-077, A1).
        if s.house["stealOutLeadoff"] == "next":
            advance_batting_order(s, s.offense)
        end_half(s)
        return
    yield from at_bat(s, count)
    if is_walk_off(s):
        end_game(s)
        return
    advance_batting_order(s, s.offense)
    if s.outs == 3:
        end_half(s)


# 1. Substitution -----------------------------------------------------------------------------------------------------


def bring_up_batter(s: State) -> Step[None]:
    """Offer a pinch hitter, and in a duel a pitching change (SI-045 to SI-052, SI-202, A34)."""
    early = s.house["duelPitcherSub"] == "startOfTurn"
    if s.duel and early:
        yield from offer_relief(s)
    while s.is_allowed("batters") and (bench := s.bench_players(s.offense, s.box.batters)):
        name = s.batter_card.name
        about = LazyFact(lambda s, bench: player_notes(s, bench) | {"bats": describe_card(s.batter_card)}, s, bench)
        facts = {"batter": name, "labels": bench_labels(bench), "notes": about}
        who = yield from choose(s.offense, "batter", ("bats", *bench), **facts)
        if who == "bats":
            break
        squad = s.squad(s.offense)
        order = tuple(who if one == name else one for one in squad.lineup)
        s.update_squad(s.offense, lineup=order, dugout=(*squad.dugout, name))
        s.count_use("batters")
        s.emit("substitute", seat=s.clock.batting_seat, batter=who, out=name)
        if s.duel and early:
            yield from offer_relief(s)
        if s.house["subsPerTurn"] == "1":
            break
    if s.duel and not early:
        yield from offer_relief(s)


# 2. Gather -----------------------------------------------------------------------------------------------------------


def gather(s: State) -> Step[None]:
    """Add the batter's dice and tokens to the pool (SI-022, SI-053, SI-054). Tokens may change a star's die (A37)."""
    card = s.batter_card
    if card.blank:
        dice, rerolls, nudges = yield from blank_cards.ask_resources(s)
    else:
        face = None
        if card.dice.needs_die_roll:
            face = yield from roll(s.offense, "resources", batter=card.name, rule=star_dice_text(card))
            s.dice, s.threw, s.now = (face,), "resources", DiceRuleGoal(card.dice).describe_dice((face,), s.guard_facts)
            if s.house["starDieTokens"] == "allowed":
                yield from spend_tokens(s, DiceRuleGoal(card.dice))
                face = s.dice[0]
        dice, rerolls, nudges = card.dice.dice_count(s.guard_facts, face), card.rerolls, card.nudges
    got = gain_resources(s, dice, rerolls, nudges)
    s.emit("gathers", seat=s.clock.batting_seat, batter=card.name, what=describe_resources(got))


# 3. Steal ------------------------------------------------------------------------------------------------------------


def commit_dice(s: State) -> Step[int | None]:
    """Ask for steals and the dice of the at-bat. Return None if a steal made the third out."""
    tried: set[str] = set()
    card = s.batter_card
    goal = RollGoal(card.lines, blank=card.blank)
    facts: dict[str, Any] = {"batter": card.name, "card": LazyFact(card_lines_text, s), "out": s.outs + 1}
    while (what := (yield from ask_dice_count(s, "at-bat", goal, tried=tried, **facts))) in STEAL_RULES:
        tried.add(what)
        yield from steal(s, what)
        facts["out"] = s.outs + 1
        if s.outs == 3:
            return None
    return int(what)


def may_steal(s: State, what: str, tried: set[str]) -> bool:
    """True if a runner may steal an open base with dice to roll and no attempt this turn (SI-061 to SI-071, A3)."""
    if not s.is_allowed("steals") or what in tried or (tried and s.house["stealsPerTurn"] == "1"):
        return False
    base, _ = STEAL_RULES[what]
    enough = s.max_dice_count > 0 or s.house["minStealDice"] == "0"
    return enough and s.bases[base - 1] is not None and s.bases[base] is None


def steal(s: State, what: str) -> Step[None]:
    """Play an attempt to steal second or third, which cannot be called off (SI-061 to SI-076)."""
    base, face = STEAL_RULES[what]
    goal = runner_goal(face)
    runner = s.bases[base - 1]
    count = int((yield from ask_dice_count(s, f"{what}-dice", goal, runner=runner)))
    s.count_use("steals")
    safe = yield from roll_for_runners(s, what, count, goal, runner=runner)
    if safe:
        if base == 1:
            # Only the runner from first moves (SI-069).
            s.bases = place_runner(place_runner(s.bases, None, 1), runner, 2)
        else:
            # Every runner advances a base (SI-073). Third was open, so nobody comes home.
            s.bases, _ = diamond.advance_runners(s.bases, 1)
        s.emit("stolen", seat=s.clock.batting_seat, runner=runner, base=("second", "third")[base - 1])
        return
    yield from put_out_runner(s, runners_on_base(s.bases) if base == 2 else runners_on_base(s.bases)[:1], "caught")


def roll_for_runners(s: State, why: str, count: int, goal: RollGoal, **facts: Any) -> Step[bool]:
    """Roll for runners. Return True if they are safe."""
    faces = yield from roll_committed_dice(s, why, count, goal, **facts)
    s.thrown = 0
    return bool(goal.met_outcomes(faces, s.guard_facts))


def put_out_runner(s: State, among: tuple[str, ...], code: str) -> Step[None]:
    """Put out one of these runners, as the manager chooses (SI-070, SI-074, SI-103, A25)."""
    out = among[0]
    if len(among) > 1 and s.outs < 2:
        facts = {"what": ROLL_PURPOSES[s.threw], "out": s.outs + 1, "labels": runner_labels(s)}
        out = yield from choose(s.offense, "runner-out", among, **facts)
    first, second, third = (None if runner == out else runner for runner in s.bases)
    s.bases, s.outs = (first, second, third), s.outs + 1
    s.emit(code, seat=s.clock.batting_seat, runner=out, outs=s.outs, retired=(out,))


def runner_labels(s: State) -> dict[str, str]:
    bases = zip(s.bases, ("first", "second", "third"), strict=True)
    return {runner: f"{runner}, on {base}" for runner, base in bases if runner}


def ask_dice_count(
    s: State, why: str, goal: RollGoal, hold: tuple[str, ...] = (), tried: set[str] | None = None, **facts: Any
) -> Step[str]:
    """Ask for the number of dice, which the veteran's die may join first. Return it, or another option.

    Before an at-bat, `tried` are the steals tried in this turn. The others are options too.
    """
    while True:
        dice = dice_count_options(s, 0 if tried is not None else int(s.house["minStealDice"]))
        steals: tuple[str, ...] = (
            () if tried is None else tuple(what for what in STEAL_RULES if may_steal(s, what, tried))
        )
        options = (*hold, *dice, *steals, *((VETERAN_OPTION,) if may_call_veteran(s) else ()))
        if len(options) == 1:
            return str(options[0])
        notes = LazyFact(dice_count_notes, s, goal, dice, steals)
        about = {**facts, "labels": dice_count_labels(dice), "notes": notes}
        what: str = yield look_ahead.choice_ask(s, s.offense, why, options, about, look_ahead.moot_dice, goal, options)
        if what != VETERAN_OPTION:
            return what
        call_veteran(s)


def dice_count_notes(s: State, goal: RollGoal, dice: tuple[str, ...], steals: tuple[str, ...]) -> dict[str, str]:
    """Return the odds of each number of dice, and those of a steal by how many dice may follow."""
    tries = {
        what: describe_tries(runner_goal(STEAL_RULES[what][1]), s.max_dice_count, s.guard_facts) for what in steals
    }
    return option_notes(goal, s.guard_facts, dice) | tries


# 4. At-bat -----------------------------------------------------------------------------------------------------------


def at_bat(s: State, count: int) -> Step[None]:
    """Roll against the card, and apply the outcome (SI-079 to SI-096)."""
    card = s.batter_card
    s.batter = card.name
    goal = RollGoal(card.lines, blank=card.blank)
    faces = yield from roll_committed_dice(
        s, "swing", count, goal, batter=card.name, card=LazyFact(card_lines_text, s), out=s.outs + 1
    )
    if s.duel and faces:
        faces = yield from defend_at_bat(s, goal)
    outcome = yield from decide_outcome(s, goal, faces)
    s.batter, s.thrown = "", 0
    if outcome == "":
        s.outs += 1
        s.emit("out", seat=s.clock.batting_seat, batter=card.name, turn="out", outs=s.outs, retired=(card.name,))
    elif outcome == "sacrifice":
        sacrifice(s, card.name)
    elif outcome == "walk":
        s.emit("walk", seat=s.clock.batting_seat, batter=card.name, turn="walk")
        move_and_score(s, outcome_effect(s.bases, s.outs, card.name, outcome), card.name)
    else:
        yield from hit(s, card.name, outcome)


def decide_outcome(s: State, goal: RollGoal, faces: tuple[int, ...]) -> Step[str]:
    """Return the outcome that counts, or "" if no condition is met (SI-081 to SI-083, SI-094, A19)."""
    if not faces:
        return ""
    if goal.blank:
        return (yield from blank_cards.ask_outcome(s, faces))
    found = goal.met_outcomes(faces, s.guard_facts)
    if len(found) < 2:
        return "".join(found)
    if s.house["conditionChoice"] == "best":
        return min(found, key=OUTCOMES_BEST_FIRST.index)
    options = tuple(one for one in LINE_OUTCOMES if one in found)
    notes = LazyFact(
        lambda s: effect_notes({one: outcome_effect(s.bases, s.outs, s.batter, one) for one in options}), s
    )
    facts = {"batter": s.batter, "dice": list(faces), "notes": notes}
    return str((yield look_ahead.choice_ask(s, s.offense, "outcome", options, facts, look_ahead.moot_outcome, options)))


def sacrifice(s: State, batter: str) -> None:
    """Put the batter out, then advance the runners unless that was the third out (SI-091, SI-092, A29)."""
    then = outcome_effect(s.bases, s.outs, batter, "sacrifice")
    facts = {"outs": then.outs, "retired": (batter,)}
    s.emit("sacrifice", seat=s.clock.batting_seat, batter=batter, turn="sacrifice", **facts)
    move_and_score(s, then, batter)


def move_and_score(s: State, then: OutcomeEffect, batter: str) -> None:
    """Move everybody, and score the runs that `batter` drove in."""
    s.outs, s.bases = then.outs, then.bases
    score_runs(s, len(then.home), batter, then.home, batter)


def hit(s: State, batter: str, outcome: str) -> Step[None]:
    """Advance everybody as many bases as the batter, then offer an extra base (SI-085 to SI-089)."""
    base = HIT_BASES[outcome]
    s.emit(outcome, seat=s.clock.batting_seat, batter=batter, hit=True)
    move_and_score(s, outcome_effect(s.bases, s.outs, batter, outcome), batter)
    if not is_walk_off(s):
        yield from try_extra_base(s, batter, base)


# Extra bases ---------------------------------------------------------------------------------------------------------


def try_extra_base(s: State, batter: str, base: int) -> Step[None]:
    """Offer an attempt to advance the earlier runners after a hit. The batter stays (SI-097 to SI-109)."""
    earlier = tuple(runner for runner in runners_on_base(s.bases) if runner != batter)
    dice = s.max_dice_count > 0 or may_call_veteran(s) or s.house["minStealDice"] == "0"
    if not earlier or not dice or not s.is_allowed("extra-bases"):
        return
    goal = runner_goal(5 if s.outs == 2 else 6)
    if s.house["duelTokenBan"] == "thatRoll":
        s.banned = False
    last = s.outs == 2
    face, short = ("5 or 6", "5-6") if last else ("6", "6")
    facts: dict[str, Any] = {"runners": list(earlier), "face": face, "short": short}
    facts["fails"] = "that is the third out" if last else "a runner is out"
    what = yield from ask_dice_count(s, "extra-base", goal, ("hold",), **facts, batter=batter)
    if what == "hold":
        return
    s.count_use("extra-bases")
    safe = yield from roll_for_runners(s, "extra-base-roll", int(what), goal, **facts)
    if safe:
        s.bases, home = diamond.advance_runners(place_runner(s.bases, None, base), 1)
        s.bases = place_runner(s.bases, batter, base)
        s.emit("goes-on", seat=s.clock.batting_seat, on=list(earlier))
        score_runs(s, len(home), batter, home, batter)
    else:
        among = runners_on_base(s.bases) if s.house["extraBaseOut"] == "anyRunner" else earlier
        yield from put_out_runner(s, among, "thrown-out")
