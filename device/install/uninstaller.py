"""`scripts/uninstall`: the program goes; games, cards, calibrations and settings stay, unless all is to go."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from device.install import hotspot, system_parts, trial
from device.install.host import Host, SetupError
from device.install.versions import CURRENT, HOME


def main(argv: Sequence[str] | None = None) -> int:
    """Uninstall; 0 when it is done."""
    parser = argparse.ArgumentParser(prog="scripts/uninstall", description="Take Dugout off this machine.")
    parser.add_argument("--all", action="store_true", help="games, cards, calibrations and settings too")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    args = parser.parse_args(argv)
    host = Host(Path(os.environ.get("DUGOUT_ROOT", "/")), args.yes)
    try:
        uninstall(host, args.all)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error}. Mend this, and run it again.", file=sys.stderr)
        return 1
    return 0


def uninstall(host: Host, everything: bool) -> None:
    """Take it off. Raises SetupError and OSError."""
    if host.root == Path("/") and os.geteuid() != 0:
        raise SetupError("This changes the system: run it with sudo.")
    kept = (system_parts.DATA, system_parts.SETTINGS)
    if everything and not host.agrees(f"Delete all games, cards, calibrations and settings ({' and '.join(kept)})?"):
        raise SetupError("Nothing was changed: all of it goes only when you say yes, or with --yes.")
    host.does("systemctl", "disable", "--now", *trial.UNITS)
    for folder in (trial.RUN, trial.FOR_GOOD):
        for unit in trial.UNITS:
            host.path(f"{folder}/{unit}").unlink(missing_ok=True)
    system_parts.gone(host)
    hotspot.close(host)
    # The link first: what is half gone is not to be started.
    host.path(CURRENT).unlink(missing_ok=True)
    shutil.rmtree(host.path(HOME), ignore_errors=True)
    system_parts.wake(host)
    if not everything:
        host.say(f"Dugout is gone. Games and settings stay in {' and '.join(kept)}; with --all they go too.")
        return
    shutil.rmtree(host.path(system_parts.DATA), ignore_errors=True)
    host.path(system_parts.SETTINGS).unlink(missing_ok=True)
    host.does("userdel", system_parts.USER)
    host.say("Dugout is gone, and all it kept. The system's packages and groups stay: others may use them.")


if __name__ == "__main__":
    raise SystemExit(main())
