"""`dugout update FILE`: check a signed release and install it (device/install/updater.py)."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from device.commands import arguments
from device.commands.target import CommandError
from device.install.host import Host, SetupError
from device.install.updater import update


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `update` to the command line."""
    about = "check a signed release and install it; if it does not come up, the version before keeps running"
    parser = commands.add_parser("update", help=about, description=about[0].upper() + about[1:] + ".")
    parser.add_argument(
        "file", type=arguments.path, metavar="FILE", help="the release, dugout-X.Y.Z.tar.gz, beside its .minisig"
    )
    parser.add_argument("--older", action="store_true", help="allow an older version than the one that is installed")
    parser.add_argument("--yes", action="store_true", help="turn on what the table needs without asking")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Update as `args` say; return the installer's exit status. Raises CommandError if the release is refused."""
    os.umask(0o022)
    try:
        return update(Host(Path(os.environ.get("DUGOUT_ROOT", "/")), args.yes), args.file, args.older)
    except SetupError as error:
        raise CommandError(str(error)) from error
