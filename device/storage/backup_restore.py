"""Restore a backup. Its files are read as data, prepared next to the table's files, and replace them at once."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import BinaryIO

from device import named_file
from device.storage import atomic_file, backup_reader, backup_switch, database, disk_space, hash_chain
from device.storage.backup_files import SETTINGS_NAME, BackupError
from device.storage.backup_switch import JOURNAL_FILE, RESTORED_KEY


def restore_backup(file: BinaryIO, data: Path, settings: Path | None) -> tuple[str, Path | None]:
    """Restore a backup and keep the replaced files. Return a sentence about it and the path of restored settings.

    Codes and keys stay this table's. Settings in the backup replace those in use, `settings`, which are kept as well.
    If they may not be written, the restored settings are put into the data folder. If interrupted, either everything
    old or everything restored is in place, settings included. Raises BackupError, SettingsError, OSError and
    sqlite3.Error. Then nothing has changed, or the next start finishes the restore.
    """
    atomic_file.make_folder(data)
    lock = os.open(data / f"{JOURNAL_FILE}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        if not atomic_file.try_lock(lock):
            raise BackupError(f"a table is running on {data}: stop it first.")
        backup_switch.finish_restore(data, lock)
        disk_space.delete_leftovers(data, *disk_space.LEFTOVER_PATTERNS)
        own = _table_values(data / JOURNAL_FILE) | {RESTORED_KEY: f"{datetime.now():%Y-%m-%d %H:%M}"}
        with backup_switch.prepare_restore(data) as new:
            now = _read_settings(settings)
            said, text = backup_reader.unpack_backup(file, new, own, (now or b"").decode("utf-8-sig", "replace"))
            where = settings
            if text is not None and now:
                (new.parent / SETTINGS_NAME).write_bytes(now)
            if text is None or text == now:
                kept = backup_switch.replace_files(new, lock)
            elif settings is not None and _may_write(settings, now):
                backup_switch.expect_settings(new, settings, text)
                mode = settings.stat().st_mode & 0o777 if now is not None else 0o644
                kept = backup_switch.replace_files(new, lock, partial(atomic_file.write_file, settings, text, mode))
            else:
                where = data / SETTINGS_NAME
                (new / SETTINGS_NAME).write_bytes(text)
                kept = backup_switch.replace_files(new, lock)
    finally:
        os.close(lock)
    return f"{said} What was there is kept in {kept}.", None if text is None else where


def _read_settings(settings: Path | None) -> bytes | None:
    """Settings in use. None if there are none that can be read."""
    with suppress(OSError):
        return None if settings is None else named_file.read_file(settings, backup_switch.MAX_SETTINGS_BYTES)
    return None


def _may_write(settings: Path, now: bytes | None) -> bool:
    if now is None and os.path.lexists(settings):
        return False  # it could not be verified later whether they are in place
    return os.access(settings.parent, os.W_OK | os.X_OK)


def _table_values(journal: Path) -> dict[str, str]:
    """Codes and keys of the current table that can be trusted."""
    if not journal.exists():
        return {}
    with suppress(sqlite3.Error, OSError), closing(database.open_read_only(journal)) as db:
        return hash_chain.trusted_values(db)[0]
    return {}
