"""Tries the parts of a table that is not running, for a few seconds, and releases them again."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from device.display import startup
from device.display.oled import TIMED, Oled
from device.display.speech import Speech
from device.inputs.button_recovery import ButtonError
from device.inputs.buttons import Buttons
from device.service import shutdown
from device.settings import Settings
from device.shapes import CameraFigures, Figures, Health
from vision.cameras.sources import open_source

log = logging.getLogger("dugout.doctor")

DURATION = 3.0  # seconds for which a camera is tried; it locks exposure and white balance after two


def try_parts(settings: Settings) -> Figures:
    """Try display, buttons, camera and announcer, each if the settings name one; return what a running table would
    report.
    """
    faults, wanted = dict[str, str](), settings.buttons
    pace = pictures = None
    with _reported("display", faults):
        if settings.display.driver != "none":
            faults["display"], pace = display(startup.display(settings.display, False))
    with _reported("buttons", faults):
        if wanted.factory != "none":
            faults["buttons"] = buttons(lambda: Buttons(lambda *_: None, wanted.factory, wanted.pins))
    with _reported("camera", faults):
        if settings.camera.source != "none":
            faults["camera"], pictures = camera(lambda: open_source(settings.camera.source))
    with _reported("announcer", faults):
        if settings.announcer.level != "off":
            faults["announcer"] = Speech(settings.announcer).attempt()
    health = [Health(part, not words, words) for part, words in faults.items()]
    return Figures(health=health, display=pace, camera=pictures)


@contextmanager
def _reported(part: str, faults: dict[str, str]) -> Iterator[None]:
    """Make a fault of the part out of an error that its code does not expect."""
    try:
        yield
    except Exception as error:
        log.exception("Trying the %s failed.", part)
        faults[part] = f"The test failed: {type(error).__name__}."


def display(oled: Oled) -> tuple[str, float | None]:
    """Show some pictures, and at last that no table is running; return the fault or "", and the seconds per picture."""
    for number in range(TIMED):
        oled.show(oled.draw.message("Doctor", f"Picture {number + 1} of {TIMED}"))
        oled.step(still=True)
    missing, pace = oled.missing, oled.pace
    oled.stop(oled.draw.bye(shutdown.OFF))
    return missing or "", pace


def buttons(open_buttons: Callable[[], Buttons]) -> str:
    """Open the pins and read each once; return the fault, or ""."""
    try:
        opened = open_buttons()
    except ButtonError as error:
        return str(error)
    try:
        return " ".join(opened.faults)
    finally:
        opened.close()


def camera(opener: Callable[[], Any], clock: Callable[[], float] = time.monotonic) -> tuple[str, CameraFigures | None]:
    """Read frames for `DURATION` seconds; return the fault or "", and the figures as a running table has them."""
    try:
        source = opener()
    except (OSError, ValueError) as error:
        return str(error), None
    times = [clock()]
    try:
        while times[-1] - times[0] < DURATION:
            if source.read() is None:
                return "Its pictures end: it's a video, not a camera.", None
            times.append(clock())
    except OSError as error:
        return str(error), None
    finally:
        source.close()
    # The first frame also waits for the camera to start.
    fps = (len(times) - 2) / (times[-1] - times[1]) if len(times) > 2 and times[-1] > times[1] else None
    return "", CameraFigures(fps, getattr(source, "locks", None))
