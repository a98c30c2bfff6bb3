"""`scripts/install`: from an unpacked project to a table that plays, and from a newer project to the update.

It can be run again at any time: what is there already stays as it is.
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
    """Install; 0 when the table is open, 1 when not, and then the last words say how it stands."""
    parser = argparse.ArgumentParser(prog="scripts/install", description="Install Dugout, or update it.")
    parser.add_argument("--yes", action="store_true", help="switch on what the table wants (I²C, SPI, camera), unasked")
    parser.add_argument("--hotspot", action="store_true", help="also open a Wi-Fi where no known one is in reach")
    args = parser.parse_args(argv)
    # A folder in the place of the system's: for tests.
    host = Host(Path(os.environ.get("DUGOUT_ROOT", "/")), args.yes)
    os.umask(0o022)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _ended)
    try:
        install(host, args.hotspot)
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"\n{error}. What is installed was left as it was: mend this, and run it again.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run it again to go on.", file=sys.stderr)
        return 130
    return 0


def _ended(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def install(host: Host, spot: bool = False) -> None:
    """The whole way. Raises SetupError and OSError."""
    host.say(requirements.look(host))
    for words in requirements.warnings(host, datetime.now(UTC)):
        host.say(words)
    versions, name = Versions(host), name_of(PROJECT)
    with versions.held():
        versions.sweep(trial.named(host))
        if not versions.whole(name):
            requirements.room(host)
        host.say("1. What the system is to bring: packages, the user dugout, its groups.")
        system_parts.packages(host)
        system_parts.person(host)
        host.say("2. This version and all that it needs, in a folder of its own. The first time takes some minutes.")
        versions.make(PROJECT, name)
        host.say("3. Settings, and the parts of the Pi that they want.")
        system_parts.settings(host)
        changed = boot.offer(host)
        if changed:
            # The firmware's settings lie on a file system without a journal.
            host.does("sync")
        host.say("4. The table opens.")
        before = versions.current
        trial.play(host, versions, name)
        versions.prune(before)
    host.say(f"\nDugout {name} is installed. {_where(host)}")
    if changed:
        host.say("Start the Pi again, once, for what was switched on: sudo reboot")
    if spot:
        hotspot.open_(host)


def _where(host: Host) -> str:
    """Where the table is, and its code."""
    found = re.search(r"https?://\S+", trial.shown(host).get("StatusText", ""))
    table = found[0] if found else "http://NAME.local/"
    taken = "" if host.does("systemctl", "is-active", "--quiet", "dugout.socket") else " (port 80 is taken here)"
    words = f"Open {table} on a phone{taken}, and {table}table to run it, with the code on the display."
    return f"{words}\nWithout a display it is told by: sudo dugout code"


if __name__ == "__main__":
    raise SystemExit(main())
