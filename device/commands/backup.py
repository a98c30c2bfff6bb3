"""`dugout backup FILE` and `dugout restore FILE`: games, cards, calibrations and settings in one file.

The file is a ZIP of `journal.db`, `decks/`, `trays/` and `settings.toml`. Codes and the key of the phones' passes are
not in it, nor are pictures of dice; what was secret in a game is. It is for its owner alone.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import re
import shutil
import sqlite3
import sys
import tempfile
import zipfile
import zlib
from contextlib import ExitStack, closing, suppress
from datetime import datetime
from pathlib import Path

from device.commands import target
from device.machine import Machine
from device.settings import SettingsError, load, parse
from device.storage import atomic_file, disk_space, game_list, hash_chain, repair
from device.storage.copies import Copies

JOURNAL, SETTINGS = "journal.db", "settings.toml"
FOLDERS = ("decks", "trays")

MEMBER = re.compile(r"journal\.db|settings\.toml|(decks|trays)(/[^/\\\0]+)+")
"""What may be in a backup."""

LARGEST = 512 << 20
"""Bytes that a backup may hold, unpacked."""

MOVED = (
    JOURNAL,
    *(JOURNAL + end for end in ("-wal", "-shm", "-journal", ".mended", *repair.COPIES)),
    *FOLDERS,
    "evidence",
)
"""What makes way for a backup; pictures of dice too, because they go by the numbers of games."""


class BackupError(ValueError):
    """There can be no backup, or it cannot be restored; the sentence says why."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands to the `dugout` command line."""
    for name, about in (
        ("backup", "keep games, cards, calibrations and settings in one file; the table may run"),
        ("restore", "put a backup in the place of what is there, which is kept aside"),
    ):
        parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        parser.add_argument("file", type=Path, metavar="FILE", help="the backup, a ZIP file")
        parser.add_argument("--settings", metavar="FILE", help="the settings file (docs/settings.md)")
        parser.add_argument("--data", metavar="DIR", help="where the journal lives")
        parser.set_defaults(run=run, restore=name == "restore")


def run(args: argparse.Namespace) -> int:
    """Do what `args` say: 0 when it is done, 2 when not."""
    settings, data = target.meant(args, Machine())
    try:
        if args.restore and settings is not None and not settings.exists():
            if data is None:
                raise BackupError(f"{settings} is not there: say with --data where the journal shall live.")
        else:
            data = data or load(settings).data.expanduser()
        target.enter(data)
        told = (restore if args.restore else backup)(args.file, data, settings)
    except (OSError, sqlite3.Error) as error:
        if disk_space.full(error, (args.restore and data) or args.file.parent):
            print("dugout: there is no room left there: make room, or name a file on another disk.", file=sys.stderr)
        elif isinstance(error, OSError):
            print(f"dugout: {error}", file=sys.stderr)
        else:
            print(f"dugout: the journal cannot be read: {error}.", file=sys.stderr)
        return 2
    except (BackupError, SettingsError) as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    print(told)
    return 0


# Backup ----------------------------------------------------------------------------------------------------------


def backup(file: Path, data: Path, settings: Path | None) -> str:
    """Keep it all in `file`, in place of what that was, durable on return; gives what is told.

    Raises BackupError, OSError and sqlite3.Error, and then `file` is as it was.
    """
    journal = data / JOURNAL
    if not journal.is_file():
        raise BackupError(f"there is no journal in {data}.")
    folder = file.resolve().parent
    disk_space.sweep(folder, disk_space.WORK + "????????", f".{file.name}.part")
    with disk_space.working(folder) as work:
        games, lost = _copied(journal, work / JOURNAL)
        part = work / "part"
        with (
            open(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as raw,
            zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed,
        ):
            packed.write(work / JOURNAL, JOURNAL)
            if settings is not None and settings.is_file():
                packed.write(settings, SETTINGS)
            for path in (path for folder in FOLDERS for path in sorted((data / folder).rglob("*"))):
                name = path.relative_to(data).as_posix()
                if path.is_file() and not path.is_symlink() and not path.name.startswith("."):
                    with suppress(FileNotFoundError):  # the table took it away just now
                        packed.write(path, name)
        atomic_file.flush(part)
        with suppress(OSError):  # a stick may know no owners
            target.give(part, folder)
        part.replace(file)
        atomic_file.sync(folder)
    missing = f" {lost} of {_games(games + lost)} {'is' if lost == 1 else 'are'} damaged and not in it." if lost else ""
    return f"{_games(games)}, decks, calibrations and settings are kept in {file}.{missing}"


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _copied(journal: Path, copy: Path) -> tuple[int, int]:
    """Copy the games that the journal or a copy of it has whole, as of one moment, but no secret of the table's; gives
    their number, and how many are damaged."""
    with ExitStack() as stack:
        sources = [stack.enter_context(closing(_begun(journal, copy.with_name("source"))))]
        sources += [stack.enter_context(closing(one)) for one in Copies(journal).found()]
        games = set(hash_chain.games(sources[:1]))
        repair.build(copy, sources)
    with closing(repair.reader(copy)) as made:
        copied = hash_chain.games([made])
    if games and not copied:
        raise BackupError(f"all games in {journal} are damaged: there is nothing to keep.")
    return len(copied), len(games.difference(copied))


def _begun(journal: Path, away: Path) -> sqlite3.Connection:
    """The journal as of this moment; read `away` from a card so full that SQLite cannot even read on it."""
    try:
        return _reading(f"{journal.resolve().as_uri()}?mode=ro")
    except sqlite3.OperationalError:
        for end in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(journal.with_name(journal.name + end), away.with_name(away.name + end))
        return _reading(away.as_uri())


def _reading(uri: str) -> sqlite3.Connection:
    db = sqlite3.connect(uri, uri=True, isolation_level=None)
    try:
        db.execute("begin")
        db.execute("select count(*) from game").fetchone()
    except BaseException:
        db.close()
        raise
    return db


# Restore ---------------------------------------------------------------------------------------------------------


def restore(file: Path, data: Path, settings: Path | None) -> str:
    """Put a backup in the place of what is there, which is kept aside; gives what is told.

    Raises BackupError, OSError and sqlite3.Error; before anything was moved where the backup is no good or a table
    runs. Cut off in the middle it can be done again.
    """
    atomic_file.make(data)
    lock = os.open(data / f"{JOURNAL}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(f"a table runs on {data}: end it first.") from None
        disk_space.sweep(data, *disk_space.LEFT)
        with tempfile.TemporaryDirectory(dir=data, prefix=".restore-") as made:
            fresh = Path(made)
            words = _unpacked(file, fresh)
            target.give(fresh, data)
            _settle(data / JOURNAL)
            stamp = f"{datetime.now():%Y%m%d-%H%M%S}"
            names = (f"before-restore-{stamp}{more}" for more in ("", *(f"-{n}" for n in range(2, 1000))))
            aside = next(one for one in map(data.joinpath, names) if not one.exists())
            aside.mkdir(mode=0o700)
            atomic_file.sync(data)
            for name in MOVED:
                if (data / name).exists():
                    (data / name).rename(aside / name)
            os.truncate(lock, 0)
            os.fsync(lock)
            atomic_file.sync(aside)
            atomic_file.sync(data)
            for name in (*FOLDERS, JOURNAL):
                if (fresh / name).exists():
                    (fresh / name).rename(data / name)
            atomic_file.sync(data)
            told = _set(fresh / SETTINGS, settings, aside, data)
            _thin(data, aside)
    finally:
        os.close(lock)
        target.give(data, data)
    return f"{words} What was there is kept in {aside}.{told}"


def _thin(data: Path, last: Path) -> None:
    """Delete the oldest of what earlier restores put aside, until one is left and the `last`; one that was cut off
    before it had the journal counts as none."""
    before = [one for one in data.glob("before-restore-*") if one != last and (one / JOURNAL).exists()]
    for one in sorted(before, key=lambda one: one.stat().st_mtime_ns)[:-1]:
        shutil.rmtree(one, ignore_errors=True)


def _settle(journal: Path) -> None:
    """Have what is in the WAL in the journal, so that both are put aside as one; a damaged one stays as it is."""
    if journal.exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(journal, isolation_level=None)) as db:
            db.execute("pragma wal_checkpoint (truncate)").fetchone()


def _set(found: Path, settings: Path | None, aside: Path, data: Path) -> str:
    if not found.exists():
        return ""
    if settings is not None:
        try:
            old = settings.stat() if settings.exists() else None
            if old is not None:
                shutil.copy2(settings, aside / SETTINGS)
                atomic_file.flush(aside / SETTINGS)
            atomic_file.write(settings, found.read_bytes())
            settings.chmod(old.st_mode & 0o777 if old else 0o644)
            if old is not None and os.geteuid() == 0:
                os.chown(settings, old.st_uid, old.st_gid)
            return f" The settings are in {settings}."
        except PermissionError:
            pass  # the table's own user may not write below /etc
    atomic_file.write(data / SETTINGS, found.read_bytes())
    return f" Its settings lie in {data / SETTINGS}: copy them to where yours are, or name that file with --settings."


def _unpacked(file: Path, fresh: Path) -> str:
    """Unpack a backup and look through all of it; gives what is in it. Raises BackupError."""
    try:
        with zipfile.ZipFile(file) as packed:
            members = packed.infolist()
            names = [one.filename for one in members]
            strange = [name for name in names if not MEMBER.fullmatch(name) or {".", ".."} & set(name.split("/"))]
            if strange or len(set(names)) < len(names) or JOURNAL not in names:
                raise BackupError(f"{file} is no backup of Dugout.")
            if sum(one.file_size for one in members) > LARGEST:
                raise BackupError(f"{file} holds more than {LARGEST >> 20} MiB.")
            for one in members:
                where = fresh / one.filename
                where.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with packed.open(one) as source, open(os.open(where, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as target:
                    shutil.copyfileobj(source, target)
                    target.flush()
                    os.fsync(target.fileno())
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError(f"{file} is no backup of Dugout, or a damaged one: {error}.") from None
    for folder in (fresh, *(path for path in fresh.rglob("*") if path.is_dir())):
        atomic_file.sync(folder)
    if (fresh / SETTINGS).exists():
        parse((fresh / SETTINGS).read_text("utf-8", "replace"), f"{SETTINGS} in {file}")
    return _looked(file, fresh / JOURNAL)


def _looked(file: Path, journal: Path) -> str:
    try:
        with closing(repair.reader(journal)) as db:
            ((health,),) = db.execute("pragma quick_check(1)")
            games = [game for (game,) in db.execute("select id from game")]
            whole = not game_list.read(db)[1] - {0} and all(
                (kept := hash_chain.chain([db], game)) is not None and kept.whole for game in games
            )
    except (sqlite3.Error, TypeError, ValueError) as error:
        raise BackupError(f"the journal in {file} is damaged: {error}.") from None
    if health != "ok" or not whole:
        raise BackupError(f"the journal in {file} is damaged.")
    return f"{_games(len(games))} restored."
