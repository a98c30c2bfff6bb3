"""Stealing: SB-053 to SB-068."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.small_ball.fixture import BB, SO, at, bat, due, end, stand
from tests.engine.tables import board, offered, panel, play, ruled

STEALS = {"steal-second", "steal-third", "double-steal"}


def steals(table: Table) -> set[str]:
    return STEALS & set(offered(table))


def refused(bases: str, steal: str) -> bool:
    table = at(bases)
    before = json_data(table.view_for(None))
    try:
        play(table, steal)
    except EngineError:
        assert before == json_data(table.view_for(None))
        return True
    return False


@pytest.mark.rule("SB-053")
@each("bases", ["", "3"])
def test_a_steal_needs_a_runner_on_first_or_second(bases: str) -> None:
    assert set() == steals(at(bases))
    assert [True] * 3 == [refused(bases, steal) for steal in sorted(STEALS)]


@pytest.mark.rule("SB-054")
@each("bases", ["3", "13", "23", "123"])
def test_home_cannot_be_stolen(bases: str) -> None:
    assert refused(bases, "steal-home")
    for steal in sorted(steals(at(bases))):
        for face in (1, 6):
            table = play(at(bases), steal, face)
            assert ("red 1", 0) == (board(table).bases[2], board(table).stake)


@pytest.mark.rule("SB-055")
def test_a_steal_is_declared_before_the_throw() -> None:
    """A die without a declaration is refused, and a die thrown to bat cannot become a steal."""
    table = at("1")
    with pytest.raises(EngineError):
        play(table, 4)
    play(table, "bat")
    with pytest.raises(EngineError):
        play(table, "steal-second")


MOVES = [
    *ruled("SB-056", *(("1", 0, "steal-second", face, "-1-", 0) for face in (1, 2, 3, 4))),
    *ruled("SB-056", *(("2", 0, "steal-third", face, "--1", 0) for face in (1, 2, 3, 4))),
    *ruled("SB-057", *(("1", 0, "steal-second", face, "---", 1) for face in (5, 6))),
    *ruled("SB-057", *(("2", 1, "steal-third", face, "---", 2) for face in (5, 6))),
    *ruled("SB-058", ("13", 0, "steal-second", 3, "-21", 0), ("13", 0, "steal-second", 5, "--1", 1)),
    *ruled("SB-058", ("12", 0, "steal-third", 5, "2--", 1)),
    *ruled("SB-061", *(("12", 0, "double-steal", face, "-21", 0) for face in (1, 2, 3, 4))),
    *ruled("SB-062", *(("12", 0, "double-steal", face, "-2-", 1) for face in (5, 6))),
    *ruled("SB-065", ("12", 0, "steal-third", 3, "2-1", 0)),
]
"""Bases and outs before, steal and die; then the runners by number, and the outs."""


@pytest.mark.parametrize(("bases", "before", "what", "face", "after", "outs"), MOVES)
def test_a_steal_moves_runners(bases: str, before: int, what: str, face: int, after: str, outs: int) -> None:
    table = play(at(bases, before), what, face)
    found = "".join("-" if name is None else name[-1] for name in board(table).bases)
    assert (after, (outs, 0)) == (found, stand(table)[1:])
    runners = {f"red {number}" for number in range(1, len(bases) + before + 1)}
    assert runners == {*filter(None, board(table).bases), *panel(table, "outs")}


@pytest.mark.rule("SB-059")
def test_a_caught_runner_joins_outs() -> None:
    table = play(at("1"), "steal-second", 5)
    assert ["red 1"] == panel(table, "outs")
    up = []
    for _ in range(8):
        up.append(due(table))
        bat(table, BB)
    assert [f"red {number}" for number in range(2, 10)] == up
    assert ["batted-around"] == end(table)


@pytest.mark.rule("SB-063")
@each("bases", ["1", "2", "13", "23"])
def test_a_double_steal_needs_both(bases: str) -> None:
    assert refused(bases, "double-steal")


@pytest.mark.rule("SB-066")
@each(
    ("bases", "steal"),
    [
        ("12", "steal-second"),
        ("23", "steal-third"),
        ("123", "steal-second"),
        ("123", "steal-third"),
        ("123", "double-steal"),
    ],
)
def test_an_occupied_base_cannot_be_stolen(bases: str, steal: str) -> None:
    assert refused(bases, steal)


@pytest.mark.rule("SB-067")
def test_one_try_between_two_at_bats() -> None:
    """After stealing second, a runner waits for the next at-bat before he can try third."""
    table = play(at("1"), "steal-second", 1)
    with pytest.raises(EngineError):
        play(table, "steal-third")
    assert set() == steals(table)
    bat(table, SO)
    assert {"steal-third"} == steals(table)


@pytest.mark.rule("SB-067")
def test_a_double_steal_counts_as_one_try_even_if_it_fails() -> None:
    """Either way there is no second try before the next at-bat; a new half starts fresh."""
    assert set() == steals(play(at("12"), "double-steal", 6))
    assert set() == steals(play(at("12"), "steal-third", 5))
    table = play(at("1", outs=2), "steal-second", 6)
    assert {"steal-second"} == steals(bat(table, BB))


@pytest.mark.rule("SB-068")
@each("face", [1, 6])
def test_a_steal_leaves_the_batter_waiting(face: int) -> None:
    table = at("1", outs=1)
    assert "red 3" == due(table)
    assert "red 3" == due(play(table, "steal-second", face))
