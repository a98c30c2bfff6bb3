"""Checksums of the journal's rows: an answer's covers what it says and the checksum before it.

So a row that a failing card changed is found, and rows of several files make one game only where each continues the one
before it. They guard against damage, not against people. In the tables they stand in the column `seal`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b

Row = tuple[str, str, str, str]
"""An entry: its JSON, who gave it, when, and its checksum."""


def checksum(before: str, *parts: str | int | None) -> str:
    """Return the checksum of `parts`, which follow what the checksum `before` covers."""
    return blake2b(json.dumps([before, *parts]).encode(), digest_size=8).hexdigest()


def root(game: int, header: str, decks: str) -> str:
    """Return the checksum of a game before its first answer."""
    return checksum("game", game, header, decks)


@dataclass(frozen=True, slots=True)
class Chain:
    """A game as far as its checksums are right, or the part of it that was asked for.

    `rows` are its answers, `head` is the last checksum, `snapshot` is what was last shown; `whole` if it is known to
    end there.
    """

    id: int
    header: str
    decks: str
    started: str
    rows: tuple[Row, ...]
    head: str
    snapshot: str | None
    whole: bool


def chain(sources: Sequence[sqlite3.Connection], game: int, skip: int = 0, head: str = "") -> Chain | None:
    """Return the longest chain of a game's answers that all these files give together; None where none can be trusted.

    The first `skip` answers, whose last checksum is `head`, are taken as right and left out.
    """
    found = []
    for db in sources:
        with suppress(sqlite3.Error):
            found += db.execute(
                "select header, decks, started, snapshot, seal from game where id = ?", (game,)
            ).fetchall()
    ahead = dict[int, Row]()
    with suppress(sqlite3.Error):  # most rows at once; those that a damaged page hides one by one
        rest = "select place, body, source, at, seal from entry where game = ? and place >= ?"
        for place, *columns in sources[0].execute(rest, (game, skip)):
            ahead[place] = tuple(columns)
    chains = []
    for start in dict.fromkeys(row[:3] for row in found):
        rows, last = list[Row](), head if skip else root(game, *start[:2])
        while (row := _next(sources, game, skip + len(rows), last, ahead)) is not None:
            rows.append(row)
            last = row[3]
        ends = [row[3] for row in found if row[4] == checksum(last, row[3])]
        header, decks, started = start
        end = ends[0] if ends else None
        chains.append(Chain(game, header, decks, started, tuple(rows), last, end, bool(ends)))
    return max(
        (one for one in chains if one.rows or one.whole), key=lambda one: (len(one.rows), one.whole), default=None
    )


def _next(sources: Sequence[sqlite3.Connection], game: int, place: int, head: str, ahead: dict[int, Row]) -> Row | None:
    if (row := ahead.get(place)) is not None and row[3] == checksum(head, place, *row[:3]):
        return row
    for db in sources:
        with suppress(sqlite3.Error):
            row = db.execute(
                "select body, source, at, seal from entry where game = ? and place = ?", (game, place)
            ).fetchone()
            if row is not None and row[3] == checksum(head, place, *row[:3]):
                return (row[0], row[1], row[2], row[3])
    return None


def games(sources: Sequence[sqlite3.Connection]) -> list[int]:
    """Return the numbers of the games in any of these files, as far as they can be read."""
    found = set[int]()
    for db in sources:
        for order in ("asc", "desc"):  # from both ends, up to the damage
            with suppress(sqlite3.Error):
                for (game,) in db.execute(f"select id from game order by id {order}"):
                    found.add(game)
    return sorted(game for game in found if isinstance(game, int) and game > 0)


def values(db: sqlite3.Connection) -> tuple[dict[str, str], bool]:
    """Return the values of the table `meta` whose checksums are right, and whether that is all of them."""
    found, whole = dict[str, str](), True
    try:
        for key, value, mark in db.execute("select key, value, seal from meta"):
            if mark == checksum("meta", key, value):
                found[key] = value
            else:
                whole = False
    except sqlite3.Error:
        whole = False
    return found, whole


def put_value(db: sqlite3.Connection, key: str, value: str) -> None:
    """Write a value into the table `meta`. Raises sqlite3.Error."""
    db.execute("insert or replace into meta values (?, ?, ?)", (key, value, checksum("meta", key, value)))


def add_checksums(db: sqlite3.Connection) -> None:
    """Give checksums to a journal of an older Dugout that had none. Raises sqlite3.Error."""
    tables = ("meta", "game", "entry")
    old = [one for one in tables if all(row[1] != "seal" for row in db.execute(f"pragma table_info ({one})"))]
    if not old:
        return
    db.execute("begin immediate")
    for table in old:
        db.execute(f"alter table {table} add column seal text not null default ''")
    for key, value in db.execute("select key, value from meta").fetchall():
        put_value(db, key, value)
    for (game,) in db.execute("select id from game").fetchall():
        add_game_checksums(db, game)
    db.execute("commit")


def add_game_checksums(db: sqlite3.Connection, game: int) -> None:
    """Write the checksums of a game as it is in the file, whatever that is. Raises sqlite3.Error."""
    header, decks, shown = db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
    head = root(game, header, decks)
    rows = db.execute("select place, body, source, at from entry where game = ? order by place", (game,)).fetchall()
    for row in rows:
        head = checksum(head, *row)
        db.execute("update entry set seal = ? where game = ? and place = ?", (head, game, row[0]))
    db.execute("update game set seal = ? where id = ?", (checksum(head, shown), game))
