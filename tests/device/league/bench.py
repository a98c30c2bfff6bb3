"""Leagues on a store of their own, without a running table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

from device.league.book import RecordBook
from device.league.fixture_states import LeagueStates
from device.league.simulation import FixtureSimulator, SimulationThread
from device.storage.decks import DeckLibrary, house_deck
from device.storage.store import Store
from device.table.preset_answers import SeatSettings
from engine.games import GAMES
from engine.league.league import League, LeagueGame
from engine.table import Table


class Bench:
    """Leagues by key, a store in `folder` with one game on the table, and the parts that simulate fixtures."""

    def __init__(self, folder: Path, *leagues: League) -> None:
        self.folder, self.leagues = folder, {one.key: one for one in leagues}
        self.store = Store(folder / "journal.db")
        if self.store.current_game() is None:
            self.store.begin_game(Table(GAMES["small-ball"], [house_deck(GAMES["small-ball"])]))
        self.book = RecordBook(folder / "book.db", self.store.path)
        self.states = LeagueStates(self.leagues.get, self.book, self.store.path)
        self.library = DeckLibrary(folder / "decks")
        self.simulator = FixtureSimulator(self.states, self.library, self.store, Random(1))
        self.stored = 0
        self.busy = False
        self.pauses: list[float] = []
        self.on_pause: Callable[[], None] = lambda: None
        self.thread = SimulationThread(self.simulator, self.states, self._count, lambda: self.busy, self._pause)

    def _count(self, number: int) -> None:
        self.stored += 1

    def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.on_pause()

    def simulate(self) -> None:
        """Simulate all that waits."""
        while self.thread.simulate_next():
            pass

    def begin(self, fixture: int, away: str, home: str, friendly: bool = False) -> int:
        """Store a game that people have begun for a fixture."""
        settings = SeatSettings(league=LeagueGame("summer", fixture, away, home, friendly))
        return self.store.begin_game(Table(GAMES["small-ball"], [house_deck(GAMES["small-ball"])]), settings.json_text)

    def played(self, key: str = "summer") -> dict[int, int]:
        """Number of the game that counts by fixture."""
        return {number: one.number for number, one in self.states.read_state(key).content.by_fixture.items()}

    def close(self) -> None:
        self.store.close()
