"""Which table a command on a terminal means, and whose the files are that it leaves there."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from device.machine import Machine


def meant(args: argparse.Namespace, machine: Machine) -> tuple[Path | None, Path | None]:
    """The settings and the data folder that `args` name; where nothing names any, the service's, if there is one.

    The service's folder goes with its settings, whatever they say of it. Each is None where nothing names it.
    """
    name = args.settings or os.environ.get("DUGOUT_SETTINGS")
    file, data = Path(name) if name else None, Path(args.data).expanduser() if args.data else None
    if data is not None:
        return file, data
    theirs = installed(machine)
    return theirs if file in (None, theirs[0]) else (file, None)


def installed(machine: Machine) -> tuple[Path | None, Path | None]:
    """The settings and the data folder of the service, each None where it names none, or there is none."""
    said = machine.run(["systemctl", "show", "dugout.service", "-p", "Environment", "-p", "ExecStart"]) or ""
    found = (re.search(mark, said) for mark in (r"\bDUGOUT_SETTINGS=(\S+)", r"--data[ =]([^\s;]+)"))
    file, data = (Path(one[1]) if one else None for one in found)
    return file, data


def enter(data: Path) -> None:
    """Raise PermissionError, with what to do, where this user may not look into the folder."""
    if data.exists() and not os.access(data, os.R_OK | os.X_OK):
        raise PermissionError(f"This user may not look into {data}: run it with sudo.")


def give(path: Path, folder: Path) -> None:
    """Where root left `path`, a file or a folder with all in it, make it theirs to whom `folder` belongs.

    Raises OSError where the disk knows no owners.
    """
    if os.geteuid() == 0 and path.exists():
        owner = folder.stat()
        for one in (path, *path.rglob("*")):
            os.chown(one, owner.st_uid, owner.st_gid, follow_symlinks=False)
