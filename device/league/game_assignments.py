"""Which league and which people a game belongs to, and games that begin for a fixture."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from dataclasses import replace

from device.league.fixture_games import build_fixture_game
from device.league.fixture_states import LeagueState, LeagueStates
from device.league.simulation import SimulationThread
from device.storage import game_list
from device.storage.database import open_read_only
from device.storage.decks import DeckLibrary
from device.storage.people_file import PeopleFile
from device.storage.restore import restore_table
from device.storage.seat_settings import league_of
from device.storage.store import Store, StoreError
from device.table.game_choice import GameChoice
from device.table.live_game import LiveGame
from device.table.preset_answers import SeatSettings
from engine.errors import LeagueError
from engine.league.league import LeagueGame
from engine.seats import SEATS, Seat


class GameAssignments:
    """Changes the league and the people of stored games, of the one on the table too. Any thread may call.

    Methods raise LeagueError or StoreError, and then nothing has changed.
    """

    def __init__(
        self,
        states: LeagueStates,
        people: PeopleFile,
        store: Store,
        game: LiveGame,
        games: GameChoice,
        library: DeckLibrary,
        simulation: SimulationThread,
    ) -> None:
        self._states, self._people, self._store, self._game = states, people, store, game
        self._games, self._library, self._simulation = games, library, simulation
        self._beginning = threading.Lock()
        """Held while a fixture is begun, so that two phones do not begin it twice."""

    def game_league(self, number: int) -> tuple[LeagueGame | None, Mapping[Seat, str]] | None:
        """League and people's keys of a stored game, None if there is no such game. Merged people have one key."""
        found = self._stored_standing(number)
        if found is None:
            return None
        league, people = league_of(found)
        return league, {seat: one.key if (one := self._people.find(key)) else key for seat, key in people.items()}

    def set_people(self, number: int, people: Mapping[str, str]) -> None:
        """Set the people of a stored game by seat, with their keys."""
        found = self._require_game(number)
        known = {one.key for one in self._people.people()} | set(found[1].values())
        for seat, key in people.items():
            if seat not in SEATS:
                raise LeagueError(f"There is no {seat} seat.")
            if key not in known:
                raise LeagueError("That person is gone.")
        by_seat = {seat: people[seat] for seat in SEATS if seat in people}
        self._change_settings(number, lambda settings: replace(settings, people=by_seat))

    def replace_person(self, key: str, into: str) -> None:
        """Make a person's games those of another one."""
        with self._game.lock:
            self._store.replace_person(key, into)
            people = self._game.settings.people
            if key in people.values():
                changed = {seat: into if one == key else one for seat, one in people.items()}
                self._game.save_seat_settings(replace(self._game.settings, people=changed))

    def set_league(self, number: int, game: LeagueGame | None) -> None:
        """Add a stored game to a league, or remove it from its league (None)."""
        self._require_game(number)
        if game is not None:
            self._check_league(number, game)
        self._change_settings(number, lambda settings: replace(settings, league=game))

    def begin_fixture(self, key: str, number: int, computers: Collection[str]) -> None:
        """Begin a fixture on the table, or resume its game.

        computers: seats that a computer plays, besides those of teams without a person.

        Raises also DeckError, HouseRuleError or IllegalAnswer.
        """
        with self._beginning:
            state = self._states.read_state(key)
            fixture = state.open_fixture(number)
            stored = state.game_of(fixture)
            if stored == self._game.number:
                raise LeagueError(f"fixture {number}: it is on the table.")
            if stored:
                self._games.resume_game(stored)
                return
            usual = self._game.settings
            settings = SeatSettings(pace=usual.pace, table_rolls=usual.table_rolls)
            seats = [seat for seat in SEATS if seat in computers]
            made = build_fixture_game(state.league, fixture, self._library, seats, settings)
            self._simulation.leave_out(key, number)
            self._games.put_on_table(*made)

    # Checks ------------------------------------------------------------------------------------------------------

    def _require_game(self, number: int) -> tuple[LeagueGame | None, Mapping[Seat, str]]:
        found = self.game_league(number)
        if found is None:
            raise LeagueError(f"There is no game {number}.")
        return found

    def _check_league(self, number: int, game: LeagueGame) -> None:
        state = self._states.read_state(game.league)
        for team in (game.away, game.home):
            if state.league.find_team(team) is None:
                raise LeagueError(f"{team[:40]} is not a team of {state.league.title}.")
        if game.away == game.home:
            raise LeagueError("A game needs two different teams.")
        self._check_rulebook(number, state)
        if game.fixture:
            fixture = state.require_fixture(game.fixture)
            if {game.away, game.home} != {fixture.away, fixture.home}:
                raise LeagueError(f"fixture {game.fixture}: other teams play it.")
            counted = state.content.by_fixture.get(game.fixture)
            if counted and counted.number != number and not game.friendly:
                raise LeagueError(
                    f"fixture {game.fixture}: game {counted.number} counts for it already. Remove that one first, or "
                    "add this game beside the schedule or as a friendly."
                )

    def _check_rulebook(self, number: int, state: LeagueState) -> None:
        """Check that a stored game is one of two teams in the rulebook of a league."""
        try:
            with closing(open_read_only(self._store.path)) as db:
                (stored,) = db.execute("select header, decks from game where id = ?", (number,)).fetchall()
            begun = restore_table(stored[0], stored[1], ())
        except Exception as error:  # a foreign journal can break anything
            raise LeagueError(f"Game {number} cannot be read.") from error
        if begun.game.key != state.league.game:
            raise LeagueError(f"Game {number} is {begun.game.title}, which this league does not play.")
        if not begun.game.is_single_game(begun.house):
            raise LeagueError(f"Game {number} is more than one game. A league counts single games of two teams.")

    # Storing -----------------------------------------------------------------------------------------------------

    def _stored_standing(self, number: int) -> str | None:
        """Seat settings of a stored game as JSON, None if there is no such game."""
        try:
            with closing(open_read_only(self._store.path)) as db:
                if db.execute("select 1 from game where id = ?", (number,)).fetchone() is None:
                    return None
                row = game_list.read_row(db, number)
        except sqlite3.Error as error:
            raise StoreError(f"The games cannot be read: {error}.") from error
        return row.standing if row else ""

    def _change_settings(self, number: int, change: Callable[[SeatSettings], SeatSettings]) -> None:
        with self._game.lock:
            if number == self._game.number:
                self._game.save_seat_settings(change(self._game.settings))
                return
            try:
                settings = SeatSettings.from_json(self._stored_standing(number) or "")
            except (ValueError, RecursionError) as error:
                raise LeagueError(f"Game {number} has settings that this version of Dugout does not know.") from error
            self._store.save_seat_settings(number, change(settings).json_text)
