"""`dugout backup FILE` and `dugout restore FILE` (device/storage/backup.py)."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from pathlib import Path

from device.commands import arguments, files, target
from device.machine import Machine
from device.named_file import MANY_FILES_TEXT, error_text, is_out_of_files
from device.settings import SettingsError
from device.storage import disk_space
from device.storage.backup import backup_sentence, write_backup
from device.storage.backup_files import BackupError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    for name, about, stream in (
        ("backup", "store games, decks, leagues, calibrations and settings in one file, even during a game", "output"),
        ("restore", "restore a backup, and keep the old data in a folder next to it", "input"),
    ):
        parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        words = f"the backup, a ZIP file (default: standard {stream})"
        parser.add_argument(
            "file", type=arguments.path_argument, metavar="FILE", nargs="?", default=files.STANDARD_STREAM, help=words
        )
        target.add_options(parser)
        parser.set_defaults(run=run_command, restore=name == "restore")


def run_command(args: argparse.Namespace) -> int:
    """Back up or restore. Raises CommandError."""
    settings, data = target.select_table(args, Machine())
    name = (
        f"standard {'input' if args.restore else 'output'}"
        if args.file == files.STANDARD_STREAM
        else args.file.absolute()
    )
    try:
        target.check_readable(data)
        if args.restore:
            from device.storage.backup_restore import restore_backup  # imports the engine and tomlkit

            with files.open_for_reading(args.file, "dugout restore") as file:
                said, found = restore_backup(file, data, settings)
            print(said + _settings_sentence(found, settings))
        else:
            with files.open_for_writing(args.file, "dugout backup") as file:
                count = write_backup(file, data, settings)
            print(backup_sentence(*count, name), file=sys.stderr if args.file == files.STANDARD_STREAM else sys.stdout)
    except (OSError, sqlite3.Error) as error:
        words = error_text(error) if isinstance(error, OSError) else f"the journal cannot be read: {error}."
        if disk_space.is_disk_full(error, data if args.restore else args.file.parent):
            full, todo = "the disk is full", "free up space"
            if is_out_of_files(data if args.restore else args.file.parent):
                full, todo = MANY_FILES_TEXT, "delete some"
            words = f"{full}: {todo}, or name a file on another disk."
            if args.restore:
                words = f"{full}, and nothing was changed: {todo}, then restore again."
        raise target.CommandError(words) from error
    except BackupError as error:
        raise target.CommandError(f"{name}: {error}") from error
    except SettingsError as error:
        raise target.CommandError(str(error)) from error
    return 0


def _settings_sentence(found: Path | None, settings: Path | None) -> str:
    """Sentence about the location of a backup's settings, "" if it had none."""
    if found is None:
        return ""
    if found == settings:
        return f" The settings are in {found}."
    # The table's own user may not write below /etc. -P follows no link that this user may have created.
    to = "name that file with --settings" if settings is None else f"sudo cp -P {found} {settings}"
    return f" Its settings are in {found}. To use them: {to}"
