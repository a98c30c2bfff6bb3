"""The play log: which throw a line comes from."""

from __future__ import annotations

from device.storage.decks import house_deck
from device.table.play_log import play_views
from engine.games import GAMES
from engine.table import Table

GAME = GAMES["small-ball"]


def test_a_moment_has_the_picture_of_the_throw_that_decided_it() -> None:
    """A lead that is banked comes from the last throw; the bank itself and the next half-inning have no picture."""
    table = Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})
    while not table.scoreboard().stake:
        n = table.open_asks()[0][0]
        table.answer_ask("away", n, "bat")
        table.answer_ask("away", n + 1, [2])
    thrown = n + 1
    table.answer_ask("away", thrown + 1, "bank")
    found = play_views(table, {thrown: "1-9", thrown - 2: "1-7"}, clips={"1-9"})
    decided = [one for one in found if one.n == thrown + 1]
    assert {"lead": "1-9"} == {one.moment: one.evidence for one in decided if one.evidence}
    assert [True] == [one.clip for one in decided if one.moment == "lead"]
    assert "half-inning" in [one.moment for one in decided]
    assert not any(one.clip for one in found if one.n < thrown)


def test_a_typed_throw_lends_its_moment_no_other_picture() -> None:
    """The last throw counts, not the last one with a picture."""
    table = Table(GAME, [house_deck(GAME)], {"awayTeam": "red"})
    while not table.scoreboard().stake:
        n = table.open_asks()[0][0]
        table.answer_ask("away", n, "bat")
        table.answer_ask("away", n + 1, [2])
    table.answer_ask("away", n + 2, "bank")
    found = play_views(table, {n - 1: "1-7"}, clips={"1-7"})
    assert not any(one.evidence for one in found if one.n == n + 2)
