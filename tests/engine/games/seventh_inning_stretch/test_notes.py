"""Notes on choices: how a token changes the odds, and the runs left after an ability."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    against,
    at,
    deck,
    half,
    pitcher_card,
    skip,
    swing,
    true,
)
from tests.engine.tables import asked, offered, panel, play


def notes(table: Table) -> dict[str, str]:
    ((n, ask),) = table.open_asks()
    return {one["value"]: one.get("note", "") for one in json_data(table.ask_view(n, ask, ask.seat))["options"]}


# A reroll --------------------------------------------------------------------------------------------------------


def test_a_reroll_includes_at_least_one_die() -> None:
    """So the dice on the table are not certain to stay; one of two may, and a nudge improves the odds."""
    of_one = swing(at("F-MAX", pool=(0, 1, 0)), 4)
    assert {"keep": "single", "reroll": "home run 17 %, double 17 %, single 17 %"} == notes(of_one)
    assert "home run 31 %, double 25 %, single 67 %" == notes(swing(at("F-MAX", pool=(0, 1, 0)), 4, 4))["reroll"]
    nudged = notes(swing(at("F-MAX", pool=(0, 1, 1)), 4))["reroll"]
    assert "home run 33 %, double 50 %, single 50 %" == nudged


# Tokens that may be spent ----------------------------------------------------------------------------------------

FORCED: dict[str, Any] = {"phase": "finals", "cards": deck(forces={("finals", 3): "at most 1 nudge a half"})}


def hopes(table: Table) -> dict[str, float]:
    return {one["outcome"]: one["hope"] for one in panel(table, "card")["lines"]}


@pytest.mark.rule("SI-065", "SI-171")
@each("bound", [FORCED, {"house": {"tokensPerRoll": "oneEach"}}])
def test_only_tokens_that_may_be_spent_count(bound: dict[str, Any]) -> None:
    """A playoff card allows one nudge, or the house one per roll, and a 4 is two steps from a home run."""
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
def test_no_token_counts_once_the_dice_are_final() -> None:
    table = swing(skip(at("F-MAX", pool=(0, 1, 2), duel=True), "relief"), 4)
    assert 1 == hopes(table)["home run"]
    play(table, "keep")
    assert (("ability",), {"home run": 0, "double": 0, "single": 1}) == (asked(table), hopes(table))
    table = swing(skip(play(table, "enough"), "relief"), 4)
    assert (("tokens",), 1) == (asked(table), hopes(table)["home run"])


# Abilities -------------------------------------------------------------------------------------------------------


def pitches(ability: str, force: str = "none") -> dict[str, Any]:
    return {"phase": "finals", "cards": deck({"F-PIT": pitcher_card("F-PIT", ability)}, {("finals", 3): force})}


@pytest.mark.rule("SI-125", "SI-171")
@each(("ability", "once"), [("1 run fewer", 1), ("runs at most 0", 0)])
def test_a_use_without_effect_is_not_offered(ability: str, once: int) -> None:
    """With no runs to take away there is no question; runs from a playoff card count no matter what."""
    more = pitches(ability, "the opponent scores 1 run more a half")
    table = play(against(**more), [1, 1, 6])
    assert ("B8", (1, 0), {}) == (half(table), true(table).score, true(table).tired)
    table = play(against(**more), [2, 4, 6])
    play(table, *offered(table)[1:])
    assert (("ability",) if once else ("at-bat",)) == asked(table)
    play(table, *offered(table)[1:] if once else ())
    assert ("B8", (1, 0)) == (half(table), true(table).score)
