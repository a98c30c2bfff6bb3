"""Back up games, decks, calibrations and settings in one file, and restore them.

The file is a ZIP of `journal.db`, `decks/`, `trays/` and `settings.toml`, for its owner alone. Codes, the key of the
phones' passes and pictures of dice are not in it; what was secret in a game is.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from device.settings import parse
from device.storage import atomic_file, database, disk_space, game_list, hash_chain, repair

JOURNAL, SETTINGS = "journal.db", "settings.toml"
FOLDERS = ("decks", "trays")

MEMBER = re.compile(r"journal\.db|settings\.toml|(decks|trays)(/[^/\\\0]+)+")
"""What may be in a backup."""

LARGEST = 512 << 20
"""Bytes that a backup may hold, unpacked."""

MOVED = (f"{JOURNAL}*", *FOLDERS, "evidence")
"""What makes way for a backup; pictures of dice too, because they go by the numbers of games."""

STAY = (f"{JOURNAL}.lock", f"{JOURNAL}.damaged-*")
"""What does not."""


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
    missing = f" {lost} of {_games(games + lost)} {'is' if lost == 1 else 'are'} damaged and not in it." if lost else ""
    return f"{_games(games)}, decks, calibrations and settings are kept in {name}.{missing}"


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _copied(journal: Path, target: Path) -> tuple[int, int]:
    """Copy the games that the journal or its copy has whole, at one moment, without the table's secrets.

    Returns their number, and how many are damaged.
    """
    with ExitStack() as stack:
        try:
            db = stack.enter_context(_reading(f"{journal.resolve().as_uri()}?mode=ro"))
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
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
        db.execute("begin")
        db.execute("select count(*) from game").fetchone()
        yield db


# Restore ---------------------------------------------------------------------------------------------------------


def restore(file: BinaryIO, data: Path, settings: Path | None) -> tuple[str, bytes | None]:
    """Put a backup in the place of what is there, which is kept aside; return a sentence about it.

    The settings in it, if any, are returned as well: they have been checked. Those in use, `settings`, are only copied.
    Raises BackupError, SettingsError, OSError and sqlite3.Error, before anything was moved where the backup cannot be
    used or a table runs. If it is interrupted it can be done again.
    """
    atomic_file.make(data)
    lock = os.open(data / f"{JOURNAL}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not atomic_file.lock(lock):
            raise BackupError(f"a table runs on {data}: end it first.")
        disk_space.sweep(data, *disk_space.LEFTOVERS)
        with tempfile.TemporaryDirectory(dir=data, prefix=".restore-") as made:
            fresh = Path(made)
            restored = _unpack(file, fresh)
            aside = _set_aside(data)
            os.truncate(lock, 0)
            os.fsync(lock)
            for name in (*FOLDERS, JOURNAL):
                if (fresh / name).exists():
                    (fresh / name).rename(data / name)
            atomic_file.sync(data)
            found = (fresh / SETTINGS).read_bytes() if (fresh / SETTINGS).exists() else None
            with suppress(FileNotFoundError, PermissionError):
                if found is not None and settings is not None:
                    shutil.copyfile(settings, aside / SETTINGS)
                    atomic_file.flush(aside / SETTINGS)
            # One that was cut off before it had the journal counts as none.
            before = [one for one in data.glob("before-restore-*") if one != aside and (one / JOURNAL).exists()]
            for one in sorted(before, key=lambda one: one.stat().st_mtime_ns)[:-1]:
                shutil.rmtree(one, ignore_errors=True)
    finally:
        os.close(lock)
    return f"{restored} What was there is kept in {aside}.", found


def _set_aside(data: Path) -> Path:
    """Move what makes way for a backup into a new folder, durable on return."""
    journal = data / JOURNAL
    if journal.exists():
        # What is in the WAL goes into the journal, so that it is one file; a damaged one stays as it is.
        with suppress(sqlite3.Error), closing(sqlite3.connect(journal, isolation_level=None)) as db:
            db.execute("pragma wal_checkpoint (truncate)").fetchone()
    aside = repair.unused(data / f"before-restore-{datetime.now():%Y%m%d-%H%M%S}")
    aside.mkdir(mode=0o700)
    atomic_file.sync(data)
    stay = {path for name in STAY for path in data.glob(name)}
    for path in [path for name in MOVED for path in data.glob(name) if path not in stay]:
        path.rename(aside / path.name)
    atomic_file.sync(aside)
    atomic_file.sync(data)
    return aside


def _unpack(file: BinaryIO, fresh: Path) -> str:
    """Unpack a backup and check all of it; return a sentence about it. Raises BackupError and SettingsError."""
    try:
        with zipfile.ZipFile(file) as packed:
            members = packed.infolist()
            names = [one.filename for one in members]
            strange = [name for name in names if not MEMBER.fullmatch(name) or {".", ".."} & set(name.split("/"))]
            if strange or len(set(names)) < len(names) or JOURNAL not in names:
                raise BackupError("this is no backup of Dugout.")
            if sum(one.file_size for one in members) > LARGEST:
                raise BackupError(f"this backup holds more than {LARGEST >> 20} MiB.")
            for one in members:
                where = fresh / one.filename
                where.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with packed.open(one) as source, open(os.open(where, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as target:
                    shutil.copyfileobj(source, target)
                    target.flush()
                    os.fsync(target.fileno())
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError(f"this is no backup of Dugout, or a damaged one: {error}.") from None
    for folder in (fresh, *(path for path in fresh.rglob("*") if path.is_dir())):
        atomic_file.sync(folder)
    if (fresh / SETTINGS).exists():
        parse((fresh / SETTINGS).read_text("utf-8", "replace"), f"{SETTINGS} in the backup")
    try:
        with closing(database.read_only(fresh / JOURNAL)) as db:
            ((health,),) = db.execute("pragma quick_check(1)")
            games = [game for (game,) in db.execute("select id from game")]
            chains = [hash_chain.chain([db], game) for game in games]
            whole = not game_list.read(db)[1] - {0} and all(chain is not None and chain.whole for chain in chains)
    except (sqlite3.Error, TypeError, ValueError) as error:
        raise BackupError(f"the journal in the backup is damaged: {error}.") from None
    if health != "ok" or not whole:
        raise BackupError("the journal in the backup is damaged.")
    return f"{_games(len(games))} restored."
