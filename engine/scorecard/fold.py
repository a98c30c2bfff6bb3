"""Compute the scorecards of each game of a journal from its events and the bases after each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.events import Event
from engine.journal import Answer
from engine.scoreboard import Scoreboard
from engine.scorecard.score_book import ScoreBook
from engine.scorecard.sheet import Scorecard
from engine.seats import SEATS, Seat
from engine.table import Table

BASE_FACTS = frozenset({"hit", "turn", "retired", "scored"})
"""Facts of events that may bring another runner without a name to a base."""


@dataclass(frozen=True, slots=True)
class AnswerResult:
    """The events of an answer, and the scoreboard after it, None if it has no other runners and pitcher than before."""

    events: Sequence[Event]
    board: Scoreboard | None


def never_cancel() -> None:
    """The default of `wanted`, which never cancels."""


def answer_results(table: Table, wanted: Callable[[], None] = never_cancel) -> Iterator[AnswerResult]:
    """Yield the results of each answer in the last game at a table, by replaying them on a copy. First comes the state
    before these answers. `wanted` is called before each answer and may raise an error to cancel.
    """
    log, given, twin = table.log.read_new_events(), table.answers, table.clone()
    since = log[log.games[-1]].n if log.games else -1
    later = [one.n for one in given if one.n >= since]
    if later:
        twin.undo(later[0])  # may remove earlier answers that were revealed together
    yield AnswerResult([logged.event for logged in twin.log], twin.scoreboard())
    yield from replay_answers(twin, current_answers(table)[len(twin.answers) :], wanted)


def current_answers(table: Table) -> list[Answer]:
    """Return the answers that restore a table without its undone answers and corrections."""
    return [Answer(one.ask.seat, one.n, one.value) for one in table.answers]


def replay_answers(
    table: Table, answers: Iterable[Answer], wanted: Callable[[], None] = never_cancel
) -> Iterator[AnswerResult]:
    """Give a table these answers, and yield the results of each that has events. `wanted` as in `answer_results`.

    A scoreboard takes longer than an answer, so it is built only where runners or pitcher may be others than before.
    """
    bases: Any = None
    pitcher: str | None = None
    for answer in answers:
        wanted()
        if not (told := table.apply_entry(answer)):
            continue
        events = [logged.event for logged in told]
        before, bases = bases, getattr(table.state, "bases", None)
        board = None
        if bases is None or bases != before or any(_may_change_board(event, pitcher) for event in events):
            board = table.scoreboard()
            pitcher = board.pitcher
        yield AnswerResult(events, board)


def _may_change_board(event: Event, pitcher: str | None) -> bool:
    facts = event.facts
    return (
        event.code == "half-inning"
        or ("batter" not in facts and not BASE_FACTS.isdisjoint(facts))
        or ("pitcher" in facts and facts["pitcher"] != pitcher)
    )


def scorecards(table: Table, wanted: Callable[[], None] = never_cancel) -> dict[Seat, Scorecard]:
    """Return the scorecard of each side in the last game at a table. `wanted` as in `answer_results`."""
    return build_scorecards(answer_results(table, wanted), table.outcome is not None)


def build_scorecards(played: Iterable[AnswerResult], over: bool) -> dict[Seat, Scorecard]:
    """Return the scorecard of each side in the last game. `over` is True after it, so that its last half-inning is
    complete.
    """
    *_, book = score_books(played)
    if over:
        book.close_half()
    return {seat: book.side_scorecard(seat) for seat in SEATS}


def score_books(played: Iterable[AnswerResult]) -> Iterator[ScoreBook]:
    """Yield the book of each game of a journal in order, the last one also if it is not over.

    Events before the first game have a book too, in which nobody has batted.
    """
    book = ScoreBook()
    for moment in played:
        for event in moment.events:
            if event.facts.get("opens"):
                yield book
                book = ScoreBook()
            book.enter_event(event)
        if moment.board:
            book.enter_runners(moment.board)
    yield book
