"""Check of the camera over the tray: which cameras exist, which one is set, and whether it delivers pictures."""

from __future__ import annotations

import re

from device.diagnostics.facts import Facts, Finding, look, ok, wrong
from device.machine import Machine

INTERNAL = re.compile(r"bcm2835-|pispbe|rpi|rp1-cfe|unicam")
"""Names of a Pi's video devices that are not USB cameras."""

SENSORS = re.compile(r"imx\d+|ov\d+|gc\d+|arducam.*")
"""Names of drivers for cameras on a ribbon cable."""

FEW = 8.0
"""Pictures a second below which dice are read late."""


def connected(machine: Machine) -> list[str]:
    """Return the cameras that the kernel knows."""
    ribbon = {
        f"{path.parent.name} on the ribbon cable"
        for path in machine.found("sys/bus/i2c/drivers/*/*-00*")
        if SENSORS.fullmatch(path.parent.name)
    }
    usb = []
    for path in machine.found("sys/class/video4linux/video*/name"):
        name, index = machine.beside(path, "name"), machine.beside(path, "index")
        # A camera may have a second device, which gives no pictures.
        if name and not INTERNAL.match(name) and index == "0":
            usb.append(f"{name} at /dev/{path.parent.name}")
    return [*sorted(ribbon), *usb]


def camera(facts: Facts) -> Finding:
    """Check the camera over the tray."""
    source, figures = facts.settings.camera.source, facts.figures
    if facts.demo:
        return ok("Simulated.")
    found = connected(facts.machine)
    seen = f"Connected: {'; '.join(found)}. " if found else "The kernel knows no camera. "
    if source == "none":
        return ok(f"{seen}None is set: dice are typed.")
    seen += f"Set: {source}. "
    if figures is None:
        return ok(f"{seen}Not tried: {facts.unreachable}")
    if fault := figures.fault("camera"):
        todo = "Set source under [camera] to a connected one, and close other programs that use it."
        cable = "Plug it in, or with the Pi off push its ribbon cable in at both ends; then start the Pi."
        return wrong(seen + fault, todo if found else cable)
    if figures.camera is None or figures.camera["fps"] is None:
        return look(f"{seen}No picture yet.", "Wait half a minute and look again.")
    fps, locks = figures.camera["fps"], figures.camera["locks"]
    seen += f"{fps:.0f} pictures a second."
    if locks is None:
        seen += " It is still adjusting to the light."
    else:
        for words, names in (
            ("Locked", [name for name, values in locks.items() if values is not None]),
            ("Not locked", [name for name, values in locks.items() if values is None]),
        ):
            seen += f" {words}: {', '.join(names)}." if names else ""
    todo = "Give it more light, and stop other programs on this machine."
    return look(seen, todo) if fps < FEW else ok(seen)
