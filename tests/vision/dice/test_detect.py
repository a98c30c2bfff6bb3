"""Where dice may be, at any scale."""

import pytest

from tests.vision.faces import felt, lay
from vision.dice.detect import Candidate, Detector, suppress_duplicates

PLACES = [(0.2, 0.3, 1), (0.5, 0.6, 4), (0.8, 0.35, 6)]
"""x, y as shares of the width, and the value shown."""


@pytest.fixture(scope="module")
def finder() -> Detector:
    return Detector()


@pytest.mark.parametrize("width", [320, 640, 1280, 1920])
def test_dice_are_found_at_any_resolution(finder: Detector, width: int) -> None:
    """The same scene gives the same dice, each at its place and near its size, at every picture width."""
    size = 0.07 * width
    frame = felt(width, width * 3 // 4)
    for x, y, value in PLACES:
        lay(frame, value, x * width, y * width, size)
    hot = sorted((c for c in finder.detect_dice(frame) if c.heat > 0.5), key=lambda c: c.x)
    assert [pytest.approx((x, y), abs=0.012) for x, y, _ in PLACES] == [(c.x / width, c.y / width) for c in hot]
    assert all(0.7 < c.size / size < 1.6 for c in hot)


@pytest.mark.parametrize("share", [0.03, 0.06, 0.12, 0.25])
def test_dice_are_found_at_any_size(finder: Detector, share: float) -> None:
    """A die from a thirtieth to a quarter of the picture's width is found once, at its size, whatever its pips."""
    size = share * 640
    frame = felt(640, 480)
    lay(frame, 5, 300, 250, size)
    hot = [c for c in finder.detect_dice(frame) if c.heat > 0.5 and 0.6 < c.size / size < 1.7]
    assert [pytest.approx((300, 250), abs=0.15 * size)] == [(c.x, c.y) for c in hot]


def test_an_empty_table_has_no_dice(finder: Detector) -> None:
    assert [c for c in finder.detect_dice(felt(640, 480)) if c.heat > 0.5] == []


def test_one_place_keeps_one_candidate() -> None:
    # One place keeps its hottest candidate.
    weak, strong, neighbour = Candidate(100, 100, 40, 0.5), Candidate(104, 98, 44, 0.9), Candidate(141, 100, 40, 0.4)
    assert suppress_duplicates([weak, neighbour, strong]) == [strong, neighbour]
    # The middle pip of a five may be the hottest spot: the die around it stays a candidate.
    pip, die = Candidate(100, 100, 20, 0.9), Candidate(100, 100, 100, 0.7)
    assert suppress_duplicates([die, pip]) == [pip, die]
    # The coarse scale may be hotter but locate a die worse; if both saw it well the hotter stays.
    coarse, fine = Candidate(95, 88, 40, 0.7, seen=12), Candidate(100, 100, 32, 0.6, seen=32)
    assert suppress_duplicates([coarse, fine]) == [fine]
    assert suppress_duplicates([Candidate(95, 95, 40, 0.7, seen=26), fine]) == [Candidate(95, 95, 40, 0.7, seen=26)]
