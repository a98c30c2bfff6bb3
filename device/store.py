"""The journal on disk: an answer is durable before anybody is shown it.

SQLite in WAL mode with synchronous=FULL: one sync a commit, and no commit is lost to a power cut (sqlite.org/wal.html).
Both are set for each connection, read back and asserted.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device import story
from engine.cards import parse
from engine.errors import DeckError, HouseRuleError
from engine.games import GAMES
from engine.journal import Entry, entry_json, entry_of
from engine.play import Game
from engine.table import Table

SCHEMA = """
create table if not exists meta (key text primary key, value text not null) strict;
create table if not exists game (
    id integer primary key, header text not null, decks text not null, started text not null, snapshot text
) strict;
create table if not exists entry (
    game integer not null references game (id), place integer not null, body text not null, source text not null,
    at text not null, primary key (game, place)
) strict, without rowid;
"""


log = logging.getLogger("dugout.store")


class StoreError(OSError):
    """The journal cannot be opened, read or written; the sentence says which file and why."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A game as it was saved: its number, its table restored from the journal, or why that could not be done."""

    id: int
    table: Table | None
    trouble: str | None


class Store:
    """The journals of all games in one SQLite file. Any thread may write; else one caller at a time.

    `path` is created if missing, for its owner alone: it holds the codes. `clock` gives the time an entry is stamped
    with; nothing depends on it. A damaged file is put aside under another name and `trouble` says so. Raises StoreError
    when there can be no file here, or when another process keeps its games in it.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.path = path
        self.trouble: str | None = None
        self._clock = clock
        self._writing = threading.Lock()
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # On a file beside it: SQLite has locks of its own on the journal's.
            self._lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreError(f"The journal {path} cannot be opened: {error}.") from error
        try:
            self._db = self._claim()
        except (OSError, sqlite3.Error) as error:
            os.close(self._lock)
            raise StoreError(f"The journal {path} cannot be opened: {error}.") from error

    def _claim(self) -> sqlite3.Connection:
        """The file's connection, once no other process has it; a damaged file is put aside first."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OSError("another Dugout keeps its games there, end it first") from None
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        try:
            return self._open()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            aside = self.path.with_name(f"{self.path.name}.damaged-{self._clock():%Y%m%d-%H%M%S}")
            self.path.rename(aside)
            # They belong to the file that was put aside, and would spoil a new one.
            for rest in ("-wal", "-shm"):
                self.path.with_name(self.path.name + rest).unlink(missing_ok=True)
            self.trouble = f"The journal was damaged ({error}); it is kept as {aside.name}."
            return self._open()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=1)
        try:
            (mode,) = db.execute("pragma journal_mode = wal").fetchone()
            db.execute("pragma synchronous = full")
            (sync,) = db.execute("pragma synchronous").fetchone()
            if (mode, sync) != ("wal", 2):
                raise StoreError(f"this disk keeps journal mode {mode} and sync {sync}, not wal and full")
            db.execute("pragma foreign_keys = on")
            (health,) = db.execute("pragma quick_check(1)").fetchone()
            if health != "ok":
                raise sqlite3.DatabaseError(health)
            db.executescript(SCHEMA)
        except BaseException:
            db.close()
            raise
        return db

    def close(self) -> None:
        """Close the file, and leave it to others, once what is being written is."""
        with self._writing:
            self._db.close()
        os.close(self._lock)

    def begin(self, table: Table) -> int:
        """Store a new game; gives its number. Entries that `table` already holds are stored with it."""
        decks = json.dumps([{"file": deck.file, "source": deck.source} for deck in table.decks])
        with self._write():
            cursor = self._db.execute(
                "insert into game (header, decks, started, snapshot) values (?, ?, ?, ?)",
                (json.dumps(table.header.as_json()), decks, self._clock().isoformat(), snapshot(table)),
            )
            game = int(cursor.lastrowid or 0)
            for place, entry in enumerate(table.journal):
                self._insert(game, place, entry, "")
        return game

    def append(self, game: int, table: Table, source: str) -> None:
        """Store the last entry of `table`, with who gave it and what the faces show now. Durable on return."""
        with self._write():
            self._insert(game, len(table.journal) - 1, table.journal[-1], source)
            self._db.execute("update game set snapshot = ? where id = ?", (snapshot(table), game))

    def _insert(self, game: int, place: int, entry: Entry, source: str) -> None:
        self._db.execute(
            "insert into entry (game, place, body, source, at) values (?, ?, ?, ?, ?)",
            (game, place, json.dumps(entry_json(entry)), source, self._clock().isoformat()),
        )

    def latest(self) -> Saved | None:
        """The game that was played last, restored; None when there is none. Raises StoreError."""
        try:
            row = self._db.execute("select id, header, decks, snapshot from game order by id desc limit 1").fetchone()
            if row is None:
                return None
            game, header, decks, shown = row
            rows = self._db.execute("select body from entry where game = ? order by place", (game,)).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"The journal {self.path} cannot be read: {error}.") from error
        try:
            table = restore(json.loads(header), json.loads(decks), [body for (body,) in rows])
            if shown and not stands(table, shown):
                raise LookupError("they lead to another score than was shown.")
        except (
            Exception
        ) as error:  # there is no end to what a foreign journal can break; the table is to open all the same
            log.info("The last game cannot be read: %s.", type(error).__name__)
            return Saved(game, None, f"The last game cannot be continued under these rules: {reason(error)}")
        return Saved(game, table, None)

    def remember(self, key: str, make: Callable[[], str] = lambda: secrets.token_hex(32)) -> str:
        """A value kept for good under `key`; made at the first call."""
        with self._write():
            self._db.execute("insert or ignore into meta (key, value) values (?, ?)", (key, make()))
            (value,) = self._db.execute("select value from meta where key = ?", (key,)).fetchone()
        return str(value)

    def keep(self, values: Mapping[str, str]) -> None:
        """Put values under their keys in place of what was remembered there, all of them or none."""
        with self._write():
            self._db.executemany(
                "insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value",
                values.items(),
            )

    def _write(self) -> _Transaction:
        return _Transaction(self._db, self.path, self._writing)


class _Transaction:
    """All or nothing, and durable when it is over. One at a time: `writing` is held meanwhile."""

    def __init__(self, db: sqlite3.Connection, path: Path, writing: threading.Lock) -> None:
        self._db, self._path, self._writing = db, path, writing

    def __enter__(self) -> None:
        self._writing.acquire()
        try:
            self._db.execute("begin immediate")
        except sqlite3.Error as error:
            self._writing.release()
            raise StoreError(f"The journal {self._path} cannot be written: {error}.") from error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        try:
            self._db.execute("rollback" if error else "commit")
        except sqlite3.Error as failed:
            if self._db.in_transaction:
                self._db.execute("rollback")
            raise StoreError(f"The journal {self._path} cannot be written: {failed}.") from failed
        finally:
            self._writing.release()
        if isinstance(error, sqlite3.Error):
            raise StoreError(f"The journal {self._path} cannot be written: {error}.") from error


def snapshot(table: Table) -> str:
    """What a spectator sees and how many plays there were: it tells of a game even when its journal cannot be read."""
    return json.dumps(table.view(None) | {"plays": story.told(table)})


def view_of(table: Table) -> dict[str, Any]:
    """What a spectator sees, as it comes back from JSON."""
    shown: dict[str, Any] = json.loads(json.dumps(table.view(None)))
    return shown


def reason(error: Exception) -> str:
    """Why a journal is not read, for everyone: an answer that was refused may be a secret, and is never repeated."""
    if isinstance(error, DeckError | HouseRuleError) or type(error) is LookupError:
        return str(error)
    return "there is something in its journal that they do not know."


def stands(table: Table, shown: str) -> bool:
    """Whether a table stands as a snapshot says, in all that the rules decide; how it is called may have changed."""
    return _figures(view_of(table)) == _figures(json.loads(shown))


def _figures(shown: dict[str, Any]) -> tuple[Any, ...]:
    board, outcome = shown["scoreboard"], shown.get("outcome") or {}
    return (
        [board.get(figure) for figure in ("inning", "half", "outs", "count", "batting")],
        {seat: side["runs"] for seat, side in board.get("sides", {}).items()},
        [runner is not None for runner in board.get("bases", ())],
        [outcome.get("winner"), outcome.get("reason")],
    )


def restore(header: dict[str, Any], decks: list[dict[str, str]], bodies: list[str]) -> Table:
    """The table a journal tells. Raises an EngineError or LookupError when these rules no longer read it so.

    A game stored under another version of its rules comes back too, if they still read it.
    """
    game: Game = GAMES[header["game"]]
    parsed = [parse(deck["source"], deck["file"], game.key, game.shapes) for deck in decks]
    if [deck.digest for deck in parsed] != [deck["sha256"] for deck in header["decks"]]:
        raise LookupError("its cards are not the ones it was begun with.")
    return Table(game, parsed, header["house"], [entry_of(json.loads(body)) for body in bodies])
