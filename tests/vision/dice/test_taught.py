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
from vision.dice.taught import GRAIN, FaceBank, ShownFace, TaughtDie, TaughtError, ask, pack_die, unpack_die
from vision.drawn.letters import Print
from vision.drawn.shapes import MARKS, faces
from vision.drawn.tray import DrawnDie, DrawnTray
from vision.reader import Reader
from vision.reading import Face

FOREIGN = DrawnDie("blue", 16, "white", "pitch", print=Print(texts=tuple("PX++XP")))
"""A pitching die with signs other than B, S and C."""

DICE = {
    "a foreign pitching die": (FOREIGN, 0.0),
    "one with odd signs, aslant": (DrawnDie("black", 16, "gold", "pitch", print=Print(texts=tuple("#?&&?#"))), 25.0),
    "an engraved die": (DrawnDie("red", 16, "brown", "numeral", print=Print(UNSEEN[4])), 0.0),
    "a die of letters": (DrawnDie("ivory", 16, "red", "numeral", print=Print(UNSEEN[0], texts=tuple("AKQJT9"))), 0.0),
}


@cache
def shown(die: DrawnDie, tilt: float = 0.0) -> TaughtDie:
    """Teach a die, once for all tests."""
    tray = DrawnTray(seed=5, tilt=tilt, view=220)
    return taught(at_table(tray), tray, die)


def table(die: DrawnDie, tilt: float = 0.0) -> tuple[Reader, DrawnTray, TaughtDie]:
    known = shown(die, tilt)
    tray = DrawnTray(seed=6, tilt=tilt, view=220)
    reader = at_table(tray, frozenset({known.kind}))
    reader.taught = (FaceBank(known),)
    return reader, tray, known


def thrown(reader: Reader, tray: DrawnTray, die: DrawnDie, value: int) -> tuple[Face, tuple[Face, ...], str | None]:
    end = tray.throw(0.0, [die], [value])
    reading = reader.read(tray.frame(end))
    return MARKS["pitch"][value - 1] if die.kind == "pitch" else value, reading.values, reading.doubt


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
        throws.append(thrown(reader, tray, die, n % faces(die.kind) + 1))
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
        replace(FOREIGN, print=Print(texts=tuple("#?&&?#"))),
        replace(FOREIGN, print=Print()),
        replace(FOREIGN, colour="red"),
    ],
)
def test_another_die_is_asked_about(other: DrawnDie) -> None:
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
        end = tray.throw(0.0, [DrawnDie(), FOREIGN], [value, value])
        reading = reader.read(tray.frame(end))
        read = {die.kind: die.value for die in reading.dice}
        fits = read == {"d6": value, "pitch": MARKS["pitch"][value - 1]}
        assert fits or not reading.sure
        right, sure = right + fits, sure + reading.sure
    assert right >= 5
    assert sure >= 3


@pytest.mark.slow
def test_two_taught_dice_are_distinguished() -> None:
    """A pitching die and a d6 are both cubes; each is recognized by its own bank, at any picture size."""
    letters = DICE["a die of letters"][0]
    tray = DrawnTray((1280, 960), seed=5, view=220)
    reader = at_table(tray, frozenset({"d6", "pitch"}))
    reader.taught = tuple(FaceBank(shown(die)) for die in (FOREIGN, letters))
    right = 0
    for value in range(1, 7):
        end = tray.throw(0.0, [FOREIGN, letters], [value, value])
        reading = reader.read(tray.frame(end))
        fits = {die.kind: die.value for die in reading.dice} == {"d6": value, "pitch": MARKS["pitch"][value - 1]}
        assert fits or not reading.sure
        right += fits
    assert right >= 5


@pytest.mark.slow
def test_the_trial_shows_how_well_it_is_read() -> None:
    """A die with three signs is recognized by the other round; one with the same sign three times is not."""
    _, _, known = table(FOREIGN)
    trial = FaceBank(known).trial()
    assert (trial.count, trial.right, trial.wrong) == (6, 6, 0)
    _, _, same = table(replace(FOREIGN, print=Print(texts=tuple("XXXXXX"))))
    trial = FaceBank(same).trial()
    assert trial.right < 6
    assert trial.wrong == 0
    once = replace(known, shown=known.shown[:3])
    assert FaceBank(once).trial().count == 0


@pytest.mark.slow
def test_faces_that_look_alike_are_asked_about() -> None:
    die = replace(FOREIGN, print=Print(texts=tuple("XXXXXX")))
    reader, tray, _ = table(die)
    assert all(thrown(reader, tray, die, value)[2] for value in range(1, 7))


def test_one_die_is_shown() -> None:
    tray, reader = DrawnTray(seed=5, view=220), Reader()
    with pytest.raises(TaughtError, match="No die found"):
        reader.take_face(tray.frame(0.0), "pitch", "B", 0)
    end = tray.throw(0.0, [FOREIGN, FOREIGN], [1, 2])
    with pytest.raises(TaughtError, match="2 dice found"):
        reader.take_face(tray.frame(end), "pitch", "B", 0)


def test_a_die_no_net_finds_is_found_by_the_empty_tray() -> None:
    """A flat token is where the picture differs from the empty tray, and can be taught."""
    tray = DrawnTray(seed=5, view=220)
    reader, empty = at_table(tray), tray.frame(0.0)
    frame = empty.copy()
    frame[200:246, 300:346] = (30, 200, 220)
    assert reader.take_face(frame, "pitch", "B", 0).face == "B"


def test_of_two_taught_dice_of_one_kind_the_one_that_is_recognized_counts() -> None:
    """In whichever order they were taught."""
    crop = np.zeros((GRAIN, GRAIN, 3), np.uint8)
    mine, other = Mock(kind="d6"), Mock(kind="d6")
    mine.ask.return_value, other.ask.return_value = {1: 0.1, 4: 0.8}, {1: 0.0, 2: 0.0}
    for banks in ([mine, other], [other, mine]):
        assert ask(banks, crop, (50.0, 0.0, 0.0)) == {("d6", 1): 0.1, ("d6", 2): 0.0, ("d6", 4): 0.8}
    assert ask([], crop, (50.0, 0.0, 0.0)) == {}


def any_die() -> TaughtDie:
    random = np.random.default_rng(1)
    crops = random.integers(0, 255, (4, GRAIN, GRAIN, 3), np.uint8)
    shown = [ShownFace("BS"[n % 2], n // 2, crop, (50.0, 1.5, -20.25)) for n, crop in enumerate(crops)]
    return TaughtDie("Grandfather's die", "pitch", tuple(shown))


def test_a_taught_die_is_stored_exactly() -> None:
    """Name, kind, faces, rounds, colors and every pixel come back."""
    die = any_die()
    back = unpack_die(pack_die(die))
    assert (back.name, back.kind) == (die.name, die.kind)
    for one, other in zip(back.shown, die.shown, strict=True):
        assert (one.face, one.round, one.tint) == (other.face, other.round, other.tint)
        assert np.array_equal(one.crop, other.crop)


def test_damaged_files_are_refused() -> None:
    data = pack_die(any_die())
    for place in (*range(0, len(data), 997), *range(len(data) - 150, len(data))):
        with pytest.raises(TaughtError):
            unpack_die(data[:place])
        with pytest.raises(TaughtError):
            unpack_die(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    for wrong in (replace(any_die(), kind="d7"), replace(any_die(), kind="d6")):
        with pytest.raises(TaughtError, match="holds no die"):
            unpack_die(pack_die(wrong))
