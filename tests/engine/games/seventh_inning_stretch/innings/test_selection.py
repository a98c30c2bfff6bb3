"""Player selection: the batting order, the lead-off batter, and the pitcher."""

from __future__ import annotations

import pytest

from engine.asks import Arrange
from engine.games.seventh_inning_stretch.state import MANAGER_SEAT, StretchSquad
from engine.seats import replace_for_seat
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    NINE,
    against,
    at,
    between,
    half,
    refused,
    skip,
    squad,
    swing,
    true,
)
from tests.engine.tables import asked, board, offered, panel, play

ORDER = {str(place): name for place, name in enumerate(reversed(NINE), 1)}
"""The nine, the last one first."""


def ready(*more: str, tired: dict[str, int] | None = None, pitchers: tuple[str, ...] = ("F-PIT",)) -> Table:
    """Return a season asking for game 1's line-up: a roster of NINE, `more` batters and these pitchers."""
    squads = replace_for_seat((StretchSquad(), StretchSquad()), MANAGER_SEAT, StretchSquad((*NINE, *more, *pitchers)))
    table = between("first", schedule=("T-1", "T-2", "T-3"), squads=squads, tired=tired or {})
    return play(table, "T-2")


# The line-up -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-038")
def test_nine_batters_of_the_roster_make_the_line_up() -> None:
    table = ready("F-RES")
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Arrange)
    assert (*NINE, "F-RES") == ask.pieces
    eight = {place: name for place, name in ORDER.items() if place != "9"}
    refused(table, eight, ORDER | {"10": "F-RES"}, eight | {"9": ORDER["1"]}, eight | {"9": "F-PIT"})
    play(table, ORDER)
    assert (tuple(reversed(NINE)), ("line-up-die",)) == (squad(table).lineup, asked(table))


@pytest.mark.rule("SI-003")
def test_the_line_up_die_has_ten_sides() -> None:
    refused(play(ready(), ORDER), 0, 11)
    for face in range(1, 11):
        assert asked(play(ready(), ORDER, face)) != ("line-up-die",)


@pytest.mark.rule("SI-039")
@each("face", [1, 4, 9])
def test_the_die_decides_who_leads_off(face: int) -> None:
    assert ORDER[str(face)] == board(play(ready(), ORDER, face)).batter


@pytest.mark.rule("SI-040")
def test_a_ten_is_a_free_choice() -> None:
    table = play(ready("F-RES"), ORDER, 10)
    assert (("lead-off",), tuple(ORDER.values())) == (asked(table), offered(table))
    refused(table, "F-RES")
    play(table, ORDER["7"], "bats")
    assert (ORDER["7"], 6) == (board(table).batter, squad(table).slot)


def test_a_substitute_plays_in_one_game_only() -> None:
    """ "The same nine" are those of the last game's starting line-up, and are named."""
    table = skip(swing(play(at(inning=9, bench=("F-RES",)), "F-RES"), 6), "tokens")
    assert "F-RES" in squad(table).lineup
    play(table, "T-2")
    ((n, ask),) = table.open_asks()
    same, new = json_data(table.ask_view(n, ask, "home"))["options"]
    assert ("F-MAX, F-0, F-1, F-2, F-3, F-4, F-5, F-PAIR and F-BB", "") == (same["note"], new.get("note", ""))
    assert NINE == squad(play(table, "same")).lineup


# Pitcher and bench -------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-041")
def test_one_pitcher_of_the_roster_pitches() -> None:
    table = play(ready("F-RES", pitchers=("F-PIT", "F-CUT")), ORDER, 1)
    assert (("pitcher",), ("F-PIT", "F-CUT")) == (asked(table), offered(table))
    refused(table, "", "F-RES")
    play(table, "F-CUT")
    assert ("F-CUT", ("batter",)) == (squad(table).pitcher, asked(table))
    assert "F-PIT" == squad(play(ready(), ORDER, 1)).pitcher


@pytest.mark.rule("SI-042")
def test_all_others_are_on_the_bench() -> None:
    """Of thirteen players, ten batters and three pitchers, the bench is one batter and two pitchers."""
    table = play(ready("F-RES", pitchers=("F-PIT", "F-CUT", "T-11")), ORDER, 1, "F-CUT")
    assert ("F-RES", "F-PIT", "T-11") == squad(table).available_players
    assert ("F-RES",) == panel(table, "squads")["home"]["bench"]
    assert () == squad(table).dugout


@pytest.mark.rule("SI-208")
def test_an_exhausted_pitcher_may_pitch() -> None:
    table = play(ready(tired={"F-PIT": 2}), ORDER, 1)
    assert ("F-PIT", "B7") == (squad(table).pitcher, half(table))
    table = ready("F-RES", tired={"F-PIT": 2}, pitchers=("F-PIT", "F-CUT"))
    assert "F-PIT" in offered(play(table, ORDER, 1))
    table = play(against(tired={"F-PIT": 2}), [2, 4, 6])
    assert ("B8", (2, 0), {"F-PIT": 2}) == (half(table), true(table).score, true(table).tired)
    assert ("ability",) == asked(play(against(tired={"F-PIT": 1}), [2, 4, 6]))
