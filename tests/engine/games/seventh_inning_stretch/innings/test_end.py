"""How a game ends, and what is left of it."""

from __future__ import annotations

import pytest

from engine.asks import Arrange
from engine.games.seventh_inning_stretch.state import Pool
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import (
    against,
    at,
    games,
    half,
    refused,
    season,
    skip,
    squad,
    swing,
    true,
    until,
)
from tests.engine.tables import asked, board, codes, offered, play

QUIET = (1, 1, 6)
"""Dice by which F-TEAM scores nothing."""


def rolls(table: Table, *faces: int) -> Table:
    """The team's dice, and nothing else."""
    return skip(play(skip(table, "relief"), list(faces)), "ability")


def out(table: Table) -> Table:
    """The batter rolls nothing, or his dice say nothing."""
    return swing(table)


def result(table: Table) -> tuple[tuple[bool, ...], tuple[int, int]]:
    """The games of the season that are over, and the score that stands on the board."""
    sides = board(table).sides
    return season(table)["won"], (sides["away"].runs, sides["home"].runs)


# When it ends ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-133")
def test_home_and_ahead_needs_no_last_bottom() -> None:
    table = rolls(against(inning=9, runs=(2, 1)), *QUIET)
    assert (((True,), (1, 2)), ("opponent",)) == (result(table), asked(table))
    assert ((None,) * 7 + (0, 0), (None,) * 6 + (0, 0)) == (
        board(table).sides["away"].line,
        board(table).sides["home"].line,
    )


def test_home_and_level_or_behind_bats_on() -> None:
    for theirs in (2, 3):
        table = rolls(against(inning=9, runs=(2, theirs)), *QUIET)
        assert (((), (theirs, 2)), "B9", "home") == (result(table), half(table), board(table).batting)


@pytest.mark.rule("SI-134")
def test_away_and_behind_has_lost() -> None:
    """1 to 2 after the top of the ninth: the bottom is not rolled (A27). 1 to 1, and one run in it: lost too."""
    table = out(at(home=False, inning=9, runs=(1, 2), outs=2))
    assert (((False,), (1, 2)), ("opponent",)) == (result(table), asked(table))
    assert "team-rolled" not in codes(table.log)
    table = rolls(against(home=False, inning=9, runs=(1, 1)), 2, 3, 6)
    assert (((False,), (1, 2)), ("opponent",)) == (result(table), asked(table))


@pytest.mark.rule("SI-135")
def test_else_the_ninth_is_played_out() -> None:
    table = out(at(home=False, inning=9, runs=(3, 2), outs=2))
    assert (("team",), "B9", ()) == (asked(table), half(table), season(table)["won"])
    assert ((True,), (3, 2)) == result(rolls(table, *QUIET))
    assert ((False,), (2, 1)) == result(out(at(inning=9, runs=(1, 2), outs=2)))


@pytest.mark.rule("SI-136")
def test_a_tie_goes_to_extra_innings() -> None:
    table = rolls(against(home=False, inning=9, runs=(2, 2)), *QUIET)
    assert ("T10", "away", ()) == (half(table), board(table).batting, season(table)["won"])
    assert "B10" == half(until(table, "team"))
    assert "T11" == half(rolls(table, *QUIET))
    until(table, "team")
    assert ((False,), (2, 3)) == result(rolls(table, 2, 3, 3))
    assert ["bottom", "top", "bottom", "top", "bottom"] == [
        told.event.facts["half"] for told in table.log if told.event.code == "half-inning"
    ][-5:]


@pytest.mark.rule("SI-137")
def test_a_lead_after_the_top_of_an_extra_inning_wins_nothing_yet() -> None:
    table = out(swing(at(home=False, inning=10, runs=(2, 2), bases="1", outs=2), 6))
    assert ("B10", ("team",), ((), (4, 2))) == (half(table), asked(table), result(table))
    assert ((True,), (4, 2)) == result(rolls(table, *QUIET))
    table = rolls(against(inning=10, runs=(2, 2)), 2, 4, 6)
    assert ("B10", "home", ((), (4, 2))) == (half(table), board(table).batting, result(table))


@pytest.mark.rule("SI-138", "SI-119")
@pytest.mark.parametrize("inning", [9, 10, 12])
def test_home_wins_at_once_in_a_late_bottom(inning: int) -> None:
    """By a home run, with nobody out; both runs count, though one would do (A18)."""
    table = swing(at(inning=inning, runs=(2, 2), bases="1"), 6)
    assert (((True,), (2, 4)), ("opponent",)) == (result(table), asked(table))


@pytest.mark.rule("SI-138")
def test_where_the_house_says_so_an_extra_inning_is_played_out() -> None:
    """Home bats on until three are out; the ninth ends at once all the same (A11)."""
    house = {"extraInningWalkoff": "false"}
    table = swing(at(inning=10, runs=(2, 2), outs=1, house=house), 6)
    assert (((), (2, 3)), "B10") == (result(table), half(table))
    assert ((True,), (2, 3)) == result(out(out(table)))
    assert ((True,), (2, 3)) == result(swing(at(inning=9, runs=(2, 2), house=house), 6))


# What is left ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-139")
@pytest.mark.parametrize("won", [True, False])
def test_the_result_is_marked(won: bool) -> None:
    table = rolls(against(home=False, inning=9, runs=(2, 1), won=(False,)), *(QUIET if won else (1, 3, 6)))
    assert (False, won) == season(table)["won"]
    said = "Your team win, 2 to 1." if won else "t1 win, 3 to 2."
    assert [said] == [line.sentence for line in table.lines() if line.code == "game-won"]


@pytest.mark.rule("SI-140")
def test_the_team_that_was_faced_leaves() -> None:
    table = rolls(against(team="T-5", inning=9, runs=(2, 1)), *QUIET)
    s = true(table)
    assert (("T-2", "T-3"), "", ("T-2", "T-3")) == (s.schedule, s.opponent, offered(table))
    refused(table, "T-5", "T-1")


@pytest.mark.rule("SI-141", "SI-050")
def test_everybody_is_back_in_the_roster() -> None:
    """Players from the dugout too: the next line-up and the mound are open to all."""
    table = at(inning=9, runs=(2, 2), bench=("F-RES",), pitchers=("T-11", "F-CUT"))
    before = squad(table).roster
    play(table, "F-RES")
    assert ("F-MAX",) == squad(table).dugout
    skip(swing(table, 6), "tokens")
    mine = squad(table)
    assert (before, (), "", (True,)) == (mine.roster, mine.dugout, mine.pitcher, season(table)["won"])
    play(table, "T-2", "new")
    ((_, ask),) = table.asks()
    assert isinstance(ask, Arrange)
    assert {one for one in before if one.startswith("F-")} - {"F-PIT", "F-CUT"} == {*ask.pieces}
    assert {"F-PIT", "T-11", "F-CUT"} == {*offered(until(table, "pitcher"))}


@pytest.mark.rule("SI-142")
def test_exhaustion_stays_from_game_to_game() -> None:
    table = rolls(against(inning=9, runs=(2, 1), tired={"F-PIT": 2}), *QUIET)
    assert ({"F-PIT": 2}, 2) == (true(table).tired, board(until(table, "team")).fatigue)


@pytest.mark.rule("SI-143", "SI-033")
def test_the_next_game_begins_with_player_selection() -> None:
    """Opponent, line-up, line-up die, pitcher: then the first half, from nothing to nothing, with nobody out."""
    table = rolls(against(inning=9, runs=(2, 1), pitchers=("F-CUT",), won=(True,)), *QUIET)
    count = len(table.answers)
    play(table, "T-3")
    assert (0, 0) == result(table)[1]
    play(table, "new")
    refused(table, {"1": "F-MAX"})
    until(table, "pitcher")
    play(table, "F-CUT")
    expected = ["opponent", "line-up-again", "line-up", "line-up-die", "pitcher"]
    assert expected == [one.ask.why for one in table.answers[count:]]
    assert ("B7", (0, 0), 0, "F-CUT") == (half(table), result(table)[1], board(table).outs, squad(table).pitcher)


def test_a_line_up_can_be_kept() -> None:
    """The die decides again who leads off, and a single pitcher needs no choice."""
    table = rolls(against(inning=9, runs=(2, 1)), *QUIET)
    order = squad(table).lineup
    play(table, "T-2", "same", 4)
    assert (order, 3, "F-PIT") == (squad(table).lineup, squad(table).slot, squad(table).pitcher)


@pytest.mark.rule("SI-144", "SI-008")
@pytest.mark.parametrize(("results", "stars"), [("L", 0), ("W", 1), ("WLW", 2), ("WWW", 3), ("LLL", 0)])
def test_a_win_in_the_first_half_is_a_star(results: str, stars: int) -> None:
    schedule = ("T-1", "T-2", "T-3")
    table = at(inning=7, schedule=schedule, tops={2: "T-7", 3: "U-7"}, supplies={2: ("T-8",), 3: ("U-8", "U-9")})
    games(table, results)
    assert ([one == "W" for one in results], stars) == ([*season(table)["won"]], season(table)["stars"])


def test_nothing_lies_there_between_games() -> None:
    table = swing(at(inning=9, runs=(2, 2), bases="1", pool=(3, 0, 0)), 6)
    s = true(table)
    assert (Pool(), (None, None, None), "", False) == (s.pool, s.bases, s.batter, s.playing)
    assert None is board(table).batting
