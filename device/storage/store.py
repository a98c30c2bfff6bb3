"""Journals of all games on disk. An answer is durable before anybody sees it.

One SQLite file, opened by device/storage/database.py. device/storage/__init__.py describes its protection.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from device import named_file
from device.storage import atomic_file, backup_switch, database, disk_space, game_list, hash_chain, repair
from device.storage.backup_switch import RESTORED_KEY, UNCHANGED_NOTICE
from device.storage.database import sibling_path
from device.storage.game_budget import GameBudget
from device.storage.journal_copy import JournalCopy
from device.storage.repair import JournalEnd
from device.storage.restore import restore_table, table_snapshot, unreadable_reason
from device.storage.seat_settings import parse_seat_settings
from engine.errors import IllegalAnswer, StaleAnswer
from engine.journal import JournalEntry, entry_json
from engine.table import Table
from engine.views import TableView

BUDGET_BYTES = 32 << 20
"""Maximum bytes of stored games without those of leagues, enough for hundreds. Finished games are deleted first."""

REPAIR_ADVICE = "On the Pi, sudo dugout games --repair repairs what it can."  # advice to people about a damaged game
NOTE_BYTES = 120  # length in bytes of the note in the lock file that records how far the journal goes

log = logging.getLogger("dugout.store")


class StoreError(OSError):
    """The journal cannot be opened, read or written. The message names the file and the reason."""


class JournalInUseError(OSError):
    """Another process has the journal open."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """Stored game with its number and its restored table, or the reason why it cannot be restored.

    sources: source of each journal entry.
    standing: seat settings as passed to `Store.save_seat_settings`.
    """

    id: int
    table: Table | None
    trouble: str | None
    sources: tuple[str, ...] = ()
    standing: str = ""


class Store:
    """Journals of all games in one SQLite file. Any thread may write. Otherwise one caller at a time.

    `path` is created if missing, for its owner only because it holds the codes. `clock` stamps the entries, and nothing
    depends on it. A damaged file is renamed and repaired from the trusted rows of it and of its copy, and `trouble`
    describes this. At most `budget` bytes of games are kept, plus the current one and those of leagues. The owner calls
    `update_copy` after each change. Raises StoreError if no file can be created here, or if another process uses it.
    """

    def __init__(
        self, path: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC), budget: int = BUDGET_BYTES
    ) -> None:
        self.path = path
        self.trouble: str | None = None
        self.restored: str | None = None  # sentence about a restored or interrupted backup, until a table has shown it
        self.copy = JournalCopy(path)
        self._budget, self._clock = GameBudget(budget), clock
        self._writing = threading.Lock()
        self._ordering = threading.Lock()  # held, before `_writing`, to add games or change their order
        self._news = set[int | None]()
        """Changes since the last update of the copy: game numbers, or None for a name or a value."""
        try:
            atomic_file.make_folder(path.parent)
            # On a separate file, because SQLite locks the journal itself.
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
        """Open the file if no other process has it. Repair it first if damaged."""
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
            # The power failed while the repaired file was put in place.
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
        """Open the file. Raises sqlite3.DatabaseError if it is damaged or lacks answers that it once had."""
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
            if copied is not None and copied.is_ahead_of(state):
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
        """Forget that a backup was restored. `restored` stays until this store is closed. Raises StoreError."""
        if self.restored is not None and self.restored != UNCHANGED_NOTICE:
            self.save_values({RESTORED_KEY: ""})

    def sync_settings(self) -> tuple[str, str]:
        """Journal mode and sync level as read back: "wal" and "full", or the number of another level."""
        with self._writing:
            ((mode,), (sync,)) = (self._db.execute(f"pragma {of}").fetchone() for of in ("journal_mode", "synchronous"))
        return str(mode), "full" if sync == 2 else str(sync)

    def close(self) -> None:
        """Finish pending writes, update the copy, close the file and release its lock."""
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
        """Run one durable transaction at a time, all or nothing. It changes `game`, None for anything else."""
        with self._writing:
            try:
                with self._db:
                    self._db.execute("begin immediate")
                    yield
            except sqlite3.Error as error:
                locked = disk_space.is_card_unwritable(error)
                raise StoreError(
                    disk_space.CARD_UNWRITABLE_ADVICE if locked else f"The journal cannot be written: {error}."
                ) from error
            self._check_card()
            if game is not None:
                self._budget.forget_size(game)
                row = self._db.execute("select turn from turn where game = ?", (game,)).fetchone()
                end, noted = (row[0] if row else game, game, *self._game_end(game)), self._read_end_note()
                if noted is None or end[0] >= noted[0]:  # otherwise another game is on the table
                    self._write_end_note(end)
            self._news.add(game)

    def _check_card(self) -> None:
        """Change a file's length, which a failed card refuses. Raises StoreError.

        A sync alone proves too little. Where ext4 gave up during a sync, Linux 6.18 reported success though the bytes
        were lost. It does the same for a new file time, but not for a new length.
        """
        try:
            os.ftruncate(self._lock, NOTE_BYTES + (os.fstat(self._lock).st_size == NOTE_BYTES))
        except OSError as error:
            raise StoreError(disk_space.CARD_UNWRITABLE_ADVICE) from error

    def update_copy(self) -> None:
        """Update the copy if anything changed. A failing copy is only logged."""
        if not self._news:
            return
        with self._writing:
            changed, self._news = self._news, set()
            games = [game for game in changed if game is not None]
            self.copy.copy_changes(self._db, games if len(games) == len(changed) else None)

    def begin_game(self, table: Table, standing: str = "", source: str = "") -> int:
        """Store a new game with the entries of `table`, their source, and its seat settings. Return its number."""
        (header, decks), started, shown = _begun_game(table), self._clock().isoformat(), table_snapshot(table)
        with self._ordering, self._transaction(game := game_list.new_game_number(self._db)):
            self._db.execute(
                "insert into game (id, header, decks, started, snapshot) values (?, ?, ?, ?, ?)",
                (game, header, decks, started, shown),
            )
            game_list.add_game(self._db, game, standing)
            for place, entry in enumerate(table.journal):
                self._insert_entry(game, place, entry, source)
            self._save_snapshot(game, shown, self._game_end(game)[1])
            self._budget.enforce(self._db, game)
        return game

    def add_finished_game(self, table: Table, standing: str, sources: Sequence[str]) -> int:
        """Store a game that is over with its seat settings and the source of each entry. Return its number.

        The game on the table stays there. If there was none, the stored one is. All is durable on return, or nothing.
        Raises StoreError, also if no space is left for games of computers.
        """
        if table.outcome is None:
            raise ValueError("the game is not over")
        try:
            self._budget.check_space(self._db, self.path.parent)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"No more games are added: {error}.") from error
        (header, decks), at = _begun_game(table), self._clock().isoformat()
        bodies = (json.dumps(entry_json(entry)) for entry in table.journal)
        answers = [(body, source, at) for body, source in zip(bodies, sources, strict=True)]
        with self._ordering:
            game, (_, current) = game_list.new_game_number(self._db), game_list.current_game(self._db)
            chain = hash_chain.build_chain(game, header, decks, at, answers, table_snapshot(table))
            with self._transaction(current or game):
                repair.write_chain(self._db, chain)
                game_list.add_game(self._db, game, standing, current)
            self._news.add(game)
        return game

    def resume_game(self, game: int, table: Table) -> None:
        """Resume a paused game and pause the current one. `table` is the one from `load_game`. Durable on return.

        Raises StaleAnswer if the game has continued since it was loaded, or was deleted.
        """
        with self._ordering, self._transaction(game):
            count, head = self._game_end(game)
            if not head or count != len(table.journal):
                raise StaleAnswer("That game has moved on: check again.")
            game_list.set_current_game(self._db, game)

    def rename_game(self, game: int, name: str) -> bool:
        """Set a game's name, "" for none. Return False if there is no such game. Raises IllegalAnswer."""
        try:
            name = game_list.checked_name(name)
        except ValueError as error:
            raise IllegalAnswer(f"The name {error}") from None
        with self._transaction():
            return game_list.rename_game(self._db, game, name)

    def save_seat_settings(self, game: int, standing: str) -> None:
        """Store a game's seat settings, on the table or not. Durable on return."""
        with self._transaction(game):
            game_list.set_seat_settings(self._db, game, standing)

    def leave_league(self, league: str) -> int:
        """Make the games of a league ordinary ones, which the budget may delete. Return their number."""
        with self._transaction():
            return game_list.leave_league(self._db, league)

    def replace_person(self, key: str, into: str) -> int:
        """Make a person's games those of another one, by their keys. Return their number."""
        with self._transaction():
            return game_list.replace_person(self._db, key, into)

    def append(self, game: int, table: Table, source: str, public: TableView | None = None) -> None:
        """Store the last entry of `table`, its source, and the spectators' view `public`. Durable on return."""
        place = len(table.journal) - 1
        with self._transaction(game):
            seal = self._insert_entry(game, place, table.journal[-1], source)
            self._save_snapshot(game, table_snapshot(table, public), seal)
            if place % 64 == 63:
                self._budget.enforce(self._db, game)

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
        """Number of answers and last checksum of a game, "" if there is no such game."""
        last = "select place + 1, seal from entry where game = ? order by place desc limit 1"
        if (row := self._db.execute(last, (game,)).fetchone()) is not None:
            return (row[0], row[1])
        row = self._db.execute("select header, decks from game where id = ?", (game,)).fetchone()
        return 0, hash_chain.root_checksum(game, *row) if row else ""

    def _write_end_note(self, end: JournalEnd) -> None:
        """Record how far the journal goes. Not synced: after a power cut it may say too little, never too much."""
        with suppress(OSError):
            note = json.dumps([*end, hash_chain.checksum("end", *end)])
            os.pwrite(self._lock, note.ljust(NOTE_BYTES).encode(), 0)

    def _read_end_note(self) -> JournalEnd | None:
        """Recorded end of the journal. None if unknown."""
        try:
            turn, game, count, head, mark = json.loads(os.pread(self._lock, NOTE_BYTES, 0))
        except (OSError, ValueError, TypeError):
            return None
        return (turn, game, count, head) if mark == hash_chain.checksum("end", turn, game, count, head) else None

    # Reading -----------------------------------------------------------------------------------------------------

    def current_game(self) -> SavedGame | None:
        """Restore the game on the table. None if there is none. Raises StoreError."""
        return self._load_saved(None, "The last game")

    def load_game(self, game: int) -> SavedGame | None:
        """Restore a paused game. None if there is no such number. Raises StoreError."""
        return self._load_saved(game, "This game")

    def _load_saved(self, wanted: int | None, which: str) -> SavedGame | None:
        try:
            game = game_list.current_game(self._db)[1] if wanted is None else wanted
            row = self._db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
            if row is None:
                return None
            rows = self._db.execute("select body, source from entry where game = ? order by place", (game,)).fetchall()
            listed = game_list.read_row(self._db, game)
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
        except Exception as error:  # a foreign journal can break anything, and the table must still open
            log.info("%s cannot be read: %s.", which, type(error).__name__)
            return SavedGame(
                game, None, f"{which} cannot be continued under these rules: {unreadable_reason(error, header)}"
            )

    # Values ------------------------------------------------------------------------------------------------------

    def get_or_create_value(self, key: str, make: Callable[[], str] = lambda: secrets.token_hex(32)) -> str:
        """Value stored under `key`. The first call creates it."""
        with self._transaction():
            row = self._db.execute("select value from meta where key = ?", (key,)).fetchone()
            value = str(row[0]) if row else make()
            if row is None:
                hash_chain.set_value(self._db, key, value)
        return value

    def save_values(self, values: Mapping[str, str]) -> None:
        """Store values under their keys, all of them or none."""
        with self._transaction():
            for key, value in values.items():
                hash_chain.set_value(self._db, key, value)


def _begun_game(table: Table) -> tuple[str, str]:
    """Header and decks of a game as stored."""
    decks = [{"file": deck.file, "source": deck.source} for deck in table.decks]
    return json.dumps(table.journal_header.as_json()), json.dumps(decks)
