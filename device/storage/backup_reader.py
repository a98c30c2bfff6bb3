"""Read a backup that anybody may have made: its files are data, of known names, kinds and sizes.

What has the name of something Dugout keeps and is not of its kind is left out; a file that is not a backup at all is
refused. The archive's list is bounded before it is read, each file while it is unpacked.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import struct
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import tomlkit
from tomlkit.exceptions import TOMLKitError

from device.settings import Settings, SettingsError, parse
from device.storage import deck_editor, foreign_journal
from device.storage.backup import SETTINGS, BackupError, games_in_words
from device.storage.backup_switch import JOURNAL
from device.storage.decks import MOST, unix

LARGEST = 512 << 20
"""Bytes that a backup may hold, unpacked."""

MEMBERS = 6000
"""Files in a backup: decks, and 400 rolls for each camera and resolution."""

LIST = 1 << 20
"""Bytes of an archive's list of files."""

MEMBER = re.compile(r"journal\.db|settings\.toml|(decks|trays)(/[^/\\\0]+)+")
"""What may be in a backup."""

DECK = re.compile(r"decks/[^/.][^/]*\.toml")
ABOUT = re.compile(r"trays/[a-z0-9-]{1,90}/tray\.json")
PICTURE = re.compile(
    r"trays/[a-z0-9-]{1,90}/(empty-[0-9a-f]{8}\.png|lessons/[0-9]{6,12}-[0-9]{1,9}-[0-9]{1,9}\.png|dice/[a-z0-9-]{1,200}\.die)"
)
"""Files by their names: a deck, a calibration, and the pictures with it, all PNG."""

SIZES = {
    re.compile(r"journal\.db"): 96 << 20,
    re.compile(r"settings\.toml"): 64 << 10,
    DECK: deck_editor.LARGEST,
    ABOUT: 256 << 10,
    PICTURE: 8 << 20,
}
"""Bytes that each kind of file may have."""

PIXELS = 16 << 20
"""Pixels of a picture."""

END, MARK = struct.Struct("<4s4H2LH"), b"PK\5\6"
"""The end of an archive: its mark, numbers of disks and files, size and place of the list, length of a comment."""

LOCATOR = b"PK\6\7".ljust(20, b"?")
"""What is before the end of an archive with another, larger list; its mark is the first four bytes."""

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
"""The first bytes of a PNG; its width and height follow."""

FOREIGN = ".foreign"
"""The name of the journal as it came out of the backup."""

UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    struct.error,
    UnicodeDecodeError,  # of a name
)
"""What `zipfile` raises for odd archives."""

OWN = ("data", "web")
"""The settings that stay this machine's: where its games are, and who may reach its pages."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What came out of a backup: how many games and files, how many of both were left out, and the settings."""

    games: int
    odd_games: int
    odd_files: int
    settings: bytes | None

    @property
    def sentence(self) -> str:
        """What was restored, in words."""
        odd = [games_in_words(self.odd_games)] * bool(self.odd_games)
        odd += [f"{self.odd_files} other file{'' if self.odd_files == 1 else 's'}"] * bool(self.odd_files)
        left = f" Left out, because nothing here writes such data: {' and '.join(odd)}." if odd else ""
        return f"{games_in_words(self.games)} restored.{left}"


def unpack(file: BinaryIO, new: Path, values: dict[str, str], settings: str) -> Unpacked:
    """Unpack a backup into the folder `new`, all of it checked; nothing is synced yet.

    `values` are this table's own codes and keys, and `settings` are its settings, of which `OWN` stay. Raises
    BackupError, SettingsError and OSError.
    """
    found, odd = None, 0
    try:
        _check_end(file)
        with zipfile.ZipFile(file) as packed:
            for member in _members(packed):
                name, limit = member.filename, _limit(member.filename)
                if name == JOURNAL:
                    _unpack_journal(packed, member, new / FOREIGN)
                    continue
                data = packed.read(member) if member.file_size <= limit else b""
                if name == SETTINGS and data:
                    found = data
                elif _is_kind(name, data):
                    (new / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                    with open(os.open(new / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
                        target.write(data)
                else:
                    odd += 1
    except UNREADABLE as error:
        raise BackupError(f"this is not a backup of Dugout, or a damaged one: {error}.") from None
    own = None if found is None else _with_own(found, settings)
    try:
        games, odd_games = foreign_journal.adopt(new / FOREIGN, new / JOURNAL, values)
    except foreign_journal.ForeignError as error:
        raise BackupError(f"the journal in the backup {error}.") from None
    except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
        raise BackupError(f"the journal in the backup is damaged: {error}.") from None
    (new / FOREIGN).unlink()
    return Unpacked(games, odd_games, odd, own)


def _check_end(file: BinaryIO) -> None:
    """Raise BackupError unless an archive ends as ours do: its list of files could be huge otherwise."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - END.size - len(LOCATOR)))
    tail = file.read()
    end = tail[-END.size :]
    if not end.startswith(MARK) or len(end) < END.size:
        raise BackupError("this is not a backup of Dugout, or a damaged one: File is not a zip file.")
    *_, here, files, length, _, comment = END.unpack(end)
    if here != files or files > MEMBERS or length > LIST or comment or tail.startswith(LOCATOR[:4]):
        raise BackupError("this is not a backup of Dugout.")


def _members(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files in an archive. Raises BackupError unless it may be one of ours."""
    members = packed.infolist()
    names = [one.filename for one in members]
    strange = [name for name in names if not MEMBER.fullmatch(name) or {".", ".."} & set(name.split("/"))]
    kinds = {one.compress_type for one in members} - {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
    before = any(one.header_offset < 0 for one in members)
    if strange or kinds or before or len(set(names)) < len(names) or JOURNAL not in names:
        raise BackupError("this is not a backup of Dugout.")
    if sum(one.file_size for one in members) > LARGEST:
        raise BackupError(f"this backup holds more than {LARGEST >> 20} MiB.")
    if sum(bool(DECK.fullmatch(name)) for name in names) > MOST:
        raise BackupError(f"this backup holds more than {MOST} decks.")
    return members


def _limit(name: str) -> int:
    """Return the bytes that a file of this name may have; -1 for one that Dugout does not keep."""
    return next((size for known, size in SIZES.items() if known.fullmatch(name)), -1)


def _unpack_journal(packed: zipfile.ZipFile, member: zipfile.ZipInfo, onto: Path) -> None:
    if member.file_size > _limit(JOURNAL):
        raise BackupError(f"this backup holds more than {_limit(JOURNAL) >> 20} MiB of games.")
    with (
        packed.open(member) as source,
        open(os.open(onto, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target,
    ):
        shutil.copyfileobj(source, target)


def _is_kind(name: str, data: bytes) -> bool:
    """True for a file that is what its name says: a deck of some game, a calibration, a PNG that is not too large."""
    if not name.isprintable():
        return False
    try:
        if DECK.fullmatch(name):
            deck_editor.draft(unix(data.decode("utf-8-sig")), name)
            return True
        if ABOUT.fullmatch(name):
            return isinstance(foreign_journal.loaded(data.decode()), dict)
    except (ValueError, RecursionError):
        return False
    if not PICTURE.fullmatch(name) or not data.startswith(PNG) or len(data) < len(PNG) + 8:
        return False
    width, height = struct.unpack_from(">2L", data, len(PNG))
    return bool(0 < width * height <= PIXELS) and ("/empty-" in name or _is_shallow(data))


def _is_shallow(data: bytes) -> bool:
    """True unless the line of JSON behind a picture (vision/dice/png_file.py) has too many brackets in brackets."""
    level = deepest = 0
    for letter in data.rpartition(b"\n")[0].rpartition(b"\n")[2]:
        level += (letter in b"[{") - (letter in b"]}")
        deepest = max(deepest, level)
    return deepest <= foreign_journal.DEEPEST


def _with_own(found: bytes, settings: str) -> bytes:
    """Return the settings of a backup, with this machine's own in place of `OWN`. Raises SettingsError."""
    try:
        text, ours = found.decode("utf-8-sig"), Settings()
    except UnicodeDecodeError:
        raise BackupError(f"the {SETTINGS} in the backup is not UTF-8 text.") from None
    theirs = parse(text, f"{SETTINGS} in the backup")
    with suppress(SettingsError):
        ours = parse(settings, SETTINGS)
    wanted = theirs.model_copy(update={key: getattr(ours, key) for key in OWN})
    if theirs == wanted:
        return found
    try:
        merged, kept = tomlkit.parse(text), tomlkit.parse(settings if ours != Settings() else "")
        for key in OWN:
            merged.pop(key, None)
        # A plain value comes before the first section.
        parts = [tomlkit.dumps({key: kept[key]}) for key in OWN if key in kept]
        text = "\n".join([*parts[: "data" in kept], tomlkit.dumps(merged).strip("\n"), *parts["data" in kept :], ""])
        if parse(text, SETTINGS) == wanted:
            return text.encode()
    except (TOMLKitError, RecursionError):
        pass
    raise BackupError(f"the {SETTINGS} in the backup cannot be read with this machine's {' and '.join(OWN)}.")
