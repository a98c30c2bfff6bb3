"""A look into a journal that may be a running table's: nothing is written, and nothing is left behind beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from device.storage import repair


def used(path: Path) -> bool:
    """Whether a table has the journal open, or was cut off before it could close it."""
    return path.with_name(path.name + "-wal").exists()


def glance(path: Path) -> sqlite3.Connection:
    """A connection that only reads; without a WAL the file alone, since SQLite would make one. Raises sqlite3.Error."""
    if used(path):
        return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=1)
    return repair.reader(path)


def remembered(path: Path, *keys: str) -> list[str]:
    """What the journal remembers under these keys, as far as it can be read."""
    marks = ", ".join("?" * len(keys))
    try:
        with closing(glance(path)) as db:
            return [str(value) for (value,) in db.execute(f"select value from meta where key in ({marks})", keys)]
    except (OSError, sqlite3.Error):
        return []
