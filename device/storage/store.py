"""The journal on disk: an answer is durable before anybody is shown it.

SQLite in WAL mode with synchronous=FULL: one sync a commit, and no commit is lost to a power cut (sqlite.org/wal.html).
Both are set for each connection, read back and asserted. Every answer is sealed (device/storage/hash_chain.py), two
copies are kept (device/storage/copies.py), and a damaged file is mended from all of them (device/storage/repair.py).
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

from device.storage import atomic_file, disk_space, game_list, hash_chain, repair
from device.storage.copies import Copies
from device.storage.hash_chain import Chain
from device.storage.repair import SCHEMA
from device.table.restore import reason, restore, retold, snapshot, stands
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Entry, entry_json
from engine.table import Table

BUDGET = 32 << 20
"""So many bytes of games are kept: hundreds of them. For new ones the oldest go that are over, then the oldest."""

NOTE = 120
"""Bytes of the note in the lock's file that says how far the journal goes."""

CHECKPOINT = 500
"""Pages of 4 KiB in the WAL from which on they are written into the file: its size is bounded so."""


log = logging.getLogger("dugout.store")


class StoreError(OSError):
    """The journal cannot be opened, read or written; the sentence says which file and why."""


class InUse(OSError):
    """Another process keeps its games there."""


End = tuple[int, int, int, str]
"""How far the journal goes: the turn and number of the game on the table, how many answers it has, its last seal."""

OVER = """json_valid(snapshot) and
    (json_type(snapshot, '$.outcome') = 'object' or json_extract(snapshot, '$.version') = 0)"""
"""Games that nobody plays on."""


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
            atomic_file.make(path.parent)
            # On a file beside it: SQLite has locks of its own on the journal's.
            self._lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._closed(error) from error
        try:
            self._db = disk_space.made(self._claim, path)
        except BaseException as error:
            os.close(self._lock)
            if isinstance(error, OSError | sqlite3.Error):
                raise self._closed(error) from error
            raise

    def _closed(self, error: Exception) -> StoreError:
        return StoreError(
            disk_space.words(error, self.path.parent) or f"The journal {self.path} cannot be opened: {error}."
        )

    def _claim(self) -> sqlite3.Connection:
        """The file's connection, once no other process has it; a damaged file is put aside first."""
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InUse("another Dugout keeps its games there, end it first") from None
        disk_space.sweep(self.path.parent, *disk_space.LEFT, f"{self.path.name}.part", f"{self.path.name}.carved")
        if self.path.with_name(self.path.name + ".mended").exists():
            # The power went while it was put in its place.
            self._say(None, repair.swap(self.path, self._stamp()))
            self._attest(0, 0, 0, "")
        rest = self.path.with_name(self.path.name + "-wal")
        wal = rest.read_bytes() if rest.exists() else b""
        db = None
        try:
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            atomic_file.sync(self.path.parent)
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
            if isinstance(error, sqlite3.Error) and not repair.damage(error):
                raise
            log.warning("The journal is damaged: %s", error)
            last, aside = repair.mend(self.path, wal, retold, self._stamp())
            db = self._open()
            where = (game_list.current(db)[0], last.id, len(last.rows), last.head) if last else (0, 0, 0, "")
            self._say(where if last else None, aside)
            self._attest(*where)
            return db

    def _stamp(self) -> str:
        return f"{self._clock():%Y%m%d-%H%M%S}"

    def _say(self, last: End | None, aside: str) -> None:
        if last is not None and last == self._attested():
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
                hash_chain.seal_all(db)
        except BaseException:
            db.close()
            raise
        return db

    def _prove(self, db: sqlite3.Connection, wal: bytes) -> None:
        """Raises sqlite3.DatabaseError where the last game is not as it was written, or there was more of it."""
        if not hash_chain.remembered(db)[1]:
            raise sqlite3.DatabaseError("what is remembered is not as it was written")
        if game_list.read(db)[1]:
            raise sqlite3.DatabaseError(
                "the games' names, or which of them is on the table, are not as they were written"
            )
        turn, game = game_list.current(db)
        ((count, other),) = db.execute("select coalesce(sum(game = ?), 0), coalesce(max(game), 0) from entry", (game,))
        ((newest,),) = db.execute("select coalesce(max(id), 0) from game")
        kept = hash_chain.chain([db], game) if game else None
        if other > newest or (game and not (kept and kept.whole and len(kept.rows) == count)):
            raise sqlite3.DatabaseError("the last game is not as it was written")
        if wal:
            (_, read, _) = db.execute("pragma wal_checkpoint (passive)").fetchone()
            if repair.unread(wal, read):
                with repair.carved(self.path, wal) as whole:
                    if whole is not None and _beyond(whole, kept, turn, 2):
                        raise sqlite3.DatabaseError("the end of its WAL is damaged")
        if (said := self._attested()) is not None and (said[0], said[2]) > (turn, len(kept.rows) if kept else 0):
            raise sqlite3.DatabaseError("there were more answers in it")
        for copy in self.copies.found():
            with closing(copy):
                if _beyond(copy, kept, turn, 1):
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
            game = game_list.new(self._db)
            self._db.execute(
                "insert into game (id, header, decks, started, snapshot) values (?, ?, ?, ?, ?)",
                (game, header, decks, started, shown),
            )
            turn = game_list.lay(self._db, game)
            head = hash_chain.root(game, header, decks)
            for place, entry in enumerate(table.journal):
                head = self._insert(game, place, entry, "", head)
            self._db.execute("update game set seal = ? where id = ?", (hash_chain.seal(head, shown), game))
            self._thin(game)
        self._attest(turn, game, len(table.journal), head)
        self.copies.note(table, True)
        return game

    def take(self, game: int, table: Table) -> None:
        """Put a game on the table again, `table` as `load` gave it; durable on return. The one there is put aside.

        Raises StaleAnswer where the game went on since it was loaded, or had to go.
        """
        with self._write():
            ((count,),) = self._db.execute("select count(*) from entry where game = ?", (game,))
            known = self._db.execute("select 1 from game where id = ?", (game,)).fetchone()
            if not known or count != len(table.journal):
                raise StaleAnswer("That game went on meanwhile: look again.")
            turn = game_list.lay(self._db, game)
        self._attest(turn, game, count, self._head(game, count))
        self.copies.note(table, True)

    def name(self, game: int, name: str) -> bool:
        """Give a game a name, or with "" none; False where there is no game of that number.

        Raises IllegalAnswer where it can be no name.
        """
        try:
            name = game_list.named(name)
        except ValueError as error:
            raise IllegalAnswer(f"The name {error}") from None
        with self._write():
            if self._db.execute("select 1 from game where id = ?", (game,)).fetchone() is None:
                return False
            game_list.call(self._db, game, name)
        self.copies.note()
        return True

    def append(self, game: int, table: Table, source: str) -> None:
        """Store the last entry of `table`, with who gave it and what the faces show now. Durable on return."""
        place, shown = len(table.journal) - 1, snapshot(table)
        with self._write():
            head = self._insert(game, place, table.journal[-1], source, self._head(game, place))
            self._db.execute(
                "update game set snapshot = ?, seal = ? where id = ?", (shown, hash_chain.seal(head, shown), game)
            )
            if place % 64 == 63:
                self._thin(game)
        row = self._db.execute("select turn from turn where game = ?", (game,)).fetchone()
        self._attest(row[0] if row else game, game, place + 1, head)
        self.copies.note(table)

    def _attest(self, turn: int, game: int, count: int, head: str) -> None:
        """Note beside the journal how far it goes. It is not synced: after a cut it says too little, never too much."""
        with suppress(OSError):
            said = json.dumps([turn, game, count, head, hash_chain.seal("end", turn, game, count, head)])
            os.pwrite(self._lock, said.ljust(NOTE).encode(), 0)

    def _attested(self) -> End | None:
        """How far the journal goes for sure; None where that is not known."""
        try:
            turn, game, count, head, mark = json.loads(os.pread(self._lock, NOTE, 0))
        except (OSError, ValueError, TypeError):
            return None
        return (turn, game, count, head) if mark == hash_chain.seal("end", turn, game, count, head) else None

    def _head(self, game: int, place: int) -> str:
        """The seal that the answer at `place` continues."""
        if place:
            row = self._db.execute("select seal from entry where game = ? and place = ?", (game, place - 1)).fetchone()
            return str(row[0]) if row else ""
        row = self._db.execute("select header, decks from game where id = ?", (game,)).fetchone()
        return hash_chain.root(game, *row) if row else ""

    def _insert(self, game: int, place: int, entry: Entry, source: str, before: str) -> str:
        said = json.dumps(entry_json(entry)), source, self._clock().isoformat()
        mark = hash_chain.seal(before, place, *said)
        self._db.execute(
            "insert into entry (game, place, body, source, at, seal) values (?, ?, ?, ?, ?, ?)",
            (game, place, *said, mark),
        )
        return mark

    def _thin(self, game: int) -> None:
        """Let games go until the rest are within the budget, or only `game` is left: those that are over or that nobody
        played first, and of these and of the others those first that were on the table longest ago."""

        def used() -> int:
            pages, free = (
                self._db.execute(f"pragma {what}").fetchone()[0] for what in ("page_count", "freelist_count")
            )
            return int(pages - free) * 4096

        while used() > self._budget:
            over = {int(one) for (one,) in self._db.execute(f"select id from game where {OVER}")}
            oldest = sorted((one not in over, turn, one) for turn, one in game_list.order(self._db) if one != game)
            if not oldest:
                break
            gone = oldest[0][2]
            game_list.drop(self._db, gone)
            self._db.execute("delete from entry where game = ?", (gone,))
            self._db.execute("delete from game where id = ?", (gone,))

    def latest(self) -> Saved | None:
        """The game on the table, restored; None when there is none. Raises StoreError."""
        return self._saved(None, "The last game")

    def load(self, game: int) -> Saved | None:
        """A game that was put aside, restored; None when there is none of that number. Raises StoreError."""
        return self._saved(game, "This game")

    def _saved(self, wanted: int | None, which: str) -> Saved | None:
        try:
            game = game_list.current(self._db)[1] if wanted is None else wanted
            row = self._db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
            if row is None:
                return None
            header, decks, shown = row
            rows = self._db.execute("select body from entry where game = ? order by place", (game,)).fetchall()
            kept = None if wanted is None else hash_chain.chain([self._db], game)
        except sqlite3.Error as error:
            raise StoreError(f"The journal {self.path} cannot be read: {error}.") from error
        try:
            if wanted is not None and not (kept and kept.whole and len(kept.rows) == len(rows)):
                raise LookupError("some of its answers are not as they were written.")
            table = restore(json.loads(header), json.loads(decks), [body for (body,) in rows])
            if shown and not stands(table, shown):
                raise LookupError("they lead to another score than was shown.")
        except (
            Exception
        ) as error:  # there is no end to what a foreign journal can break; the table is to open all the same
            log.info("%s cannot be read: %s.", which, type(error).__name__)
            return Saved(game, None, f"{which} cannot be continued under these rules: {reason(error)}")
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
            (key, value, hash_chain.seal("meta", key, value)),
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


def _beyond(db: sqlite3.Connection, kept: Chain | None, turn: int, by: int) -> bool:
    """Whether a file goes on by so many answers from `kept`, on the table at that `turn`, or has a later game there."""
    with suppress(sqlite3.Error, TypeError, ValueError):
        theirs, game = game_list.current(db)
        if kept is not None and (theirs, game) == (turn, kept.id):
            ((count,),) = db.execute("select count(*) from entry where game = ?", (game,))
            if count < len(kept.rows) + by:
                return False
        elif theirs <= turn:
            return False
        more = hash_chain.chain([db], game)
        if more is None:
            return False
        if kept is None or theirs > turn:
            return True
        ours = [row[3] for row in kept.rows]
        return len(more.rows) >= len(ours) + by and [row[3] for row in more.rows[: len(ours)]] == ours
    return False
