"""Which game is on the table, which were before it, and what people call them.

The game on the table is the one whose turn is the highest. A game of which no row tells, as in a journal of an older
Dugout, has its number for a turn. Each row has a seal of its own (device/storage/hash_chain.py).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.storage.hash_chain import seal
from engine.cards import text

SCHEMA = """
create table if not exists turn (
    game integer primary key, turn integer not null, name text not null, rev integer not null, seal text not null
) strict;
"""

LONGEST = 40
"""Letters of a name."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game's row: its `turn`, which rises with each game that comes onto the table, 0 for one that had to go for new
    ones; its `name`, "" for none; and `rev`, which rises with each change of any row."""

    turn: int
    name: str
    rev: int


def named(name: str) -> str:
    """A name as it is kept: 1 to 40 printable characters, or none. Raises ValueError, which says what is wrong."""
    return str(text(LONGEST).check(name)) if name.strip() else ""


def read(db: sqlite3.Connection) -> tuple[dict[int, GameRow], set[int]]:
    """The rows that are as they were written, by game, and the games whose are not; game 0 where there may be more."""
    rows, damaged = dict[int, GameRow](), set[int]()
    try:
        for game, turn, name, rev, mark in db.execute("select game, turn, name, rev, seal from turn"):
            if mark == _seal(game, row := GameRow(turn, name, rev)):
                rows[game] = row
            else:
                damaged.add(game)
    except (sqlite3.Error, TypeError):  # a damaged file has anything in it
        damaged.add(0)
    return rows, damaged


def merged(sources: Sequence[sqlite3.Connection]) -> dict[int, GameRow]:
    """The newest row of each game that any of these files has."""
    found = dict[int, GameRow]()
    for db in sources:
        for game, row in read(db)[0].items():
            if game not in found or row.rev > found[game].rev:
                found[game] = row
    return found


def order(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """The turn and number of each game that is kept, the one on the table first. Raises sqlite3.Error."""
    rows, _ = read(db)
    games = [int(game) for (game,) in db.execute("select id from game")]
    return sorted(((rows[game].turn if game in rows else game, game) for game in games), reverse=True)


def current(db: sqlite3.Connection) -> tuple[int, int]:
    """The turn and number of the game on the table; 0 and 0 where there is none. Raises sqlite3.Error."""
    return next(iter(order(db)), (0, 0))


def new(db: sqlite3.Connection) -> int:
    """A number that no game has or had. Raises sqlite3.Error."""
    ((last,),) = db.execute(
        "select max(coalesce((select max(id) from game), 0), coalesce((select max(game) from turn), 0))"
    )
    return int(last) + 1


def lay(db: sqlite3.Connection, game: int) -> int:
    """Put a game on the table; gives its turn. Raises sqlite3.Error."""
    row = _row(db, game)
    put(db, game, replace(row, turn=row.rev))
    return row.rev


def call(db: sqlite3.Connection, game: int, name: str) -> None:
    """Give a game a name, or with "" none. Raises sqlite3.Error."""
    put(db, game, replace(_row(db, game), name=name))


def drop(db: sqlite3.Connection, game: int) -> None:
    """Note that a game had to go, so that no copy brings it back. Raises sqlite3.Error."""
    put(db, game, replace(_row(db, game), turn=0))


def _row(db: sqlite3.Connection, game: int) -> GameRow:
    """A game's row with the next number for a change of it."""
    rows, _ = read(db)
    numbers = [number for row in rows.values() for number in (row.turn, row.rev)]
    ((last,),) = db.execute("select coalesce(max(id), 0) from game")
    return replace(rows.get(game, GameRow(game, "", 0)), rev=max([last, *numbers]) + 1)


def put(db: sqlite3.Connection, game: int, row: GameRow) -> None:
    """Write a row as it is. Raises sqlite3.Error."""
    db.execute(
        "insert or replace into turn (game, turn, name, rev, seal) values (?, ?, ?, ?, ?)",
        (game, row.turn, row.name, row.rev, _seal(game, row)),
    )


def _seal(game: int, row: GameRow) -> str:
    return seal("turn", game, row.turn, row.name, row.rev)
