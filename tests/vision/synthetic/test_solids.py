"""One die as a camera sees it: which facets, where and in which orientation, and how it is lit."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.synthetic import prints, shapes, solids
from vision.synthetic.paint import Image, Lens
from vision.synthetic.physics import RigidPose, axis_rotation
from vision.synthetic.prints import PrintStyle
from vision.synthetic.solids import SyntheticDie

VALUED = ("d6", *shapes.FACE_MARKS)
GREY = (90, 90, 90)


def lies(die: SyntheticDie, value: int, yaw: float = 0.4) -> RigidPose:
    turn = shapes.lying_rotation(die.kind, value, yaw)
    return RigidPose(0, 0, shapes.center_height(die.kind, die.size, turn), turn)


def picture(lens: Lens, pose: RigidPose, die: SyntheticDie, crisp: float = solids.EDGE_SHARPNESS) -> Image:
    seen = np.full((lens.size[1], lens.size[0], 3), GREY, np.uint8)
    solids.draw_die(lens, pose, die, crisp=crisp).paste_onto(seen)
    return seen


@pytest.mark.parametrize("tilt", [0.0, 40.0])
@pytest.mark.parametrize("kind", VALUED)
def test_the_uppermost_facet_is_the_value(kind: str, tilt: float) -> None:
    """The first visible facet is the top one, from straight above or from the side, and each faces the camera."""
    lens, die = Lens((320, 240), 60, 430, tilt), SyntheticDie(kind=kind)
    for value in range(1, shapes.facet_count(kind) + 1):
        top, *others = solids.visible_facets(lens, lies(die, value), die)
        assert top.value == value
        assert top.facing == pytest.approx(math.cos(math.radians(tilt)), abs=0.03)
        assert all(0 < facet.facing <= 1 for facet in others)
        assert len({facet.value for facet in [top, *others]}) == 1 + len(others) < shapes.facet_count(kind)


@pytest.mark.parametrize("kind", [kind for kind in shapes.FACE_MARKS if kind != "pitch"])
def test_each_visible_facet_is_where_it_is_drawn(kind: str) -> None:
    """The picture around a facet's middle, turned as its numeral stands, is the numeral of its value."""
    lens = Lens((400, 400), 40, 4000, 30)
    die = SyntheticDie("black", 20, "white", kind, gloss=0.0, print=PrintStyle(high=0.7, turn=0.5))
    pose = lies(die, 3, yaw=1.1)
    seen = picture(lens, pose, die).max(axis=2).astype(np.float32) / 255
    shape, half = shapes.solid_of_kind(kind), 20 / 2 * lens.pixels_per_mm
    inks = np.split(prints.face_sheet(kind, style=PrintStyle(high=0.7))[..., 0], shapes.facet_count(kind), axis=1)
    for facet in solids.visible_facets(lens, pose, die):
        if facet.facing < 0.8:
            continue
        # The facet's picture as the camera sees it, rectified: `up` above, as wide as the picture is.
        width = half / np.linalg.norm(shape.right[0]) / (len(inks[0]) / 2)
        (x, y) = facet.up
        way = np.array([[-y, -x], [x, -y]]) * width
        corner = np.array([facet.x, facet.y]) - way @ np.full(2, len(inks[0]) / 2)
        there = np.column_stack([way, corner])
        level = cv2.warpAffine(seen, there, inks[0].shape, flags=cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR)
        within = np.s_[24:72, 24:72]
        alike = [float(np.corrcoef(level[within].ravel(), ink[within].ravel())[0, 1]) for ink in inks]
        assert int(np.argmax(alike)) == facet.value - 1
        assert max(alike) > 0.5


def test_a_d20_shows_its_neighbors() -> None:
    """From straight above the 20, its three neighbours and the ring around them are visible, and nothing else."""
    lens, die = Lens((320, 240), 60, 4000), SyntheticDie(kind="d20")
    facets = solids.visible_facets(lens, lies(die, 20), die)
    assert {facet.value for facet in facets[1:4]} == {2, 8, 14}
    assert len(facets) == 10


@pytest.mark.parametrize("kind", shapes.SYNTHETIC_KINDS)
def test_outline(kind: str) -> None:
    lens, die = Lens((400, 300), 100, 430, 25), SyntheticDie("white", 20, kind=kind)
    for turn in (axis_rotation((1, 2, 3), 0.7), axis_rotation((-2, 1, 1), 2.0)):
        pose = RigidPose(0, 0, 20, turn)
        hull = cv2.convexHull(lens.project_points(shapes.solid_of_kind(kind).corners @ turn.T * 10 + (0, 0, 20)))
        outline = np.zeros((300, 400), np.uint8)
        cv2.fillConvexPoly(outline, np.round(hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        patch = solids.draw_die(lens, pose, die)
        covered = np.zeros((300, 400, 3), np.uint8)
        replace(patch, colour=255 - patch.clear).paste_onto(covered)
        much = covered[..., 0] > 127
        assert not (much & (cv2.dilate(outline, np.ones((3, 3), np.uint8)) == 0)).any()
        rim = cv2.erode(outline, np.ones((3, 3), np.uint8)) > 0
        assert (much & rim).sum() >= (0.9 if kind in shapes.CUBE_KINDS else 1.0) * rim.sum()


def test_light_on_edges_and_sides() -> None:
    # Lamp.
    lens, die = Lens((200, 200), 40, 430), SyntheticDie("white", 20, "white", "d20", gloss=0.0)
    sides = []
    for x in (-0.8, 0.8):
        seen = np.zeros((200, 200, 3), np.uint8)
        solids.draw_die(lens, lies(die, 20), die, light=np.array([x, 0, 0.6], np.float32)).paste_onto(seen)
        sides.append(seen[80:120, 60:90].mean() - seen[80:120, 110:140].mean())
    assert sides[0] > 15
    assert sides[1] < -15
    # Edges are slightly rounded: the less crisp they are, the softer the change of light across one.
    lens, die = Lens((400, 400), 30, 4000), SyntheticDie("white", 20, "white", "d8", gloss=0.0)
    steps = []
    for crisp in (15.0, 60.0, 400.0):
        seen = picture(lens, lies(die, 1), die, crisp).astype(float)
        steps.append(np.abs(np.diff(seen[130:270, 130:270], axis=0)).max())
    assert steps[0] < 0.9 * steps[1] < 0.5 * steps[2]


def test_speckles() -> None:
    """A speckled die has many small dots of a second tone, in different places on another die."""
    lens, die = Lens((300, 300), 40, 430), SyntheticDie("blue", 20, "blue", "d12", body="speckled", gloss=0.0)
    plain, speckled = (picture(lens, lies(one, 1), one).astype(int) for one in (replace(die, body="plain"), die))
    dots = (np.abs(speckled - plain).max(axis=2) > 30).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(dots)
    assert count > 60
    assert 0.04 < dots[110:190, 110:190].mean() < 0.5
    assert np.median(stats[1:, cv2.CC_STAT_AREA]) < 40
    other = np.full((300, 300, 3), GREY, np.uint8)
    solids.draw_die(lens, lies(die, 1), die, swirl=5.0).paste_onto(other)
    assert (np.abs(speckled - other).max(axis=2) > 30).mean() > 0.02


@pytest.mark.parametrize("kind", ["d8", "d10", "d20", "d24"])
def test_glass(kind: str) -> None:
    """The numerals beneath are visible through clear glass; without ink there are none."""
    lens, die = Lens((300, 300), 40, 430), SyntheticDie("blue", 20, "white", kind, body="clear", gloss=0.0)
    inked, bare = (picture(lens, lies(one, 1), one).astype(int) for one in (die, replace(die, pips="blue")))
    opaque, blank = (
        picture(lens, lies(one, 1), one).astype(int)
        for one in (replace(die, body="plain"), replace(die, body="plain", pips="blue"))
    )
    ghosts = (np.abs(inked - bare).max(axis=2) > 8) & (np.abs(opaque - blank).max(axis=2) < 2)
    assert ghosts[60:240, 60:240].sum() > 300


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"kind": "d30"}, "d30"),
        ({"body": "wooden"}, "wooden"),
        ({"gloss": 3.0}, "gloss"),
        ({"colour": "mauve"}, "mauve"),
        ({"pips": "mauve"}, "mauve"),
        ({"size": 90.0}, "90"),
    ],
)
def test_undrawable_die(wrong: dict[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        SyntheticDie(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("tilt", [0.0, 20.0, 50.0])
def test_rays_lead_to_the_points_they_show(tilt: float) -> None:
    """The ray of the pixel where a point appears goes through that point."""
    lens = Lens((640, 480), 250, 430, tilt)
    for point in ((0, 0, 0), (60, 20, 0), (-80, -50, 12), (10, 70, 30)):
        x, y = lens.project_point(*point)
        ray = lens.pixel_rays(np.array([x], np.float32), np.array([y], np.float32))[:, 0]
        way = np.array(point) - lens.camera_position
        assert np.cross(ray, way / np.linalg.norm(way)) == pytest.approx([0, 0, 0], abs=1e-4)
        assert np.linalg.norm(ray) == pytest.approx(1, abs=1e-5)


def test_from_straight_above_nothing_leans() -> None:
    """The felt is to scale, and higher things are larger, around the picture's middle."""
    lens = Lens((640, 480), 250, 430)
    assert lens.project_point(100, 50) == pytest.approx((319.5 + 256, 239.5 + 128), abs=0.01)
    assert lens.project_point(100, 50, 43) == pytest.approx((319.5 + 256 / 0.9, 239.5 + 128 / 0.9), abs=0.01)
