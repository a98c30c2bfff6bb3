"""Tries a part that no table has, briefly, and lets it go again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from device.diagnostics.checks.camera import pictures
from device.diagnostics.checks.case import LOOK, OK, WRONG, Finding
from device.diagnostics.checks.wiring import paced, told
from device.display import startup
from device.display.oled import TIMED, Oled
from device.inputs.buttons import ButtonError, Buttons
from device.service import shutdown
from device.settings import Settings
from vision.cameras.sources import open_source

LONG = 3.0
"""Seconds for which a camera is looked through: it holds exposure and white balance after two."""


def tries(settings: Settings) -> Mapping[str, Callable[[], Finding]]:
    """What tries each part of a table, by its name."""
    wanted = settings.buttons
    return {
        "display": lambda: display(startup.display(settings.display, False), settings.display.wires),
        "buttons": lambda: buttons(lambda: Buttons(lambda *_: None, wanted.factory, wanted.pins)),
        "camera": lambda: camera(lambda: open_source(settings.camera.source)),
    }


def display(oled: Oled, wires: str) -> Finding:
    """Show some pictures, and leave on the glass what stands there while no table runs."""
    for number in range(TIMED):
        oled.show(oled.draw.message("Doctor", f"Picture {number + 1} of {TIMED}"))
        oled.step(still=True)
    missing, pace = oled.missing, oled.pace
    oled.stop(oled.draw.bye(shutdown.OFF))
    if missing:
        return Finding("display", WRONG, missing, "Check its wires (README, Wiring), and its kind in the settings.")
    return paced(pace, wires)


def buttons(opener: Callable[[], Buttons]) -> Finding:
    """Take the pins, and see whether a button is down."""
    try:
        hand = opener()
    except ButtonError as error:
        return told("buttons", (False, str(error)))
    try:
        if faults := hand.faults:
            return told("buttons", (False, " ".join(faults)))
    finally:
        hand.close()
    todo = "Press each of them once: dugout doctor --buttons shows what is heard."
    return Finding("buttons", OK, "None is stuck.", todo)


def camera(opener: Callable[[], Any], clock: Callable[[], float] = time.monotonic) -> Finding:
    """Look through the camera for a moment."""
    try:
        source = opener()
    except (OSError, ValueError) as error:
        return Finding("camera", WRONG, str(error), "Check its plug or ribbon, and source under [camera].")
    count, begun, now = -1, clock(), clock()
    first = now
    try:
        while now - begun < LONG:
            if source.read() is None:
                return Finding("camera", LOOK, "Its pictures end: it is a film.", "Set a camera as source.")
            now, count = clock(), count + 1
            first = now if count == 0 else first
    except OSError as error:
        return Finding("camera", WRONG, str(error), "Check its plug or ribbon cable, at both ends.")
    finally:
        source.close()
    fps = count / (now - first) if count > 0 and now > first else None
    return pictures({"fps": fps, "locks": getattr(source, "locks", None)})
