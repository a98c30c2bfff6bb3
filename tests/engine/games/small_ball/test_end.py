"""How a game ends, SB-100 to SB-106 and SB-116, and the stored playthrough."""

from __future__ import annotations

import pytest

from engine.clock import Outcome
from engine.games.small_ball import GAME
from tests.each import each
from tests.engine.games.small_ball.contract import CONTRACT
from tests.engine.games.small_ball.fixture import SO, at, bat, end
from tests.engine.tables import board, clock, play, score


@pytest.mark.rule("SB-100")
def test_a_lead_after_nine_wins() -> None:
    """Away leads after the bottom of the ninth: the game is over, and nothing more is asked."""
    table = play(at(inning=9, half="bottom", score=(3, 2)), "bank", "bank")
    assert Outcome("away", "regulation", "Red team win 3 to 2.") == table.outcome
    assert () == table.asks()


@pytest.mark.rule("SB-100")
def test_home_wins_by_banking_the_lead_in_the_ninth() -> None:
    table = play(at(inning=9, half="bottom", score=(3, 2), stake=2), "bank")
    assert ("home", "regulation", (3, 4)) == (table.outcome.winner, table.outcome.reason, score(table))


@pytest.mark.rule("SB-100")
@each("inning", [1, 8])
def test_no_lead_wins_before_the_ninth(inning: int) -> None:
    table = play(at(inning=inning, half="bottom", score=(30, 0)), "bank", "bank")
    assert (None, (inning + 1, "top")) == (table.outcome, clock(table))


@pytest.mark.rule("SB-101")
def test_a_tie_after_nine_goes_to_a_tenth() -> None:
    table = play(at(inning=9, half="bottom", score=(2, 2)), "bank", "bank")
    assert (None, (10, "top"), "10") == (table.outcome, clock(table), board(table).marker)


@pytest.mark.rule("SB-102")
def test_the_marker_returns_to_one_in_the_eleventh() -> None:
    """The stone is on 1 in inning 11 and on 2 in inning 12, but the inning count goes on."""
    table = play(at(inning=10, half="bottom", score=(2, 2)), "bank", "bank")
    assert ((11, "top"), "1") == (clock(table), board(table).marker)
    play(table, *["bank"] * 4)
    assert ((12, "top"), "2") == (clock(table), board(table).marker)
    assert ["10", "1", "10", "1"] == [board(at(inning=inning)).marker for inning in (10, 11, 20, 21)]


@pytest.mark.rule("SB-103")
@each("inning", [10, 11, 23])
def test_a_lead_at_the_end_of_an_extra_inning_wins(inning: int) -> None:
    """Away wins by one run in the top and none in the bottom; home wins the other way around."""
    table = play(at(stake=1, inning=inning, score=(2, 2)), "bank", "bank", "bank")
    assert ("away", "extra-innings", (3, 2)) == (table.outcome.winner, table.outcome.reason, score(table))
    table = play(at(stake=1, inning=inning, half="bottom", score=(2, 2)), "bank")
    assert ("home", "extra-innings", (2, 3)) == (table.outcome.winner, table.outcome.reason, score(table))


@pytest.mark.rule("SB-104")
def test_a_lead_after_the_top_is_not_enough() -> None:
    table = play(at(stake=3, inning=10, score=(2, 2)), "bank")
    assert (None, (10, "bottom"), (5, 2)) == (table.outcome, clock(table), score(table))


@pytest.mark.rule("SB-105")
def test_another_tie_plays_on() -> None:
    table = play(at(stake=1, inning=10, half="bottom", score=(3, 2)), "bank")
    assert (None, (11, "top"), (3, 3)) == (table.outcome, clock(table), score(table))


@pytest.mark.rule("SB-106")
def test_runs_at_stake_do_not_win() -> None:
    """Tied in the bottom of the ninth, winning run at stake: the third out is a bust, and a tenth inning follows."""
    table = at(outs=2, stake=1, inning=9, half="bottom", score=(2, 2))
    assert None is table.outcome
    bat(table, SO)
    assert (None, ["bust"], (10, "top"), (2, 2)) == (table.outcome, end(table), clock(table), score(table))


@pytest.mark.rule("SB-106")
def test_runs_at_stake_do_not_end_the_game() -> None:
    table = bat(at("3", inning=9, half="bottom", score=(2, 2)), 2)
    assert (None, 1, "decision") == (table.outcome, board(table).stake, table.asks()[0][1].why)


@pytest.mark.rule("SB-116")
def test_home_ahead_after_the_top_of_the_ninth_has_won() -> None:
    table = bat(at(outs=2, inning=9, score=(2, 3)), SO)
    assert ("home", "bottom-skipped", (2, 3)) == (table.outcome.winner, table.outcome.reason, score(table))
    assert "Game over: Blue team win 3 to 2." == table.lines()[-1].sentence


@pytest.mark.rule("SB-116")
@each("before", [(3, 3), (4, 3)])
def test_tied_or_behind_home_bats_in_the_ninth(before: tuple[int, int]) -> None:
    """A home lead after the top of the eighth ends nothing either."""
    table = bat(at(outs=2, inning=9, score=before), SO)
    assert (None, (9, "bottom")) == (table.outcome, clock(table))
    table = bat(at(outs=2, inning=8, score=(2, 3)), SO)
    assert (None, (8, "bottom")) == (table.outcome, clock(table))


# The stored playthrough ---------------------------------------------------------------------------------------------


def test_the_playthrough_has_everything() -> None:
    played = CONTRACT.stories.played("")
    assert set(GAME.words.events) - {"play-ball"} <= {event["code"] for event in played.events}
    assert 10 <= max(event["inning"] for event in played.events if event["code"] == "half-inning")
    assert {"POWER", "ON-BASE"} == {event["kind"] for event in played.events if event["code"] == "pinch-hitter"}
    assert "extra-innings" == played.reason
