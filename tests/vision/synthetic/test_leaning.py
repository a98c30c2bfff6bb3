"""Drawn dice that lean or lie on one another: they touch what holds them, and nothing else."""

import math
from random import Random

import numpy as np
import pytest

from tests.vision.tiers import first
from vision.synthetic import leaning, physics, shapes
from vision.synthetic.leaning import MAX_LEAN_RAD, MIN_LEAN_RAD, DieAtPose, collision_shape, gap_between
from vision.synthetic.physics import MIN_GAP_MM, RigidPose
from vision.synthetic.tray import SyntheticDie, SyntheticTray

INNER = 232.0, 169.5
VALUED = ("d6", *shapes.FACE_MARKS)
KINDS = pytest.mark.parametrize("kind", first(VALUED))
NEAR = 0.02  # mm that count as touching


def flat(kind: str = "d6", x: float = 0.0, y: float = 0.0, turn: float = 0.0) -> DieAtPose:
    die = SyntheticDie(kind=kind)
    return die, RigidPose(x, y, 8.0, shapes.lying_rotation(kind, 1, turn))


def lowest(die: SyntheticDie, pose: RigidPose) -> float:
    """Return the height of the lowest point of a die, in mm."""
    return pose.z - collision_shape(die.kind, die.size).support_distance(pose.turn, (0, 0, -1))


def to_wall(die: SyntheticDie, pose: RigidPose) -> dict[str, float]:
    """Return the gaps from a die to the walls."""
    body = collision_shape(die.kind, die.size)
    ways = {"right": (1, 0, 0), "left": (-1, 0, 0), "lower": (0, 1, 0), "upper": (0, -1, 0)}
    return {
        name: INNER[way[0] == 0] / 2 - (pose.x * way[0] + pose.y * way[1]) - body.support_distance(pose.turn, way)
        for name, way in ways.items()
    }


def falls(die: SyntheticDie, pose: RigidPose) -> tuple[float, float]:
    """Return the direction to the middle of a die from the corner or edge that it stands on."""
    spots = collision_shape(die.kind, die.size).corners @ pose.turn.T
    x, y, _ = -spots[spots[:, 2] < spots[:, 2].min() + 0.02 * die.size].mean(axis=0)
    return float(x), float(y)


def test_gaps_between_cubes() -> None:
    """Facet to facet, edge to facet and overlapping; the edges of a cube are round."""
    side, edge = 8.0, 8 * (0.73 * math.sqrt(2) + 0.27)
    assert gap_between(flat(), flat(x=20)) == pytest.approx(20 - 2 * side)
    assert gap_between(flat(), flat(x=10)) == pytest.approx(10 - 2 * side)
    assert gap_between(flat(), flat(x=22, turn=math.pi / 4)) == pytest.approx(22 - side - edge)
    assert gap_between(flat(), flat(x=90)) == pytest.approx(90 - 2 * side, abs=12)
    one, other = flat(turn=0.3), flat("d20", 12, 14, 1.0)
    assert gap_between(one, other) == pytest.approx(gap_between(other, one))


@KINDS
def test_a_die_leans_on_a_wall(kind: str) -> None:
    """It stands on the felt, touches the wall to which it would fall, and keeps away from other dice."""
    die, others = SyntheticDie(kind=kind), [flat(x=x, y=y) for x in (-80, 0, 80) for y in (-60, 60)]
    seen, tilts = set(), []
    for seed in range(16):
        pose = leaning.pose_on_wall(die, INNER, others, Random(seed))
        assert lowest(die, pose) == pytest.approx(0)
        walls = to_wall(die, pose)
        touched = min(walls, key=lambda name: walls[name])
        assert abs(walls[touched]) < NEAR
        way = {"right": (1, 0), "left": (-1, 0), "lower": (0, 1), "upper": (0, -1)}[touched]
        assert np.dot(falls(die, pose), way) > 0
        assert min(gap_between((die, pose), other) for other in others) > MIN_GAP_MM - NEAR
        seen.add(touched)
        tilts.append(leaning.tilt_angle(kind, pose.turn))
    assert len(seen) == 4
    assert MIN_LEAN_RAD <= min(tilts) < max(tilts) <= MAX_LEAN_RAD
    assert max(tilts) - min(tilts) > math.radians(8)


@KINDS
def test_a_die_leans_on_another(kind: str) -> None:
    """It stands on the felt and touches the other, from any side; whatever the other's kind."""
    die, sides = SyntheticDie(kind=kind), set()
    for seed, under in enumerate((*VALUED, *VALUED)):
        base, other = flat(under, 60, 40, seed), flat(x=20)
        pose = leaning.pose_on_die(die, base, INNER, [other], Random(seed))
        assert lowest(die, pose) == pytest.approx(0)
        assert 0 <= gap_between((die, pose), base) < NEAR
        assert min(*to_wall(die, pose).values(), gap_between((die, pose), other) - MIN_GAP_MM) > -NEAR
        assert MIN_LEAN_RAD <= leaning.tilt_angle(kind, pose.turn) <= MAX_LEAN_RAD
        assert np.dot(falls(die, pose), (60 - pose.x, 40 - pose.y)) > 0
        sides.add((pose.x > 60, pose.y > 40))
    assert len(sides) >= 3


@KINDS
def test_a_die_lies_flat_on_another(kind: str) -> None:
    """In its middle or off it, but its own middle is above the other's top."""
    die, off = SyntheticDie(kind=kind), []
    for seed, under in enumerate((*VALUED, *VALUED)):
        base = flat(under, turn=seed)
        pose = leaning.flat_pose_on_die(die, 2, base, INNER, [], Random(seed))
        assert abs(gap_between((die, pose), base)) < NEAR
        assert leaning.tilt_angle(kind, pose.turn) == pytest.approx(0, abs=1e-3)
        assert leaning._distance_inside(leaning._flat_facet_corners(base[0], base[1].turn, 1), pose.x, pose.y) > 0
        off.append(math.hypot(pose.x, pose.y))
    assert min(off) == 0
    assert max(off) > 1


def test_a_die_on_another_by_a_wall_stays_within_it() -> None:
    base = flat(x=INNER[0] / 2 - 9, turn=0.1)
    for seed in range(24):
        pose = leaning.flat_pose_on_die(SyntheticDie(), 2, base, INNER, [], Random(seed))
        assert (pose.x, pose.y) == (base[1].x, base[1].y) or to_wall(SyntheticDie(), pose)["right"] > -NEAR


@KINDS
def test_a_die_lies_over_the_edge_of_another(kind: str) -> None:
    """Tilted, it touches the other and a wall, and is clear of the felt; the other lies on the same facet."""
    die, tilts = SyntheticDie(kind=kind), []
    others = [flat(x=x, y=y) for x in (-107, 107) for y in (-55, -5, 45)]
    others += [flat(x=x, y=y) for x in (-75, -25, 25, 75) for y in (-76, 76)]
    for seed, under in enumerate((*VALUED, *VALUED)):
        base = flat(under)
        found = leaning.poses_over_edge(die, base, INNER, others, Random(seed))
        assert found is not None
        lower, upper = found
        assert (lower.z, lower.turn[2]) == (8.0, pytest.approx(base[1].turn[2]))
        assert 0 <= gap_between((die, upper), (base[0], lower)) < NEAR
        assert abs(min(to_wall(die, upper).values())) < NEAR
        assert min(to_wall(base[0], lower).values()) > -NEAR
        assert lowest(die, upper) > 1
        for one in ((die, upper), (base[0], lower)):
            assert min(gap_between(one, other) for other in others) > MIN_GAP_MM - NEAR
        tilts.append(leaning.tilt_angle(kind, upper.turn))
    assert MIN_LEAN_RAD <= min(tilts) < max(tilts) <= leaning.MAX_SLOPE_RAD


def test_where_there_is_no_room_nothing_is_tilted_over_an_edge() -> None:
    crowd = [flat(x=x, y=y) for x in range(-110, 120, 20) for y in range(-75, 80, 20)]
    assert leaning.poses_over_edge(SyntheticDie(), flat(), INNER, crowd, Random(1)) is None


def test_a_track_is_bent_to_another_end() -> None:
    """It begins in the same place, ends exactly in the given pose, and jumps nowhere."""
    body = shapes.rigid_body("d6", 16)
    (track,) = physics.simulate_throw([body], INNER, Random(3))
    end = RigidPose(-60, 30, 8, shapes.lying_rotation("d6", 5, 1.0))
    bent = physics.bend_trajectory(track, body.corners, end)
    assert bent.duration_s == track.duration_s
    assert bent.spots[0, :2] == pytest.approx(track.spots[0, :2])
    last = bent.pose_after(math.inf)
    assert (last.x, last.y, last.z) == (-60, 30, 8)
    assert last.turn == pytest.approx(end.turn)
    steps = np.linalg.norm(np.diff(bent.spots, axis=0), axis=1)
    assert steps.max() < 2 * np.linalg.norm(np.diff(track.spots, axis=0), axis=1).max()
    above = bent.spots[:, 2] + (bent.turns[:, 2] @ body.corners.T).min(axis=1)
    assert above.min() > -0.01


# In the tray ----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["d6", "d20", "tetrakis", "pitch"])
def test_one_of_the_thrown_dice_leans(kind: str) -> None:
    """Alone it leans on a wall, among others on a wall or on one of them; only it shows nothing."""
    die, wall = SyntheticDie("red", kind=kind), []
    for seed in range(8):
        tray = SyntheticTray((64, 48), seed=seed)
        done = tray.throw_dice(5.0, [die], last="cocked")
        assert tray.ground_truth(done - 0.05) is None
        assert [one.value for one in tray.ground_truth(done) or ()] == [None]
        assert tray.ground_truth_marks(done) == ("cocked",)
        done = tray.throw_dice(done, [SyntheticDie()] * 3 + [die], [1, 2, 3, 4], last="cocked")
        truth = tray.ground_truth(done) or ()
        assert {(one.colour, one.value) for one in truth} == {("white", 1), ("white", 2), ("white", 3), ("red", None)}
        *others, last = (thing.die_and_rest_pose for thing in tray._things)
        wall.append(min(gap_between(last, other) for other in others) > NEAR)
    assert 0 < sum(wall) < 8


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["d8", "d10", "d12", "d24"])
def test_one_of_the_thrown_dice_lies_on_another(kind: str) -> None:
    """The one beneath shows nothing, nor does the upper one if it is tilted; the others show what they show."""
    die, tilted = SyntheticDie("red", kind=kind), []
    for seed in range(10):
        tray = SyntheticTray((64, 48), seed=seed)
        done = tray.throw_dice(5.0, [SyntheticDie()] * 3 + [die], last="stacked")
        marks = {
            mark: one for one, mark in zip(tray.ground_truth(done) or (), tray.ground_truth_marks(done), strict=True)
        }
        assert len(tray._things) == 4
        assert marks.keys() == {"stacked", "covered", None}
        assert (marks["covered"].value, marks["stacked"].colour) == (None, "red")
        tilted.append(marks["stacked"].value is None)
        (under,) = (thing for thing in tray._things if thing.mark == "covered")
        assert abs(gap_between(under.die_and_rest_pose, tray._things[-1].die_and_rest_pose)) < NEAR
    assert 0 < sum(tilted) < 10


def test_too_few_dice_to_lie_badly() -> None:
    tray = SyntheticTray((64, 48), seed=1)
    with pytest.raises(ValueError, match="0 dice are too few for one that is cocked"):
        tray.throw_dice(0.0, [], last="cocked")
    with pytest.raises(ValueError, match="1 dice are too few for one that is stacked"):
        tray.throw_dice(0.0, [SyntheticDie()], last="stacked")


def test_a_die_shades_the_one_beneath_only_when_it_lies_on_it() -> None:
    """The lower one may come to rest first."""
    for seed in range(20):
        tray = SyntheticTray(seed=seed, noise=0)
        done = tray.throw_dice(0.0, [SyntheticDie()] * 2, last="stacked")
        lower, upper = tray._things
        early = lower.start + lower.track.duration_s
        if early < done - 0.1:
            break
    tray.render_frame(early)
    assert lower.painted is not None
    alone = lower.painted.colour.astype(int)
    tray.render_frame(done)
    assert upper.is_at_rest(done)
    assert (alone - lower.painted.colour).max() > 15


def test_dice_that_lie_badly_are_laid_anew() -> None:
    """To show the faces that the rules say, one on another cannot just be turned."""
    tray, die = SyntheticTray((64, 48), seed=1), SyntheticDie()
    done = tray.throw_dice(0.0, [die] * 2, last="stacked")
    tray.turn_dice(done, die, [6, 5])
    assert [5, 6] == sorted(one.value for one in tray.ground_truth(done) or () if isinstance(one.value, int))
    one, other = (thing.die_and_rest_pose for thing in tray._things)
    assert gap_between(one, other) > 0
