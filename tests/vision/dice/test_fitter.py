"""Of solids that explain a die nearly as well, the one with a sure sign is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from vision.dice.camera_search import USUAL_WIDTH_RATIO, CameraSearch
from vision.dice.detect import Candidate
from vision.dice.dice_finder import FittedDie
from vision.dice.facets import SIGNS_BY_SHAPE
from vision.dice.fitter import DiceFitter
from vision.dice.floor import CameraPose
from vision.dice.pose import DiePose
from vision.dice.sizes import UsualSizes

PICTURE = np.zeros((480, 640, 3), np.uint8)
PLACE = CameraPose(250.0)
SQUARE = np.array([(300.0, 220.0), (340, 220), (340, 260), (300, 260)])


def die(shape: str, score: float) -> FittedDie:
    flat = DiePose(np.eye(3), np.array([0.0, 0.0, 8.0]), score)
    return FittedDie(shape, 16.0, flat, Mock(), SQUARE, SQUARE, 0.9, 1.0, 0.9, Mock(), heat=0.8)


@pytest.mark.parametrize(
    ("rival", "read"), [(0.99, "d6"), (0.8, "d10")], ids=["the sign of the rival is sure", "it is not"]
)
def test_a_rival_needs_a_sure_sign(rival: float, read: str) -> None:
    best = die("d10", -0.5)
    best.rivals = [die("d6", -0.7)]
    clear = {"d10": 0.2, "d6": rival}

    def signs(picture: Any, shape: str, *rest: Any) -> Any:
        chances = np.zeros((1, len(SIGNS_BY_SHAPE[shape]) + 1))
        chances[0, 0], chances[0, -1] = clear[shape], 1 - clear[shape]
        return chances

    fitter = DiceFitter()
    fitter.finder, fitter.signs = Mock(), Mock()
    fitter.finder.find_dice.return_value, fitter.signs.read_signs.side_effect = [best], signs
    (found,) = fitter.fit_candidates(PICTURE, [], PLACE, ["d6", "d10"], UsualSizes())
    assert (found.shape, found.heat) == (read, 0.8)


def placed(wide: float) -> CameraPose | None:
    """Return where the camera is, if a die fits from any distance alike, and the detector says how wide it is."""

    def fits(picture: Any, places: Sequence[Candidate], *rest: Any) -> list[FittedDie]:
        one = die("d6", -0.5)
        one.top = np.array([1.0, 0.0])
        one.fit.with_floor.return_value.best_score_near.return_value = -0.5  # type: ignore[attr-defined]
        return [one] if places else []

    fitter = Mock()
    fitter.fit_dice.side_effect = fits
    return CameraSearch(fitter).camera_pose_from_die(PICTURE, [Candidate(320, 240, wide, 0.9)])


def test_a_calibration_weighs_how_wide_dice_usually_are() -> None:
    """And a die as wide as half of the picture is none: no camera hangs so low."""
    place = placed(40.0)
    assert place is not None
    assert place.across == pytest.approx(640 * 16 / (40 * USUAL_WIDTH_RATIO), rel=0.05)
    assert placed(300.0) is None
