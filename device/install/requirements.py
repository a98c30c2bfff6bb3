"""Whether this machine can hold a table, looked at before anything is changed."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from datetime import UTC, datetime

from device.install.host import Host, SetupError
from device.install.system_parts import DATA
from device.install.versions import VERSIONS

OLDEST = (3, 11)
"""The Python that is needed."""

TRIED = {"bookworm", "trixie"}
"""The releases it was tried on."""

ROOM = 1200
"""MiB of the disk that a version may want while it is made; the one before stays beside it."""

FETCHED = "/var/cache/apt/archives"
"""Packages of the system that are installed long since."""

BORN = datetime(2026, 11, 1, tzinfo=UTC)
"""A clock that shows an earlier day is wrong."""


def look(host: Host) -> str:
    """What machine this is, in a line. Raises SetupError where a table cannot live on it, with every reason."""
    release, faults = os_release(host), []
    if host.root.as_posix() == "/" and os.geteuid() != 0:
        faults.append("This changes the system: run it with sudo.")
    if sys.version_info < OLDEST:
        faults.append("Dugout needs Python 3.11 or newer: take Raspberry Pi OS Lite, bookworm or trixie.")
    if processor() not in ("aarch64", "x86_64"):
        faults.append("This is a 32-bit system, and Dugout needs a 64-bit one: take Raspberry Pi OS Lite (64-bit).")
    if not host.path("/run/systemd/system").is_dir():
        faults.append("This machine was not started by systemd, which is to start the table.")
    for unit in ("dugout.service", "dugout.socket"):
        if host.path(f"/etc/systemd/system/{unit}").is_file():
            faults.append(f"/etc/systemd/system/{unit} would hide the one that comes now: move it away.")
    if faults:
        raise SetupError("\n".join((*faults, "Nothing was changed.")))
    board = host.path("/proc/device-tree/model")
    model = board.read_text(errors="replace").strip("\0\n ") if board.exists() else "no Raspberry Pi"
    return (
        f"This machine: {model}, {release.get('PRETTY_NAME', 'an unknown system')}, "
        f"Python {platform.python_version()}, {processor()}, {_free(host)} MiB free."
    )


def room(host: Host) -> None:
    """There is room for a version more. Raises SetupError, with what takes it."""
    if (free := _free(host)) >= ROOM:
        return
    lines = [
        f"Only {free} MiB of the disk are free and {ROOM} are needed: make room, or take a larger card. MiB of it:"
    ]
    for name in (*sorted(host.path(VERSIONS).iterdir()), host.path(DATA), host.path(FETCHED)):
        if told := host.tells("du", "-sm", str(name)):
            note = " (sudo apt clean)" if name == host.path(FETCHED) else ""
            lines.append(f"  {told.split()[0]:>5}  {name}{note}")
    raise SetupError("\n".join((*lines, "Nothing was changed. A version that is here already needs no room.")))


def _free(host: Host) -> int:
    """MiB of the disk."""
    return shutil.disk_usage(host.root).free >> 20


def warnings(host: Host, now: datetime) -> list[str]:
    """What need not keep a table from living here, but may be why it does not."""
    told, name = [], os_release(host).get("VERSION_CODENAME", "")
    if name not in TRIED:
        told.append(f"Dugout was never tried on this system, only on {' and '.join(sorted(TRIED))}.")
    if now < BORN:
        told.append(
            f"The clock shows {now:%d %B %Y}, which cannot be. With a wrong date nothing can be fetched: connect the "
            "network and wait a minute, or set it, as in: sudo date -s '2026-12-24 18:00'"
        )
    return told


def processor() -> str:
    """Which programs it runs: `aarch64`, `x86_64`, or another, such as `armv7l`. The kernel may be of 64 bits where the
    programs are not."""
    kernel = platform.machine()
    return kernel if sys.maxsize > 2**32 else {"aarch64": "armv7l", "x86_64": "i686"}.get(kernel, kernel)


def os_release(host: Host) -> dict[str, str]:
    """What the system says of itself (os-release(5))."""
    file = host.path("/etc/os-release")
    lines = file.read_text().splitlines() if file.exists() else []
    return {key: value.strip("\"'") for key, is_set, value in (line.partition("=") for line in lines) if is_set}
