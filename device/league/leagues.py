"""The leagues of one machine (`web.league_port.LeaguesPort`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from engine.errors import LeagueError
from engine.league.league import League, LeagueGame
from engine.league.views import (
    Anniversary,
    BookGamesPage,
    BookList,
    BookView,
    FixtureOffer,
    LeadersView,
    Person,
    PersonRecord,
    PlayerView,
    RecordsView,
    TeamView,
)

NO_LEAGUES = LeagueError("This table keeps no leagues.")


class Leagues:
    """Leagues, record books and people."""

    def book_list(self) -> BookList:
        return BookList([])

    def book_view(self, book: str) -> BookView | None:
        return None

    def games_page(self, book: str, page: int = 1, team: str = "") -> BookGamesPage | None:
        return None

    def leaders_view(self, book: str, page: int = 1) -> LeadersView | None:
        return None

    def team_view(self, book: str, team: str) -> TeamView | None:
        return None

    def player_view(self, book: str, team: str, player: str) -> PlayerView | None:
        return None

    def records_view(self, book: str) -> RecordsView | None:
        return None

    def people(self) -> Sequence[Person]:
        return []

    def person_records(self) -> Sequence[PersonRecord]:
        return []

    def on_this_day(self) -> Sequence[Anniversary]:
        return []

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        return []

    def game_league(self, number: int) -> tuple[LeagueGame | None, Mapping[str, str]] | None:
        return None

    def save_league(self, league: League, new: bool = False) -> None:
        raise NO_LEAGUES

    def delete_league(self, key: str) -> None:
        raise NO_LEAGUES

    def import_fixtures(self, key: str, text: str) -> int:
        raise NO_LEAGUES

    def import_teams(self, key: str, text: str) -> int:
        raise NO_LEAGUES

    def save_person(self, key: str, name: str, colour: str) -> Person:
        raise NO_LEAGUES

    def merge_people(self, key: str, into: str) -> None:
        raise NO_LEAGUES

    def forget_person(self, key: str) -> None:
        raise NO_LEAGUES

    def set_game_league(self, number: int, game: LeagueGame | None) -> None:
        raise NO_LEAGUES

    def set_game_people(self, number: int, people: Mapping[str, str]) -> None:
        raise NO_LEAGUES

    def begin_fixture(self, key: str, fixture: int, simulate_side: Sequence[str] = ()) -> None:
        raise NO_LEAGUES

    def simulate_fixtures(self, key: str, which: int | Literal["day", "all"]) -> int:
        raise NO_LEAGUES

    def stop_simulation(self) -> None:
        raise NO_LEAGUES

    def export(self, book: str, kind: str) -> bytes | None:
        return None
