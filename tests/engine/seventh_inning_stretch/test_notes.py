"""What a person is told before a choice: of a token what it makes of the dice, of an ability what is scored then."""

from __future__ import annotations

from engine.table import Table
from tests.engine.seventh_inning_stretch.fixture import at, swing


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
