"""The pages of record books: lists, standings, games and teams (`web.league_port.BooksPort`)."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from device.league import book_file
from device.league.book_content import (
    BookContent,
    LiveState,
    load_content,
)
from device.league.player_lines import leader_categories, player_lines, team_total
from engine.games import GAMES
from engine.league.league import League
from engine.league.rules import SEASON_PREFIX
from engine.league.views import (
    BookGamesPage,
    BookList,
    BookView,
    FixtureOffer,
    Person,
    TeamView,
    VersusRow,
)

GAMES_PER_PAGE = 50
"""Games on one page of a book."""

MAX_NEXT = 8
"""Fixtures that a page offers to play."""

MAX_LATEST = 10
"""Results on the front page of a book, and on that of a team."""

MAX_CACHED_GAMES = 20_000
"""Games of books that are kept in memory while they do not change. A thousand have about 1 MB."""

FRONT_PAGE_LEADERS = 3
"""Leaders of each category on the front page."""


@dataclass(frozen=True, slots=True)
class OpenBook:
    """A book as one request reads it. All queries see the same state of the file."""

    db: sqlite3.Connection
    content: BookContent


class BookReader:
    """Reads the record book in the file `path`. Any thread may call, and never waits for a game to be folded.

    leagues: returns the leagues in the order of lists.
    find_person: returns a person by key, None for one who was forgotten.
    live: returns what the book does not know.

    Methods raise sqlite3.Error if the file cannot be read.
    """

    def __init__(
        self,
        path: Path,
        leagues: Callable[[], Sequence[League]],
        find_person: Callable[[str], Person | None],
        live: Callable[[], LiveState] = LiveState,
    ) -> None:
        self.path, self._leagues, self._live = path, leagues, live
        self.find_person = find_person
        self._lock = threading.Lock()
        """Held while a page is computed, since the parts of a book are computed once."""
        self._books = OrderedDict[str, tuple[str, BookContent]]()
        """Content by key, with the version of which it is, the one used last at the end."""

    @contextmanager
    def open_file(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one request, in which all queries see the same state."""
        with self._lock, closing(book_file.open_for_reading(self.path)) as db:
            db.execute("begin")
            yield db

    @contextmanager
    def open_book(self, key: str) -> Iterator[OpenBook | None]:
        """Open a book for one request. None if there is no such book."""
        with self.open_file() as db:
            league = next((one for one in self._leagues() if one.key == key), None)
            content = self.find_content(db, key, league)
            yield OpenBook(db, content) if content else None

    def find_content(self, db: sqlite3.Connection, key: str, league: League | None) -> BookContent | None:
        """Return the games of a book, None if there is no such book. The caller has opened the file."""
        row = db.execute("select version from version where book = ?", (key,)).fetchone()
        version = str(row[0]) if row else ""
        known = self._books.pop(key, None)
        if known is None or known[0] != version or known[1].league != league:
            content = load_content(db, key, league)
            if content is None:
                return None
            known = version, content
        self._books[key] = known
        while sum(len(one.results) for _, one in self._books.values()) > MAX_CACHED_GAMES and len(self._books) > 1:
            self._books.popitem(last=False)
        return known[1]

    def books(self, db: sqlite3.Connection, keys: Collection[str] | None = None) -> Iterator[BookContent]:
        """Yield books: leagues, rulebooks, and seasons with the newest first. The caller has opened the file.

        keys: of the books that are wanted, None for all.
        """
        leagues = {one.key: one for one in self._leagues() if keys is None or one.key in keys}
        stored = {key for (key,) in db.execute("select book from version") if keys is None or key in keys}
        stored -= {one.key for one in self._leagues()}
        seasons = sorted(
            (key for key in stored if key.startswith(SEASON_PREFIX)),
            key=lambda key: -int(key.removeprefix(SEASON_PREFIX)),
        )
        for key in (*leagues, *(key for key in GAMES if key in stored), *seasons):
            if (content := self.find_content(db, key, leagues.get(key))) is not None:
                yield content

    def book_list(self) -> BookList:
        with self.open_file() as db:
            found = [one.summary(one.teams(self.find_person)) for one in self.books(db)]
        return BookList(found, self._live().waiting)

    def book_view(self, book: str) -> BookView | None:
        live = self._live()
        with self.open_book(book) as opened:
            if opened is None:
                return None
            content, teams = opened.content, opened.content.teams(self.find_person)
            return BookView(
                content.summary(teams),
                teams,
                content.standings,
                content.next_games(live)[:MAX_NEXT],
                [content.game_view(one, live) for one in content.counting[: -MAX_LATEST - 1 : -1]],
                [replace(one, rows=one.rows[:FRONT_PAGE_LEADERS]) for one in leader_categories(opened.db, content)],
                content.league,
                sum(key == book for key, _ in live.simulating),
                live.waiting,
                content.champion,
                live.trouble.get(book, ""),
            )

    def games_page(self, book: str, page: int = 1, team: str = "") -> BookGamesPage | None:
        live = self._live()
        with self.open_book(book) as opened:
            if opened is None:
                return None
            content, teams = opened.content, opened.content.teams(self.find_person)
            games = [one for one in content.games() if not team or team in (one.away, one.home)]
            pages = max(1, -(-len(games) // GAMES_PER_PAGE))
            page = min(max(page, 1), pages)
            shown = games[(page - 1) * GAMES_PER_PAGE : page * GAMES_PER_PAGE]
            views = [content.game_view(one, live) for one in shown]
            return BookGamesPage(content.summary(teams), teams, views, page, pages)

    def team_view(self, book: str, team: str) -> TeamView | None:
        live = self._live()
        with self.open_book(book) as opened:
            if opened is None:
                return None
            content, teams = opened.content, opened.content.teams(self.find_person)
            if team not in teams:
                return None
            last = [one for one in content.results if team in (one.away, one.home)][-MAX_LATEST:]
            games = [
                *(content.game_view(one, live) for one in last),
                *[one for one in content.next_games(live) if team in (one.away, one.home)][:MAX_NEXT],
            ]
            return TeamView(
                content.summary(teams),
                teams,
                team,
                next((row for row in content.standings if row.team == team), None),
                team_total(opened.db, content, team),
                [one for one in player_lines(opened.db, content) if one.team == team],
                versus_rows(content, team),
                games,
            )

    def next_fixtures(self) -> list[FixtureOffer]:
        live, offers = self._live(), list[list[FixtureOffer]]()
        with self.open_file() as db:
            leagues, last = self._leagues(), dict[str, str]()
            for key, played in db.execute(
                "select league, max(played) from journal where league is not null group by 1"
            ):
                last[key] = played
            for league in sorted(leagues, key=lambda one: last.get(one.key, ""), reverse=True):
                content = self.find_content(db, league.key, league)
                if content is None:
                    continue
                teams = content.teams(self.find_person)
                offers.append(
                    [
                        FixtureOffer(
                            league.key, league.title, one.fixture, teams[one.away], teams[one.home], one.number
                        )
                        for one in content.next_games(live)
                        if one.fixture and one.state in ("open", "paused")
                    ][:MAX_NEXT]
                )
        offers = [some for some in offers if some]
        share = max(2, MAX_NEXT // max(1, len(offers)))
        return [one for some in offers for one in some[:share]][:MAX_NEXT]


def versus_rows(content: BookContent, team: str) -> list[VersusRow]:
    """The record of a team against each opponent, in the order of the book's teams."""
    found = dict[str, list[int]]()
    for one in content.counting:
        if team not in (one.away, one.home):
            continue
        away = team == one.away
        opponent = one.home if away else one.away
        row = found.setdefault(opponent, [0] * 5)
        row[0 if one.winner == team else 1 if one.winner else 2] += 1
        row[3] += one.away_runs if away else one.home_runs
        row[4] += one.home_runs if away else one.away_runs
    order = {key: place for place, key in enumerate(content.team_keys)}
    return [VersusRow(key, *found[key]) for key in sorted(found, key=lambda key: order.get(key, len(order)))]
