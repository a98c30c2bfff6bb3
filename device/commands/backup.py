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

from device.commands import arguments, files, target
from device.commands.rights import Errand
from device.machine import Machine
from device.named_file import reason
from device.settings import SettingsError, expanded, load, parse
from device.storage import disk_space
from device.storage.backup import backup, kept
from device.storage.backup_files import SETTINGS, BackupError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both commands to the `dugout` command line."""
    for name, about in (
        ("backup", "store games, decks, calibrations and settings in one file; the table may be running"),
        ("restore", "restore a backup; what was there is kept in a folder beside it"),
    ):
        parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
        parser.add_argument("file", type=arguments.path, metavar="FILE", help="the backup, a ZIP file")
        target.add_options(parser)
        parser.set_defaults(run=run, prepare=prepare, restore=name == "restore")


def prepare(args: argparse.Namespace, opened: ExitStack) -> dict[str, Errand]:
    """Open the backup. Raises CommandError."""
    args.file = Path(os.path.abspath(args.file))
    try:
        if args.restore:
            args.source = opened.enter_context(files.source(args.file))
            codecs.lookup("cp437")  # for names in the ZIP file: Python's own files may be out of reach later
            settings = _NewSettings(target.resolve(args, Machine())[0], opened)
            return {"settings": settings.write, "place": settings.place}
        args.destination = opened.enter_context(closing(files.Destination(args.file)))
        return {"place": args.destination.place}
    except OSError as error:
        raise target.CommandError(reason(error)) from error


class _NewSettings:
    """Settings to take the place of those in `file`: `write` them, then `place` them. Both raise OSError."""

    def __init__(self, file: Path | None, opened: ExitStack) -> None:
        self._file, self._opened = file, opened
        self._destination: files.Destination | None = None

    def write(self, text: bytes) -> None:
        """Write them beside, once: what is prepared now only needs a name."""
        if self._file is None or self._destination is not None:
            raise PermissionError(errno.EPERM, "no file is named")
        try:
            parse(text.decode("utf-8-sig"), SETTINGS)
        except (SettingsError, UnicodeDecodeError) as error:
            raise OSError(errno.EINVAL, str(error)) from error
        self._destination = self._opened.enter_context(closing(files.Destination(self._file, alike=True)))
        self._destination.add(text)

    def place(self, _: bytes) -> None:
        """Put them in their place, durable on return."""
        if self._destination is None:
            raise FileNotFoundError(errno.ENOENT, "no settings were written")
        self._destination.place()


def run(args: argparse.Namespace) -> int:
    """Back up or restore as `args` say. Raises CommandError."""
    settings, data = target.resolve(args, Machine())
    try:
        data = data or expanded(load(settings).data)
        target.check_readable(data)
        if args.restore:
            from device.storage.backup_restore import restore  # with the engine and TOML that can be edited

            write = partial(args.errands.do, "settings")
            said, found = restore(args.source, data, settings, write, partial(args.errands.do, "place"))
            print(said + _about_settings(found, settings))
        else:
            count = backup(args.destination.file, data, settings)
            args.errands.do("place")
            print(kept(*count, args.file))
    except (OSError, sqlite3.Error) as error:
        words = reason(error) if isinstance(error, OSError) else f"the journal cannot be read: {error}."
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


def _about_settings(found: Path | None, settings: Path | None) -> str:
    """Return a sentence about where the settings of a backup are, "" if it had none."""
    if found is None:
        return ""
    if found == settings:
        return f" The settings are in {found}."
    # The table's own user may not write below /etc.
    return f" Its settings lie in {found}: copy them to where yours are, or name that file with --settings."
