"""The journal on disk: an answer is durable before anybody is shown it.

SQLite in WAL mode with synchronous=FULL: one sync a commit, and no commit is lost to a power cut (sqlite.org/wal.html).
Both are set for each connection, read back and asserted. Every answer is sealed (device/seals.py), two copies are kept
(device/copies.py), and a damaged file is mended from all of them (device/mend.py).
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
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device import durable, mend, room, seals, story
from device.copies import Copies
from device.mend import SCHEMA
from device.seals import Chain
from engine.cards import parse
from engine.errors import DeckError, HouseRuleError
from engine.games import GAMES
from engine.journal import Entry, entry_json, entry_of
from engine.play import Game
from engine.table import Table

BUDGET = 32 << 20
"""So many bytes of games are kept: hundreds of them. The oldest go for new ones."""

NOTE = 120
"""Bytes of the note in the lock's file that says how far the journal goes."""

CHECKPOINT = 500
"""Pages of 4 KiB in the WAL from which on they are written into the file: its size is bounded so."""


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
    with; nothing depends on it. A damaged file is put aside under another name, what can be trusted in it and in its
    copies goes on in a new one, and `trouble` says so. At most `budget` bytes of games are kept, and the one in play.
    Raises StoreError when there can be no file here, or when another process keeps its games in it.
    """

    def __init__(
        self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC), budget: int = BUDGET
    ) -> None:
        self.path = path
        self.trouble: str | None = None
        self.copies = Copies(path)
        self._budget = budget
        self._clock = clock
        self._writing = threading.Lock()
        try:
            durable.make(path.parent)
            # On a file beside it: SQLite has locks of its own on the journal's.
            self._lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._closed(error) from error
        try:
            self._db = room.made(self._claim, path)
        except BaseException as error:
            os.close(self._lock)
            if isinstance(error, OSError | sqlite3.Error):
                raise self._closed(error) from error
            raise

    def _closed(self, error: Exception) -> StoreError:
        return StoreError(room.words(error, self.path.parent) or f"The journal {self.path} cannot be opened: {error}.")

    def _claim(self) -> sqlite3.Connection:
        """The file's connection, once no other process has it; a damaged file is put aside first."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OSError("another Dugout keeps its games there, end it first") from None
        room.sweep(self.path.parent, *room.LEFT, f"{self.path.name}.part", f"{self.path.name}.carved")
        if self.path.with_name(self.path.name + ".mended").exists():
            # The power went while it was put in its place.
            self._say(None, mend.swap(self.path, self._stamp()))
            self._attest(0, 0, "")
        rest = self.path.with_name(self.path.name + "-wal")
        wal = rest.read_bytes() if rest.exists() else b""
        db = None
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            durable.sync(self.path.parent)
            db = self._open()
            self._prove(db, wal)
            return db
        except OSError:
            if db is not None:
                db.close()
            raise
        except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            if db is not None:
                db.close()
            if isinstance(error, sqlite3.Error) and not mend.damage(error):
                raise
            log.warning("The journal is damaged: %s", error)
            last, aside = mend.mend(self.path, wal, retold, self._stamp())
            self._say(last, aside)
            if last is not None:
                self._attest(last.id, len(last.rows), last.head)
            else:
                self._attest(0, 0, "")
            return self._open()

    def _stamp(self) -> str:
        return f"{self._clock():%Y%m%d-%H%M%S}"

    def _say(self, last: Chain | None, aside: str) -> None:
        if last is not None and (last.id, len(last.rows), last.head) == self._attested():
            saved = "The game goes on as it stood."
        elif last is not None:
            saved = "The last answers may be gone: look where the game stands."
        else:
            saved = "Look whether the game stands as you left it."
        self.trouble = f"The journal was damaged and is mended. {saved} The old file is kept as {aside}."

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=1)
        try:
            (mode,) = db.execute("pragma journal_mode = wal").fetchone()
            db.execute("pragma synchronous = full")
            (sync,) = db.execute("pragma synchronous").fetchone()
            if (mode, sync) != ("wal", 2):
                raise StoreError(f"this disk keeps journal mode {mode} and sync {sync}, not wal and full")
            db.execute("pragma foreign_keys = on")
            db.execute(f"pragma wal_autocheckpoint = {CHECKPOINT}")
            db.execute(f"pragma journal_size_limit = {CHECKPOINT * 4096 * 2}")
            (health,) = db.execute("pragma quick_check(1)").fetchone()
            if health != "ok":
                raise sqlite3.DatabaseError(health)
            db.executescript(SCHEMA)
            if all(row[1] != "seal" for row in db.execute("pragma table_info (entry)")):
                _seal_all(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prove(self, db: sqlite3.Connection, wal: bytes) -> None:
        """Raises sqlite3.DatabaseError where the last game is not as it was written, or there was more of it."""
        if not seals.remembered(db)[1]:
            raise sqlite3.DatabaseError("what is remembered is not as it was written")
        ((game,),) = db.execute("select coalesce(max(id), 0) from game")
        ((count, other),) = db.execute("select coalesce(sum(game = ?), 0), coalesce(max(game), 0) from entry", (game,))
        kept = seals.chain([db], game) if game else None
        if other > game or (game and not (kept and kept.whole and len(kept.rows) == count)):
            raise sqlite3.DatabaseError("the last game is not as it was written")
        if wal:
            (_, read, _) = db.execute("pragma wal_checkpoint (passive)").fetchone()
            if mend.unread(wal, read):
                with mend.carved(self.path, wal) as whole:
                    if whole is not None and _beyond(whole, kept, 2):
                        raise sqlite3.DatabaseError("the end of its WAL is damaged")
        where = (kept.id, len(kept.rows)) if kept else (0, 0)
        if (said := self._attested()) is not None and said[:2] > where:
            raise sqlite3.DatabaseError("there were more answers in it")
        for copy in self.copies.found():
            with closing(copy):
                if _beyond(copy, kept, 1):
                    raise sqlite3.DatabaseError("a copy of it goes further")

    def synced(self) -> tuple[str, str]:
        """How its connection writes, read back: "wal" and "full", or the number of another sync."""
        with self._writing:
            ((mode,), (sync,)) = (self._db.execute(f"pragma {of}").fetchone() for of in ("journal_mode", "synchronous"))
        return str(mode), "full" if sync == 2 else str(sync)

    def close(self) -> None:
        """Close the file, and leave it to others, once what is being written is."""
        with self._writing:
            self._db.close()
        os.close(self._lock)

    def begin(self, table: Table) -> int:
        """Store a new game; gives its number. Entries that `table` already holds are stored with it."""
        decks = json.dumps([{"file": deck.file, "source": deck.source} for deck in table.decks])
        header, started, shown = json.dumps(table.header.as_json()), self._clock().isoformat(), snapshot(table)
        with self._write():
            cursor = self._db.execute(
                "insert into game (header, decks, started, snapshot) values (?, ?, ?, ?)",
                (header, decks, started, shown),
            )
            game = int(cursor.lastrowid or 0)
            head = seals.root(game, header, decks)
            for place, entry in enumerate(table.journal):
                head = self._insert(game, place, entry, "", head)
            self._db.execute("update game set seal = ? where id = ?", (seals.seal(head, shown), game))
            self._thin(game)
        self._attest(game, len(table.journal), head)
        self.copies.note(table, True)
        return game

    def append(self, game: int, table: Table, source: str) -> None:
        """Store the last entry of `table`, with who gave it and what the faces show now. Durable on return."""
        place, shown = len(table.journal) - 1, snapshot(table)
        with self._write():
            head = self._insert(game, place, table.journal[-1], source, self._head(game, place))
            self._db.execute(
                "update game set snapshot = ?, seal = ? where id = ?", (shown, seals.seal(head, shown), game)
            )
            if place % 64 == 63:
                self._thin(game)
        self._attest(game, place + 1, head)
        self.copies.note(table)

    def _attest(self, game: int, count: int, head: str) -> None:
        """Note beside the journal how far it goes. It is not synced: after a cut it says too little, never too much."""
        with suppress(OSError):
            said = json.dumps([game, count, head, seals.seal("end", game, count, head)])
            os.pwrite(self._lock, said.ljust(NOTE).encode(), 0)

    def _attested(self) -> tuple[int, int, str] | None:
        """How far the journal goes for sure; None where that is not known."""
        try:
            game, count, head, mark = json.loads(os.pread(self._lock, NOTE, 0))
        except (OSError, ValueError, TypeError):
            return None
        return (game, count, head) if mark == seals.seal("end", game, count, head) else None

    def _head(self, game: int, place: int) -> str:
        """The seal that the answer at `place` continues."""
        if place:
            row = self._db.execute("select seal from entry where game = ? and place = ?", (game, place - 1)).fetchone()
            return str(row[0]) if row else ""
        row = self._db.execute("select header, decks from game where id = ?", (game,)).fetchone()
        return seals.root(game, *row) if row else ""

    def _insert(self, game: int, place: int, entry: Entry, source: str, before: str) -> str:
        said = json.dumps(entry_json(entry)), source, self._clock().isoformat()
        mark = seals.seal(before, place, *said)
        self._db.execute(
            "insert into entry (game, place, body, source, at, seal) values (?, ?, ?, ?, ?, ?)",
            (game, place, *said, mark),
        )
        return mark

    def _thin(self, game: int) -> None:
        """Let the oldest games go until the rest are within the budget, or only `game` is left."""

        def used() -> int:
            pages, free = (
                self._db.execute(f"pragma {what}").fetchone()[0] for what in ("page_count", "freelist_count")
            )
            return int(pages - free) * 4096

        gone = None
        while used() > self._budget:
            ((oldest,),) = self._db.execute("select min(id) from game")
            if oldest == game:
                break
            self._db.execute("delete from entry where game = ?", (oldest,))
            self._db.execute("delete from game where id = ?", (oldest,))
            gone = oldest
        if gone is not None:
            self._remember("gone", str(gone))

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
            row = self._db.execute("select value from meta where key = ?", (key,)).fetchone()
            if row is not None:
                return str(row[0])
            value = make()
            self._remember(key, value)
        self.copies.note()
        return value

    def keep(self, values: Mapping[str, str]) -> None:
        """Put values under their keys in place of what was remembered there, all of them or none."""
        with self._write():
            for key, value in values.items():
                self._remember(key, value)
        self.copies.note()

    def _remember(self, key: str, value: str) -> None:
        self._db.execute(
            "insert into meta (key, value, seal) values (?, ?, ?) "
            "on conflict (key) do update set value = excluded.value, seal = excluded.seal",
            (key, value, seals.seal("meta", key, value)),
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


def _beyond(db: sqlite3.Connection, kept: Chain | None, by: int) -> bool:
    """Whether a file goes on from `kept` by so many answers, or has a later game."""
    with suppress(sqlite3.Error, TypeError, ValueError):
        ((game,),) = db.execute("select coalesce(max(id), 0) from game")
        if kept is not None and game == kept.id:
            ((count,),) = db.execute("select count(*) from entry where game = ?", (game,))
            if count < len(kept.rows) + by:
                return False
        elif game <= (kept.id if kept else 0):
            return False
        more = seals.chain([db], game)
        if more is None:
            return False
        if kept is None or more.id != kept.id:
            return True
        ours = [row[3] for row in kept.rows]
        return len(more.rows) >= len(ours) + by and [row[3] for row in more.rows[: len(ours)]] == ours
    return False


def _seal_all(db: sqlite3.Connection) -> None:
    """Seal what an older Dugout kept."""
    db.execute("begin immediate")
    for table in ("meta", "game", "entry"):
        if all(row[1] != "seal" for row in db.execute(f"pragma table_info ({table})")):
            db.execute(f"alter table {table} add column seal text not null default ''")
    for key, value in db.execute("select key, value from meta").fetchall():
        db.execute("update meta set seal = ? where key = ?", (seals.seal("meta", key, value), key))
    for (game,) in db.execute("select id from game").fetchall():
        seal_game(db, game)
    db.execute("commit")


def seal_game(db: sqlite3.Connection, game: int) -> None:
    """Seal a game as it is in the file, whatever that is."""
    header, decks, shown = db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
    head = seals.root(game, header, decks)
    rows = db.execute("select place, body, source, at from entry where game = ? order by place", (game,)).fetchall()
    for row in rows:
        head = seals.seal(head, *row)
        db.execute("update entry set seal = ? where game = ? and place = ?", (head, game, row[0]))
    db.execute("update game set seal = ? where id = ?", (seals.seal(head, shown), game))


def retold(kept: Chain) -> str | None:
    """What a game that was cut short shows now; None where these rules cannot tell."""
    try:
        return snapshot(restore(json.loads(kept.header), json.loads(kept.decks), [row[0] for row in kept.rows]))
    except Exception:  # as with any stored game
        return None


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
