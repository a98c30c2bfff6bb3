"""Open a journal's SQLite file for writing, or for reading without leaving a trace."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Literal

CHECKPOINT_PAGES = 500
"""WAL size in pages of 4 KiB at which SQLite writes it into the file. This bounds the WAL."""

JOURNAL_SCHEMA = """
create table if not exists meta (key text primary key, value text not null, seal text not null default '') strict;
create table if not exists game (
    id integer primary key, header text not null, decks text not null, started text not null, snapshot text,
    seal text not null default ''
) strict;
create table if not exists entry (
    game integer not null references game (id), place integer not null, body text not null, source text not null,
    at text not null, seal text not null default '', primary key (game, place)
) strict, without rowid;
create table if not exists turn (
    game integer primary key, turn integer not null, name text not null, rev integer not null, seal text not null,
    standing text not null default ''
) strict;
"""
"""Tables of a journal. The column `seal` holds a row's checksum (device/storage/hash_chain.py)."""

TRANSIENT_ERROR_CODES = {
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM),
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR),
}
"""Primary SQLite codes for a problem of the machine, not of the file."""

READ_ERROR_CODES = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
"""Extended SQLite codes for a file that the disk cannot read."""


def is_damage_error(error: Exception) -> bool:
    """True if an error means a damaged file. False if the machine cannot serve the file right now."""
    if isinstance(error, OSError):
        return False
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code in READ_ERROR_CODES or (code & 0xFF) not in TRANSIENT_ERROR_CODES


class JournalConnection(sqlite3.Connection):
    """Connection to a file that may be damaged. It raises sqlite3.Error for messages that are not UTF-8, too.

    The message about a damaged schema quotes its bytes, and sqlite3 raises UnicodeDecodeError for it.
    """

    def execute(self, sql: str, values: Any = (), /) -> sqlite3.Cursor:
        try:
            return super().execute(sql, values)
        except UnicodeDecodeError as error:
            raise sqlite3.DatabaseError("its table of contents is damaged") from error


def open_writable(path: Path, synchronous: Literal["full", "normal"]) -> sqlite3.Connection:
    """Open a journal for writing. Create it if missing, for its owner only. Any thread may use the connection.

    With WAL and full syncs, no commit is lost to a power cut (sqlite.org/wal.html). With normal syncs the last commits
    may be lost, but the file stays intact. Raises OSError if the disk does not support this, and sqlite3.Error.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1, factory=JournalConnection)
    db.text_factory = decode_text
    try:
        (mode,) = db.execute("pragma journal_mode = wal").fetchone()
        db.execute(f"pragma synchronous = {synchronous}")
        (sync,) = db.execute("pragma synchronous").fetchone()
        if (mode, sync) != ("wal", {"full": 2, "normal": 1}[synchronous]):
            raise OSError(f"this disk keeps journal mode {mode} and sync {sync}, not wal and {synchronous}")
        db.execute("pragma foreign_keys = on")
        db.execute(f"pragma wal_autocheckpoint = {CHECKPOINT_PAGES}")
        db.execute(f"pragma journal_size_limit = {CHECKPOINT_PAGES * 4096 * 2}")
        db.executescript(JOURNAL_SCHEMA)
        add_seat_settings_column(db)
    except BaseException:
        db.close()
        raise
    return db


def add_seat_settings_column(db: sqlite3.Connection) -> None:
    """Add the column `standing` to the table `turn` of an older Dugout. Raises sqlite3.Error."""
    if not has_seat_settings_column(db):
        db.execute("alter table turn add column standing text not null default ''")


def has_seat_settings_column(db: sqlite3.Connection) -> bool:
    """True if the table `turn` has the column `standing`. Raises sqlite3.Error."""
    return any(row[1] == "standing" for row in db.execute("pragma table_info (turn)"))


def sibling_path(path: Path, ending: str) -> Path:
    """Path in the same folder, with `ending` appended to the name."""
    return path.with_name(path.name + ending)


def delete_journal(path: Path) -> int:
    """Delete a journal and SQLite's files next to it. Return the bytes freed. Errors of the disk are ignored."""
    gone = 0
    for file in (sibling_path(path, end) for end in ("", "-wal", "-shm")):
        with suppress(OSError):
            size = file.stat().st_size
            file.unlink()
            gone += size
    return gone


def is_in_use(path: Path) -> bool:
    """True if a process has the journal open, or was killed before it closed it."""
    return sibling_path(path, "-wal").exists()


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open a journal that a table may have open. Write nothing. Raises sqlite3.Error."""
    # Without a WAL, SQLite would create one and leave it there.
    how = "mode=ro" if is_in_use(path) else "mode=ro&immutable=1"
    uri = f"{Path(os.path.realpath(path)).as_uri()}?{how}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=1, factory=JournalConnection)
    db.text_factory = decode_text
    return db


def decode_text(text: bytes) -> str:
    """Decode a stored text. Replace invalid UTF-8, for which sqlite3 would reject all rows of a query.

    The checksum of a replaced text is wrong, as after any other damage.
    """
    return text.decode("utf-8", "replace")


def stored_values(path: Path, *keys: str) -> list[str]:
    """Values of the journal's table `meta` under these keys, without those that cannot be read."""
    marks = ", ".join("?" * len(keys))
    try:
        with closing(open_read_only(path)) as db:
            return [str(value) for (value,) in db.execute(f"select value from meta where key in ({marks})", keys)]
    except (OSError, sqlite3.Error):
        return []
