"""What a table needs of the system around it: packages, its user, groups, units, rules, and a file of settings."""

from __future__ import annotations

import os
from pathlib import Path

from device.install.host import Host, SetupError
from device.install.versions import CURRENT, point
from device.storage import atomic_file

GROUPS = ("gpio", "i2c", "spi", "video")
"""Who may open the devices. systemd does not start a unit that names a group which is not there."""

USER = "dugout"
DATA = "/var/lib/dugout"
SETTINGS = "/etc/dugout.toml"

PACKAGES = {
    "python3-venv": "",
    "python3-lgpio": "Without it there are no buttons.",
    "python3-picamera2": "Without it only USB cameras are seen.",
    "avahi-daemon": "Without it phones find the table by its address only, not by its name.",
    "polkitd": "Without it the table's button cannot switch the Pi off.",
}
"""What comes from the system, and what its absence means."""

LINKS = {
    "/etc/udev/rules.d/60-dugout.rules": "systemd/dugout.udev",
    "/etc/modules-load.d/dugout.conf": "systemd/dugout.modules",
    "/etc/polkit-1/rules.d/50-dugout.rules": "systemd/dugout.rules",
    "/usr/local/bin/dugout": ".venv/bin/dugout",
}
"""Where the system looks, and the file of the version that is played: all change with it, at once."""

FIRST = f"""\
# What the table goes by. All that may stand here: {CURRENT}/docs/settings.md
data = "{DATA}"
poweroff = true
"""


def packages(host: Host) -> None:
    """Fetch those that are missing. Raises SetupError where there is no Python environment without one."""
    missing = _missing(host, list(PACKAGES))
    if missing and host.has("apt-get"):
        host.say(f"Fetching from the system: {', '.join(missing)} ...")
        apt = ("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120")
        host.does(*apt, "update")
        there = [name for name in missing if host.tells("apt-cache", "show", name)]
        if there:
            os.environ["DEBIAN_FRONTEND"] = "noninteractive"
            host.does(*apt, "install", "-y", "--no-install-recommends", *there)
        missing = _missing(host, missing)
    for name in missing:
        if not PACKAGES[name] and not host.does("python3", "-c", "import venv, ensurepip"):
            raise SetupError(f"{name} could not be fetched: is there a network? Nothing was changed.")
        if PACKAGES[name]:
            host.say(f"  {name} cannot be had here. {PACKAGES[name]}")


def _missing(host: Host, names: list[str]) -> list[str]:
    """Those of these packages that are not installed."""
    told = {name: host.tells("dpkg-query", "-Wf", "${Status}", name) or "" for name in names}
    return [name for name in names if "installed" not in told[name].split()]


def person(host: Host) -> None:
    """Have the user and the groups. Raises SetupError."""
    sorry = "The table's user cannot be made. Nothing was changed that hurts: run this again when it is mended."
    for group in (group for group in GROUPS if not host.does("getent", "group", group)):
        host.must("groupadd", "--system", group, sorry=sorry)
    if not host.does("getent", "passwd", USER):
        home = ("--no-create-home", "--home-dir", DATA, "--shell", "/usr/sbin/nologin")
        host.must("useradd", "--system", "--user-group", *home, USER, sorry=sorry)
    if not set(GROUPS) <= set((host.tells("id", "-nG", USER) or "").split()):
        host.must("usermod", "--append", "--groups", ",".join(GROUPS), USER, sorry=sorry)


def settings(host: Host) -> None:
    """Have a file of settings; one that is there stays as it is."""
    file = host.path(SETTINGS)
    if not file.exists():
        atomic_file.write(file, FIRST.encode(), 0o644)


def links(host: Host) -> None:
    """Have the system find what the version that is played brings for it."""
    for name, file in LINKS.items():
        link = host.path(name)
        target = Path(os.path.relpath(host.path(f"{CURRENT}/{file}"), link.parent))
        if not link.is_symlink() or link.readlink() != target:
            link.parent.mkdir(parents=True, exist_ok=True)
            point(link, target)


def wake(host: Host) -> None:
    """Have the system take up what the links bring: none of it is needed where there is no hardware."""
    host.does("systemctl", "daemon-reload")
    host.does("systemctl", "restart", "systemd-modules-load.service")
    if host.does("udevadm", "control", "--reload"):
        for kind in ("gpio", "i2c-dev", "spidev", "dma_heap"):
            host.does("udevadm", "trigger", f"--subsystem-match={kind}", "--action=change")


def gone(host: Host) -> None:
    """Take the links away."""
    for name in LINKS:
        host.path(name).unlink(missing_ok=True)
