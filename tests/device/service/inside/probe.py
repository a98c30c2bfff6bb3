"""Run by systemd before the program, in the same sandbox: try what a compromised program would, and record the results.

They are written as JSON into the service's own folder: for each attempt "done", or the name of the error.
"""

from __future__ import annotations

import ctypes
import errno
import grp
import json
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLONE_NEWUSER = 0x10000000

FOUND = Path("/var/lib/dugout/probe.json")

ATTEMPTS: dict[str, Callable[[], Any]] = {
    "write /etc": lambda: Path("/etc/open/planted").touch(),
    "look into /home": lambda: Path("/home/pi/secret").read_text(),
    "make a device": lambda: os.mknod("/var/lib/dugout/disk", 0o60600, os.makedev(8, 0)),
    "open the wire": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    "set the clock": lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
    "stand back": lambda: os.nice(1),
    "give away": lambda: os.chown(FOUND.parent, os.getuid(), -1),
    "lend rights": lambda: os.chmod(FOUND.parent, 0o4700),
    "be somebody": lambda: unshare(CLONE_NEWUSER),
    "keep a game": lambda: FOUND.write_text(""),
    "make a FIFO for lgpio": lambda: os.mkfifo("/run/dugout/planted"),
    "use a temporary file": lambda: Path("/tmp/planted").touch(),
    "listen for phones": lambda: socket.create_server(("", 0)).close(),
    "hear of cameras": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 15).close(),
}
"""Actions that any user may do without a sandbox, except for the device, the network and the clock."""


def unshare(what: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(what):
        raise OSError(ctypes.get_errno(), "")


def told(attempt: Callable[[], Any]) -> str:
    try:
        attempt()
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, str(error))
    return "done"


def main() -> None:
    found: dict[str, Any] = {name: told(attempt) for name, attempt in ATTEMPTS.items()}
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines())
    found |= {name: status[name] for name in ("CapEff", "CapBnd", "NoNewPrivs", "Seccomp")}
    found["groups"] = [grp.getgrgid(group).gr_name for group in os.getgroups()]
    found["others"] = [entry.name for entry in Path("/proc").iterdir() if entry.name == "1"]
    Path("/run/dugout/planted").unlink(missing_ok=True)
    FOUND.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
