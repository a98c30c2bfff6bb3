"""The statistics of each finished game of a journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from engine.game import Rulebook
from engine.journal import Answer
from engine.league.stats import BattingStats, GameStats, PitchingStats, SideStats
from engine.scorecard.fold import AnswerResult, current_answers, never_cancel, replay_answers, score_books
from engine.scorecard.score_book import ScoreBook, SideRecord
from engine.scorecard.sheet import ScorecardBox
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table

SHORTHAND_STATISTICS = {
    "2B": ("doubles",),
    "3B": ("triples",),
    "HR": ("home_runs",),
    "HBP": ("hit_by_pitch",),
    "SAC": ("sacrifice_hits",),
    "SF": ("sacrifice_flies",),
}
"""Statistics of a plate appearance by its shorthand, besides those of a box score."""


def game_stats(table: Table, wanted: Callable[[], None] = never_cancel) -> list[GameStats]:
    """Return the statistics of each finished game of a table's journal, in order.

    The current answers are replayed on a new table without people's names. `wanted` is called before each answer and
    may raise an error to cancel.
    """
    return replayed_game_stats(Table(table.game, table.decks, table.house), current_answers(table), wanted)


def replayed_game_stats(
    table: Table, answers: Iterable[Answer], wanted: Callable[[], None] = never_cancel
) -> list[GameStats]:
    """Return `game_stats` of answers while they are applied to a new table, which has them afterwards.

    Raises as `Table.apply_entry` does for an answer that the rules reject.
    """
    before = AnswerResult([logged.event for logged in table.log], table.scoreboard())
    books = score_books(chain([before], replay_answers(table, answers, wanted)))
    over = (book for book in books if book.is_over)
    return [_book_stats(table.game, book, place) for place, book in enumerate(over, 1)]


def _book_stats(game: Rulebook, book: ScoreBook, place: int) -> GameStats:
    innings = [inning for side in book.sides.values() for inning in side.line]
    board = book.opening
    assert board is not None
    return GameStats(
        place,
        {seat: _side_stats(game, book, seat, max(innings)) for seat in SEATS},
        book.winner,
        max(innings),
        board.regulation,
        board.regulation - min(innings) + 1,
    )


def _side_stats(game: Rulebook, book: ScoreBook, side: Seat, innings: int) -> SideStats:
    record, board = book.sides[side], book.opening
    assert board is not None
    name = board.sides[side].name
    total, batters = _batting_statistics(record)
    faced = book.sides[opposite_seat(side)].boxes
    return SideStats(
        _seat_of_side(board.plays, side),
        "" if name in game.usual_names else name,
        book.side_runs(side),
        total["hits"],
        tuple(record.line.get(inning) for inning in range(1, innings + 1)),
        BattingStats(games=1, **total),
        {name: BattingStats(games=1, **did) for name, did in batters.items()},
        {name: PitchingStats(games=1, **did) for name, did in record.pitchers.items()} if faced else {},
    )


def _seat_of_side(plays: Mapping[Seat, Seat], side: Seat) -> Seat:
    """Return the seat that plays a side. The opponent of a single player has the other seat."""
    for seat, played in plays.items():
        if played == side:
            return seat
    (alone,) = plays
    return opposite_seat(alone)


def _batting_statistics(record: SideRecord) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """Return the statistics of a side, and of each of its batters and runners by name. Substitutes have a line too,
    even if they did nothing.
    """
    total = Counter[str](runs=record.loose)
    batters = {name: Counter(did) for name, did in record.batters.items()}
    for one in record.boxes:
        more = _plate_appearance_statistics(one.box)
        total.update((*one.box.statistics, *more))
        total.update(runs=one.box.scored, driven_in=one.box.driven_in)
        if one.box.batter:
            batters.setdefault(one.box.batter, Counter()).update(more)
    for name, did in record.running.items():
        total.update(did)
        batters.setdefault(name, Counter()).update(did)
    for name in record.instead:
        batters.setdefault(name, Counter())
    return total, batters


def _plate_appearance_statistics(box: ScorecardBox) -> tuple[str, ...]:
    """Return the statistics of a box that no box score has, () for a runner placed on base."""
    if not box.number:
        return ()
    return ("plate_appearances", *SHORTHAND_STATISTICS.get(box.result, ()))
