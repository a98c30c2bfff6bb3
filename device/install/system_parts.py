"""Parts of the system that a table needs: packages, its user and groups, links, and a settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from device.install import package_manager
from device.install.host import Host, SetupError
from device.install.versions import CURRENT_LINK, replace_link
from device.storage import atomic_file

DEVICE_GROUPS = ("gpio", "i2c", "spi", "video", "audio")
"""Groups with access to the devices. systemd does not start a unit that names a missing group."""

USER_NAME = "dugout"
DATA_FOLDER = "/var/lib/dugout"
SETTINGS_FILE = "/etc/dugout.toml"

SYSTEM_PACKAGES = {
    "python3-venv": "",
    "python3-lgpio": "Without it there are no buttons.",
    "python3-picamera2": "Without it only USB cameras work.",
    "avahi-daemon": "Without it phones find the table only by its address, not by its name.",
    "espeak-ng": "Without it the table cannot announce the plays; phones and the television still can.",
    "polkitd": "Without it the table's button cannot turn the Pi off.",
}
"""Packages of the system and the effect if missing, "" for a required one."""

SYSTEM_LINKS = {
    "/etc/udev/rules.d/60-dugout.rules": "systemd/dugout.udev",
    "/etc/modules-load.d/dugout.conf": "systemd/dugout.modules",
    "/etc/polkit-1/rules.d/50-dugout.rules": "systemd/dugout.rules",
    "/usr/local/bin/dugout": ".venv/bin/dugout",
}
"""Links from the system to files of the current version. Switching the version changes them all at once."""

INITIAL_SETTINGS = f"""\
# The table's settings. All of them are listed in {CURRENT_LINK}/docs/build/settings.md
data = "{DATA_FOLDER}"
poweroff = true
"""


def install_packages(host: Host, wanted: Mapping[str, str] = SYSTEM_PACKAGES) -> None:
    """Install the missing packages, and report why one is still missing.

    Raises SetupError if that is a required one, and as `package_manager.run_apt` does.
    """
    missing, failure = _missing_packages(host, list(wanted)), None
    available = missing
    if missing and host.has_command("apt-get"):
        host.print_text(f"Installing packages: {', '.join(missing)} ...")
        failure = package_manager.run_apt(host, "update")
        available = [name for name in missing if host.command_output("apt-cache", "show", name)]
        if available:
            failure = package_manager.run_apt(host, "install", "-y", "--no-install-recommends", *available) or failure
        missing = _missing_packages(host, missing)
    if missing and failure:
        host.print_text("\n".join(f"  {line}" for line in failure.splitlines()))
    for name in missing:
        if not wanted[name] and not host.run_quietly("python3", "-c", "import venv, ensurepip"):
            raise SetupError(f"{name} could not be installed: is there a network? Nothing was changed.")
        if wanted[name]:
            fault = "could not be installed" if failure or name in available else "is not available here"
            host.print_text(f"  {name} {fault}. {wanted[name]}")


def _missing_packages(host: Host, names: list[str]) -> list[str]:
    status = {name: host.command_output("dpkg-query", "-Wf", "${Status}", name) or "" for name in names}
    return [name for name in names if "installed" not in status[name].split()]


def create_user(host: Host) -> None:
    """Create the table's user and the device groups. Raises SetupError."""
    sorry = "The table's user cannot be created. No harm was done: fix this, and run it again."
    for group in (group for group in DEVICE_GROUPS if not host.run_quietly("getent", "group", group)):
        host.run_or_fail("groupadd", "--system", group, sorry=sorry)
    if not host.run_quietly("getent", "passwd", USER_NAME):
        home = ("--no-create-home", "--home-dir", DATA_FOLDER, "--shell", "/usr/sbin/nologin")
        host.run_or_fail("useradd", "--system", "--user-group", *home, USER_NAME, sorry=sorry)
    if not set(DEVICE_GROUPS) <= set((host.command_output("id", "-nG", USER_NAME) or "").split()):
        host.run_or_fail("usermod", "--append", "--groups", ",".join(DEVICE_GROUPS), USER_NAME, sorry=sorry)


def create_settings(host: Host) -> None:
    """Create the settings file, unless it exists."""
    file = host.path_below_root(SETTINGS_FILE)
    if not file.exists():
        atomic_file.write_file(file, INITIAL_SETTINGS.encode(), 0o644)


def create_links(host: Host) -> None:
    for name, file in SYSTEM_LINKS.items():
        link = host.path_below_root(name)
        target = Path(os.path.relpath(host.path_below_root(f"{CURRENT_LINK}/{file}"), link.parent))
        if not link.is_symlink() or link.readlink() != target:
            link.parent.mkdir(parents=True, exist_ok=True)
            replace_link(link, target)


def reload_system(host: Host) -> None:
    """Make the system read the linked files. Failures are ignored, because a machine without hardware needs none."""
    host.run_quietly("systemctl", "daemon-reload")
    host.run_quietly("systemctl", "restart", "systemd-modules-load.service")
    if host.run_quietly("udevadm", "control", "--reload"):
        for kind in ("gpio", "i2c-dev", "spidev", "dma_heap"):
            host.run_quietly("udevadm", "trigger", f"--subsystem-match={kind}", "--action=change")
