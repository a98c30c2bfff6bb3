"""Trying the parts of a table that is not running: briefly, and releasing them again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from device.diagnostics import probes
from device.display import screens_64
from device.display.oled import Oled
from device.display.panel import DummyPanel
from device.inputs.button_recovery import ButtonError
from device.inputs.buttons import GpioButtons, MockButtons
from device.settings import parse_settings
from device.shapes import CameraFigures, Figures, Health
from tests.device.stored_games import Clock


class Slow(DummyPanel):
    """A panel on a slow bus."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__()
        self._clock, self._seconds, self.closed = clock, seconds, False

    def display(self, image: Any) -> None:
        super().display(image)
        self._clock.now += self._seconds

    def cleanup(self) -> None:
        self.closed = True


@pytest.mark.parametrize("seconds", [0.023, 0.093])
def test_a_display_is_timed(seconds: float) -> None:
    """It shows pictures, then that no table is running, and is released."""
    clock = Clock()
    panel_ = Slow(clock, seconds)
    oled = Oled(lambda: panel_, clock=clock, draw=screens_64)
    fault, pace = probes.probe_display(oled)
    assert ("", True) == (fault, pace == pytest.approx(seconds))
    assert oled.draw.draw_goodbye("Dugout is off").tobytes() == panel_.image.convert("1").tobytes()
    assert panel_.closed


def refusing(error: Exception) -> Callable[[], Any]:
    """Return an opener that raises this error."""

    def opener() -> Any:
        raise error

    return opener


def test_parts_that_do_not_answer() -> None:
    """Their own words are the fault."""
    fault, _ = probes.probe_display(Oled(refusing(OSError("nothing there")), draw=screens_64))
    assert "No display: nothing answers at 0x3C on I²C bus 1: check its four wires." == fault
    assert "Buttons: no chip." == probes.probe_buttons(refusing(ButtonError("Buttons: no chip.")))
    words = "There is no camera at /dev/video0."
    assert (words, None) == probes.probe_camera(refusing(OSError(words)))


def test_buttons() -> None:
    """None down, and one down; the pins are free again each time."""
    board = MockButtons()
    for _ in range(2):
        assert "" == probes.probe_buttons(lambda: GpioButtons(print, board.factory))
    board.push_button("home-ok")
    assert "Button home-ok is stuck: check its wiring." == probes.probe_buttons(
        lambda: GpioButtons(print, board.factory)
    )
    board.close()


class Film:
    """A camera with `fps` pictures a second, which may fail or end after the `last` one."""

    def __init__(self, clock: Clock, fps: float, last: int = 10**6, ends: bool = False) -> None:
        self.locks, self.closed = None, False
        self._clock, self._every, self._left, self._ends = clock, 1 / fps, last, ends

    def read_frame(self) -> object | None:
        self._clock.now += self._every
        self._left -= 1
        if self._left < 0 and not self._ends:
            raise OSError("It stopped answering.")
        return None if self._left < 0 else object()

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("film", "fault", "fps"),
    [
        ({"fps": 30.0}, "", 30),
        ({"fps": 5.0}, "", 5),
        ({"fps": 30.0, "last": 4}, "It stopped answering.", None),
        ({"fps": 30.0, "last": 4, "ends": True}, "Its pictures end: it's a video, not a camera.", None),
    ],
)
def test_a_camera_is_timed(film: dict[str, Any], fault: str, fps: float | None) -> None:
    """For some seconds; a camera that fails or ends is a fault, and is released in any case."""
    clock = Clock()
    source = Film(clock, **film)
    found, figures = probes.probe_camera(lambda: source, clock)
    assert (fault, fps, True) == (found, figures and round(figures.fps or 0, 3), source.closed)


def test_only_the_parts_in_the_settings_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that a part's code does not expect becomes its fault, and the other parts are still tried."""

    def odd(*_: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(probes, "probe_display", odd)
    monkeypatch.setattr(probes, "probe_camera", lambda opener: ("", CameraFigures(30.0, None)))
    figures = probes.probe_components(parse_settings("[buttons]\nfactory = 'none'", "x"))
    health = [Health("display", False, "The test failed: ZeroDivisionError."), Health("camera", True, "")]
    assert Figures(health=health, camera=CameraFigures(30.0, None)) == figures
