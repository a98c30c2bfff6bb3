"""Hands in a duel's draft: when they become visible, and what happens when picks are taken back."""

from __future__ import annotations

import pytest

from engine.games.seventh_inning_stretch import GAME
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.engine.games.contract.secrecy import seen, views
from tests.engine.games.seventh_inning_stretch.contract import HANDS, OTHERS, draft, with_card
from tests.engine.games.seventh_inning_stretch.fixture import HOUSE, deck, true
from tests.engine.tables import give, play


def test_the_coach_it_is_passed_to_sees_a_hand() -> None:
    one, two = (seen(GAME, draft(with_card(6, card), *HANDS[:2]), views, "home") for card in OTHERS[:2])
    assert (True, False) == (one[:2] == two[:2], one[2] == two[2])


@pytest.mark.rule("SI-195")
def test_picks_are_seen_once_both_are_made() -> None:
    table = play(Table(GAME, [deck()], HOUSE | {"mode": "duel"}), "F-PIT", *HANDS)
    give(table, "away", "F-MAX")
    assert ("F-PIT",) == true(table).squads[0].roster
    assert [HIDDEN_TEXT] * 9 == [one["value"] for one in table.redacted_entries(None)[1:]]
    give(table, "home", "F-0")
    assert ["F-PIT", *[HIDDEN_TEXT] * 8, "F-MAX", "F-0"] == [one["value"] for one in table.redacted_entries(None)]
    assert [["hidden"] * 3] * 2 == list(json_data(table.view_for(None))["scoreboard"]["panel"]["hands"].values())


@pytest.mark.rule("SI-195")
def test_both_picks_are_taken_back_together() -> None:
    """Once both picks are visible, no coach can change his own knowing the other's."""
    table = play(Table(GAME, [deck()], HOUSE | {"mode": "duel"}), "F-PIT", *HANDS)
    give(give(table, "away", "F-MAX"), "home", "F-0")
    table.undo(table.answers[-1].n)
    assert ["pick", "pick"] == [ask.why for _, ask in table.open_asks()]
