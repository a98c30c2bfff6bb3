"""`dugout backup FILE` and `dugout restore FILE` (device/storage/backup.py)."""

from __future__ import annotations

import argparse
import sqlite3
from pathlib import Path

from device.commands import target
from device.machine import Machine
from device.settings import SettingsError, load
from device.storage import disk_space
from device.storage.backup import BackupError, backup, restore


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands to the `dugout` command line."""
    for name, about in (
        ("backup", "store games, decks, calibrations and settings in one file; the table may be running"),
        ("restore", "restore a backup; what was there is kept in a folder beside it"),
    ):
        parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        parser.add_argument("file", type=Path, metavar="FILE", help="the backup, a ZIP file")
        target.add_options(parser)
        parser.set_defaults(run=run, restore=name == "restore")


def run(args: argparse.Namespace) -> int:
    """Back up or restore as `args` say. Raises CommandError."""
    settings, data = target.resolve(args, Machine())
    try:
        if args.restore and settings is not None and not settings.exists():
            if data is None:
                raise BackupError(f"{settings} does not exist: say with --data where the journal shall be.")
        else:
            data = data or load(settings).data.expanduser()
        target.check_readable(data)
        print((restore if args.restore else backup)(args.file, data, settings))
    except (OSError, sqlite3.Error) as error:
        words = target.reason(error) if isinstance(error, OSError) else f"the journal cannot be read: {error}."
        if disk_space.full(error, (args.restore and data) or args.file.parent):
            words = "the disk is full: make room, or name a file on another disk."
        raise target.CommandError(words) from error
    except (BackupError, SettingsError) as error:
        raise target.CommandError(str(error)) from error
    return 0
