"""Decisions of the side in the field: pitch or walk, infield in or back, throws."""

from __future__ import annotations

from dataclasses import replace

from engine.diamond import force_runners
from engine.games.clutch.at_bat.outcomes import intentional_walk_bonus
from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.squad import BaseRunner
from engine.games.clutch.state import ClutchAtBat, State, ThrowOrCheck
from managers.games.clutch.ask_context import AskContext, RatedAnswers
from managers.games.clutch.baserunning import (
    HIT_BASES,
    end_distribution,
    expected_value,
    home_throws,
    throw_ends,
    unforced_throws,
)

MIN_WALK_GAIN = 0.004
"""Minimum gain of an intentional walk. The model of one at-bat underestimates the cost of repeated walks."""


def state_after_walk(s: State) -> State:
    twin = s.copy()
    bases, home = force_runners(s.bases, BaseRunner(s.batter_card.name, s.pitcher_card.name))
    twin.bases = bases
    away, ours = s.score
    runs = len(home)
    twin.score = (away + runs, ours) if s.offense == "away" else (away, ours + runs)
    twin.walked = s.walked + 1
    squad = s.squad(s.offense)
    twin.update_squad(s.offense, slot=(squad.slot + 1) % len(squad.order))
    on_base, swing = intentional_walk_bonus(twin)
    twin.at = ClutchAtBat(on_base_bonus=on_base, swing_bonus=swing)
    return twin


def walk_value(turn: AskContext) -> float:
    """Return the win probability after an intentional walk, less `MIN_WALK_GAIN`."""
    after = state_after_walk(turn.state)
    if turn.state.offense == "home" and after.is_walk_off:
        return 0.0
    return turn.judge.win_probability(after) - MIN_WALK_GAIN


def rate_walk(turn: AskContext) -> RatedAnswers:
    rated: RatedAnswers = {"pitch": (turn.baseline_probability, "")}
    if "walk" in turn.answer_codes:
        rated["walk"] = (walk_value(turn), walk_reason(turn.state))
    return rated


def walk_reason(s: State) -> str:
    if s.bases[0] is None and (s.bases[1] or s.bases[2]):
        return "First base is open, and the next batter is easier."
    return "We would rather pitch to the next batter."


def rate_infield(turn: AskContext) -> RatedAnswers:
    drawn = turn.state.copy()
    drawn.at = turn.state.at._replace(infield_in=True)
    behind = _runs_behind(turn)
    in_why = "We can't let that run score." if behind <= 0 else "Infield in: the run on third matters."
    if behind == 1:
        in_why = "Infield in: the tying run is on third."
    if behind == 0:
        in_why = "Infield in: the go-ahead run is on third."
    return {
        "back": (turn.baseline_probability, "We play for the out."),
        "in": (turn.judge.win_probability(drawn), in_why),
    }


def _runs_behind(turn: AskContext) -> int:
    """Return the deficit of the side at bat, in runs."""
    away, home = turn.state.score
    return home - away if turn.state.offense == "away" else away - home


# Throws --------------------------------------------------------------------------------------------------------------


def tried_bases(options: tuple[str, ...]) -> tuple[int, ...]:
    """Return the bases that runners try for, from the options of a throw."""
    return tuple(sorted(BASE_NAMES.index(one[3:]) + 1 for one in options if one.startswith("at-")))


def rate_throws(turn: AskContext) -> RatedAnswers:
    """Rate throws at runners who try for a base, and no throw."""
    s, judge = turn.state, turn.judge
    way = tried_bases(turn.answer_codes)
    if s.at.pitch_natural is None and s.at.outcome not in (*HIT_BASES, "GB", "FB"):
        return _answers_by_throw(steal_throw_values(turn, way), "Throw where the out is likeliest and matters most.")
    value, field = judge.next_batter_value_function(s), judge.current_field(s)
    speeds, batter = judge.runner_speeds(s), s.batter_card.baserunning
    if s.at.outcome == "GB":
        if way == (4,):
            found = home_throws(s.outs, speeds, batter, field)
        else:
            found = unforced_throws(s.outs, speeds, batter, field.infield)
    else:
        kind = "tag" if s.at.outcome == "FB" else "hit"
        found = throw_ends(
            speeds, s.outs, 0, way, lambda base, _: judge.out_chance(s, build_throw(s, kind, base)), field
        )
    rated = {base: judge.chance_from_offense(s, expected_value(end, value)) for base, end in found.items()}
    return _answers_by_throw(rated, "Throw where the out is likeliest and matters most.")


def _answers_by_throw(rated: dict[int, float], why: str) -> RatedAnswers:
    named: RatedAnswers = {}
    for base, win in rated.items():
        if base:
            named[f"at-{BASE_NAMES[base - 1]}"] = (win, why)
        else:
            named["no-throw"] = (win - 1e-6, "No throw gets him.")
            named["take-batter"] = (win, "Take the sure out at first.")
    return named


def build_throw(s: State, kind: str, base: int) -> ThrowOrCheck:
    """Build the throw at the runner who tries for `base`, with its bonuses under the rules."""
    runner = s.bases[base - 2]
    name = runner.name if runner else ""
    match kind:
        case "steal":
            return ThrowOrCheck("steal", "battery", name, base, speed="st", help=3 * (base == 3))
        case "tag":
            return ThrowOrCheck("tag", "outfield", name, base, bonus=3 * (base == 4), help=3 * (base == 2))
        case "hit":
            return ThrowOrCheck("hit", "outfield", name, base, bonus=3 * (base == 4) + 3 * (s.outs == 2))
    return ThrowOrCheck(kind, "infield", name, base)


def steal_throw_values(turn: AskContext, way: tuple[int, ...]) -> dict[int, float]:
    """Return the win probability of each throw at stealing runners, by base (0 for no throw)."""
    s, judge = turn.state, turn.judge
    rated = {0: judge.win_probability(state_after_tries(s, way, 0))}
    for base in way:
        chance = judge.out_chance(s, build_throw(s, "steal", base))
        rated[base] = chance * judge.win_probability(state_after_tries(s, way, base)) + (1 - chance) * rated[0]
    return rated


def state_after_tries(s: State, way: tuple[int, ...], out: int) -> State:
    """Return the state after runners try for the bases `way`. The one who tries for `out` is out, 0 for none."""
    twin = s.copy()
    bases = list(s.bases)
    for base in sorted(way, reverse=True):
        runner, bases[base - 2] = bases[base - 2], None
        if base != out and base < 4:
            bases[base - 1] = runner
    twin.bases = (bases[0], bases[1], bases[2])
    twin.outs = s.outs + bool(out)
    return twin


def rate_double_play(turn: AskContext) -> RatedAnswers:
    s, judge = turn.state, turn.judge
    value, field = judge.next_batter_value_function(s), judge.current_field(s)
    two = end_distribution(
        "GB", s.outs, judge.runner_speeds(s), s.batter_card.baserunning, replace(field, drawn_in=False), value
    )
    one = end_distribution(
        "GB",
        s.outs,
        judge.runner_speeds(s),
        s.batter_card.baserunning,
        replace(field, double_plays=False, drawn_in=False),
        value,
    )
    return {
        "double-play": (judge.chance_from_offense(s, expected_value(two, value)), "We can get two outs."),
        "one-out": (judge.chance_from_offense(s, expected_value(one, value)), "Take the sure out."),
    }
