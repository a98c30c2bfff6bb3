"""What the empty tray lacks is found, and a shadow is nothing."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.dice.foreign_objects import TrayForeground

FELT, WIDE = (60, 90, 40), 40
DIE = np.array([(100.0, 100.0), (140, 100), (140, 140), (100, 140)])
TRAY = np.array([(20.0, 20.0), (300, 20), (300, 220), (20, 220)])


def tray() -> np.ndarray:
    noise = np.random.default_rng(1).normal(0, 3, (240, 320, 3))
    return np.clip(np.array(FELT) + noise, 0, 255).astype(np.uint8)


def with_die(light: float = 1.0) -> np.ndarray:
    """Return the tray with a red die and its shadow, in another light."""
    picture = tray().astype(float)
    picture[105:150, 136:175] *= 0.45
    picture[100:140, 100:140] = (30, 30, 200)
    return np.clip(picture * light, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("light", [1.0, 0.8, 1.2])
def test_a_die_differs_and_its_shadow_does_not(light: float) -> None:
    strange = TrayForeground(with_die(light), tray(), TRAY)
    assert strange.foreground_share(DIE) > 0.9
    assert strange.foreground_share(DIE + np.array([42, 8])) < 0.1
    assert strange.foreign_objects([DIE], WIDE / 16) == []
    places = strange.die_candidates(WIDE)
    assert places
    assert all((one.x, one.y) == pytest.approx((119.5, 119.5), abs=6) for one in places)


def test_a_thing_has_an_area_and_a_distance() -> None:
    picture = with_die()
    cv2.rectangle(picture, (200, 100), (239, 119), (220, 220, 220), cv2.FILLED)
    (thing,) = TrayForeground(picture, tray(), TRAY).foreign_objects([DIE], WIDE / 16)
    assert thing.area == pytest.approx(16 * 8, rel=0.2)
    assert thing.away == pytest.approx(60 / 2.5, abs=1.5)
    assert thing.white == 0
    assert not thing.edge


def test_a_hand_reaches_in_from_the_edge() -> None:
    """What lies outside the tray does not count."""
    picture = tray()
    picture[:120, 200:260] = (150, 170, 220)
    (thing,) = TrayForeground(picture, tray(), None).foreign_objects([], 2.5)
    assert thing.edge
    assert thing.away == math.inf
    outside = tray()
    outside[225:, :] = (150, 170, 220)
    assert TrayForeground(outside, tray(), TRAY).foreign_objects([], 2.5) == []
