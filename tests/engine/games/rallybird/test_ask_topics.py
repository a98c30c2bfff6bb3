"""Gloves that stay as they lie: when that is an answer, and that it tells nothing about the card."""

from __future__ import annotations

import pytest

from engine.asks import Arrange
from engine.games.rallybird import GAME
from engine.table import Table
from tests.engine.games.rallybird.fixture import at, bat, lie, ready, sides, true
from tests.engine.tables import asked, inside, play


def stays(table: Table) -> dict[str, str] | None:
    """Return the answer that leaves the Gloves as they lie."""
    ((_, ask),) = table.open_asks()
    assert isinstance(inside(ask), Arrange), ask
    found = next(topic for topic in GAME.standing if ask.why in topic.ask_codes).automatic_answer(ask)
    assert not isinstance(found, str)
    return found


@pytest.mark.rule("RB-034")
def test_gloves_stay_as_they_lie() -> None:
    """As the side laid them, wherever that was, until it moves them."""
    table = play(ready(), "F-DRIVE")
    laid = lie(table)
    laid["A"], laid["E"] = laid["E"], laid["A"]
    play(table, laid, [1, 1], "F-1")
    assert laid == stays(table)
    play(table, stays(table))
    assert laid == dict(true(table).lying)
    assert ("hit",) == asked(table)


@pytest.mark.rule("RB-069")
def test_a_glove_that_was_turned_over_stays_where_it_is() -> None:
    table = bat(at(), "F-DRIVE", 12)
    assert {"gE": "back"} == sides(table)
    laid = dict(true(table).lying)
    assert laid == stays(play(table, "F-1"))
    play(table, laid)
    assert {"gE": "back"} == sides(table)


@pytest.mark.rule("RB-067", "RB-098")
def test_a_zone_whose_glove_was_taken_away_stays_bare() -> None:
    table = bat(at(field="E3b"), "F-DRIVE", 12)
    assert {"gE": "removed"} == sides(table)
    assert {zone: f"g{zone}" for zone in "ABCDF"} == stays(play(table, "F-1"))


@pytest.mark.rule("RB-075")
def test_they_do_not_stay_for_the_other_side() -> None:
    table = bat(at(outs=2), "F-DRIVE", 2)
    play(table, "F-6", "gX", "F-1")
    assert stays(table) is None


@pytest.mark.rule("RB-038")
def test_it_is_the_same_whichever_card_lies() -> None:
    """The answer comes from what lies on the board for all to see."""
    found = [stays(play(bat(at(), "F-DRIVE", 12), card)) for card in ("F-1", "F-LEFT", "F-RIGHT", "F-LONG")]
    assert found[0] is not None
    assert [found[0]] * 4 == found
