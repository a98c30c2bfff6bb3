"""Runners whom cards of Clutch move: none of them passes another."""

from __future__ import annotations

import pytest

from engine.games.clutch.words import WORDS
from tests.engine.games.clutch.field import at, line, now, run, state
from tests.engine.games.clutch.fixture import strategy

AFTER = "after an at-bat"


@pytest.mark.parametrize(
    ("do", "where", "stands"),
    [
        ("runner on first advances 2", "12-", "T5 1o 12-"),
        ("runner on first advances 4", "1-3", "T5 1o -23"),
        ("runners advance 2", "12-", "T5 1o --3"),
        ("place the runner on first on third", "12-", "T5 1o 12-"),
        ("place the runner on third on first", "-23", "T5 1o -23"),
        ("place the runner on third on first", "--3", "T5 1o 1--"),
    ],
)
def test_a_runner_stops_behind_another(do: str, where: str, stands: str) -> None:
    """Though a card would have him go on."""
    table = run(at(f"T5 0o {where}", away=["X"], cards={"X": strategy("X", "offense", AFTER, do)}), "SO!", "X")
    assert stands == now(table)


def test_a_batter_on_base_stops_behind_a_runner() -> None:
    """After a walk, with a runner on third."""
    cards = {"X": strategy("X", "offense", AFTER, "batter advances 3")}
    assert "T5 0o -23" == now(run(at("T5 0o --3", away=["X"], cards=cards), "BB!", "X"))


BACK = "place the runner on third on second"


@pytest.mark.rule("CL-261", "CL-308")
def test_nobody_steals_a_base_on_which_a_card_has_put_another() -> None:
    """The runner from third is back on second: who goes for it stays on first, and nothing is stolen."""
    table = at("T5 0o 1-3", home=["X"], cards={"X": strategy("X", "defense", "on a steal", BACK)})
    run(table, "steal-second", "at-second", "X", "D1", "SO!")
    assert ("T5 1o 12-", 0) == (now(table), line(table, "A-RF").sb)
    assert "A-RF stays on first: second is taken." in [WORDS.event(one.event) for one in table.log]


@pytest.mark.rule("CL-261")
@pytest.mark.parametrize(
    ("where", "do", "chosen", "stands"),
    [
        ("-2-", "place the runner on second on first", ["to-third", "at-third"], "T5 0o 12-"),
        ("-23", "place the runner on second on first", ["to-third", "at-third"], "T5 0o 12-"),
        ("1-3", BACK, ["in", "to-home", "at-home"], "T5 0o 123"),
    ],
)
def test_a_ground_ball_has_nobody_where_a_card_has_put_another(
    where: str, do: str, chosen: list[str], stands: str
) -> None:
    """The runner thrown at is back where he was or one base behind: the batter on first has those make way."""
    table = at(f"T5 0o {where}", home=["X"], cards={"X": strategy("X", "defense", "on a throw", do)})
    run(table, *chosen[:-2], "GB!", *chosen[-2:], "X")
    assert stands == now(table)


@pytest.mark.rule("CL-261", "CL-340")
def test_a_runner_stays_on_first_when_the_one_sent_home_is_back_on_second() -> None:
    """The batter is out, and nobody moves up."""
    card = strategy("X", "defense", "when runners try for a base", BACK)
    table = at("T5 0o 1-3", home=["X"], cards={"X": card})
    run(table, "in", "GB!", "to-home", "X")
    assert "T5 1o 12-" == now(table)


def test_an_error_that_moves_nobody_is_none() -> None:
    """With the bases empty, or all of them taken."""
    cards = {"X": strategy("X", "offense", AFTER, "runner on first advances 1 by an error")}
    for where, errors in (("---", 0), ("12-", 0), ("1--", 1)):
        table = run(at(f"T5 0o {where}", away=["X"], cards=cards), "SO!", "X")
        assert (0, errors) == state(table).errors
