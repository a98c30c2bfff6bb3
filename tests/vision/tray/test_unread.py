"""What comes to rest in the tray and is not read is reported, and nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from tests.vision.tiers import first
from vision.cameras.frames import Frame, Image
from vision.reading import DOUBT_ADVICE, PixelBox, Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.throws import ThrowReading, read_throws
from vision.tray.motion import TrayState, TrayWatcher
from vision.tray.unread import arrived_objects

FPS = 25
SIZE = (432, 324)
FELT = (150, 150, 150)
Paint = Callable[[Image, float], Image]
Act = Callable[[SyntheticTray, float], object]


class Blind:
    """A reader that sees no dice, whatever lies in the tray."""

    def read_dice(self, frame: Image) -> Reading:
        return Reading((), "none", 0.0)


class Film:
    """A drawn tray for some seconds; `acts` happen at their time, and `paint` changes each frame."""

    def __init__(self, tray: SyntheticTray, seconds: float, acts: dict[float, Act], paint: Paint | None) -> None:
        self.tray, self.frames, self.acts, self.paint, self.number = tray, seconds * FPS, dict(acts), paint, 0

    def read_frame(self) -> Frame | None:
        if self.number >= self.frames:
            return None
        now, self.number = self.number / FPS, self.number + 1
        for when in [when for when in self.acts if when <= now]:
            self.acts.pop(when)(self.tray, now)
        picture = self.tray.render_frame(now)
        return Frame(picture if self.paint is None else self.paint(picture, now), now, self.number - 1, "drawn")

    def close(self) -> None:
        """Do nothing: no device is open."""


def watched(
    seconds: float,
    acts: dict[float, Act] | None = None,
    paint: Paint | None = None,
    *,
    tray: SyntheticTray | None = None,
    watcher: TrayWatcher | None = None,
    in_tray: Callable[[PixelBox], bool] = lambda box: True,
) -> tuple[list[ThrowReading], list[TrayState]]:
    """Return what is reported in these seconds over a tray that is known to be empty at first, and its states."""
    tray = tray or SyntheticTray(SIZE, seed=2)
    watcher, states = watcher or TrayWatcher(tray.render_frame(0.0)), list[TrayState]()
    film = Film(tray, seconds, acts or {}, paint)
    return list(read_throws(film, Blind(), watcher, on_state=states.append, in_tray=in_tray)), states


def throw(*dice: SyntheticDie) -> Act:
    return lambda tray, now: tray.throw_dice(now, list(dice))


def slid(wide: int, tall: int, color: tuple[int, int, int], x: int, y: int, until: float = 99.0) -> Paint:
    """Return what paints an object that slides in from the left at 1 s and lies at (x, y) `until` it is taken away."""

    def paint(picture: Image, now: float) -> Image:
        if 1 <= now < until:
            left = round(x + (min(1, (now - 1) / 0.5) - 1) * (x + wide))
            cv2.rectangle(picture, (left, y), (left + wide, y + tall), color, -1)
        return picture

    return paint


def lit(factor: float, area: tuple[int, int, int, int], seconds: float) -> Paint:
    """Return what lights or shades an area (x, y, width, height), within some seconds from 1 s on."""

    def paint(picture: Image, now: float) -> Image:
        x, y, wide, tall = area
        part = np.zeros(picture.shape[:2], np.float32)
        part[y : y + tall, x : x + wide] = min(1.0, max(0.0, (now - 1) / seconds))
        gain = 1 + (factor - 1) * np.asarray(cv2.GaussianBlur(part, (0, 0), 1.5))
        return np.clip(picture * gain[..., None], 0, 255).astype(np.uint8)

    return paint


DICE = {
    "white": SyntheticDie(),
    "small": SyntheticDie("red", 10, "white"),
    "black on black": SyntheticDie("black", 16, "black"),
}


@pytest.mark.parametrize("dice", first(DICE))
def test_dice_that_nobody_reads_are_reported(dice: str) -> None:
    """Once, with the doubt, where they lie, and a picture; they never become part of the empty tray."""
    tray = SyntheticTray(SIZE, seed=2, felt=(30, 30, 30) if "black" in dice else (52, 84, 34))
    (seen,), states = watched(5, {1.0: throw(DICE[dice])}, tray=tray)
    assert (seen.reading.doubt, seen.reading.dice, seen.throw.touched) == ("unread", (), False)
    assert seen.reading.advice == DOUBT_ADVICE["unread"]
    (die,) = tray.ground_truth(5.0) or ()
    assert seen.reading.evidence is not None
    assert cv2.pointPolygonTest(np.array(seen.reading.evidence.outline, np.int32), die.center, measureDist=False) > 0
    assert seen.picture.shape == (324, 432, 3)
    assert states[-1] is TrayState.SETTLED


THINGS = {
    "token": slid(16, 16, (40, 160, 200), 200, 130),
    "at the wall": slid(26, 26, (200, 200, 210), 12, 130),
    "half out of the picture": slid(26, 26, (240, 240, 240), 419, 130),
    "phone": slid(155, 215, (20, 20, 20), 120, 60),
}


@pytest.mark.parametrize("thing", first(THINGS))
def test_other_things_are_reported(thing: str) -> None:
    """Once each, however large: a phone is not taken for a hand forever, nor for the tray."""
    (seen,), states = watched(11, paint=THINGS[thing])
    assert (seen.reading.doubt, seen.reading.dice) == ("unread", ())
    assert states[-1] in (TrayState.SETTLED, TrayState.UNSURE)


@pytest.mark.slow
@pytest.mark.parametrize("wide", [26, 155])
def test_the_tray_is_empty_again_once_the_thing_is_gone(wide: int) -> None:
    """Its picture was kept meanwhile. The next thing is reported too."""
    thing = slid(wide, 215 if wide > 100 else 26, (20, 20, 20), 150, 60, until=11)
    seen, states = watched(17, {14.0: throw(SyntheticDie())}, thing)
    assert ["unread"] * 2 == [one.reading.doubt for one in seen]
    assert TrayState.EMPTY in states[12 * FPS : 14 * FPS]


@pytest.mark.slow
def test_nobody_is_asked_again_about_the_same_thing() -> None:
    """Not after hands over it; and dice that were thrown and taken away beside it don't make it news."""
    acts: dict[float, Act] = {
        3.0: lambda tray, now: tray.show_hand(now, 1.0),
        6.0: throw(SyntheticDie()),
        9.0: lambda tray, now: tray.pick_up_dice(now),
        11.0: lambda tray, now: tray.show_hand(now, 1.0),
    }
    seen, _ = watched(14, acts, slid(16, 16, (240, 240, 240), 300, 200))
    assert [pytest.approx(1.5, abs=0.3), pytest.approx(7.0, abs=0.6)] == [one.throw.end for one in seen]


@pytest.mark.slow
def test_a_person_may_say_that_the_tray_is_empty() -> None:
    """With the thing in it, which then belongs to it: the next one is reported alone."""
    tray, paint = SyntheticTray(SIZE, seed=2), THINGS["token"]
    watcher = TrayWatcher(tray.render_frame(0.0))
    acts: dict[float, Act] = {
        4.0: lambda tray, now: watcher.learn_empty_tray(paint(tray.render_frame(now), now)),
        6.0: throw(SyntheticDie()),
    }
    (first_seen, second), states = watched(9, acts, paint, tray=tray, watcher=watcher)
    assert {TrayState.EMPTY} == set(states[round(4.2 * FPS) : round(5.8 * FPS)])
    assert first_seen.reading.evidence != second.reading.evidence


LIGHTS = {
    "lamp": lit(0.5, (0, 0, 210, 160), 0.05),
    "lamp that glows on": lit(0.5, (0, 0, 210, 160), 0.5),
    "sun": lit(1.5, (110, 70, 130, 80), 0.5),
    "hard shadow": lit(0.6, (110, 70, 60, 60), 0.3),
}


@pytest.mark.parametrize("light", first(LIGHTS))
def test_light_is_not_reported(light: str) -> None:
    """A patch of light or shadow, however sharp, leaves the floor's texture visible: it becomes part of the tray."""
    seen, states = watched(9, paint=LIGHTS[light], tray=SyntheticTray(SIZE, seed=2, felt=FELT))
    assert [] == seen
    assert states[-1] is TrayState.EMPTY


def nudged(far: float) -> Paint:
    """Return what pushes the camera by some pixels within 0.3 s from 1 s on."""

    def paint(picture: Image, now: float) -> Image:
        pushed = far * min(1.0, max(0.0, (now - 1) / 0.3))
        way = np.array([[1, 0, pushed], [0, 1, pushed / 2]], np.float32)
        return cv2.warpAffine(picture, way, SIZE, borderMode=cv2.BORDER_REFLECT).astype(np.uint8, copy=False)

    return paint


@pytest.mark.parametrize("far", first([30, 12, 4]))
def test_a_nudged_camera_is_not_reported(far: int) -> None:
    """Neither a little nor far: the edges of the tray are then elsewhere, and the tray is learned again."""
    seen, states = watched(11, paint=nudged(far), tray=SyntheticTray(SIZE, seed=2, felt=FELT, rim=30))
    assert [] == seen
    assert states[-1] is TrayState.EMPTY


def test_a_die_that_jumps_out_of_the_tray_is_reported() -> None:
    """As a throw with nothing in the tray; it is empty as before."""

    def paint(picture: Image, now: float) -> Image:
        if 1 <= now < 1.6:
            left = round(-30 + (now - 1) / 0.6 * 480)
            cv2.rectangle(picture, (left, 150), (left + 26, 176), (240, 240, 240), -1)
        return picture

    (seen,), states = watched(4, paint=paint)
    assert (seen.reading.doubt, seen.reading.dice) == ("none", ())
    assert states[-1] is TrayState.EMPTY


def test_hands_and_sleeves_are_not_reported() -> None:
    assert [] == watched(4, {1.0: lambda tray, now: tray.show_hand(now, 1.5)})[0]
    assert [] == watched(4, paint=slid(60, 60, (150, 120, 90), 150, 270))[0]


def test_things_beside_the_tray_are_not_reported() -> None:
    """A cup put down there is none of the tray's business, and is learned."""
    seen, states = watched(4, paint=slid(30, 30, (240, 240, 240), 30, 130), in_tray=lambda box: box[0] > 100)
    assert [] == seen
    assert states[-1] is TrayState.EMPTY


def test_a_picture_of_another_size_shows_nothing() -> None:
    assert [] == arrived_objects(np.zeros((324, 432), np.uint8), np.full((240, 320), 255, np.uint8))
