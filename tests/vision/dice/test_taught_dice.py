"""Taught dice: drawn ones that no net knows, shown twice and then thrown."""

from dataclasses import replace
from functools import cache
from random import Random
from unittest.mock import Mock

import numpy as np
import pytest

from tests.vision.teaching import taught
from tests.vision.trays import at_table
from tests.vision.typefaces import UNSEEN
from vision.dice.taught_dice import (
    CROP_SIDE_PX,
    FaceBank,
    ShownFace,
    TaughtDie,
    TaughtDieError,
    best_bank_faces,
    decode_die,
    encode_die,
)
from vision.reader import Reader
from vision.reading import Face
from vision.synthetic.prints import PrintStyle
from vision.synthetic.shapes import FACE_MARKS, facet_count
from vision.synthetic.tray import SyntheticDie, SyntheticTray

FOREIGN = SyntheticDie("blue", 16, "white", "pitch", print=PrintStyle(texts=tuple("PX++XP")))
"""A pitching die with signs other than B, S and C."""

DICE = {
    "a foreign pitching die": (FOREIGN, 0.0),
    "one with odd signs, aslant": (
        SyntheticDie("black", 16, "gold", "pitch", print=PrintStyle(texts=tuple("#?&&?#"))),
        25.0,
    ),
    "an engraved die": (SyntheticDie("red", 16, "brown", "numeral", print=PrintStyle(UNSEEN[4])), 0.0),
    "a die of letters": (
        SyntheticDie("ivory", 16, "red", "numeral", print=PrintStyle(UNSEEN[0], texts=tuple("AKQJT9"))),
        0.0,
    ),
}


@cache
def shown(die: SyntheticDie, tilt: float = 0.0) -> TaughtDie:
    """Teach a die, once for all tests."""
    tray = SyntheticTray(seed=5, tilt=tilt, view=220)
    return taught(at_table(tray), tray, die)


def table(die: SyntheticDie, tilt: float = 0.0) -> tuple[Reader, SyntheticTray, TaughtDie]:
    known = shown(die, tilt)
    tray = SyntheticTray(seed=6, tilt=tilt, view=220)
    reader = at_table(tray, frozenset({known.kind}))
    reader.taught = (FaceBank(known),)
    return reader, tray, known


def thrown(
    reader: Reader, tray: SyntheticTray, die: SyntheticDie, value: int
) -> tuple[Face, tuple[Face, ...], str | None]:
    end = tray.throw_dice(0.0, [die], [value])
    reading = reader.read_dice(tray.render_frame(end))
    return FACE_MARKS["pitch"][value - 1] if die.kind == "pitch" else value, reading.dice_values, reading.doubt


@pytest.mark.slow
@pytest.mark.parametrize("name", DICE)
def test_a_taught_die_is_read(name: str) -> None:
    """In other places, turns and light it is nearly always read, mostly without a question, never silently wrong."""
    die, tilt = DICE[name]
    reader, tray, _ = table(die, tilt)
    random = Random(3)
    throws = []
    for n in range(18):
        tray.light = random.uniform(0.85, 1.12)
        throws.append(thrown(reader, tray, die, n % facet_count(die.kind) + 1))
    assert not [throw for throw in throws if throw[2] is None and throw[1] != (throw[0],)]
    assert sum(values == (value,) for value, values, _ in throws) >= 16
    assert sum(doubt is None for _, _, doubt in throws) >= 12


@pytest.mark.slow
def test_an_untaught_die_is_asked_about() -> None:
    reader, tray, _ = table(FOREIGN)
    reader.taught = ()
    assert all(doubt is not None for *_, doubt in (thrown(reader, tray, FOREIGN, value) for value in range(1, 7)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "other",
    [
        replace(FOREIGN, print=PrintStyle(texts=tuple("#?&&?#"))),
        replace(FOREIGN, print=PrintStyle()),
        replace(FOREIGN, colour="red"),
    ],
)
def test_another_die_is_asked_about(other: SyntheticDie) -> None:
    """One with other signs, one with the usual letters and one of another color: none is silently misread."""
    reader, tray, _ = table(FOREIGN)
    throws = [thrown(reader, tray, other, value) for value in range(1, 7)]
    assert all(doubt is not None or values == (value,) for value, values, doubt in throws)
    assert sum(doubt is not None for _, _, doubt in throws) >= 5


@pytest.mark.slow
def test_other_dice_are_read_as_before() -> None:
    reader, tray, _ = table(FOREIGN)
    reader.kinds = frozenset({"d6", "pitch"})
    right = sure = 0
    for value in range(1, 7):
        end = tray.throw_dice(0.0, [SyntheticDie(), FOREIGN], [value, value])
        reading = reader.read_dice(tray.render_frame(end))
        read = {die.kind: die.value for die in reading.dice}
        fits = read == {"d6": value, "pitch": FACE_MARKS["pitch"][value - 1]}
        assert fits or not reading.is_sure
        assert {None} == {die.taught for die in reading.dice if die.kind == "d6"}
        right, sure = right + fits, sure + reading.is_sure
    assert right >= 5
    assert sure >= 3


@pytest.mark.slow
def test_two_taught_dice_are_distinguished() -> None:
    """A pitching die and a d6 are both cubes; each is recognized by its own bank, at any picture size, and named."""
    letters = DICE["a die of letters"][0]
    tray = SyntheticTray((1280, 960), seed=5, view=220)
    reader = at_table(tray, frozenset({"d6", "pitch"}))
    names = {shown(FOREIGN).kind: "pitcher", shown(letters).kind: "batter"}
    reader.taught = tuple(FaceBank(replace(one, name=names[one.kind])) for one in map(shown, (FOREIGN, letters)))
    right = 0
    for value in range(1, 7):
        end = tray.throw_dice(0.0, [FOREIGN, letters], [value, value])
        reading = reader.read_dice(tray.render_frame(end))
        fits = {die.kind: die.value for die in reading.dice} == {"d6": value, "pitch": FACE_MARKS["pitch"][value - 1]}
        assert fits or not reading.is_sure
        right += fits and names == {die.kind: die.taught for die in reading.dice}
    assert right >= 5


@pytest.mark.slow
def test_the_trial_shows_how_well_it_is_read() -> None:
    """A die with three signs is recognized by the other round; one with the same sign three times is not."""
    _, _, known = table(FOREIGN)
    trial = FaceBank(known).cross_validate()
    assert (trial.count, trial.right, trial.wrong) == (6, 6, 0)
    _, _, same = table(replace(FOREIGN, print=PrintStyle(texts=tuple("XXXXXX"))))
    trial = FaceBank(same).cross_validate()
    assert trial.right < 6
    assert trial.wrong == 0
    once = replace(known, shown=known.shown[:3])
    assert FaceBank(once).cross_validate().count == 0


@pytest.mark.slow
def test_faces_that_look_alike_are_asked_about() -> None:
    die = replace(FOREIGN, print=PrintStyle(texts=tuple("XXXXXX")))
    reader, tray, _ = table(die)
    assert all(thrown(reader, tray, die, value)[2] for value in range(1, 7))


def test_one_die_is_shown() -> None:
    tray, reader = SyntheticTray(seed=5, view=220), Reader()
    with pytest.raises(TaughtDieError, match="No die found"):
        reader.capture_face(tray.render_frame(0.0), "pitch", "B", 0)
    end = tray.throw_dice(0.0, [FOREIGN, FOREIGN], [1, 2])
    with pytest.raises(TaughtDieError, match="2 dice found"):
        reader.capture_face(tray.render_frame(end), "pitch", "B", 0)


def test_a_die_no_net_finds_is_found_by_the_empty_tray() -> None:
    """A flat token is where the picture differs from the empty tray, and can be taught."""
    tray = SyntheticTray(seed=5, view=220)
    reader, empty = at_table(tray), tray.render_frame(0.0)
    frame = empty.copy()
    frame[200:246, 300:346] = (30, 200, 220)
    assert reader.capture_face(frame, "pitch", "B", 0).face == "B"


def test_of_two_taught_dice_of_one_kind_the_one_that_is_recognized_counts() -> None:
    """In whichever order they were taught."""
    crop = np.zeros((CROP_SIDE_PX, CROP_SIDE_PX, 3), np.uint8)
    mine, other = Mock(die_kind="d6"), Mock(die_kind="d6")
    mine.die.name, other.die.name = "Mine", "Other"
    mine.face_probabilities.return_value, other.face_probabilities.return_value = {1: 0.1, 4: 0.8}, {1: 0.0, 2: 0.0}
    for banks in ([mine, other], [other, mine]):
        chances = {("d6", 1): 0.1, ("d6", 2): 0.0, ("d6", 4): 0.8}
        assert (chances, "Mine") == best_bank_faces(banks, crop, (50.0, 0.0, 0.0))


def any_die() -> TaughtDie:
    random = np.random.default_rng(1)
    crops = random.integers(0, 255, (4, CROP_SIDE_PX, CROP_SIDE_PX, 3), np.uint8)
    shown = [ShownFace("BS"[n % 2], n // 2, crop, (50.0, 1.5, -20.25)) for n, crop in enumerate(crops)]
    return TaughtDie("Grandfather's die", "pitch", tuple(shown))


def test_a_taught_die_is_stored_exactly() -> None:
    """Name, kind, faces, rounds, colors and every pixel come back."""
    die = any_die()
    back = decode_die(encode_die(die))
    assert (back.name, back.kind) == (die.name, die.kind)
    for one, other in zip(back.shown, die.shown, strict=True):
        assert (one.face, one.round, one.tint) == (other.face, other.round, other.tint)
        assert np.array_equal(one.crop, other.crop)


def test_damaged_files_are_refused() -> None:
    data = encode_die(any_die())
    for place in (*range(0, len(data), 997), *range(len(data) - 150, len(data))):
        with pytest.raises(TaughtDieError):
            decode_die(data[:place])
        with pytest.raises(TaughtDieError):
            decode_die(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    for wrong in (replace(any_die(), kind="d7"), replace(any_die(), kind="d6")):
        with pytest.raises(TaughtDieError, match="contains no die"):
            decode_die(encode_die(wrong))
