"""Select the installed table that a command works on. Also the error of a failed command."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from device.commands import arguments, privileges
from device.machine import Machine
from device.settings import Settings, SettingsError, expand_path, load_settings
from device.storage import backup_switch


class CommandError(Exception):
    """A command failed. `dugout` prints the message and exits with status 2."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--settings` and `--data`, which `select_table` reads."""
    parser.add_argument(
        "--settings", type=arguments.path_text, metavar="FILE", help="the settings file (docs/build/settings.md)"
    )
    parser.add_argument(
        "--data", type=arguments.path_text, metavar="DIR", help="the data folder, which holds the journal"
    )


def select_table(
    args: argparse.Namespace, machine: Machine, invalid: Settings | None = None
) -> tuple[Path | None, Path]:
    """Settings file and data folder of the table selected by `args`. Root becomes their owner.

    The file is None if nothing names it. `invalid` replaces invalid settings. Without it, they raise CommandError.
    Raises OSError as `rights.drop_privileges` does.
    """
    file, data = requested_paths(args, machine)
    own = [] if file is None else [Path(os.path.abspath(file))]
    try:
        if data is None:
            privileges.drop_privileges(*own)
            data = load_settings(file).data
        data = expand_path(data)
    except SettingsError as error:
        if invalid is None or data is not None:
            raise CommandError(str(error)) from error
        data = expand_path(invalid.data)
    data = Path(os.path.abspath(data))
    privileges.drop_privileges(data)
    privileges.drop_privileges(*own)
    return own[0] if own else None, data


def requested_paths(args: argparse.Namespace, machine: Machine) -> tuple[Path | None, Path | None]:
    """Settings file and data folder named by `args`, or else those of the installed service, None if unknown.

    The service's folder is used with its settings, regardless of what the settings say.
    """
    name = args.settings or os.environ.get("DUGOUT_SETTINGS")
    file, data = Path(name) if name else None, expand_path(Path(args.data)) if args.data else None
    if data is not None:
        return file, data
    service = service_paths(machine)
    return service if file in (None, service[0]) else (file, None)


def service_paths(machine: Machine) -> tuple[Path | None, Path | None]:
    """The service's settings file and data folder, each None if its unit does not name it or there is none."""
    unit = machine.run(["systemctl", "show", "dugout.service", "-p", "Environment", "-p", "ExecStart"]) or ""
    found = (re.search(mark, unit) for mark in (r"\bDUGOUT_SETTINGS=(\S+)", r"--data[ =]([^\s;]+)"))
    file, data = (Path(one[1]) if one else None for one in found)
    return file, data


def check_readable(data: Path) -> None:
    """Check that this user may read the folder, and finish an interrupted restore in it.

    Raises PermissionError with advice, and OSError if the restore cannot be finished.
    """
    if data.exists() and not os.access(data, os.R_OK | os.X_OK):
        raise PermissionError(f"No permission to read {data}: run this with sudo.")
    backup_switch.finish_pending_restore(data)
