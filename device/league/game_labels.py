"""The league and the people of a game in words, for its views."""

from __future__ import annotations

from collections.abc import Mapping

from device.storage.league_files import LeagueFiles
from device.storage.people_file import PeopleFile
from device.table.preset_answers import SeatSettings
from engine.league.league import League, LeagueGame
from engine.league.schedule import league_fixtures
from engine.league.views import SOMEBODY
from engine.seats import Seat


class GameLabels:
    """Looks the names up whenever views are built, so that what was renamed or forgotten shows at once."""

    def __init__(self, files: LeagueFiles, people: PeopleFile) -> None:
        self._files, self._people = files, people
        self._last: tuple[League, int, str] | None = None
        """The last fixture that was looked up, because finding one of thousands takes a moment."""

    def game_labels(self, settings: SeatSettings) -> tuple[Mapping[Seat, str], str]:
        """Names of the people by seat, and the league and round in a short line, "" for none."""
        people = {seat: self._people.find(key) for seat, key in settings.people.items()}
        league = self._files.leagues().get(settings.league.league) if settings.league else None
        line = self._league_line(league, settings.league) if league and settings.league else ""
        return {seat: one.name if one else SOMEBODY for seat, one in people.items()}, line

    def _league_line(self, league: League, game: LeagueGame) -> str:
        if game.friendly:
            return f"{league.title}, friendly"
        if self._last is None or self._last[0] is not league or self._last[1] != game.fixture:
            self._last = league, game.fixture, _fixture_text(league, game.fixture)
        return ", ".join(filter(None, (league.title, self._last[2])))


def _fixture_text(league: League, number: int) -> str:
    """Title or round of a fixture. Neither depends on results."""
    found = next((one for one in league_fixtures(league, ()) if one.number == number), None)
    return "" if found is None else found.title or f"round {found.round}"
