"""Mends a damaged journal: a new file is made of all that can be trusted in it and in its copies, and takes its place.

Whatever is read here is damaged somewhere: a row counts only where its seal is right (device/storage/hash_chain.py). A
power cut at any moment leaves the damaged file to be mended again, or the mended one.
"""

from __future__ import annotations

import logging
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from device.storage import game_list, hash_chain
from device.storage.atomic_file import flush, sync, write
from device.storage.hash_chain import Chain

log = logging.getLogger("dugout.mend")

SCHEMA = (
    """
create table if not exists meta (key text primary key, value text not null, seal text not null default '') strict;
create table if not exists game (
    id integer primary key, header text not null, decks text not null, started text not null, snapshot text,
    seal text not null default ''
) strict;
create table if not exists entry (
    game integer not null references game (id), place integer not null, body text not null, source text not null,
    at text not null, seal text not null default '', primary key (game, place)
) strict, without rowid;
"""
    + game_list.SCHEMA
)

COPIES = (".copy-1", ".copy-2")
"""What the names of a journal's copies end in."""

ASIDE = 3
"""So many damaged files are kept, the newest."""

PAGE = 4096
FRAME = 24 + PAGE
MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
HEADER = b"SQLite format 3\0" + PAGE.to_bytes(2, "big") + bytes((1, 1, 0, 64, 32, 32))
"""How a file of ours begins, but for bytes 18 and 19: 1 here, so that it is read without a WAL."""

Retell = Callable[[Chain], str | None]
"""What a game shows that was cut short, or None where these rules cannot tell."""

NO_DAMAGE = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}
READING = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}


def damage(error: sqlite3.Error) -> bool:
    """Whether an error at opening says that the file is damaged, not that the machine cannot serve it now."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
    return code in READING or (code & 0xFF) not in NO_DAMAGE | {sqlite3.SQLITE_IOERR}


# The end of the WAL ----------------------------------------------------------------------------------------------


def frames(wal: bytes) -> list[tuple[int, int, bool, bytes]]:
    """The frames of a WAL's newest run, right or not: their place, page, whether they end a commit, and contents."""
    found = [wal[start : start + FRAME] for start in range(32, len(wal) - FRAME + 1, FRAME)]
    if not found:
        return []
    salts = Counter(frame[8:16] for frame in found)
    salt = wal[16:24]
    if wal[:4] not in MAGIC or salt not in salts:
        # The file's own header is damaged, and the first frame's may be.
        first = found[0][8:16]
        salt = first if salts[first] > 1 else max(salts, key=lambda one: salts[one])
    return [
        (place, int.from_bytes(frame[:4], "big"), frame[4:8] != b"\0\0\0\0", frame[24:])
        for place, frame in enumerate(found)
        if frame[8:16] == salt
    ]


def unread(wal: bytes, read: int) -> bool:
    """Whether behind the `read` frames that SQLite took there are more commits than the one a power cut can tear."""
    return sum(ends for place, _, ends, _ in frames(wal) if place >= read) > 1


@contextmanager
def carved(path: Path, wal: bytes) -> Iterator[sqlite3.Connection | None]:
    """The file with all that its WAL holds, whether SQLite would take it or not; None where that is nothing."""
    part = path.with_name(path.name + ".carved")
    try:
        with open(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "r+b") as file:
            with suppress(OSError), path.open("rb") as source:
                while block := source.read(1 << 20):
                    file.write(block)
            most = file.tell() // PAGE + len(wal) // PAGE + 1
            for _, page, _, data in frames(wal):
                if 0 < page <= most:
                    file.seek((page - 1) * PAGE)
                    file.write(data)
            size = file.seek(0, os.SEEK_END) // PAGE
            if not size:
                yield None
                return
            file.truncate(size * PAGE)
            file.seek(0)
            file.write(HEADER + bytes(4) + size.to_bytes(4, "big"))
            for place, value in ((32, bytes(8)), (44, b"\0\0\0\4"), (52, bytes(4)), (56, b"\0\0\0\1"), (92, bytes(4))):
                file.seek(place)
                file.write(value)
        with closing(reader(part)) as db:
            yield db
    finally:
        part.unlink(missing_ok=True)


def reader(path: Path) -> sqlite3.Connection:
    """The file alone, without its WAL; it is not written."""
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)


# Mending ---------------------------------------------------------------------------------------------------------


def build(target: Path, sources: Sequence[sqlite3.Connection], retell: Retell | None = None) -> Chain | None:
    """Make a new journal of all that can be trusted in `sources`, durable on return; gives the game on the table.

    Without `retell` only games that are whole are in it, and nothing that is remembered for good. Raises OSError and
    sqlite3.Error.
    """
    target.unlink(missing_ok=True)
    os.close(os.open(target, os.O_RDWR | os.O_CREAT, 0o600))
    last, rows = None, game_list.merged(sources)
    with closing(sqlite3.connect(target, isolation_level=None)) as db:
        db.execute("pragma journal_mode = off")
        db.execute("pragma synchronous = off")
        db.executescript(SCHEMA)
        db.execute("begin")
        for game, row in rows.items():
            game_list.put(db, game, row)
        gone = {game for game, row in rows.items() if not row.turn}
        found = {
            game: rows[game].turn if game in rows else game for game in hash_chain.games(sources) if game not in gone
        }
        for game in sorted(found, key=lambda one: found[one]):
            kept = hash_chain.chain(sources, game)
            if kept is None or not (kept.whole or retell):
                continue
            put(db, kept if kept.whole or not retell else replace(kept, snapshot=retell(kept)))
            last = kept
        for key, value in (_values(sources) if retell else {}).items():
            db.execute("insert into meta values (?, ?, ?)", (key, value, hash_chain.seal("meta", key, value)))
        db.execute("commit")
    flush(target)
    return last


def put(db: sqlite3.Connection, kept: Chain, since: int = 0) -> None:
    """Write a game into a file that has its first `since` answers."""
    end = hash_chain.seal(kept.head, kept.snapshot)
    db.execute(
        "insert into game (id, header, decks, started, snapshot, seal) values (?, ?, ?, ?, ?, ?) "
        "on conflict (id) do update set snapshot = excluded.snapshot, seal = excluded.seal",
        (kept.id, kept.header, kept.decks, kept.started, kept.snapshot, end),
    )
    db.executemany(
        "insert into entry (game, place, body, source, at, seal) values (?, ?, ?, ?, ?, ?)",
        [(kept.id, place, *row) for place, row in enumerate(kept.rows[since:], since)],
    )


def _values(sources: Sequence[sqlite3.Connection]) -> dict[str, str]:
    """What is remembered for good: of the first file that has it whole, else what can be had."""
    found = [hash_chain.remembered(db) for db in sources]
    for values, whole in found:
        if whole and values:
            return values
    some: dict[str, str] = {}
    for values, _ in reversed(found):
        some |= values
    return some


def mend(path: Path, wal: bytes, retell: Retell, stamp: str) -> tuple[Chain | None, str]:
    """Put a new journal in the place of a damaged one; gives the game on the table, and where the damaged one is kept.

    `wal` is what its WAL held before it was opened. Raises OSError and sqlite3.Error.
    """
    part = path.with_name(path.name + ".part")
    with ExitStack() as stack:
        files = [_opened(stack, path.with_name(path.name + end)) for end in ("", *COPIES)]
        whole = stack.enter_context(carved(path, wal))
        last = build(part, [db for db in (whole, *files) if db is not None], retell)
    part.rename(path.with_name(path.name + ".mended"))
    sync(path.parent)
    return last, swap(path, stamp, wal)


def _opened(stack: ExitStack, path: Path) -> sqlite3.Connection | None:
    if not path.exists():
        return None
    try:
        if path.name.endswith(COPIES) and path.with_name(path.name + "-journal").exists():
            # A copy that was being written as the power went: SQLite takes that back first.
            with closing(sqlite3.connect(path, isolation_level=None)) as db:
                db.execute("select count(*) from sqlite_schema").fetchone()
        return stack.enter_context(closing(reader(path)))
    except sqlite3.Error:
        return None


def swap(path: Path, stamp: str, wal: bytes = b"") -> str:
    """Put the mended journal in the place of the damaged one, which is kept; gives the name it is kept under.

    Begun and cut off, it is done again at the next opening. Raises OSError.
    """
    names = (f"{path.name}.damaged-{stamp}{more}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
    aside = next(one for one in map(path.with_name, names) if not one.exists())
    rest = path.with_name(path.name + "-wal")
    if path.exists():
        if wal:
            write(aside.with_name(aside.name + "-wal"), wal)
        elif rest.exists():
            rest.rename(aside.with_name(aside.name + "-wal"))
        path.rename(aside)
    # They belong to the file that was put aside, and would spoil a new one.
    rest.unlink(missing_ok=True)
    path.with_name(path.name + "-shm").unlink(missing_ok=True)
    sync(path.parent)
    path.with_name(path.name + ".mended").rename(path)
    sync(path.parent)
    thin(path, aside)
    return aside.name


def damaged(path: Path) -> list[Path]:
    """The damaged files that are kept beside a journal, the oldest first."""
    kept = [one for one in path.parent.glob(path.name + ".damaged-*") if not one.name.endswith(("-wal", "-shm"))]
    return sorted(kept, key=lambda one: one.stat().st_mtime_ns)


def thin(path: Path, last: Path) -> None:
    """Delete the oldest damaged files beside a journal, until there are `ASIDE`; never the `last`."""
    for one in [one for one in damaged(path) if one != last][: 1 - ASIDE]:
        for end in ("", "-wal", "-shm"):
            with suppress(OSError):
                one.with_name(one.name + end).unlink(missing_ok=True)
