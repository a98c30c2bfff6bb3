"""`scripts/install`. Installs this project as a table that starts with the Pi, or updates it.

It can be run repeatedly, and skips what is installed already.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType

from device.install import boot, hotspot, requirements, system_parts, trial
from device.install.host import Host, SetupError, replace_unknown_characters
from device.install.versions import Versions, version_name

PROJECT_FOLDER = Path(__file__).resolve().parents[2]


def main(argv: Sequence[str] | None = None) -> int:
    """Install or update. Return the exit status: 0 if the table is open, else 1, or 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="scripts/install", description="Install Dugout, or update it.")
    parser.add_argument(
        "--yes", action="store_true", help="enable what the table needs (I²C, SPI, camera) without asking"
    )
    parser.add_argument("--hotspot", action="store_true", help="also open a Wi-Fi if no known one is in reach")
    args = parser.parse_args(argv)
    replace_unknown_characters()
    # Tests use a folder in place of the system's root.
    host = Host(Path(os.environ.get("DUGOUT_ROOT", "/")), args.yes)
    os.umask(0o022)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _exit_on_signal)
    try:
        install_or_update(host, args.hotspot)
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"\n{error}. The installed version is unchanged: fix this, and run it again.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run it again to continue.", file=sys.stderr)
        return 130
    return 0


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def install_or_update(host: Host, spot: bool = False) -> None:
    """Install or update step by step. `spot` adds a hotspot. Raises SetupError and OSError."""
    host.print_text(requirements.check_machine(host))
    for words in requirements.machine_warnings(host, datetime.now(UTC)):
        host.print_text(words)
    versions, name = Versions(host), version_name(PROJECT_FOLDER)
    with versions.installation_lock():
        versions.delete_incomplete(trial.named_versions(host))
        if not versions.is_complete(name):
            requirements.check_room(host)
        host.print_text("1. The system: packages, the user dugout, its groups.")
        system_parts.install_packages(host)
        system_parts.create_user(host)
        host.print_text("2. This version and its packages, in their own folder. The first time takes some minutes.")
        versions.install_version(PROJECT_FOLDER, name)
        host.print_text("3. Settings, and the parts of the Pi that they need.")
        system_parts.create_settings(host)
        changed = boot.offer_boot_switches(host)
        if changed:
            # The firmware's settings are on a file system without a journal.
            host.run_quietly("sync")
        host.print_text("4. Opening the table.")
        before = versions.current_version
        trial.activate_version(host, versions, name)
        versions.delete_old_versions(before)
    host.print_text(f"\nDugout {name} is installed. {_address_text(host)}")
    if changed:
        host.print_text("Restart the Pi once for what was enabled: sudo reboot")
    if spot:
        hotspot.create_hotspot(host)
    elif hotspot.has_hotspot(host):
        hotspot.update_hotspot(host)


def _address_text(host: Host) -> str:
    """Sentences with the table's address and where to find its code."""
    found = re.search(r"https?://\S+", trial.table_state(host).get("StatusText", ""))
    table = found[0] if found else "http://NAME.local/"
    taken = (
        "" if host.run_quietly("systemctl", "is-active", "--quiet", "dugout.socket") else " (port 80 is in use here)"
    )
    words = f"Open {table} on a phone{taken}, and {table}table for the operator, with the code on the display."
    return f"{words}\nWithout a display, get it from: sudo dugout code"


if __name__ == "__main__":
    raise SystemExit(main())
