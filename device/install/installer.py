"""`scripts/install`: installs this project as a table that starts with the Pi, or updates it to this project.

It can be run again at any time, and leaves alone what is installed already.
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
from device.install.host import Host, SetupError
from device.install.versions import Versions, name_of

PROJECT = Path(__file__).resolve().parents[2]


def main(argv: Sequence[str] | None = None) -> int:
    """Install; return 0 if the table is open, else 1 after printing what state it leaves."""
    parser = argparse.ArgumentParser(prog="scripts/install", description="Install Dugout, or update it.")
    parser.add_argument(
        "--yes", action="store_true", help="enable what the table needs (I²C, SPI, camera) without asking"
    )
    parser.add_argument("--hotspot", action="store_true", help="also open a Wi-Fi if no known one is in reach")
    args = parser.parse_args(argv)
    # Tests replace the system's root by a folder.
    host = Host(Path(os.environ.get("DUGOUT_ROOT", "/")), args.yes)
    os.umask(0o022)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _exit)
    try:
        install(host, args.hotspot)
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


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def install(host: Host, spot: bool = False) -> None:
    """Install or update, step by step. Raises SetupError and OSError."""
    host.say(requirements.check(host))
    for words in requirements.warnings(host, datetime.now(UTC)):
        host.say(words)
    versions, name = Versions(host), name_of(PROJECT)
    with versions.locked():
        versions.sweep(trial.named(host))
        if not versions.whole(name):
            requirements.room(host)
        host.say("1. The system: packages, the user dugout, its groups.")
        system_parts.packages(host)
        system_parts.user(host)
        host.say("2. This version and its packages, in their own folder. The first time takes some minutes.")
        versions.make(PROJECT, name)
        host.say("3. Settings, and the parts of the Pi that they need.")
        system_parts.settings(host)
        changed = boot.offer(host)
        if changed:
            # The firmware's settings are on a file system without a journal.
            host.succeeds("sync")
        host.say("4. Opening the table.")
        before = versions.current
        trial.play(host, versions, name)
        versions.prune(before)
    host.say(f"\nDugout {name} is installed. {_where(host)}")
    if changed:
        host.say("Restart the Pi once for what was enabled: sudo reboot")
    if spot:
        hotspot.open_(host)
    elif hotspot.exists(host):
        hotspot.guard(host)


def _where(host: Host) -> str:
    """Return the table's address, and where to find its code."""
    found = re.search(r"https?://\S+", trial.state(host).get("StatusText", ""))
    table = found[0] if found else "http://NAME.local/"
    taken = "" if host.succeeds("systemctl", "is-active", "--quiet", "dugout.socket") else " (port 80 is in use here)"
    words = f"Open {table} on a phone{taken}, and {table}table to run it, with the code on the display."
    return f"{words}\nWithout a display, get it from: sudo dugout code"


if __name__ == "__main__":
    raise SystemExit(main())
