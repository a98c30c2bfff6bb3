"""Verify a journal, and repair a damaged one by building a new file from the trusted rows.

Any row read here may be damaged. It counts only if its checksum (device/storage/hash_chain.py) is valid. After a power
cut there is either the damaged file, to be repaired again, or the repaired one.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from device.storage import database, game_list, hash_chain
from device.storage.atomic_file import sync_file, sync_folder, unused_path, write_file
from device.storage.database import sibling_path
from device.storage.hash_chain import Chain
from device.storage.restore import replayed_snapshot

COPY_SUFFIX = ".copy"  # suffix of a journal's copy
MAX_DAMAGED_FILES = 3  # number of damaged files kept, the newest

JournalEnd = tuple[int, int, int, str]
"""End of a journal: turn and number of the game on the table, number of its answers, last checksum."""


@dataclass(frozen=True, slots=True)
class JournalState:
    """State of a file: the game on the table and its turn, or None and 0."""

    turn: int
    game: Chain | None

    @property
    def journal_end(self) -> JournalEnd:
        return (self.turn, self.game.id, len(self.game.rows), self.game.head) if self.game else (self.turn, 0, 0, "")

    def is_ahead_of(self, other: JournalState) -> bool:
        """True if this file continues the other, or has a later game on the table."""
        if self.game is None or other.game is None or self.turn != other.turn:
            return self.turn > other.turn
        count = len(other.game.rows)
        return len(self.game.rows) > count and self.game.rows[:count] == other.game.rows


def verify_journal(db: sqlite3.Connection) -> JournalState:
    """Verify the current game and the list of games. Older games are not checked. Raises sqlite3.DatabaseError."""
    if not hash_chain.trusted_values(db)[1] or game_list.read_rows(db)[1]:
        raise sqlite3.DatabaseError("its list of games or its values are not as they were written")
    turn, game = game_list.current_game(db)
    ((count, other),) = db.execute("select coalesce(sum(game = ?), 0), coalesce(max(game), 0) from entry", (game,))
    ((newest,),) = db.execute("select coalesce(max(id), 0) from game")
    chain = hash_chain.longest_chain([db], game) if game else None
    if other > newest or (game and not (chain and chain.whole and len(chain.rows) == count)):
        raise sqlite3.DatabaseError("the last game is not as it was written")
    return JournalState(turn, chain)


def build_journal(target: Path, sources: Sequence[sqlite3.Connection]) -> JournalState:
    """Build a new journal of all trusted rows in `sources`. Durable on return. Return its state.

    A game without trusted rows is copied as it is, but not as the current one. Raises OSError and sqlite3.Error.
    """
    state, rows, broken = JournalState(0, None), game_list.merged_rows(sources), list[int]()
    with create_journal(target) as db:
        for game, row in rows.items():
            game_list.write_row(db, game, row)
        turns = {game: rows[game].turn if game in rows else game for game in hash_chain.game_numbers(sources)}
        for game in sorted((game for game, turn in turns.items() if turn), key=turns.__getitem__):
            chain = hash_chain.longest_chain(sources, game)
            if chain is not None and not chain.whole:
                chain = replace(chain, snapshot=replayed_snapshot(chain), whole=True)
            if chain is not None:
                write_chain(db, chain)
                state = JournalState(turns[game], chain)
            else:
                broken.append(game)
        for game in broken if state.game else []:
            if turns[game] > state.turn:
                game_list.move_behind_others(db, game)
            copy_damaged_game(db, sources, game)
        for values, _ in reversed([hash_chain.trusted_values(one) for one in sources]):
            for key, value in values.items():
                hash_chain.set_value(db, key, value)
    sync_file(target)
    return state


@contextmanager
def create_journal(path: Path) -> Iterator[sqlite3.Connection]:
    """Create a journal without a rollback journal and without syncs. The caller syncs it. Raises OSError."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("pragma journal_mode = off")
        db.execute("pragma synchronous = off")
        db.executescript(database.JOURNAL_SCHEMA)
        db.execute("begin")
        yield db
        db.execute("commit")


def write_chain(db: sqlite3.Connection, chain: Chain, skip: int = 0) -> None:
    """Store a game in a file that has its first `skip` answers. Raises sqlite3.Error."""
    end = hash_chain.checksum(chain.head, chain.snapshot)
    db.execute(
        "insert into game (id, header, decks, started, snapshot, seal) values (?, ?, ?, ?, ?, ?) "
        "on conflict (id) do update set snapshot = excluded.snapshot, seal = excluded.seal",
        (chain.id, chain.header, chain.decks, chain.started, chain.snapshot, end),
    )
    db.executemany(
        "insert into entry (game, place, body, source, at, seal) values (?, ?, ?, ?, ?, ?)",
        [(chain.id, place, *row) for place, row in enumerate(chain.rows, skip)],
    )


def copy_damaged_game(db: sqlite3.Connection, sources: Sequence[sqlite3.Connection], game: int) -> None:
    """Copy the readable rows of a damaged game from the first source that has them."""
    for table, key in (("game", "id"), ("entry", "game")):
        names = "header, decks, started, snapshot, seal" if key == "id" else "place, body, source, at, seal"
        query = f"select {key}, {names} from {table} where {key} = ?"
        rows = next((rows for one in sources if (rows := hash_chain.readable_rows(one, query, game)[0])), [])
        with suppress(sqlite3.IntegrityError):  # a value of another type
            db.executemany(f"insert into {table} ({key}, {names}) values (?, ?, ?, ?, ?, ?)", rows)


def copy_paths(path: Path) -> list[Path]:
    """Existing copies of a journal: the current one, and two of an older Dugout."""
    return [one for end in ("", "-1", "-2") if (one := sibling_path(path, COPY_SUFFIX + end)).exists()]


def open_sources(paths: Iterable[Path], stack: ExitStack) -> list[sqlite3.Connection]:
    """Open the readable ones of these journals and copies for reading. `stack` closes them."""
    found = list[sqlite3.Connection]()
    for one in paths:
        with suppress(sqlite3.Error):
            if sibling_path(one, "-journal").exists():
                # The power failed during a write. SQLite rolls it back first.
                with closing(sqlite3.connect(one, factory=database.JournalConnection)) as db:
                    db.execute("select count(*) from sqlite_schema").fetchone()
            found.append(stack.enter_context(closing(database.open_read_only(one))))
    return found


def repair_journal(path: Path, wal: bytes, stamp: str) -> tuple[JournalState, str]:
    """Replace a damaged journal by a new one. Return its state and the name of the damaged file.

    `wal` is the content of its WAL before it was opened. Raises OSError and sqlite3.Error.
    """
    part = sibling_path(path, ".part")
    with ExitStack() as stack:
        state = build_journal(part, open_sources((path, *copy_paths(path)), stack))
    part.rename(sibling_path(path, ".mended"))
    sync_folder(path.parent)
    return state, swap_journal(path, stamp, wal)


def swap_journal(path: Path, stamp: str, wal: bytes = b"") -> str:
    """Replace the damaged journal by the repaired one. Return the name under which the damaged one is kept.

    If a power cut interrupts it, the next start repeats it. Raises OSError.
    """
    aside, wal_file = unused_path(sibling_path(path, f".damaged-{stamp}")), sibling_path(path, "-wal")
    if path.exists():
        if wal:
            write_file(sibling_path(aside, "-wal"), wal)
        elif wal_file.exists():
            wal_file.rename(sibling_path(aside, "-wal"))
        path.rename(aside)
    # They belong to the old file and would corrupt the new one.
    wal_file.unlink(missing_ok=True)
    sibling_path(path, "-shm").unlink(missing_ok=True)
    sync_folder(path.parent)
    sibling_path(path, ".mended").rename(path)
    sync_folder(path.parent)
    for old in [one for one in damaged_journals(path) if one != aside][: 1 - MAX_DAMAGED_FILES]:
        database.delete_journal(old)
    return aside.name


def damaged_journals(path: Path) -> list[Path]:
    """Damaged files kept for a journal, the oldest first."""
    kept = [one for one in path.parent.glob(path.name + ".damaged-*") if not one.name.endswith(("-wal", "-shm"))]
    return sorted(kept, key=lambda one: one.stat().st_mtime_ns)
