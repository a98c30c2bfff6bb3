"""Checks of the Pi itself: power supply, throttling, temperature, memory.

The documentation of `vcgencmd get_throttled` by Raspberry Pi explains the firmware's bits. The service may not run it,
and reads the same value from the kernel.
"""

from __future__ import annotations

import re

from device.diagnostics.facts import UNKNOWN_HERE, DoctorFacts, look_finding, ok_finding, wrong_finding
from device.machine import Machine
from device.shapes import Finding

UNDERVOLTAGE_BIT = 0b1
"""Firmware bit for a weak supply now. Each bit, 16 places higher, stands for any time since the Pi started."""

SLOWED_BITS = 0b1110  # firmware bits for capped, throttled or warm
WARM_BIT = 0b1000  # firmware bit for warm
HOT_TEMPERATURE_C = 80.0  # degrees Celsius at which a Pi throttles
WARM_TEMPERATURE_C = 70.0  # degrees Celsius from which it may soon throttle
MIN_FREE_MEMORY_KB = 48 << 10  # free memory in kB that the camera needs for its frames

POWER_SUPPLY_ADVICE = (
    "Use the power supply made for this Pi, with its own cable, and no power-hungry devices on its USB ports."
)
COOLING_ADVICE = "Cool it: open the case, keep it out of the sun, or add a heat sink or fan."


def throttling_bits(machine: Machine) -> int | None:
    """Throttling bits of the firmware. None if unreadable."""
    output = machine.run(["vcgencmd", "get_throttled"])
    if output is not None and (bits := re.search(r"throttled=0x([0-9a-fA-F]+)", output)):
        return int(bits[1], 16)
    for path in machine.find_files("sys/devices/platform/soc*/*firmware*/get_throttled"):
        text = machine.neighboring_text(path, path.name)
        if re.fullmatch(r"(0x)?[0-9a-fA-F]+", text):
            return int(text, 16)
    return None


def has_undervoltage(machine: Machine) -> bool | None:
    """True if the kernel saw undervoltage in the last seconds. None if it does not monitor it."""
    for path in machine.find_files("sys/class/hwmon/hwmon*/name"):
        if machine.neighboring_text(path, "name") == "rpi_volt" and (
            alarm := machine.neighboring_text(path, "in0_lcrit_alarm")
        ):
            return alarm != "0"
    return None


def check_power(facts: DoctorFacts) -> Finding:
    bits, low = throttling_bits(facts.machine), has_undervoltage(facts.machine)
    if bits is None and low is None:
        return ok_finding(UNKNOWN_HERE)
    if low or (bits or 0) & UNDERVOLTAGE_BIT:
        return wrong_finding("The voltage is too low now.", POWER_SUPPLY_ADVICE)
    if (bits or 0) >> 16 & UNDERVOLTAGE_BIT:
        return look_finding("The voltage was too low at some point since the Pi started.", POWER_SUPPLY_ADVICE)
    return ok_finding(
        "The voltage is good." if bits is None else "The voltage is good, and has been since the Pi started."
    )


def check_speed(facts: DoctorFacts) -> Finding:
    bits = throttling_bits(facts.machine)
    if bits is None:
        return ok_finding(UNKNOWN_HERE)
    ever = bits | bits >> 16
    todo = COOLING_ADVICE if ever & WARM_BIT or not ever & UNDERVOLTAGE_BIT else POWER_SUPPLY_ADVICE
    if bits & SLOWED_BITS:
        return wrong_finding("The Pi is slowing itself down now.", todo)
    if ever & SLOWED_BITS:
        return look_finding("The Pi slowed itself down at some point since it started.", todo)
    return ok_finding("The Pi runs at full speed, and has since it started.")


def check_temperature(facts: DoctorFacts) -> Finding:
    for path in facts.machine.find_files("sys/class/thermal/thermal_zone*/temp"):
        text = facts.machine.neighboring_text(path, path.name)
        if re.fullmatch(r"-?[0-9]+", text):
            degrees = int(text) / 1000
            seen = f"The processor is at {degrees:.0f} °C."
            return (
                wrong_finding(seen, COOLING_ADVICE)
                if degrees >= HOT_TEMPERATURE_C
                else look_finding(seen, COOLING_ADVICE)
                if degrees >= WARM_TEMPERATURE_C
                else ok_finding(seen)
            )
    return ok_finding(UNKNOWN_HERE)


def check_model(facts: DoctorFacts) -> Finding:
    """Report the model, and check its free memory."""
    name = facts.machine.read_text("proc/device-tree/model") or "Not a Raspberry Pi"
    memory = facts.machine.read_fields("proc/meminfo", ":")
    total, free = (int(memory.get(key, "0 kB").split()[0]) for key in ("MemTotal", "MemAvailable"))
    if not (total and free):
        return ok_finding(f"{name}.")
    seen = f"{name}, {total >> 10} MiB of memory, {free >> 10} free."
    return (
        look_finding(seen, "Memory is low: close other programs, such as the desktop.")
        if free < MIN_FREE_MEMORY_KB
        else ok_finding(seen)
    )
