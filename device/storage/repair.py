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
from device.storage.atomic_file import flush, sync, unused, write
from device.storage.database import beside
from device.storage.hash_chain import Chain
from device.storage.restore import retell

COPY = ".copy"
"""What the name of a journal's copy ends in."""

KEPT = 3
"""Damaged files that are kept, the newest."""

End = tuple[int, int, int, str]
"""How far a journal goes: turn and number of the game on the table, how many answers it has, its last checksum."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a file goes: the game on its table with its turn, or None and 0."""

    turn: int
    game: Chain | None

    @property
    def end(self) -> End:
        """The same in short."""
        return (self.turn, self.game.id, len(self.game.rows), self.game.head) if self.game else (self.turn, 0, 0, "")

    def beyond(self, other: State) -> bool:
        """True if this file goes on where the other ends, or has a later game on the table."""
        if self.game is None or other.game is None or self.turn != other.turn:
            return self.turn > other.turn
        count = len(other.game.rows)
        return len(self.game.rows) > count and self.game.rows[:count] == other.game.rows


def verify(db: sqlite3.Connection) -> State:
    """Return how far a file goes; older games are not checked. Raises sqlite3.DatabaseError where it is damaged."""
    if not hash_chain.values(db)[1] or game_list.read(db)[1]:
        raise sqlite3.DatabaseError("its list of games or its values are not as they were written")
    turn, game = game_list.current(db)
    ((count, other),) = db.execute("select coalesce(sum(game = ?), 0), coalesce(max(game), 0) from entry", (game,))
    ((newest,),) = db.execute("select coalesce(max(id), 0) from game")
    chain = hash_chain.chain([db], game) if game else None
    if other > newest or (game and not (chain and chain.whole and len(chain.rows) == count)):
        raise sqlite3.DatabaseError("the last game is not as it was written")
    return State(turn, chain)


def build(target: Path, sources: Sequence[sqlite3.Connection]) -> State:
    """Build a new journal of all that can be trusted in `sources`, durable on return; return how far it goes.

    A game of which nothing can be trusted is kept as it is, but not as the one on the table. Raises OSError and
    sqlite3.Error.
    """
    state, rows, broken = State(0, None), game_list.merged(sources), list[int]()
    with new_journal(target) as db:
        for game, row in rows.items():
            game_list.put(db, game, row)
        turns = {game: rows[game].turn if game in rows else game for game in hash_chain.games(sources)}
        for game in sorted((game for game, turn in turns.items() if turn), key=turns.__getitem__):
            chain = hash_chain.chain(sources, game)
            if chain is not None and not chain.whole:
                chain = replace(chain, snapshot=retell(chain), whole=True)
            if chain is not None:
                put(db, chain)
                state = State(turns[game], chain)
            else:
                broken.append(game)
        for game in broken if state.game else []:
            if turns[game] > state.turn:
                game_list.put_behind(db, game)
            keep(db, sources, game)
        for values, _ in reversed([hash_chain.values(one) for one in sources]):
            for key, value in values.items():
                hash_chain.put_value(db, key, value)
    flush(target)
    return state


@contextmanager
def new_journal(path: Path) -> Iterator[sqlite3.Connection]:
    """Write a new journal, with nothing to go back to if it is cut off; the caller syncs it. Raises OSError."""
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("pragma journal_mode = off")
        db.execute("pragma synchronous = off")
        db.executescript(database.SCHEMA)
        db.execute("begin")
        yield db
        db.execute("commit")


def put(db: sqlite3.Connection, chain: Chain, skip: int = 0) -> None:
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


def keep(db: sqlite3.Connection, sources: Sequence[sqlite3.Connection], game: int) -> None:
    """Write a damaged game as the first of these files that has it does, as far as it can be read."""
    for table, key in (("game", "id"), ("entry", "game")):
        names = "header, decks, started, snapshot, seal" if key == "id" else "place, body, source, at, seal"
        query = f"select {key}, {names} from {table} where {key} = ?"
        rows = next((rows for one in sources if (rows := hash_chain.readable(one, query, game)[0])), [])
        with suppress(sqlite3.IntegrityError):  # a value of another type
            db.executemany(f"insert into {table} ({key}, {names}) values (?, ?, ?, ?, ?, ?)", rows)


def copies(path: Path) -> list[Path]:
    """Return the copies beside a journal: its own, and the two of an older Dugout."""
    return [one for end in ("", "-1", "-2") if (one := beside(path, COPY + end)).exists()]


def sources(paths: Iterable[Path], stack: ExitStack) -> list[sqlite3.Connection]:
    """Open journals and copies to read what they have, as far as they can be opened; `stack` closes them."""
    found = list[sqlite3.Connection]()
    for one in paths:
        with suppress(sqlite3.Error):
            if beside(one, "-journal").exists():
                # The power went while it was written: SQLite takes that back first.
                with closing(sqlite3.connect(one, factory=database.Connection)) as db:
                    db.execute("select count(*) from sqlite_schema").fetchone()
            found.append(stack.enter_context(closing(database.read_only(one))))
    return found


def repair(path: Path, wal: bytes, stamp: str) -> tuple[State, str]:
    """Put a new journal in the place of a damaged one; return how far it goes, and where the damaged one is kept.

    `wal` is what its WAL held before it was opened. Raises OSError and sqlite3.Error.
    """
    part = beside(path, ".part")
    with ExitStack() as stack:
        state = build(part, sources((path, *copies(path)), stack))
    part.rename(beside(path, ".mended"))
    sync(path.parent)
    return state, swap(path, stamp, wal)


def swap(path: Path, stamp: str, wal: bytes = b"") -> str:
    """Put the repaired journal in the place of the damaged one, and return the name under which that is kept.

    If a power cut interrupts it, it is done again at the next start. Raises OSError.
    """
    aside, wal_file = unused(beside(path, f".damaged-{stamp}")), beside(path, "-wal")
    if path.exists():
        if wal:
            write(beside(aside, "-wal"), wal)
        elif wal_file.exists():
            wal_file.rename(beside(aside, "-wal"))
        path.rename(aside)
    # They belong to the file that was put aside, and would spoil a new one.
    wal_file.unlink(missing_ok=True)
    beside(path, "-shm").unlink(missing_ok=True)
    sync(path.parent)
    beside(path, ".mended").rename(path)
    sync(path.parent)
    for old in [one for one in damaged(path) if one != aside][: 1 - KEPT]:
        database.delete(old)
    return aside.name


def damaged(path: Path) -> list[Path]:
    """Return the damaged files that are kept beside a journal, the oldest first."""
    kept = [one for one in path.parent.glob(path.name + ".damaged-*") if not one.name.endswith(("-wal", "-shm"))]
    return sorted(kept, key=lambda one: one.stat().st_mtime_ns)
