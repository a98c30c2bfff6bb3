"""Stealing: SB-053 to SB-068."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.table import Table
from engine.views import plain
from tests.engine.games.small_ball.fixture import BB, SO, at, bat, due, end, stand
from tests.engine.tables import board, offered, panel, play, score

STEALS = {"steal-second", "steal-third", "double-steal"}


def steals(table: Table) -> set[str]:
    """The steals on offer."""
    return STEALS & set(offered(table))


def refused(bases: str, steal: str) -> bool:
    """Whether a steal is refused, and by that nothing changed."""
    table = at(bases)
    before = plain(table.view(None))
    try:
        play(table, steal)
    except EngineError:
        assert before == plain(table.view(None))
        return True
    return False


@pytest.mark.rule("SB-053")
@pytest.mark.parametrize("bases", ["", "3"])
def test_a_steal_needs_a_runner_on_first_or_second(bases: str) -> None:
    assert set() == steals(at(bases))
    assert [True] * 3 == [refused(bases, steal) for steal in sorted(STEALS)]


@pytest.mark.rule("SB-054")
@pytest.mark.parametrize("bases", ["3", "13", "23", "123"])
def test_home_cannot_be_stolen(bases: str) -> None:
    assert refused(bases, "steal-home")
    for steal in sorted(steals(at(bases))):
        for face in (1, 6):
            table = play(at(bases), steal, face)
            assert ("red 1", 0) == (board(table).bases[2], board(table).stake)


@pytest.mark.rule("SB-055")
def test_a_steal_is_said_before_the_throw() -> None:
    """A die without a declaration is refused; and a die thrown to bat cannot become a steal."""
    table = at("1")
    with pytest.raises(EngineError):
        play(table, 4)
    play(table, "bat")
    with pytest.raises(EngineError):
        play(table, "steal-second")


@pytest.mark.rule("SB-056")
@pytest.mark.parametrize("face", [1, 2, 3, 4])
def test_one_to_four_steals_the_base(face: int) -> None:
    table = play(at("1"), "steal-second", face)
    assert (("2", 0, 0), "red 1") == (stand(table), board(table).bases[1])
    table = play(at("2"), "steal-third", face)
    assert (("3", 0, 0), "red 1") == (stand(table), board(table).bases[2])


@pytest.mark.rule("SB-057")
@pytest.mark.parametrize("face", [5, 6])
def test_five_and_six_are_out(face: int) -> None:
    assert ("", 1, 0) == stand(play(at("1"), "steal-second", face))
    assert ("", 2, 0) == stand(play(at("2", outs=1), "steal-third", face))


@pytest.mark.rule("SB-058")
@pytest.mark.parametrize(
    ("bases", "steal", "face", "expected"),
    [
        ("13", "steal-second", 3, ("23", 0, 0)),
        ("13", "steal-second", 5, ("3", 1, 0)),
        ("12", "steal-third", 5, ("1", 1, 0)),
    ],
)
def test_a_single_steal_moves_one_runner(bases: str, steal: str, face: int, expected: tuple[str, int, int]) -> None:
    assert expected == stand(play(at(bases), steal, face))


@pytest.mark.rule("SB-059")
def test_who_is_caught_joins_outs() -> None:
    table = play(at("1"), "steal-second", 5)
    assert ["red 1"] == panel(table, "outs")
    up = []
    for _ in range(8):
        up.append(due(table))
        bat(table, BB)
    assert [f"red {number}" for number in range(2, 10)] == up
    assert ["batted-around"] == end(table)


@pytest.mark.rule("SB-060")
def test_caught_for_the_third_out_busts() -> None:
    table = play(at("1", outs=2, stake=2), "steal-second", 6)
    assert ((0, 0), ["bust"]) == (score(table), end(table))


@pytest.mark.rule("SB-061")
@pytest.mark.parametrize("face", [1, 2, 3, 4])
def test_a_double_steal_moves_both(face: int) -> None:
    table = play(at("12"), "double-steal", face)
    assert (None, "red 2", "red 1") == board(table).bases
    assert ("23", 0, 0) == stand(table)


@pytest.mark.rule("SB-062")
@pytest.mark.parametrize("face", [5, 6])
def test_a_double_steal_caught_costs_the_lead_runner(face: int) -> None:
    table = play(at("12"), "double-steal", face)
    assert (None, "red 2", None) == board(table).bases
    assert (1, ["red 1"]) == (board(table).outs, panel(table, "outs"))


@pytest.mark.rule("SB-063")
@pytest.mark.parametrize("bases", ["1", "2", "13", "23"])
def test_a_double_steal_needs_both(bases: str) -> None:
    assert refused(bases, "double-steal")


@pytest.mark.rule("SB-064")
def test_a_double_steal_caught_with_two_outs_busts() -> None:
    table = play(at("12", outs=2, stake=1), "double-steal", 6)
    assert ((0, 0), ["bust"]) == (score(table), end(table))


@pytest.mark.rule("SB-065")
def test_the_runner_on_second_may_go_alone() -> None:
    table = play(at("12"), "steal-third", 3)
    assert ("red 2", None, "red 1") == board(table).bases


@pytest.mark.rule("SB-066")
@pytest.mark.parametrize(
    ("bases", "steal"),
    [
        ("12", "steal-second"),
        ("23", "steal-third"),
        ("123", "steal-second"),
        ("123", "steal-third"),
        ("123", "double-steal"),
    ],
)
def test_a_taken_base_cannot_be_stolen(bases: str, steal: str) -> None:
    assert refused(bases, steal)


@pytest.mark.rule("SB-067")
def test_one_try_between_two_at_bats() -> None:
    """Having stolen second he waits for the next at-bat; then third is open to him."""
    table = play(at("1"), "steal-second", 1)
    with pytest.raises(EngineError):
        play(table, "steal-third")
    assert set() == steals(table)
    bat(table, SO)
    assert {"steal-third"} == steals(table)


@pytest.mark.rule("SB-067")
def test_a_double_steal_is_one_try_and_a_failed_one_too() -> None:
    """Neither leaves another before the next at-bat, and the next half begins afresh."""
    assert set() == steals(play(at("12"), "double-steal", 6))
    assert set() == steals(play(at("12"), "steal-third", 5))
    table = play(at("1", outs=2), "steal-second", 6)
    assert {"steal-second"} == steals(bat(table, BB))


@pytest.mark.rule("SB-068")
@pytest.mark.parametrize("face", [1, 6])
def test_a_steal_leaves_the_batter_waiting(face: int) -> None:
    table = at("1", outs=1)
    assert "red 3" == due(table)
    assert "red 3" == due(play(table, "steal-second", face))
