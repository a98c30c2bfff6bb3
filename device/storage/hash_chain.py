"""Checksums of the journal's rows. An answer's checksum covers its content and the checksum before it.

This finds rows that a failing card changed. Rows of several files form one game only if each continues the one before.
The checksums protect against damage, not against people. In the tables they are in the column `seal`.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

EntryRow = tuple[str, str, str, str]  # one answer: its JSON, its source, its time and its checksum


def checksum(before: str, *parts: str | int | None) -> str:
    """Checksum of `parts`, chained to the checksum `before`."""
    return blake2b(json.dumps([before, *parts], default=repr).encode(), digest_size=8).hexdigest()


def root_checksum(game: int, header: str, decks: str) -> str:
    """Checksum of a game before its first answer."""
    return checksum("game", game, header, decks)


@dataclass(frozen=True, slots=True)
class Chain:
    """The part of a game with valid checksums, or the requested part of that.

    rows: its answers.
    head: last checksum.
    snapshot: last published view as JSON.
    whole: True if the game is known to end there.
    """

    id: int
    header: str
    decks: str
    started: str
    rows: tuple[EntryRow, ...]
    head: str
    snapshot: str | None
    whole: bool


def build_chain(
    game: int, header: str, decks: str, started: str, answers: Iterable[tuple[str, str, str]], snapshot: str | None
) -> Chain:
    """Build a complete game with new checksums. `answers` has the JSON, source and time of each answer."""
    head, rows = root_checksum(game, header, decks), list[EntryRow]()
    for place, one in enumerate(answers):
        head = checksum(head, place, *one)
        rows.append((*one, head))
    return Chain(game, header, decks, started, tuple(rows), head, snapshot, True)


def readable_rows(db: sqlite3.Connection, query: str, *parameters: int) -> tuple[list[tuple[Any, ...]], bool]:
    """Rows of a query up to the first unreadable one, and True if all could be read."""
    rows = list[tuple[Any, ...]]()
    try:
        for row in db.execute(query, parameters):
            rows.append(row)
    except sqlite3.Error:
        return rows, False
    return rows, True


def longest_chain(sources: Sequence[sqlite3.Connection], game: int, skip: int = 0, head: str = "") -> Chain | None:
    """Return the longest valid chain of a game's answers from all these files. None if nothing can be trusted.

    The first `skip` answers, with last checksum `head`, are assumed valid and left out.
    """
    query = "select header, decks, started, snapshot, seal from game where id = ?"
    found = [row for db in sources for row in readable_rows(db, query, game)[0]]
    # One query reads most rows. Rows hidden by a damaged page are read one by one.
    query = "select place, body, source, at, seal from entry where game = ? and place >= ?"
    ahead: dict[int, EntryRow] = {row[0]: row[1:] for row in readable_rows(sources[0], query, game, skip)[0]}
    chains = []
    for header, decks, started in dict.fromkeys(row[:3] for row in found):
        rows, last = list[EntryRow](), head if skip else root_checksum(game, header, decks)
        while (row := _next_row(sources, game, skip + len(rows), last, ahead)) is not None:
            rows.append(row)
            last = row[3]
        ends = [snapshot for *_, snapshot, mark in found if mark == checksum(last, snapshot)]
        end = ends[0] if ends else None
        chains.append(Chain(game, header, decks, started, tuple(rows), last, end, bool(ends)))
    usable = [one for one in chains if one.rows or one.whole]
    return max(usable, key=lambda one: (len(one.rows), one.whole), default=None)


def _next_row(
    sources: Sequence[sqlite3.Connection], game: int, place: int, head: str, ahead: dict[int, EntryRow]
) -> EntryRow | None:
    query = "select body, source, at, seal from entry where game = ? and place = ?"
    rest = (row for db in sources for row in readable_rows(db, query, game, place)[0])
    rows = itertools.chain([ahead[place]] if place in ahead else [], rest)
    return next((row for row in rows if row[3] == checksum(head, place, *row[:3])), None)


def game_numbers(sources: Sequence[sqlite3.Connection]) -> list[int]:
    """Numbers of the readable games in any of these files."""
    # From both ends, up to the damage.
    orders = [f"select id from game order by id {order}" for order in ("asc", "desc")]
    found = {game for db in sources for order in orders for (game,) in readable_rows(db, order)[0]}
    return sorted(game for game in found if isinstance(game, int) and game > 0)


def trusted_values(db: sqlite3.Connection) -> tuple[dict[str, str], bool]:
    """Values of the table `meta` with valid checksums, and True if every row was readable and valid."""
    rows, whole = readable_rows(db, "select key, value, seal from meta")
    found = {key: value for key, value, mark in rows if mark == checksum("meta", key, value)}
    return found, whole and len(found) == len(rows)


def set_value(db: sqlite3.Connection, key: str, value: str) -> None:
    """Store a value in the table `meta`. Raises sqlite3.Error."""
    db.execute("insert or replace into meta values (?, ?, ?)", (key, value, checksum("meta", key, value)))


def add_checksums(db: sqlite3.Connection) -> None:
    """Add checksums to a journal of an older Dugout that had none. Raises sqlite3.Error."""
    tables = ("meta", "game", "entry")
    old = [one for one in tables if all(row[1] != "seal" for row in db.execute(f"pragma table_info ({one})"))]
    if not old:
        return
    with db:
        db.execute("begin immediate")
        for table in old:
            db.execute(f"alter table {table} add column seal text not null default ''")
        for key, value in db.execute("select key, value from meta").fetchall():
            set_value(db, key, value)
        for (game,) in db.execute("select id from game").fetchall():
            add_game_checksums(db, game)


def add_game_checksums(db: sqlite3.Connection, game: int) -> None:
    """Store checksums for a game as it is in the file, without checking it. Raises sqlite3.Error."""
    header, decks, shown = db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
    head = root_checksum(game, header, decks)
    rows = db.execute("select place, body, source, at from entry where game = ? order by place", (game,)).fetchall()
    for row in rows:
        head = checksum(head, *row)
        db.execute("update entry set seal = ? where game = ? and place = ?", (head, game, row[0]))
    db.execute("update game set seal = ? where id = ?", (checksum(head, shown), game))
