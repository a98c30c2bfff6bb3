"""Enable I²C, SPI and the camera, which are off on a new card, if the person agrees."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.install.host import Host
from device.install.system_parts import SETTINGS_FILE

CONFIG_FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Firmware settings file of current and of older releases."""

PARAMETER_PATTERN = r"^\s*(?:device_tree_param|dtparam)=(?:[^,#\n]*,)*"
"""Start of a line in config.txt that sets device tree parameters."""


@dataclass(frozen=True)
class BootSwitch:
    """Part of the Pi that may be off.

    on: pattern that finds it enabled in config.txt.
    line: line that enables it there.
    command: arguments of raspi-config that enable it.
    """

    name: str
    on: str
    line: str
    command: tuple[str, ...]


I2C_SWITCH = BootSwitch(
    "I²C, for the display",
    PARAMETER_PATTERN + r"i2c(_arm)?(=(on|true|yes|1))?\s*(,|$)",
    "dtparam=i2c_arm=on",
    ("do_i2c", "0"),
)
FAST_I2C_SWITCH = BootSwitch(
    "I²C at 400 kHz, for a display four times as fast",
    PARAMETER_PATTERN + r"i2c(_arm)?_baudrate=",
    "dtparam=i2c_arm_baudrate=400000",
    ("set_config_var", "dtparam=i2c_arm_baudrate", "400000", "{file}"),
)
SPI_SWITCH = BootSwitch(
    "SPI, for the display", PARAMETER_PATTERN + r"spi(=(on|true|yes|1))?\s*(,|$)", "dtparam=spi=on", ("do_spi", "0")
)
CAMERA_SWITCH = BootSwitch(
    "the camera on the ribbon cable",
    r"^\s*(camera_auto_detect=1|dtoverlay=(imx|ov)[0-9]+)",
    "camera_auto_detect=1",
    ("set_config_var", "camera_auto_detect", "1", "{file}"),
)


def offer_boot_switches(host: Host) -> bool:
    """Ask to enable the parts that the settings need. Return True if the Pi must restart."""
    file = next((host.path_below_root(name) for name in CONFIG_FILES if host.path_below_root(name).is_file()), None)
    if file is None:
        return False
    changed, left = False, []
    for switch in _needed_switches(host.path_below_root(SETTINGS_FILE)):
        if re.search(switch.on, file.read_text("utf-8", "replace"), re.M):
            continue
        if not host.has_command("raspi-config") or not host.ask_yes_no(f"Enable {switch.name}?"):
            left.append(switch)
        elif host.run_quietly("raspi-config", "nonint", *(word.format(file=file) for word in switch.command)):
            host.print_text(f"Enabled: {switch.name}.")
            changed = True
        else:
            left.append(switch)
    if left:
        host.print_text(
            f"Left off: {'; '.join(one.name for one in left)}. To enable it, add this to {file} below [all]"
        )
        host.print_text("and restart the Pi. Or run this again in a terminal and answer yes, or with --yes.")
        for one in left:
            host.print_text(f"  {one.line}")
    return changed


def _needed_switches(settings: Path) -> list[BootSwitch]:
    display, camera = settings_section(settings, "display"), settings_section(settings, "camera")
    wires = [SPI_SWITCH] if display.get("wires") == "spi" else [I2C_SWITCH, FAST_I2C_SWITCH]
    shown = wires if display.get("driver") != "none" else []
    return [*shown, *([CAMERA_SWITCH] if camera.get("source", "auto") in ("auto", "picamera2") else [])]


def settings_section(settings: Path, name: str) -> dict[str, Any]:
    """Section of the settings file, {} if invalid. Its errors are reported elsewhere."""
    try:
        found = tomllib.loads(settings.read_text("utf-8-sig")).get(name)
    except (OSError, ValueError):
        found = None
    return found if isinstance(found, dict) else {}
