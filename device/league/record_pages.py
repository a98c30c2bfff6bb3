"""The records of a book, such as the most runs of a side in a game (`web.league_port.BooksPort`)."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from typing import TypeVar

from device.league import book_file
from device.league.book_content import LiveState, StoredResult
from device.league.book_file import BATTING_COLUMNS
from device.league.book_reader import BookReader
from device.league.player_lines import leader_categories
from engine.league.records import RecordsFold
from engine.league.stats import BattingStats, PitchingStats, SideStats
from engine.league.views import RecordsView
from engine.seats import SEATS, Seat

GAMES_PER_QUERY = 200
"""Games that are read at once, which bounds the memory."""

OF_GAMES = "where book = ? and number in (select value from json_each(?))"
"""SQL for the rows of some games."""

LineT = TypeVar("LineT", BattingStats, PitchingStats)


@dataclass(slots=True)
class _FoldedBook:
    """The records of the first games of a book, with the names of the teams in them."""

    names: Mapping[str, str]
    fold: RecordsFold
    games: list[StoredResult] = field(default_factory=list)


class RecordPages:
    """Reads the records of record books. Any thread may call. Methods raise sqlite3.Error.

    Records need all games of a book, which takes some tenths of a second for thousands. So the games are read only
    once, and new ones are added.
    """

    def __init__(self, reader: BookReader) -> None:
        self._reader = reader
        self._lock = threading.Lock()
        """Held while games are added. Other pages do not wait for it."""
        self._folded = dict[str, _FoldedBook]()
        self._views = dict[str, RecordsView]()

    def records_view(self, book: str) -> RecordsView | None:
        """Return the records, or the last known ones while others are being computed."""
        if not self._lock.acquire(blocking=book not in self._views):
            return self._views.get(book)
        try:
            return self._update_view(book)
        finally:
            self._lock.release()

    def refresh(self) -> None:
        """Compute the records and leaders of large books now, so that nobody waits for them."""
        with closing(book_file.open_for_reading(self._reader.path)) as db:
            query = "select book from game group by book having count(*) > ?"
            large = [book for (book,) in db.execute(query, (GAMES_PER_QUERY,))]
        for book in large:
            with self._lock:
                self._update_view(book)
            with self._reader.open_book(book) as opened:
                if opened:
                    leader_categories(opened.db, opened.content)

    def _update_view(self, book: str) -> RecordsView | None:
        with self._reader.open_book(book) as opened:
            if opened is None:
                self._folded.pop(book, None)
                self._views.pop(book, None)
                return None
            content = opened.content
            teams, counting = content.teams(self._reader.find_person), content.counting
            summary = content.summary(teams)
        names = {key: team.name for key, team in teams.items()}
        folded = self._folded.get(book)
        if folded is None or folded.names != names or folded.games != counting[: len(folded.games)]:
            folded = self._folded[book] = _FoldedBook(names, RecordsFold(names))
        with closing(book_file.open_for_reading(self._reader.path)) as db:
            for start in range(len(folded.games), len(counting), GAMES_PER_QUERY):
                games = counting[start : start + GAMES_PER_QUERY]
                sides = _stored_sides(db, book, games)
                for one in games:
                    # A game that has just changed will have another fingerprint, and all are folded again.
                    if len(found := sides[one.number, one.place]) == len(SEATS):
                        folded.fold.add(content.game_view(one, LiveState()), found)
                folded.games += games
        view = self._views[book] = RecordsView(summary, teams, *folded.fold.records())
        return view


def _stored_sides(
    db: sqlite3.Connection, book: str, games: Sequence[StoredResult]
) -> Mapping[tuple[int, int], dict[Seat, SideStats]]:
    """Read the statistics of these games by number and place. Raises sqlite3.Error."""
    numbers = json.dumps([one.number for one in games])
    batters, pitchers = (
        _stored_lines(db, book, numbers, "batting", BattingStats),
        _stored_lines(db, book, numbers, "pitching", PitchingStats),
    )
    found: dict[tuple[int, int], dict[Seat, SideStats]] = defaultdict(dict)
    query = f"select number, place, side, seat, line_runs, line_hits, {', '.join(BATTING_COLUMNS)} from side {OF_GAMES}"
    for number, place, side, seat, runs, hits, *total in db.execute(query, (book, numbers)):
        at = number, place, side
        found[number, place][side] = SideStats(
            seat, "", runs, hits, (), BattingStats(*total), batters[at], pitchers[at]
        )
    return found


def _stored_lines(
    db: sqlite3.Connection, book: str, numbers: str, table: str, kind: type[LineT]
) -> Mapping[tuple[int, int, str], dict[str, LineT]]:
    """Read the lines of players by number, place and side."""
    found: dict[tuple[int, int, str], dict[str, LineT]] = defaultdict(dict)
    columns = ", ".join(one.name for one in fields(kind))
    query = f"select number, place, side, player, {columns} from {table} {OF_GAMES}"
    for number, place, side, player, *line in db.execute(query, (book, numbers)):
        found[number, place, side][player] = kind(*line)
    return found
