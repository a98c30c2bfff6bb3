"""Table `turn`: names and seat settings of the games, and the order in which they were on the table.

The game with the highest turn is on the table. A game without a row, as in a journal of an older Dugout, uses its
number as turn. Each row has its own checksum (device/storage/hash_chain.py).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from device.storage.database import has_seat_settings_column
from device.storage.hash_chain import checksum, readable_rows
from device.storage.seat_settings import league_of
from engine.text import visible_text

MAX_NAME_LENGTH = 40  # maximum length of a name in characters

LEAGUE_GAMES_SQL = """select game from turn where turn <> 0
    and case when json_valid(standing) then json_type(standing, '$.league') is 'object' else 0 end"""
"""SQL for the games of leagues. Without the `case`, SQLite would reject the complete query for damaged JSON."""


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
    rows, whole = _stored_rows(db, "where rev > ?", since)
    found = {game: row for game, row in rows if row is not None}
    return found, ({game for game, _ in rows} - found.keys()) | (set() if whole else {0})


def read_row(db: sqlite3.Connection, game: int) -> GameRow | None:
    """A game's row. None if it has none or a damaged one."""
    rows, _ = _stored_rows(db, "where game = ?", game)
    return next((row for _, row in rows), None)


def _stored_rows(db: sqlite3.Connection, which: str, *values: int) -> tuple[list[tuple[int, GameRow | None]], bool]:
    """Games and their rows up to the first unreadable one, None for a damaged row, and True if all could be read."""
    standing = "''"
    with suppress(sqlite3.Error):
        # A file opened for reading, such as an older Dugout's backup, is not migrated.
        standing = "standing" if has_seat_settings_column(db) else standing
    rows, whole = readable_rows(db, f"select game, turn, name, rev, {standing}, seal from turn {which}", *values)
    found = [(game, GameRow(*columns), mark) for game, *columns, mark in rows]
    return [(game, row if mark == row_checksum(game, row) else None) for game, row, mark in found], whole


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
    ((newest,),) = db.execute("select coalesce(max(id), 0) from game")
    rows, _ = _stored_rows(db, "where game = (select game from turn order by turn desc limit 1)")
    for game, row in rows:
        # Without reading all rows, if it is above the games that have no trusted row.
        if row and row.turn > newest and db.execute("select 1 from game where id = ?", (game,)).fetchone():
            return row.turn, game
    return next(iter(games_by_turn(db)), (0, 0))


def league_games(db: sqlite3.Connection) -> set[int]:
    """Numbers of the stored games that belong to a league."""
    return {game for (game,) in readable_rows(db, LEAGUE_GAMES_SQL)[0]}


def new_game_number(db: sqlite3.Connection) -> int:
    """A number that no game has or had. Raises sqlite3.Error."""
    last = [
        db.execute(f"select coalesce(max({key}), 0) from {table}") for key, table in (("id", "game"), ("game", "turn"))
    ]
    return 1 + max(int(one) for rows in last for (one,) in rows)


def add_game(db: sqlite3.Connection, game: int, standing: str, current: int = 0) -> None:
    """Store the row of a new game. It is on the table, or comes after `current`, which stays. Raises sqlite3.Error."""
    row = replace(_row_for_change(db, game), standing=standing)
    write_row(db, game, replace(row, turn=row.rev))
    if current:
        kept, rev = read_row(db, current) or GameRow(current, "", 0), row.rev + 1
        write_row(db, current, replace(kept, turn=rev, rev=rev))


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


def leave_league(db: sqlite3.Connection, league: str) -> int:
    """Make the games of a league ordinary ones. Return their number. Raises sqlite3.Error."""

    def without_league(row: GameRow) -> str | None:
        if not _is_in_league(row, league):
            return None
        settings = json.loads(row.standing)
        del settings["league"]
        return json.dumps(settings)

    return _change_standings(db, without_league)


def replace_person(db: sqlite3.Connection, key: str, into: str) -> int:
    """Make a person's games those of another one. Return their number. Raises sqlite3.Error."""

    def with_other_person(row: GameRow) -> str | None:
        _, people = league_of(row.standing)
        if key not in people.values():
            return None
        changed = {seat: into if one == key else one for seat, one in people.items()}
        return json.dumps(json.loads(row.standing) | {"people": changed})

    return _change_standings(db, with_other_person)


def _change_standings(db: sqlite3.Connection, change: Callable[[GameRow], str | None]) -> int:
    """Store the changed seat settings of each game for which `change` returns some. Return their number."""
    rows = [(game, row) for game, row in read_rows(db)[0].items() if row.turn]
    changed = [(game, row, standing) for game, row in rows if (standing := change(row)) is not None]
    for rev, (game, row, standing) in enumerate(changed, _row_for_change(db, 0).rev):
        write_row(db, game, replace(row, rev=rev, standing=standing))
    return len(changed)


def _is_in_league(row: GameRow, league: str) -> bool:
    found, _ = league_of(row.standing)
    return found is not None and found.league == league


def delete_game(db: sqlite3.Connection, game: int) -> None:
    """Delete a game and record that, so that no copy restores it. Raises sqlite3.Error."""
    write_row(db, game, replace(_row_for_change(db, game), turn=0, standing=""))


def _row_for_change(db: sqlite3.Connection, game: int) -> GameRow:
    """A game's row with the next revision number."""
    newest, whole = _stored_rows(db, "where game = (select game from turn order by max(turn, rev) desc limit 1)")
    trusted = [row for _, row in newest if row is not None]
    if len(trusted) < len(newest) or not whole:  # a damaged row may have any number
        trusted = list(read_rows(db)[0].values())
    ((last,),) = db.execute("select coalesce(max(id), 0) from game")
    last = max([last, *(max(row.turn, row.rev) for row in trusted)])
    return replace(read_row(db, game) or GameRow(game, "", 0), rev=last + 1)


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
