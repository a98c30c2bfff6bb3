"""A camera unplugged at any moment: the game goes on, the camera comes back, and no resource leaks.

`python -m tests.device.inputs.unplugging` tries each driver call of an evening; here are some of them.
"""

import threading

import numpy as np
import pytest

from device.inputs.camera_thread import AWAY, LASTS
from device.inputs.dice_camera import DiceCamera
from tests.device.inputs import unplugging
from tests.device.inputs.unplugging import FakeSession
from tests.device.stored_games import Clock
from tests.pi.webcam import Plug
from vision.cameras.frames import Frame

STEP = 47


@pytest.mark.parametrize("kind", unplugging.KINDS)
def test_nothing_goes_wrong_by_itself(kind: str) -> None:
    calls = unplugging.calls(kind)
    assert len(calls) > 100
    assert unplugging.wrong(kind, None) is None


@pytest.mark.parametrize("kind", unplugging.KINDS)
def test_off_at_any_call(kind: str) -> None:
    """While it opens, warms up, is calibrated, sees a throw or gives a full frame."""
    found = [said for dies in range(0, len(unplugging.calls(kind)), STEP) if (said := unplugging.wrong(kind, dies))]
    assert [] == found


def test_a_camera_that_keeps_silent_is_told(clock: Clock) -> None:
    """While its thread waits: reported once after two seconds, and withdrawn when a frame arrives."""

    class Mute:
        """Gives no frame for `silence` seconds."""

        def read(self) -> None:
            for seconds in (AWAY, 0.1, 5.0):
                clock.now += seconds
                hand.look()
                told.append(session.missing)

        def close(self) -> None:
            """Nothing is held open."""

    session, told = FakeSession(Plug()), list[str | None]()
    hand = DiceCamera(session, Mute, clock=clock)  # type: ignore[arg-type]
    hand.next_frame(Mute())
    assert ([None, DiceCamera.silent_advice, DiceCamera.silent_advice], [DiceCamera.silent_advice]) == (
        told,
        session.lost,
    )
    assert session.missing is None
    clock.now += 100
    hand.look()
    assert session.missing is None, "nobody waits for it"


class _Film:
    """A number of pictures at ten a second, the last of another size; then nothing."""

    def __init__(self, many: int, odd: bool = False) -> None:
        self._many, self._odd, self._number = many, odd, -1

    def read(self) -> Frame | None:
        self._number += 1
        if self._number >= self._many:
            return None
        shape = (24, 32) if self._odd and self._number == self._many - 1 else (48, 64)
        return Frame(np.zeros((*shape, 3), np.uint8), self._number / 10, self._number, "film")

    def close(self) -> None:
        """Nothing is held open."""


class _Waits(threading.Event):
    """Records how long the thread waits, and is set after a number of waits."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most, self.noted = most, list[float | None]()

    def wait(self, timeout: float | None = None) -> bool:
        self.noted.append(timeout)
        if len(self.noted) == self.most:
            self.set()
        return True


@pytest.mark.parametrize(("many", "waits"), [(3, [0.5, 1, 2, 4, 8, 8]), (round(LASTS * 10) + 2, [0.5] * 6)])
def test_what_dies_at_once_is_tried_ever_more_slowly(many: int, waits: list[float]) -> None:
    """Until one lasted."""
    hand = DiceCamera(FakeSession(Plug()), lambda: _Film(many))  # type: ignore[arg-type]
    hand._done = noted = _Waits(len(waits))
    hand.run()
    assert waits == noted.noted


def test_pictures_of_another_size_are_another_camera() -> None:
    """The camera is reopened, so that its tray is looked up again."""
    session = FakeSession(Plug())
    hand = DiceCamera(session, lambda: _Film(4, odd=True))  # type: ignore[arg-type]
    hand._done = _Waits(1)
    hand.run()
    assert "size of the camera's pictures has changed" in session.lost[0]
