"""Which dice without pips are believed, and which doubt is named otherwise."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.dice.test_decide_pips import look
from vision.dice.classify_numerals import SHAPES, SIGNS, Numeral, Top
from vision.dice.decide_numerals import ORDER, decide_numerals
from vision.dice.decide_pips import JudgedPips
from vision.dice.detect import Candidate
from vision.reading import DOUBTS, KINDS, Face


def numeral(
    *signs: str,
    shape: str = "d20",
    x: float = 200,
    size: float = 60,
    die: float = 0.999,
    sure: float = 0.99,
    tops: tuple[float, ...] = (1.0,),
) -> Numeral:
    """Return a place that holds a die of this shape with probability `die`. A face that is on top with each probability
    of `tops` shows each of the `signs` with probability `sure`."""
    shapes = np.full(len(SHAPES), 0.0)
    shapes[0], shapes[SHAPES.index(shape)] = 1 - die, die
    faces = []
    for sign, chance in zip(signs, tops, strict=True):
        rows = np.full(len(SIGNS) + 1, (1 - sure) / len(SIGNS))
        rows[SIGNS.index(sign)] = sure
        faces.append(Top(x, 200, chance, rows, 0.0))
    return Numeral(Candidate(x, 200, size, 0.5), shapes, tuple(faces))


def judged(
    *found: Numeral, looks: tuple[JudgedPips, ...] = (), kinds: frozenset[str] = KINDS
) -> tuple[list[tuple[str, Face | None]], int, str | None]:
    """Return kinds and values, the number of looks left, and the doubt for a frame of 640x400."""
    dice, left, doubt = decide_numerals(found, looks, kinds, 640, 400)
    return [(die.kind, die.value) for die in dice], len(left), doubt


@pytest.mark.parametrize(
    ("shape", "sign", "kind", "value"),
    [
        ("d20", "17", "d20", 17),
        ("d24", "24", "d24", 24),
        ("d8", "8", "d8", 8),
        ("d8", "9", "d8", 6),
        ("d10", "7", "d10", 7),
        ("d10", "0", "d10", 10),
        ("d10", "00", "d10", 10),
        ("d10", "30", "d10", 3),
        ("cube", "4", "d6", 4),
        ("cube", "9", "d6", 6),
        ("cube", "B", "pitch", "B"),
        ("cube", "S", "pitch", "S"),
        ("cube", "C", "pitch", "C"),
    ],
)
def test_a_clear_die_is_certain(shape: str, sign: str, kind: str, value: Face) -> None:
    """Every kind is read by its shape and its sign: without a 9 on the die a 9 is a 6, and a ten is its digit."""
    assert judged(numeral(sign, shape=shape)) == ([(kind, value)], 0, None)


def test_unlikely_dice() -> None:
    # Without numeral dice, dice with pips decide.
    assert judged(looks=(look(3, 300),)) == ([], 1, None)
    assert judged(numeral("3", die=0.05)) == ([], 0, None)
    # Beside dice with pips, neither a possible die nor an unreadable one raises a question; without any they do.
    clear = (look(3, 500),)
    assert judged(numeral("3", die=0.4), looks=clear) == ([], 1, None)
    assert judged(numeral("3", sure=0.05), looks=clear) == ([], 1, None)
    assert judged(numeral("3", sure=0.05))[2] == "unclear"
    # However clear its sign.
    assert judged(numeral("8", die=0.35))[2] == "unclear"
    assert judged(numeral("8", die=0.6))[2] is None


@pytest.mark.parametrize("die", [0.3, 0.45])
def test_a_possible_die_raises_a_question(die: float) -> None:
    """A possible die is a guess, and asked about."""
    assert judged(numeral("3", die=die)) == ([("d20", 3)], 0, "unclear")


def test_beside_sure_dice_only_clearly_read_ones_count() -> None:
    """With the pips in doubt, a less clear reading is enough."""
    found, clear = [numeral("3", sure=0.45)], [look(3, 500)]
    assert decide_numerals(found, clear, KINDS, 640, 400, sure=True)[0] == []
    assert [die.doubt for die in decide_numerals(found, clear, KINDS, 640, 400)[0]] == ["unclear"]


@pytest.mark.parametrize("sure", [0.4, 0.7])
def test_an_ambiguous_sign_raises_a_question(sure: float) -> None:
    """The likeliest face is offered."""
    assert judged(numeral("13", sure=sure)) == ([("d20", 13)], 0, "unclear")


def test_two_possible_top_faces_raise_a_question() -> None:
    """Both are offered, the likelier first; if both show the same value, it is certain."""
    dice, _, doubt = decide_numerals([numeral("20", "8", tops=(0.6, 0.4))], (), KINDS, 640, 400)
    assert (dice[0].value, dice[0].likely[:1], doubt) == (20, (8,), "cocked")
    assert judged(numeral("5", "5", shape="cube", tops=(0.6, 0.4)))[2] is None


def test_a_face_that_the_wary_prior_doubts_raises_a_question() -> None:
    """Another face may be on top if the camera is at a slant; this one is offered all the same."""
    clear = numeral("17")
    doubted = replace(clear, tops=(replace(clear.tops[0], wary=0.8),))
    assert judged(clear) == ([("d20", 17)], 0, None)
    assert judged(doubted) == ([("d20", 17)], 0, "unclear")


def test_a_die_that_cannot_be_certain_raises_a_question() -> None:
    # A d20 has no 24: whatever is offered, nothing is certain.
    assert judged(numeral("24"))[2] == "unclear"
    # It has no value, and the advice says what to do.
    assert judged(numeral("7", shape="d12")) == ([("d10", None)], 0, "kind")
    assert judged(numeral("7", shape="d8"), kinds=frozenset({"d20"})) == ([("d20", None)], 0, "kind")
    # A blurred die with pips, or a coin, may resemble another shape: it is left to the pips' classifier.
    assert judged(numeral("7", shape="d8", sure=0.1), looks=(look(3, 500),), kinds=frozenset({"d6"})) == ([], 1, None)
    # A numeral may be cut off.
    assert judged(numeral("11", x=5))[2] == "edge"


def test_the_expected_shape_settles_an_ambiguous_one() -> None:
    """A die that is a d20 or a d24 is the d20 if d20 are thrown; without that knowledge it is asked about."""
    shapes = np.zeros(len(SHAPES))
    shapes[SHAPES.index("d20")] = shapes[SHAPES.index("d24")] = 0.5
    one = numeral("17")
    both = Numeral(one.where, shapes, one.tops)
    assert judged(both, kinds=frozenset({"d20"})) == ([("d20", 17)], 0, None)
    assert judged(both)[2] == "unclear"


def test_one_place_is_one_die_with_pips_or_without() -> None:
    # A clear die with pips is not a die with a numeral, and vice versa.
    pips = look(1, 205, size=58)
    assert judged(numeral("0", shape="d10", die=0.9), looks=(pips,)) == ([], 1, None)
    assert judged(numeral("1", shape="cube"), looks=(look(1, 205, size=58, face=0.6, sure=0.8),)) == (
        [("d6", 1)],
        0,
        None,
    )
    # A place without a sign on something larger that is clearly a die is part of it; one with a doubtful sign is asked
    # about.
    large = look(6, 220, size=220)
    assert judged(numeral("8", sure=0.1), looks=(large,)) == ([], 1, None)
    assert judged(numeral("8", sure=0.4), looks=(large,)) == ([], 1, "unclear")
    # In one place with a barely read pip it is asked about; in one with a sure pip it is not.
    five, hardly = numeral("5", shape="cube", die=0.99), look(1, 200, size=60, face=0.995, sure=0.5)
    assert judged(five, looks=(hardly,)) == ([("d6", 5)], 0, "unclear")
    assert judged(numeral("5", shape="cube", die=0.9), looks=(look(1, 200, size=60),)) == ([], 1, None)
    # A die more likely to have pips is asked about if a sign on it is read better than the pips.
    place = look(1, 200, size=60, sure=0.9)
    assert judged(numeral("5", shape="cube", die=0.99), looks=(place,))[2] == "unclear"
    assert judged(numeral("5", shape="cube", die=0.99, sure=0.5), looks=(place,))[2] is None


def test_of_two_things_in_one_place_the_die_counts() -> None:
    # One place is one die.
    assert judged(numeral("8"), numeral("4", size=26, die=0.6, shape="cube")) == ([("d20", 8)], 0, None)
    assert judged(numeral("8"), numeral("9", size=66, die=0.9)) == ([("d20", 8)], 0, None)
    # A round pad with marks is not a die, however much it looks like one, if a clear die lies on it.
    assert judged(numeral("8", die=0.97), numeral("C", size=220, shape="cube")) == ([("d20", 8)], 0, None)
    assert judged(numeral("8", die=0.6), numeral("C", size=220, shape="cube")) == ([("pitch", "C")], 0, None)
    # A part of a shape that is not expected does not hide the die; one of an expected shape does.
    whole, part = numeral("17", size=120, die=0.9), numeral("7", shape="d8", size=60)
    assert judged(part, whole, kinds=frozenset({"d20"})) == ([("d20", 17)], 0, None)
    assert judged(numeral("7", size=60), whole, kinds=frozenset({"d20"})) == ([("d20", 7)], 0, None)
    # A thing far larger or smaller than a die without pips, in its place, is not read by pips.
    pad, pip = look(1, 220, size=220), look(3, 190, size=16)
    assert judged(numeral("8"), looks=(pad, pip, look(5, 500))) == ([("d20", 8)], 1, None)


def test_every_doubt_has_its_advice() -> None:
    assert set(ORDER) <= set(DOUBTS)


def test_the_turn_of_a_sign_is_reported() -> None:
    """In degrees, clockwise; None if nothing can be offered."""
    one = numeral("17")
    a_quarter = replace(one, tops=(replace(one.tops[0], turn=-math.pi / 2),))
    (die,), _, _ = decide_numerals([a_quarter], (), KINDS, 640, 400)
    assert die.turn == pytest.approx(270)
    (foreign,), _, _ = decide_numerals([a_quarter], (), frozenset({"d8"}), 640, 400)
    assert foreign.turn is None


def test_beside_dice_with_pips_a_cube_with_a_sign_raises_a_question() -> None:
    """It may be a plus instead of a four; a thing less than 95 % sure to be a die may be a coin."""
    pips = look(5, 500, size=58)
    assert judged(numeral("4", shape="cube"), looks=(pips,)) == ([("d6", 4)], 1, "unclear")
    assert judged(numeral("4", shape="cube")) == ([("d6", 4)], 0, None)
    assert judged(numeral("17", sure=0.97, die=0.7), looks=(pips,)) == ([("d20", 17)], 1, "unclear")
    assert judged(numeral("17", sure=0.97, die=0.7)) == ([("d20", 17)], 0, None)
    assert judged(numeral("17"), looks=(pips,)) == ([("d20", 17)], 1, None)
