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
from device.storage.backup_switch import RESTORED_KEY, UNCHANGED_NOTICE
from device.storage.database import sibling_path
from device.storage.journal_copy import JournalCopy
from device.storage.repair import JournalEnd
from device.storage.restore import restore_table, table_snapshot, unreadable_reason
from device.storage.seat_settings import parse_seat_settings
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import JournalEntry, entry_json
from engine.table import Table
from engine.views import TableView

BUDGET_BYTES = 32 << 20
"""Bytes of games that are kept, hundreds of games. New ones replace the oldest that are over, then the oldest."""

REPAIR_ADVICE = "On the Pi, sudo dugout games --repair repairs what it can."
"""What people can do about a damaged game."""

NOTE_BYTES = 120
"""Bytes of the note in the lock file that says how far the journal goes."""

log = logging.getLogger("dugout.store")


class StoreError(OSError):
    """The journal cannot be opened, read or written; the sentence says which file and why."""


class JournalInUseError(OSError):
    """Another process has the journal."""


USED_BYTES_SQL = "select (page_count - freelist_count) * 4096 from pragma_page_count, pragma_freelist_count"
"""SQL for the bytes that games take."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A stored game: its number, its table restored from the journal, or why that could not be done.

    `sources` say who gave each entry of the journal, `standing` are the game's standing answers as `save_seat_settings`
    got them.
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
    What is new goes into the copy with `update_copy`, which the owner calls after each change, and with `close`.
    Raises StoreError when there can be no file here, or when another process has it.
    """

    def __init__(
        self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC), budget: int = BUDGET_BYTES
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
            atomic_file.make_folder(path.parent)
            # On a file beside it: SQLite has its own locks on the journal.
            self._lock = os.open(sibling_path(path, ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                self._db = disk_space.retry_with_room(self._open_journal, path)
                self._check_restored()
                self.copy.copy_changes(self._db)
            except BaseException:
                os.close(self._lock)
                raise
        except (OSError, sqlite3.Error) as error:
            advice, why = disk_space.disk_error_advice(error, path.parent), named_file.error_text(error).rstrip(".")
            raise StoreError(advice or f"The journal {path} cannot be opened: {why}.") from error

    # Opening -----------------------------------------------------------------------------------------------------

    def _open_journal(self) -> sqlite3.Connection:
        """Open the file, once no other process has it; repair it first if it is damaged."""
        if not atomic_file.try_lock(self._lock):
            raise JournalInUseError("another Dugout stores its games there; stop it first")
        folder = self.path.parent
        if backup_switch.has_aborted_restore(folder):
            self.restored = UNCHANGED_NOTICE
        backup_switch.finish_restore(folder, self._lock)
        disk_space.delete_leftovers(
            folder, *disk_space.LEFTOVER_PATTERNS, f"{self.path.name}.part", f"{self.path.name}.carved"
        )
        stamp = f"{self._clock():%Y%m%d-%H%M%S}"
        if sibling_path(self.path, ".mended").exists():
            # The power went while the repaired file was put in its place.
            self._record_repair(None, repair.swap_journal(self.path, stamp))
        wal = sibling_path(self.path, "-wal").read_bytes() if database.is_in_use(self.path) else b""
        try:
            return self._open_verified()
        except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            if not database.is_damage_error(error):
                raise
            log.warning("The journal is damaged: %s", error)
            self.copy.close()
            state, aside = repair.repair_journal(self.path, wal, stamp)
            self._record_repair(state.journal_end if state.game else None, aside)
            return database.open_writable(self.path, "full")

    def _open_verified(self) -> sqlite3.Connection:
        """Open the file. Raises sqlite3.DatabaseError where it is not as it was written, or there was more of it."""
        db = database.open_writable(self.path, "full")
        try:
            atomic_file.sync_folder(self.path.parent)
            (health,) = db.execute("pragma quick_check(1)").fetchone()
            if health != "ok":
                raise sqlite3.DatabaseError(health)
            db.execute("pragma wal_checkpoint (passive)")  # raises on a full card
            hash_chain.add_checksums(db)
            state, noted = repair.verify_journal(db), self._read_end_note()
            if noted is not None and noted[::2] > state.journal_end[::2]:  # the turn, the answers
                raise sqlite3.DatabaseError("there were more answers in it")
            copied = self.copy.open_copy()
            if copied is not None and copied.is_beyond(state):
                raise sqlite3.DatabaseError("its copy goes further")
        except BaseException:
            db.close()
            raise
        return db

    def _record_repair(self, end: JournalEnd | None, aside: str) -> None:
        if end is None:
            state = "Check that the game is as you left it."
        elif end == self._read_end_note():
            state = "The game continues where it was."
        else:
            state = "The last answers may be missing: check the score and the bases."
        self.trouble = f"The journal was damaged and has been repaired. {state} The old file is kept as {aside}."
        self._write_end_note(end or (0, 0, 0, ""))

    def _check_restored(self) -> None:
        if when := hash_chain.trusted_values(self._db)[0].get(RESTORED_KEY):
            self.restored = backup_switch.restore_sentence(self.path.parent, when)

    def forget_restore(self) -> None:
        """Forget that a backup was restored; `restored` stays as long as this store is open. Raises StoreError."""
        if self.restored is not None and self.restored != UNCHANGED_NOTICE:
            self.save_values({RESTORED_KEY: ""})

    def sync_settings(self) -> tuple[str, str]:
        """Return how the connection writes, read back: "wal" and "full", or the number of another sync."""
        with self._writing:
            ((mode,), (sync,)) = (self._db.execute(f"pragma {of}").fetchone() for of in ("journal_mode", "synchronous"))
        return str(mode), "full" if sync == 2 else str(sync)

    def close(self) -> None:
        """Finish what is being written, and the copy, close the file, and let other processes have it."""
        try:
            self.update_copy()
        finally:
            with self._writing:
                self._db.close()
                self.copy.close()
            os.close(self._lock)

    # Writing -----------------------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self, game: int | None = None) -> Iterator[None]:
        """A transaction, one at a time: all or nothing, durable when it is over. `game` is on the table."""
        with self._writing:
            try:
                with self._db:
                    self._db.execute("begin immediate")
                    yield
            except sqlite3.Error as error:
                locked = disk_space.is_card_locked(error)
                raise StoreError(
                    disk_space.CARD_LOCKED_ADVICE if locked else f"The journal cannot be written: {error}."
                ) from error
            self._check_card()
            if game is not None:
                row = self._db.execute("select turn from turn where game = ?", (game,)).fetchone()
                self._write_end_note((row[0] if row else game, game, *self._game_end(game)))
            self._news.add(game)

    def _check_card(self) -> None:
        """Change a file's length, which a card that has failed refuses. Raises StoreError.

        A sync alone proves too little: where ext4 gave up while it was under way, Linux 6.18 reported it as done though
        the bytes were dropped. It does the same with a new time of a file, but not with a new length.
        """
        try:
            os.ftruncate(self._lock, NOTE_BYTES + (os.fstat(self._lock).st_size == NOTE_BYTES))
        except OSError as error:
            raise StoreError(disk_space.CARD_LOCKED_ADVICE) from error

    def update_copy(self) -> None:
        """Bring the copy up to date, if anything changed. A copy that fails is only logged."""
        if not self._news:
            return
        with self._writing:
            changed, self._news = self._news, set()
            self.copy.copy_changes(self._db, next(iter(changed)) if len(changed) == 1 else None)

    def begin_game(self, table: Table, standing: str = "") -> int:
        """Store a new game, with the entries that `table` already holds and these settings of its seats, as for
        `save_seat_settings`; return its number.
        """
        decks = json.dumps([{"file": deck.file, "source": deck.source} for deck in table.decks])
        header, started, shown = (
            json.dumps(table.journal_header.as_json()),
            self._clock().isoformat(),
            table_snapshot(table),
        )
        game = game_list.new_game_number(self._db)
        with self._transaction(game):
            self._db.execute(
                "insert into game (id, header, decks, started, snapshot) values (?, ?, ?, ?, ?)",
                (game, header, decks, started, shown),
            )
            game_list.put_on_table(self._db, game)
            if standing:
                game_list.set_seat_settings(self._db, game, standing)
            for place, entry in enumerate(table.journal):
                self._insert_entry(game, place, entry, "")
            self._save_snapshot(game, shown, self._game_end(game)[1])
            self._enforce_budget(game)
        return game

    def put_on_table(self, game: int, table: Table) -> None:
        """Put a game on the table again, `table` as `load_game` gave it; durable on return. The current one is put
        aside.

        Raises StaleAnswer where the game went on since it was loaded, or was deleted.
        """
        with self._transaction(game):
            count, head = self._game_end(game)
            if not head or count != len(table.journal):
                raise StaleAnswer("That game has moved on: check again.")
            game_list.put_on_table(self._db, game)

    def rename_game(self, game: int, name: str) -> bool:
        """Give a game a name, or with "" none; False if there is no game of that number.

        Raises IllegalAnswer for what can be no name.
        """
        try:
            name = game_list.checked_name(name)
        except ValueError as error:
            raise IllegalAnswer(f"The name {error}") from None
        with self._transaction():
            return game_list.rename_game(self._db, game, name)

    def save_seat_settings(self, game: int, standing: str) -> None:
        """Store a game's standing answers; durable on return."""
        with self._transaction(game):
            game_list.set_seat_settings(self._db, game, standing)

    def append(self, game: int, table: Table, source: str, public: TableView | None = None) -> None:
        """Store the last entry of `table`, who gave it, and what spectators see now (`public`, if it is at hand).

        Durable on return.
        """
        place = len(table.journal) - 1
        with self._transaction(game):
            seal = self._insert_entry(game, place, table.journal[-1], source)
            self._save_snapshot(game, table_snapshot(table, public), seal)
            if place % 64 == 63:
                self._enforce_budget(game)

    def _insert_entry(self, game: int, place: int, entry: JournalEntry, source: str) -> str:
        row = json.dumps(entry_json(entry)), source, self._clock().isoformat()
        seal = hash_chain.checksum(self._game_end(game)[1], place, *row)
        self._db.execute(
            "insert into entry (game, place, body, source, at, seal) values (?, ?, ?, ?, ?, ?)",
            (game, place, *row, seal),
        )
        return seal

    def _save_snapshot(self, game: int, shown: str, head: str) -> None:
        seal = hash_chain.checksum(head, shown)
        self._db.execute("update game set snapshot = ?, seal = ? where id = ?", (shown, seal, game))

    def _game_end(self, game: int) -> tuple[int, str]:
        """Return how many answers a game has, and its last checksum; "" if there is no such game."""
        last = "select place + 1, seal from entry where game = ? order by place desc limit 1"
        if (row := self._db.execute(last, (game,)).fetchone()) is not None:
            return (row[0], row[1])
        row = self._db.execute("select header, decks from game where id = ?", (game,)).fetchone()
        return 0, hash_chain.root_checksum(game, *row) if row else ""

    def _enforce_budget(self, game: int) -> None:
        """Delete games until the rest are within the budget, or only `game` is left.

        Those that are over or that nobody played go first; among them, and among the others, those that were on the
        table longest ago.
        """
        while self._db.execute(USED_BYTES_SQL).fetchone()[0] > self._budget:
            others = [(turn, one) for turn, one in game_list.games_by_turn(self._db) if one != game]
            if not others:
                break
            *_, oldest = min((not game_check.is_over(self._db, one), turn, one) for turn, one in others)
            game_list.delete_game(self._db, oldest)

    def _write_end_note(self, end: JournalEnd) -> None:
        """Write beside the journal how far it goes, without a sync: after a cut it says too little, never too much."""
        with suppress(OSError):
            note = json.dumps([*end, hash_chain.checksum("end", *end)])
            os.pwrite(self._lock, note.ljust(NOTE_BYTES).encode(), 0)

    def _read_end_note(self) -> JournalEnd | None:
        """How far the journal goes for sure; None where that is not known."""
        try:
            turn, game, count, head, mark = json.loads(os.pread(self._lock, NOTE_BYTES, 0))
        except (OSError, ValueError, TypeError):
            return None
        return (turn, game, count, head) if mark == hash_chain.checksum("end", turn, game, count, head) else None

    # Reading -----------------------------------------------------------------------------------------------------

    def current_game(self) -> SavedGame | None:
        """Return the game on the table, restored; None if there is none. Raises StoreError."""
        return self._load_saved(None, "The last game")

    def load_game(self, game: int) -> SavedGame | None:
        """Return a game that was put aside, restored; None if there is none of that number. Raises StoreError."""
        return self._load_saved(game, "This game")

    def _load_saved(self, wanted: int | None, which: str) -> SavedGame | None:
        try:
            game = game_list.current_game(self._db)[1] if wanted is None else wanted
            row = self._db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
            if row is None:
                return None
            rows = self._db.execute("select body, source from entry where game = ? order by place", (game,)).fetchall()
            listed = game_list.read_rows(self._db)[0].get(game)
            chain = None if wanted is None else hash_chain.longest_chain([self._db], game)
        except sqlite3.Error as error:
            raise StoreError(f"The journal cannot be read: {error}.") from error
        header, decks, shown = row
        try:
            if wanted is not None and not (chain and chain.whole and len(chain.rows) == len(rows)):
                raise LookupError(f"some of its answers are not as they were written. {REPAIR_ADVICE}")
            table = restore_table(header, decks, [body for body, _ in rows], shown)
            standing = listed.standing if listed else ""
            parse_seat_settings(standing)
            return SavedGame(game, table, None, tuple(source for _, source in rows), standing)
        except Exception as error:  # a foreign journal can break anything, and the table must open all the same
            log.info("%s cannot be read: %s.", which, type(error).__name__)
            return SavedGame(
                game, None, f"{which} cannot be continued under these rules: {unreadable_reason(error, header)}"
            )

    # Values ------------------------------------------------------------------------------------------------------

    def get_or_create_value(self, key: str, make: Callable[[], str] = lambda: secrets.token_hex(32)) -> str:
        """Return the value that is stored under `key`; the first call makes it."""
        with self._transaction():
            row = self._db.execute("select value from meta where key = ?", (key,)).fetchone()
            value = str(row[0]) if row else make()
            if row is None:
                hash_chain.set_value(self._db, key, value)
        return value

    def save_values(self, values: Mapping[str, str]) -> None:
        """Store values under their keys in place of those there, all of them or none."""
        with self._transaction():
            for key, value in values.items():
                hash_chain.set_value(self._db, key, value)
