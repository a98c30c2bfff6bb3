"""The parts of the system that a table needs: packages, its user and groups, links, and a settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from device.install.host import Host, SetupError
from device.install.versions import CURRENT, point
from device.storage import atomic_file

GROUPS = ("gpio", "i2c", "spi", "video", "audio")
"""Groups that may open the devices. systemd does not start a unit that names a missing group."""

USER = "dugout"
DATA = "/var/lib/dugout"
SETTINGS = "/etc/dugout.toml"

PACKAGES = {
    "python3-venv": "",
    "python3-lgpio": "Without it there are no buttons.",
    "python3-picamera2": "Without it only USB cameras work.",
    "avahi-daemon": "Without it phones find the table only by its address, not by its name.",
    "espeak-ng": "Without it the table cannot announce the plays by itself; phones and the television can.",
    "polkitd": "Without it the table's button cannot switch the Pi off.",
}
"""Packages of the system, and what is missing without each; "" for one that is required."""

LINKS = {
    "/etc/udev/rules.d/60-dugout.rules": "systemd/dugout.udev",
    "/etc/modules-load.d/dugout.conf": "systemd/dugout.modules",
    "/etc/polkit-1/rules.d/50-dugout.rules": "systemd/dugout.rules",
    "/usr/local/bin/dugout": ".venv/bin/dugout",
}
"""Links from the system to files of the current version; switching the version changes them all at once."""

FIRST = f"""\
# The table's settings. All of them are listed in {CURRENT}/docs/build/settings.md
data = "{DATA}"
poweroff = true
"""


def packages(host: Host, wanted: Mapping[str, str] = PACKAGES) -> None:
    """Install the missing packages. Raises SetupError if one that is required is missing then."""
    missing = _missing(host, list(wanted))
    if missing and host.has("apt-get"):
        host.say(f"Installing packages: {', '.join(missing)} ...")
        apt = ("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120")
        host.succeeds(*apt, "update")
        there = [name for name in missing if host.output("apt-cache", "show", name)]
        if there:
            os.environ["DEBIAN_FRONTEND"] = "noninteractive"
            host.succeeds(*apt, "install", "-y", "--no-install-recommends", *there)
        missing = _missing(host, missing)
    for name in missing:
        if not wanted[name] and not host.succeeds("python3", "-c", "import venv, ensurepip"):
            raise SetupError(f"{name} could not be installed: is there a network? Nothing was changed.")
        if wanted[name]:
            host.say(f"  {name} is not available here. {wanted[name]}")


def _missing(host: Host, names: list[str]) -> list[str]:
    """Return those of these packages that are not installed."""
    status = {name: host.output("dpkg-query", "-Wf", "${Status}", name) or "" for name in names}
    return [name for name in names if "installed" not in status[name].split()]


def user(host: Host) -> None:
    """Create the user and the groups. Raises SetupError."""
    sorry = "The table's user cannot be created. No harm was done: fix this, and run it again."
    for group in (group for group in GROUPS if not host.succeeds("getent", "group", group)):
        host.run("groupadd", "--system", group, sorry=sorry)
    if not host.succeeds("getent", "passwd", USER):
        home = ("--no-create-home", "--home-dir", DATA, "--shell", "/usr/sbin/nologin")
        host.run("useradd", "--system", "--user-group", *home, USER, sorry=sorry)
    if not set(GROUPS) <= set((host.output("id", "-nG", USER) or "").split()):
        host.run("usermod", "--append", "--groups", ",".join(GROUPS), USER, sorry=sorry)


def settings(host: Host) -> None:
    """Create the settings file, unless it exists."""
    file = host.path(SETTINGS)
    if not file.exists():
        atomic_file.write(file, FIRST.encode(), 0o644)


def links(host: Host) -> None:
    """Link the system to the files of the current version."""
    for name, file in LINKS.items():
        link = host.path(name)
        target = Path(os.path.relpath(host.path(f"{CURRENT}/{file}"), link.parent))
        if not link.is_symlink() or link.readlink() != target:
            link.parent.mkdir(parents=True, exist_ok=True)
            point(link, target)


def reload(host: Host) -> None:
    """Make the system read the linked files. Failures do not matter, because without hardware none is needed."""
    host.succeeds("systemctl", "daemon-reload")
    host.succeeds("systemctl", "restart", "systemd-modules-load.service")
    if host.succeeds("udevadm", "control", "--reload"):
        for kind in ("gpio", "i2c-dev", "spidev", "dma_heap"):
            host.succeeds("udevadm", "trigger", f"--subsystem-match={kind}", "--action=change")
