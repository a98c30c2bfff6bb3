"""Sacrifice and hit-and-run: SB-069 to SB-085, SB-114, SB-117."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.games.small_ball.rules import can_hit_and_run, runners_go_on_contact
from engine.games.small_ball.state import State
from tests.each import each
from tests.engine.games.small_ball.fixture import BB, DOUBLE, FO, GO, SINGLE, SO, at, bat, due, stand
from tests.engine.tables import board, codes, offered, panel, play, ruled


@pytest.mark.parametrize("declared", [*ruled("SB-069", ("sacrifice",)), *ruled("SB-076", ("hit-and-run",))])
def test_a_play_is_declared_before_the_throw(declared: str) -> None:
    """A die before any declaration is refused; after the choice to bat, or after the roll, it is too late."""
    table = at("1")
    with pytest.raises(EngineError):
        play(table, 4)
    play(table, "bat")
    with pytest.raises(EngineError):
        play(table, declared)
    play(table, SO)
    with pytest.raises(EngineError):
        table.answer_ask("away", 1, declared)
    assert ("1", 1, 0) == stand(table)


@pytest.mark.rule("SB-070")
@each("face", [1, 2, 3, 4])
@each(
    ("bases", "expected"),
    [("1", ("2", 1, 0)), ("23", ("3", 1, 1)), ("123", ("23", 1, 1)), ("13", ("2", 1, 1)), ("2", ("3", 1, 0))],
)
def test_a_successful_sacrifice_moves_every_runner(bases: str, face: int, expected: tuple[str, int, int]) -> None:
    assert expected == stand(play(at(bases), "sacrifice", face))


@pytest.mark.rule("SB-071")
@each("face", [5, 6])
@each("bases", ["12", "3"])
def test_a_failed_sacrifice_moves_nobody(bases: str, face: int) -> None:
    table = play(at(bases), "sacrifice", face)
    assert ((bases, 1, 0), "strikeout") == (stand(table), table.log[-1].event.code)


@pytest.mark.rule("SB-072")
@each("face", [2, 6])
def test_a_sacrifice_is_the_at_bat(face: int) -> None:
    """Player 3 is out whatever his card says for the face, and player 4 is next; a steal may be tried again."""
    table = play(at("1", outs=1, cards={("red", 3): ("2B",) * 6}), "sacrifice", face)
    assert (["red 1", "red 3"], "red 4") == (panel(table, "outs"), due(table))
    assert {"single", "double"}.isdisjoint(codes(table.log))


@pytest.mark.rule("SB-114")
@each(("bases", "outs", "offer"), [("", 0, False), ("", 2, False), ("1", 2, True), ("2", 0, True), ("3", 1, True)])
def test_a_sacrifice_needs_a_runner(bases: str, outs: int, offer: bool) -> None:
    """With the bases empty it is refused; with any runner and any number of outs it is offered."""
    assert offer == ("sacrifice" in offered(at(bases, outs)))
    if not offer:
        with pytest.raises(EngineError):
            play(at(bases, outs), "sacrifice")


@pytest.mark.rule("SB-074")
@each(("outs", "offer"), [(0, True), (1, True), (2, False)])
def test_a_hit_and_run_needs_fewer_than_two_outs(outs: int, offer: bool) -> None:
    assert offer == ("hit-and-run" in offered(at("1", outs)))
    if not offer:
        with pytest.raises(EngineError):
            play(at("1", outs), "hit-and-run")


@pytest.mark.rule("SB-075")
@each("bases", ["", "1", "2", "3", "12", "13", "23", "123"])
def test_a_hit_and_run_needs_a_runner_on_first_only(bases: str) -> None:
    assert (bases == "1") == ("hit-and-run" in offered(at(bases)))
    if bases != "1":
        with pytest.raises(EngineError):
            play(at(bases), "hit-and-run")


@pytest.mark.parametrize(
    ("face", "expected", "code"),
    [
        *ruled("SB-077", (SINGLE, ("13", 0, 0), "single")),
        *ruled("SB-078", (DOUBLE, ("2", 0, 1), "double")),
        *ruled("SB-080", (GO, ("13", 0, 0), "single")),
        *ruled("SB-081", (FO, ("", 2, 0), "line-double-play")),
        *ruled("SB-082", (SO, ("", 2, 0), "strike-double-play")),
        *ruled("SB-083", (BB, ("12", 0, 0), "walk")),
    ],
)
def test_how_a_hit_and_run_changes_a_result(face: int, expected: tuple[str, int, int], code: str) -> None:
    table = play(at("1"), "hit-and-run", face)
    assert (expected, True) == (stand(table), code in codes(table.log))


@pytest.mark.rule("SB-079")
@each(("face", "base"), [(SINGLE, 0), (DOUBLE, 1), (GO, 0)])
def test_the_batter_gains_nothing_from_a_hit_and_run(face: int, base: int) -> None:
    """The batter stops where the hit takes him; only the runner goes a base farther."""
    table = play(at("1"), "hit-and-run", face)
    assert "red 2" == board(table).bases[base]
    assert "red 1" in (board(table).bases[2], *panel(table, "runs"))


@pytest.mark.rule("SB-085")
@each("face", [SINGLE, GO, SO])
def test_a_hit_and_run_lasts_one_at_bat(face: int) -> None:
    table = play(at("1"), "hit-and-run", BB)
    expected = {SINGLE: ("123", 0, 0), GO: ("3", 2, 0), SO: ("12", 1, 0)}
    assert expected[face] == stand(bat(table, face))


@pytest.mark.rule("SB-117")
def test_a_steal_before_it_changes_whether_it_is_allowed() -> None:
    """If the runner from second is caught, only first is occupied: allowed. If he steals second: refused."""
    caught = play(at("12"), "steal-third", 5)
    assert ("1", 1, 0) == stand(caught)
    assert ("13", 1, 0) == stand(play(caught, "hit-and-run", SINGLE))
    with pytest.raises(EngineError):
        play(at("1"), "steal-second", 1, "hit-and-run")


@each("bases", ["", "1", "2", "3", "12", "13", "23", "123"])
@each("outs", [0, 1, 2])
def test_hit_and_run_and_running_on_contact_exclude_each_other(bases: str, outs: int) -> None:
    state = at(bases, outs, stake=1).state
    assert isinstance(state, State)
    assert not (can_hit_and_run(state) and runners_go_on_contact(state))
    assert (outs == 2) == runners_go_on_contact(state)
