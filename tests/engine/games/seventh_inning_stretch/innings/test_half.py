"""Runs, the track and the score tokens; and when a half wins a game."""

from __future__ import annotations

import pytest

from engine.games.seventh_inning_stretch.state import Pool
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import against, at, half, pool, stand, swing, true
from tests.engine.tables import asked, board, codes, on_base, play, score

# Runs --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-110")
@pytest.mark.parametrize("home", [True, False])
def test_home_is_a_run(home: bool) -> None:
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


def out(table: Table, count: int) -> Table:
    """Have batters strike out."""
    for _ in range(count):
        swing(table)
    return table


@pytest.mark.rule("SI-112")
@pytest.mark.parametrize(("token", "spaces"), [("half", (1, 2)), ("total", (1, 3))])
def test_a_score_token_lies_on_each_half(token: str, spaces: tuple[int, int]) -> None:
    """One run in the seventh and two in the eighth; or what they add up to, by house rule."""
    table = out(swing(at(inning=7, house={"scoreToken": token}), 6), 3)
    assert ("T8", 0) == (half(table), true(table).runs)
    play(table, [1, 1, 1])
    swing(table, 6)
    assert 1 == true(table).runs
    out(swing(table, 6), 3)
    line = board(table).sides["home"].line
    assert ("T9", (None,) * 6, spaces, 3) == (half(table), line[:6], line[6:8], score(table)[1])


@pytest.mark.rule("SI-112")
def test_a_half_without_a_run_gets_a_token_too() -> None:
    table = out(at(inning=7), 3)
    assert ("T8", 0) == (half(table), board(table).sides["home"].line[6])


@pytest.mark.rule("SI-113")
def test_the_third_out_takes_no_run_back() -> None:
    table = play(swing(at(bases="123", outs=2), 5), "1", [4])
    assert ("T9", (0, 2)) == (half(table), score(table))
    assert 2 == board(table).sides["home"].line[7]


# A win -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-118")
@pytest.mark.parametrize(
    ("inning", "home", "runs", "won"),
    [
        (8, True, (3, 0), False),
        (7, True, (0, 0), False),
        (9, False, (3, 0), False),
        (9, True, (0, 1), False),
        (9, True, (0, 0), True),
        (10, True, (2, 2), True),
    ],
)
def test_only_the_last_bottom_wins_at_once(inning: int, home: bool, runs: tuple[int, int], won: bool) -> None:
    """From the ninth on, at home; before it, or on the road, the half goes on however far ahead you are."""
    table = swing(at(inning=inning, home=home, runs=runs), 6)
    assert (won, "opponent" if won else "at-bat") == ("game-won" in codes(table.log), asked(table)[0])
    assert (True,) * won == true(table).won


@pytest.mark.rule("SI-119")
@pytest.mark.parametrize(("bases", "face", "scored"), [("", 6, 1), ("13", 4, 1), ("123", 6, 4)])
def test_the_moment_of_the_lead_is_the_end(bases: str, face: int, scored: int) -> None:
    """No further batter, no extra base, and the pool is cleared; all runs of that hit count."""
    table = swing(at(bases=bases, inning=9, runs=(1, 1), pool=(2, 0, 0)), face)
    assert (("opponent",), Pool(), 1) == (asked(table), true(table).pool, codes(table.log).count("gathers"))
    assert [scored] == [one.event.facts["scored"] for one in table.log if one.event.code == "scores"]


@pytest.mark.rule("SI-119")
@pytest.mark.parametrize(("batter", "outs"), [("F-BB", 2), ("F-SAC", 1)])
def test_any_run_may_be_the_winning_one(batter: str, outs: int) -> None:
    assert ("opponent",) == asked(swing(at(batter, "123", outs, inning=9), 3))


@pytest.mark.rule("SI-119")
def test_an_extra_base_may_win() -> None:
    table = swing(at(bases="12", inning=9), 4)
    assert ("extra-base",) == asked(table)
    assert ("opponent",) == asked(play(table, "1", [6]))


def test_a_half_leaves_nothing_behind() -> None:
    table = play(out(at(bases="123", pool=(3, 1, 1)), 3), [1, 1, 1])
    assert ("B9", ("", 0, 0), (2, 0, 0)) == (half(table), stand(table), pool(table))
    assert "T8" == half(against())
