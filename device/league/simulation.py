"""Fixtures that computers play, one after the other, as games that anybody can open.

Each one is stored as a finished game with its fixture in one transaction. What waits is stored nowhere, so a power cut
can neither lose nor double a game: what has not been played is simply no longer waiting.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Literal

from device.league.fixture_games import build_fixture_game
from device.league.fixture_states import LeagueState, LeagueStates
from device.league.simulated_game import play_to_end
from device.storage.decks import DeckLibrary
from device.storage.store import Store, StoreError
from device.table.preset_answers import SeatSettings
from engine.errors import EngineError, LeagueError
from engine.league.league import Fixture, League
from engine.seats import SEATS

log = logging.getLogger("dugout.league")

NICENESS = 10
"""Niceness of the thread, so that pages and buttons go first."""

MAX_PAUSE_S = 0.25
"""Longest pause before an answer while a game is on the table, in seconds. It is as long as the answer before took."""


class SimulationStopped(Exception):
    """The simulation was stopped."""


class FixtureSimulator:
    """Plays fixtures to their end and stores them. One thread may use it.

    Raises LeagueError, DeckError, HouseRuleError or IllegalAnswer for a fixture that cannot be played, and StoreError.
    """

    def __init__(self, states: LeagueStates, library: DeckLibrary, store: Store, chance: Random) -> None:
        self._states, self._library, self._store, self._chance = states, library, store, chance

    def simulate_fixture(self, league: League, fixture: Fixture, between: Callable[[], None] = lambda: None) -> int:
        """Play a fixture and return the number of its game. `between` as in `play_to_end`."""
        table, settings = build_fixture_game(league, fixture, self._library, SEATS, SeatSettings())
        sources = play_to_end(table, settings.managers, self._chance, between)
        # Somebody may have begun it meanwhile, or changed the league.
        now = self._states.read_state(league.key).unplayed_fixture(fixture.number)
        if (now.away, now.home) != (fixture.away, fixture.home):
            raise LeagueError(f"fixture {fixture.number}: its teams have changed.")
        return self._store.add_finished_game(table, settings.json_text, sources)


@dataclass(eq=False, slots=True)
class _Request:
    """Fixtures of a league to simulate.

    numbers: those that wait. For `all`, also those for which earlier games decide who plays.
    left_out: those that failed, or that people have begun.
    """

    key: str
    numbers: list[int]
    all: bool
    left_out: set[int] = field(default_factory=set)

    def leave_out(self, number: int) -> None:
        self.left_out.add(number)
        self.numbers = [one for one in self.numbers if one != number]

    def next_fixture(self, state: LeagueState) -> Fixture | None:
        """The next wanted fixture that can be played. A tie may have added one to a series."""
        if self.all:
            self.numbers = [one.number for one in state.fixtures_left if one.number not in self.left_out]
        return next((one for one in state.playable_fixtures if one.number in self.numbers), None)


class SimulationThread:
    """Simulates what was asked for in the background, and gives way to the game on the table. Any thread may call.

    stored: called with the number of each game.
    is_busy: True while the game on the table goes on.
    """

    def __init__(
        self,
        simulator: FixtureSimulator,
        states: LeagueStates,
        stored: Callable[[int], None],
        is_busy: Callable[[], bool],
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._simulator, self._states, self._stored = simulator, states, stored
        self._is_busy, self._pause = is_busy, pause
        self._lock = threading.Lock()
        """Protects the three attributes below. Nothing is called while it is held."""
        self._requests: list[_Request] = []
        self._current: tuple[str, int] | None = None
        """League and number of the fixture under way."""
        self._troubles: dict[str, str] = {}
        self._stops = 0
        """Rises with each stop, so that the game under way is given up."""
        self._news, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run_loop, name="simulation", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current answer, which may take a second."""
        self._done.set()
        self.stop_simulating()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def request_fixtures(self, key: str, which: int | Literal["day", "all"]) -> int:
        """Have a fixture simulated, all of the earliest open day or round, or all. Return how many will be.

        Raises LeagueError if there is no such fixture, or none that can be played now.
        """
        numbers = [one.number for one in self._states.fixtures_to_simulate(key, which)]
        with self._lock:
            self._troubles.pop(key, None)
            self._requests.append(_Request(key, numbers, which == "all"))
        self._news.set()
        return len(numbers)

    def stop_simulating(self, key: str = "") -> None:
        """Simulate nothing more, or nothing of one league. The game under way is given up, or played again later."""
        with self._lock:
            self._requests = [one for one in self._requests if key and one.key != key]
            self._stops += 1

    def leave_out(self, key: str, number: int) -> None:
        """Leave a fixture to people. Raises LeagueError while it is being simulated."""
        with self._lock:
            if self._current == (key, number):
                raise LeagueError(f"fixture {number}: computers are playing it right now.")
            for one in self._requests:
                if one.key == key:
                    one.leave_out(number)

    @property
    def waiting_fixtures(self) -> set[tuple[str, int]]:
        """League and number of each fixture that waits, and of the one under way."""
        with self._lock:
            return {(one.key, number) for one in self._requests for number in one.numbers}

    @property
    def troubles(self) -> dict[str, str]:
        """Why the last simulation of a league stopped or left a game out, by its key."""
        with self._lock:
            return dict(self._troubles)

    # The thread --------------------------------------------------------------------------------------------------

    def _run_loop(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while not self._done.is_set():
            self._news.wait()
            self._news.clear()
            while not self._done.is_set() and self.simulate_next():
                pass

    def simulate_next(self) -> bool:
        """Simulate the next fixture. Return False if none waits."""
        with self._lock:
            if not self._requests:
                return False
            request, stops = self._requests[0], self._stops
        fixture = None
        try:
            state = self._states.read_state(request.key)
            with self._lock:
                fixture = request.next_fixture(state)
                self._current = (request.key, fixture.number) if fixture else None
            if fixture is not None:
                self._stored(self._simulator.simulate_fixture(state.league, fixture, self._pauser(stops)))
        except SimulationStopped:
            return True
        except StoreError as error:  # the next one could not be stored either
            self._record_trouble(request, str(error))
            self.stop_simulating()
        except EngineError as error:
            self._record_trouble(
                request, f"Game {fixture.number} was not simulated: {error}" if fixture else str(error)
            )
        except Exception:
            log.exception("A simulation failed.")
            number = f" of game {fixture.number}" if fixture else ""
            self._record_trouble(request, f"The simulation{number} failed. The log has the reason.")
        finally:
            with self._lock:
                self._current = None
        with self._lock:
            if fixture is None and request in self._requests:
                self._requests.remove(request)
            elif fixture is not None:
                request.leave_out(fixture.number)
        return True

    def _pauser(self, stops: int) -> Callable[[], None]:
        answered = time.monotonic()

        def pause_or_stop() -> None:
            nonlocal answered
            if self._stops != stops or self._done.is_set():
                raise SimulationStopped
            if self._is_busy():
                self._pause(min(MAX_PAUSE_S, time.monotonic() - answered))
            answered = time.monotonic()

        return pause_or_stop

    def _record_trouble(self, request: _Request, why: str) -> None:
        with self._lock:
            self._troubles[request.key] = why
