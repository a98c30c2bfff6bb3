"""A thousand frames of an evening: every throw is read once, with its true values, and nothing else is a throw."""

from collections.abc import Callable, Iterator
from random import Random

import cv2
import numpy as np
import pytest

from vision.cameras.frames import CameraError, Frame
from vision.reader import Reader
from vision.reading import Face
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.throws import ThrowReading, read_throws
from vision.tray.motion import TrayState, TrayWatcher

pytestmark = pytest.mark.slow

FPS = 30
SIZE = (432, 324)
WHITE = SyntheticDie()
DICE = [WHITE, SyntheticDie("red", 16, "white"), SyntheticDie("blue", 16, "white")]


class _Evening:
    """A source of frames of a tray with timed events, and a record of the true throws."""

    def __init__(self, seed: int, noise: float, seconds: float) -> None:
        self.random = Random(seed)
        self.tray = SyntheticTray(SIZE, seed=seed, noise=noise)
        self.bare = self.tray.render_frame(0.0)
        self.frames, self.number = round(seconds * FPS), 0
        self.acts: list[tuple[float, Callable[[float], object]]] = []
        self.lamp = self.bump = self.fist = (0.0, 0.0)
        self.thrown: list[tuple[float, list[Face] | None]] = []
        """When each throw began, and its values left to right where known."""

    def throw(self, count: int, then: Callable[[float], None] | None = None) -> Callable[[float], None]:

        def act(now: float) -> None:
            done = self.tray.throw_dice(now, DICE[:count])
            values = [die.value for die in self.tray.ground_truth(done + 9) or ()]
            self.thrown.append((now, None if then else [value for value in values if value]))
            if then:
                self.acts = sorted([*self.acts, (done, then)], key=lambda pair: pair[0])

        return act

    def turn(self, now: float) -> None:
        thing = self.tray._things.pop(0)
        pose = thing.track.pose_after(np.inf)
        self.tray.place_die(now, thing.die, 7 - (thing.facet or 1), pose.x, pose.y, turn=0.6)

    def read_frame(self) -> Frame | None:
        now = self.number / FPS
        if self.number >= self.frames:
            return None
        self.number += 1
        while self.acts and self.acts[0][0] <= now:
            self.acts.pop(0)[1](now)
        self.tray.light = 1 + (0.25 * self.random.uniform(-1, 1) if self.lamp[0] <= now < self.lamp[1] else 0)
        picture = self.tray.render_frame(now)
        if self.fist[0] <= now < self.fist[1]:
            way = 2 * np.sin(9 * now)
            cv2.ellipse(picture, (120, round(SIZE[1] + way)), (80, 42), 0, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
        if self.bump[0] <= now < self.bump[1]:
            far = 9 * (self.bump[1] - now) * np.sin(40 * now)
            shift = np.array([[1, 0, far], [0, 1, far / 2]], np.float32)
            picture = cv2.warpAffine(picture, shift, SIZE, borderMode=cv2.BORDER_REFLECT).astype(np.uint8, copy=False)
        return Frame(picture, now, self.number - 1, "drawn")

    def close(self) -> None:
        """Do nothing: no device is held open."""

    def watched(self, reader: Reader, told: Callable[[TrayState], None]) -> Iterator[ThrowReading]:
        """Return the throws read. A lost camera is opened again half a second later, with a fresh watch."""
        while self.number < self.frames:
            try:
                yield from read_throws(self, reader, TrayWatcher(self.bare), on_state=told)
            except CameraError:
                self.number += FPS // 2
                self.tray.plug_in_camera()


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(frozenset({"d6"}))


@pytest.mark.parametrize(("seed", "noise"), [(1, 2.5), (2, 4.5)])
def test_an_evening(reader: Reader, seed: int, noise: float) -> None:
    """Exactly one reading per throw, right if sure; hands, flicker, bumps and lost cameras are not throws.

    A die turned by hand is read too, as touched and in doubt.
    """
    evening = _Evening(seed, noise, 34)
    tray = evening.tray
    evening.acts = [
        (0.6, evening.throw(2)),
        (2.8, lambda now: tray.show_hand(now, 0.8)),
        (4.0, tray.pick_up_dice),
        (5.0, evening.throw(3)),
        (7.0, lambda now: setattr(evening, "lamp", (now, now + 1.0))),
        (8.6, lambda now: setattr(evening, "fist", (now, now + 1.5))),
        (10.8, lambda now: setattr(evening, "bump", (now, now + 0.6))),
        (12.0, tray.pick_up_dice),
        (12.8, evening.throw(1, tray.place_cocked_die)),
        (15.4, tray.pick_up_dice),
        (16.6, evening.throw(2, tray.place_stacked_die)),
        (19.2, tray.pick_up_dice),
        (20.4, evening.throw(2)),
        (22.8, lambda now: tray.unplug_camera()),
        (24.6, lambda now: tray.show_hand(now, 1.0)),
        (25.0, evening.turn),
        (27.0, tray.pick_up_dice),
        (27.85, evening.throw(3)),
        (30.0, tray.pick_up_dice),
        (31.5, evening.throw(1)),
    ]
    said: list[TrayState] = []
    landed = list(evening.watched(reader, said.append))
    thrown = [landing for landing in landed if not landing.throw.touched]
    # A throw begins no earlier than the hand has left: dice may follow a moment later.
    begun = [pytest.approx(when - 0.15, abs=0.3) for when, _ in evening.thrown]
    assert [landing.throw.start for landing in thrown] == begun
    sure = 0
    for landing, (_, values) in zip(thrown, evening.thrown, strict=True):
        if landing.reading.is_sure and values is not None:
            sure += 1
            assert list(landing.reading.dice_values) == values
    assert sure >= 4
    (touched,) = [landing for landing in landed if landing.throw.touched]
    assert 25 < touched.throw.end < 27
    assert {TrayState.EMPTY, TrayState.MOVING, TrayState.HAND, TrayState.SETTLED} <= set(said)
    assert len(said) >= 1000
