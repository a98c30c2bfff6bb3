"""The path tracer lights dice as their facets lie, and the ground beside them as everywhere."""

from __future__ import annotations

import shutil
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from scripts.training.studio import bodies, dice, render
from scripts.training.studio.grounds import Ground
from scripts.training.studio.lights import COLUMNS, ROWS, Lamp, Light
from scripts.training.studio.surfaces import Surface, flat_surface
from vision.dice.polyhedra import Floats
from vision.synthetic.paint import Lens
from vision.synthetic.physics import RigidPose
from vision.synthetic.shapes import lying_rotation

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

LENS = Lens((160, 120), 80.0, 300.0)
DARK = np.zeros((ROWS, COLUMNS, 3), np.float32)


def ground() -> Surface:
    """A gray table."""
    corners = np.array([(-300.0, -300, 0), (300, -300, 0), (300, 300, 0), (-300, 300, 0)])
    gray = np.full((4, 4, 3), 0.5, np.float32)
    return flat_surface(corners, Ground("gray", gray, np.zeros((4, 4), np.float32), 60.0, 1.0, 0.0))


def picture(light: Light, turn: float, tone: float = 0.8) -> tuple[Floats, render.Stage]:
    """Return what the camera sees of a white cube, or of one of another tone, that lies in the middle."""
    color, die = (tone, tone, tone), dice.invent(Random(1), "d6", (), held=False)
    die = replace(die, size=20.0, edge=0.3, round_off=3.0, finish="plain", rough=0.6, colors=(color, color), cut=0.0)
    pose = bodies.resting(die.body, lying_rotation("d6", 4, turn))  # no pip in the middle
    stage = render.Stage(LENS, [(die, RigidPose(0.0, 0.0, pose.z, pose.turn))], [ground()], light)
    return stage.render(render.around(stage.owners()[0]), 1), stage


def lamp(x: float, high: float) -> Lamp:
    strong = 2.0 * (x * x + high * high) / (np.pi * 40**2)
    return Lamp((x, 0.0, high), 40.0, (strong, strong, strong))


@pytest.mark.parametrize("turn", [0.0, 0.4, 2.0])
def test_a_top_is_as_bright_as_its_light(turn: float) -> None:
    """Under a lamp overhead a white top is brighter than the gray ground by what their colors differ, however the die
    is turned."""
    shown, stage = picture(Light("lamp", DARK, (lamp(0.0, 900.0), lamp(0.0, 900.0))), turn)
    top = shown[55:66, 75:86].mean()
    far = shown[:12].mean()
    assert 1.6 < top / far < 1.9  # 1.6 without gloss
    owner, facet = stage.owners()
    assert owner[60, 80] == 0
    assert (facet[owner < 0] == -1).all()


def test_the_shadow_falls_away_from_the_lamp() -> None:
    light = Light("lamp", DARK, (lamp(-600.0, 500.0), lamp(-600.0, 500.0)))
    shown, _ = picture(light, 0.0)
    assert shown[60, 105].mean() < 0.5 * shown[60, 55].mean()


def test_there_is_no_rim_around_a_die() -> None:
    """Where many rays end and few begin, the light on the ground is the same; a black die lends it none."""
    shown, stage = picture(Light("lamp", DARK, (lamp(0.0, 900.0), lamp(0.0, 900.0))), 0.0, 0.01)
    left = int(np.nonzero(render.around(stage.owners()[0]))[1].min())
    inside, outside = (shown[50:70, left + away].mean() for away in (6, -8))
    assert inside == pytest.approx(outside, rel=0.03)


def test_the_tracer_leaves_the_arithmetic_of_the_process_alone() -> None:
    """The smallest floats are not taken for 0 once it is loaded."""
    picture(Light("lamp", DARK, (lamp(0.0, 900.0), lamp(0.0, 900.0))), 0.0)
    assert np.float64(5e-324) + np.float64(0) > 0
