"""Leagues on disk: one JSON file for each, which people can read and edit."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from device.named_file import FileStamp, file_stamp
from device.storage import atomic_file, json_fields
from engine.errors import LeagueError
from engine.games import GAMES
from engine.league.league import League
from engine.league.rules import check_league
from managers.cast import CAST_BY_CHOICE

MAX_LEAGUES = 100
MAX_LEAGUE_BYTES = 4 << 20  # maximum bytes of a file. The most fixtures take 2 MiB


def parse_league(data: bytes, name: str) -> League:
    """Parse the file of a league. `name` ends with KEY.json. Raises LeagueError with `name`, field or line, and reason.

    Not checked: whether the league's decks and people exist.
    """
    try:
        if len(data) > MAX_LEAGUE_BYTES:
            raise LeagueError(f"it is larger than {MAX_LEAGUE_BYTES >> 20} MiB.")
        league = json_fields.parse_fields(League, json_fields.parse_json(data))
        if Path(name).name != f"{league.key}.json":
            raise LeagueError("key: it differs from the name of the file.")
        check_league(league, GAMES, CAST_BY_CHOICE)
    except LeagueError as error:
        raise json_fields.file_error(name, error) from None
    return league


class LeagueFiles:
    """The leagues in a folder, each in a file KEY.json. People may add and edit files at any time. Any thread may call.

    Other files, links and folders are ignored.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._known = dict[tuple[Path, FileStamp], League | str]()  # the league in a file, or what is wrong with it

    def leagues(self) -> Mapping[str, League]:
        """The leagues by key, in the order of keys. A file that cannot be used is left out."""
        return {one.key: one for one in self._contents() if isinstance(one, League)}

    def troubles(self) -> Sequence[str]:
        """What is wrong with files that are left out: sentences with file, line or field, and reason."""
        return [one for one in self._contents() if isinstance(one, str)]

    def save(self, league: League) -> None:
        """Create or replace a league. Durable on return. Raises LeagueError and OSError, and then nothing changed."""
        check_league(league, GAMES, CAST_BY_CHOICE)
        data = json_fields.encode_fields(asdict(replace(league, house=dict(league.house))))
        path = self._folder / f"{league.key}.json"
        parse_league(data, path.name)
        with self._lock:
            atomic_file.make_folder(self._folder)
            if not path.exists() and len(self._paths()) >= MAX_LEAGUES:
                raise LeagueError(f"There are {MAX_LEAGUES} leagues. Delete one before you make another.")
            atomic_file.write_file(path, data)
            self._known = {key: one for key, one in self._known.items() if key[0] != path}

    def delete(self, key: str) -> None:
        """Delete a league. Durable on return. Raises LeagueError if there is none, and OSError."""
        with self._lock:
            path = next((one for one in self._paths() if one.name == f"{key}.json"), None)
            if path is None:
                raise LeagueError("That league is gone.")
            path.unlink(missing_ok=True)
            atomic_file.sync_folder(self._folder)

    def _paths(self) -> list[Path]:
        try:
            found = sorted(self._folder.iterdir())
        except OSError:
            return []
        return [one for one in found if one.suffix == ".json" and not one.is_symlink() and one.is_file()]

    def _contents(self) -> list[League | str]:
        """What each file contains. Only changed files are read again."""
        with self._lock:
            paths = self._paths()
            keys = [(path, stamp) for path in paths[:MAX_LEAGUES] if (stamp := file_stamp(path))]
            self._known = {key: self._known.get(key) or _read_league(key[0]) for key in keys}
            rest = [f"{one.name}: there are more than {MAX_LEAGUES} leagues." for one in paths[MAX_LEAGUES:]]
            return [*self._known.values(), *rest]


def _read_league(path: Path) -> League | str:
    name = f"{path.parent.name}/{path.name}"
    try:
        return parse_league(json_fields.read_file(path, name, MAX_LEAGUE_BYTES), name)
    except LeagueError as error:
        return str(error)
