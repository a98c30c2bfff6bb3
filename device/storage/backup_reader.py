"""Read an untrusted backup: its files are data of known names, kinds and sizes.

One file that does not fit its name makes the complete backup invalid. The archive's list of files is bounded before it
is read, each file while it is unpacked.
"""

from __future__ import annotations

import os
import struct
import tempfile
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import tomlkit
from tomlkit.exceptions import TOMLKitError

from device.settings import Settings, SettingsError, parse_settings
from device.storage import game_file, game_list, hash_chain, old_backup, repair
from device.storage.backup import game_count_text
from device.storage.backup_files import (
    BACKUP_FOLDERS,
    FORMAT_FILE,
    GAME_PATTERN,
    MAX_FILES_BY_FOLDER,
    MAX_GAMES_BYTES,
    OLD_JOURNAL,
    SETTINGS_NAME,
    BackupError,
    backup_error,
    check_file,
    max_file_bytes,
)
from device.storage.backup_switch import JOURNAL_FILE
from engine.cards import quoted_value

MAX_BACKUP_BYTES = 640 << 20  # maximum unpacked bytes of a backup
MAX_LIST_BYTES = 1 << 20  # maximum bytes of an archive's list of files

ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, UnicodeError)
"""Errors of `zipfile` for malformed archives. UnicodeError is for a name that is not text."""

LOCAL_SETTINGS = ("data", "web")
"""Settings that a restore does not replace: the location of the games, and who can reach the pages."""

NOT_A_BACKUP = "this is not a backup of Dugout"


def unpack_backup(file: BinaryIO, new: Path, values: dict[str, str], settings: str) -> tuple[str, bytes | None]:
    """Unpack a backup into the folder `new` and check all of it. Nothing is synced yet.

    values: this table's codes and keys.
    settings: this table's settings, of which `LOCAL_SETTINGS` stay.

    Returns a sentence about what was restored, and the settings if there are any. Raises BackupError, SettingsError and
    OSError.
    """
    games, found, name = 0, None, "its list of files"
    try:
        _check_zip_end(file)
        with zipfile.ZipFile(file) as packed:
            members = _archive_members(packed)
            if OLD_JOURNAL in packed.namelist():
                with tempfile.TemporaryFile(dir=new.parent) as converted:
                    left_out = old_backup.convert_backup(packed, converted, new.parent)
                    said, text = unpack_backup(converted, new, values, settings)
                return said + left_out, text
            with repair.create_journal(new / JOURNAL_FILE) as db:
                for member in members:
                    name = member.filename
                    with packed.open(member) as opened:
                        if game := GAME_PATTERN.fullmatch(name):
                            chain, row = game_file.read_game(opened, name, int(game[1]))
                            repair.write_chain(db, chain)
                            game_list.write_row(db, chain.id, row)
                            games += 1
                            continue
                        data = opened.read(max_file_bytes(name) + 1)
                    check_file(name, data)
                    if name == SETTINGS_NAME:
                        found = data
                    elif name != FORMAT_FILE:
                        (new / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                        (new / name).touch(0o600, exist_ok=False)
                        (new / name).write_bytes(data)
                for key, value in values.items():
                    hash_chain.set_value(db, key, value)
    except ZIP_ERRORS as error:
        raise BackupError(f"{NOT_A_BACKUP}, or a damaged one: {backup_error(name, error)}") from None
    return f"{game_count_text(games)} restored.", None if found is None else _with_local_settings(found, settings)


def _check_zip_end(file: BinaryIO) -> None:
    """Check that an archive ends like one of Dugout. Otherwise its list of files could be huge. Raises BackupError."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - 42))
    tail = file.read()
    end = tail[-22:]
    # In a ZIP64 file, the 20 bytes before the end record begin with a signature of their own.
    if not end.startswith(b"PK\5\6") or end[20:] != b"\0\0" or tail.startswith(b"PK\6\7"):
        raise BackupError(f"{NOT_A_BACKUP}, or a damaged one: it does not end as a ZIP file of Dugout does.")
    if int.from_bytes(end[12:16], "little") > MAX_LIST_BYTES:
        raise BackupError(f"{NOT_A_BACKUP}: it holds too many files.")


def _archive_members(packed: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Files in an archive. Raises BackupError if Dugout cannot have written it."""
    members = packed.infolist()
    names = {one.filename for one in members}
    if len(names) < len(members) or (FORMAT_FILE in names) == (OLD_JOURNAL in names):
        raise BackupError(f"{NOT_A_BACKUP}: it needs one {FORMAT_FILE}, and each name once.")
    for one in members:
        folder, *inner = one.filename.split("/")
        known = max_file_bytes(one.filename) or (
            folder in BACKUP_FOLDERS and inner and not {"", ".", ".."} & set(inner)
        )
        if not known or one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or one.header_offset < 0:
            raise BackupError(f"{NOT_A_BACKUP}: Dugout writes no such file: {quoted_value(one.filename)}.")
    games = [one for one in members if one.filename == OLD_JOURNAL or GAME_PATTERN.fullmatch(one.filename)]
    for sizes, most in ((members, MAX_BACKUP_BYTES), (games, MAX_GAMES_BYTES)):
        if sum(one.file_size for one in sizes) > most:
            raise BackupError(f"this backup holds more than {most >> 20} MiB{' of games' * (sizes is games)}.")
    if large := [one.filename for one in games if one.file_size > max_file_bytes(one.filename)]:
        raise BackupError(f"{large[0]}: it is larger than {max_file_bytes(large[0]) >> 20} MiB.")
    for folder, most in MAX_FILES_BY_FOLDER.items():
        if sum(name.startswith(f"{folder}/") and max_file_bytes(name) > 0 for name in names) > most:
            raise BackupError(f"this backup holds more than {most} {folder}.")
    return members


def _with_local_settings(found: bytes, settings: str) -> bytes:
    """Settings of a backup with this machine's `LOCAL_SETTINGS`. Raises SettingsError and BackupError."""
    try:
        text, ours = found.decode("utf-8-sig"), Settings()
    except UnicodeDecodeError:
        raise BackupError(f"the {SETTINGS_NAME} in the backup is not UTF-8 text.") from None
    theirs = parse_settings(text, f"{SETTINGS_NAME} in the backup")
    with suppress(SettingsError):
        ours = parse_settings(settings, SETTINGS_NAME)
    wanted = theirs.model_copy(update={key: getattr(ours, key) for key in LOCAL_SETTINGS})
    if theirs == wanted:
        return found
    try:
        merged, kept = tomlkit.parse(text), tomlkit.parse(settings if ours != Settings() else "")
        for key in LOCAL_SETTINGS:
            merged.pop(key, None)
        # In TOML a top-level value must precede the first section.
        parts = [tomlkit.dumps({key: kept[key]}) for key in LOCAL_SETTINGS if key in kept]
        text = "\n".join([*parts[: "data" in kept], tomlkit.dumps(merged).strip("\n"), *parts["data" in kept :], ""])
        if parse_settings(text, SETTINGS_NAME) == wanted:
            return text.encode()
    except (TOMLKitError, RecursionError):
        pass
    raise BackupError(
        f"the {SETTINGS_NAME} in the backup cannot be read with this machine's {' and '.join(LOCAL_SETTINGS)}."
    )
