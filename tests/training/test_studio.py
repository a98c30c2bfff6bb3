"""The photo studio's dice lie, lean and touch as they should, and their truth is what the picture shows."""

import math
from random import Random

import numpy as np
import pytest

from scripts.training.studio import bodies, cameras, dice, scenes, truth
from scripts.training.studio.dice import StudioDie
from scripts.training.studio.placing import Builder, NoRoomError, Placed, Scene, share_in_picture, silhouette
from scripts.training.studio.things import surface_nets
from vision.synthetic.paint import Lens
from vision.synthetic.physics import RigidPose, axis_rotation
from vision.synthetic.shapes import lying_rotation


def cube(size: float = 16.0, edge: float = 0.3) -> StudioDie:
    """A d6 numbered as usual, with nearly sharp edges."""
    die = dice.invent(Random(1), "d6", (), held=False)
    values = tuple(int(tile) + 1 for tile in die.shape.tile)
    changes = {"size": size, "edge": edge, "round_off": 3.0, "values": values}
    return StudioDie(**{**{name: getattr(die, name) for name in StudioDie.__dataclass_fields__}, **changes})


def scene_of(name: str, number: int = 0, kind: str = "d6") -> Scene:
    return scenes.build(Random(f"{name} {number}"), name, number, (kind,), (), held=False)


@pytest.mark.parametrize("kind", dice.KINDS)
def test_a_die_lies_on_the_ground_with_the_facet_up_that_was_asked_for(kind: str) -> None:
    """A flat die of each kind is not tilted, touches the ground, and shows its top facet's value."""
    die = dice.invent(Random(2), kind, (), held=False)
    turn = lying_rotation(kind, 3, 0.7)
    pose = bodies.resting(die.body, turn)
    assert bodies.tilt(die.shape.normals, turn) == pytest.approx(0, abs=0.1)
    assert bodies.world(die.body, pose)[:, 2].min() == pytest.approx(0, abs=1e-6)
    assert die.shape.normals[die.shape.tile.tolist().index(2)] @ turn[2] == pytest.approx(1, abs=1e-4)


def test_rounded_edges_take_as_much_off_as_their_radius_says() -> None:
    """Half way between two faces, a rounded edge of 2 mm lies 0.59 mm inside each face's plane."""
    die = cube(edge=2.0)
    (spot,), _ = die.body.onto(np.array([[8.0, 8.0, 0.0]]))
    inside = 2 * (1 - math.sqrt(0.5))
    assert spot[:2] == pytest.approx([8 - inside, 8 - inside], abs=0.01)


def test_a_die_slides_until_it_touches_another() -> None:
    """Two cubes face to face touch when their middles are one size apart."""
    die = cube()
    turn = lying_rotation("d6", 1, 0.0)
    there = bodies.resting(die.body, turn)
    start = bodies.resting(die.body, turn, 40.0, 0.0)
    pose = bodies.until_contact(die.body, start, (-1, 0, 0), [(die.body, there)], 60)
    assert pose is not None
    assert pose.x == pytest.approx(16, abs=0.05)


@pytest.mark.parametrize("number", range(9))
def test_leaning_dice_lean_by_as_much_as_their_number_asks(number: int) -> None:
    """Leaning dice are spread over three ranges of tilt, and lean on a wall, a die or a thing."""
    scene = scene_of("leaning", number)
    low, high = scenes.LEANS[number % 3]
    leaning = [one for one in scene.dice if one.tilt > 1]
    assert len(leaning) == 1
    assert low - 0.6 <= leaning[0].tilt <= high + 0.6
    assert leaning[0].rests == ("wall", "die", "thing")[number // 3]
    assert bodies.world(leaning[0].die.body, leaning[0].pose)[:, 2].min() == pytest.approx(0, abs=1e-6)


@pytest.mark.slow
def test_trouble_has_dice_that_lean_or_are_stacked_beside_flat_ones() -> None:
    """A picture to train with has at least two dice in trouble and no more than seven in all; every die is apart."""
    supports = set[str]()
    for number in range(16):
        scene = scene_of("trouble", number)
        assert len(scene.dice) <= scenes.MOST_DICE + 1
        unfair = [one for one in scene.dice if one.rests != "ground"]
        assert len(unfair) >= 2
        assert all(one.tilt > 2 or one.below is not None for one in unfair)
        supports |= {one.rests for one in unfair}
    assert supports >= {"die", "wall", "thing"}


@pytest.mark.slow
@pytest.mark.parametrize("on", ["die", "thing"])
def test_a_die_finds_its_place_against_what_it_leans_on(on: str) -> None:
    """Leaning on a die or a thing fits at once in most scenes: the touch itself does not count as a collision."""
    done = 0
    for number in range(12):
        rng = Random(number)
        scene = Scene("leaning", cameras.hang(rng, 200.0), None)
        try:
            Builder(rng, scene, cube).lean(15.0, on)
        except NoRoomError:
            continue
        done += 1
    assert done >= 7


def test_a_stacked_die_lies_flat_on_the_other() -> None:
    """The upper die's lowest point is as high as the lower die's highest."""
    scene = scene_of("stacked")
    (upper,) = [one for one in scene.dice if one.below is not None]
    assert upper.below is not None
    lower = scene.dice[upper.below]
    top = bodies.world(lower.die.body, lower.pose)[:, 2].max()
    assert bodies.world(upper.die.body, upper.pose)[:, 2].min() == pytest.approx(top, abs=0.1)


@pytest.mark.parametrize("number", range(3))
def test_a_die_that_is_cut_off_is_in_the_picture_by_a_quarter_to_three_quarters(number: int) -> None:
    """The first die of the scene crosses the picture's edge, the others are whole."""
    scene = scene_of("edge", number)
    shares = [
        share_in_picture(scene.lens, silhouette(scene.lens, bodies.world(o.die.body, o.pose))) for o in scene.dice
    ]
    assert 0.25 <= shares[0] <= 0.75
    assert shares[1:] == pytest.approx([1.0] * len(shares[1:]), abs=1e-3)


def test_the_same_seed_lays_the_same_scene() -> None:
    """Everything about a scene follows from its seed."""
    one, other = scene_of("beside-die"), scene_of("beside-die")
    assert [(o.die.name, o.pose.x, o.pose.y) for o in one.dice] == [
        (o.die.name, o.pose.x, o.pose.y) for o in other.dice
    ]


def test_visible_shares_and_boxes_come_from_the_pixels_of_each_die() -> None:
    """A die of which the left half is covered is half visible, and its box is what is left."""
    owners = np.full((40, 60), -1, np.int32)
    owners[10:30, 30:40] = 4
    outline = np.array([(19.5, 9.5), (39.5, 9.5), (39.5, 29.5), (19.5, 29.5)])
    assert truth.visible_share(int((owners == 4).sum()), outline) == pytest.approx(0.5)
    assert truth.box_of(owners, 4) == (30, 10, 10, 20)
    assert truth.box_of(owners, 5) is None


def test_the_truth_names_the_facet_that_looks_up() -> None:
    """A die that leans by 30° still shows the facet nearest to straight up, with its tilt and the share in sight."""
    scene, die = scene_of("flat"), cube()
    turn = axis_rotation((1, 0, 0), math.radians(30)) @ lying_rotation("d6", 4, 0.0)
    pose = RigidPose(0.0, 0.0, 10.0, turn)
    scene.dice = [Placed(die, pose, "wall", bodies.tilt(die.shape.normals, turn))]
    scene.reason = "cocked"
    wide, tall = scene.lens.size
    mask = np.full((tall, wide), -1, np.int32)
    found = truth.truth_of(scene, mask, mask, np.zeros((tall, wide, 3), np.uint8))
    assert found["reason"] == "cocked"
    (one,) = found["dice"]
    assert (one["kind"], one["value"], one["tilt"], one["visible"]) == ("d6", 4, 30.0, 0.0)


def test_an_outline_is_as_wide_as_the_lens_sees_it() -> None:
    """A cube of 16 mm on the ground, seen from far above, is about 16 mm wide in the picture."""
    die, lens = cube(), Lens((640, 480), 160.0, 3000.0)
    outline = silhouette(lens, bodies.world(die.body, bodies.resting(die.body, lying_rotation("d6", 1, 0.0))))
    assert np.ptp(outline, axis=0) == pytest.approx([64, 64], abs=1.0)


def test_the_surface_of_a_ball_faces_outward() -> None:
    """Points lie on the sphere, and triangles go around normals that lead away from its middle."""
    grid = np.stack(np.meshgrid(*[np.arange(20.0)] * 3, indexing="ij"), -1)
    points, triangles, normals = surface_nets(np.linalg.norm(grid - 9.5, axis=-1) - 6)
    assert np.linalg.norm(points - 9.5, axis=1) == pytest.approx(6, abs=0.2)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a) * (a - 9.5)).sum(axis=1).min() > 0
    assert ((points - 9.5) * normals).sum(axis=1).min() > 0


def test_typefaces_finishes_and_grounds_are_kept_apart_by_their_names() -> None:
    """Dice to measure with share no finish with dice to train on."""
    held, others = (
        {" ".join(dice.invent(rng, "d20", (), held=side).name.split(",")[0].split()) for _ in range(60)}
        for side, rng in ((True, Random(3)), (False, Random(4)))
    )
    assert held & others == set()
