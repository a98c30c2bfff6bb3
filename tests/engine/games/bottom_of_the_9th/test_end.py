"""Who wins, and when: BN-001, BN-002, BN-135 to BN-137."""

from __future__ import annotations

import pytest

from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    SIX,
    at,
    contact,
    dash,
    deck,
    lineup,
    rows,
    throw,
)
from tests.engine.tables import asked, board, codes, play


def end(table: Table) -> tuple[str, str]:
    assert () == table.open_asks()
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
