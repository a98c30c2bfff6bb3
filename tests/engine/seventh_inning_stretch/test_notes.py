"""What a person is told before a choice: of a token what it makes of the dice, of an ability what is scored then."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table import Table
from tests.engine.seventh_inning_stretch.fixture import at, deck, skip, swing
from tests.engine.tables import asked, panel, play


def notes(table: Table) -> dict[str, str]:
    """What is said beside each answer."""
    ((n, ask),) = table.asks()
    return {one["value"]: one.get("note", "") for one in table.show(n, ask, ask.seat)["options"]}


# A reroll --------------------------------------------------------------------------------------------------------


def test_who_rerolls_throws_a_die_at_least() -> None:
    """What lies there already is not sure then; one of two dice may stay, and a nudge makes it likelier."""
    of_one = swing(at("F-MAX", pool=(0, 1, 0)), 4)
    assert {"keep": "single", "reroll": "home run 17 %, double 17 %, single 17 %"} == notes(of_one)
    assert "home run 31 %, double 25 %, single 67 %" == notes(swing(at("F-MAX", pool=(0, 1, 0)), 4, 4))["reroll"]
    nudged = notes(swing(at("F-MAX", pool=(0, 1, 1)), 4))["reroll"]
    assert "home run 33 %, double 50 %, single 50 %" == nudged


# Tokens that may be spent ----------------------------------------------------------------------------------------

FORCED: dict[str, Any] = {"phase": "finals", "cards": deck(forces={("finals", 3): "at most 1 nudge a half"})}


def hopes(table: Table) -> dict[str, float]:
    """What the board says that the dice can still become."""
    return {one["outcome"]: one["hope"] for one in panel(table, "card")["lines"]}


@pytest.mark.rule("SI-065", "SI-171")
@pytest.mark.parametrize("bound", [FORCED, {"house": {"tokensPerRoll": "oneEach"}}])
def test_only_tokens_that_may_be_spent_are_counted_on(bound: dict[str, Any]) -> None:
    """A playoff card leaves one nudge, or the house one a roll: a 4 is two steps from a home run."""
    free = swing(at("F-MAX", pool=(0, 1, 2)), 4)
    assert {"home run": 1, "double": 1, "single": 1} == hopes(free)
    assert "home run 50 %, double 67 %, single 83 %" == notes(free)["reroll"]
    table = swing(at("F-MAX", pool=(0, 1, 2), **bound), 4)
    assert {"home run": pytest.approx(1 / 3), "double": 1, "single": 1} == hopes(table)
    assert "home run 33 %, double 50 %, single 50 %" == notes(table)["reroll"]
    play(table, "4-up")
    assert {"keep", "reroll"} == set(notes(table))
    assert {"home run": pytest.approx(1 / 6), "double": 1, "single": pytest.approx(1 / 6)} == hopes(table)
    assert "home run 17 %, double 17 %, single 17 %" == notes(table)["reroll"]


@pytest.mark.rule("SI-204", "SI-206")
def test_once_the_dice_are_left_so_no_token_is_counted_on() -> None:
    """The defence has the last word then; on the next roll tokens count again."""
    table = swing(skip(at("F-MAX", pool=(0, 1, 2), duel=True), "relief"), 4)
    assert 1 == hopes(table)["home run"]
    play(table, "keep")
    assert (("ability",), {"home run": 0, "double": 0, "single": 1}) == (asked(table), hopes(table))
    table = swing(skip(play(table, "enough"), "relief"), 4)
    assert (("tokens",), 1) == (asked(table), hopes(table)["home run"])
