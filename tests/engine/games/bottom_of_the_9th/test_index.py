"""Parts of the index that only Bottom of the 9th has."""

from __future__ import annotations

from engine.games.bottom_of_the_9th import GAME
from engine.table import Table
from tests.engine.games.bottom_of_the_9th.fixture import deck
from tests.engine.rules_index import Index


def test_every_pitch_has_the_same_facts() -> None:
    events = Index(GAME.key).events()
    for code in ("strike", "foul", "contact", "crush", "ball"):
        assert [{"seat", "batter", "letter", "control", "swing"}] == events[code]


def test_the_panel_before_the_pitchers_are_chosen() -> None:
    assert {"lineup"} == set(Table(GAME, [deck()]).scoreboard().panel)
