"""Delete the oldest games when they take too much space. Games of a league stay: its statistics come from them."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

from device.storage import disk_space, game_check, game_list

USED_BYTES_SQL = "select (page_count - freelist_count) * 4096 from pragma_page_count, pragma_freelist_count"
"""SQL for the bytes that all games take."""

GAME_BYTES_SQL = """
select length(cast(header as blob)) + length(cast(decks as blob)) + coalesce(length(cast(snapshot as blob)), 0)
    + (select coalesce(sum(length(cast(body as blob)) + length(source) + length(at) + length(seal)), 0)
       from entry where entry.game = id)
from game where id = ?
"""
"""SQL for the bytes of a game's rows."""

MAX_JOURNAL_BYTES = 256 << 20
"""Bytes that all games take when none is added any more. A backup can hold as many (`backup_reader`)."""

PAGE_OVERHEAD = 1.3
"""Bytes of the file for each byte of a row. SQLite fills three quarters of its pages (measured with 60 games)."""

MAX_DELETIONS = 20  # games deleted at a time, so that no answer waits for long


class GameBudget:
    """Space for stored games: `limit` bytes, and as much again as games of leagues take. Callers hold a transaction."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._league_bytes: dict[int, int] = {}  # by game, because measuring a season takes a moment

    def forget_size(self, game: int) -> None:
        """Measure a game again when its size is needed, because it changed."""
        self._league_bytes.pop(game, None)

    def check_space(self, db: sqlite3.Connection, folder: Path) -> None:
        """Raise OSError unless a game that nobody waits for may be added to a journal in `folder`."""
        if shutil.disk_usage(folder).free < disk_space.SPARE_BYTES:
            raise OSError(f"less than {disk_space.SPARE_BYTES >> 20} MiB are free on the card")
        if used_bytes(db) > MAX_JOURNAL_BYTES:
            raise OSError(f"games take {MAX_JOURNAL_BYTES >> 20} MiB. Delete a league to make room")

    def enforce(self, db: sqlite3.Connection, game: int) -> None:
        """Delete games until the rest fit or only `game` and games of leagues are left. Raises sqlite3.Error.

        Games that are over or that nobody played go first, in each group those not on the table for the longest time.
        The next calls delete more.
        """
        if not self._is_exceeded(db):
            return
        stay = {game, *game_list.league_games(db)}
        others = [(turn, one) for turn, one in game_list.games_by_turn(db) if one not in stay]
        order = sorted((not game_check.is_over(db, one), turn, one) for turn, one in others)
        for *_, oldest in order[:MAX_DELETIONS]:
            game_list.delete_game(db, oldest)
            if not self._is_exceeded(db):
                break

    def _is_exceeded(self, db: sqlite3.Connection) -> bool:
        used = used_bytes(db)
        return used > self.limit and used > self.limit + league_bytes(db, self._league_bytes)


def used_bytes(db: sqlite3.Connection) -> int:
    """Bytes that all games take. Raises sqlite3.Error."""
    ((used,),) = db.execute(USED_BYTES_SQL)
    return int(used)


def league_bytes(db: sqlite3.Connection, known: dict[int, int]) -> int:
    """Bytes that games of leagues take. `known` has those of some games and gets the others. Raises sqlite3.Error."""
    games = game_list.league_games(db)
    for game in games - known.keys():
        for (size,) in db.execute(GAME_BYTES_SQL, (game,)):
            known[game] = int(size * PAGE_OVERHEAD)
    return sum(known.get(game, 0) for game in games)
