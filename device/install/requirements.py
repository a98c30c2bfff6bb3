"""Check that this machine can run a table, before anything is changed."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from datetime import UTC, datetime

from device.install.host import Host, SetupError
from device.install.system_parts import DATA_FOLDER
from device.install.versions import VERSIONS_FOLDER

MIN_PYTHON_VERSION = (3, 11)  # oldest supported Python
TESTED_RELEASES = {"bookworm", "trixie"}  # code names of the tested Debian releases

MIN_FREE_MIB = 1200
"""Disk space in MiB that installing a version may need. The version before it stays on the disk."""

MIN_FREE_FILES = 20_000  # files that installing a version may need, about twice as many as it has

APT_ARCHIVES = "/var/cache/apt/archives"  # downloaded packages of the system, which are no longer needed
EARLIEST_DATE = datetime(2026, 11, 1, tzinfo=UTC)  # a clock with an earlier date is wrong


def check_machine(host: Host) -> str:
    """Describe this machine in a line. Raises SetupError with every reason why it cannot run a table."""
    release, faults = os_release(host), []
    if host.root.as_posix() == "/" and os.geteuid() != 0:
        faults.append("This changes the system: run it with sudo.")
    if sys.version_info < MIN_PYTHON_VERSION:
        faults.append("Dugout needs Python 3.11 or newer: use Raspberry Pi OS Lite, bookworm or trixie.")
    if program_architecture() not in ("aarch64", "x86_64"):
        faults.append("This is a 32-bit system, and Dugout needs a 64-bit one: use Raspberry Pi OS Lite (64-bit).")
    if not host.path_below_root("/run/systemd/system").is_dir():
        faults.append("This machine does not run systemd, which starts the table.")
    for unit in ("dugout.service", "dugout.socket"):
        if host.path_below_root(f"/etc/systemd/system/{unit}").is_file():
            faults.append(f"/etc/systemd/system/{unit} would override the new one: move it away.")
    if faults:
        raise SetupError("\n".join((*faults, "Nothing was changed.")))
    board = host.path_below_root("/proc/device-tree/model")
    model = board.read_text("utf-8", "replace").strip("\0\n ") if board.exists() else "no Raspberry Pi"
    return (
        f"This machine: {model}, {release.get('PRETTY_NAME', 'an unknown system')}, "
        f"Python {platform.python_version()}, {program_architecture()}, {_free_mib(host)} MiB free."
    )


def check_room(host: Host) -> None:
    """Check that there is space for another version. Raises SetupError with what takes the space."""
    disk = os.statvfs(host.root)
    if disk.f_files and disk.f_favail < MIN_FREE_FILES:  # some file systems count no files
        raise SetupError(
            f"Only {disk.f_favail} more files fit on the disk, and {MIN_FREE_FILES} are needed, although "
            f"{_free_mib(host)} MiB are free: delete files, or use another card. The folders with most of them: "
            "sudo du --inodes -xd3 / | sort -n | tail. Nothing was changed."
        )
    if (free := _free_mib(host)) >= MIN_FREE_MIB:
        return
    lines = [
        f"Only {free} MiB of the disk are free, and {MIN_FREE_MIB} are needed: free up space or use a larger card. "
        "In MiB:"
    ]
    for name in (
        *sorted(host.path_below_root(VERSIONS_FOLDER).iterdir()),
        host.path_below_root(DATA_FOLDER),
        host.path_below_root(APT_ARCHIVES),
    ):
        if usage := host.command_output("du", "-sm", str(name)):
            note = " (sudo apt clean)" if name == host.path_below_root(APT_ARCHIVES) else ""
            lines.append(f"  {usage.split()[0]:>5}  {name}{note}")
    raise SetupError(
        "\n".join((*lines, "Nothing was changed. Installing a version that is here already needs no room."))
    )


def _free_mib(host: Host) -> int:
    return shutil.disk_usage(host.root).free >> 20


def machine_warnings(host: Host, now: datetime) -> list[str]:
    """Warnings about things that may keep a table from running."""
    found, name = [], os_release(host).get("VERSION_CODENAME", "")
    if name not in TESTED_RELEASES:
        found.append(f"Dugout was never tested on this system, only on {' and '.join(sorted(TESTED_RELEASES))}.")
    if now < EARLIEST_DATE:
        found.append(
            f"The clock shows {now:%d %B %Y}, which is wrong, and then downloads fail: connect the network and wait "
            "a minute, or set it, for example: sudo date -s '2026-12-24 18:00'"
        )
    controllers = host.path_below_root("/sys/fs/cgroup/cgroup.controllers")
    if controllers.is_file() and "memory" not in controllers.read_text("utf-8").split():
        found.append(
            "This system does not count memory, so the table's limits do nothing: add cgroup_enable=memory to the line "
            "in /boot/firmware/cmdline.txt, and restart the Pi."
        )
    return found


def program_architecture() -> str:
    """Architecture of the machine's programs: `aarch64`, `x86_64`, or another such as `armv7l`.

    The kernel may have 64 bits although the programs have 32.
    """
    kernel = platform.machine()
    return kernel if sys.maxsize > 2**32 else {"aarch64": "armv7l", "x86_64": "i686"}.get(kernel, kernel)


def os_release(host: Host) -> dict[str, str]:
    """Fields of os-release(5)."""
    file = host.path_below_root("/etc/os-release")
    lines = file.read_text("utf-8", "replace").splitlines() if file.exists() else []
    return {key: value.strip("\"'") for key, is_set, value in (line.partition("=") for line in lines) if is_set}
