"""Machines as folders: three Pis and the output of their commands.

Not recorded on hardware, but made from public documentation of the kernel and of Raspberry Pi, and from public logs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.diagnostics.facts import DoctorFacts
from device.machine import Machine
from device.settings import parse_settings
from device.shapes import CameraFigures, Figures, Health, JournalFigures

GOOD = "throttled=0x0\n"

PI4: dict[str, str] = {
    "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0",
    "proc/meminfo": "MemTotal:        3884352 kB\nMemFree:          201344 kB\nMemAvailable:    3012345 kB\n",
    "proc/cmdline": "coherent_pool=1M 8250.nr_uarts=0 console=tty1 root=PARTUUID=1 rootfstype=ext4 rootwait\n",
    "proc/sys/kernel/osrelease": "6.12.25+rpt-rpi-v8\n",
    "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\n',
    "sys/class/thermal/thermal_zone0/type": "cpu-thermal\n",
    "sys/class/thermal/thermal_zone0/temp": "48686\n",
    "sys/class/hwmon/hwmon0/name": "cpu_thermal\n",
    "sys/class/hwmon/hwmon1/name": "rpi_volt\n",
    "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "0\n",
    "sys/class/video4linux/video0/name": "unicam-image\n",
    "sys/class/video4linux/video0/index": "0\n",
    "sys/class/video4linux/video10/name": "bcm2835-codec-decode\n",
    "sys/class/video4linux/video10/index": "0\n",
    "sys/bus/i2c/drivers/imx708/10-001a": "",
    "dev/i2c-1": "",
    "dev/i2c-20": "",
    "dev/gpiochip0": "",
    "proc/net/tcp": "  sl  local_address rem_address   st\n   0: 00000000:0016 00000000:0000 0A 00000000:00000000\n",
}

PI5: dict[str, str] = PI4 | {
    "proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
    "proc/meminfo": "MemTotal:        8253568 kB\nMemAvailable:    7340032 kB\n",
    "sys/class/thermal/thermal_zone0/temp": "83450\n",
    "sys/class/hwmon/hwmon0/name": "rp1_adc\n",
    "sys/class/hwmon/hwmon1/name": "cpu_thermal\n",
    "sys/class/hwmon/hwmon3/name": "rpi_volt\n",
    "sys/class/hwmon/hwmon3/in0_lcrit_alarm": "1\n",
    "sys/class/video4linux/video0/name": "rp1-cfe-csi2_ch0\n",
    "sys/class/video4linux/video8/name": "UVC Camera (046d:0825)\n",
    "sys/class/video4linux/video8/index": "0\n",
    "sys/class/video4linux/video9/name": "UVC Camera (046d:0825)\n",
    "sys/class/video4linux/video9/index": "1\n",
    "dev/spidev0.0": "",
    "dev/spidev0.1": "",
}

ZERO: dict[str, str] = {
    key: text for key, text in PI4.items() if "hwmon" not in key and "drivers" not in key and "dev/i2c" not in key
} | {
    "proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
    "proc/meminfo": "MemTotal:         436544 kB\nMemAvailable:      31000 kB\n",
    "proc/cmdline": "console=serial0,115200 console=tty1 root=PARTUUID=1 rootfstype=ext4 rootwait\n",
    "sys/class/thermal/thermal_zone0/temp": "71200\n",
    "sys/devices/platform/soc/soc:firmware/get_throttled": "50000\n",
}


FIGURES = Figures(
    health=[Health(part, True, "Works.") for part in ("camera", "display", "buttons")],
    display=0.024,
    camera=CameraFigures(29.6, {"exposure": [1.0], "white balance": [2.0], "focus": None}),
    journal=JournalFigures("wal", "full", None),
    port=80,
    given=True,
)


def facts(machine: Machine, source: str = "", running: Figures | None = None, **more: Any) -> DoctorFacts:
    """Return a table with these settings on a machine; with `running` it is running and has these figures."""
    if running is not None:
        more |= {"figures": running, "running": True}
    return DoctorFacts(machine, parse_settings(source, "dugout.toml"), **more)


def ill(part: str, words: str) -> Figures:
    """Return the figures of a table that lacks this part."""
    return replace(FIGURES, health=[Health(part, False, words)])


def machine(
    folder: Path,
    files: Mapping[str, str],
    outputs: Mapping[str, str] | None = None,
    probe: Callable[[int, int], bool | None] = lambda bus, address: address == 0x3C,
    lines: Mapping[int, str] | None = None,
    room: tuple[int, bool] = (8 << 30, True),
    file_room: int | None = None,
) -> Machine:
    """Return a machine with these files; `outputs` is what its commands print, by how they begin."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)

    def run(words: Sequence[str]) -> str | None:
        line = " ".join(words)
        return next((text for start, text in (outputs or {}).items() if line.startswith(start)), None)

    return Machine(folder, run, probe, lambda: lines, lambda path: room, lambda path: file_room, lambda *_: "")
