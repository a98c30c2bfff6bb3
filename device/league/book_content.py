"""The games of one book as its pages need them: which of them count, the fixtures, and the standings."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from device.league.journal_fold import PERSON_TEAM_PREFIX
from engine.games import GAMES
from engine.league.league import TIE_BREAKERS, Fixture, League, PlayedGame
from engine.league.rules import SEASON_PREFIX
from engine.league.schedule import Schedule, champion, compute_schedule, fixtures_left
from engine.league.standings import standings
from engine.league.views import (
    SOMEBODY,
    BookGame,
    BookKind,
    BookSummary,
    BookTeam,
    FixtureState,
    Person,
    StandingRow,
)
from engine.views import GameName

MAX_PLACE = 10_000
"""More games than a journal has, to make one number of a stored game and the place of a game in it."""


@dataclass(frozen=True, slots=True)
class LiveState:
    """What the book does not know.

    number: the stored game on the table.
    simulating: leagues and fixtures that wait to be simulated.
    waiting: games that are still to be folded.
    trouble: why the last simulation of a league stopped, by its key.
    """

    number: int = 0
    simulating: Collection[tuple[str, int]] = ()
    waiting: int = 0
    trouble: Mapping[str, str] = field(default_factory=dict)


class StoredResult(NamedTuple):
    """A row of the table `game`: a finished game, with the keys of its teams by side."""

    number: int
    place: int
    started: str
    played: str
    fixture: int
    away: str
    home: str
    away_runs: int
    home_runs: int
    winner: str
    innings: int
    regulation: int
    half_innings: int
    simulated: bool
    friendly: bool
    fingerprint: str

    def played_game(self) -> PlayedGame:
        return PlayedGame(self.fixture, self.away, self.home, self.away_runs, self.home_runs, self.winner)

    def as_view(self, fixture: Fixture | None) -> BookGame:
        return BookGame(
            fixture,
            "final",
            self.away,
            self.home,
            self.number,
            self.place,
            self.away_runs,
            self.home_runs,
            self.winner,
            local_day(self.played),
            self.innings,
            self.regulation,
            bool(self.friendly),
            bool(self.simulated),
        )


RESULT_COLUMNS = ", ".join(StoredResult._fields)


class UnfinishedGame(NamedTuple):
    """A stored game of a league that goes on, with the keys of the teams in its seats."""

    number: int
    fixture: int
    away: str
    home: str
    friendly: bool


AnyGame = Fixture | StoredResult | UnfinishedGame
"""A game of a book: to be played or played by its fixture, beside the schedule, or going on beside the schedule."""


def local_day(time: str) -> str:
    """The ISO date of a time in the time zone of this machine, "" for none."""
    try:
        return datetime.fromisoformat(time).astimezone().date().isoformat()
    except ValueError:
        return ""


@dataclass
class BookContent:
    """One book. Each part is computed when it is first needed, so one reader at a time.

    league: None unless it is the book of a league.
    results: all finished games, in time order.
    unfinished: stored games of the league that go on.
    """

    key: str
    game: str
    league: League | None
    results: Sequence[StoredResult]
    unfinished: Sequence[UnfinishedGame] = ()
    cache: dict[str, object] = field(default_factory=dict)
    """What pages compute of it."""

    @property
    def kind(self) -> BookKind:
        return "league" if self.league else "season" if self.key.startswith(SEASON_PREFIX) else "rulebook"

    @property
    def title(self) -> str:
        if self.league:
            return self.league.title
        title = GAMES[self.game].title if self.game in GAMES else self.game
        return f"{title}, game {self.key.removeprefix(SEASON_PREFIX)}" if self.kind == "season" else title

    @cached_property
    def played_games(self) -> list[PlayedGame]:
        """The games of a league that may count, in time order."""
        return [one.played_game() for one in self.results if not one.friendly]

    @cached_property
    def _schedule(self) -> Schedule:
        return compute_schedule(self.league, self.played_games) if self.league else Schedule()

    @cached_property
    def by_fixture(self) -> dict[int, StoredResult]:
        """The game that counts for each fixture that is played."""
        if not self.league:
            return {}
        of = {id(game): one for game, one in zip(self.played_games, self._may_count, strict=True)}
        return {number: of[id(game)] for number, game in self._schedule.games.items()}

    @property
    def _may_count(self) -> list[StoredResult]:
        return [one for one in self.results if not one.friendly]

    @cached_property
    def counting(self) -> list[StoredResult]:
        """The games that count, in time order."""
        if not self.league:
            return list(self.results)
        return [one for one in self._may_count if not one.fixture or self.by_fixture.get(one.fixture) is one]

    @cached_property
    def left_out(self) -> str:
        """The games that do not count, as a JSON list for SQL (see `COUNTS_SQL`)."""
        counting = {(one.number, one.place) for one in self.counting}
        return json.dumps(
            [one.number * MAX_PLACE + one.place for one in self.results if (one.number, one.place) not in counting]
        )

    @cached_property
    def fixtures(self) -> list[Fixture]:
        return self._schedule.fixtures

    @cached_property
    def fixture_of(self) -> dict[int, Fixture]:
        """The fixtures by number."""
        return {one.number: one for one in self.fixtures}

    @cached_property
    def open(self) -> dict[int, Fixture]:
        """The fixtures that could be begun now if nobody had, by number."""
        return {one.number: one for one in self._schedule.open}

    @cached_property
    def team_keys(self) -> list[str]:
        """Keys in the order of seeds, or of first games. Teams that a league no longer has are not in it."""
        if self.league:
            return [team.key for team in self.league.teams]
        return list(dict.fromkeys(key for one in self.results for key in (one.away, one.home)))

    @cached_property
    def standings(self) -> list[StandingRow]:
        breakers, left = TIE_BREAKERS, Counter[str]()
        if self.league:
            breakers, left = tuple(self.league.tie_breakers), fixtures_left(self.league, self.played_games)
        return standings(self.team_keys, [one.played_game() for one in self.counting], breakers, left)

    @cached_property
    def champion(self) -> str:
        return champion(self.league, self.played_games) if self.league else ""

    def teams(self, find_person: Callable[[str], Person | None]) -> dict[str, BookTeam]:
        """The teams by key, with those that are only in games."""
        found = {}
        for team in self.league.teams if self.league else ():
            person = person_name(find_person, team.person) if team.person else ""
            found[team.key] = BookTeam(team.key, team.name, team.colour, person)
        for key in dict.fromkeys(key for one in self.results for key in (one.away, one.home)):
            if key not in found:
                found[key] = _unlisted_team(key, find_person, self.league is None)
        return found

    def summary(self, teams: Mapping[str, BookTeam]) -> BookSummary:
        return BookSummary(
            self.key,
            self.title,
            self.kind,
            GameName(self.game, GAMES[self.game].title if self.game in GAMES else self.game),
            len(self.counting),
            len(self.fixtures),
            self.league.format if self.league else None,
            teams[self.standings[0].team].name if self.counting and self.standings else "",
        )

    def games(self) -> list[AnyGame]:
        """All games: fixtures in their order, then those beside the schedule in time order.

        The book of a rulebook begins with the newest.
        """
        if self.kind == "rulebook":
            return list(self.results[::-1])
        of_fixtures = {id(one) for one in self.by_fixture.values()}
        others = [one for one in self.results if id(one) not in of_fixtures]
        return [*self.fixtures, *others, *(one for one in self.unfinished if self._is_beside_schedule(one))]

    def _is_beside_schedule(self, going: UnfinishedGame) -> bool:
        return self.games_of_fixtures.get(going.fixture) is not going and going.fixture not in self.by_fixture

    @cached_property
    def games_of_fixtures(self) -> dict[int, UnfinishedGame]:
        """The first unfinished game of each fixture that is not played."""
        found = dict[int, UnfinishedGame]()
        for one in self.unfinished:
            fixture = self.fixture_of.get(one.fixture)
            if fixture and not one.friendly and {one.away, one.home} == {fixture.away, fixture.home}:
                found.setdefault(one.fixture, one)
        return found

    def game_view(self, one: AnyGame, live: LiveState) -> BookGame:
        if isinstance(one, Fixture):
            return self._fixture_view(one, live)
        if isinstance(one, StoredResult):
            counts = self.by_fixture.get(one.fixture) is one
            return one.as_view(self.fixture_of[one.fixture] if counts else None)
        return BookGame(None, going_state(one, live), one.away, one.home, one.number, friendly=bool(one.friendly))

    def _fixture_view(self, fixture: Fixture, live: LiveState) -> BookGame:
        if (result := self.by_fixture.get(fixture.number)) is not None:
            return result.as_view(fixture)
        if (going := self.games_of_fixtures.get(fixture.number)) is not None:
            return BookGame(fixture, going_state(going, live), fixture.away, fixture.home, going.number)
        state: FixtureState = "open" if fixture.number in self.open else "waiting"
        if (self.key, fixture.number) in live.simulating:
            state = "simulating"
        return BookGame(fixture, state, fixture.away, fixture.home)

    def next_games(self, live: LiveState) -> list[BookGame]:
        """The fixtures that can be begun or go on, those of the earliest day first, or of the earliest round."""
        wanted = [
            one
            for one in self.fixtures
            if one.number not in self.by_fixture and (one.number in self.open or one.number in self.games_of_fixtures)
        ]
        # Fixtures without a day come last if others have one.
        wanted.sort(key=lambda one: (one.day or "9", one.round))
        return [self._fixture_view(one, live) for one in wanted]


def going_state(going: UnfinishedGame, live: LiveState) -> FixtureState:
    return "playing" if going.number == live.number else "paused"


def person_name(find_person: Callable[[str], Person | None], key: str) -> str:
    person = find_person(key)
    return person.name if person else SOMEBODY


def _unlisted_team(key: str, find_person: Callable[[str], Person | None], may_be_person: bool) -> BookTeam:
    if not (may_be_person and key.startswith(PERSON_TEAM_PREFIX)):
        return BookTeam(key, key)
    person = find_person(key.removeprefix(PERSON_TEAM_PREFIX))
    name = person.name if person else SOMEBODY
    return BookTeam(key, name, person.colour if person else "", name)


COUNTS_SQL = f"number * {MAX_PLACE} + place not in (select value from json_each(:left_out))"
"""SQL for whether a row's game counts."""


def load_content(db: sqlite3.Connection, key: str, league: League | None) -> BookContent | None:
    """Load a book. None if it is not the book of a league, a rulebook or a season. Raises sqlite3.Error."""
    rows = db.execute(f"select {RESULT_COLUMNS} from game where book = ?", (key,))
    results = sorted(map(StoredResult._make, rows), key=attrgetter("started", "number", "place"))
    if league:
        query = """select number, fixture, away_team, home_team, friendly from journal
        where league = ? and not finished and trouble = '' order by started, number"""
        going = list(map(UnfinishedGame._make, db.execute(query, (key,))))
        return BookContent(key, league.game, league, results, going)
    if not results:
        return None
    if key in GAMES:
        return BookContent(key, key, None, results)
    if key.startswith(SEASON_PREFIX):
        (game,) = db.execute("select game from journal where number = ?", (results[0].number,)).fetchone()
        return BookContent(key, game, None, results)
    return None  # the league was deleted
