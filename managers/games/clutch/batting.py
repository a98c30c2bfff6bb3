"""Decisions of the side at bat: swing, steal, bunt, extra bases."""

from __future__ import annotations

from engine.diamond import place_runner
from engine.dice import FACES_BY_KIND
from engine.games.clutch.cards.baseball_terms import BASE_NAMES
from engine.games.clutch.numbers.bunt_numbers import winning_faces_and_die
from engine.games.clutch.running.stealing import STEAL_TRIES
from engine.games.clutch.state import State
from managers.games.clutch.ask_context import AskContext, RatedAnswers
from managers.games.clutch.baserunning import (
    bases_mask,
    expected_value,
    home_throws,
    infield_in_ends,
    throw_ends,
    unforced_throws,
)
from managers.games.clutch.fielding import build_throw, state_after_tries
from managers.games.clutch.judge import PositionJudge
from managers.games.clutch.odds import OUTCOME_INDEXES

MIN_PLAY_GAIN = 0.002  # Minimum gain in win probability for an unusual play.


def rate_steals(turn: AskContext) -> RatedAnswers:
    """Rate the open steals against the best reply of the defense, which may throw at any runner or at nobody."""
    s, judge, rated = turn.state, turn.judge, RatedAnswers()
    for code in turn.answer_codes:
        if code not in STEAL_TRIES:
            continue
        way = STEAL_TRIES[code]
        safe = judge.win_probability(state_after_tries(s, way, 0))
        replies = [safe]
        for base in way:
            chance = judge.out_chance(s, build_throw(s, "steal", base))
            replies.append(chance * judge.win_probability(state_after_tries(s, way, base)) + (1 - chance) * safe)
        rated[code] = (min(replies) - MIN_PLAY_GAIN, steal_reason(s))
    return rated


def steal_reason(s: State) -> str:
    away, home = s.score
    behind = home - away if s.offense == "away" else away - home
    if behind == 1:
        return "He is the tying run, so he goes."
    if behind == 0:
        return "One run puts us ahead, so the runner goes."
    return "He should beat the throw."


def bunt_value(judge: PositionJudge, s: State, misses: int = 0) -> float:
    """Return the win probability of a sacrifice bunt after this many misses."""
    good, kind = winning_faces_and_die(s)
    chance = len(good) / len(FACES_BY_KIND[kind])
    value = judge.next_batter_value_function(s)
    laid = judge.chance_from_offense(
        s, value(s.outs + 1, bases_after_sacrifice(s), 0) if s.outs < 2 else value(3, 0, 0)
    )
    strikeout = judge.chance_from_home(float(judge.result_win_probabilities(s)[OUTCOME_INDEXES["SO"]]))
    third = chance * laid + (1 - chance) * strikeout
    if misses < 2:
        swing = s.copy()
        swing.at = s.at._replace(pitch_bonus=2)
        third = max(third, judge.win_probability(swing))
        for _ in range(2 - misses):
            third = chance * laid + (1 - chance) * third
    return third


def bases_after_sacrifice(s: State) -> int:
    """Return the mask of bases after a successful bunt. Runners advance one base, but not home (CL-330 to CL-333)."""
    bases = s.bases
    for base in (3, 2):
        runner = bases[base - 2]
        if runner is not None and bases[base - 1] is None:
            bases = place_runner(place_runner(bases, None, base - 1), runner, base)
    return bases_mask(None if one is None else 1 for one in bases)


def rate_third_bunt(turn: AskContext) -> RatedAnswers:
    """Rate a third bunt against a swing with a pitch bonus of 2."""
    swing = turn.state.copy()
    swing.at = turn.state.at._replace(pitch_bonus=2)
    return {
        "bunt-again": (bunt_value(turn.judge, turn.state, 2), "The runner has to move up."),
        "swing": (turn.judge.win_probability(swing), "A third miss would be a strikeout."),
    }


# Extra bases ---------------------------------------------------------------------------------------------------------


def option_bases(options: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Return the bases of each option such as "to-third-home"."""
    found = {}
    for code in options:
        if code.startswith("to-"):
            found[code] = tuple(BASE_NAMES.index(base) + 1 for base in code[3:].split("-"))
    return found


def rate_advances(turn: AskContext) -> RatedAnswers:
    """Rate the possible advances of runners after a hit, a fly ball or a ground ball."""
    s, judge = turn.state, turn.judge
    value, field = judge.next_batter_value_function(s), judge.current_field(s)
    speeds, batter, outs = judge.runner_speeds(s), s.batter_card.baserunning, s.outs
    rated: RatedAnswers = {}
    why = turn.ask.why
    if why in ("ground", "send-home"):
        rated["stay"] = (_hold_value(turn), "Too risky with one away." if outs == 1 else "Too risky.")
        for code, way in option_bases(turn.answer_codes).items():
            if why == "ground":
                found = unforced_throws(outs, speeds, batter, field.infield)
            else:
                found = home_throws(outs, speeds, batter, field, follows=3 in way)
            reply = min(expected_value(end, value) for end in found.values())
            rated[code] = (judge.chance_from_offense(s, reply), advance_reason(s, way))
        return rated
    kind = "tag" if why == "tag-up" else "hit"
    rated["stay"] = (judge.chance_from_offense(s, value(outs, bases_mask(speeds), 0)), "The throw would be too close.")
    for code, way in option_bases(turn.answer_codes).items():
        found = throw_ends(speeds, outs, 0, way, lambda base, _: judge.out_chance(s, build_throw(s, kind, base)), field)
        reply = min(expected_value(end, value) for end in found.values())
        rated[code] = (judge.chance_from_offense(s, reply), advance_reason(s, way))
    return rated


def _hold_value(turn: AskContext) -> float:
    """Return the win probability if no runner tries to advance on a ground ball."""
    s, judge = turn.state, turn.judge
    value, field = judge.next_batter_value_function(s), judge.current_field(s)
    first, second, third = judge.runner_speeds(s)
    if turn.ask.why == "send-home":
        still = type(field)(field.battery, field.infield, field.outfield, drawn_in=True, tries=False)
        end = infield_in_ends(s.outs, (first, second, third), s.batter_card.baserunning, still, value)
        return judge.chance_from_offense(s, expected_value(end, value))
    return judge.chance_from_offense(s, value(s.outs + 1, 2, int(third is not None)))


def advance_reason(s: State, way: tuple[int, ...]) -> str:
    if 4 in way:
        away, home = s.score
        behind = home - away if s.offense == "away" else away - home
        if behind == 1:
            return "One run ties it, so the runner goes."
        if behind == 0:
            return "One run puts us ahead, so the runner goes."
        return "He can score on this one."
    return "He can take the extra base."
