"""The tray is found, kept, looked into, and watched: drawn ones, and a real round one where the photos are at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision import photos
from vision.drawn import DrawnDie, DrawnTray
from vision.drift import Drift
from vision.reader import Reader
from vision.reading import DOUBTS, Box, Die, Reading
from vision.sheet import DPI, MARK, PAGE, scale_from_sheet, sheet
from vision.sources import Locks
from vision.tray import (
    BLURRED,
    FOCUSED,
    Tray,
    TrayError,
    Within,
    brightness,
    find_tray,
    focus,
    folder,
    forget,
    load,
    save,
    scale_from_die,
)

Image = NDArray[np.uint8]
WHITE = DrawnDie()
FELTS = {"green": (52, 84, 34), "red": (40, 30, 120), "blue": (120, 60, 20), "black": (30, 30, 30), "grey": (150,) * 3}


def drawn(felt: str = "green", size: tuple[int, int] = (640, 480), rim: float = 9.0) -> DrawnTray:
    return DrawnTray(size, seed=1, felt=FELTS[felt], rim=rim)


def tray_of(picture: Image) -> Tray:
    """The tray found in an empty picture."""
    found = find_tray(picture)
    size = picture.shape[1], picture.shape[0]
    return Tray("drawn", size, found.outline, picture, 60.0, doubt=found.doubt)


def rectangle(size: tuple[int, int], edge: float) -> Image:
    mask = np.zeros(size[::-1], np.uint8)
    cv2.rectangle(mask, (round(edge), round(edge)), (round(size[0] - 1 - edge), round(size[1] - 1 - edge)), 255, -1)
    return mask


def overlap(one: Image, other: Image) -> float:
    """The share of two masks that they have in common."""
    return float(((one > 0) & (other > 0)).sum() / ((one > 0) | (other > 0)).sum())


def on_a_table(felt: str, mask: Image, table: tuple[int, int, int]) -> Image:
    """A rimless felt of any shape on a plain table."""
    cloth = drawn(felt, mask.shape[::-1], rim=0).frame(0)
    ground = DrawnTray(mask.shape[::-1], seed=2, felt=table, rim=0).frame(0)
    picture: Image = np.where(mask[..., None] > 0, cloth, ground)
    return picture


def warped(picture: Image, right: float = 0, down: float = 0, turn: float = 0, zoom: float = 1) -> Image:
    """The picture shifted by shares of its width, turned by degrees, zoomed."""
    tall, wide = picture.shape[:2]
    way = cv2.getRotationMatrix2D((wide / 2, tall / 2), turn, zoom)
    way[:, 2] += right * wide, down * wide
    return cv2.warpAffine(picture, way, (wide, tall), borderMode=cv2.BORDER_REFLECT).astype(np.uint8, copy=False)


# Finding -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rim", [9.0, 25.0])
@pytest.mark.parametrize("size", [(320, 240), (640, 480), (1280, 720)])
@pytest.mark.parametrize("felt", FELTS)
def test_a_wooden_tray_is_found(felt: str, size: tuple[int, int], rim: float) -> None:
    """The felt is told from the rim, whatever its colour, the camera's resolution and the rim's width."""
    found = find_tray(drawn(felt, size, rim).frame(0))
    assert found.doubt is None
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillPoly(mask, [found.outline], 255)
    assert overlap(mask, rectangle(size, rim * size[0] / 250)) > 0.9


@pytest.mark.parametrize("felt", ["green", "red", "black"])
@pytest.mark.parametrize("middle", [(320, 240), (300, 300)])
def test_a_round_tray_is_found(felt: str, middle: tuple[int, int]) -> None:
    """A round tray is found, also one that the picture cuts."""
    mask = np.zeros((480, 640), np.uint8)
    cv2.circle(mask, middle, 210, 255, -1)
    picture = on_a_table(felt, mask, (170, 190, 200))
    tray = tray_of(picture)
    assert not tray.whole
    assert overlap(tray.mask, mask) > 0.93
    assert 8 <= len(tray.outline) <= 60


def test_a_lamp_from_the_side_hides_no_tray() -> None:
    """Light that falls off to less than half across the tray makes no edge."""
    ramp = np.linspace(1.2, 0.5, 640)[None, :, None]
    tray = tray_of(np.clip(drawn(rim=25).frame(0) * ramp, 0, 255).astype(np.uint8))
    assert not tray.whole
    assert overlap(tray.mask, rectangle((640, 480), 64)) > 0.85


def test_a_grey_picture_has_a_tray_too() -> None:
    """A camera without colour does."""
    grey = cv2.cvtColor(drawn("grey").frame(0), cv2.COLOR_BGR2GRAY)
    assert find_tray(grey).doubt is None


@pytest.mark.parametrize("felt", FELTS)
def test_a_tray_without_an_edge_is_the_whole_picture(felt: str) -> None:
    """Where no edge is in sight the whole frame serves, with a doubt that says so."""
    found = find_tray(drawn(felt, rim=0).frame(0))
    assert found.doubt == "no-tray"
    assert found.doubt in DOUBTS
    assert found.outline.tolist() == [[0, 0], [639, 0], [639, 479], [0, 479]]


def test_noise_alone_has_no_tray() -> None:
    """Nothing is found in a picture of nothing."""
    noise = np.random.default_rng(3).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    assert find_tray(noise).doubt == "no-tray"
    assert find_tray(np.zeros((480, 640, 3), np.uint8)).doubt == "no-tray"


@photos.needed
def test_a_real_round_tray_is_found() -> None:
    """The round tray under a Pi's camera is found in every picture, and every die of it lies inside."""
    shapes = []
    for path in photos.measured("kingjacker"):
        picture = photos.picture(path, 640)
        tray = tray_of(picture)
        assert not tray.whole, path
        shapes.append(tray.mask)
        assert 0.4 < (tray.mask > 0).mean() < 0.65
        assert tray.inside((280, 200, 40, 40))
        assert tray.share((0, 0, 60, 60)) == 0
    assert min(overlap(shapes[0], shape) for shape in shapes) > 0.93


# Measuring -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(640, 480), (1280, 960)])
@pytest.mark.parametrize("colour", ["white", "red", "ivory"])
def test_scale_from_a_die(colour: str, size: tuple[int, int]) -> None:
    """A die of 16 mm tells the scale to within a tenth, however it is turned."""
    for turn in (0.0, 0.4, 0.8):
        tray = drawn(size=size)
        tray.lay(0, DrawnDie(colour, pips="black" if colour != "red" else "white"), 5, 0, 0, turn=turn)
        assert scale_from_die(tray.frame(0), seen(tray, 0)) == pytest.approx(size[0] / 250, rel=0.1)


def seen(tray: DrawnTray, now: float, doubt: str | None = None) -> Reading:
    dice = tray.truth(now)
    assert dice is not None
    return Reading(dice, doubt, 1.0)


def test_no_scale_without_just_one_die() -> None:
    """No die, two dice and a die that is not there are refused in words."""
    tray = drawn()
    with pytest.raises(TrayError, match="No dice are seen"):
        scale_from_die(tray.frame(0), seen(tray, 0))
    bare = tray.frame(0)
    tray.lay(0, WHITE, 5, 0, 0)
    with pytest.raises(TrayError, match="cannot be told from the felt"):
        scale_from_die(bare, seen(tray, 0))
    tray.lay(0, WHITE, 5, 40, 0)
    with pytest.raises(TrayError, match="2 dice are seen"):
        scale_from_die(tray.frame(0), seen(tray, 0))


def printed(width: int, across: float) -> Image:
    """The sheet lying in a picture `width` pixels wide, so that the paper's width is the share `across` of it."""
    wide = round(width * across)
    less = cv2.resize(sheet(), (wide, round(wide * PAGE[1] / PAGE[0])), interpolation=cv2.INTER_AREA)
    picture = np.full((round(width * 0.75), width, 3), 70, np.uint8)
    top = round(0.25 * less.shape[0])
    part = less[top : top + picture.shape[0]]
    picture[: len(part), 20 : 20 + wide] = part[..., None]
    return picture


@pytest.mark.parametrize(("width", "across"), [(320, 0.8), (640, 0.5), (640, 0.9), (1280, 0.6)])
def test_scale_from_the_sheet(width: int, across: float) -> None:
    """The printed sheet tells the scale to within 3 %, and a turned one does too."""
    picture = printed(width, across)
    for turn in (0, 33):
        ground = warped(picture, turn=turn, zoom=0.8 if turn else 1)
        true = width * across / PAGE[0] * (0.8 if turn else 1)
        assert scale_from_sheet(ground) == pytest.approx(true, rel=0.03)


def test_a_sheet_seen_aslant_or_not_at_all_is_refused() -> None:
    """A camera that looks aslant is told so; its near-miss, a little tilt, is measured."""
    picture = printed(640, 0.8)
    corners = np.array([(0, 0), (640, 0), (640, 480), (0, 480)], np.float32)
    for squeeze, well in ((8, True), (90, False)):
        aslant = corners + np.array([(squeeze, 0), (-squeeze, 0), (0, 0), (0, 0)], np.float32)
        tilted = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, aslant), (640, 480))
        if well:
            assert scale_from_sheet(tilted) > 0
        else:
            with pytest.raises(TrayError, match="straight down"):
                scale_from_sheet(tilted)
    with pytest.raises(TrayError, match="not seen"):
        scale_from_sheet(drawn().frame(0))


def test_the_sheet_is_true_to_size() -> None:
    """The line on the sheet is 100 mm long and a marker 30 mm wide."""
    page = sheet()
    row = page[round(215 / 25.4 * DPI)]
    dark = np.flatnonzero(row < 128)
    assert (dark[-1] - dark[0]) / DPI * 25.4 == pytest.approx(100, abs=0.5)
    top = page[round(89 / 25.4 * DPI), : page.shape[1] // 2]
    dark = np.flatnonzero(top < 128)
    assert (dark[-1] - dark[0] + 1) / DPI * 25.4 == pytest.approx(MARK, abs=0.2)


def test_focus_falls_with_every_blur() -> None:
    """The score falls as the picture gets softer, hardly with the light, and its limits lie between sharp and soft."""
    tray = drawn()
    tray.lay(0, WHITE, 5, 0, 0, turn=0.4)
    picture = tray.frame(0)
    (die,) = seen(tray, 0).dice
    scores = [focus(picture, die.box)] + [focus(cv2.GaussianBlur(picture, (0, 0), s), die.box) for s in (1, 2, 4, 6)]
    known = [score for score in scores if score is not None]
    assert known == sorted(known, reverse=True)
    assert known[0] > 2 * FOCUSED
    assert known[2] < FOCUSED
    assert known[2] > BLURRED > known[4]
    dim = focus(cv2.convertScaleAbs(picture, alpha=0.6).astype(np.uint8), die.box)
    assert dim == pytest.approx(known[0], rel=0.3)
    assert focus(np.full((480, 640), 90, np.uint8)) is None


def test_brightness_is_of_the_felt_alone() -> None:
    """The rim and the table around do not count."""
    picture = np.full((100, 100, 3), 255, np.uint8)
    mask = np.zeros((100, 100), np.uint8)
    mask[20:80, 20:80] = 255
    picture[20:80, 20:80] = 50
    assert brightness(picture, mask) == (50.0, 0.0)
    picture[20:80, 20:50] = 255
    assert brightness(picture, mask)[1] == pytest.approx(0.5)


# Keeping -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tray() -> Tray:
    return replace(tray_of(drawn().frame(0)), scale=2.5, focus=0.1, locks={"exposure": (157.0, 2.0), "focus": None})


def test_a_tray_is_kept_and_found_again(tray: Tray, tmp_path: Path) -> None:
    """All of it comes back; keeping it again leaves no rubbish."""
    for light in (60.0, 61.0):
        kept = replace(tray, light=light, empty=np.full_like(tray.empty, light))
        home = save(tmp_path, kept)
        found = load(tmp_path, "drawn", (640, 480))
        assert found is not None
        assert (found.camera, found.size, found.scale, found.focus) == ("drawn", (640, 480), 2.5, 0.1)
        assert (found.light, found.doubt, found.locks) == (light, None, tray.locks)
        assert found.outline.tolist() == tray.outline.tolist()
        assert np.array_equal(found.empty, kept.empty)
    assert home == folder(tmp_path, "drawn", (640, 480)) == tmp_path / "drawn-640x480"
    assert sorted(path.suffix for path in home.iterdir()) == [".json", ".png"]


def test_another_resolution_is_refused_in_words(tray: Tray, tmp_path: Path) -> None:
    """A calibration of another resolution is never used; another camera simply has none."""
    save(tmp_path, tray)
    with pytest.raises(TrayError, match=r"calibrated at 640x480 .* now gives 1280x960: calibrate again"):
        load(tmp_path, "drawn", (1280, 960))
    assert load(tmp_path, "/dev/video0", (640, 480)) is None
    assert load(tmp_path / "nowhere", "drawn", (640, 480)) is None
    with pytest.raises(TrayError, match="320x240"):
        tray.cover(np.zeros((240, 320, 3), np.uint8))
    with pytest.raises(TrayError, match="320x240"):
        Drift(tray).see(np.zeros((240, 320, 3), np.uint8), 0)


@pytest.mark.parametrize("spoil", ["json", "png", "lost", "swapped", "outline"])
def test_damage_is_refused_in_words(tray: Tray, tmp_path: Path, spoil: str) -> None:
    """Half a file, a lost one, or one of another calibration is not used."""
    home = save(tmp_path, tray)
    (png,) = home.glob("*.png")
    about = home / "tray.json"
    match spoil:
        case "json":
            about.write_bytes(about.read_bytes()[:40])
        case "png":
            png.write_bytes(png.read_bytes()[:-400])
        case "lost":
            png.unlink()
        case "swapped":
            png.write_bytes(cv2.imencode(".png", np.zeros((480, 640, 3), np.uint8))[1].tobytes())
        case "outline":
            about.write_text(about.read_text().replace('"outline": [', '"outline": [3, '))
    with pytest.raises(TrayError, match="damaged: calibrate again"):
        load(tmp_path, "drawn", (640, 480))


@pytest.mark.parametrize(
    "locks",
    [
        "[]",
        "3",
        '"exposure"',
        '{"exposure": 100.0}',
        '{"exposure": "12"}',
        '{"exposure": []}',
        '{"exposure": [100.0]}',
        '{"exposure": [100.0, Infinity]}',
        '{"exposure": [100.0, null]}',
        '{"white balance": [1.0, 2.0, 3.0]}',
        '{"zoom": [1.0]}',
    ],
)
def test_locks_that_no_camera_can_hold_are_damage(tray: Tray, tmp_path: Path, locks: str) -> None:
    """What was kept of the camera is looked at before a camera is told to hold it."""
    about = save(tmp_path, replace(tray, locks=None)) / "tray.json"
    about.write_text(about.read_text().replace('"locks": null', f'"locks": {locks}'))
    with pytest.raises(TrayError, match="damaged: calibrate again"):
        load(tmp_path, "drawn", (640, 480))


@pytest.mark.parametrize(
    "locks",
    [
        {},
        {"exposure": (157.0, -1.0), "white balance": (4600.0,), "focus": (30.0,)},
        {"exposure": (20000.0, 1.5), "white balance": (1.8, 1.4)},
        {"exposure": None, "white balance": None, "focus": None},
    ],
)
def test_what_cameras_hold_is_kept(tray: Tray, tmp_path: Path, locks: Locks) -> None:
    """A USB camera's values, a Pi camera's, and none."""
    save(tmp_path, replace(tray, locks=locks))
    found = load(tmp_path, "drawn", (640, 480))
    assert found is not None
    assert found.locks == locks


def test_a_cut_while_keeping_leaves_the_old_tray(tray: Tray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever write fails, what was kept before is still there, whole."""
    import os

    save(tmp_path, tray)
    whole = os.replace
    for fails in (1, 2):
        left = [fails]

        def replaced(old: Path, new: Path, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise OSError("cut")
            whole(old, new)

        monkeypatch.setattr(os, "replace", replaced)
        with pytest.raises(OSError, match="cut"):
            save(tmp_path, replace(tray, scale=9.0, empty=np.full_like(tray.empty, 7)))
        found = load(tmp_path, "drawn", (640, 480))
        assert found is not None
        assert found.scale == 2.5
        assert np.array_equal(found.empty, tray.empty)


def test_forgetting_is_of_one_camera(tray: Tray, tmp_path: Path) -> None:
    """All its resolutions go, and no other camera's."""
    for camera in ("/dev/video0", "/dev/video01", "picamera2"):
        save(tmp_path, replace(tray, camera=camera))
    assert forget(tmp_path, "/dev/video0") == 1
    assert forget(tmp_path, "/dev/video0") == 0
    assert load(tmp_path, "/dev/video01", (640, 480)) is not None
    assert load(tmp_path, "picamera2", (640, 480)) is not None


# In use --------------------------------------------------------------------------------------------------------------


class _Reader:
    """Sees what it is told, where it is let and where the picture shows it."""

    def __init__(self, *dice: Die, doubt: str | None = None) -> None:
        self.dice, self.doubt = dice, doubt
        self.least = 200

    def read(self, frame: Image, inside: Callable[[Box], bool]) -> Reading:
        shown = [die for die in self.dice if frame[die.box[1] + 8, die.box[0] + 8].min() > self.least]
        left = tuple(die for die in shown if inside(die.box))
        return Reading(left, self.doubt if len(left) == len(self.dice) else None, 1.0)


def sharp(picture: Image, x: int, y: int, blur: float = 0) -> Die:
    """Draw something white with dark pips, and say it is a die."""
    cv2.rectangle(picture, (x, y), (x + 39, y + 39), (250, 250, 250), -1)
    for gap in (13, 27):
        cv2.circle(picture, (x + gap, y + gap), 4, (20, 20, 20), -1)
    box: Box = (x, y, 40, 40)
    return Die("d6", 2, "white", box, 0.99)


@pytest.fixture
def wide() -> Tray:
    """A tray with a broad rim, 64 pixels at each side."""
    return tray_of(drawn(rim=25).frame(0))


def test_what_is_outside_is_painted_over(wide: Tray) -> None:
    """Beyond a strip around the outline the reader sees felt; inside nothing is touched, nor is the frame itself."""
    picture = np.random.default_rng(1).integers(0, 255, (480, 640, 3)).astype(np.uint8)
    before = picture.copy()
    covered = wide.cover(picture)
    assert np.array_equal(picture, before)
    assert np.array_equal(covered[wide.mask > 0], picture[wide.mask > 0])
    assert len(np.unique(covered[:30, :30].reshape(-1, 3), axis=0)) == 1


def test_the_whole_picture_is_not_painted() -> None:
    """Without an edge nothing is outside, and nothing is copied."""
    picture = drawn(rim=0).frame(0)
    assert tray_of(picture).cover(picture) is picture


def test_dice_outside_are_neither_read_nor_doubted(wide: Tray) -> None:
    """A die on the table beside the tray is no die, and the doubt it made goes with it."""
    picture = wide.empty.copy()
    inner, outer = sharp(picture, 300, 200), sharp(picture, 18, 200)
    reader = _Reader(inner, outer, doubt="size")
    reading = Within(reader, wide).read(picture)
    assert reading.dice == (inner,)
    assert reading.doubt is None
    assert reading.sure


def test_a_die_across_the_edge_is_asked_about(wide: Tray) -> None:
    """Half in, half out is a doubt with a name; its near-miss, a corner over the edge, is read."""
    for x, doubt in ((48, "outside"), (63, None)):
        picture = wide.empty.copy()
        reading = Within(_Reader(sharp(picture, x, 200)), wide).read(picture)
        assert len(reading.dice) == 1
        assert reading.doubt == doubt
    assert DOUBTS["outside"].startswith("A die lies on the edge")


@pytest.mark.parametrize(("scale", "read"), [(None, 1), (2.5, 1), (1.1, 0), (5.2, 0)])
def test_what_no_die_can_measure_is_none(wide: Tray, scale: float | None, read: int) -> None:
    """Where the scale is known, what is 40 pixels wide is a die of 16 mm, or is none of 36 mm or 7.7 mm."""
    picture = wide.empty.copy()
    reading = Within(_Reader(sharp(picture, 300, 200)), replace(wide, scale=scale)).read(picture)
    assert len(reading.dice) == read


def test_the_reader_itself_looks_inside_only() -> None:
    """Two dice lie there; what is not concerned is not read, whatever the doubt about it would be."""
    tray = drawn()
    tray.lay(0, WHITE, 3, -50, 0)
    tray.lay(0, WHITE, 5, 50, 0)
    tray.stack(0)
    asked: list[Box] = []

    def left(box: Box) -> bool:
        asked.append(box)
        return box[0] + box[2] / 2 < 320

    reading = Reader().read(tray.frame(0), inside=left)
    assert (reading.values, reading.doubt) == ((3,), None)
    assert any(box[0] > 320 for box in asked)


def test_an_empty_tray_is_said_to_be_empty(wide: Tray) -> None:
    """Dice only outside: there are none."""
    picture = wide.empty.copy()
    reading = Within(_Reader(sharp(picture, 10, 20)), wide).read(picture)
    assert (reading.dice, reading.doubt) == ((), "none")


def test_other_doubts_stay(wide: Tray) -> None:
    """A doubt about dice in the tray is not lost."""
    picture = wide.empty.copy()
    reading = Within(_Reader(sharp(picture, 300, 200), doubt="cocked"), wide).read(picture)
    assert reading.doubt == "cocked"


def test_a_moved_tray_is_asked_about(wide: Tray) -> None:
    """While the outline does not hold no reading is sure."""
    picture = wide.empty.copy()
    within = Within(_Reader(sharp(picture, 300, 200)), wide)
    assert within.read(picture).doubt is None
    within.moved = True
    assert within.read(picture).doubt == "moved-tray"


def test_blurred_dice_are_asked_about(wide: Tray) -> None:
    """Dice as soft as clouds are; a soft focus is not."""
    picture = wide.empty.copy()
    die = sharp(picture, 300, 200)
    for blur, doubt in ((1.5, None), (5.0, "blur")):
        soft = cv2.GaussianBlur(picture, (0, 0), blur).astype(np.uint8, copy=False)
        reader = _Reader(die)
        reader.least = 100
        assert Within(reader, wide).read(soft).doubt == doubt


# Drift ---------------------------------------------------------------------------------------------------------------


def verdict(tray: Tray, frame: Image, seconds: int = 6) -> str | None:
    """What the watch says after some seconds of this picture."""
    drift = Drift(tray)
    assert drift.see(tray.empty, 0) is None
    for second in range(1, seconds + 1):
        drift.see(frame, second)
    return drift.doubt


@pytest.mark.parametrize("felt", ["green", "black", "grey"])
@pytest.mark.parametrize("rim", [9.0, 25.0])
@pytest.mark.parametrize("far", [0.005, 0.01, 0.02, 0.03, 0.04, 0.05])
def test_a_moved_tray_is_seen(felt: str, rim: float, far: float) -> None:
    """A shift of 2 to 5 % of the width, any way, is said; 1 % and less, a nudge that harms nothing, is not."""
    tray = tray_of(drawn(felt, rim=rim).frame(0))
    for right, down in ((far, 0), (0, far), (-far * 0.75, far * 0.75)):
        moved = warped(drawn(felt, rim=rim).frame(1), right, down)
        assert verdict(tray, moved) == ("moved-tray" if far > 0.015 else None), (right, down)


def test_a_large_frame_is_watched_by_a_small_picture() -> None:
    """The empty picture is kept smaller than the camera's frames."""
    frame = drawn(size=(1280, 960)).frame(0)
    less = cv2.resize(frame, (640, 480), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    drift = Drift(replace(tray_of(frame), empty=less), hold=1)
    assert [drift.see(frame, 0), drift.see(frame, 2)] == [None, None]
    moved = warped(frame, 0.03)
    assert [drift.see(moved, 3), drift.see(moved, 5)] == [None, "moved-tray"]


@pytest.mark.parametrize("zoom", [0.94, 1.06])
def test_a_camera_that_sank_is_seen(zoom: float) -> None:
    """A camera nearer or farther moves the tray too."""
    tray = tray_of(drawn().frame(0))
    assert verdict(tray, warped(drawn().frame(1), zoom=zoom)) == "moved-tray"


@pytest.mark.parametrize("felt", ["green", "black", "grey"])
def test_dice_hands_and_shadows_are_no_drift(felt: str) -> None:
    """Many dice, dice at the wall, a hand that stays, a shadow over most of the tray: nothing moved, no other lamp."""
    scene = drawn(felt)
    tray = tray_of(scene.frame(0))
    scene.throw(1, [WHITE] * 8)
    assert verdict(tray, scene.frame(9)) is None
    for _ in range(4):
        scene.cock(10)
    assert verdict(tray, scene.frame(10)) is None
    scene.clear()
    scene.hand(11, 9)
    assert verdict(tray, scene.frame(14)) is None
    shadow = drawn(felt).frame(1)
    shadow[:, :430] = shadow[:, :430] // 2
    assert verdict(tray, shadow) is None


def lit(felt: str, light: float) -> Image:
    scene = drawn(felt)
    scene.light = light
    return scene.frame(1)


@pytest.mark.parametrize("felt", ["green", "red", "grey"])
@pytest.mark.parametrize(("light", "doubt"), [(0.4, "light"), (0.8, None), (1.2, None), (1.65, "light")])
def test_changed_light_is_seen(felt: str, light: float, doubt: str | None) -> None:
    """Half the light, or much more, is said; what a cloud does is not."""
    if felt == "grey" and light > 1.5:
        pytest.skip("a grey felt cannot get much lighter than white")
    assert verdict(tray_of(lit(felt, 1.0)), lit(felt, light)) == doubt


@pytest.mark.parametrize(("gains", "doubt"), [((1.3, 1, 0.85), "light"), ((1.04, 1, 0.97), None)])
def test_another_colour_of_light_is_seen(gains: tuple[float, float, float], doubt: str | None) -> None:
    """A lamp of another colour is said, a little warmth is not."""
    picture = drawn("grey").frame(1)
    tray = tray_of(drawn("grey").frame(0))
    assert verdict(tray, np.clip(picture * np.array(gains) * 0.9, 0, 255).astype(np.uint8)) == doubt


def test_drift_must_last_and_heals() -> None:
    """A moment is no drift; what lasts is said; what is put right is taken back."""
    tray = tray_of(drawn().frame(0))
    well, moved = drawn().frame(1), warped(drawn().frame(1), 0.04)
    drift = Drift(tray, hold=3)
    told = [drift.see(moved if 2 <= second < 4 else well, second) for second in range(8)]
    assert told == [None] * 8
    told = [drift.see(moved, second) for second in range(8, 13)]
    assert told == [None, None, None, "moved-tray", "moved-tray"]
    told = [drift.see(well, second) for second in range(13, 18)]
    assert told == ["moved-tray"] * 3 + [None, None]


def test_a_tray_that_went_far_is_missed_in_the_end() -> None:
    """Out of reach it cannot be followed: it takes longer, and is said. In the dark it is the light."""
    tray = tray_of(drawn(rim=25).frame(0))
    away = warped(drawn(rim=25).frame(1), 0.16, 0.1)
    assert verdict(tray, away, 6) is None
    assert verdict(tray, away, 14) == "moved-tray"
    assert verdict(tray, np.full_like(away, 3), 14) == "light"


def test_a_tray_without_edges_has_nothing_to_hold_on_to() -> None:
    """Then only the light is watched."""
    tray = tray_of(drawn(rim=0).frame(0))
    assert tray.whole
    assert verdict(tray, drawn(rim=0).frame(1)) is None


def test_grey_frames_are_watched_too() -> None:
    """A camera that gives brightness alone serves for movement and light."""
    grey = cv2.cvtColor(drawn().frame(0), cv2.COLOR_BGR2GRAY).astype(np.uint8, copy=False)
    tray = tray_of(grey)
    assert verdict(tray, warped(grey, 0.04)) == "moved-tray"
    assert verdict(tray, cv2.convertScaleAbs(grey, alpha=0.4).astype(np.uint8, copy=False)) == "light"


@photos.needed
def test_a_real_tray_with_other_dice_has_not_moved() -> None:
    """Pictures of the round tray, each with its dice, agree on where it is; one that is shifted does not."""
    paths = list(photos.measured("kingjacker"))
    tray = tray_of(photos.picture(paths[0], 640))
    for path in paths[1:]:
        picture = photos.picture(path, 640)
        assert verdict(tray, picture) is None
        assert verdict(tray, warped(picture, 0.03, 0.01)) == "moved-tray"
