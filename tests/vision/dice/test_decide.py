"""What fitted dice show, and the doubts about them: only dice near something lean."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import numpy as np
import pytest

from vision.dice.decide import (
    CALIBRATED_FLOOR_LIMITS,
    GUESSED_FLOOR_LIMITS,
    KNOWN_FLOOR_LIMITS,
    NEAR_DISTANCE_MM,
    DiceDoubt,
    DoubtLimits,
    FittedFace,
    doubt_about_die,
    face_of_sign,
    may_hide_die,
    merge_taught_faces,
    most_urgent_doubt,
    ranked_faces,
)
from vision.dice.dice_finder import FittedDie, measure_gaps, outline_gap, outline_overlap
from vision.dice.evidence import doubt_evidence
from vision.dice.facets import SIGNS_BY_SHAPE
from vision.dice.foreign_objects import ForeignObject
from vision.dice.pose import DiePose
from vision.reading import DieReading, Reading

FLAT = DiePose(np.eye(3), np.zeros(3), -0.5)
SQUARE = np.array([(0.0, 0.0), (16, 0), (16, 16), (0, 16)])


def die(foot: tuple[float, float] = (0.0, 0.0), agrees: float = 0.9) -> FittedDie:
    return FittedDie("d6", 16.0, FLAT, Mock(), SQUARE, SQUARE + np.array(foot), agrees, 1.0, 0.9, Mock())


def shown(**changes: object) -> FittedFace:
    sure = FittedFace(die(), (8.0, 8.0), SQUARE, "d6", 4, 0.99, (), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return replace(sure, **changes)  # type: ignore[arg-type]


def alone(dice: list[FittedFace]) -> list[DiceDoubt | None]:
    return [doubt_about_die(one) for one in dice]


def key(dice: list[FittedFace], *things: ForeignObject) -> str | None:
    doubt = most_urgent_doubt(alone(dice), things)
    return None if doubt is None else doubt.key


@pytest.mark.parametrize(
    ("shape", "sign", "face"),
    [("d6", "4 pips", ("d6", 4)), ("d6", "4", ("d6", 4)), ("d6", "S", ("pitch", "S")), ("d10", "0", ("d10", 10)),
     ("d10", "70", ("d10", 7)), ("d10", "00", ("d10", 10)), ("tetrakis", "21", ("d24", 21))],
)  # fmt: skip
def test_a_sign_is_a_face_of_its_kind(shape: str, sign: str, face: tuple[str, int | str]) -> None:
    assert face_of_sign(shape, sign) == face


def test_pips_and_numerals_of_one_value_count_together_and_other_kinds_do_not() -> None:
    chances = np.zeros(len(SIGNS_BY_SHAPE["d6"]) + 1)
    (
        chances[SIGNS_BY_SHAPE["d6"].index("3 pips")],
        chances[SIGNS_BY_SHAPE["d6"].index("3")],
        chances[SIGNS_BY_SHAPE["d6"].index("B")],
    ) = (
        0.3,
        0.2,
        0.5,
    )
    (chance, *face), *_ = ranked_faces("d6", chances, {"d6"})
    assert face == ["d6", 3]
    assert chance == pytest.approx(1)
    assert ranked_faces("d6", chances, {"d6", "pitch"})[0][0] == pytest.approx(0.5)


def test_a_taught_die_counts_first() -> None:
    """Its faces take their share of what is likely; of its kind, what is usual is not fully believed."""
    usual = [(0.9, "pitch", "B"), (0.1, "pitch", "S")]
    (chance, *face), (rest, *_), _ = merge_taught_faces(usual, {("pitch", "C"): 0.8}, {"pitch"})
    assert face == ["pitch", "C"]
    assert chance == pytest.approx(0.8)
    assert rest == pytest.approx(0.9 * 0.2 * 0.8)
    assert merge_taught_faces(usual, {("d6", 1): 0.0}, {"pitch"}) == usual
    assert merge_taught_faces(usual, {("pitch", "C"): 0.0}, {"pitch"})[0][0] == pytest.approx(0.72)


def test_a_die_that_touches_nothing_does_not_lean() -> None:
    far, near, wall = die(), die(), die()
    near.away, wall.wall, wall.off = NEAR_DISTANCE_MM - 0.1, NEAR_DISTANCE_MM + 0.9, 1.0
    assert [key([shown(die=one, leans=0.9)]) for one in (far, near, wall)] == [None, "cocked", "cocked"]
    assert key([shown(die=near, leans=0.9, lift=9.0)]) == "stacked"
    assert key([shown(die=near, leans=0.1)]) is None


def test_where_the_floor_is_guessed_less_is_asked() -> None:
    """Only a die that nearly surely leans, or outlines that overlap by more."""
    near, lapping = die(), die()
    near.away, lapping.away = 1.0, -4.0

    def asked(leans: float, limits: DoubtLimits) -> bool:
        return doubt_about_die(shown(die=near, leans=leans), limits) is not None

    assert [asked(0.48, limits) for limits in (KNOWN_FLOOR_LIMITS, CALIBRATED_FLOOR_LIMITS, GUESSED_FLOOR_LIMITS)] == [
        True,
        False,
        False,
    ]
    assert [asked(0.95, limits) for limits in (KNOWN_FLOOR_LIMITS, CALIBRATED_FLOOR_LIMITS, GUESSED_FLOOR_LIMITS)] == [
        True,
        True,
        False,
    ]
    assert asked(0.98, GUESSED_FLOOR_LIMITS)
    assert doubt_about_die(shown(die=lapping), GUESSED_FLOOR_LIMITS) is None


def test_outlines_that_overlap_are_a_stack() -> None:
    one, other = die(), die((12.0, 0.0))
    measure_gaps([one, other], None)
    assert [one.away, other.away] == pytest.approx([-4, -4])
    assert key([shown(die=one), shown(die=other)]) == "stacked"


@pytest.mark.parametrize(
    ("changes", "doubt"),
    [
        ({}, None),
        ({"white": 0.2}, None),
        ({"chance": 0.8}, "unclear"),
        ({"chance": 0.9, "white": 0.2}, "glare"),
        ({"blank": 0.7}, "symbol"),
        ({"chance": 0.9, "die": die(agrees=0.8)}, "unclear"),
        ({"chance": 0.99, "die": die(agrees=0.8)}, None),
    ],
)
def test_what_cannot_be_read_is_asked_about(changes: dict[str, object], doubt: str | None) -> None:
    assert key([shown(), shown(**changes)]) == doubt


@pytest.mark.parametrize(
    ("thing", "doubt"),
    [(ForeignObject(900.0, 0.1, True, 0.0), "hand"), (ForeignObject(900.0, 0.1, False, 0.0), "thing"),
     (ForeignObject(250.0, 0.1, True, 20.0), "thing"), (ForeignObject(250.0, 0.6, False, 20.0), "glare"),
     (ForeignObject(250.0, 0.1, False, 3.0), None), (ForeignObject(60.0, 0.1, False, 50.0), None)],
)  # fmt: skip
def test_other_things_are_asked_about(thing: ForeignObject, doubt: str | None) -> None:
    """If they are large; what is next to a die may be its own reflection, and what is white a die that light hides."""
    assert key([shown()], thing) == doubt
    assert key([], thing) == (doubt or "none")


def test_a_doubt_is_said_in_words() -> None:
    """It names the die, what it leans on, and the figures that decided."""
    white, red = die(), die((17.0, 0.0))
    measure_gaps([white, red], np.array([(-60.0, -60), (90, -60), (90, 90), (-60, 90)]))
    dice = [DieReading("d6", 4, "white", (0, 0, 9, 9), 0.99), DieReading("d6", 2, "red", (9, 0, 9, 9), 0.99)]
    seen = [shown(die=white, leans=0.9, tilt=14.0), shown(die=red, value=2)]
    doubt = most_urgent_doubt(alone(seen))
    assert doubt is not None
    evidence = doubt_evidence(doubt, seen, dice, 0.5)
    assert evidence is not None
    assert evidence.words == "The white die is leaning on the red die"
    figures = {one.name: one for one in evidence.figures}
    assert figures["degrees"] == ("degrees", 14.0, None, None)
    assert figures["mm away"].value == pytest.approx(1)
    assert figures["leans"].figure_text == f"leans 0.90, at most {figures['leans'].most:.2f}"
    assert evidence.outline == tuple((2 * int(x), 2 * int(y)) for x, y in SQUARE)
    reading = Reading(tuple(dice), "cocked", 1.0, evidence)
    assert reading.advice == "The white die is leaning on the red die: roll it again or lay it flat."
    assert reading.doubt_reason is not None
    assert reading.doubt_reason.startswith("cocked: mm away 1.00, needs 7.00; leans 0.90, at most ")
    seen[1] = replace(seen[1], chance=0.6, likely=(3,))
    unclear = most_urgent_doubt(alone(seen[1:]))
    assert unclear is not None
    words = doubt_evidence(unclear, seen[1:], [replace(dice[1], colour=None)], 1.0)
    assert words is not None
    assert words.words == "The die may show 2 or 3"
    assert doubt_evidence(DiceDoubt("hand"), seen, dice, 1.0) is None


def test_gaps_are_between_the_nearest_sides() -> None:
    """Also where a corner is next to a side, and to the wall around both."""
    turned = np.array([(0.0, -5.0), (5, 0), (0, 5), (-5, 0)])
    assert outline_gap(SQUARE, turned + np.array([25, 8])) == pytest.approx(4, abs=0.01)
    assert outline_overlap(SQUARE, SQUARE + np.array([8, 0])) == pytest.approx(0.5)
    one, other = die(), die((30.0, 0.0))
    measure_gaps([one, other], np.array([(-6.0, -20), (60, -20), (60, 50), (-6, 50)]))
    assert [one.away, one.wall, other.wall] == pytest.approx([14, 6, 14])


@pytest.mark.parametrize(
    ("area", "away", "hides"), [(60.0, 2.0, True), (30.0, 2.0, False), (60.0, 12.0, False), (900.0, 12.0, False)]
)
def test_what_lies_close_to_a_die_may_be_another_beneath(area: float, away: float, hides: bool) -> None:
    assert may_hide_die([ForeignObject(area, 0.0, False, away)]) == hides


@pytest.mark.parametrize(
    ("spot", "sign", "chance", "doubt"),
    [(0.2, 2, 0.95, "glare"), (0.2, 2, 0.99, None), (0.2, 8, 0.95, None), (0.05, 2, 0.95, None), (0.7, 2, 0.95, None),
     (0.2, 2, 0.5, "unclear")],
)  # fmt: skip
def test_a_reflection_may_be_taken_for_a_pip(spot: float, sign: int, chance: float, doubt: str | None) -> None:
    """If it is larger than one, and not the whole body; numerals are larger than pips."""
    one = die()
    one.top = np.eye(len(SIGNS_BY_SHAPE["d6"]) + 1)[sign]
    assert key([shown(die=one, spot=spot, chance=chance)]) == doubt
