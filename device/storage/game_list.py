"""Table `turn`: names and seat settings of the games, and the order in which they were on the table.

The game with the highest turn is on the table. A game without a row, as in a journal of an older Dugout, uses its
number as turn. Each row has its own checksum (device/storage/hash_chain.py).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from device.storage.database import has_seat_settings_column
from device.storage.hash_chain import checksum, readable_rows
from engine.text import visible_text

MAX_NAME_LENGTH = 40  # maximum length of a name in characters


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game's row.

    turn: rises with each game put on the table. 0 for a game deleted to make room, below 0 for a damaged game that must
        not be on the table.
    name: "" for none.
    rev: rises with each change of any row.
    standing: seat settings as JSON, "" for the defaults.
    """

    turn: int
    name: str
    rev: int
    standing: str = ""


def checked_name(name: str) -> str:
    """Validate a name of 1 to 40 visible characters, or "". Raises ValueError with a reason."""
    return visible_text.visible_line(name, MAX_NAME_LENGTH) if name.strip() else ""


def read_rows(db: sqlite3.Connection, since: int = 0) -> tuple[dict[int, GameRow], set[int]]:
    """Rows changed after `since`, by game, and the games with damaged rows. 0 stands for an unknown game."""
    standing = "''"
    with suppress(sqlite3.Error):
        # A file opened for reading, such as an older Dugout's backup, is not migrated.
        standing = "standing" if has_seat_settings_column(db) else standing
    rows, whole = readable_rows(db, f"select game, turn, name, rev, {standing}, seal from turn where rev > ?", since)
    found = {game: row for game, *columns, mark in rows if mark == row_checksum(game, row := GameRow(*columns))}
    return found, ({game for game, *_ in rows} - found.keys()) | (set() if whole else {0})


def row_checksum(game: int, row: GameRow) -> str:
    """Checksum of a row. Without `standing` it equals an older Dugout's."""
    return checksum("turn", game, row.turn, row.name, row.rev, *([row.standing] if row.standing else []))


def merged_rows(sources: Sequence[sqlite3.Connection]) -> dict[int, GameRow]:
    """Newest row of each game in any of these files."""
    rows = [one for db in reversed(sources) for one in read_rows(db)[0].items()]
    return dict(sorted(rows, key=lambda one: one[1].rev))


def games_by_turn(db: sqlite3.Connection) -> list[tuple[int, int]]:
    """Turn and number of each stored game, the current one first. Raises sqlite3.Error."""
    rows, _ = read_rows(db)
    games = [int(game) for (game,) in db.execute("select id from game")]
    return sorted(((rows[game].turn if game in rows else game, game) for game in games), reverse=True)


def current_game(db: sqlite3.Connection) -> tuple[int, int]:
    """Turn and number of the current game, 0 and 0 if there is none. Raises sqlite3.Error."""
    return next(iter(games_by_turn(db)), (0, 0))


def new_game_number(db: sqlite3.Connection) -> int:
    """A number that no game has or had. Raises sqlite3.Error."""
    ((last,),) = db.execute("select coalesce(max(id), 0) from (select id from game union select game from turn)")
    return int(last) + 1


def set_current_game(db: sqlite3.Connection, game: int) -> None:
    """Give a game the next turn. Raises sqlite3.Error."""
    row = _row_for_change(db, game)
    write_row(db, game, replace(row, turn=row.rev))


def move_behind_others(db: sqlite3.Connection, game: int) -> None:
    """Order a damaged game behind all others, so that it is not the current one. Raises sqlite3.Error."""
    write_row(db, game, replace(_row_for_change(db, game), turn=-game))


def rename_game(db: sqlite3.Connection, game: int, name: str) -> bool:
    """Set a game's name, "" for none. Return False if there is no such game. Raises sqlite3.Error."""
    known = db.execute("select 1 from game where id = ?", (game,)).fetchone() is not None
    if known:
        write_row(db, game, replace(_row_for_change(db, game), name=name))
    return known


def set_seat_settings(db: sqlite3.Connection, game: int, standing: str) -> None:
    """Store a game's seat settings. Raises sqlite3.Error."""
    write_row(db, game, replace(_row_for_change(db, game), standing=standing))


def delete_game(db: sqlite3.Connection, game: int) -> None:
    """Delete a game and record that, so that no copy restores it. Raises sqlite3.Error."""
    write_row(db, game, replace(_row_for_change(db, game), turn=0, standing=""))


def _row_for_change(db: sqlite3.Connection, game: int) -> GameRow:
    """A game's row with the next revision number."""
    rows, _ = read_rows(db)
    ((last,),) = db.execute("select coalesce(max(id), 0) from game")
    last = max([last, *(max(row.turn, row.rev) for row in rows.values())])
    return replace(rows.get(game, GameRow(game, "", 0)), rev=last + 1)


def write_row(db: sqlite3.Connection, game: int, row: GameRow) -> None:
    """Store a row unchanged. If it marks the game as deleted, delete the game. Raises sqlite3.Error."""
    columns = (game, row.turn, row.name, row.rev, row.standing, row_checksum(game, row))
    db.execute("insert or replace into turn (game, turn, name, rev, standing, seal) values (?, ?, ?, ?, ?, ?)", columns)
    if not row.turn:
        delete_game_rows(db, game)


def delete_game_rows(db: sqlite3.Connection, game: int) -> None:
    """Delete a game and its answers, but not its row in this table. Raises sqlite3.Error."""
    db.execute("delete from entry where game = ?", (game,))
    db.execute("delete from game where id = ?", (game,))
