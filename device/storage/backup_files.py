"""Contents of a backup: names, sizes and kinds of its files, shared by writer and reader.

A backup is a ZIP file of

    backup.json                   its format
    games/000001.jsonl            one file for each game (device/storage/game_file.py)
    settings.toml
    decks/                        the owner's decks
    leagues/                      the leagues
    people.json                   the people who play here
    trays/                        calibrations, taught dice, and corrections
"""

from __future__ import annotations

import json
import re
import struct
import zipfile
from collections.abc import Sequence
from typing import Any

from device.storage.deck_editor import MAX_DECK_BYTES as DECK_BYTES
from device.storage.deck_editor import parse_draft
from device.storage.decks import MAX_OWN_DECKS, with_unix_line_ends
from device.storage.league_files import MAX_LEAGUE_BYTES, MAX_LEAGUES, parse_league
from device.storage.people_file import MAX_PEOPLE_BYTES, parse_people
from engine.errors import DeckError, LeagueError
from engine.events import spoken_list
from engine.text import visible_text

FORMAT_FILE = "backup.json"
"""File that marks an archive as a backup. The first format had none."""

FORMAT_CONTENT = b'{"format": 2}\n'  # complete content of `FORMAT_FILE`

SETTINGS_NAME = "settings.toml"

PEOPLE_NAME = "people.json"

OLD_JOURNAL = "journal.db"
"""File with the games in a backup of the first format. Remove it with device/storage/old_backup.py."""

BACKUP_FOLDERS = ("decks", "leagues", "trays")

GAME_PATTERN = re.compile(r"games/((?!0{6})[0-9]{6}|[1-9][0-9]{6,8})\.jsonl")
DECK_PATTERN = re.compile(r"decks/[^/.][^/]*\.toml")
LEAGUE_PATTERN = re.compile(r"leagues/[a-z0-9-]{1,40}\.json")
CALIBRATION_PATTERN = re.compile(r"trays/[a-z0-9-]{1,90}/tray\.json")
PICTURE_PATTERN = re.compile(
    r"trays/[a-z0-9-]{1,90}/(empty-[0-9a-f]{8}\.png|lessons/[0-9]{6,12}-[0-9]{1,9}-[0-9]{1,9}\.png|dice/[a-z0-9-]{1,200}\.die)"
)
"""PNG files of a calibration: reference image, corrections, taught dice."""

MAX_BYTES_BY_KIND = {
    re.compile(re.escape(FORMAT_FILE)): 1 << 10,
    GAME_PATTERN: 32 << 20,
    re.compile(re.escape(OLD_JOURNAL)): 96 << 20,
    re.compile(re.escape(SETTINGS_NAME)): 64 << 10,
    DECK_PATTERN: DECK_BYTES,
    LEAGUE_PATTERN: MAX_LEAGUE_BYTES,
    re.compile(re.escape(PEOPLE_NAME)): MAX_PEOPLE_BYTES,
    CALIBRATION_PATTERN: 256 << 10,
    PICTURE_PATTERN: 8 << 20,
}
"""Maximum bytes of each kind of file."""

MAX_FILES_BY_FOLDER = {"decks": MAX_OWN_DECKS, "leagues": MAX_LEAGUES}  # maximum files in a folder of a backup

MAX_GAMES_BYTES = 288 << 20
"""Maximum unpacked bytes of all games of a backup. The table adds none beyond `game_budget.MAX_JOURNAL_BYTES`."""

MAX_PIXELS = 16 << 20  # maximum pixels of a picture
MAX_DEPTH = 20  # maximum levels of a JSON value
MAX_ITEMS = 2000  # maximum items of a JSON list or object
MAX_TEXT_LENGTH = 2000  # maximum length of a JSON string in characters

PNG_HEADER = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
"""First bytes of a PNG. Its width and height follow."""

_ALLOWED_INVISIBLES = dict.fromkeys(map(ord, "\n\u200c\u200d"))
"""Line feeds, and the joiners of some scripts and emoji. People may type them in texts."""


class BackupError(ValueError):
    """A backup cannot be written or restored. The message names the file, the line and the reason."""


def add_file(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file to a backup. It gets no time, because a Pi's clock may be before 1980, the first year of ZIP."""
    packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def max_file_bytes(name: str) -> int:
    """Maximum bytes of a file of this name, 0 for a name that no backup has."""
    return next((size for known, size in MAX_BYTES_BY_KIND.items() if known.fullmatch(name)), 0)


def check_file(name: str, data: bytes) -> None:
    """Check that the content of a file other than a game fits its name. Raises BackupError that names it.

    Not checked: whether a deck can be played, whether settings are valid, and what a picture shows.
    """
    try:
        if not name.isprintable() or not max_file_bytes(name):
            raise ValueError("Dugout keeps no such file")
        if len(data) > max_file_bytes(name):
            raise ValueError(f"it is larger than {max_file_bytes(name) >> 10} kB")
        if name == FORMAT_FILE and data != FORMAT_CONTENT:
            raise ValueError("it is of another version of Dugout")
        if DECK_PATTERN.fullmatch(name):
            parse_draft(with_unix_line_ends(data.decode("utf-8-sig")), name)
        elif LEAGUE_PATTERN.fullmatch(name):
            parse_league(data, name)
        elif name == PEOPLE_NAME:
            parse_people(data, name)
        elif CALIBRATION_PATTERN.fullmatch(name) and not isinstance(parse_json(data), dict):
            raise ValueError("it has no JSON object")
        elif PICTURE_PATTERN.fullmatch(name):
            _check_picture(name, data)
    except (ValueError, RecursionError) as error:
        raise backup_error(name, error) from None


def backup_error(place: str, error: Exception) -> BackupError:
    """Build the error for a file or a line of it. The reason is shortened and has no hidden characters."""
    why = str(error)
    match error:
        case json.JSONDecodeError():
            why = f"it is no JSON: {error.msg}"
        case UnicodeDecodeError():
            why = "it is not UTF-8 text"
        case RecursionError():
            why = "it has too many brackets in brackets"
        case DeckError():
            why = error.faults[0].reason
        case LeagueError():  # its sentence begins with the file
            place, _, why = why.partition(": ")
    words = visible_text.printable_text(f"{place[:150]}: {why[:300].rstrip('.')}.")
    return BackupError("".join(one if one.isprintable() else " " for one in words))


def _check_picture(name: str, data: bytes) -> None:
    size = data[len(PNG_HEADER) : len(PNG_HEADER) + 8]
    if not data.startswith(PNG_HEADER) or len(size) < 8:
        raise ValueError("it is no PNG")
    width, height = struct.unpack(">2L", size)
    if not 0 < width * height <= MAX_PIXELS:
        raise ValueError(f"it has not 1 to {MAX_PIXELS} pixels")
    if "/empty-" not in name:
        level = deepest = 0
        for letter in data.rpartition(b"\n")[0].rpartition(b"\n")[2]:  # the JSON after it: vision/dice/png_file.py
            level += (letter in b"[{") - (letter in b"]}")
            deepest = max(deepest, level)
        if deepest > MAX_DEPTH:
            raise ValueError("it has too many brackets in brackets")


def parse_json(text: bytes) -> Any:
    """Parse UTF-8 JSON. Raises ValueError if it is invalid or too large, RecursionError or ValueError if too deep."""
    return check_json_value(json.loads(text.decode()))


def check_json_value(value: Any, level: int = 0) -> Any:
    """Return the value. Raises ValueError if it is too deep, too long, too large or invisible."""
    match value:
        case None | bool():
            return value
        case int() if abs(value) < 1 << 31:
            return value
        case float() if abs(value) < 1e9:
            return value
        case str() if len(value) <= MAX_TEXT_LENGTH and value.translate(_ALLOWED_INVISIBLES).isprintable():
            return value
        case list() if len(value) <= MAX_ITEMS and level < MAX_DEPTH:
            return [check_json_value(one, level + 1) for one in value]
        case dict() if len(value) <= MAX_ITEMS and level < MAX_DEPTH:
            return {check_json_value(key, level + 1): check_json_value(one, level + 1) for key, one in value.items()}
    raise ValueError("it has a value that is too large, too long, too deep or cannot be seen")


def names_summary(names: Sequence[str]) -> str:
    """First three of these file names in words, and the number of the others."""
    more = [f"{len(names) - 3} more"] * (len(names) > 3)
    return visible_text.printable_text(spoken_list([*(one[:150] for one in names[:3]), *more]))
