"""Seals: each answer's is made of what it says and of the seal before it.

So a row that a failing card spoiled is known from one that is as it was written, and rows of several files make one
game only where each continues the one before it. They guard against damage, not against people.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b

Row = tuple[str, str, str, str]
"""An entry: what it says, who gave it, when, and its seal."""


def seal(before: str, *parts: str | int | None) -> str:
    """The seal of `parts` that stand behind what `before` seals."""
    return blake2b(json.dumps([before, *parts]).encode(), digest_size=8).hexdigest()


def root(game: int, header: str, decks: str) -> str:
    """The seal of a game before its first answer."""
    return seal("game", game, header, decks)


@dataclass(frozen=True, slots=True)
class Chain:
    """A game as far as its seals are right: `whole` if nothing came behind that, and `snapshot` is what was shown."""

    id: int
    header: str
    decks: str
    started: str
    rows: tuple[Row, ...]
    snapshot: str | None
    whole: bool

    @property
    def head(self) -> str:
        """The last seal."""
        return self.rows[-1][3] if self.rows else root(self.id, self.header, self.decks)


def chain(sources: Sequence[sqlite3.Connection], game: int) -> Chain | None:
    """The longest chain of a game's answers in all of these files; None where nothing of the game can be trusted."""
    found = []
    for db in sources:
        with suppress(sqlite3.Error):
            rows = db.execute("select header, decks, started, snapshot, seal from game where id = ?", (game,))
            found += rows.fetchall()
    chains = [
        _follow(sources, game, start, [row[3:] for row in found]) for start in dict.fromkeys(row[:3] for row in found)
    ]
    sure = [one for one in chains if one.rows or one.whole]
    return max(sure, key=lambda one: (len(one.rows), one.whole), default=None)


def _follow(
    sources: Sequence[sqlite3.Connection],
    game: int,
    start: tuple[str, str, str],
    ends: Iterable[tuple[str | None, str]],
) -> Chain:
    rows: list[Row] = []
    head = root(game, *start[:2])
    while (row := _next(sources, game, len(rows), head)) is not None:
        rows.append(row)
        head = row[3]
    end = next(((shown, True) for shown, mark in ends if mark == seal(head, shown)), (None, False))
    return Chain(game, *start, tuple(rows), *end)


def _next(sources: Sequence[sqlite3.Connection], game: int, place: int, head: str) -> Row | None:
    for db in sources:
        with suppress(sqlite3.Error):
            row = db.execute(
                "select body, source, at, seal from entry where game = ? and place = ?", (game, place)
            ).fetchone()
            if row is not None and row[3] == seal(head, place, *row[:3]):
                return (row[0], row[1], row[2], row[3])
    return None


def games(sources: Sequence[sqlite3.Connection]) -> list[int]:
    """The numbers of the games that any of these files tells of, as far as they can be read."""
    found = set[int]()
    for db in sources:
        for order in ("asc", "desc"):
            with suppress(sqlite3.Error):
                for (game,) in db.execute(f"select id from game order by id {order}"):
                    found.add(game)
    return sorted(game for game in found if isinstance(game, int) and game > 0)


def remembered(db: sqlite3.Connection) -> tuple[dict[str, str], bool]:
    """What is remembered for good in a file, by its key, and whether that is all of it."""
    values, whole = dict[str, str](), True
    try:
        for key, value, mark in db.execute("select key, value, seal from meta"):
            if mark == seal("meta", key, value):
                values[key] = value
            else:
                whole = False
    except sqlite3.Error:
        whole = False
    return values, whole


def seal_all(db: sqlite3.Connection) -> None:
    """Seal what an older Dugout kept."""
    db.execute("begin immediate")
    for table in ("meta", "game", "entry"):
        if all(row[1] != "seal" for row in db.execute(f"pragma table_info ({table})")):
            db.execute(f"alter table {table} add column seal text not null default ''")
    for key, value in db.execute("select key, value from meta").fetchall():
        db.execute("update meta set seal = ? where key = ?", (seal("meta", key, value), key))
    for (game,) in db.execute("select id from game").fetchall():
        seal_game(db, game)
    db.execute("commit")


def seal_game(db: sqlite3.Connection, game: int) -> None:
    """Seal a game as it is in the file, whatever that is."""
    header, decks, shown = db.execute("select header, decks, snapshot from game where id = ?", (game,)).fetchone()
    head = root(game, header, decks)
    rows = db.execute("select place, body, source, at from entry where game = ? order by place", (game,)).fetchall()
    for row in rows:
        head = seal(head, *row)
        db.execute("update entry set seal = ? where game = ? and place = ?", (head, game, row[0]))
    db.execute("update game set seal = ? where id = ?", (seal(head, shown), game))
