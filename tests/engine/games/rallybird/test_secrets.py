"""The card in play and the card that is out: how long they stay hidden, also when answers are taken back."""

from __future__ import annotations

import json

import pytest

from engine.games.rallybird import GAME
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.rallybird.contract import DOUBLE
from tests.engine.games.rallybird.fixture import at, bat, deck, dice
from tests.engine.tables import asked, offered, play


def test_it_stays_hidden_permanently() -> None:
    """Even after the half and the game, the journal given out never has it for anybody else."""
    table = at("", 2, inning=9, half="bottom", score=(1, 0), house={"rallyBird": "off"})
    bat(table, "F-DRIVE", 2)
    assert table.outcome is not None
    assert HIDDEN_TEXT == json_data(table.view_for(None))["scoreboard"]["panel"]["removed"]
    table = Table(GAME, [deck()], {"visitor": "agreed"})
    play(table, "F-LONG", "gX")
    for _ in range(3):
        bat(table, "F-DRIVE", 2)
    assert "F-LONG" not in json.dumps(
        [
            table.redacted_entries("home"),
            table.redacted_entries(None),
            [line.sentence for line in table.play_log_lines()],
        ]
    )
    assert "F-LONG" == table.redacted_entries("away")[0]["value"]


@pytest.mark.rule("RB-038")
def test_taking_gloves_back_takes_the_card_back() -> None:
    table = bat(at(), "F-DRIVE")
    table.undo(table.answers[-1].n)
    assert ("at-bat",) == asked(table)


@each("out", ["F-THIRD", "F-6"])
def test_a_correction_does_not_reveal_the_card_that_is_out(out: str) -> None:
    """A corrected roll changes the bases in a way that matters to one card; the waiting card is asked for again.

    This happens whether that card is out or not.
    """
    card = 'tests = ["E"]\nless = "batter to second"\nequal = "batter out"\nmore = "batter to second, runners +1"\n'
    table = Table(GAME, [deck({"F-1": card, "F-2": DOUBLE})], {"visitor": "agreed"})
    bat(play(table, out, "gX"), "F-2", 12)
    roll = bat(table, "F-1", 12).answers[-1].n
    assert ("F-THIRD" in offered(table)) == (out != "F-THIRD")
    play(table, "F-3")
    preview = table.preview_correction(roll, dice(2))
    assert (True, False) == (preview.before.panel["laid"], preview.after.panel["laid"])
