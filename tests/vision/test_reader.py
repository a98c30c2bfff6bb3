"""The reader: frames in, readings out."""

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.faces import felt, lay
from vision.annotate import annotate_reading, crop_dice
from vision.reader import FrameError, Reader
from vision.reading import DieReading, Reading


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader(frozenset({"d6"}))


def table(width: int = 640) -> tuple[np.ndarray[Any, np.dtype[np.uint8]], tuple[int, ...]]:
    frame = felt(width, width * 3 // 4)
    for value, x, y in ((3, 0.2, 0.5), (6, 0.5, 0.3), (1, 0.75, 0.45)):
        lay(frame, value, x * width, y * width, 0.08 * width)
    return frame, (3, 6, 1)


@pytest.mark.parametrize("width", [320, 640, 1640])
def test_dice_are_read_left_to_right(reader: Reader, width: int) -> None:
    """Three plain dice are read at any picture width, with boxes around them and white bodies; certain, unless tiny."""
    frame, values = table(width)
    reading = reader.read_dice(frame)
    assert values == reading.dice_values
    assert reading.is_sure or width == 320
    assert reading.ms > 0
    middles = [(die.box[0] + die.box[2] / 2) / width for die in reading.dice]
    assert [pytest.approx(x, abs=0.02) for x in (0.2, 0.5, 0.75)] == middles
    assert {("d6", "white")} == {(die.kind, die.colour) for die in reading.dice}


def test_gray_and_empty_tables_and_dice_at_the_edge(reader: Reader) -> None:
    # The gray plane of a camera's stream is as good as color for white dice.
    frame, values = table()
    assert values == reader.read_dice(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY).astype(np.uint8)).dice_values
    # An empty table says so.
    reading = reader.read_dice(felt(640, 480))
    assert (reading.dice, reading.doubt, reading.is_sure) == ((), "none", False)
    # A half-visible die is asked about.
    frame, _ = table()
    lay(frame, 6, 2, 240, 50)
    assert not reader.read_dice(frame).is_sure
    # The frame is unchanged.
    frame, _ = table()
    before = frame.copy()
    shown = annotate_reading(frame, reader.read_dice(frame))
    assert np.array_equal(before, frame)
    assert frame.shape == shown.shape
    assert not np.array_equal(frame, shown)


def test_a_die_lists_its_other_possible_values(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that names every possible value names the five others of each die."""
    frame, _ = table()
    assert all(len(die.likely) < 5 for die in reader.read_dice(frame).dice)
    monkeypatch.setattr("vision.dice.decide.MIN_LIKELY_PROBABILITY", 0.0)
    dice = reader.read_dice(frame).dice
    assert dice
    assert all(sorted({int(die.value or 0), *map(int, die.likely)}) == [1, 2, 3, 4, 5, 6] for die in dice)


@pytest.mark.parametrize("confidence", [0.8, 0.87, 0.99])
@pytest.mark.parametrize("doubt", [None, "unclear"])
def test_annotation_draws_box_and_doubt(doubt: str | None, confidence: float) -> None:
    """The boxes and the top line distinguish believed dice from doubtful ones, whatever this table's limits."""
    frame = felt(640, 480)
    die = DieReading("d6", 5, "white", (300, 200, 60, 60), confidence)
    shown = annotate_reading(frame, Reading((die,), doubt, 1.0))
    ground = (60, 200, 60) if doubt is None else (40, 120, 255)
    assert tuple(int(v) for v in shown[260, 330]) == ground
    assert (shown[:30, :60] == ground).all(axis=2).any()


def test_a_cutout_shows_the_dice_and_nothing_else() -> None:
    """Neither box nor letters: it is for people who watch the game."""
    frame = felt(640, 480)
    cutout = crop_dice(frame, Reading((DieReading("d6", 5, "white", (300, 200, 60, 60), 0.9),), None, 1.0))
    assert np.array_equal(frame[158:302, 258:402], cutout)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (None, "not NoneType"),
        (np.zeros((100, 100, 3), np.float32), "float32"),
        (np.zeros((100, 100, 4), np.uint8), "(100, 100, 4)"),
        (np.zeros((0, 0), np.uint8), "0x0"),
        (np.zeros((100, 12, 3), np.uint8), "12x100"),
    ],
)
def test_invalid_frames_are_refused_in_words(reader: Reader, bad: Any, words: str) -> None:
    with pytest.raises(FrameError) as error:
        reader.read_dice(bad)
    assert words in str(error.value)
    assert isinstance(error.value, ValueError)
