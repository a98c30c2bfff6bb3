"""Who wins, and when: BN-001, BN-002, BN-135 to BN-137; and whole games, play by play."""

from __future__ import annotations

import pytest

from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    SIX,
    at,
    contact,
    count,
    dash,
    deck,
    lineup,
    ready,
    rows,
    stand,
    stare,
    throw,
)
from tests.engine.tables import asked, board, codes, offered, panel, play


def end(table: Table) -> tuple[str, str]:
    assert () == table.asks()
    return table.outcome.winner, table.outcome.reason


@pytest.mark.rule("BN-001")
def test_home_wins_with_one_run() -> None:
    table = dash(contact(at("3", outs=1)), "home")
    assert (("home", "walk-off-hit"), 1) == (end(table), board(table).sides["home"].runs)
    assert (None,) * 8 + (1,) == board(table).sides["home"].line


@pytest.mark.rule("BN-002")
def test_the_visitors_win_with_three_outs() -> None:
    table = throw(at("123", outs=2, count="0-2"), "S", 4, 1)
    assert (("away", "three-outs"), 3, 0) == (end(table), board(table).outs, board(table).sides["home"].runs)


@pytest.mark.rule("BN-135")
def test_a_run_ends_the_game_at_once() -> None:
    """Whatever the count and the outs, no relief is asked for, and nothing more happens."""
    table = dash(contact(at("3", outs=2, count="3-2", rows=(3, 3))), "home")
    assert ("home", "walk-off-hit") == end(table)
    assert ["single", "run-scores", "game-over"] == codes(table.log)[-3:]


@pytest.mark.rule("BN-136")
def test_the_third_out_ends_the_game_at_once() -> None:
    table = dash(contact(at("23", outs=2)), "away")
    assert (("away", "three-outs"), 0) == (end(table), board(table).sides["home"].runs)
    assert ["thrown-out", "game-over"] == codes(table.log)[-2:]
    assert "run-scores" not in codes(table.log)


@pytest.mark.rule("BN-112", "BN-135", "BN-136")
@each(("winner", "bases", "outs"), [("home", "3", 0), ("away", "", 2)])
def test_no_ability_acts_after_the_end(winner: Seat, bases: str, outs: int) -> None:
    """A cleanup ability is neither offered nor used once somebody has won; before that it is."""
    rest = '{ do = "both fatigue -1", may = true }'
    cards = deck(None, {"F-MILD": f'role = "starter"\nace = "inside-high"\ntrait = {rest}'})
    table = dash(contact(at(bases, outs, rows=(2, 2), cards=cards)), winner)
    assert (winner, (2, 2)) == (end(table)[0], rows(table))
    assert ("ability",) == asked(dash(contact(at(rows=(2, 2), cards=cards)), winner))


SIXTH = ["strikeout", "thrown-out", "walk", "race", "single", "double", "home-run"]


@pytest.mark.rule("BN-137")
@each("how", SIXTH)
def test_the_sixth_batter_decides(how: str) -> None:
    """With two outs and the bases loaded, the sixth batter's at-bat always decides the game."""
    table = at("123", outs=2, count="3-2", batter=SIX[5])
    assert [SIX[5]] == lineup(table)
    match how:
        case "strikeout":
            throw(table, "S", 4, 1)
        case "walk":
            throw(table, "B", 4, 1)
        case "race" | "thrown-out":
            dash(contact(table), "home" if how == "race" else "away")
        case _:
            play(throw(table, "S", 4, 6), {"single": 3, "double": 5, "home-run": 6}[how])
    assert ("away" if how in SIXTH[:2] else "home") == end(table)[0]


# Whole games -----------------------------------------------------------------------------------------------------


def events(table: Table) -> list[str]:
    return [code for code in codes(table.log) if code not in ("guessed", "half-guessed", "fooled")]


def test_a_walk_off_home_run() -> None:
    table = ready(starter="F-MILD")
    dash(contact(table), "away")
    play(table, "relief-0-0" if "relief-0-0" in offered(table) else "none")
    for letter, swing in (("B", 1), ("B", 1), ("S", 1), ("S", 4), ("B", 2), ("S", 4), ("S", 6)):
        throw(table, letter, 4, swing)
    assert ("3-2", ("bonus",)) == (count(table), asked(table))
    play(table, 6)
    assert (("home", "walk-off-home-run"), 1, 1) == (
        end(table),
        board(table).sides["home"].runs,
        board(table).sides["home"].hits,
    )
    expected = ["half-inning", "lineup", "pitchers", "contact", "race", "thrown-out", "next-batter"]
    expected += ["ball", "ball", "strike", "foul", "ball", "foul", "crush", "home-run", "run-scores", "game-over"]
    assert expected == events(table)
    assert "F-FAST hits it out of the park! F-FAST comes home! Home wins with a run in the ninth." == table.last()


def test_three_outs() -> None:
    table = ready(starter="F-MILD")
    for letter in "SSS":
        throw(table, letter, 4, 1)
    play(table, "none")
    dash(contact(table), "away", 6)
    play(table, "none")
    assert ("unopposed",) == asked(contact(table))
    play(table, 6, "none")
    assert (("1", 2), "F-HARE") == (stand(table), board(table).batter)
    for letter in "SCB":
        throw(table, letter, 1 if letter == "B" else 4, 3)
    assert ("away", "three-outs") == end(table)
    expected = ["half-inning", "lineup", "pitchers", "strike", "strike", "strike", "strikeout", "next-batter"]
    expected += ["contact", "race", "thrown-out", "next-batter", "contact", "unopposed", "single", "next-batter"]
    expected += ["strike", "strike", "strike", "strikeout", "game-over"]
    assert expected == events(table)


def test_four_walks() -> None:
    table = ready(starter="F-MILD")
    for batter in range(4):
        for _ in range(4):
            throw(table, "B", 6, 1)
        if batter < 3:
            assert ("1" * (batter > -1) + "2" * (batter > 0) + "3" * (batter > 1)) == stand(table)[0]
            play(table, "none")
    assert ("home", "walk-off-walk") == end(table)
    assert 4 == codes(table.log).count("walk")
    assert f"{SIX[0]} comes home!" in [line.sentence for line in table.lines()]


def test_a_reliever_at_the_bottom_of_the_track() -> None:
    """The starter throws his ace until he cannot; the reliever comes in one row down and tires after two pitches."""
    table = ready(starter="F-MILD")
    for _ in range(3):
        throw(table, "S", 4, 1, "inside-high", "away-low")
    assert ((3, 3), ("inside", "high")) == (rows(table), panel(table, "fatigue")["exhausted"])
    play(table, "bench")
    assert ((1, 1), 4) == (rows(table), len(offered(table, "away")))
    for _ in range(2):
        throw(table, "B", 4, 1, "away-low", "inside-high")
    assert (3, 3) == rows(table)
    assert ("inside-high",) == offered(table, "away")
    throw(table, "B", 4, 1, "inside-high", "inside-high")
    assert ("3-0", (3, 3)) == (count(table), rows(table))
    dash(contact(table, "inside-high", "away-low"), "home")
    assert ("relief-0-2", "relief-1-1", "relief-2-0", "relief-0-1", "relief-1-0", "none") == offered(table)
    play(table, "relief-0-2")
    assert ((3, 1), ("away",)) == (rows(table), panel(table, "fatigue")["exhausted"])
    assert ("inside-high", "inside-low") == offered(table, "away")
    stare(table, "inside-low", "inside-high")
    assert (3, 2) == rows(table)
    assert 2 + 2 == codes(table.log).count("exhausted")
    assert "F-MILD is too tired for another inside pitch." in [line.sentence for line in table.lines()]
