"""Parts that no table has are tried, briefly, and let go again."""

from __future__ import annotations

from typing import Any

import pytest

from device.diagnostics import probes
from device.diagnostics.checks.case import LOOK, OK, WRONG
from device.display import panel
from device.display.oled import Oled
from device.display.panel import Dummy
from device.inputs.buttons import ButtonError, Buttons, MockBoard
from tests.device.stored_games import Clock


class Slow(Dummy):
    """A panel whose bus takes its time."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        super().__init__()
        self._clock, self._seconds, self.closed = clock, seconds, False

    def display(self, image: Any) -> None:
        super().display(image)
        self._clock.now += self._seconds

    def cleanup(self) -> None:
        self.closed = True


@pytest.mark.parametrize(("seconds", "verdict"), [(0.023, OK), (0.093, LOOK)])
def test_a_display_is_timed(seconds: float, verdict: str) -> None:
    """Its pictures, and then it says that no table runs, and is let go."""
    clock = Clock()
    glass = Slow(clock, seconds)
    oled = Oled(lambda: glass, clock=clock)
    found = probes.display(oled, "i2c")
    assert (verdict, f"It works: {seconds * 1000:.0f} ms for a picture.") == (found.verdict, found.seen)
    assert oled.draw.bye("Dugout is off").tobytes() == glass.image.convert("1").tobytes()
    assert glass.closed


def test_a_display_that_does_not_answer() -> None:
    """Is told in its own words."""

    def opener() -> panel.Panel:
        raise OSError("nothing there")

    found = probes.display(Oled(opener), "i2c")
    assert (WRONG, "No display: nothing answers at 0x3C on I²C bus 1: check its four wires.") == (
        found.verdict,
        found.seen,
    )


def test_buttons() -> None:
    """None down, one down, and pins that cannot be had; the pins are free again each time."""
    board = MockBoard()
    for _ in range(2):
        assert OK == probes.buttons(lambda: Buttons(print, board.factory)).verdict
    board.down("home-ok")
    stuck = probes.buttons(lambda: Buttons(print, board.factory))
    assert (WRONG, "Button home-ok is stuck: check its wiring.") == (stuck.verdict, stuck.seen)

    def none() -> Buttons:
        raise ButtonError("Buttons: no chip.")

    assert (WRONG, "Buttons: no chip.") == ((found := probes.buttons(none)).verdict, found.seen)
    board.close()


class Film:
    """A camera of so many pictures a second, which may stop."""

    def __init__(self, clock: Clock, fps: float, last: int = 10**6, ends: bool = False) -> None:
        self.locks, self.closed = None, False
        self._clock, self._every, self._left, self._ends = clock, 1 / fps, last, ends

    def read(self) -> object | None:
        self._clock.now += self._every
        self._left -= 1
        if self._left < 0 and not self._ends:
            raise OSError("It stopped answering.")
        return None if self._left < 0 else object()

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("film", "verdict", "words"),
    [
        ({"fps": 30.0}, OK, "30 pictures a second."),
        ({"fps": 5.0}, LOOK, "5 pictures a second."),
        ({"fps": 30.0, "last": 4}, WRONG, "It stopped answering."),
        ({"fps": 30.0, "last": 4, "ends": True}, LOOK, "Its pictures end: it is a film."),
    ],
)
def test_a_camera_is_looked_through(film: dict[str, Any], verdict: str, words: str) -> None:
    """For some seconds by its own pictures; one that stops or ends is told, and let go at any rate."""
    clock = Clock()
    source = Film(clock, **film)
    found = probes.camera(lambda: source, clock)
    assert (verdict, True, True) == (found.verdict, found.seen.startswith(words), source.closed)


def test_no_camera() -> None:
    """Is told in its own words."""

    def opener() -> Any:
        raise OSError("There is no camera at /dev/video0.")

    assert (WRONG, "There is no camera at /dev/video0.") == ((found := probes.camera(opener)).verdict, found.seen)
