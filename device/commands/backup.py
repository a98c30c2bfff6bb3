"""`dugout backup FILE` and `dugout restore FILE` (device/storage/backup.py)."""

from __future__ import annotations

import argparse
import codecs
import errno
import os
import sqlite3
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from device.commands import files, target
from device.commands.rights import Errand, Errands
from device.machine import Machine
from device.settings import SettingsError, load, parse
from device.storage import atomic_file, disk_space
from device.storage.backup import SETTINGS, BackupError, backup, kept


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands to the `dugout` command line."""
    for name, about in (
        ("backup", "store games, decks, calibrations and settings in one file; the table may be running"),
        ("restore", "restore a backup; what was there is kept in a folder beside it"),
    ):
        parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        parser.add_argument("file", type=Path, metavar="FILE", help="the backup, a ZIP file")
        target.add_options(parser)
        parser.set_defaults(run=run, prepare=prepare, restore=name == "restore")


def prepare(args: argparse.Namespace, opened: ExitStack) -> dict[str, Errand]:
    """Open the backup. Raises CommandError."""
    args.file = Path(os.path.abspath(args.file))
    try:
        if args.restore:
            args.source = opened.enter_context(files.source(args.file))
            codecs.lookup("cp437")  # for names in the ZIP file: Python's own files may be out of reach later
            return {"settings": partial(_write_settings, target.resolve(args, Machine())[0])}
        args.destination = opened.enter_context(closing(files.Destination(args.file)))
        return {"place": args.destination.place}
    except OSError as error:
        raise target.CommandError(target.reason(error)) from error


def _write_settings(file: Path | None, text: bytes) -> None:
    """Replace the settings in `file`. Raises OSError."""
    if file is None:
        raise PermissionError(errno.EPERM, "no file is named")
    try:
        parse(text.decode("utf-8-sig", "replace"), SETTINGS)
    except SettingsError as error:
        raise OSError(errno.EINVAL, str(error)) from error
    with closing(files.Destination(file, alike=True)) as destination:
        destination.place(text)


def run(args: argparse.Namespace) -> int:
    """Back up or restore as `args` say. Raises CommandError."""
    settings, data = target.resolve(args, Machine())
    try:
        data = data or load(settings).data.expanduser()
        target.check_readable(data)
        if args.restore:
            from device.storage.backup_restore import restore  # with the engine and TOML that can be edited

            said, found = restore(args.source, data, settings)
            print(said + (_with_settings(args.errands, found, settings, data) if found is not None else ""))
        else:
            count = backup(args.destination.file, data, settings)
            args.errands.do("place")
            print(kept(*count, args.file))
    except (OSError, sqlite3.Error) as error:
        words = target.reason(error) if isinstance(error, OSError) else f"the journal cannot be read: {error}."
        if disk_space.full(error, (args.restore and data) or args.file.parent):
            words = "the disk is full: make room, or name a file on another disk."
            if args.restore:
                words = "the disk is full, and nothing was changed: make room, then restore again."
        raise target.CommandError(words) from error
    except BackupError as error:
        raise target.CommandError(f"{args.file}: {error}") from error
    except SettingsError as error:
        raise target.CommandError(str(error)) from error
    return 0


def _with_settings(errands: Errands, found: bytes, settings: Path | None, data: Path) -> str:
    """Put settings from a backup in their place, or beside the journal; return a sentence about it."""
    try:
        errands.do("settings", found)
        return f" The settings are in {settings}."
    except PermissionError:  # the table's own user may not write below /etc
        atomic_file.write(data / SETTINGS, found)
        todo = "copy them to where yours are, or name that file with --settings."
        return f" Its settings lie in {data / SETTINGS}: {todo}"
