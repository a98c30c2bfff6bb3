"""The file of the record book: its tables, and how it is opened, replaced and checked for its version.

Everything in it is derived from the journal, so a missing, damaged or older file is simply built again.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import fields
from pathlib import Path

from device.storage.database import delete_journal, is_damage_error
from engine.games import GAMES
from engine.league.stats import BattingStats, PitchingStats

SCHEMA_VERSION = 1
"""Rises with each change of the tables or of what is counted."""

TIMEOUT_S = 5.0
"""How long a connection waits for another, in seconds."""

BATTING_COLUMNS = tuple(one.name for one in fields(BattingStats))
PITCHING_COLUMNS = tuple(one.name for one in fields(PitchingStats))


def _integer_columns(names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} integer not null" for name in names)


BOOK_SCHEMA = f"""
create table meta (key text primary key, value text not null) strict, without rowid;
create table version (book text primary key, version text not null) strict, without rowid;
create table journal (
    number integer primary key, fingerprint text not null, game text not null, started text not null,
    played text not null, finished integer not null, simulated integer not null,
    league text, fixture integer, away_team text, home_team text, friendly integer not null,
    away_person text, home_person text, trouble text not null
) strict;
create index journal_of_league on journal (league) where league is not null;
create index journal_by_time on journal (played);
create table game (
    book text not null, number integer not null, place integer not null,
    started text not null, played text not null, fixture integer not null,
    away text not null, home text not null, away_runs integer not null, home_runs integer not null,
    winner text not null, winner_seat text not null, away_seat text not null,
    innings integer not null, regulation integer not null, half_innings integer not null,
    simulated integer not null, friendly integer not null, fingerprint text not null,
    primary key (book, number, place)
) strict, without rowid;
create index game_of_number on game (number);
create table side (
    book text not null, team text not null, number integer not null, place integer not null, side text not null,
    opponent text not null, seat text not null, line_runs integer not null, line_hits integer not null,
    line text not null, {_integer_columns(BATTING_COLUMNS)},
    primary key (book, team, number, place, side)
) strict, without rowid;
create index side_of_number on side (number);
create table batting (
    book text not null, team text not null, player text not null, number integer not null, place integer not null,
    side text not null, {_integer_columns(BATTING_COLUMNS)},
    primary key (book, team, player, number, place, side)
) strict, without rowid;
create index batting_of_number on batting (number);
create index batting_of_player on batting (player);
create table pitching (
    book text not null, team text not null, player text not null, number integer not null, place integer not null,
    side text not null, {_integer_columns(PITCHING_COLUMNS)},
    primary key (book, team, player, number, place, side)
) strict, without rowid;
create index pitching_of_number on pitching (number);
create index pitching_of_player on pitching (player);
"""
"""The tables.

`journal` has a row for each stored game, also for one that goes on or cannot be read (`trouble`). The others have the
finished games of each book, by sides. A game is in the book of its rulebook, in that of its league, and in that of its
journal if it has several games. Which games of a fixture count is not stored, because that depends on the league.
`version` changes with each change of a book.
"""

DERIVED_TABLES = ("game", "side", "batting", "pitching")
"""The tables with rows of a journal's finished games."""


def book_basis() -> str:
    """What the book was computed by: another basis makes it out of date."""
    return json.dumps([SCHEMA_VERSION, {game.key: game.version for game in GAMES.values()}])


def open_book(path: Path, check: bool = False) -> sqlite3.Connection:
    """Open the book for changes. A missing or older one, or one that is seen to be damaged, becomes an empty one.

    check: read the complete file for damage, which takes some tenths of a second.

    Raises OSError and sqlite3.Error.
    """
    try:
        db = _open_current(path, check)
    except sqlite3.Error as error:
        if not is_damage_error(error):
            raise
        db = None
    if db is None:
        delete_journal(path)
        create_book(path).close()
        db = _open_current(path, False)
        if db is None:
            raise sqlite3.DatabaseError("the record book cannot be created")
    return db


def _open_current(path: Path, check: bool) -> sqlite3.Connection | None:
    """The book at `path`, or None if it is missing, damaged or has another basis. Raises sqlite3.Error."""
    if not path.exists():
        return None
    db = sqlite3.connect(path, isolation_level=None, timeout=TIMEOUT_S)
    try:
        db.execute("pragma journal_mode = wal")
        db.execute("pragma synchronous = normal")
        healthy = not check or db.execute("pragma quick_check (1)").fetchone() == ("ok",)
        if healthy and stored_value(db, "basis") == book_basis():
            return db
    except BaseException:
        db.close()
        raise
    db.close()
    return None


def create_book(path: Path) -> sqlite3.Connection:
    """Create an empty book, for its owner only. Raises OSError and sqlite3.Error."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600))
    db = sqlite3.connect(path, isolation_level=None, timeout=TIMEOUT_S)
    try:
        # Nobody reads it before it is complete, and it is not used if that fails.
        db.execute("pragma journal_mode = off")
        db.execute("pragma synchronous = off")
        db.executescript(BOOK_SCHEMA)
        db.execute("insert into meta values ('basis', ?)", (book_basis(),))
    except BaseException:
        db.close()
        raise
    return db


def open_for_reading(path: Path) -> sqlite3.Connection:
    """Open the book for reading only. Raises sqlite3.Error."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, timeout=TIMEOUT_S)
    db.execute("pragma cache_size = -16000")
    return db


def replace_book(path: Path, new: Path) -> None:
    """Replace the content of the book by that of `new`, in one transaction: readers see the old book or the new one.

    Raises sqlite3.Error.
    """
    with closing(sqlite3.connect(new)) as source, closing(open_book(path)) as target:
        source.backup(target)


def stored_value(db: sqlite3.Connection, key: str) -> str:
    """A value of the table `meta`, "" for none. Raises sqlite3.Error."""
    row = db.execute("select value from meta where key = ?", (key,)).fetchone()
    return str(row[0]) if row else ""


def mark_changed(db: sqlite3.Connection, books: Iterable[str]) -> None:
    """Give books another version, by which readers know that what they have computed is out of date."""
    mark = secrets.token_hex(8)
    db.executemany("insert or replace into version values (?, ?)", [(book, mark) for book in books])
