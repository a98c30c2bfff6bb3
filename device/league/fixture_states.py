"""Which fixtures of a league can be played now, by the journal as it is at this moment."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from device.league.book import RecordBook
from device.league.book_content import BookContent, load_content
from device.league.book_file import open_for_reading
from device.storage.database import open_read_only
from engine.errors import LeagueError
from engine.league.league import Fixture, League
from engine.league.schedule import earliest_open

LEAGUE_GAMES_SQL = """select game, json_extract(standing, '$.league.fixture'), json_extract(standing, '$.league.away'),
    json_extract(standing, '$.league.home') from turn where turn <> 0 and case when json_valid(standing) then
    json_extract(standing, '$.league.league') is ? and json_extract(standing, '$.league.friendly') is 0
else 0 end order by game desc"""
"""SQL for the stored games of a league but its friendlies, with fixture and teams. SQLite reads the JSON of thousands
faster than Python. Without the `case`, it would reject the complete query for damaged JSON."""


@dataclass(frozen=True, slots=True)
class LeagueState:
    """A league with its results.

    stored: number of the first stored game by fixture and its two teams, finished or not, without friendlies.
    """

    league: League
    content: BookContent
    stored: Mapping[tuple[int, frozenset[str]], int]

    def game_of(self, fixture: Fixture) -> int:
        """Number of the first stored game between the teams of a fixture, 0 for none."""
        return self.stored.get((fixture.number, frozenset((fixture.away, fixture.home))), 0)

    def require_fixture(self, number: int) -> Fixture:
        """A fixture by its number. Raises LeagueError."""
        found = next((one for one in self.content.fixtures if one.number == number), None)
        if found is None:
            raise LeagueError(f"fixture {number}: {self.league.title} has none of this number.")
        return found

    def open_fixture(self, number: int) -> Fixture:
        """A fixture that can be begun or resumed now. Raises LeagueError with the reason."""
        found = self.require_fixture(number)
        if number in self.content.by_fixture:
            raise LeagueError(f"fixture {number}: it was played, in game {self.content.by_fixture[number].number}.")
        if number not in self.content.open:
            raise LeagueError(f"fixture {number}: earlier games decide whether and by whom it is played.")
        return found

    def unplayed_fixture(self, number: int) -> Fixture:
        """A fixture that nobody has begun. Raises LeagueError with the reason."""
        found = self.open_fixture(number)
        if game := self.game_of(found):
            raise LeagueError(
                f"fixture {number}: game {game} is already stored for it. Finish it, or remove it from the league."
            )
        return found

    @property
    def fixtures_left(self) -> list[Fixture]:
        """The fixtures that nobody has begun, in their order. Of some, earlier games decide who plays."""
        left = (one for one in self.content.fixtures if one.number not in self.content.by_fixture)
        return [one for one in left if not self.game_of(one)]

    @property
    def playable_fixtures(self) -> list[Fixture]:
        """The fixtures that could be begun now and that nobody has begun, in their order."""
        return [one for one in self.fixtures_left if one.number in self.content.open]

    def playable_today(self) -> list[Fixture]:
        """Those of them on the earliest day or in the earliest round that is open."""
        today = {one.number for one in earliest_open(self.league, self.content.played_games)}
        return [one for one in self.playable_fixtures if one.number in today]


class LeagueStates:
    """Reads the state of leagues. Any thread may call.

    find: returns a league by its key, None if there is none.
    """

    def __init__(self, find: Callable[[str], League | None], book: RecordBook, journal: Path) -> None:
        self._find, self._book, self._journal = find, book, journal

    def read_state(self, key: str) -> LeagueState:
        """The state of a league, with every game that is stored by now. Raises LeagueError."""
        league = self._find(key)
        if league is None:
            raise LeagueError(f"There is no league {key}.")
        try:
            self._book.update()
            with closing(open_for_reading(self._book.path)) as db:
                content = load_content(db, key, league)
            with closing(open_read_only(self._journal)) as db:
                rows = db.execute(LEAGUE_GAMES_SQL, (key,)).fetchall()
        except (sqlite3.Error, OSError) as error:
            raise LeagueError(f"The record book cannot be read: {error}.") from error
        assert content is not None  # as there is a league
        games = {(fixture, frozenset((away, home))): number for number, fixture, away, home in rows}
        return LeagueState(league, content, games)

    def fixtures_to_simulate(self, key: str, which: int | Literal["day", "all"]) -> list[Fixture]:
        """A fixture by number, all of the earliest open day or round, or all that nobody has begun.

        Of all, some may have to wait for earlier ones, or come to nothing.

        Raises LeagueError if there is none.
        """
        state = self.read_state(key)
        if isinstance(which, int):
            return [state.unplayed_fixture(which)]
        if not (found := state.playable_today() if which == "day" else state.playable_fixtures):
            raise LeagueError(f"{state.league.title} has no game that can be simulated now.")
        return found if which == "day" else state.fixtures_left
