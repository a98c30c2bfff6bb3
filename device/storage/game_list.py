"""The table `turn`: which game is on the table, which were before it, and their names.

The game on the table is the one with the highest turn. A game without a row, as in a journal of an older Dugout, has
its number for a turn. Each row has its own checksum (device/storage/hash_chain.py).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.storage.hash_chain import checksum
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
    """A game's row.

    `turn` rises with each game that comes onto the table; 0 for a game that was deleted to make room. `name` is "" for
    none. `rev` rises with each change of any row.
    """

    turn: int
    name: str
    rev: int


def checked_name(name: str) -> str:
    """Return a name as it is stored: 1 to 40 printable characters, or "". Raises ValueError with a sentence."""
    return str(text(LONGEST).check(name)) if name.strip() else ""


def read(db: sqlite3.Connection, since: int = 0) -> tuple[dict[int, GameRow], set[int]]:
    """Return the rows that changed after `since`, by game, and the games whose rows are damaged; 0 if any may be."""
    rows, damaged = dict[int, GameRow](), set[int]()
    try:
        found = db.execute("select game, turn, name, rev, seal from turn where rev > ?", (since,))
        for game, turn, name, rev, mark in found:
            if mark == _checksum(game, row := GameRow(turn, name, rev)):
                rows[game] = row
            else:
                damaged.add(game)
    except (sqlite3.Error, TypeError):  # a damaged file has anything in it
        damaged.add(0)
    return rows, damaged


def merged(sources: Sequence[sqlite3.Connection]) -> dict[int, GameRow]:
    """Return the newest row of each game in any of these files."""
    found = dict[int, GameRow]()
    for db in sources:
        for game, row in read(db)[0].items():
            if game not in found or row.rev > found[game].rev:
                found[game] = row
    return found


def order(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """Return the turn and number of each stored game, the one on the table first. Raises sqlite3.Error."""
    rows, _ = read(db)
    games = [int(game) for (game,) in db.execute("select id from game")]
    return sorted(((rows[game].turn if game in rows else game, game) for game in games), reverse=True)


def current(db: sqlite3.Connection) -> tuple[int, int]:
    """Return the turn and number of the game on the table; 0 and 0 if there is none. Raises sqlite3.Error."""
    return next(iter(order(db)), (0, 0))


def new_number(db: sqlite3.Connection) -> int:
    """Return a number that no game has or had. Raises sqlite3.Error."""
    ((last,),) = db.execute(
        "select max(coalesce((select max(id) from game), 0), coalesce((select max(game) from turn), 0))"
    )
    return int(last) + 1


def put_on_table(db: sqlite3.Connection, game: int) -> None:
    """Give a game the next turn. Raises sqlite3.Error."""
    row = _changed(db, game)
    put(db, game, replace(row, turn=row.rev))


def rename(db: sqlite3.Connection, game: int, name: str) -> None:
    """Give a game a name, or with "" none. Raises sqlite3.Error."""
    put(db, game, replace(_changed(db, game), name=name))


def delete(db: sqlite3.Connection, game: int) -> None:
    """Delete a game, and record that, so that no copy brings it back. Raises sqlite3.Error."""
    put(db, game, replace(_changed(db, game), turn=0))


def _changed(db: sqlite3.Connection, game: int) -> GameRow:
    """Return a game's row with the next number for a change."""
    rows, _ = read(db)
    numbers = [number for row in rows.values() for number in (row.turn, row.rev)]
    ((last,),) = db.execute("select coalesce(max(id), 0) from game")
    return replace(rows.get(game, GameRow(game, "", 0)), rev=max([last, *numbers]) + 1)


def put(db: sqlite3.Connection, game: int, row: GameRow) -> None:
    """Write a row as it is; the game goes with it where that says so. Raises sqlite3.Error."""
    db.execute(
        "insert or replace into turn (game, turn, name, rev, seal) values (?, ?, ?, ?, ?)",
        (game, row.turn, row.name, row.rev, _checksum(game, row)),
    )
    if not row.turn:
        delete_rows(db, game)


def delete_rows(db: sqlite3.Connection, game: int) -> None:
    """Delete a game's answers and the game, but not its row here. Raises sqlite3.Error."""
    db.execute("delete from entry where game = ?", (game,))
    db.execute("delete from game where id = ?", (game,))


def _checksum(game: int, row: GameRow) -> str:
    return checksum("turn", game, row.turn, row.name, row.rev)
