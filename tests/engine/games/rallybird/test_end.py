"""Three outs, the end of the game, and the stored playthrough."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.rallybird import GAME
from engine.table import Table
from tests.each import each
from tests.engine.games.rallybird import fixture
from tests.engine.games.rallybird.contract import CONTRACT
from tests.engine.games.rallybird.fixture import REMOVED, bat, half, stand, true
from tests.engine.tables import board, play, score

OUT = ("F-DRIVE", 2)


def at(bases: str = "", outs: int = 0, **more: Any) -> Table:
    return fixture.at(bases, outs, house={"rallyBird": "off"}, **more)


@pytest.mark.rule("RB-075")
def test_cards_and_gloves_change_sides() -> None:
    table = play(bat(at("", 2), *OUT), REMOVED, "gX")
    ((_, card),) = table.open_asks()
    ((_, gloves),) = play(table, "F-DRIVE").open_asks()
    assert (("at-bat", "home"), ("gloves", "away")) == ((card.why, card.seat), (gloves.why, gloves.seat))


@pytest.mark.rule("RB-076")
def test_bases_and_outs_are_cleared() -> None:
    table = bat(at("23", 2), *OUT)
    assert ("B7", ("", 0, 0), 1) == (half(table), stand(table), true(table).batter)


@pytest.mark.rule("RB-077")
def test_home_ahead_after_the_top_of_the_ninth_has_won() -> None:
    table = bat(at("", 2, inning=9, score=(1, 2)), *OUT)
    assert table.outcome is not None
    assert ("home", "nine-innings", ()) == (table.outcome.winner, table.outcome.reason, table.open_asks())
    assert "Home wins 2 to 1." in table.last_play_text()
    assert board(table).batting is None


@pytest.mark.rule("RB-078")
def test_a_visitor_ahead_must_still_retire_home() -> None:
    for points in ((3, 2), (2, 2)):
        table = bat(at("", 2, inning=9, score=points), *OUT)
        assert (None, "B9") == (table.outcome, half(table))


@pytest.mark.rule("RB-079")
def test_the_leader_after_the_ninth_wins() -> None:
    table = bat(at("", 2, inning=9, half="bottom", score=(3, 2)), *OUT)
    assert table.outcome is not None
    assert ("away", "nine-innings", "Visitors win 3 to 2.") == (
        table.outcome.winner,
        table.outcome.reason,
        table.outcome.sentence,
    )


@pytest.mark.rule("RB-080")
@each(("inning", "outs"), [(9, 0), (9, 2), (11, 1)])
def test_home_taking_the_lead_wins_at_once(inning: int, outs: int) -> None:
    table = bat(at("1", outs, inning=inning, half="bottom", score=(2, 2), field="E3f F3f"), "F-LONG", 8, 8)
    assert table.outcome is not None
    assert ("home", "walk-off", (2, 4), ()) == (
        table.outcome.winner,
        table.outcome.reason,
        score(table),
        table.open_asks(),
    )


@pytest.mark.rule("RB-081")
def test_a_tie_after_nine_goes_on() -> None:
    table = bat(at("", 2, inning=9, half="bottom", score=(2, 2)), *OUT)
    assert (None, "T10", "away") == (table.outcome, half(table), board(table).batting)


@pytest.mark.rule("RB-082")
def test_extra_innings_go_on_until_one_side_leads() -> None:
    """After a whole inning a lead wins and a tie goes on; home cannot be ahead before its half."""
    table = bat(at("", 2, inning=10, half="bottom", score=(3, 2)), *OUT)
    assert table.outcome is not None
    assert ("away", "extra-innings") == (table.outcome.winner, table.outcome.reason)
    assert "T11" == half(bat(at("", 2, inning=10, half="bottom", score=(3, 3)), *OUT))
    assert "B10" == half(bat(at("", 2, inning=10, score=(3, 2)), *OUT))


# The stored playthrough ---------------------------------------------------------------------------------------------


def test_the_playthrough_has_everything() -> None:
    """A side behind in the ninth ties the game with the RallyBird; then extra innings and a walk-off follow."""
    played = CONTRACT.stories.played("")
    seldom = {"stay-seated", "change-chairs", "shown-blank", "nothing-moves"}
    assert set(GAME.words.events) - seldom <= {event["code"] for event in played.events}
    ninth = [event for event in played.events if event["code"] in ("half-inning", "rallybird", "scores")]
    flown = next(i for i, event in enumerate(ninth) if event["code"] == "rallybird")
    half = [event for event in ninth[:flown] if event["code"] == "half-inning"][-1]
    level = next(event for event in ninth[flown:] if event["code"] == "scores" and event["away"] == event["home"])
    assert (9, ninth[flown]["seat"]) == (half["inning"], level["seat"])
    assert 10 <= max(event["inning"] for event in played.events if event["code"] == "half-inning")
    assert "walk-off" == played.reason
