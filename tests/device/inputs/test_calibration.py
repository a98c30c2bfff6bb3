"""The steps of a calibration, on drawn trays with a fake reader."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.inputs.calibration import Calibrator, mean_picture
from tests.device.inputs.scenes import WHITE, Knowing, shots
from tests.vision.trays import tray_of
from vision.reader import Reader
from vision.reading import Reading
from vision.synthetic.tray import SyntheticTray
from vision.tray.saved_trays import load_tray


@pytest.fixture
def scene() -> SyntheticTray:
    return SyntheticTray(seed=4)


def outcome(checks: list[Any]) -> dict[str, bool]:
    return {check.name: check.ok for check in checks}


def test_an_empty_tray_is_accepted(scene: SyntheticTray, tmp_path: Path) -> None:
    """Every check passes: the tray is found, well lit and stored, with the noise averaged away."""
    tray, checks = Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    assert outcome(checks) == dict.fromkeys(("still", "empty", "outline", "light", "focus"), True)
    kept = load_tray(tmp_path, "drawn", (640, 480))
    assert tray is not None
    assert kept is not None
    assert np.array_equal(kept.empty, tray.empty)
    assert kept.light == pytest.approx(55, abs=15)


def test_averaging_reduces_noise() -> None:
    rng = np.random.default_rng(1)
    noisy = [np.clip(rng.normal(100, 12, (50, 50, 3)), 0, 255).astype(np.uint8) for _ in range(8)]
    assert mean_picture(noisy).std() < 0.45 * noisy[0].std()
    assert mean_picture(noisy[:1]) is noisy[0]


def test_a_tray_with_dice_is_refused(scene: SyntheticTray, tmp_path: Path) -> None:
    scene.throw_dice(-9, [WHITE, WHITE])
    tray, checks = Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    assert tray is None
    assert not outcome(checks)["empty"]
    assert any("there are 2 dice in it" in check.words for check in checks)
    assert load_tray(tmp_path, "drawn", (640, 480)) is None


def test_a_tray_under_a_moving_hand_is_refused(scene: SyntheticTray, tmp_path: Path) -> None:
    bare = shots(scene, 4)
    scene.show_hand(0, 5)
    tray, checks = Calibrator(tmp_path, Knowing(SyntheticTray(seed=1))).store_empty_tray(
        "drawn", [*bare, scene.render_frame(1), scene.render_frame(2)]
    )
    assert tray is None
    assert not outcome(checks)["still"]


@pytest.mark.parametrize(("light", "words"), [(0.2, "too dark"), (7.0, "reflects a lamp")])
def test_bad_light_fails_its_check_but_is_stored(
    scene: SyntheticTray, tmp_path: Path, light: float, words: str
) -> None:
    """A dark or overexposed tray fails the check; it is stored, because there may be no other lamp."""
    scene.light = light
    tray, checks = Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    assert tray is not None
    (check,) = (check for check in checks if check.name == "light")
    assert not check.ok
    assert words in check.words


def test_a_soft_lens_fails_its_check(scene: SyntheticTray, tmp_path: Path) -> None:
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.store_empty_tray("drawn", shots(scene))
    assert tray is not None
    scene.place_die(0, WHITE, 3, 5, 5, turn=0.5)
    soft = [cv2.GaussianBlur(one, (0, 0), 3).astype(np.uint8, copy=False) for one in shots(scene)]
    assert [outcome(bench.measure_scale(tray, pictures)[1])["focus"] for pictures in (shots(scene), soft)] == [
        True,
        False,
    ]


def test_a_tray_without_an_edge_is_stored_with_its_doubt(tmp_path: Path) -> None:
    scene = SyntheticTray(seed=4, rim=0)
    tray, checks = Calibrator(tmp_path, Knowing(scene)).store_empty_tray("drawn", shots(scene))
    assert tray is not None
    assert tray.is_full_frame
    assert not outcome(checks)["outline"]


def test_one_die_gives_the_scale(scene: SyntheticTray, tmp_path: Path) -> None:
    """The die's size is measured and stored; no die, or two, fail the check."""
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.store_empty_tray("drawn", shots(scene))
    assert tray is not None
    same, checks = bench.measure_scale(tray, shots(scene))
    assert same is tray
    assert outcome(checks) == {"scale": False}
    scene.place_die(0, WHITE, 3, 5, 5, turn=0.5)
    measured, checks = bench.measure_scale(tray, shots(scene))
    assert outcome(checks) == {"scale": True, "die": True, "focus": True}
    assert measured.scale == pytest.approx(2.56, rel=0.1)
    kept = load_tray(tmp_path, "drawn", (640, 480))
    assert kept is not None
    assert kept.scale == measured.scale
    scene.place_die(0, WHITE, 3, 60, 5)
    _, checks = bench.measure_scale(tray, shots(scene))
    assert "2 dice found" in checks[0].words


def test_a_die_that_cannot_be_read_fails_its_check(scene: SyntheticTray, tmp_path: Path) -> None:
    """Once, before the game; the scale is stored all the same."""
    reader = Knowing(scene)
    bench = Calibrator(tmp_path, reader)
    tray, _ = bench.store_empty_tray("drawn", shots(scene))
    assert tray is not None
    scene.place_die(0, WHITE, 3, 5, 5, turn=0.5)
    reader.read_dice = lambda frame, inside=None: replace(Knowing.read_dice(reader, frame), doubt="glare")  # type: ignore[method-assign]
    measured, checks = bench.measure_scale(tray, shots(scene))
    assert outcome(checks) == {"scale": True, "die": False, "focus": True}
    assert "move the lamp" in checks[1].words
    assert measured.scale is not None


def test_the_corners_are_tapped(scene: SyntheticTray, tmp_path: Path) -> None:
    """In any order; the outline, and that it is the felt's, are stored. Too few, or too near, change nothing."""
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.store_empty_tray("drawn", shots(scene))
    assert tray is not None
    assert tray.known_table.wall is not None
    assert tray.known_table.wall.high > 0
    tapped, checks = bench.store_corners(tray, [(0.1, 0.1), (0.9, 0.8), (0.9, 0.1), (0.1, 0.8)])
    assert outcome(checks) == {"outline": True}
    kept = load_tray(tmp_path, "drawn", (640, 480))
    for one in (tapped, kept):
        assert one is not None
        assert sorted(one.outline.tolist()) == [[64, 48], [64, 383], [575, 48], [575, 383]]
        assert one.known_table.wall is not None
        assert one.known_table.wall.high == 0
    for few in ([(0.1, 0.1), (0.9, 0.8)], [(0.1, 0.1), (0.2, 0.1), (0.2, 0.2)], []):
        same, checks = bench.store_corners(tapped, few)
        assert same is tapped
        assert outcome(checks) == {"outline": False}


def test_the_corners_of_a_tray_without_an_edge(tmp_path: Path) -> None:
    """From then on it has one."""
    scene = SyntheticTray(seed=4, rim=0)
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.store_empty_tray("drawn", shots(scene))
    assert tray is not None
    assert tray.known_table.wall is None
    tapped, _ = bench.store_corners(tray, [(0.1, 0.1), (0.9, 0.8), (0.9, 0.1)])
    assert tapped.known_table.wall is not None


@pytest.mark.parametrize(
    ("doubt", "confidence", "clear", "words"),
    [
        (None, 0.99, 0.67, "The white die is read: it shows 3."),
        ("glare", 0.9, 0.33, "The white die is washed out by the light: turn the lamp away, or use a softer one."),
        ("unclear", 0.5, 0.1, "The white die is hard to read in this light: "),
        ("cocked", 1.0, 1.0, "A die is cocked: "),
    ],
)
def test_each_die_is_read_or_not(
    scene: SyntheticTray, tmp_path: Path, doubt: str | None, confidence: float, clear: float, words: str
) -> None:
    """Before the game, with how clear it is."""
    scene.place_die(0, WHITE, 3, 5, 5)
    reader = Knowing(scene)
    (die,) = reader.read_dice(shots(scene, 1)[0]).dice
    die = replace(die, colour="white", confidence=confidence, doubt=doubt)
    reader.read_dice = lambda frame, inside=None: Reading((die,), doubt, 1.0)  # type: ignore[method-assign]
    bare = tray_of(SyntheticTray(seed=4).render_frame(0.0))
    (check,) = Calibrator(tmp_path, reader).check_dice(bare, shots(scene))
    assert check.words.startswith(words)
    assert (check.ok, check.clear) == (doubt is None, clear)


def test_what_lies_beside_the_dice_is_said(scene: SyntheticTray, tmp_path: Path) -> None:
    """A doubt about the whole picture is a check of its own, and so is a tray without dice."""
    reader = Knowing(scene)
    bench, bare = Calibrator(tmp_path, reader), tray_of(scene.render_frame(0.0))
    assert outcome(bench.check_dice(bare, shots(scene))) == {"dice": False}
    scene.place_die(0, WHITE, 3, 5, 5)
    seen = reader.read_dice(shots(scene, 1)[0])
    reader.read_dice = lambda frame, inside=None: replace(seen, doubt="thing")  # type: ignore[method-assign]
    assert outcome(bench.check_dice(bare, shots(scene))) == {"die": True, "tray": False}


def test_one_die_shows_where_the_camera_is(tmp_path: Path) -> None:
    """If dice are read by their lines; what was found is stored."""
    scene = SyntheticTray(seed=4, noise=1.5)
    bench = Calibrator(tmp_path, Reader(kinds=frozenset({"d6"})))
    tray, _ = bench.store_empty_tray("drawn", shots(scene))
    assert tray is not None
    scene.place_die(0, WHITE, 3, 5, 5, turn=0.5)
    measured, checks = bench.measure_scale(tray, shots(scene))
    assert outcome(checks)["scale"]
    assert measured.place is not None
    assert [measured.place.right, measured.place.down] == pytest.approx([0, 0], abs=0.1)
    assert measured.scale == pytest.approx(640 / measured.place.across, rel=0.001)
    assert measured.scale == pytest.approx(2.56, rel=0.1)
    kept = load_tray(tmp_path, "drawn", (640, 480))
    assert kept is not None
    assert kept.place == measured.place


def test_a_camera_that_hangs_too_high_fails_its_check(tmp_path: Path) -> None:
    scene = SyntheticTray(seed=4, view=640, height=1200)
    bench = Calibrator(tmp_path, Knowing(scene))
    tray, _ = bench.store_empty_tray("drawn", shots(scene))
    assert tray is not None
    scene.place_die(0, WHITE, 3, 0, 0)
    _, checks = bench.measure_scale(tray, shots(scene))
    assert "move the camera closer" in checks[0].words
    assert not checks[0].ok
