"""What is noted of cards that are unlike those that are sold: taken all the same, for cards rule."""

from __future__ import annotations

import pytest

from engine.cards import parse
from engine.games.clutch.cards.card_fields import SHAPES
from engine.games.clutch.cards.card_set import warnings
from tests.engine.games.clutch.fixture import batter, pitcher, roster


def noted(*cards: str) -> list[str]:
    """The notes on cards."""
    deck = parse("\n".join(['[deck]\ngame = "clutch"\ntitle = "C"\n', *cards]), "c.toml", "clutch", SHAPES)
    return [str(fault).removeprefix("c.toml, ") for fault in warnings(deck.cards)]


@pytest.mark.rule("CL-095")
def test_numbers_that_real_cards_do_not_have_are_noted() -> None:
    """Speeds of 10 and 26, a shortstop of +7 and a catcher of +6; a catcher of +12 is none. All are taken."""
    assert [
        "batter 1, baserunning: is 10; speeds are mostly 11 to 25.",
        "batter 1, positions: SS is +7; it is mostly −2 to +6.",
        "batter 2, stealing: is 26; speeds are mostly 11 to 25.",
        "batter 2, positions: CA is +6; it is mostly +7 to +12.",
    ] == noted(
        batter("Bo Amber", "SS +7", "LF -2", "RF +6", baserunning=10),
        batter("Di Amber", "CA +6", stealing=26),
        batter("Al Amber", "CA +12", "1B -2", baserunning=11, stealing=25),
        batter("Jo Amber", "CA +7"),
    )


def test_a_bullpen_of_six_is_noted() -> None:
    """In a roster of 26; seven are usual (AM-21)."""
    names = [f"R{n}" for n in range(8)]
    small = roster("H", bench=["H-CA2", "H-1B2", "H-SS2", "H-LF2", "A", "B"], bullpen=names[:6])
    usual = roster("H", bench=["H-CA2", "H-1B2", "H-SS2", "H-LF2", "A"], bullpen=names[:7])
    assert ["roster 1, bullpen: has 6 relievers; seven or eight are usual."] == noted(small, usual, roster("A"))


@pytest.mark.rule("CL-010", "CL-021")
def test_results_of_the_other_chart_are_noted() -> None:
    """A line drive on a batter's and a triple on a pitcher's (AM-24); the usual ones are not."""
    assert [
        "batter 1, chart: has LD, which a batter's chart mostly has not.",
        "pitcher 1, chart: has 3B, which a pitcher's chart mostly has not.",
    ] == noted(batter("Bo Amber", chart="1-9 LD, 10+ HBP"), pitcher("Cy Flint", chart="1-9 SO, 10+ 3B"))
    assert [] == noted(batter("Bo Amber"), pitcher("Cy Flint"))
