"""`scripts/uninstall`: removes the program; games, decks, calibrations and settings stay unless asked otherwise."""

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
    """Uninstall; return 0 if it is done, else 1."""
    parser = argparse.ArgumentParser(prog="scripts/uninstall", description="Remove Dugout from this machine.")
    parser.add_argument("--all", action="store_true", help="also delete games, decks, calibrations and settings")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    args = parser.parse_args(argv)
    host = Host(Path(os.environ.get("DUGOUT_ROOT", "/")), args.yes)
    try:
        uninstall(host, args.all)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error}. Fix this, and run it again.", file=sys.stderr)
        return 1
    return 0


def uninstall(host: Host, everything: bool) -> None:
    """Remove it. Raises SetupError and OSError."""
    if host.root == Path("/") and os.geteuid() != 0:
        raise SetupError("This changes the system: run it with sudo.")
    kept = (system_parts.DATA, system_parts.SETTINGS)
    if everything and not host.confirms(f"Delete all games, decks, calibrations and settings ({' and '.join(kept)})?"):
        raise SetupError("Nothing was changed: answer yes to delete it all, or use --yes.")
    host.succeeds("systemctl", "disable", "--now", *trial.UNITS)
    for folder in (trial.RUN, trial.PERMANENT):
        for unit in trial.UNITS:
            host.path(f"{folder}/{unit}").unlink(missing_ok=True)
    for name in system_parts.LINKS:
        host.path(name).unlink(missing_ok=True)
    host.succeeds("nmcli", "connection", "delete", hotspot.NAME)
    host.succeeds("nft", "delete", "table", "inet", "dugout_hotspot")
    for name in hotspot.GUARDS:
        host.path(name).unlink(missing_ok=True)
    # The link first, so that a half-deleted version is never started.
    host.path(CURRENT).unlink(missing_ok=True)
    shutil.rmtree(host.path(HOME), ignore_errors=True)
    system_parts.reload(host)
    if not everything:
        host.say(f"Dugout is removed. Games and settings stay in {' and '.join(kept)}; --all deletes them, too.")
        return
    shutil.rmtree(host.path(system_parts.DATA), ignore_errors=True)
    host.path(system_parts.SETTINGS).unlink(missing_ok=True)
    host.succeeds("userdel", system_parts.USER)
    host.say("Dugout and its data are removed. The system's packages and groups stay, because others may use them.")


if __name__ == "__main__":
    raise SystemExit(main())
