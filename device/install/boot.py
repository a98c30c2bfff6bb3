"""The Pi's own parts, which are off on a fresh card: I²C, SPI and the camera, switched on with the person's consent."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from device.install.host import Host
from device.install.system_parts import SETTINGS

FILES = ("/boot/firmware/config.txt", "/boot/config.txt")
"""Where the Pi's firmware reads its own settings, now and in older releases."""

PARAMETER = r"^\s*(?:device_tree_param|dtparam)=(?:[^,#\n]*,)*"


@dataclass(frozen=True)
class Switch:
    """A part that may be off. `on` finds it in config.txt, `line` switches it on there, `command` does so for
    raspi-config."""

    name: str
    on: str
    line: str
    command: tuple[str, ...]


I2C = Switch(
    "I²C, for the display", PARAMETER + r"i2c(_arm)?(=(on|true|yes|1))?\s*(,|$)", "dtparam=i2c_arm=on", ("do_i2c", "0")
)
FAST = Switch(
    "I²C at 400 kHz, for a display four times as quick",
    PARAMETER + r"i2c(_arm)?_baudrate=",
    "dtparam=i2c_arm_baudrate=400000",
    ("set_config_var", "dtparam=i2c_arm_baudrate", "400000", "{file}"),
)
SPI = Switch("SPI, for the display", PARAMETER + r"spi(=(on|true|yes|1))?\s*(,|$)", "dtparam=spi=on", ("do_spi", "0"))
CAMERA = Switch(
    "the camera on the ribbon cable",
    r"^\s*(camera_auto_detect=1|dtoverlay=(imx|ov)\d+)",
    "camera_auto_detect=1",
    ("set_config_var", "camera_auto_detect", "1", "{file}"),
)


def offer(host: Host) -> bool:
    """Switch on what the settings want and is off, each part if the person agrees; whether the Pi must start again."""
    file = next((host.path(name) for name in FILES if host.path(name).is_file()), None)
    if file is None:
        return False
    changed, left = False, []
    for switch in _wanted(host.path(SETTINGS)):
        if re.search(switch.on, file.read_text(errors="replace"), re.M):
            continue
        if not host.has("raspi-config") or not host.agrees(f"Switch on {switch.name}?"):
            left.append(switch)
        elif host.does("raspi-config", "nonint", *(word.format(file=file) for word in switch.command)):
            host.say(f"Switched on: {switch.name}.")
            changed = True
        else:
            left.append(switch)
    if left:
        host.say(
            f"Left off: {'; '.join(one.name for one in left)}. To switch it on, put this into {file}, below [all],"
        )
        host.say("and start the Pi again. Or run this again on a terminal and say yes, or with --yes.")
        for one in left:
            host.say(f"  {one.line}")
    return changed


def _wanted(settings: Path) -> list[Switch]:
    """What the settings want."""
    display, camera = section(settings, "display"), section(settings, "camera")
    wires = [SPI] if display.get("wires") == "spi" else [I2C, FAST]
    shown = wires if display.get("driver") != "none" else []
    return [*shown, *([CAMERA] if camera.get("source", "auto") in ("auto", "picamera2") else [])]


def section(settings: Path, name: str) -> dict[str, Any]:
    """What the settings say of a part. What is wrong in them is told elsewhere."""
    try:
        found = tomllib.loads(settings.read_text("utf-8-sig")).get(name)
    except (OSError, ValueError):
        found = None
    return found if isinstance(found, dict) else {}
