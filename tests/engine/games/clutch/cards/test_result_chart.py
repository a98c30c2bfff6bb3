"""Result Charts: parsing, faults, and the odds of results."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice import FACES_BY_KIND
from engine.games.clutch.cards.result_chart import EXAMPLE_CHART, RESULT_CODES, ResultChart, parse_chart, result_chances
from tests.each import each
from tests.engine.games.clutch.fixture import BATTING, PITCHING


def charts() -> st.SearchStrategy[ResultChart]:
    """Return any chart: one or more results, each for one or more Swings."""
    rows = st.lists(st.tuples(st.integers(1, 9), st.sampled_from(RESULT_CODES)), min_size=1, max_size=10)

    def stacked(some: list[tuple[int, str]]) -> ResultChart:
        ends = accumulate(long for long, _ in some)
        return ResultChart(tuple((1 + end - long, result) for end, (long, result) in zip(ends, some, strict=True)))

    return rows.map(stacked)


@pytest.mark.rule("CL-183")
def test_a_swing_off_the_chart_reads_the_nearest_row() -> None:
    """A Swing of -1 or 0 reads the lowest row, one of 30 the highest (AM-27)."""
    assert ["SO", "SO", "HR"] == [parse_chart(BATTING)[swing] for swing in (-1, 0, 30)]


@given(charts())
def test_a_charts_text_parses_to_the_same_chart(made: ResultChart) -> None:
    assert made == parse_chart(str(made))


@pytest.mark.parametrize(
    "line",
    ["1–2 SO, 3+ HR", " 1 - 2  so ,3 + hr, ", "1-2 SO, 3+HR", "1−2 So, 3+ hR"],
    ids=["dash", "spaces", "tight", "minus"],
)
def test_a_line_may_be_typed_loosely(line: str) -> None:
    assert ResultChart(((1, "SO"), (3, "HR"))) == parse_chart(line)


@each(
    ("line", "why"),
    [
        ("1-6 SO, 8+ HR", "There is nothing for 7."),
        ("3-4 SO, 7 GB, 11+ HR", "There is nothing for 1-2, 5-6 and 8-10."),
        ("1-7 SO, 7+ HR", "7 is there twice."),
        ("1-7 SO, 5-8 GB, 9+ HR", "5-7 are there twice."),
        ("1-7 SO, 5-6 GB, 9+ HR", "There is nothing for 8. 5-6 are there twice."),
        ("1-2 SO, 3-4 HR", "The last row must be open: 3+ HR."),
        ("1+ SO, 2 GB, 3+ HR", "1+ SO is open, but not the last row."),
        ("4-6 SO, 1-3 GB, 7+ HR", "The rows must go up."),
        ("3-1 SO, 4+ HR", "3-1 runs backwards."),
        ("1-2 SO, 3+ HOMER", "'HOMER' is no result; there are SO, GB, FB, LD, BB, 1B, 2B, 3B, HR, HBP."),
        ("1-2 SO; 3+ HR", "'1-2 SO; 3+ HR' is no row; one is '3-4 GB', '19 3B' or '20+ HR'."),
        ("0-2 SO, 3+ HR", "'0-2 SO' is no row; one is '3-4 GB', '19 3B' or '20+ HR'."),
        ("", "'' is no row; one is '3-4 GB', '19 3B' or '20+ HR'."),
        (20, f"needs a line like {EXAMPLE_CHART!r}, not 20."),
    ],
)
def test_every_fault_of_a_chart_is_named(line: Any, why: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(why) + "$"):
        parse_chart(line)


def test_odds_are_exact() -> None:
    """Bx with the Regular Die, Bx with the Power Die and +2, and Px where only the Power Die reaches."""
    bx, px = parse_chart(BATTING), parse_chart(PITCHING)
    assert {
        "SO": Fraction(2, 20),
        "GB": Fraction(2, 20),
        "FB": Fraction(2, 20),
        "BB": Fraction(3, 20),
        "1B": Fraction(6, 20),
        "2B": Fraction(3, 20),
        "3B": Fraction(1, 20),
        "HR": Fraction(1, 20),
    } == result_chances(bx)
    assert {"GB": 2, "FB": 2, "BB": 3, "1B": 6, "2B": 3, "3B": 1, "HR": 7} == {
        result: chance * 24 for result, chance in result_chances(bx, "d24", 2).items()
    }
    assert (None, Fraction(2, 24)) == (result_chances(px).get("HR"), result_chances(px, "d24")["HR"])


@given(charts(), st.sampled_from(["d20", "d24"]), st.integers(-30, 30))
def test_odds_are_those_of_every_face(made: ResultChart, die: str, plus: int) -> None:
    found = result_chances(made, die, plus)
    assert 1 == sum(found.values())
    faces = [int(face) for face in FACES_BY_KIND[die]]
    for result in RESULT_CODES:
        assert found.get(result, 0) * len(faces) == sum(made[face + plus] == result for face in faces)
