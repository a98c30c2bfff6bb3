"""Runners whom cards of Clutch move: none of them passes another."""

from __future__ import annotations

import pytest

from tests.engine.clutch.field import at, now, run, state
from tests.engine.clutch.fixture import strategy

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


def test_an_error_that_moves_nobody_is_none() -> None:
    """With the bases empty, or all of them taken."""
    cards = {"X": strategy("X", "offense", AFTER, "runner on first advances 1 by an error")}
    for where, errors in (("---", 0), ("12-", 0), ("1--", 1)):
        table = run(at(f"T5 0o {where}", away=["X"], cards=cards), "SO!", "X")
        assert (0, errors) == state(table).errors
