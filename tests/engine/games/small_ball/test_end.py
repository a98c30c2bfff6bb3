"""How a game ends, SB-100 to SB-106 and SB-116, and the stored playthrough."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.small_ball import GAME
from engine.innings import Half
from engine.table import Table
from tests.each import each
from tests.engine.games.small_ball.contract import CONTRACT
from tests.engine.games.small_ball.fixture import SINGLE, SO, at
from tests.engine.tables import board, clock, play, ruled, score

NINTH: dict[str, Any] = {"inning": 9, "half": "bottom"}
TENTH: dict[str, Any] = {"inning": 10, "half": "bottom"}
HALVES = [
    *ruled("SB-100", (NINTH, (3, 2), ("bank", "bank"), "away: regulation", (3, 2), (9, "bottom"))),
    *ruled("SB-100", (NINTH | {"stake": 2}, (3, 2), ("bank",), "home: regulation", (3, 4), (9, "bottom"))),
    *ruled("SB-100", (NINTH | {"inning": 1}, (30, 0), ("bank", "bank"), "", (30, 0), (2, "top"))),
    *ruled("SB-100", (NINTH | {"inning": 8}, (30, 0), ("bank", "bank"), "", (30, 0), (9, "top"))),
    *ruled("SB-101", (NINTH, (2, 2), ("bank", "bank"), "", (2, 2), (10, "top"))),
    # In an extra inning too, home still bats after a lead of the top, and another tie plays on.
    *ruled("SB-104", ({"inning": 10, "stake": 3}, (2, 2), ("bank",), "", (5, 2), (10, "bottom"))),
    *ruled("SB-105", (TENTH | {"stake": 1}, (3, 2), ("bank",), "", (3, 3), (11, "top"))),
    # Runs at stake neither end the game nor survive the third out.
    *ruled("SB-106", (NINTH | {"outs": 2, "stake": 1}, (2, 2), ("bat", SO), "", (2, 2), (10, "top"))),
    *ruled("SB-106", (NINTH | {"bases": "3"}, (2, 2), ("bat", SINGLE), "", (2, 2), (9, "bottom"))),
    # Home ahead after the top of the ninth has won; tied, behind, or an inning earlier, it bats.
    *ruled("SB-116", ({"inning": 9, "outs": 2}, (2, 3), ("bat", SO), "home: bottom-skipped", (2, 3), (9, "top"))),
    *ruled("SB-116", ({"inning": 9, "outs": 2}, (3, 3), ("bat", SO), "", (3, 3), (9, "bottom"))),
    *ruled("SB-116", ({"inning": 9, "outs": 2}, (4, 3), ("bat", SO), "", (4, 3), (9, "bottom"))),
    *ruled("SB-116", ({"inning": 8, "outs": 2}, (2, 3), ("bat", SO), "", (2, 3), (8, "bottom"))),
]
"""Where it stands, the score before, the answers; then who has won and how, the score, and the half."""


@pytest.mark.parametrize(("where", "before", "answers", "won", "after", "half"), HALVES)
def test_whether_a_half_ends_the_game(
    where: dict[str, Any],
    before: tuple[int, int],
    answers: tuple[object, ...],
    won: str,
    after: tuple[int, int],
    half: tuple[int, str],
) -> None:
    """Once it is over, nothing more is asked."""
    table = play(at(**where, score=before), *answers)
    assert (after, half) == (score(table), clock(table))
    assert won == (f"{table.outcome.winner}: {table.outcome.reason}" if table.outcome else "")
    assert bool(won) == (table.open_asks() == ())


@each(("innings", "reason"), [(9, "regulation"), (6, "six-innings"), (3, "three-innings")])
def test_a_short_game_ends_as_one_of_nine(innings: int, reason: str) -> None:
    """A lead decides after its last inning, home's lead after the top; a tie plays on."""

    def begin(half: Half, score: tuple[int, int], inning: int = innings, **house: str) -> Table:
        used = ((0,), ())
        return at(inning=inning, half=half, outs=2, score=score, used=used, house={"innings": str(innings), **house})

    def ended(table: Table) -> str:
        return f"{table.outcome.winner}: {table.outcome.reason}" if table.outcome else ""

    assert innings == board(begin("top", (0, 0))).regulation
    assert f"away: {reason}" == ended(play(begin("bottom", (1, 0)), "bat", SO))
    assert "home: bottom-skipped" == ended(play(begin("top", (0, 1)), "bat", SO))
    assert "" == ended(play(begin("top", (0, 1), skipBottomWhenAhead="false"), "bat", SO))
    assert "" == ended(play(begin("bottom", (1, 0), innings - 1), "bat", SO))
    table = play(begin("bottom", (1, 1)), "bat", SO)
    assert ("reactivate", (innings + 1, "top")) == (table.open_asks()[0][1].why, clock(table))
    assert "away: extra-innings" == ended(play(begin("bottom", (1, 0), innings + 1), "bat", SO))


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


# The stored playthrough ---------------------------------------------------------------------------------------------


def test_the_playthrough_has_everything() -> None:
    played = CONTRACT.stories.played("")
    assert set(GAME.words.events) - {"play-ball"} <= {event["code"] for event in played.events}
    assert 10 <= max(event["inning"] for event in played.events if event["code"] == "half-inning")
    assert {"POWER", "ON-BASE"} == {event["kind"] for event in played.events if event["code"] == "pinch-hitter"}
    assert "extra-innings" == played.reason
