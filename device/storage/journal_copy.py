"""Copy of the journal next to it, updated shortly after each change.

Rows are copied, not pages, and only those with valid checksums, so damage in the journal never reaches the copy. The
copy is written later and synced less often than the journal, so that nobody waits for it. After a power cut or a killed
process it may lack the last answers, which the next start copies. A failing copy is only logged.
"""

from __future__ import annotations

import errno
import logging
import shutil
import sqlite3
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

from device.storage import database, game_list, hash_chain, repair

log = logging.getLogger("dugout.copy")

MIN_FREE_BYTES = 16 << 20
"""Free bytes needed to write the copy. The journal takes precedence."""

MAX_SKIPPED_UPDATES = 10  # updates skipped after a failure, so that a failing card does not slow down the table


class JournalCopy:
    """Copy of the journal at `path`. One caller at a time. Nothing here raises sqlite3.Error or OSError."""

    def __init__(self, path: Path) -> None:
        self._journal, self._path = path, database.sibling_path(path, repair.COPY_SUFFIX)
        self._db: sqlite3.Connection | None = None
        self._behind = True  # True if the copy may lack changes
        self._rest = 0

    def open_copy(self) -> repair.JournalState | None:
        """Open the copy and return its state. None if there is none. Deletes a damaged copy."""
        self.close()
        if not self._path.exists():
            return None
        try:
            self._db = database.open_writable(self._path, "normal")
            return repair.verify_journal(self._db)
        except (OSError, sqlite3.Error, TypeError, ValueError, OverflowError) as error:
            self._handle_failure(error)
            return None

    def close(self) -> None:
        """Close the copy. The next update opens it."""
        if self._db is not None:
            self._db.close()
        self._db, self._behind = None, True

    def copy_changes(self, journal: sqlite3.Connection, games: Collection[int] | None = None) -> bool:
        """Copy the list of games and the changes of `games`. For None, copy all values and games that may have changed.

        Returns True if done. After a failure it skips the next `MAX_SKIPPED_UPDATES` calls.
        """
        if self._rest:
            self._rest -= 1
            return False
        try:
            if shutil.disk_usage(self._path.parent).free < MIN_FREE_BYTES:
                raise OSError(errno.ENOSPC, "the disk is almost full")
            if self._db is None:
                self.open_copy()
            if self._db is None:
                self._db = database.open_writable(self._path, "normal")
            _copy_changes(journal, self._db, None if self._behind else games)
            if self._behind:
                for old in repair.copy_paths(self._journal)[1:]:
                    old.unlink()
            self._behind = False
        except (OSError, sqlite3.Error) as error:
            self._handle_failure(error)
            self._rest = MAX_SKIPPED_UPDATES
            return False
        return True

    def _handle_failure(self, error: Exception) -> None:
        log.warning("The copy %s cannot be written: %s.", self._path.name, error)
        self.close()
        if database.is_damage_error(error):
            database.delete_journal(self._path)


def update_game(path: Path, journal: sqlite3.Connection, game: int) -> None:
    """Update one game in the copy of the journal at `path`. A failure is only logged."""
    try:
        with closing(database.open_writable(database.sibling_path(path, repair.COPY_SUFFIX), "normal")) as copy, copy:
            copy.execute("begin immediate")
            _copy_game(journal, copy, game)
    except (OSError, sqlite3.Error) as error:
        log.warning("Game %d cannot be copied: %s.", game, error)


def _copy_changes(journal: sqlite3.Connection, copy: sqlite3.Connection, games: Collection[int] | None) -> None:
    with copy:
        copy.execute("begin immediate")
        if games is None:  # playing a game changes no values
            for key, value in (
                hash_chain.trusted_values(journal)[0].items() - hash_chain.trusted_values(copy)[0].items()
            ):
                hash_chain.set_value(copy, key, value)
            since, _ = game_list.current_game(copy)
            games = [one for turn, one in game_list.games_by_turn(journal) if turn >= since]
        ((newest,),) = copy.execute("select coalesce(max(rev), 0) from turn")
        for one, row in game_list.read_rows(journal, newest)[0].items():
            game_list.write_row(copy, one, row)
        for one in games:
            _copy_game(journal, copy, one)


def _copy_game(journal: sqlite3.Connection, copy: sqlite3.Connection, game: int) -> None:
    """Append a game's new answers. Replace all of them if those in the copy differ from the journal's."""
    row = copy.execute("select place, seal from entry where game = ? order by place desc limit 1", (game,)).fetchone()
    place, head = row or (-1, "")
    known = journal.execute("select seal from entry where game = ? and place = ?", (game, place)).fetchone() == (head,)
    skip = place + 1 if known else 0
    chain = hash_chain.longest_chain([journal], game, skip, head)
    if chain is None or not chain.whole:
        log.warning("Game %d is not copied: it is not as it was written.", game)
        return
    if not skip:
        game_list.delete_game_rows(copy, game)
    repair.write_chain(copy, chain, skip)
