"""The record books of one machine (`web.league_port.BooksPort`), kept up to date in the background."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from device.league import exports
from device.league.book import RecordBook
from device.league.book_content import LiveState
from device.league.book_reader import BookReader
from device.league.book_updates import BookUpdates
from device.league.people_pages import PeoplePages
from device.league.player_pages import PlayerPages
from device.league.record_pages import RecordPages
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.store import StoreError
from device.table.session import GameSession
from engine.league.views import (
    Anniversary,
    BookGamesPage,
    BookList,
    BookView,
    FixtureOffer,
    LeadersView,
    PersonRecord,
    PlayerView,
    RecordsView,
    TeamView,
)


class RecordBooks:
    """Reads the record books of `book`. Any thread may call. Reads raise StoreError.

    live: what the journal does not tell.
    updates: the thread that folds games into them.
    """

    def __init__(
        self,
        book: RecordBook,
        files: LeagueFiles,
        people: PeopleFile,
        session: GameSession,
        live: Callable[[], LiveState],
    ) -> None:
        self._reader = BookReader(book.path, lambda: [*files.leagues().values()], people.find, live)
        self._records = RecordPages(self._reader)
        self._players, self._people_pages = PlayerPages(self._reader), PeoplePages(self._reader, people.people)
        self.updates = BookUpdates(book, session, self._records)

    def book_list(self) -> BookList:
        with _reading():
            return self._reader.book_list()

    def book_view(self, book: str) -> BookView | None:
        with _reading():
            return self._reader.book_view(book)

    def games_page(self, book: str, page: int = 1, team: str = "") -> BookGamesPage | None:
        with _reading():
            return self._reader.games_page(book, page, team)

    def leaders_view(self, book: str, page: int = 1) -> LeadersView | None:
        with _reading():
            return self._players.leaders_view(book, page)

    def team_view(self, book: str, team: str) -> TeamView | None:
        with _reading():
            return self._reader.team_view(book, team)

    def player_view(self, book: str, team: str, player: str) -> PlayerView | None:
        with _reading():
            return self._players.player_view(book, team, player)

    def records_view(self, book: str) -> RecordsView | None:
        with _reading():
            return self._records.records_view(book)

    def person_records(self) -> Sequence[PersonRecord]:
        with _reading():
            return self._people_pages.person_records()

    def on_this_day(self) -> Sequence[Anniversary]:
        with _reading():
            return self._people_pages.on_this_day()

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        with _reading():
            return self._reader.next_fixtures()

    def export(self, book: str, kind: str) -> bytes | None:
        with _reading():
            return exports.export(self._reader, book, kind)


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"The record book cannot be read: {error}.") from error
