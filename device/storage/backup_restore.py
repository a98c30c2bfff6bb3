"""Restore a backup: its files are read as data, prepared beside those of the table, and take their place at once."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from device.storage import atomic_file, backup_reader, backup_switch, database, disk_space, hash_chain
from device.storage.backup import SETTINGS, BackupError
from device.storage.backup_switch import JOURNAL, RESTORED


def restore(file: BinaryIO, data: Path, settings: Path | None) -> tuple[str, bytes | None]:
    """Put a backup in the place of what is there, which is kept aside; return a sentence about it.

    Codes and keys stay this table's. The settings in the backup, if any, are returned as well, checked; those in use,
    `settings`, are copied to what is kept. Whenever it is cut off, there is all that was there or all that is restored.
    Raises BackupError, SettingsError, OSError and sqlite3.Error, and then nothing has changed.
    """
    atomic_file.make(data)
    lock = os.open(data / f"{JOURNAL}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        if not atomic_file.lock(lock):
            raise BackupError(f"a table runs on {data}: end it first.")
        backup_switch.finish(data, lock)
        disk_space.sweep(data, *disk_space.LEFTOVERS)
        own = _values(data / JOURNAL) | {RESTORED: f"{datetime.now():%Y-%m-%d %H:%M}"}
        with backup_switch.prepared(data) as new:
            now = ""
            with suppress(OSError, UnicodeDecodeError):
                now = settings.read_text("utf-8-sig") if settings is not None else ""
            unpacked = backup_reader.unpack(file, new, own, now)
            if unpacked.settings is not None and now:
                shutil.copyfile(settings, new.parent / SETTINGS)  # type: ignore[arg-type]  # else it would be empty
            kept = backup_switch.switch(new, lock)
    finally:
        os.close(lock)
    return f"{unpacked.sentence} What was there is kept in {kept}.", unpacked.settings


def _values(journal: Path) -> dict[str, str]:
    """Return the codes and keys of the table that is there, as far as they can be trusted."""
    if not journal.exists():
        return {}
    with suppress(sqlite3.Error, OSError), closing(database.read_only(journal)) as db:
        return hash_chain.values(db)[0]
    return {}
