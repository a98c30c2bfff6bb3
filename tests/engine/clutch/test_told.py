"""What is told of a game of Clutch: sentences for people, without codes."""

from __future__ import annotations

from engine.games.clutch.words import WORDS
from engine.table import Table
from tests.engine.clutch import fixture
from tests.engine.clutch.field import at, run


def told(table: Table) -> list[str]:
    """All that was told, in order."""
    return [WORDS.event(one.event) for one in table.log]


def test_a_card_says_what_it_does_and_what_it_changes() -> None:
    """In words, where the table has codes."""
    table = run(at(away=["GB>1B", "SW+2"]), "SW+2", "P15", "S6", "GB>1B")
    assert "Away play SW+2: swing +2." in told(table)
    assert "Bx swings 8: a ground ball." in told(table)
    assert "GB>1B: a ground ball becomes a single." in told(table)


def test_a_steal_and_a_throw() -> None:
    """Who beats the throw has his own number first."""
    table = run(at("T5 0o 1--", level="players"), "steal-second", "at-second", "D2", "GB!")
    assert ["A-RF beats the throw to second, 15 to 11.", "A-RF steals second."] == [
        one for one in told(table) if "to second, " in one or "steals" in one
    ]


def test_others_go_on_with_the_batter() -> None:
    """A hit says who comes home and who stands where."""
    assert "Bx doubles; A-CF scores, A-RF takes third." in told(run(at("T5 0o 12-", level="players"), "2B!"))


def test_a_stadium_says_that_it_acts_and_can_be_read_whole() -> None:
    """When, what, and for whom."""
    yard = fixture.written("stadium", name="Yard", when="after a home run", do="the offense draws 1")
    park = fixture.written(
        "stadium",
        name="Park",
        when="on an outfield throw home",
        do="throw -1",
        defensive_for="plays RF",
        defensive="outfield +2",
    )
    box = fixture.box({"Yard": yard, "Park": park})
    assert "On an outfield throw home. throw -1. outfield +2, for whoever plays RF." == box.reads["stadium", "Park"]
    table = at(cards={"Yard": yard}, position=lambda s: setattr(s, "stadium", "Yard"), decks=(["SW+2"], []))
    assert "Yard: the offense draws 1." in told(run(table, "HR!", "SW+2"))
