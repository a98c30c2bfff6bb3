"""The print on dice without pips: its size, orientation and typeface, and how a 6 differs from a 9."""

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ImageFont

from vision.dice.polyhedra import Floats
from vision.synthetic import prints, shapes
from vision.synthetic.prints import PrintStyle
from vision.synthetic.solids import SyntheticDie


@pytest.fixture
def font(tmp_path: Path) -> str:
    face = ImageFont.load_default(20)
    assert isinstance(face, ImageFont.FreeTypeFont)
    path = tmp_path / "face.ttf"
    path.write_bytes(face.font_bytes)
    return str(path)


def tiles(kind: str, style: PrintStyle = prints.DEFAULT_PRINT_STYLE) -> list[Floats]:
    return np.split(prints.face_sheet(kind, style=style)[..., 0], shapes.facet_count(kind), axis=1)


def box(tile: Floats) -> tuple[int, int]:
    rows, columns = np.nonzero(tile > 0.5)
    return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


@pytest.mark.parametrize("kind", shapes.FACE_MARKS)
def test_each_text_is_printed_once(kind: str) -> None:
    """Facets with the same text look the same, and all others differ."""
    ink = tiles(kind)
    for one, tile in enumerate(ink):
        for other in range(one):
            same = shapes.FACE_MARKS[kind][one] == shapes.FACE_MARKS[kind][other]
            assert same == (float(np.abs(tile - ink[other]).max()) < 0.5)


@pytest.mark.parametrize("mark", ["line", "dot"])
@pytest.mark.parametrize("kind", shapes.FACE_MARKS)
def test_marks(kind: str, mark: str) -> None:
    """A 6 and a 9 are marked on dice that have both, and nothing else is."""
    pairs = zip(tiles(kind, PrintStyle(mark=mark)), tiles(kind, PrintStyle(mark="none")), strict=True)
    marked = [
        text for text, (one, other) in zip(shapes.FACE_MARKS[kind], pairs, strict=True) if np.abs(one - other).max()
    ]
    assert marked == (["6", "9"] if kind in ("d10", "d12", "d20", "d24", "tetrakis") else [])


def test_where_marks_are() -> None:
    """A line is beneath the foot and as wide; a dot is right of the foot, and small."""
    six, lined, dotted = (tiles("d12", PrintStyle(mark=mark))[5] for mark in ("none", "line", "dot"))
    assert box(lined)[0] == pytest.approx(box(six)[0], abs=1)
    assert box(lined)[1] == pytest.approx(box(six)[1] * 1.22, abs=1.5)
    # The line is ink from end to end, with a gap above it.
    rows = np.nonzero((lined > 0.5).any(axis=1))[0]
    assert (lined[rows[-1]] > 0.5).sum() == pytest.approx(box(six)[0], abs=1)
    assert len(rows) < box(lined)[1]
    assert box(dotted)[1] == pytest.approx(box(six)[1], abs=1)
    right = np.nonzero(dotted > 0.5)[1].max()
    dot = np.nonzero(dotted[:, right - 2 : right + 1] > 0.5)[0]
    assert dot.min() > dotted.shape[0] / 2
    assert np.ptp(dot) < box(six)[1] / 4


@pytest.mark.parametrize("kind", shapes.FACE_MARKS)
def test_everything_fits_its_facet(kind: str) -> None:
    """No ink leaves its facet, however large or turned."""
    shape = shapes.solid_of_kind(kind)
    for turn in (0.0, 0.8, math.pi / 2):
        for tile in tiles(kind, PrintStyle(high=2.0, turn=turn)):
            down, right = (np.argwhere(tile > 0.5).T + 0.5) / len(tile) * 2 - 1
            assert (shape.sides @ np.array([right, down])).max() < shape.reach


def test_numerals_have_the_requested_height_and_turn() -> None:
    # Numerals are as high as requested, and two digits are narrowed before they are shrunk.
    low, usual, high = (tiles("d20", PrintStyle(high=share)) for share in (0.6, 1.0, 1.3))
    assert box(low[3])[1] == pytest.approx(0.6 * box(usual[3])[1], abs=1.5)
    assert box(high[3])[1] == pytest.approx(1.3 * box(usual[3])[1], abs=1.5)
    wide, tall = box(low[19])
    narrow, same = box(usual[19])
    assert same == pytest.approx(tall / 0.6, abs=2)
    assert narrow / same < 0.95 * wide / tall
    assert box(high[19])[1] < 1.25 * same
    # Turned.
    for plain, turned in zip(tiles("d10"), tiles("d10", PrintStyle(turn=math.pi / 2)), strict=True):
        assert np.abs(np.rot90(plain, -1) - turned).mean() < 0.02


def test_typefaces_and_strokes(font: str) -> None:
    # Another typeface is another sheet with the same texts, equally high; without its file it is refused.
    for kind in ("pitch", "d20", "d100"):
        own, other = tiles(kind), tiles(kind, PrintStyle(font))
        assert all(np.abs(one - two).max() > 0.5 for one, two in zip(own, other, strict=True))
    assert box(tiles("pitch", PrintStyle(font))[0])[1] == pytest.approx(box(tiles("pitch")[0])[1], abs=1)
    with pytest.raises(OSError, match="resource"):
        prints.face_sheet("d8", style=PrintStyle(font + ".gone"))
    # Wider strokes keep numerals as high, with more ink, and do not affect OpenCV's own letters.
    for plain, bold in zip(tiles("pitch", PrintStyle(font)), tiles("pitch", PrintStyle(font, bold=0.06)), strict=True):
        assert bold.sum() > 1.15 * plain.sum()
        assert box(bold)[1] == pytest.approx(box(plain)[1], abs=2)
    assert np.array_equal(tiles("d8"), tiles("d8", PrintStyle(bold=0.06)))
    # A B's two counters become one; nothing else changes, nor does a letter without two.

    def counters(tile: Floats) -> int:
        return cv2.connectedComponents((tile < 0.5).astype(np.uint8))[0] - 2

    usual, joined = tiles("pitch", PrintStyle(font)), tiles("pitch", PrintStyle(font, joined=True))
    assert [counters(tile) for tile in usual] == [2, 0, 0, 0, 0, 2]
    assert [counters(tile) for tile in joined] == [1, 0, 0, 0, 0, 1]
    assert all(np.array_equal(usual[n], joined[n]) for n in range(1, 5))
    assert np.array_equal(tiles("d8", PrintStyle(font)), tiles("d8", PrintStyle(font, joined=True)))


def test_sheets() -> None:
    """Sheets with numerals are finer than others; ink is engraved, so its walls slope."""
    for kind in shapes.SYNTHETIC_KINDS:
        side, wide, _ = prints.face_sheet(kind).shape
        assert side == (prints.NUMERAL_SIDE_PX if kind in shapes.FACE_MARKS else prints.FACE_SIDE_PX)
        assert wide == side * max(shapes.facet_count(kind), 3)
    ink, right, _ = prints.face_sheet("d8")[..., :].transpose(2, 0, 1)
    row = right[prints.NUMERAL_SIDE_PX // 2, : prints.NUMERAL_SIDE_PX]
    one = np.nonzero(ink[prints.NUMERAL_SIDE_PX // 2, : prints.NUMERAL_SIDE_PX] > 0.5)[0]
    assert row[one.min() - 1] > 0.2
    assert row[one.max() + 1] < -0.2


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [({"mark": "star"}, "star"), ({"high": 3.0}, "3.0 times"), ({"turn": math.nan}, "nan"), ({"bold": 0.3}, "0.3 of")],
)
def test_unprintable_texts(wrong: dict[str, float], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        PrintStyle(**wrong)  # type: ignore[arg-type]


def test_a_house_can_print_its_own_texts() -> None:
    """Custom texts replace the usual ones, and there must be one for each facet."""
    own = tiles("pitch", PrintStyle(texts=("P", "X", "X", "1", "2", "3")))
    assert np.abs(own[1] - own[2]).max() < 0.5
    assert np.abs(own[0] - tiles("pitch")[0]).max() > 0.5
    with pytest.raises(ValueError, match="2 texts do not fit a pitch"):
        SyntheticDie(kind="pitch", print=PrintStyle(texts=("P", "X")))
