"""The cameras: which there are, which is set, and whether a picture comes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from device.diagnostics.checks.case import LOOK, OK, WRONG, Case, Finding
from device.machine import Machine

INSIDE = re.compile(r"bcm2835-|pispbe|rpi|rp1-cfe|unicam")
"""How the kernel calls the video devices of a Pi that are no USB cameras."""

SENSORS = re.compile(r"imx\d+|ov\d+|gc\d+|arducam.*")
"""How it calls the sensors of cameras on a ribbon cable."""

FEW = 8.0
"""Pictures a second below which dice are read late."""


def there(machine: Machine) -> list[str]:
    """The cameras that the kernel knows of."""
    ribbon = {
        f"{path.parent.name} on the ribbon cable"
        for path in machine.found("sys/bus/i2c/drivers/*/*-00*")
        if SENSORS.fullmatch(path.parent.name)
    }
    usb = []
    for path in machine.found("sys/class/video4linux/video*/name"):
        name, index = machine.beside(path, "name"), machine.beside(path, "index")
        # A camera may have a second device, which gives no pictures.
        if name and not INSIDE.match(name) and index == "0":
            usb.append(f"{name} at /dev/{path.parent.name}")
    return [*sorted(ribbon), *usb]


def camera(machine: Machine, case: Case) -> Finding:
    """The camera over the tray."""
    source = case.settings.camera.source
    if case.demo:
        return Finding("camera", OK, "Simulated.")
    found = there(machine)
    list_ = f"There: {'; '.join(found)}. " if found else "The kernel knows of no camera. "
    if source == "none":
        return Finding("camera", OK, f"{list_}None is set: dice are typed.")
    seen = f"{list_}Set: {source}. "
    if case.figures is None:
        tried = case.tried("camera")
        return Finding("camera", tried.verdict, seen + tried.seen, tried.todo)
    good, words = case.health("camera") or (True, "")
    if not good:
        return Finding("camera", WRONG, seen + words, ribbon(found))
    told = pictures(case.figures.get("camera"))
    return Finding("camera", told.verdict, seen + told.seen, told.todo)


def ribbon(found: list[str]) -> str:
    """What to do where no picture comes, by what the kernel knows."""
    if found:
        return "Set source under [camera] to one of those that are there, and end other programs that use it."
    return "Plug it in, or with the Pi off push its ribbon cable home at both ends; then start the Pi."


def pictures(seen: Mapping[str, Any] | None) -> Finding:
    """How the pictures come: {fps: a second or None, locks: {what: [values] or None}, None before they are held}."""
    if seen is None or seen["fps"] is None:
        return Finding("camera", LOOK, "No picture came yet.", "Wait half a minute and look again.")
    words = [f"{seen['fps']:.0f} pictures a second."]
    locks = seen["locks"]
    if locks is None:
        words.append("It still adjusts itself to the light.")
    else:
        held = [name for name, values in locks.items() if values is not None]
        loose = [name for name, values in locks.items() if values is None]
        words += [f"Held: {', '.join(held)}."] if held else []
        words += [f"Not held: {', '.join(loose)}."] if loose else []
    if seen["fps"] < FEW:
        return Finding("camera", LOOK, " ".join(words), "Give it more light, and take what else runs off this machine.")
    return Finding("camera", OK, " ".join(words))
