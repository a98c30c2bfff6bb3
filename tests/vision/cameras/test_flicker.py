"""A lamp that flickers is found in the frames and evened out; hands, shadows and daylight are not taken for one."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.tiers import rows
from vision.cameras.flicker import FlickerFilter, flicker_free_time
from vision.cameras.frames import Frame, Image
from vision.reading import Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.throws import read_throws
from vision.tray.motion import TrayState, TrayWatcher, small_gray_image

FPS = 10
SIZE = (432, 324)
WHITE = SyntheticDie()


def led(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """An LED lamp that goes out between two flashes."""
    light: NDArray[np.float64] = np.abs(np.sin(math.pi * turn)) * math.pi / 2
    return light


def bulb(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    light: NDArray[np.float64] = 1 + 0.2 * np.cos(2 * math.pi * turn)
    return light


def dimmed(turn: NDArray[np.float64]) -> NDArray[np.float64]:
    """An LED lamp that is switched on and off."""
    return np.where(turn % 1 < 0.5, 2.0, 0.0)


LAMPS = {"led": led, "bulb": bulb, "dimmed": dimmed}


def row_light(lamp: str, mains_hz: float, exposure_ms: float, readout_ms: float, now: float) -> NDArray[np.float64]:
    """The mean light during the exposure of each row. The mains are a little fast."""
    start = 1.0007 * now + np.arange(SIZE[1]) / SIZE[1] * readout_ms / 1000
    times = start[:, None] + (np.arange(64) + 0.5) / 64 * exposure_ms / 1000
    return np.asarray(LAMPS[lamp](times * 2 * mains_hz).mean(axis=1))


class Film:
    """A tray by such a lamp, as a source of `FPS` frames a second from a camera that takes `camera_fps`."""

    def __init__(
        self, tray: SyntheticTray, light: Callable[[float], NDArray[np.float64]], camera_fps: int, last: float
    ) -> None:
        self.tray, self.light, self.now, self.number, self.last = tray, light, 0.0, 0, last
        self.acts: list[tuple[float, Callable[[float], object]]] = []
        self._pace = camera_fps

    def read_frame(self) -> Frame | None:
        self.now = math.ceil(self.number * self._pace / FPS) / self._pace
        if self.now > self.last:
            return None
        while self.acts and self.acts[0][0] <= self.now:
            self.acts.pop(0)[1](self.now)
        lit = self.tray.render_frame(self.now) * self.light(self.now)[:, None, None]
        self.number += 1
        return Frame(np.clip(lit, 0, 255).round().astype(np.uint8), self.now, self.number - 1, "film")

    def close(self) -> None:
        """Nothing is open."""

    def read_dice(self, frame: Image) -> Reading:
        dice = self.tray.ground_truth(self.now) or ()
        return Reading(dice, None if dice else "none", 1.0)


def watch(film: Film, watcher: TrayWatcher) -> tuple[list[float], list[TrayState]]:
    """Return when throws came to rest, and the state after each frame."""
    states: list[TrayState] = []
    return [round(one.throw.end, 1) for one in read_throws(film, film, watcher, on_state=states.append)], states


CASES = [
    ("led", 50, 2, 30, 30),
    ("led", 50, 5, 20, 25),
    ("led", 60, 5, 30, 30),
    ("led", 60, 13, 20, 25),
    ("bulb", 60, 2, 20, 25),
    ("dimmed", 50, 5, 20, 25),
    ("dimmed", 60, 5, 30, 30),
    ("dimmed", 60, 13, 20, 25),
]


@pytest.mark.parametrize(("lamp", "hz", "exposure", "readout", "fps"), rows(CASES))
def test_a_throw_comes_to_rest_under_a_lamp_that_flickers(
    lamp: str, hz: int, exposure: int, readout: int, fps: int
) -> None:
    """Once, and about when its dice do. Without the filter, none of these ever does, or only seconds later."""
    tray = SyntheticTray(SIZE, seed=3)
    watcher = TrayWatcher(tray.render_frame(0.0))
    film = Film(tray, lambda now: row_light(lamp, hz, exposure, readout, now), fps, 7.0)
    rest: list[float] = []
    film.acts = [(2.5, lambda now: rest.append(tray.throw_dice(now, [WHITE, WHITE], [3, 5])))]
    throws, _ = watch(film, watcher)
    assert watcher.lamp_flickers
    assert len(throws) == 1
    assert rest[0] - 0.2 < throws[0] < rest[0] + 1.7


def test_a_lamp_that_is_switched_on_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """From daylight to a lamp and back: it is known within two seconds each way."""
    tray = SyntheticTray(SIZE, seed=3)
    watcher = TrayWatcher(tray.render_frame(0.0))
    film = Film(tray, lambda now: row_light("led", 60, 5, 30, now) if 2 <= now < 6 else np.ones(SIZE[1]), 30, 9.0)
    known: list[bool] = []
    for _ in read_throws(film, film, watcher, on_state=lambda state: known.append(watcher.lamp_flickers)):
        pass
    assert ([False] * 20, [True] * 15, [False] * 5) == (known[:20], known[41:56], known[-5:])


def test_steady_light_changes_nothing() -> None:
    """Frames with throws, hands, the shadow of an arm and the light of dusk pass unchanged."""
    tray = SyntheticTray(SIZE, seed=5)
    empty = small_gray_image(tray.render_frame(0.0))
    flicker = FlickerFilter()
    for number in range(300):
        now = number / FPS
        if number in (20, 120):
            tray.throw_dice(now, [WHITE] * 3)
        if number in (60, 90, 170):
            tray.show_hand(now, 2.5)
        tray.light = 1.0 - 0.3 * min(now / 20, 1)
        grey = small_gray_image(tray.render_frame(now))
        shadow = 1 - 0.3 * (np.abs(np.arange(len(grey)) - (8 * number) % 400 + 50) < 20)
        if 200 < number < 260:
            grey[:, 100:] *= shadow[:, None].astype(np.float32)
        assert flicker.filter_frame(grey, empty) is grey, f"frame {number}"
        assert not flicker.flickers


@pytest.mark.parametrize(
    ("time", "period", "free"),
    [(9_020, 10_000, 10_000), (24_000, 10_000, 20_000), (900, 8_333, 8_333), (24_000, 8_333, 24_999), (123, None, 123)],
)
def test_flicker_free_time(time: float, period: int | None, free: float) -> None:
    """The nearest multiple, at least one."""
    assert free == flicker_free_time(time, period)
