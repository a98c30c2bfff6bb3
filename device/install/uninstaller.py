"""`scripts/uninstall`. Removes the program. Games, decks, leagues, calibrations and settings stay by default."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from device.install import hotspot, system_parts, trial
from device.install.host import Host, SetupError, replace_unknown_characters
from device.install.versions import CURRENT_LINK, HOME_FOLDER


def main(argv: Sequence[str] | None = None) -> int:
    """Uninstall. Return the exit status, 0 or 1."""
    parser = argparse.ArgumentParser(prog="scripts/uninstall", description="Remove Dugout from this machine.")
    parser.add_argument(
        "--all", action="store_true", help="also delete games, decks, leagues, calibrations and settings"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    args = parser.parse_args(argv)
    replace_unknown_characters()
    host = Host(Path(os.environ.get("DUGOUT_ROOT", "/")), args.yes)
    try:
        uninstall_program(host, args.all)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error}. Fix this, and run it again.", file=sys.stderr)
        return 1
    return 0


def uninstall_program(host: Host, everything: bool) -> None:
    """Remove the program, and with `everything` also its data. Raises SetupError and OSError."""
    if host.root == Path("/") and os.geteuid() != 0:
        raise SetupError("This changes the system: run it with sudo.")
    kept = (system_parts.DATA_FOLDER, system_parts.SETTINGS_FILE)
    if everything and not host.ask_yes_no(
        f"Delete all games, decks, leagues, calibrations and settings ({' and '.join(kept)})?"
    ):
        raise SetupError("Nothing was changed: answer yes to delete it all, or use --yes.")
    host.run_quietly("systemctl", "disable", "--now", *trial.SYSTEMD_UNITS)
    for folder in (trial.TRIAL_FOLDER, trial.PERMANENT_FOLDER):
        for unit in trial.SYSTEMD_UNITS:
            host.path_below_root(f"{folder}/{unit}").unlink(missing_ok=True)
    for name in system_parts.SYSTEM_LINKS:
        host.path_below_root(name).unlink(missing_ok=True)
    host.run_quietly("nmcli", "connection", "delete", hotspot.CONNECTION_NAME)
    host.run_quietly("nft", "delete", "table", "inet", "dugout_hotspot")
    for name in hotspot.GUARD_SCRIPT_PATHS:
        host.path_below_root(name).unlink(missing_ok=True)
    # The link first, so that a half-deleted version is never started.
    host.path_below_root(CURRENT_LINK).unlink(missing_ok=True)
    shutil.rmtree(host.path_below_root(HOME_FOLDER), ignore_errors=True)
    system_parts.reload_system(host)
    if not everything:
        host.print_text(f"Dugout is removed. Games and settings stay in {' and '.join(kept)}; --all deletes them, too.")
        return
    shutil.rmtree(host.path_below_root(system_parts.DATA_FOLDER), ignore_errors=True)
    host.path_below_root(system_parts.SETTINGS_FILE).unlink(missing_ok=True)
    host.run_quietly("userdel", system_parts.USER_NAME)
    host.print_text(
        "Dugout and its data are removed. The system's packages and groups stay, because others may use them."
    )


if __name__ == "__main__":
    raise SystemExit(main())
