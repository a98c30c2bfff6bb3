"""Check a journal, and repair a damaged one: a new file is built from what can be trusted, and takes its place.

Anything read here may be damaged somewhere: a row counts only where its checksum (device/storage/hash_chain.py) is
right. After a power cut at any moment there is the damaged file to repair again, or the repaired one.
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

COPY_SUFFIX = ".copy"
"""What the name of a journal's copy ends in."""

MAX_DAMAGED_FILES = 3
"""Damaged files that are kept, the newest."""

JournalEnd = tuple[int, int, int, str]
"""How far a journal goes: turn and number of the game on the table, how many answers it has, its last checksum."""


@dataclass(frozen=True, slots=True)
class JournalState:
    """How far a file goes: the game on its table with its turn, or None and 0."""

    turn: int
    game: Chain | None

    @property
    def journal_end(self) -> JournalEnd:
        """The same in short."""
        return (self.turn, self.game.id, len(self.game.rows), self.game.head) if self.game else (self.turn, 0, 0, "")

    def is_beyond(self, other: JournalState) -> bool:
        """True if this file goes on where the other ends, or has a later game on the table."""
        if self.game is None or other.game is None or self.turn != other.turn:
            return self.turn > other.turn
        count = len(other.game.rows)
        return len(self.game.rows) > count and self.game.rows[:count] == other.game.rows


def verify_journal(db: sqlite3.Connection) -> JournalState:
    """Return how far a file goes; older games are not checked. Raises sqlite3.DatabaseError where it is damaged."""
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
    """Build a new journal of all that can be trusted in `open_sources`, durable on return; return how far it goes.

    A game of which nothing can be trusted is kept as it is, but not as the one on the table. Raises OSError and
    sqlite3.Error.
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
                game_list.put_behind_others(db, game)
            copy_damaged_game(db, sources, game)
        for values, _ in reversed([hash_chain.trusted_values(one) for one in sources]):
            for key, value in values.items():
                hash_chain.set_value(db, key, value)
    sync_file(target)
    return state


@contextmanager
def create_journal(path: Path) -> Iterator[sqlite3.Connection]:
    """Write a new journal, with nothing to go back to if it is cut off; the caller syncs it. Raises OSError."""
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
    """Write a game, or more of it, into a file that has its first `skip` answers. Raises sqlite3.Error."""
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
    """Write a damaged game as the first of these files that has it does, as far as it can be read."""
    for table, key in (("game", "id"), ("entry", "game")):
        names = "header, decks, started, snapshot, seal" if key == "id" else "place, body, source, at, seal"
        query = f"select {key}, {names} from {table} where {key} = ?"
        rows = next((rows for one in sources if (rows := hash_chain.readable_rows(one, query, game)[0])), [])
        with suppress(sqlite3.IntegrityError):  # a value of another type
            db.executemany(f"insert into {table} ({key}, {names}) values (?, ?, ?, ?, ?, ?)", rows)


def copy_paths(path: Path) -> list[Path]:
    """Return the copies beside a journal: its own, and the two of an older Dugout."""
    return [one for end in ("", "-1", "-2") if (one := sibling_path(path, COPY_SUFFIX + end)).exists()]


def open_sources(paths: Iterable[Path], stack: ExitStack) -> list[sqlite3.Connection]:
    """Open journals and copies to read what they have, as far as they can be opened; `stack` closes them."""
    found = list[sqlite3.Connection]()
    for one in paths:
        with suppress(sqlite3.Error):
            if sibling_path(one, "-journal").exists():
                # The power went while it was written: SQLite takes that back first.
                with closing(sqlite3.connect(one, factory=database.JournalConnection)) as db:
                    db.execute("select count(*) from sqlite_schema").fetchone()
            found.append(stack.enter_context(closing(database.open_read_only(one))))
    return found


def repair_journal(path: Path, wal: bytes, stamp: str) -> tuple[JournalState, str]:
    """Put a new journal in the place of a damaged one; return how far it goes, and where the damaged one is kept.

    `wal` is what its WAL held before it was opened. Raises OSError and sqlite3.Error.
    """
    part = sibling_path(path, ".part")
    with ExitStack() as stack:
        state = build_journal(part, open_sources((path, *copy_paths(path)), stack))
    part.rename(sibling_path(path, ".mended"))
    sync_folder(path.parent)
    return state, swap_journal(path, stamp, wal)


def swap_journal(path: Path, stamp: str, wal: bytes = b"") -> str:
    """Put the repaired journal in the place of the damaged one, and return the name under which that is kept.

    If a power cut interrupts it, it is done again at the next start. Raises OSError.
    """
    aside, wal_file = unused_path(sibling_path(path, f".damaged-{stamp}")), sibling_path(path, "-wal")
    if path.exists():
        if wal:
            write_file(sibling_path(aside, "-wal"), wal)
        elif wal_file.exists():
            wal_file.rename(sibling_path(aside, "-wal"))
        path.rename(aside)
    # They belong to the file that was put aside, and would spoil a new one.
    wal_file.unlink(missing_ok=True)
    sibling_path(path, "-shm").unlink(missing_ok=True)
    sync_folder(path.parent)
    sibling_path(path, ".mended").rename(path)
    sync_folder(path.parent)
    for old in [one for one in damaged_journals(path) if one != aside][: 1 - MAX_DAMAGED_FILES]:
        database.delete_journal(old)
    return aside.name


def damaged_journals(path: Path) -> list[Path]:
    """Return the damaged files that are kept beside a journal, the oldest first."""
    kept = [one for one in path.parent.glob(path.name + ".damaged-*") if not one.name.endswith(("-wal", "-shm"))]
    return sorted(kept, key=lambda one: one.stat().st_mtime_ns)
