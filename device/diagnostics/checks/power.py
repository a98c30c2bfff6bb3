"""Checks of the Pi itself: power supply, throttling, temperature, memory.

Raspberry Pi's documentation of `vcgencmd get_throttled` explains the firmware's bits. The service may not run it, and
reads the same from the kernel.
"""

from __future__ import annotations

import re

from device.diagnostics.facts import UNKNOWN, Facts, look, ok, wrong
from device.machine import Machine
from device.shapes import Finding

WEAK, SLOWED, WARM = 0b1, 0b1110, 0b1000
"""The firmware's bits for the present: weak supply; capped, throttled or warm; warm. Since the Pi started: 16 places
higher."""

HOT, WARMISH = 80.0, 70.0  # degrees Celsius at which a Pi throttles, and from which it soon may
LITTLE = 48 << 10  # kilobytes of free memory below which the camera's pictures get scarce

SUPPLY = "Use the power supply made for this Pi, with its own cable, and no power-hungry devices on its USB ports."
AIR = "Cool it: open the case, keep it out of the sun, or add a heat sink or fan."


def throttled(machine: Machine) -> int | None:
    """Return the firmware's bits, None if they cannot be read."""
    output = machine.run(["vcgencmd", "get_throttled"])
    if output is not None and (bits := re.search(r"throttled=0x([0-9a-fA-F]+)", output)):
        return int(bits[1], 16)
    for path in machine.found("sys/devices/platform/soc*/*firmware*/get_throttled"):
        text = machine.beside(path, path.name)
        if re.fullmatch(r"(0x)?[0-9a-fA-F]+", text):
            return int(text, 16)
    return None


def undervoltage(machine: Machine) -> bool | None:
    """Return whether the kernel saw undervoltage in the last seconds; None if it does not watch for it."""
    for path in machine.found("sys/class/hwmon/hwmon*/name"):
        if machine.beside(path, "name") == "rpi_volt" and (alarm := machine.beside(path, "in0_lcrit_alarm")):
            return alarm != "0"
    return None


def power(facts: Facts) -> Finding:
    """Check whether the power supply is strong enough."""
    bits, low = throttled(facts.machine), undervoltage(facts.machine)
    if bits is None and low is None:
        return ok(UNKNOWN)
    if low or (bits or 0) & WEAK:
        return wrong("The voltage is too low now.", SUPPLY)
    if (bits or 0) >> 16 & WEAK:
        return look("The voltage was too low at some point since the Pi started.", SUPPLY)
    return ok("The voltage is good." if bits is None else "The voltage is good, and has been since the Pi started.")


def slowed(facts: Facts) -> Finding:
    """Check whether the Pi runs at full speed."""
    bits = throttled(facts.machine)
    if bits is None:
        return ok(UNKNOWN)
    ever = bits | bits >> 16
    todo = AIR if ever & WARM or not ever & WEAK else SUPPLY
    if bits & SLOWED:
        return wrong("The Pi is slowing itself down now.", todo)
    if ever & SLOWED:
        return look("The Pi slowed itself down at some point since it started.", todo)
    return ok("The Pi runs at full speed, and has since it started.")


def temperature(facts: Facts) -> Finding:
    """Check the processor's temperature."""
    for path in facts.machine.found("sys/class/thermal/thermal_zone*/temp"):
        text = facts.machine.beside(path, path.name)
        if re.fullmatch(r"-?[0-9]+", text):
            degrees = int(text) / 1000
            seen = f"The processor is at {degrees:.0f} °C."
            return wrong(seen, AIR) if degrees >= HOT else look(seen, AIR) if degrees >= WARMISH else ok(seen)
    return ok(UNKNOWN)


def model(facts: Facts) -> Finding:
    """Report the model, and check its free memory."""
    name = facts.machine.read("proc/device-tree/model") or "Not a Raspberry Pi"
    memory = facts.machine.fields("proc/meminfo", ":")
    total, free = (int(memory.get(key, "0 kB").split()[0]) for key in ("MemTotal", "MemAvailable"))
    if not (total and free):
        return ok(f"{name}.")
    seen = f"{name}, {total >> 10} MiB of memory, {free >> 10} free."
    return look(seen, "Memory is short: stop other programs, such as a desktop.") if free < LITTLE else ok(seen)
