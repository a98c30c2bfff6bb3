"""Create, change and delete leagues. What was played stays as it is."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from device.league.fixture_games import build_fixture_game
from device.league.fixture_states import LeagueState, LeagueStates
from device.storage.decks import DeckLibrary
from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.storage.store import Store, StoreError
from device.table.live_game import LiveGame
from device.table.preset_answers import SeatSettings
from engine.errors import EngineError, LeagueError
from engine.games import GAMES
from engine.league.fixtures_csv import merge_fixtures, parse_fixtures, parse_teams
from engine.league.league import Fixture, League
from engine.league.rules import check_league
from engine.league.schedule import check_change, league_fixtures
from managers.cast import CAST_BY_CHOICE


class LeagueChanges:
    """Changes the leagues in `files`. Any thread may call.

    Methods raise LeagueError or StoreError, and then nothing has changed.
    """

    def __init__(self, files: LeagueFiles, people: PeopleFile, states: LeagueStates, library: DeckLibrary) -> None:
        self._files, self._people, self._states, self._library = files, people, states, library
        self._changing = threading.Lock()
        """Held while a league is changed, so that no change is based on what another one replaces."""

    def save_league(self, league: League, new: bool = False, people: Mapping[str, str] = {}) -> None:
        """Create a league (`new`), or replace the one of this key.

        people: names by the keys of teams. New people are added.
        """
        with self._changing, _storing():
            self._check(league, new)  # before anybody is added
            self._files.save(self._with_people(league, people))

    def import_fixtures(self, key: str, text: str) -> int:
        """Replace the list of fixtures by a CSV text and return their number."""
        with self._changing, _storing():
            state = self._states.read_state(key)
            if state.league.format != "fixtures":
                raise LeagueError(
                    f"{state.league.title} computes its fixtures. Only a list of fixtures can be imported."
                )
            league = merge_fixtures(state.league, parse_fixtures(text, state.league), state.content.played_games)
            self._check(league, False)
            self._files.save(league)
        return len(league.listed)

    def import_teams(self, key: str, text: str) -> int:
        """Rename teams and set their people by a CSV text, and return how many changed. New people are added."""
        with self._changing, _storing():
            before = self._states.read_state(key).league
            league, names = parse_teams(text, before, CAST_BY_CHOICE)
            self._check(league, False)  # before anybody is added
            league = self._with_people(league, names)
            self._files.save(league)
        return sum(one != other for one, other in zip(before.teams, league.teams, strict=True))

    def delete_league(self, key: str, store: Store, game: LiveGame) -> None:
        """Delete a league. Its games stay, and belong to no league. `game` is the one on the table."""
        # In this order, because another change may take seconds, for which the table must not wait.
        with self._changing, game.lock, _storing():
            if key not in self._files.leagues():
                raise LeagueError("That league is gone.")
            store.leave_league(key)  # first, so that they never belong to another league of this key
            settings = game.settings
            if settings.league and settings.league.league == key:
                game.save_seat_settings(replace(settings, league=None))
            self._files.delete(key)

    def replace_person(self, key: str, into: str) -> None:
        """Make a person's teams those of another one."""
        with self._changing, _storing():
            for league in self._files.leagues().values():
                if any(team.person == key for team in league.teams):
                    teams = [replace(team, person=into) if team.person == key else team for team in league.teams]
                    self._files.save(replace(league, teams=teams))

    def _with_people(self, league: League, names: Mapping[str, str]) -> League:
        """Return a league with the people of these names, by the keys of their teams. All who are new are added."""
        colors = {names[team.key]: team.colour for team in league.teams if team.key in names}
        keys = self._people.find_or_add(colors) if colors else {}
        teams = [replace(team, person=keys[names[team.key]]) if team.key in names else team for team in league.teams]
        return replace(league, teams=teams)

    # Checks ------------------------------------------------------------------------------------------------------

    def _check(self, league: League, new: bool) -> None:
        check_league(league, GAMES, CAST_BY_CHOICE)
        if (league.key in self._files.leagues()) is new:
            raise LeagueError(f"key: there is a league {league.key} already." if new else "That league is gone.")
        state = None if new else self._states.read_state(league.key)
        self._check_people(league, state)
        if state:
            _check_games(league, state)
        self._check_cards(league)

    def _check_people(self, league: League, state: LeagueState | None) -> None:
        known = {one.key for one in self._people.people()}
        known |= {team.person for team in state.league.teams} if state else set()  # some may be forgotten since
        for number, team in enumerate(league.teams, 1):
            if team.person and team.person not in known:
                raise LeagueError(f"team {number}, person: that person is gone.")

    def _check_cards(self, league: League) -> None:
        """Check that house rules, decks and each team's cards make a game."""
        first, second, *others = league.teams
        own = [team for team in others if team.deck or team.cards]
        for team in (second, *own):
            try:
                pair = Fixture(1, 1, first.key, team.key)
                build_fixture_game(league, pair, self._library, (), SeatSettings())
            except EngineError as error:
                raise LeagueError(f"{first.name} and {team.name} cannot play: {error}") from error


def _check_games(league: League, state: LeagueState) -> None:
    """Check that no game that is stored for a league loses its fixture or its teams."""
    content, stored = state.content, state.stored
    used = {team for _, teams in stored for team in teams}
    used |= {team for one in content.results for team in (one.away, one.home)}
    used |= {team for one in content.unfinished for team in (one.away, one.home)}
    if used and league.game != state.league.game:
        raise LeagueError("game: games of this league were played, so it must stay.")
    keys = {team.key for team in league.teams}
    for team in state.league.teams:
        if team.key in used and team.key not in keys:
            raise LeagueError(f"teams: {team.name} have played in this league, so they must stay.")
    check_change(state.league, league, content.played_games)
    after = {one.number: {one.away, one.home} for one in league_fixtures(league, content.played_games)}
    for one in content.fixtures:
        if (number := state.game_of(one)) and after.get(one.number) != {one.away, one.home}:
            raise LeagueError(f"fixture {one.number}: game {number} was begun for it, so it must stay.")


@contextmanager
def _storing() -> Iterator[None]:
    """Name what could not be written."""
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        raise StoreError(f"The league cannot be stored: {error.strerror or error}.") from error
