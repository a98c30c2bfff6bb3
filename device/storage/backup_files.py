"""What a backup holds: the names, sizes and kinds of its files, the same for who writes it and who reads it.

A backup is a ZIP file of

    backup.json                     its format
    games/000001.jsonl              one file for each game (device/storage/game_file.py)
    settings.toml
    decks/                          the owner's decks
    trays/                          calibrations, taught dice, and corrections
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
from device.storage.decks import with_unix_line_ends
from engine.errors import DeckError
from engine.events import spoken_list
from engine.text import visible_text

FORMAT_FILE = "backup.json"
FORMAT_CONTENT = b'{"format": 2}\n'
"""The file that makes an archive a backup, and all that it holds. The first format had none."""

SETTINGS_NAME = "settings.toml"

OLD_JOURNAL = "journal.db"
"""The games of a backup of the first format; goes with device/storage/old_backup.py."""

BACKUP_FOLDERS = ("decks", "trays")

GAME_PATTERN = re.compile(r"games/((?!0{6})[0-9]{6}|[1-9][0-9]{6,8})\.jsonl")
DECK_PATTERN = re.compile(r"decks/[^/.][^/]*\.toml")
CALIBRATION_PATTERN = re.compile(r"trays/[a-z0-9-]{1,90}/tray\.json")
PICTURE_PATTERN = re.compile(
    r"trays/[a-z0-9-]{1,90}/(empty-[0-9a-f]{8}\.png|lessons/[0-9]{6,12}-[0-9]{1,9}-[0-9]{1,9}\.png|dice/[a-z0-9-]{1,200}\.die)"
)
"""Pictures with a calibration, all PNG: the empty tray, corrections, taught dice."""

MAX_BYTES_BY_KIND = {
    re.compile(re.escape(FORMAT_FILE)): 1 << 10,
    GAME_PATTERN: 32 << 20,
    re.compile(re.escape(OLD_JOURNAL)): 96 << 20,
    re.compile(re.escape(SETTINGS_NAME)): 64 << 10,
    DECK_PATTERN: DECK_BYTES,
    CALIBRATION_PATTERN: 256 << 10,
    PICTURE_PATTERN: 8 << 20,
}
"""Bytes that each kind of file may have."""

MAX_PIXELS = 16 << 20
"""Pixels of a picture."""

MAX_DEPTH = 20
MAX_ITEMS = 2000
MAX_TEXT_LENGTH = 2000
"""Levels of a JSON value, its entries on one level, and letters of a text in it."""

PNG_HEADER = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
"""The first bytes of a PNG; its width and height follow."""

_ALLOWED_INVISIBLES = dict.fromkeys(map(ord, "\n\u200c\u200d"))
"""Line feeds, and what joins letters in some scripts and emoji: part of texts that people may have typed."""


class BackupError(ValueError):
    """There can be no backup, or it cannot be restored; the sentence says which file and line, and why."""


def add_file(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a file to a backup, without a time: a ZIP file has none before 1980, where a Pi may think it is."""
    packed.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)


def max_file_bytes(name: str) -> int:
    """Return the bytes that a file of this name may have; 0 for a name that no backup has."""
    return next((size for known, size in MAX_BYTES_BY_KIND.items() if known.fullmatch(name)), 0)


def check_file(name: str, data: bytes) -> None:
    """Check that a file other than a game is what its name says. Raises BackupError that names it.

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
        elif CALIBRATION_PATTERN.fullmatch(name) and not isinstance(parse_json(data), dict):
            raise ValueError("it has no JSON object")
        elif PICTURE_PATTERN.fullmatch(name):
            _check_picture(name, data)
    except (ValueError, RecursionError) as error:
        raise backup_error(name, error) from None


def backup_error(place: str, error: Exception) -> BackupError:
    """Return the error for a file, or a line of it, with the reason, without hidden characters and not too long."""
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
        for letter in data.rpartition(b"\n")[0].rpartition(b"\n")[2]:  # the JSON behind it: vision/dice/png_file.py
            level += (letter in b"[{") - (letter in b"]}")
            deepest = max(deepest, level)
        if deepest > MAX_DEPTH:
            raise ValueError("it has too many brackets in brackets")


def parse_json(text: bytes) -> Any:
    """Return the data in a JSON text. Raises ValueError and RecursionError for what is too deep, long or large."""
    return check_json_value(json.loads(text.decode()))


def check_json_value(value: Any, level: int = 0) -> Any:
    """Return data as it is. Raises ValueError for what is too deep, too long, too large or cannot be seen."""
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
    """Return the first of these names of files in words, and how many more there are."""
    more = [f"{len(names) - 3} more"] * (len(names) > 3)
    return visible_text.printable_text(spoken_list([*(one[:150] for one in names[:3]), *more]))
