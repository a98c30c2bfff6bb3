"""What dice reveal about the camera, and the camera about the dice."""

import math
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.dice.top_face import EXTENT, CameraTilt, CameraTilts, TopFaceMap
from vision.drawn.paint import Lens
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader

CELLS = 16
"""The edge of an answer of `top.onnx`, in cells."""
SIZE = 0.1
"""The width of the dice, in longer edges of the picture."""
BLANK = np.zeros((120, 160, 3), np.uint8)
"""A picture that shows nothing: no die of an earlier one lies there."""


def answer(*tops: tuple[float, float, float]) -> NDArray[np.float64]:
    """Return an answer of `top.onnx` with these probabilities of being on top, by offset in die widths."""
    rows, columns = np.mgrid[:CELLS, :CELLS]
    right, down = (((v + 0.5) / CELLS - 0.5) * EXTENT for v in (columns, rows))
    chance = np.zeros((CELLS, CELLS))
    for x, y, p in tops:
        at = int((y / EXTENT + 0.5) * CELLS), int((x / EXTENT + 0.5) * CELLS)
        chance[at], right[at], down[at] = p, x, y
    return np.stack([chance, right, down])


def weighed(
    slant: CameraTilt,
    *tops: tuple[float, float, float],
    at: tuple[float, float] = (0, 0),
    sure: bool = True,
    wary: bool = False,
) -> float:
    """Return how likely the first of these faces of a d20 is the top one, by the usual or the wary prior."""
    (found,) = slant.weigh([TopFaceMap(answer(*tops), *at, SIZE, "d20", sure)], BLANK)
    near = [float(found[int(wary)][np.hypot(found[2] - x, found[3] - y) < 0.12].sum()) for x, y, _ in tops]
    return near[0] / sum(near)


UPPER, MIDDLE = (0.0, -0.31), (0.0, 0.02)


def test_the_top_face_is_the_middle_one_until_the_camera_is_known() -> None:
    # Of two faces that look alike, the one in the die's middle is first taken for the top one.
    assert weighed(CameraTilt(), (*MIDDLE, 0.5), (*UPPER, 0.5)) > 0.9
    assert weighed(CameraTilt(), (*UPPER, 0.99), (*MIDDLE, 0.01)) > 0.5
    # Once the camera is known, the wary prior agrees on the top faces.
    doubtful = (*MIDDLE, 0.5), (*UPPER, 0.5)
    assert weighed(CameraTilt(), *doubtful, wary=True) < 0.7
    assert weighed(CameraTilt(), (*MIDDLE, 0.999), (*UPPER, 0.001), wary=True) > 0.9
    straight, aslant = CameraTilt(), CameraTilt()
    for _ in range(8):
        straight.weigh([TopFaceMap(answer((*MIDDLE, 1.0)), 0, 0, SIZE, "d20")], BLANK)
        aslant.weigh([TopFaceMap(answer((*UPPER, 1.0)), 0, 0, SIZE, "d20")], BLANK)
    assert weighed(straight, *doubtful, wary=True) > 0.9
    assert weighed(aslant, *doubtful, wary=True) < 0.1


def test_the_tilt_is_learned() -> None:
    # Once top faces lay on one side of the dice, a face elsewhere is not the top one, even if it looks so.
    slant = CameraTilt()
    for n in range(8):
        anyhow = 0.3 * math.sin(2 * n), 0.3 * math.cos(2 * n)
        slant.weigh([TopFaceMap(answer((0.02 * (n - 3), -0.3, 0.6), (*anyhow, 0.4)), 0, 0, SIZE, "d20")], BLANK)
    assert weighed(slant, (*UPPER, 0.3), (*MIDDLE, 0.7)) > 0.98
    assert 28 < slant.tilt < 46
    # After a few dice that contradict the old tilt, however many agreed before.
    slant = CameraTilt()
    for _ in range(100):
        slant.weigh([TopFaceMap(answer((*MIDDLE, 1.0)), 0, 0, SIZE, "d20")], BLANK)
    assert slant.tilt < 5
    for _ in range(8):
        slant.weigh([TopFaceMap(answer((*UPPER, 1.0)), 0, 0, SIZE, "d20")], BLANK)
    assert slant.tilt > 25
    # A picture looked at again counts only once.
    once, often = CameraTilt(), CameraTilt()
    for slant in (once, often):
        slant.weigh([TopFaceMap(answer((*UPPER, 1.0)), 0, 0, SIZE, "d20")], BLANK)
    for _ in range(5):
        often.weigh([TopFaceMap(answer((*UPPER, 1.0)), 0, 0, SIZE, "d20")], BLANK, again=True)
    assert often.tilt == pytest.approx(once.tilt)


def random_throw(rng: Random) -> tuple[list[TopFaceMap], NDArray[np.uint8]]:
    """Return one to four dice, each with up to three faces that may be on top, and their picture."""
    dice = []
    for _ in range(rng.randint(1, 4)):
        tops = [(rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), rng.random()) for _ in range(rng.randint(1, 3))]
        place = rng.uniform(-0.4, 0.4), rng.uniform(-0.3, 0.3)
        dice.append(TopFaceMap(answer(*tops), *place, SIZE, rng.choice(("d10", "d20", "d24"))))
    noise = np.random.default_rng(rng.getrandbits(32)).integers(0, 200, (120, 160, 3), np.uint8)
    return dice, noise


@pytest.mark.parametrize("seed", range(20))
def test_dice_that_lie_still_never_vouch_for_themselves(seed: int) -> None:
    """However often the same dice are looked at, in somewhat other light, the answers stay the same."""
    rng = Random(seed)
    slant = CameraTilt()
    for _ in range(rng.randint(0, 6)):
        slant.weigh(*random_throw(rng))
    dice, picture = random_throw(rng)
    first, tilt = slant.weigh(dice, picture), slant.tilt
    for n in range(4):
        # Another frame measures the dice slightly differently, or misses one.
        slant.weigh([replace(one, right=one.right + 0.01, size=0.09) for one in dice[n % 2 :]], picture)
        for answers, once in zip(slant.weigh(dice, (picture * 0.9 + 12).astype(np.uint8)), first, strict=True):
            assert answers == pytest.approx(once)
        assert slant.tilt == pytest.approx(tilt)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["d24", "tetrakis"])
def test_pictures_read_again_are_read_the_same(kind: str) -> None:
    """Drawn under a camera 12 degrees aslant."""
    reader, die = Reader(kinds=frozenset({"d24"})), DrawnDie("green", 20, "white", kind)
    for n in range(3):
        tray = DrawnTray(seed=40 + n, view=180, tilt=12)
        end = tray.throw(0.0, [die])
        frame, lies = tray.frame(end), tray.truth(end)
        assert lies is not None
        once = reader.read(frame)
        assert once.values == tuple(one.value for one in lies) or not once.sure
        for _ in range(3):
            more = reader.read(frame)
            assert (more.values, more.doubt) == (once.values, once.doubt)
            assert [one.confidence for one in more.dice] == pytest.approx([one.confidence for one in once.dice])


def test_dice_thrown_to_the_same_place_count_each() -> None:
    rng, slant = Random(1), CameraTilt()
    for _ in range(8):
        slant.weigh([TopFaceMap(answer((*UPPER, 0.6), (*MIDDLE, 0.4)), 0, 0, SIZE, "d20")], random_throw(rng)[1])
    assert weighed(slant, (*UPPER, 0.5), (*MIDDLE, 0.5)) > 0.9


def test_clear_tops_that_contradict_the_camera_cost_certainty() -> None:
    def after(agreed: int, contradicted: int) -> float:
        slant = CameraTilt()
        for top in [UPPER] * agreed + [MIDDLE] * contradicted:
            slant.weigh([TopFaceMap(answer((*top, 1.0)), 0, 0, SIZE, "d20")], BLANK)
        return weighed(slant, (*UPPER, 0.02), (*MIDDLE, 0.98))

    # A few looks do not outweigh a clear answer without a doubt; many do.
    assert max(after(few, 0) for few in range(6)) < 0.95
    assert after(8, 0) > 0.98
    # Each of the first contradictions makes the camera less certain, until the clear answers win.
    certainty = [after(8, n) for n in range(4)]
    assert certainty == sorted(certainty, reverse=True)
    assert certainty[1] < 0.9
    assert max(certainty[3], after(8, 8)) < 0.05


def test_the_place_of_a_die_counts_too() -> None:
    """A camera straight above sees a die on the right from its left: the top face is right of its middle."""
    sides = (0.13, 0.0, 0.5), (-0.2, 0.0, 0.5)
    assert weighed(CameraTilt(), *sides, at=(0.33, 0)) > 0.95
    assert weighed(CameraTilt(), *sides, at=(-0.33, 0)) < 0.5


def test_dice_in_one_picture_help_one_another() -> None:
    """One die decides what another leaves open; a place that is not surely a die is ignored."""
    clear, open_ = answer((*UPPER, 1.0)), answer((*UPPER, 0.5), (*MIDDLE, 0.5))
    both = [TopFaceMap(clear, 0, 0, SIZE, "d20") for _ in range(3)]
    _, _, _, told = CameraTilt().weigh([*both, TopFaceMap(open_, 0, 0, SIZE, "d20")], BLANK)
    assert told[0][told[3] < -0.2].sum() > 0.9
    _, _, _, alone = CameraTilt().weigh(
        [*[TopFaceMap(clear, 0, 0, SIZE, "d20", sure=False)] * 3, TopFaceMap(open_, 0, 0, SIZE, "d20")], BLANK
    )
    assert alone[0][alone[3] < -0.2].sum() < 0.1


@pytest.mark.parametrize("tilt", [0.0, 20.0, 40.0])
def test_the_top_is_where_a_drawn_camera_sees_it(tilt: float) -> None:
    """Checked with the drawing lens: its top face is the expected one once the camera is known."""
    lens, high = Lens((640, 480), 250.0, 430.0, tilt), 9.0

    def top(x: float, y: float) -> TopFaceMap:
        middle, above = np.array(lens.spot(x, y, high)), np.array(lens.spot(x, y, 2 * high))
        wide = 0.53**-1 * high * lens.scale * 430 / (430 - high)
        offset = (above - middle) / wide
        return TopFaceMap(answer((*offset, 1.0)), (middle[0] - 320) / 640, (middle[1] - 240) / 640, SIZE, "d20")

    slant = CameraTilt()
    for n in range(12):
        slant.weigh([top(90 * math.sin(n), 60 * math.cos(n))], BLANK)
    assert slant.tilt == pytest.approx(tilt, abs=6)


def test_cameras_are_distinguished_by_their_pictures() -> None:
    """With other light or one more die it is the same camera; with a picture of another place it is another."""
    tray, other = DrawnTray(seed=1), DrawnTray(seed=1, felt=(160, 160, 165), view=400, rim=60)
    cameras = CameraTilts()
    slant = cameras.of(tray.frame(0))
    tray.light = 0.7
    with_hand = cv2.circle(tray.frame(0).copy(), (300, 200), 40, (250, 250, 250), -1)
    assert cameras.of(with_hand.astype(np.uint8)) is slant
    assert cameras.of(other.frame(0)) is not slant
    assert cameras.of(tray.frame(0)) is slant
