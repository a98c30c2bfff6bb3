"""Scoring runs, winning in mid-half, the end of a game, and cleanup after it."""

from __future__ import annotations

import pytest

from engine.asks import Arrange
from engine.games.seventh_inning_stretch.state import Pool
from engine.table import Table
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    against,
    at,
    half,
    refused,
    rolls,
    season,
    skip,
    squad,
    swing,
    true,
    until,
)
from tests.engine.tables import asked, board, codes, offered, on_base, play, ruled, score

QUIET = (1, 1, 6)
"""Dice by which F-TEAM scores nothing."""


def result(table: Table) -> tuple[tuple[bool, ...], tuple[int, int]]:
    """Return the finished games of the season and the score on the board."""
    sides = board(table).sides
    return season(table)["won"], (sides["away"].runs, sides["home"].runs)


# Runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-110")
@each("home", [True, False])
def test_reaching_home_scores_a_run(home: bool) -> None:
    table = swing(at(bases="3", home=home), 4, 4)
    assert ((0, 1) if home else (1, 0), "1") == (score(table), on_base(table))


@pytest.mark.rule("SI-111")
def test_runs_are_counted_on_the_track() -> None:
    table = swing(at(bases="13"), 4, 4)
    assert (1, 2) == (true(table).runs, len(on_base(table)))
    swing(table, 4, 4)
    assert (1, "123") == (true(table).runs, on_base(table))
    swing(table, 4, 4)
    assert (2, "123") == (true(table).runs, on_base(table))
    assert 3 == true(swing(at(bases="13"), 6)).runs


def outs(table: Table, count: int) -> Table:
    for _ in range(count):
        swing(table)
    return table


def tokens(table: Table) -> list[int]:
    """Return the runs of each half so far, as they were told at its end."""
    return [one.event.facts["runs"] for one in table.log if one.event.code == "half-over"]


@pytest.mark.rule("SI-112")
@each(("token", "spaces"), [("half", (1, 2)), ("total", (1, 3))])
def test_each_half_gets_a_score_token(token: str, spaces: tuple[int, int]) -> None:
    """One run in the seventh and two in the eighth, or by house rule the running total."""
    table = swing(at(inning=7, house={"scoreToken": token}), 6)
    assert (1, [], (None,) * 6 + (1,)) == (true(table).runs, tokens(table), board(table).sides["home"].line)
    outs(table, 3)
    assert ("T8", 0, [1]) == (half(table), true(table).runs, tokens(table))
    play(table, [1, 1, 1])
    swing(table, 6)
    assert 1 == true(table).runs
    outs(swing(table, 6), 3)
    line = board(table).sides["home"].line
    assert ("T9", (None,) * 6, spaces, 3) == (half(table), line[:6], line[6:8], score(table)[1])
    assert [1, 0, 2] == tokens(table)
    assert "Your team: 2 runs in this half. 0 to 3." in [one.sentence for one in table.play_log_lines()]


@pytest.mark.rule("SI-113")
def test_the_third_out_takes_no_run_back() -> None:
    table = play(swing(at(bases="123", outs=2), 5), "1", [4])
    assert ("T9", (0, 2)) == (half(table), score(table))
    assert 2 == board(table).sides["home"].line[7]


# A win -------------------------------------------------------------------------------------------------------------


WINS = (
    *ruled("SI-118", ("F-MAX", "", 0, 8, True, (3, 0), 6, False), ("F-MAX", "", 0, 7, True, (0, 0), 6, False)),
    *ruled("SI-118", ("F-MAX", "", 0, 9, False, (3, 0), 6, False), ("F-MAX", "", 0, 9, True, (0, 1), 6, False)),
    *ruled("SI-118", ("F-MAX", "", 0, 9, True, (0, 0), 6, True), ("F-MAX", "", 0, 10, True, (2, 2), 6, True)),
    # A run forced in by a walk, and one sent home by a sacrifice.
    *ruled("SI-119", ("F-BB", "123", 2, 9, True, (0, 0), 3, True), ("F-SAC", "123", 1, 9, True, (0, 0), 3, True)),
)


@pytest.mark.parametrize(("batter", "bases", "out", "inning", "home", "runs", "face", "won"), WINS)
def test_only_the_last_bottom_half_wins_at_once(
    batter: str, bases: str, out: int, inning: int, home: bool, runs: tuple[int, int], face: int, won: bool
) -> None:
    """At home from the ninth on. Before that, or on the road, the half goes on however large the lead."""
    table = swing(at(batter, bases, out, inning=inning, home=home, runs=runs), face)
    assert (won, "opponent" if won else "at-bat") == ("game-won" in codes(table.log), asked(table)[0])
    assert (True,) * won == true(table).won


@pytest.mark.rule("SI-119")
@each(("bases", "face", "scored"), [("", 6, 1), ("13", 4, 1), ("123", 6, 4)])
def test_taking_the_lead_ends_the_game(bases: str, face: int, scored: int) -> None:
    """There is no next batter and no extra base, and the pool is cleared; all runs of that hit count."""
    table = swing(at(bases=bases, inning=9, runs=(1, 1), pool=(2, 0, 0)), face)
    assert (("opponent",), Pool(), 1) == (asked(table), true(table).pool, codes(table.log).count("gathers"))
    assert [scored] == [one.event.facts["scored"] for one in table.log if one.event.code == "scores"]


@pytest.mark.rule("SI-119")
def test_an_extra_base_may_win() -> None:
    table = swing(at(bases="12", inning=9), 4)
    assert ("extra-base",) == asked(table)
    assert ("opponent",) == asked(play(table, "1", [6]))


# When it ends ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-133")
def test_home_and_ahead_skips_the_last_bottom() -> None:
    table = rolls(against(inning=9, runs=(2, 1)), *QUIET)
    assert (((True,), (1, 2)), ("opponent",)) == (result(table), asked(table))
    assert ((None,) * 7 + (0, 0), (None,) * 6 + (0, 0)) == (
        board(table).sides["away"].line,
        board(table).sides["home"].line,
    )


def test_home_and_tied_or_behind_bats() -> None:
    for theirs in (2, 3):
        table = rolls(against(inning=9, runs=(2, theirs)), *QUIET)
        assert (((), (theirs, 2)), "B9", "home") == (result(table), half(table), board(table).batting)


@pytest.mark.rule("SI-134")
def test_away_and_behind_loses() -> None:
    """Behind 1-2 after the top of the ninth, the bottom is not rolled (A27); tied 1-1, a run in it loses too."""
    table = swing(at(home=False, inning=9, runs=(1, 2), outs=2))
    assert (((False,), (1, 2)), ("opponent",)) == (result(table), asked(table))
    assert "team-rolled" not in codes(table.log)
    table = rolls(against(home=False, inning=9, runs=(1, 1)), 2, 3, 6)
    assert (((False,), (1, 2)), ("opponent",)) == (result(table), asked(table))


@pytest.mark.rule("SI-135")
def test_otherwise_the_ninth_is_played_out() -> None:
    table = swing(at(home=False, inning=9, runs=(3, 2), outs=2))
    assert (("team",), "B9", ()) == (asked(table), half(table), season(table)["won"])
    assert ((True,), (3, 2)) == result(rolls(table, *QUIET))
    assert ((False,), (2, 1)) == result(swing(at(inning=9, runs=(1, 2), outs=2)))
    assert ("T9", ()) == (half(table := rolls(against(home=False, runs=(3, 2)), *QUIET)), season(table)["won"])


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
def test_a_lead_after_the_top_of_an_extra_inning_does_not_win_yet() -> None:
    table = swing(swing(at(home=False, inning=10, runs=(2, 2), bases="1", outs=2), 6))
    assert ("B10", ("team",), ((), (4, 2))) == (half(table), asked(table), result(table))
    assert ((True,), (4, 2)) == result(rolls(table, *QUIET))
    table = rolls(against(inning=10, runs=(2, 2)), 2, 4, 6)
    assert ("B10", "home", ((), (4, 2))) == (half(table), board(table).batting, result(table))


@pytest.mark.rule("SI-138", "SI-119")
@each("inning", [9, 10, 12])
def test_home_wins_at_once_in_a_late_bottom(inning: int) -> None:
    """By a home run with nobody out; both runs count, though one would do (A18)."""
    table = swing(at(inning=inning, runs=(2, 2), bases="1"), 6)
    assert (((True,), (2, 4)), ("opponent",)) == (result(table), asked(table))


@pytest.mark.rule("SI-138")
def test_an_extra_inning_is_played_out_by_house_rule() -> None:
    """Home bats until the third out; the ninth still ends at once (A11)."""
    house = {"extraInningWalkoff": "false"}
    table = swing(at(inning=10, runs=(2, 2), outs=1, house=house), 6)
    assert (((), (2, 3)), "B10") == (result(table), half(table))
    assert ((True,), (2, 3)) == result(swing(swing(table)))
    assert ((True,), (2, 3)) == result(swing(at(inning=9, runs=(2, 2), house=house), 6))


# What is left ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-139")
@each("won", [True, False])
def test_the_result_is_recorded(won: bool) -> None:
    table = rolls(against(home=False, inning=9, runs=(2, 1), won=(False,)), *(QUIET if won else (1, 3, 6)))
    assert (False, won) == season(table)["won"]
    said = "Your team wins, 2 to 1." if won else "t1 wins, 3 to 2."
    assert [said] == [line.sentence for line in table.play_log_lines() if line.code == "game-won"]


@pytest.mark.rule("SI-140")
def test_the_opponent_leaves_the_schedule() -> None:
    table = rolls(against(team="T-5", inning=9, runs=(2, 1)), *QUIET)
    s = true(table)
    assert (("T-2", "T-3"), "", ("T-2", "T-3")) == (s.schedule, s.opponent, offered(table))
    refused(table, "T-5", "T-1")


@pytest.mark.rule("SI-141", "SI-050")
def test_all_players_return_to_the_roster() -> None:
    """This includes players in the dugout: the next line-up and the mound are open to all."""
    table = at(inning=9, runs=(2, 2), bench=("F-RES",), pitchers=("T-11", "F-CUT"))
    before = squad(table).roster
    play(table, "F-RES")
    assert ("F-MAX",) == squad(table).dugout
    skip(swing(table, 6), "tokens")
    mine = squad(table)
    assert (before, (), "", (True,)) == (mine.roster, mine.dugout, mine.pitcher, season(table)["won"])
    play(table, "T-2", "new")
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Arrange)
    assert {one for one in before if one.startswith("F-")} - {"F-PIT", "F-CUT"} == {*ask.pieces}
    assert {"F-PIT", "T-11", "F-CUT"} == {*offered(until(table, "pitcher"))}


@pytest.mark.rule("SI-143", "SI-033")
def test_the_next_game_begins_with_player_selection() -> None:
    """The order is opponent, line-up, line-up die, pitcher; then the first half begins 0-0 with nobody out."""
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
