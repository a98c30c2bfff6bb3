"""The Pi itself: its supply, its heat, its memory.

What the firmware tells of throttling, bit by bit, is in Raspberry Pi's documentation of `vcgencmd get_throttled`. The
service may not ask it, and reads what the kernel knows instead.
"""

from __future__ import annotations

import re

from device.diagnostics.checks.case import LOOK, OK, UNTOLD, WRONG, Case, Finding
from device.machine import Machine

WEAK, CAPPED, THROTTLED, WARM = 0, 1, 2, 3
"""Bits of what is so now; 16 higher, of what was since the Pi started."""

HOT, WARMISH = 80.0, 70.0
"""Degrees at which a Pi slows down, and from which on it soon may."""

LITTLE = 48 << 10
"""Kilobytes of memory below which little is left for the camera's pictures."""

SUPPLY = "Use the supply that is made for this Pi, with its own cable, and nothing hungry on its USB ports."
AIR = "Give it air: open its case, take it out of the sun, or put a heat sink or fan on it."


def throttled(machine: Machine) -> int | None:
    """The firmware's bits, or None where they cannot be had."""
    said = machine.run(["vcgencmd", "get_throttled"])
    if said is not None and (bits := re.search(r"throttled=0x([0-9a-fA-F]+)", said)):
        return int(bits[1], 16)
    for path in machine.found("sys/devices/platform/soc*/*firmware*/get_throttled"):
        text = machine.beside(path, path.name)
        if re.fullmatch(r"(0x)?[0-9a-fA-F]+", text):
            return int(text, 16)
    return None


def alarm(machine: Machine) -> bool | None:
    """Whether the kernel saw too little voltage in the last seconds; None where it does not look."""
    for path in machine.found("sys/class/hwmon/hwmon*/name"):
        if machine.beside(path, "name") == "rpi_volt" and (said := machine.beside(path, "in0_lcrit_alarm")):
            return said != "0"
    return None


def power(machine: Machine, case: Case) -> Finding:
    """Whether the supply is strong enough."""
    bits, low = throttled(machine), alarm(machine)
    if bits is None and low is None:
        return Finding("power", OK, UNTOLD)
    if low or (bits or 0) >> WEAK & 1:
        return Finding("power", WRONG, "The voltage is too low now.", SUPPLY)
    if (bits or 0) >> (WEAK + 16) & 1:
        return Finding("power", LOOK, "The voltage was too low since the Pi started.", SUPPLY)
    since = "" if bits is None else ", and always was since the Pi started"
    return Finding("power", OK, f"The voltage is good{since}.")


def slowed(machine: Machine, case: Case) -> Finding:
    """Whether the Pi runs slower than it could."""
    bits = throttled(machine)
    if bits is None:
        return Finding("speed", OK, UNTOLD)
    now = [bits >> bit & 1 for bit in (CAPPED, THROTTLED, WARM)]
    was = [bits >> bit + 16 & 1 for bit in (CAPPED, THROTTLED, WARM)]
    why = AIR if now[2] or was[2] or not (bits & 1 or bits >> 16 & 1) else SUPPLY
    if any(now):
        return Finding("speed", WRONG, "The Pi slows itself down now.", why)
    if any(was):
        return Finding("speed", LOOK, "The Pi slowed itself down since it started.", why)
    return Finding("speed", OK, "The Pi runs at full speed, and always did since it started.")


def temperature(machine: Machine, case: Case) -> Finding:
    """How hot the processor is."""
    for path in machine.found("sys/class/thermal/thermal_zone*/temp"):
        said = machine.beside(path, path.name)
        if re.fullmatch(r"-?\d+", said):
            degrees = int(said) / 1000
            verdict = WRONG if degrees >= HOT else LOOK if degrees >= WARMISH else OK
            return Finding(
                "temperature", verdict, f"The processor is at {degrees:.0f} °C.", AIR if verdict != OK else ""
            )
    return Finding("temperature", OK, UNTOLD)


def model(machine: Machine, case: Case) -> Finding:
    """Which Pi it is, and how much memory it has left."""
    name = machine.read("proc/device-tree/model") or "Not a Raspberry Pi"
    memory = machine.fields("proc/meminfo", ":")
    sizes = [int(memory.get(key, "0 kB").split()[0]) for key in ("MemTotal", "MemAvailable")]
    if not all(sizes):
        return Finding("machine", OK, f"{name}.")
    seen = f"{name}, {sizes[0] >> 10} MiB of memory, {sizes[1] >> 10} free."
    if sizes[1] < LITTLE:
        return Finding("machine", LOOK, seen, "End what else runs on it, such as a desktop: memory is short.")
    return Finding("machine", OK, seen)
