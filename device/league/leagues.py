"""The leagues and people of one machine (`web.league_port.LeaguesPort`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Literal

from device.league.book import RecordBook
from device.league.book_content import LiveState
from device.league.fixture_states import LeagueStates
from device.league.game_assignments import GameAssignments
from device.league.league_changes import LeagueChanges
from device.league.record_books import RecordBooks
from device.league.simulation import FixtureSimulator, SimulationThread
from device.storage.decks import DeckLibrary
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.store import Store, StoreError
from device.table.game_choice import GameChoice
from device.table.session import GameSession
from engine.league.league import League, LeagueGame
from engine.league.views import (
    FixtureOffer,
    Person,
)

BOOK_FILE = "book.db"
"""The record book's file, in the folder of the journal."""

BUSY_S = 60.0
"""The game on the table goes on if it changed this recently, in seconds."""


class Leagues:
    """Leagues, their games, and people. `books` has their record books.

    files, people: what is stored besides the journal.
    chance: throws and draws in simulated games.
    """

    def __init__(
        self,
        files: LeagueFiles,
        people: PeopleFile,
        session: GameSession,
        store: Store,
        games: GameChoice,
        library: DeckLibrary,
        chance: Random,
    ) -> None:
        self._files, self._people, self._game, self._store = files, people, session.game, store
        book = RecordBook(store.path.with_name(BOOK_FILE), store.path)
        self.books = RecordBooks(book, files, people, session, self._live_state)
        self._updates = self.books.updates
        states = LeagueStates(lambda key: files.leagues().get(key), book, store.path)
        simulator = FixtureSimulator(states, library, store, chance)
        self._simulation = SimulationThread(simulator, states, lambda number: self._updates.notify(), self._is_busy)
        self._changed_at = session.game.clock()
        self._changes = LeagueChanges(files, people, states, library)
        self._assignments = GameAssignments(states, people, store, session.game, games, library, self._simulation)

    def start(self) -> None:
        self._game.subscribe(lambda views: self._note_change())
        self._updates.start()
        self._simulation.start()

    def stop(self) -> None:
        """Stop both threads, at the latest after 4 s."""
        self._simulation.stop()
        self._updates.stop()

    def _note_change(self) -> None:
        self._changed_at = self._game.clock()

    def _is_busy(self) -> bool:
        return self._game.clock() - self._changed_at < BUSY_S

    def _live_state(self) -> LiveState:
        return LiveState(
            self._game.number, self._simulation.waiting_fixtures, self._updates.waiting, self._simulation.troubles
        )

    def next_fixtures(self) -> Sequence[FixtureOffer]:
        return self.books.next_fixtures()

    def game_league(self, number: int) -> tuple[LeagueGame | None, Mapping[str, str]] | None:
        found = self._assignments.game_league(number)
        return None if found is None else (found[0], {str(seat): key for seat, key in found[1].items()})

    def save_league(self, league: League, new: bool = False, people: Mapping[str, str] = {}) -> None:
        self._changes.save_league(league, new, people)
        self._publish()

    def delete_league(self, key: str) -> None:
        self._simulation.stop_simulating(key)
        self._changes.delete_league(key, self._store, self._game)
        self._publish()

    def import_fixtures(self, key: str, text: str) -> int:
        count = self._changes.import_fixtures(key, text)
        self._publish()
        return count

    def import_teams(self, key: str, text: str) -> int:
        count = self._changes.import_teams(key, text)
        self._publish()
        return count

    def people(self) -> Sequence[Person]:
        return self._people.people()

    def save_person(self, key: str, name: str, colour: str) -> Person:
        with _storing_people():
            person = self._people.save(key, name, colour)
        self._publish()
        return person

    def merge_people(self, key: str, into: str) -> None:
        with _storing_people():
            if key != into and {key, into} <= {one.key for one in self._people.people()}:
                # If the power fails before the end, both are still listed, and can be merged again.
                self._changes.replace_person(key, into)
                self._assignments.replace_person(key, into)
            self._people.merge(key, into)
        self._publish()

    def forget_person(self, key: str) -> None:
        with _storing_people():
            self._people.forget(key)
        self._publish()

    def set_game_league(self, number: int, game: LeagueGame | None) -> None:
        self._assignments.set_league(number, game)
        self._publish()

    def set_game_people(self, number: int, people: Mapping[str, str]) -> None:
        self._assignments.set_people(number, people)
        self._publish()

    def begin_fixture(self, key: str, fixture: int, simulate_side: Sequence[str] = ()) -> None:
        self._assignments.begin_fixture(key, fixture, simulate_side)
        self._updates.notify()

    def simulate_fixtures(self, key: str, which: int | Literal["day", "all"]) -> int:
        return self._simulation.request_fixtures(key, which)

    def stop_simulation(self) -> None:
        self._simulation.stop_simulating()

    def _publish(self) -> None:
        """Show changed names and leagues everywhere, and count what has changed."""
        self._updates.notify()
        self._game.publish_again()


@contextmanager
def _storing_people() -> Iterator[None]:
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(f"The people cannot be stored: {error.strerror or error}.") from error
