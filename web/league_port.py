"""The ports of leagues with their people, and of record books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol

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

ExportKind = Literal["games.csv", "batting.csv", "pitching.csv", "standings.csv", "fixtures.csv", "json", "sqlite"]


class BooksPort(Protocol):
    """Record books, derived from finished games. Reading never waits for a game to be counted.

    Each read returns None for a book, team or player that is not there. Raises OSError if the books cannot be read.
    """

    def book_list(self) -> BookList: ...

    def book_view(self, book: str) -> BookView | None: ...

    def games_page(self, book: str, page: int = 1, team: str = "") -> BookGamesPage | None: ...

    def leaders_view(self, book: str, page: int = 1) -> LeadersView | None: ...

    def team_view(self, book: str, team: str) -> TeamView | None: ...

    def player_view(self, book: str, team: str, player: str) -> PlayerView | None: ...

    def records_view(self, book: str) -> RecordsView | None: ...

    def person_records(self) -> Sequence[PersonRecord]: ...

    def on_this_day(self) -> Sequence[Anniversary]:
        """Return at most three, by the table's clock."""

    def export(self, book: str, kind: ExportKind) -> bytes | None:
        """Return a book as a file."""


class LeaguesPort(Protocol):
    """Leagues, their games, and people.

    Changes raise `LeagueError` with the place and the reason, and then nothing has changed. The web checks permissions:
    all changes need the operator.
    """

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        """Return at most eight fixtures that can be begun now, of all leagues, the league last played first."""

    def save_league(self, league: League, new: bool = False, people: Mapping[str, str] = {}) -> None:
        """Create a league (`new`), or replace the one of this key. `people` has names by team; new ones are added."""

    def delete_league(self, key: str) -> None:
        """Delete a league. Its games stay, and belong to no league."""

    def import_fixtures(self, key: str, text: str) -> int:
        """Replace the list of fixtures by a CSV text. Return their number. Played fixtures must stay as they are."""

    def import_teams(self, key: str, text: str) -> int:
        """Rename teams and set their people by a CSV text. Return how many changed."""

    def game_league(self, number: int) -> tuple[LeagueGame | None, Mapping[str, str]] | None:
        """Return the league of a stored game, and the people by seat. None if there is no such game."""

    def set_game_league(self, number: int, game: LeagueGame | None) -> None:
        """Add a stored game to a league, mark it as friendly, or remove it from its league (None)."""

    def set_game_people(self, number: int, people: Mapping[str, str]) -> None:
        """Set the people of a stored game by seat. Seats left out have nobody."""

    def begin_fixture(self, key: str, fixture: int, simulate_side: Sequence[str] = ()) -> None:
        """Begin a fixture on the table, or resume its paused game.

        Teams without a person are played by their computer; so are the seats in `simulate_side`.
        """

    def simulate_fixtures(self, key: str, which: int | Literal["day", "all"]) -> int:
        """Have computers play a fixture, all of the earliest open day or round, or all. Return how many will be."""

    def stop_simulation(self) -> None: ...

    # People ----------------------------------------------------------------------------------------------------------

    def people(self) -> Sequence[Person]: ...

    def save_person(self, key: str, name: str, colour: str) -> Person:
        """Change a person, or add one (key "")."""

    def merge_people(self, key: str, into: str) -> None:
        """Make the games of a person those of another one."""

    def forget_person(self, key: str) -> None:
        """Delete a name. Games keep a key that says nothing."""
