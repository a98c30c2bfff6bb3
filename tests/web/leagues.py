"""A league of four teams in memory, with people, behind the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from engine.errors import LeagueError
from engine.league.league import Fixture, League, LeagueGame, LeagueTeam
from engine.league.views import (
    Anniversary,
    BookGame,
    BookList,
    BookSummary,
    BookTeam,
    BookView,
    FixtureOffer,
    Person,
    PersonRecord,
    StandingRow,
)
from engine.views import GameName
from tests.web.made_up_leagues import MadeUpLeagues

TEAMS = {
    "owls": BookTeam("owls", "Owls", "blue", "Ann"),
    "bears": BookTeam("bears", "Bears", "red"),
    "herons": BookTeam("herons", "Herons", "teal", "Ben"),
    "foxes": BookTeam("foxes", "Foxes", "gray"),
}
NO_GAMES = (0, 0, 0)


def standing(place: int, team: str, wins: int, losses: int) -> StandingRow:
    played = wins + losses
    return StandingRow(
        *(place, team, wins, losses, 0, wins / played if played else None, (place - 1) / 2, "W1"),
        *(NO_GAMES, NO_GAMES, NO_GAMES, 10, 8),
    )


SUMMARY = BookSummary("summer", "Summer league", "league", GameName("small-ball", "Small Ball"), 3, 12, "round-robin")
ROWS = [standing(i, team, 4 - i, i - 1) for i, team in enumerate(TEAMS, 1)]
RESULT = BookGame(Fixture(1, 1, "owls", "bears"), "final", "owls", "bears", 1, 1, 4, 2, "owls", "2026-04-01", 9)
NEXT = BookGame(Fixture(2, 3, "herons", "foxes"), "open", "herons", "foxes")
BOOK = BookView(SUMMARY, TEAMS, ROWS, [NEXT], [RESULT])
OFFER = FixtureOffer("summer", "Summer league", Fixture(2, 3, "herons", "foxes"), TEAMS["herons"], TEAMS["foxes"])
LEAGUE = League(
    *("summer", "Summer league", "small-ball", "round-robin"),
    [LeagueTeam(one.key, one.name, one.colour) for one in TEAMS.values()],
)


class SummerLeague(MadeUpLeagues):
    """Keeps people, and the league and the people of each game. `done` records what else was asked of it."""

    def __init__(self, offers: Sequence[FixtureOffer] = (OFFER,), book: BookView = BOOK) -> None:
        super().__init__()
        self.known = {"ann": Person("ann", "Ann", "red"), "ben": Person("ben", "Ben", "teal")}
        self.offers, self.book = offers, book
        self.games: dict[int, tuple[LeagueGame | None, Mapping[str, str]]] = {1: (None, {})}
        self.done: list[tuple[object, ...]] = []
        self.changed: Callable[[], None] = lambda: None

    def people(self) -> Sequence[Person]:
        return list(self.known.values())

    def person_records(self) -> Sequence[PersonRecord]:
        ann = self.known.get("ann")
        return [PersonRecord(ann, {"Small Ball": (3, 1, 0)}, {"Ben": (2, 1, 1)})] if ann else []

    def save_person(self, key: str, name: str, colour: str) -> Person:
        if key and key not in self.known:
            raise LeagueError("There is no such person.")
        person = Person(key or name.lower().replace(" ", "-"), name, colour)
        self.known[person.key] = person
        return person

    def merge_people(self, key: str, into: str) -> None:
        self.done.append(("merge", key, into))
        del self.known[key]

    def forget_person(self, key: str) -> None:
        del self.known[key]

    def on_this_day(self) -> Sequence[Anniversary]:
        return [Anniversary("2025-04-02", "A year ago: Owls 12, Bears 11 in 14 innings.", 1)]

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        return self.offers

    def book_list(self) -> BookList:
        return BookList([self.book.summary])

    def book_view(self, book: str) -> BookView | None:
        return replace(self.book, league=LEAGUE) if book == "summer" else None

    def game_league(self, number: int) -> tuple[LeagueGame | None, Mapping[str, str]] | None:
        return self.games.get(number)

    def set_game_league(self, number: int, game: LeagueGame | None) -> None:
        self.games[number] = game, self.games[number][1]

    def set_game_people(self, number: int, people: Mapping[str, str]) -> None:
        self.games[number] = self.games[number][0], people

    def begin_fixture(self, key: str, fixture: int, simulate_side: Sequence[str] = ()) -> None:
        self.done.append(("begin", key, fixture))
