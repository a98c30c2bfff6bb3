"""Win probability of each play of a game, from what spectators saw, and its view. Without threads."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from device.shapes import AbortCheck
from engine.asks import Secret
from engine.story_views import WinSwing, WinTrace
from engine.table import CurrentAnswer, Table
from engine.views import WinProbabilityView
from managers.evaluation import Evaluator, home_win_probability

MAX_PATH_LENGTH = 160
"""Points of a graph. More would be narrower than a phone's pixels."""

DIGITS = 3
"""Decimal places of a win probability that is shown."""

OPEN_RANGE = (0.001, 0.999)
"""Range of a win probability that is shown before the end."""


def trace_game(table: Table, evaluator: Evaluator, wanted: AbortCheck) -> dict[int, float]:
    """Return home's win probability after each answer that caused a play (`engine.story_views.WinTrace`).

    The evaluator must have studied the cards. It sees only spectators' views. `wanted` is called before each of them.
    """
    trace = dict[int, float]()
    update_trace(trace, table, 0, evaluator, wanted)
    return trace


def update_trace(trace: dict[int, float], table: Table, place: int, evaluator: Evaluator, wanted: AbortCheck) -> None:
    """Correct `trace` of a game for its journal entries from index `place` on.

    If this raises, `trace` is correct up to some answer, and must be made again.
    """
    standing = {-1, *(one.n for one in table.answers)}
    first = min((one.n for one in table.answers if one.entry >= place), default=None)
    for n in [n for n in trace if n not in standing or (first is not None and n >= first)]:
        del trace[n]
    # Of other entries only their effect counts here: a replay has the current answers, from the first changed one on.
    logged = None
    for now in table.replay_from(place):
        wanted()
        last = now.answers[-1] if now.answers else None
        n = last.n if last else -1
        changed = logged not in (None, len(now.log)) and not (last and not now.outcome and _is_hidden(last, now))
        logged = len(now.log)
        if changed or (n == -1 and n not in trace):
            chance = home_win_probability(evaluator, now.view_for(None))
            if chance is not None:
                trace[n] = chance


def _is_hidden(answer: CurrentAnswer, table: Table) -> bool:
    """Check for a secret that the rules have not opened yet. Until then, or the end, the last public chance stays."""
    return isinstance(answer.ask, Secret) and answer.n not in table.state.revealed


def first_number(table: Table) -> int:
    """Return the number of the first answer of the current game of a table, -1 for the first game."""
    log = table.log.read_new_events()
    return log[log.games[-1]].n if log.games else -1


def win_view(
    trace: WinTrace, table: Table, margin: float, biggest: WinSwing | None = None
) -> WinProbabilityView | None:
    """Return the view of the current game of a table for everybody, None if no chance is known.

    margin: of the evaluator.
    """
    log = table.log.read_new_events()
    began = log.games[-1] if log.games else 0
    numbers = [n for n in trace if n >= first_number(table)]
    if not numbers:
        return None
    path = [_shown_chance(trace[n]) for n in numbers]
    if table.outcome:
        path[-1] = round(trace[numbers[-1]], DIGITS)
    starts = [bisect_left(numbers, log[place].n) for place in log.halves if place >= began]
    step = max(1, -(-(len(path) - 1) // (MAX_PATH_LENGTH - 1)))
    kept = [*range(0, len(path) - 1, step), len(path) - 1]
    halves = sorted({bisect_right(kept, start) - 1 for start in starts if start < len(path)})
    return WinProbabilityView(path[-1], margin, [path[place] for place in kept], halves, biggest)


def _shown_chance(chance: float) -> float:
    return round(min(max(chance, OPEN_RANGE[0]), OPEN_RANGE[1]), DIGITS)
