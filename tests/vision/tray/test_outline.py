"""Find, measure and use the tray: drawn ones, and a real round one where the photos are available."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision import photos
from tests.vision.tiers import first
from tests.vision.trays import FELTS, WHITE, Image, calibrated, drawn, empty, tray_of
from vision.reader import Reader
from vision.reading import DOUBT_ADVICE, DieReading, PixelBox, Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray
from vision.tray.outline import (
    MIN_CAMERA_SHARPNESS,
    MIN_DICE_SHARPNESS,
    Tray,
    TrayError,
    find_tray,
    measure_brightness,
    measure_sharpness,
    scale_from_die,
)
from vision.tray.tray_reader import TrayDiceReader


def rectangle(size: tuple[int, int], edge: float) -> Image:
    mask = np.zeros(size[::-1], np.uint8)
    cv2.rectangle(mask, (round(edge), round(edge)), (round(size[0] - 1 - edge), round(size[1] - 1 - edge)), 255, -1)
    return mask


def overlap(one: Image, other: Image) -> float:
    """Return the share of two masks that they have in common."""
    return float(((one > 0) & (other > 0)).sum() / ((one > 0) | (other > 0)).sum())


def on_a_table(felt: str, mask: Image, table: tuple[int, int, int]) -> Image:
    """Return a rimless felt of any shape on a plain table."""
    cloth = drawn(felt, mask.shape[::-1], rim=0).render_frame(0)
    ground = SyntheticTray(mask.shape[::-1], seed=2, felt=table, rim=0).render_frame(0)
    picture: Image = np.where(mask[..., None] > 0, cloth, ground)
    return picture


# Finding -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", first([(320, 240), (640, 480), (1280, 720)]))
def test_a_wooden_tray_is_found(size: tuple[int, int]) -> None:
    """The felt is distinguished from the rim, whatever its color, the camera's resolution and the rim's width."""
    for felt in FELTS:
        for rim in (9.0, 25.0):
            found = find_tray(drawn(felt, size, rim).render_frame(0))
            assert found.doubt is None, (felt, rim)
            mask = np.zeros(size[::-1], np.uint8)
            cv2.fillPoly(mask, [found.outline], 255)
            assert overlap(mask, rectangle(size, rim * size[0] / 250)) > 0.9, (felt, rim)


@pytest.mark.parametrize("felt", first(["green", "red", "black"]))
def test_a_round_tray_is_found(felt: str) -> None:
    for middle in ((320, 240), (300, 300)):
        mask = np.zeros((480, 640), np.uint8)
        cv2.circle(mask, middle, 210, 255, -1)
        tray = tray_of(on_a_table(felt, mask, (170, 190, 200)))
        assert not tray.is_full_frame
        assert overlap(tray.tray_mask, mask) > 0.93
        assert 8 <= len(tray.outline) <= 60


def test_trays_in_other_light_and_none_in_noise() -> None:
    # Light that falls off to less than half across the tray makes no edge.
    ramp = np.linspace(1.2, 0.5, 640)[None, :, None]
    tray = tray_of(np.clip(empty(rim=25.0) * ramp, 0, 255).astype(np.uint8))
    assert not tray.is_full_frame
    assert overlap(tray.tray_mask, rectangle((640, 480), 64)) > 0.85
    # A gray picture has a tray too.
    grey = cv2.cvtColor(empty("grey"), cv2.COLOR_BGR2GRAY)
    assert find_tray(grey).doubt is None
    # Noise alone has no tray.
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    assert find_tray(noise).doubt == "no-tray"
    assert find_tray(np.zeros((480, 640, 3), np.uint8)).doubt == "no-tray"


def test_a_tray_without_an_edge_is_the_whole_picture() -> None:
    """If no edge is visible the whole frame serves, with a doubt that says so."""
    assert "no-tray" in DOUBT_ADVICE
    for felt in FELTS:
        found = find_tray(empty(felt, 0.0))
        assert found.doubt == "no-tray", felt
        assert found.outline.tolist() == [[0, 0], [639, 0], [639, 479], [0, 479]]


@photos.needed
@pytest.mark.slow
def test_a_real_round_tray_is_found() -> None:
    """The round tray under a Pi camera is found in every picture, with all its dice inside."""
    shapes = []
    for path in photos.measured("kingjacker"):
        picture = photos.picture(path, 640)
        tray = tray_of(picture)
        assert not tray.is_full_frame, path
        shapes.append(tray.tray_mask)
        assert 0.4 < (tray.tray_mask > 0).mean() < 0.65
        assert tray.is_box_inside((280, 200, 40, 40))
        assert tray.share_inside((0, 0, 60, 60)) == 0
    assert min(overlap(shapes[0], shape) for shape in shapes) > 0.93


# Measuring -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", first([(640, 480), (1280, 960)]))
def test_scale_from_a_die(size: tuple[int, int]) -> None:
    """A 16 mm die gives the scale to within a tenth, however it is turned."""
    tray = drawn(size=size)
    for colour in ("white", "red", "ivory"):
        for turn in (0.0, 0.4, 0.8):
            tray.clear_tray()
            tray.place_die(0, SyntheticDie(colour, pips="black" if colour != "red" else "white"), 5, 0, 0, turn=turn)
            assert scale_from_die(tray.render_frame(0), seen(tray, 0)) == pytest.approx(size[0] / 250, rel=0.1), (
                colour,
                turn,
            )


def seen(tray: SyntheticTray, now: float, doubt: str | None = None) -> Reading:
    dice = tray.ground_truth(now)
    assert dice is not None
    return Reading(dice, doubt, 1.0)


def test_no_scale_without_exactly_one_die() -> None:
    """No die, two dice or a die that is not there are refused with a message."""
    tray = drawn()
    with pytest.raises(TrayError, match="No dice found"):
        scale_from_die(tray.render_frame(0), seen(tray, 0))
    bare = tray.render_frame(0)
    tray.place_die(0, WHITE, 5, 0, 0)
    with pytest.raises(TrayError, match="blends in with the felt"):
        scale_from_die(bare, seen(tray, 0))
    tray.place_die(0, WHITE, 5, 40, 0)
    with pytest.raises(TrayError, match="2 dice found"):
        scale_from_die(tray.render_frame(0), seen(tray, 0))


def test_focus_falls_with_blur() -> None:
    """The score falls as the picture gets softer, hardly with the light, and the limits are between sharp and soft."""
    tray = drawn()
    tray.place_die(0, WHITE, 5, 0, 0, turn=0.4)
    picture = tray.render_frame(0)
    (die,) = seen(tray, 0).dice
    scores = [measure_sharpness(picture, die.box)] + [
        measure_sharpness(cv2.GaussianBlur(picture, (0, 0), s), die.box) for s in (1, 2, 4, 6)
    ]
    known = [score for score in scores if score is not None]
    assert known == sorted(known, reverse=True)
    assert known[0] > 2 * MIN_CAMERA_SHARPNESS
    assert known[2] < MIN_CAMERA_SHARPNESS
    assert known[2] > MIN_DICE_SHARPNESS > known[4]
    dim = measure_sharpness(cv2.convertScaleAbs(picture, alpha=0.6).astype(np.uint8), die.box)
    assert dim == pytest.approx(known[0], rel=0.3)
    assert measure_sharpness(np.full((480, 640), 90, np.uint8)) is None


def test_brightness_is_measured_on_the_felt_only() -> None:
    picture = np.full((100, 100, 3), 255, np.uint8)
    mask = np.zeros((100, 100), np.uint8)
    mask[20:80, 20:80] = 255
    picture[20:80, 20:80] = 50
    assert measure_brightness(picture, mask) == (50.0, 0.0)
    picture[20:80, 20:50] = 255
    assert measure_brightness(picture, mask)[1] == pytest.approx(0.5)


# In use --------------------------------------------------------------------------------------------------------------


class _Reader:
    """Reports the given dice that `inside` accepts and the picture shows."""

    def __init__(self, *dice: DieReading, doubt: str | None = None) -> None:
        self.dice, self.doubt = dice, doubt
        self.least = 200

    def read_dice(self, frame: Image, inside: Callable[[PixelBox], bool]) -> Reading:
        shown = [die for die in self.dice if frame[die.box[1] + 8, die.box[0] + 8].min() > self.least]
        left = tuple(die for die in shown if inside(die.box))
        return Reading(left, self.doubt if len(left) == len(self.dice) else None, 1.0)


def sharp(picture: Image, x: int, y: int, blur: float = 0) -> DieReading:
    """Draw something white with dark pips, and return a die there."""
    cv2.rectangle(picture, (x, y), (x + 39, y + 39), (250, 250, 250), -1)
    for gap in (13, 27):
        cv2.circle(picture, (x + gap, y + gap), 4, (20, 20, 20), -1)
    box: PixelBox = (x, y, 40, 40)
    return DieReading("d6", 2, "white", box, 0.99)


@pytest.fixture
def wide() -> Tray:
    """Return a tray with a broad rim, 64 pixels on each side."""
    return calibrated(rim=25.0)


def test_the_outside_is_painted_over(wide: Tray) -> None:
    """Beyond a strip around the outline the reader sees felt; inside nothing is changed, nor is the frame itself."""
    picture = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    before = picture.copy()
    covered = wide.paint_surroundings(picture)
    assert np.array_equal(picture, before)
    assert np.array_equal(covered[wide.tray_mask > 0], picture[wide.tray_mask > 0])
    assert len(np.unique(covered[:30, :30].reshape(-1, 3), axis=0)) == 1


def test_the_whole_picture_is_not_painted() -> None:
    """Without an edge nothing is outside, and nothing is copied."""
    tray = calibrated(rim=0.0)
    assert tray.paint_surroundings(tray.empty) is tray.empty


def test_things_outside_do_not_concern_the_tray(wide: Tray) -> None:
    # A die on the table beside the tray is ignored, and so is the doubt it raised.
    picture = wide.empty.copy()
    inner, outer = sharp(picture, 300, 200), sharp(picture, 18, 200)
    reader = _Reader(inner, outer, doubt="edge")
    reading = TrayDiceReader(reader, wide).read_dice(picture)
    assert reading.dice == (inner,)
    assert reading.doubt is None
    assert reading.is_sure
    # Dice only outside: the tray has none.
    picture = wide.empty.copy()
    reading = TrayDiceReader(_Reader(sharp(picture, 10, 20)), wide).read_dice(picture)
    assert (reading.dice, reading.doubt) == ((), "none")
    # Half in, half out is a named doubt; with only a corner over the edge it is read.
    for x, doubt in ((48, "outside"), (63, None)):
        picture = wide.empty.copy()
        reading = TrayDiceReader(_Reader(sharp(picture, x, 200)), wide).read_dice(picture)
        assert len(reading.dice) == 1
        assert reading.doubt == doubt
    assert DOUBT_ADVICE["outside"].startswith("A die is on the edge")


@pytest.mark.parametrize(("foot", "doubt"), [((66, 180, 40, 40), None), ((28, 180, 40, 40), "outside")])
def test_a_die_is_where_it_stands(wide: Tray, foot: PixelBox, doubt: str | None) -> None:
    """Its sides may be seen beyond the edge of a deep tray."""
    picture = wide.empty.copy()
    die = replace(sharp(picture, 48, 200), foot=foot)
    assert TrayDiceReader(_Reader(die), wide).read_dice(picture).doubt == doubt


@pytest.mark.parametrize(("scale", "read"), [(None, 1), (2.5, 1), (1.1, 0), (5.2, 0)])
def test_an_impossible_size_is_not_a_die(wide: Tray, scale: float | None, read: int) -> None:
    """With a known scale, 40 pixels can be a 16 mm die, but not one of 36 mm or 7.7 mm."""
    picture = wide.empty.copy()
    reading = TrayDiceReader(_Reader(sharp(picture, 300, 200)), replace(wide, scale=scale)).read_dice(picture)
    assert len(reading.dice) == read


def test_the_reader_looks_inside_only() -> None:
    """Of two dice, the one outside is not read, whatever doubt it would raise."""
    tray = drawn()
    tray.place_die(0, WHITE, 3, -50, 0)
    tray.place_die(0, WHITE, 5, 50, 0)
    tray.place_stacked_die(0)
    asked: list[PixelBox] = []

    def left(box: PixelBox) -> bool:
        asked.append(box)
        return box[0] + box[2] / 2 < 320

    reading = Reader(frozenset({"d6"})).read_dice(tray.render_frame(0), inside=left)
    assert (reading.dice_values, reading.doubt) == ((3,), None)
    assert any(box[0] > 320 for box in asked)


def test_doubts_about_the_tray(wide: Tray) -> None:
    # Other doubts stay.
    picture = wide.empty.copy()
    reading = TrayDiceReader(_Reader(sharp(picture, 300, 200), doubt="cocked"), wide).read_dice(picture)
    assert reading.doubt == "cocked"
    # A moved tray is asked about.
    picture = wide.empty.copy()
    within = TrayDiceReader(_Reader(sharp(picture, 300, 200)), wide)
    assert within.read_dice(picture).doubt is None
    within.moved = True
    assert within.read_dice(picture).doubt == "moved-tray"
    # Dice as soft as clouds are asked about; a slightly soft focus is not.
    picture = wide.empty.copy()
    die = sharp(picture, 300, 200)
    for blur, doubt in ((1.5, None), (5.0, "blur")):
        soft = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.uint8, copy=False)
        reader = _Reader(die)
        reader.least = 100
        assert TrayDiceReader(reader, wide).read_dice(soft).doubt == doubt
