"""Test the parts of a table that is not running for a few seconds, then release them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from device.display import startup
from device.display.oled import MAX_TIMED_FRAMES, Oled
from device.display.speech import SpeechAnnouncer
from device.inputs.button_recovery import ButtonError
from device.inputs.buttons import GpioButtons
from device.service import shutdown
from device.settings import Settings
from device.shapes import CameraFigures, Figures, Health
from vision.cameras.sources import open_source

log = logging.getLogger("dugout.doctor")

CAMERA_PROBE_S = 3.0  # duration of a camera test in seconds. Exposure and white balance lock after two


def probe_components(settings: Settings) -> Figures:
    """Test the display, buttons, camera and announcer of the settings. Return figures like a running table's."""
    faults, wanted = dict[str, str](), settings.buttons
    pace = pictures = None
    with _report_errors("display", faults):
        if settings.display.driver != "none":
            faults["display"], pace = probe_display(startup.build_display(settings.display, False))
    with _report_errors("buttons", faults):
        if wanted.factory != "none":
            faults["buttons"] = probe_buttons(lambda: GpioButtons(lambda *_: None, wanted.factory, wanted.pins))
    with _report_errors("camera", faults):
        if settings.camera.source != "none":
            faults["camera"], pictures = probe_camera(
                lambda: open_source(settings.camera.source, [settings.board.camera])
            )
    with _report_errors("announcer", faults):
        if settings.announcer.level != "off":
            faults["announcer"] = SpeechAnnouncer(settings.announcer).probe_speech()
    health = [Health(part, not words, words) for part, words in faults.items()]
    return Figures(health=health, display=pace, camera=pictures)


@contextmanager
def _report_errors(part: str, faults: dict[str, str]) -> Iterator[None]:
    """Turn an unexpected error into a fault of the part."""
    try:
        yield
    except Exception as error:
        log.exception("Trying the %s failed.", part)
        faults[part] = f"The test failed: {type(error).__name__}."


def probe_display(oled: Oled) -> tuple[str, float | None]:
    """Show test pictures, then that no table is running. Return the fault or "", and the seconds per picture."""
    for number in range(MAX_TIMED_FRAMES):
        oled.show_picture(oled.draw.draw_message("Doctor", f"Picture {number + 1} of {MAX_TIMED_FRAMES}"))
        oled.update_panel(still=True)
    missing, pace = oled.missing, oled.frame_time_s
    oled.stop(oled.draw.draw_goodbye(shutdown.OFF_TEXT))
    return missing or "", pace


def probe_buttons(open_buttons: Callable[[], GpioButtons]) -> str:
    """Open the pins and read each once. Return the fault or ""."""
    try:
        opened = open_buttons()
    except ButtonError as error:
        return str(error)
    try:
        return " ".join(opened.faults)
    finally:
        opened.close()


def probe_camera(
    opener: Callable[[], Any], clock: Callable[[], float] = time.monotonic
) -> tuple[str, CameraFigures | None]:
    """Read frames for `CAMERA_PROBE_S` seconds. Return the fault or "", and the camera's figures."""
    try:
        source = opener()
    except (OSError, ValueError) as error:
        return str(error), None
    times = [clock()]
    try:
        while times[-1] - times[0] < CAMERA_PROBE_S:
            if source.read_frame() is None:
                return "Its pictures end: it's a video, not a camera.", None
            times.append(clock())
    except OSError as error:
        return str(error), None
    finally:
        source.close()
    # The first frame includes the time in which the camera starts.
    fps = (len(times) - 2) / (times[-1] - times[1]) if len(times) > 2 and times[-1] > times[1] else None
    return "", CameraFigures(fps, getattr(source, "locks", None), getattr(source, "damaged_count", 0))
