"""Blank cards: coaches are asked what the card did, only when needed, and within the rulebook's limits."""

from __future__ import annotations

import pytest

from engine.errors import IllegalAnswer
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import at, counted, needed, result, stand, stare, throw
from tests.engine.tables import asked, codes, give, offered, play

RACE = {"call-safe", "call-out"}


def blank(letter: str = "S", control: int = 4, swing: int = 2, guess: str = "away-high", **house: str) -> Table:
    return throw(at(batter="F-BLANK", house=house), letter, control, swing, "away-low", guess)


def test_a_blank_card_is_asked_about_only_while_a_slot_is_on() -> None:
    """With a token the question comes before the pitch is judged and again before the race; without one, never."""
    table = blank(swing=5)
    assert (("blank",), "home") == (asked(table), table.open_asks()[0][1].seat)
    assert (
        "Read F-BLANK's card: what does it do to this pitch?" == json_data(table.view_for(None))["asks"][0]["sentence"]
    )
    play(table, "nothing")
    assert ("nothing", "race 4", "their race 6", "unopposed") == offered(table)
    assert RACE == set(asked(play(table, "nothing")))
    assert RACE == set(asked(blank(swing=5, guess="inside-high")))
    assert {"guess", "pitch-call"} == set(asked(play(blank(), "nothing")))


@each(
    ("thrown", "guess", "on"),
    [
        ("away-low", "away-low", False),
        ("away-low", "away-high", True),
        ("inside-high", "inside-high", False),
        ("inside-high", "away-low", True),
    ],
)
def test_a_blank_pitcher(thrown: str, guess: str, on: bool) -> None:
    table = throw(at(pitcher="F-VOID"), "S", 4, 2, thrown, guess)
    assert on == (asked(table) == ("blank",))
    if on:
        assert "away" == table.open_asks()[0][1].seat


@each(
    ("said", "expected"),
    [
        ("nothing", (4, 2, "S")),
        ("swing +2", (4, 4, "S")),
        ("swing -1", (4, 1, "S")),
        ("control -2", (2, 2, "S")),
        ("S as C", (4, 2, "C")),
    ],
)
def test_effects_of_a_blank_card(said: str, expected: tuple[int, int, str]) -> None:
    assert expected == counted(play(blank(), said))


def test_further_effects_of_a_blank_card() -> None:
    """A changed result, a rerolled die, the other card's ability canceled, and effects in the race."""
    assert "foul" == result(play(blank(), "strike as foul"))
    table = play(blank(), "reroll swing")
    assert ("reroll",) == asked(table)
    assert (4, 3, "S") == counted(play(table, 3))
    table = throw(at(batter="F-BLANK", pitcher="F-PIT"), "S", 4, 3, "away-low", "away-high")
    assert "cancel location" in offered(table)
    assert (4, 3, "S") == counted(play(table, "cancel location"))
    table = play(blank(swing=5), "nothing", "race 4")
    assert {"home": (4, 5, 6), "away": (5, 6)} == needed(table)
    assert ("unopposed",) == asked(play(blank(swing=5), "nothing", "unopposed"))


@each(
    ("control", "swing", "missing", "there"),
    [
        (6, 1, ("control +1", "swing -1", "swing -2"), ("control -2", "swing +2")),
        (2, 5, ("control -2", "swing +2"), ("control -1", "swing +1")),
    ],
)
def test_no_die_goes_beyond_its_faces(
    control: int, swing: int, missing: tuple[str, ...], there: tuple[str, ...]
) -> None:
    table = blank(control=control, swing=swing)
    assert set(missing).isdisjoint(offered(table))
    assert set(there) < set(offered(table))
    for wrong in missing:
        with pytest.raises(IllegalAnswer):
            play(table, wrong)


def test_only_effects_that_can_happen_are_offered() -> None:
    """Only the letter thrown and the current result can change; with no ability on, none can be canceled."""
    table = blank("B", 4, 2)
    turns = [one for one in offered(table) if " as " in one]
    assert ["B as S", "B as C", "ball as strike", "ball as foul", "ball as contact"] == turns
    assert not [one for one in offered(table) if one.startswith("cancel") and "trait" not in one and "loc" not in one]


def test_both_cards_may_be_blank() -> None:
    """The batter is asked first, then the pitcher; a pitch has at most four questions."""
    table = stare(at(batter="F-BLANK", pitcher="F-VOID"), "away-low", "away-high")
    play(table, [4, "S"], 5)
    seats = []
    while asked(table) == ("blank",):
        seats.append(table.open_asks()[0][1].seat)
        play(table, "nothing")
    assert ["home", "away", "home", "away"] == seats
    assert ("1", 0) == stand(give(table, "home", 6))
    assert "ability" not in codes(table.log)
