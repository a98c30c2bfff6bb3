"""Substitutions of pitchers, hitters, runners and fielders, and trades of positions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.games.clutch.cards.card_types import DH, FIELD_POSITIONS, OUT_OF_POSITION_RATING
from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.squad import ClutchSquad
from engine.games.clutch.state import State
from engine.games.clutch.substitutions import bench
from engine.seats import Seat
from managers.games.clutch.ask_context import (
    ASK_PREFERENCE_ANSWERS,
    BAD_ANSWER_PENALTY,
    AskContext,
    RatedAnswers,
    rate_equally,
)

MIN_NEW_PITCHER_GAIN = 0.004
"""Minimum gain in win probability for a reliever, since a pitcher who leaves cannot return."""
MIN_PINCH_HITTER_GAIN = 0.006  # Minimum gain for a pinch hitter, since a batter who leaves cannot return.
MIN_PINCH_RUNNER_GAIN = 0.006  # Minimum gain for a pinch runner, for the same reason.
MIN_FIELDER_GAIN = 0.003  # Minimum gain for a fielder, for the same reason.


RATING_POINT_VALUE = 0.02
"""Win probability of a fielding rating's point, where only the ratings are compared."""


def with_reliever(s: State, side: Seat, name: str) -> State:
    twin = s.copy()
    bench.substitute_pitcher(twin, side, name)
    return twin


def reliever_values(turn: AskContext) -> dict[str, float]:
    s, side = turn.state, turn.state.defense
    return {
        name: turn.judge.win_probability(with_reliever(s, side, name)) for name in bench.eligible_relievers(s, side)
    }


def rate_pitching_change(turn: AskContext) -> tuple[float, str]:
    """Rate the best eligible reliever. Return -1 if there is none."""
    found = reliever_values(turn)
    if not found:
        return -1.0, ""
    margin = 0.0 if pitcher_record.is_tired(turn.state.current_record, turn.state.house) else MIN_NEW_PITCHER_GAIN
    return max(found.values()) - margin, pitcher_reason(turn.state)


def pitcher_reason(s: State) -> str:
    if pitcher_record.is_tired(s.current_record, s.house):
        return "The pitcher is tired."
    if s.clock.inning >= 8:
        return "A fresh arm for the late innings."
    return "The bullpen has a better matchup."


def rate_relievers(turn: AskContext) -> RatedAnswers:
    s = turn.state
    rated: RatedAnswers = {}
    for name in turn.answer_codes:
        if name not in s.box.pitchers:
            continue
        try:
            rated[name] = (
                turn.judge.win_probability(with_reliever(s, s.defense, name)),
                "The best arm for these batters.",
            )
        except KeyError:  # A starter, whom the view does not list in the bullpen.
            rated[name] = (turn.baseline_probability - 0.01, "")
    return rated


# At bat --------------------------------------------------------------------------------------------------------------


def with_substitute(s: State, side: Seat, name: str, out: str) -> State:
    """Return the state with a bench batter in for the player `out`."""
    twin = s.copy()
    bench.substitute_batter(twin, side, name, out)
    return twin


def pinch_hitter_values(turn: AskContext) -> dict[str, float]:
    """Return the win probability with each bench batter who would hit better."""
    s, side = turn.state, turn.state.offense
    out = s.squad(side).batter
    spot = s.squad(side).spots[s.squad(side).slot]
    names = [
        name for name in bench.eligible_subs(s, side, spot) if turn.judge.batter_gain(s, name) > MIN_PINCH_HITTER_GAIN
    ]
    return {name: turn.judge.win_probability(with_substitute(s, side, name, out)) for name in names}


def rate_pinch_hitting(turn: AskContext) -> tuple[float, str]:
    """Rate the best pinch hitter. Return -1 if there is none."""
    found = pinch_hitter_values(turn)
    if not found:
        return -1.0, ""
    return max(found.values()) - MIN_PINCH_HITTER_GAIN, "A better bat against this pitcher."


def pinch_runner_changes(turn: AskContext) -> Iterator[tuple[str, str, float]]:
    """Yield replaced runner, pinch runner and win probability for each bench player who is clearly faster."""
    s, side = turn.state, turn.state.offense
    if s.clock.inning < 7 or s.run_differential > 2:
        return
    squad, cards = s.squad(side), s.box.batters
    for runner in filter(None, s.bases):
        if runner.name not in squad.order:
            continue
        spot = squad.spots[squad.order.index(runner.name)]
        for name in bench.eligible_subs(s, side, spot):
            if cards[name].baserunning >= cards[runner.name].baserunning + 4:
                yield runner.name, name, turn.judge.win_probability(with_substitute(s, side, name, runner.name))


def rate_pinch_running(turn: AskContext) -> tuple[float, str]:
    """Rate the best pinch runner. Return -1 if there is none."""
    found = [win for _, _, win in pinch_runner_changes(turn)]
    return (max(found) - MIN_PINCH_RUNNER_GAIN, "We need a faster runner.") if found else (-1.0, "")


def rate_pinch_hitters(turn: AskContext) -> RatedAnswers:
    s, side = turn.state, turn.state.offense
    out = s.squad(side).batter
    return {
        name: (turn.judge.win_probability(with_substitute(s, side, name, out)), "A better bat against this pitcher.")
        for name in turn.answer_codes
        if name in s.squad(side).bench
    }


def rate_replaceable_runners(turn: AskContext) -> RatedAnswers:
    best: dict[str, float] = {}
    for out, _, win in pinch_runner_changes(turn):
        best[out] = max(win, best.get(out, 0.0))
    return {
        name: (best.get(name, turn.baseline_probability - BAD_ANSWER_PENALTY), "We need a faster runner.")
        for name in turn.answer_codes
        if name not in ASK_PREFERENCE_ANSWERS
    }


def rate_pinch_runners(turn: AskContext) -> RatedAnswers:
    s, side = turn.state, turn.state.offense
    on = [runner.name for runner in s.bases if runner]
    (out, *_) = (*turn.mentioned_names(on), *on, s.squad(side).order[0])
    return {
        name: (turn.judge.win_probability(with_substitute(s, side, name, out)), "The fastest on the bench.")
        for name in turn.answer_codes
        if name in s.squad(side).bench
    }


# In the field --------------------------------------------------------------------------------------------------------


def with_traded_positions(s: State, side: Seat, one: str, two: str) -> State:
    twin = s.copy()
    bench.trade_positions(twin, side, one, two)
    return twin


def fielding_rating(s: State, name: str, spot: str) -> int:
    return s.box.batters[name].gloves.get(spot, OUT_OF_POSITION_RATING)


def useful_trades(turn: AskContext) -> list[tuple[int, str, str]]:
    """Return the trades of two fielders that improve their total rating, with the gain, best first."""
    s, squad = turn.state, turn.state.squad(turn.state.defense)
    field = [(name, spot) for name, spot in zip(squad.order, squad.spots, strict=True) if spot != DH]
    found = []
    for (one, spot), (two, other) in combinations(field, 2):
        gain = (
            fielding_rating(s, one, other)
            + fielding_rating(s, two, spot)
            - fielding_rating(s, one, spot)
            - fielding_rating(s, two, other)
        )
        if gain > 0:
            found.append((gain, one, two))
    return sorted(found, reverse=True)


def rate_position_trade(turn: AskContext) -> tuple[float, str]:
    """Rate the best trade of two fielders. Return -1 if none improves the ratings."""
    for _, one, two in useful_trades(turn):
        gain = turn.judge.win_probability(with_traded_positions(turn.state, turn.state.defense, one, two))
        if gain > turn.baseline_probability:
            return gain, "Everybody plays where he fields best."
        return turn.baseline_probability - 0.001, ""
    return -1.0, ""


def rate_trading_fielders(turn: AskContext) -> RatedAnswers:
    names = {
        one: (turn.baseline_probability - BAD_ANSWER_PENALTY, "")
        for one in turn.answer_codes
        if one not in ASK_PREFERENCE_ANSWERS
    }
    for gain, one, two in reversed(useful_trades(turn)):
        for name in (one, two):
            if name in names:
                names[name] = (
                    turn.baseline_probability + gain * RATING_POINT_VALUE,
                    "Everybody plays where he fields best.",
                )
    return names


def rate_new_positions(turn: AskContext) -> RatedAnswers:
    """Rate the positions that a fielder may take. His own is the one that is not offered."""
    s, squad = turn.state, turn.state.squad(turn.state.defense)
    own = next((spot for spot in FIELD_POSITIONS if spot not in turn.answer_codes and spot in squad.spots), "")
    name = squad.player_at(own)
    rated: RatedAnswers = {}
    for spot in turn.answer_codes:
        if spot not in FIELD_POSITIONS:
            continue
        gain = 0
        if name:
            other = squad.player_at(spot)
            gain = (
                fielding_rating(s, name, spot)
                + fielding_rating(s, other, own)
                - fielding_rating(s, name, own)
                - fielding_rating(s, other, spot)
            )
        rated[spot] = (
            turn.baseline_probability + gain * RATING_POINT_VALUE,
            "Everybody plays where he fields best." if gain > 0 else "",
        )
    return rated


def replacement_values(turn: AskContext) -> dict[tuple[str, str], float]:
    """Return the win probability with each better fielder of the bench, by replaced player and substitute."""
    s, side = turn.state, turn.state.defense
    squad = s.squad(side)
    found: dict[tuple[str, str], float] = {}
    for out, spot in zip(squad.order, squad.spots, strict=True):
        if spot == DH:
            continue
        for name in bench.eligible_subs(s, side, spot):
            if fielding_rating(s, name, spot) > fielding_rating(s, out, spot):
                found[out, name] = turn.judge.win_probability(with_substitute(s, side, name, out))
    return found


def rate_fielder_change(turn: AskContext) -> tuple[float, str]:
    """Rate the best replacement of a fielder, or return -1.

    It is considered only from the seventh at the start of a half-inning, or while somebody is out of position.
    """
    s, squad = turn.state, turn.state.squad(turn.state.defense)
    stray = any(spot != DH and spot not in s.box.batters[name].gloves for name, spot in _fielder_positions(squad))
    if not stray and not (s.clock.inning >= 7 and s.outs == 0 and s.bases == (None, None, None)):
        return -1.0, ""
    found = replacement_values(turn)
    return (max(found.values()) - MIN_FIELDER_GAIN, "A better glove for the late innings.") if found else (-1.0, "")


def _fielder_positions(squad: ClutchSquad) -> list[tuple[str, str]]:
    return list(zip(squad.order, squad.spots, strict=True))


def rate_replaceable_fielders(turn: AskContext) -> RatedAnswers:
    best: dict[str, float] = {}
    for (out, _), win in replacement_values(turn).items():
        best[out] = max(win, best.get(out, 0.0))
    return {
        name: (best.get(name, turn.baseline_probability - BAD_ANSWER_PENALTY), "A better glove comes in.")
        for name in turn.answer_codes
        if name not in ASK_PREFERENCE_ANSWERS
    }


def rate_replacements(turn: AskContext) -> RatedAnswers:
    """Rate the substitutes for the fielder whom the ask names."""
    s, side = turn.state, turn.state.defense
    (out, *_) = (*turn.mentioned_names(s.squad(side).order), s.squad(side).order[0])
    return {
        name: (turn.judge.win_probability(with_substitute(s, side, name, out)), "A better glove comes in.")
        for name in turn.answer_codes
        if name in s.squad(side).bench
    }


def rate_positions(turn: AskContext) -> RatedAnswers:
    """Rate positions for a fielder who comes in. The ask lists the open position first."""
    spots = [spot for spot in turn.answer_codes if spot in FIELD_POSITIONS]
    names = turn.mentioned_names(turn.state.squad(turn.side).bench)
    rated = {
        spot: (
            turn.baseline_probability
            + (fielding_rating(turn.state, names[0], spot) if names else 0) * RATING_POINT_VALUE
            - at * RATING_POINT_VALUE,
            "",
        )
        for at, spot in enumerate(spots)
    }
    rated |= rate_equally(
        (one for one in turn.answer_codes if one == "another-position"), turn.baseline_probability - BAD_ANSWER_PENALTY
    )
    return rated or rate_equally(turn.answer_codes, turn.baseline_probability)


def rate_forced_substitutes(turn: AskContext) -> RatedAnswers:
    s, side = turn.state, turn.side
    (out, *_) = (*turn.mentioned_names(s.squad(side).order), s.squad(side).order[0])
    return {
        name: (turn.judge.win_probability(with_substitute(s, side, name, out)), "The best one left for the spot.")
        for name in turn.answer_codes
        if name in s.squad(side).bench
    } or rate_equally(turn.answer_codes, turn.baseline_probability)
