"""Choices of Bottom of the 9th that are none: all the relief there is."""

from __future__ import annotations

from typing import Any

from engine.asks import Choose
from engine.table import Table
from tests.engine.games.bottom_of_the_9th.fixture import at, contact, dash, deck


def out(bases: str = "", **more: Any) -> Table:
    """Play an at-bat in which the batter is thrown out with these bases taken."""
    return dash(contact(at(bases, **more)), "away")


def relief_moot(table: Table) -> str | None:
    """Return the moot answer about relief."""
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Choose), ask
    assert "relief" == ask.why
    return ask.moot_option


def test_all_relief_is_taken_where_nothing_speaks_against_it() -> None:
    """Every token goes to its top row; a part of it is a choice, and so is a reliever who may come in."""
    for where, expected in (((1, 2), "relief-1-2"), ((3, 0), "relief-3-0"), ((2, 2), None), ((3, 1), None)):
        assert expected == relief_moot(out(rows=where, reliever=None))
    assert None is relief_moot(out(rows=(1, 2)))
    assert None is relief_moot(out("1", rows=(2, 1), reliever=None))
    assert "relief-0-2" == relief_moot(out("1", rows=(0, 2), reliever=None))


def test_relief_is_a_choice_where_a_card_looks_at_the_rows() -> None:
    """Of the pitcher or of a batter still to come; a blank card may."""
    tired = '{ do = "swing -1", when = { direction_row = 3 } }'
    rested = '{ do = "swing -1", unless = { location_row = 0 } }'
    for card in (tired, rested):
        arms = {"F-MILD": f'role = "starter"\nace = "inside-high"\ntrait = {card}'}
        assert None is relief_moot(out(rows=(1, 1), reliever=None, cards=deck(arms=arms)))
        batters = {"F-LEFT": f'positions = "LF"\nlocation = {card}'}
        assert None is relief_moot(out(rows=(1, 1), reliever=None, cards=deck(batters)))
    other = {"F-LEFT": 'positions = "LF"\nlocation = { do = "swing -1", when = { outs = 2 } }'}
    assert "relief-1-1" == relief_moot(out(rows=(1, 1), reliever=None, cards=deck(other)))
    assert None is relief_moot(out(rows=(1, 1), reliever=None, batter="F-DULL", cards=deck(BLANK)))


BLANK = {"F-LEFT": 'positions = "LF"\nblank = true'}
