"""The journals of all games on disk: an answer is durable before anybody sees it.

One SQLite file, opened as device/storage/database.py says. What guards it is described in device/storage/__init__.py.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from device import named_file
from device.storage import atomic_file, backup_switch, database, disk_space, game_check, game_list, hash_chain, repair
from device.storage.backup_switch import RESTORED, UNCHANGED
from device.storage.database import beside
from device.storage.journal_copy import JournalCopy
from device.storage.repair import End
from device.storage.restore import reason, restore, snapshot
from device.storage.standing_settings import parse
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import Entry, entry_json
from engine.table import Table
from engine.views import TableView

BUDGET = 32 << 20
"""Bytes of games that are kept, hundreds of games. New ones replace the oldest that are over, then the oldest."""

REPAIR = "On the Pi, sudo dugout games --repair repairs what it can."
"""What people can do about a damaged game."""

NOTE = 120
"""Bytes of the note in the lock file that says how far the journal goes."""

log = logging.getLogger("dugout.store")


class StoreError(OSError):
    """The journal cannot be opened, read or written; the sentence says which file and why."""


class InUse(OSError):
    """Another process has the journal."""


USED = "select (page_count - freelist_count) * 4096 from pragma_page_count, pragma_freelist_count"
"""SQL for the bytes that games take."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A stored game: its number, its table restored from the journal, or why that could not be done.

    `sources` say who gave each entry of the journal, `standing` are the game's standing answers as `stand` got them.
    """

    id: int
    table: Table | None
    trouble: str | None
    sources: tuple[str, ...] = ()
    standing: str = ""


class Store:
    """The journals of all games in one SQLite file. Any thread may write; otherwise one caller at a time.

    `path` is created if missing, for its owner alone: it holds the codes. `clock` gives the time with which an entry is
    stamped; nothing depends on it. A damaged file is set aside under another name and repaired from what can be trusted
    in it and in its copy; `trouble` then says so. At most `budget` bytes of games are kept, and the one in play.
    What is new goes into the copy with `catch_up`, which the owner calls after each change, and with `close`.
    Raises StoreError when there can be no file here, or when another process has it.
    """

    def __init__(
        self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC), budget: int = BUDGET
    ) -> None:
        self.path = path
        self.trouble: str | None = None
        self.restored: str | None = None
        """Where these games are from if a backup was restored, or not, since a table last said so."""
        self.copy = JournalCopy(path)
        self._budget, self._clock = budget, clock
        self._writing = threading.Lock()
        self._news = set[int | None]()
        """What changed since the copy was written: games; None for a name or a value."""
        try:
            atomic_file.make(path.parent)
            # On a file beside it: SQLite has its own locks on the journal.
            self._lock = os.open(beside(path, ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                self._db = disk_space.retry(self._open, path)
                self._note_restored()
                self.copy.update(self._db)
            except BaseException:
                os.close(self._lock)
                raise
        except (OSError, sqlite3.Error) as error:
            advice, why = disk_space.advice(error, path.parent), named_file.reason(error).rstrip(".")
            raise StoreError(advice or f"The journal {path} cannot be opened: {why}.") from error

    # Opening -----------------------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        """Open the file, once no other process has it; repair it first if it is damaged."""
        if not atomic_file.lock(self._lock):
            raise InUse("another Dugout stores its games there; stop it first")
        folder = self.path.parent
        if backup_switch.leftover(folder):
            self.restored = UNCHANGED
        backup_switch.finish(folder, self._lock)
        disk_space.sweep(folder, *disk_space.LEFTOVERS, f"{self.path.name}.part", f"{self.path.name}.carved")
        stamp = f"{self._clock():%Y%m%d-%H%M%S}"
        if beside(self.path, ".mended").exists():
            # The power went while the repaired file was put in its place.
            self._repaired(None, repair.swap(self.path, stamp))
        wal = beside(self.path, "-wal").read_bytes() if database.in_use(self.path) else b""
        try:
            return self._verified()
        except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            if not database.damaged(error):
                raise
            log.warning("The journal is damaged: %s", error)
            self.copy.close()
            state, aside = repair.repair(self.path, wal, stamp)
            self._repaired(state.end if state.game else None, aside)
            return database.connect(self.path, "full")

    def _verified(self) -> sqlite3.Connection:
        """Open the file. Raises sqlite3.DatabaseError where it is not as it was written, or there was more of it."""
        db = database.connect(self.path, "full")
        try:
            atomic_file.sync(self.path.parent)
            (health,) = db.execute("pragma quick_check(1)").fetchone()
            if health != "ok":
                raise sqlite3.DatabaseError(health)
            db.execute("pragma wal_checkpoint (passive)")  # raises on a full card
            hash_chain.add_checksums(db)
            state, noted = repair.verify(db), self._noted()
            if noted is not None and noted[::2] > state.end[::2]:  # the turn, the answers
                raise sqlite3.DatabaseError("there were more answers in it")
            copied = self.copy.open()
            if copied is not None and copied.beyond(state):
                raise sqlite3.DatabaseError("its copy goes further")
        except BaseException:
            db.close()
            raise
        return db

    def _repaired(self, end: End | None, aside: str) -> None:
        if end is None:
            state = "Check that the game is as you left it."
        elif end == self._noted():
            state = "The game continues where it was."
        else:
            state = "The last answers may be missing: check the score and the bases."
        self.trouble = f"The journal was damaged and has been repaired. {state} The old file is kept as {aside}."
        self._note(end or (0, 0, 0, ""))

    def _note_restored(self) -> None:
        if when := hash_chain.values(self._db)[0].get(RESTORED):
            self.restored = backup_switch.sentence(self.path.parent, when)

    def restored_is_shown(self) -> None:
        """Forget that a backup was restored; `restored` stays as long as this store is open. Raises StoreError."""
        if self.restored is not None and self.restored != UNCHANGED:
            self.keep({RESTORED: ""})

    def synced(self) -> tuple[str, str]:
        """Return how the connection writes, read back: "wal" and "full", or the number of another sync."""
        with self._writing:
            ((mode,), (sync,)) = (self._db.execute(f"pragma {of}").fetchone() for of in ("journal_mode", "synchronous"))
        return str(mode), "full" if sync == 2 else str(sync)

    def close(self) -> None:
        """Finish what is being written, and the copy, close the file, and let other processes have it."""
        try:
            self.catch_up()
        finally:
            with self._writing:
                self._db.close()
                self.copy.close()
            os.close(self._lock)

    # Writing -----------------------------------------------------------------------------------------------------

    @contextmanager
    def _write(self, game: int | None = None) -> Iterator[None]:
        """A transaction, one at a time: all or nothing, durable when it is over. `game` is on the table."""
        with self._writing:
            try:
                with self._db:
                    self._db.execute("begin immediate")
                    yield
            except sqlite3.Error as error:
                locked = disk_space.locked(error)
                raise StoreError(disk_space.LOCKED if locked else f"The journal cannot be written: {error}.") from error
            self._check_card()
            if game is not None:
                row = self._db.execute("select turn from turn where game = ?", (game,)).fetchone()
                self._note((row[0] if row else game, game, *self._end(game)))
            self._news.add(game)

    def _check_card(self) -> None:
        """Change a file's length, which a card that has failed refuses. Raises StoreError.

        A sync alone proves too little: where ext4 gave up while it was under way, Linux 6.18 reported it as done though
        the bytes were dropped. It does the same with a new time of a file, but not with a new length.
        """
        try:
            os.ftruncate(self._lock, NOTE + (os.fstat(self._lock).st_size == NOTE))
        except OSError as error:
            raise StoreError(disk_space.LOCKED) from error

    def catch_up(self) -> None:
        """Bring the copy up to date, if anything changed. A copy that fails is only logged."""
        if not self._news:
            return
        with self._writing:
            changed, self._news = self._news, set()
            self.copy.update(self._db, next(iter(changed)) if len(changed) == 1 else None)

    def begin(self, table: Table, standing: str = "") -> int:
        """Store a new game, with the entries that `table` already holds and these settings of its seats, as for
        `stand`; return its number.
        """
        decks = json.dumps([{"file": deck.file, "source": deck.source} for deck in table.decks])
        header, started, shown = json.dumps(table.header.as_json()), self._clock().isoformat(), snapshot(table)
        game = game_list.new_number(self._db)
        with self._write(game):
            self._db.execute(
                "insert into game (id, header, decks, started, snapshot) values (?, ?, ?, ?, ?)",
                (game, header, decks, started, shown),
            )
            game_list.put_on_table(self._db, game)
            if standing:
                game_list.set_standing(self._db, game, standing)
            for place, entry in enumerate(table.journal):
                self._insert(game, place, entry, "")
            self._show(game, shown, self._end(game)[1])
            self._thin(game)
        return game

    def take(self, game: int, table: Table) -> None:
        """Put a game on the table again, `table` as `load` gave it; durable on return. The current one is put aside.

        Raises StaleAnswer where the game went on since it was loaded, or was deleted.
        """
        with self._write(game):
            count, head = self._end(game)
            if not head or count != len(table.journal):
                raise StaleAnswer("That game has moved on: check again.")
            game_list.put_on_table(self._db, game)

    def name(self, game: int, name: str) -> bool:
        """Give a game a name, or with "" none; False if there is no game of that number.

        Raises IllegalAnswer for what can be no name.
        """
        try:
            name = game_list.checked_name(name)
        except ValueError as error:
            raise IllegalAnswer(f"The name {error}") from None
        with self._write():
            return game_list.rename(self._db, game, name)

    def stand(self, game: int, standing: str) -> None:
        """Store a game's standing answers; durable on return."""
        with self._write(game):
            game_list.set_standing(self._db, game, standing)

    def append(self, game: int, table: Table, source: str, public: TableView | None = None) -> None:
        """Store the last entry of `table`, who gave it, and what spectators see now (`public`, if it is at hand).

        Durable on return.
        """
        place = len(table.journal) - 1
        with self._write(game):
            seal = self._insert(game, place, table.journal[-1], source)
            self._show(game, snapshot(table, public), seal)
            if place % 64 == 63:
                self._thin(game)

    def _insert(self, game: int, place: int, entry: Entry, source: str) -> str:
        row = json.dumps(entry_json(entry)), source, self._clock().isoformat()
        seal = hash_chain.checksum(self._end(game)[1], place, *row)
        self._db.execute(
            "insert into entry (game, place, body, source, at, seal) values (?, ?, ?, ?, ?, ?)",
            (game, place, *row, seal),
        )
        return seal

    def _show(self, game: int, shown: str, head: str) -> None:
        seal = hash_chain.checksum(head, shown)
        self._db.execute("update game set snapshot = ?, seal = ? where id = ?", (shown, seal, game))

    def _end(self, game: int) -> tuple[int, str]:
        """Return how many answers a game has, and its last checksum; "" if there is no such game."""
        last = "select place + 1, seal from entry where game = ? order by place desc limit 1"
        if (row := self._db.execute(last, (game,)).fetchone()) is not None:
            return (row[0], row[1])
        row = self._db.execute("select header, decks from game where id = ?", (game,)).fetchone()
        return 0, hash_chain.root(game, *row) if row else ""

    def _thin(self, game: int) -> None:
        """Delete games until the rest are within the budget, or only `game` is left.

        Those that are over or that nobody played go first; among them, and among the others, those that were on the
        table longest ago.
        """
        while self._db.execute(USED).fetchone()[0] > self._budget:
            others = [(turn, one) for turn, one in game_list.order(self._db) if one != game]
            if not others:
                break
            *_, oldest = min((not game_check.over(self._db, one), turn, one) for turn, one in others)
            game_list.delete(self._db, oldest)

    def _note(self, end: End) -> None:
        """Write beside the journal how far it goes, without a sync: after a cut it says too little, never too much."""
        with suppress(OSError):
            note = json.dumps([*end, hash_chain.checksum("end", *end)])
            os.pwrite(self._lock, note.ljust(NOTE).encode(), 0)

    def _noted(self) -> End | None:
        """How far the journal goes for sure; None where that is not known."""
        try:
            turn, game, count, head, mark = json.loads(os.pread(self._lock, NOTE, 0))
        except (OSError, ValueError, TypeError):
            return None
        return (turn, game, count, head) if mark == hash_chain.checksum("end", turn, game, count, head) else None

    # Reading -----------------------------------------------------------------------------------------------------

    def latest(self) -> Saved | None:
        """Return the game on the table, restored; None if there is none. Raises StoreError."""
        return self._saved(None, "The last game")

    def load(self, game: int) -> Saved | None:
        """Return a game that was put aside, restored; None if there is none of that number. Raises StoreError."""
        return self._saved(game, "This game")

    def _saved(self, wanted: int | None, which: str) -> Saved | None:
        try:
            game = game_list.current(self._db)[1] if wanted is None else wanted
            row = self._db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
            if row is None:
                return None
            rows = self._db.execute("select body, source from entry where game = ? order by place", (game,)).fetchall()
            listed = game_list.read(self._db)[0].get(game)
            chain = None if wanted is None else hash_chain.chain([self._db], game)
        except sqlite3.Error as error:
            raise StoreError(f"The journal cannot be read: {error}.") from error
        header, decks, shown = row
        try:
            if wanted is not None and not (chain and chain.whole and len(chain.rows) == len(rows)):
                raise LookupError(f"some of its answers are not as they were written. {REPAIR}")
            table = restore(header, decks, [body for body, _ in rows], shown)
            standing = listed.standing if listed else ""
            parse(standing)
            return Saved(game, table, None, tuple(source for _, source in rows), standing)
        except Exception as error:  # a foreign journal can break anything, and the table must open all the same
            log.info("%s cannot be read: %s.", which, type(error).__name__)
            return Saved(game, None, f"{which} cannot be continued under these rules: {reason(error, header)}")

    # Values ------------------------------------------------------------------------------------------------------

    def remember(self, key: str, make: Callable[[], str] = lambda: secrets.token_hex(32)) -> str:
        """Return the value that is stored under `key`; the first call makes it."""
        with self._write():
            row = self._db.execute("select value from meta where key = ?", (key,)).fetchone()
            value = str(row[0]) if row else make()
            if row is None:
                hash_chain.put_value(self._db, key, value)
        return value

    def keep(self, values: Mapping[str, str]) -> None:
        """Store values under their keys in place of those there, all of them or none."""
        with self._write():
            for key, value in values.items():
                hash_chain.put_value(self._db, key, value)
