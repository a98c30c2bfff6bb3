"""Back up games, decks, calibrations and settings in one file; device/storage/backup_restore.py brings them back.

The file is a ZIP of `journal.db`, `decks/`, `trays/` and `settings.toml`, for its owner alone. Codes, the key of the
phones' passes and pictures of dice are not in it; what was secret in a game is.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from device.storage import database, disk_space, hash_chain, repair
from device.storage.backup_switch import JOURNAL

SETTINGS = "settings.toml"
FOLDERS = ("decks", "trays")


class BackupError(ValueError):
    """There can be no backup, or it cannot be restored; the sentence says why."""


# Backup ----------------------------------------------------------------------------------------------------------


def backup(file: BinaryIO, data: Path, settings: Path | None) -> tuple[int, int]:
    """Write a backup to `file`; return how many games are in it, and how many are not because they are damaged.

    The table may run. Raises BackupError, OSError and sqlite3.Error.
    """
    journal = data / JOURNAL
    if not journal.is_file():
        raise BackupError(f"there is no journal in {data}.")
    with disk_space.working() as work:
        games, lost = _copied(journal, work / JOURNAL)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
            packed.write(work / JOURNAL, JOURNAL)
            if settings is not None and settings.is_file():
                packed.write(settings, SETTINGS)
            folders = [data / name for name in FOLDERS if not (data / name).is_symlink()]
            for path in (path for folder in folders for path in sorted(folder.rglob("*"))):
                if not path.is_symlink() and path.is_file() and not path.name.startswith("."):
                    with suppress(FileNotFoundError):  # the table took it away just now
                        packed.write(path, path.relative_to(data).as_posix())
    file.flush()
    return games, lost


def kept(games: int, lost: int, name: Path) -> str:
    """Return a sentence about the backup of this name."""
    missing = (
        f" {lost} of {games_in_words(games + lost)} {'is' if lost == 1 else 'are'} damaged and not in it."
        if lost
        else ""
    )
    return f"{games_in_words(games)}, decks, calibrations and settings are kept in {name}.{missing}"


def games_in_words(count: int) -> str:
    """Return a number of games in words."""
    return f"{count} game{'' if count == 1 else 's'}"


def _copied(journal: Path, target: Path) -> tuple[int, int]:
    """Copy the games that the journal or its copy has whole, at one moment, without the table's secrets.

    Returns their number, and how many are damaged.
    """
    with ExitStack() as stack:
        try:
            db = stack.enter_context(_reading(f"{Path(os.path.realpath(journal)).as_uri()}?mode=ro"))
        except sqlite3.OperationalError:
            # On a card that is quite full SQLite cannot even read: it needs room for an index of the WAL.
            away = target.with_name("source")
            for end in ("", "-wal"):
                with suppress(FileNotFoundError):
                    shutil.copyfile(journal.with_name(journal.name + end), away.with_name(away.name + end))
            db = stack.enter_context(_reading(away.as_uri()))
        sources = [db, *repair.sources(repair.copies(journal), stack)]
        games = set(hash_chain.games(sources[:1]))
        repair.build(target, sources, None)
    with closing(database.read_only(target)) as made:
        copied = hash_chain.games([made])
    if games and not copied:
        raise BackupError(f"all games in {journal} are damaged: there is nothing to keep.")
    return len(copied), len(games.difference(copied))


@contextmanager
def _reading(uri: str) -> Iterator[sqlite3.Connection]:
    """Open a journal to read it at one moment. Raises sqlite3.Error."""
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, factory=database.Connection)) as db:
        db.execute("begin")
        db.execute("select count(*) from game").fetchone()
        yield db
