"""Pinch hitters: SB-086 to SB-099, SB-109 to SB-113."""

from __future__ import annotations

import pytest

from engine.errors import EngineError, IllegalAnswer
from engine.table import Table
from tests.each import each
from tests.engine.games.small_ball.fixture import (
    BB,
    DOUBLE,
    FO,
    GO,
    ON_BASE,
    POWER,
    SINGLE,
    SO,
    at,
    bat,
    due,
    stand,
    unused,
)
from tests.engine.tables import board, offered, play, ruled


@pytest.mark.rule("SB-086")
def test_a_pinch_hitter_is_called_by_name() -> None:
    """ "Pinch hit" alone is not an answer: it must be one of the two offered."""
    table = at()
    assert [POWER, ON_BASE] == [option for option in offered(table) if option.startswith("pinch")]
    for vague in ("pinch", "pinch-hit", "pinch-3"):
        with pytest.raises(IllegalAnswer):
            play(table, vague)
    assert ["ON-BASE"] == unused(play(at(), POWER), "away")
    assert ["POWER"] == unused(play(at(), ON_BASE), "away")


@pytest.mark.rule("SB-087")
def test_a_pinch_hitter_is_called_before_the_throw() -> None:
    """Once the manager bats, and after the strikeout is rolled, it is too late for this at-bat."""
    table = play(at("1"), "bat")
    with pytest.raises(EngineError):
        play(table, ON_BASE)
    play(table, SO)
    assert ("1", 1, 0) == stand(table)
    assert ["POWER", "ON-BASE"] == unused(table, "away")


@pytest.mark.rule("SB-088")
def test_a_pinch_hitter_is_used_once() -> None:
    """POWER used in inning 3 is refused in inning 5, and ON-BASE is still available."""
    table = play(at(inning=3), POWER, BB, "bank", "bank", *["bank"] * 6)
    assert (5, "top") == (board(table).inning, board(table).half)
    assert (["ON-BASE"], False) == (unused(table, "away"), POWER in offered(table))
    with pytest.raises(IllegalAnswer):
        play(table, POWER)


@pytest.mark.rule("SB-089")
def test_a_power_lasts_one_at_bat() -> None:
    table = play(at(lead=2), POWER, BB)
    assert ("12", 0, 0) == stand(bat(table, SINGLE))


@pytest.mark.rule("SB-090")
@each("face", [SO, FO, GO, BB])
def test_a_call_is_used_up_whatever_the_roll(face: int) -> None:
    table = play(at(), POWER, face)
    assert ["ON-BASE"] == unused(table, "away")
    if face == SO:
        assert ("", 1, 0) == stand(table)


@pytest.mark.parametrize(
    ("pinch", "bases", "face", "expected"),
    [
        *ruled("SB-091", (POWER, "12", SINGLE, ("3", 0, 2)), (POWER, "123", SINGLE, ("3", 0, 3))),
        *ruled("SB-092", (POWER, "", DOUBLE, ("", 0, 1)), (POWER, "2", DOUBLE, ("", 0, 2))),
        *ruled("SB-092", (POWER, "123", DOUBLE, ("", 0, 4))),
        *ruled("SB-093", (POWER, "12", SO, ("12", 1, 0)), (POWER, "13", FO, ("1", 1, 1))),
        *ruled("SB-093", (POWER, "12", GO, ("3", 2, 0)), (POWER, "12", BB, ("123", 0, 0))),
        *ruled("SB-094", (ON_BASE, "12", SO, ("123", 0, 0)), (ON_BASE, "3", SO, ("1", 0, 1))),
        *ruled("SB-095", (ON_BASE, "12", GO, ("3", 2, 0)), (ON_BASE, "13", FO, ("1", 1, 1))),
        *ruled("SB-095", (ON_BASE, "12", BB, ("123", 0, 0)), (ON_BASE, "2", SINGLE, ("13", 0, 0))),
        *ruled("SB-095", (ON_BASE, "12", DOUBLE, ("23", 0, 1))),
    ],
)
def test_how_a_pinch_hitter_changes_a_result(pinch: str, bases: str, face: int, expected: tuple[str, int, int]) -> None:
    assert expected == stand(play(at(bases), pinch, face))


@pytest.mark.rule("SB-096")
def test_the_single_of_on_base_counts_as_a_hit() -> None:
    """With two outs and a run at stake, the strikeout becomes a single, and the runner from second scores."""
    assert ("1", 2, 2) == stand(play(at("2", outs=2, stake=1), ON_BASE, SO))


@pytest.mark.rule("SB-097")
@each("inning", [9, 10, 11, 12])
def test_each_team_has_its_own_in_extra_innings(inning: int) -> None:
    """Away calls POWER, home ON-BASE, then away the other: each call takes one from its own team only."""
    table = play(at(inning=inning), POWER, BB, "bank", "bank")
    assert (["ON-BASE"], ["POWER", "ON-BASE"]) == (unused(table, "away"), unused(table, "home"))
    play(table, ON_BASE, BB)
    assert (["ON-BASE"], ["POWER"]) == (unused(table, "away"), unused(table, "home"))
    table = play(at(inning=inning, half="bottom", used=((0,), ())), POWER, BB)
    assert (["ON-BASE"], ["ON-BASE"]) == (unused(table, "away"), unused(table, "home"))
    table = play(at(inning=inning, used=((0,), (0, 1))), ON_BASE, BB)
    assert ([], []) == (unused(table, "away"), unused(table, "home"))


@pytest.mark.rule("SB-097")
def test_a_call_after_the_tenth_began_is_ones_own() -> None:
    """Both take POWER back for the tenth; away uses its own at once, and home still has POWER in the bottom half."""
    table = play(at(inning=9, half="bottom", used=((0, 1), (0, 1))), "bank", "bank", POWER, POWER)
    play(table, POWER, BB, "bank", "bank")
    assert ([], ["POWER"]) == (unused(table, "away"), unused(table, "home"))
    assert POWER in offered(table)
    assert ON_BASE not in offered(table)
    assert [] == unused(play(table, POWER, BB), "home")


def ninth(used: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[str, ...]:
    """Return who is asked what as the tenth inning begins, as "home none"; each takes back the first one offered."""
    table = play(at(inning=9, half="bottom", used=used), "bank", "bank")
    return asked(table)


def asked(table: Table) -> tuple[str, ...]:
    """Return the reactivation questions asked now, answering each with its first option."""
    told: list[str] = []
    while table.open_asks()[0][1].why == "reactivate":
        ((_, ask),) = table.open_asks()
        told += [f"{ask.seat} {option}" for option in offered(table)]
        play(table, offered(table)[0])
    return tuple(told)


@pytest.mark.rule("SB-098")
@each(("back", "left"), [(POWER, "POWER"), (ON_BASE, "ON-BASE")])
def test_one_comes_back_for_extra_innings(back: str, left: str) -> None:
    """With both used, the tenth begins with the choice; the other one stays used, and the choice comes only once."""
    table = play(at(inning=9, half="bottom", used=((0, 1), ())), "bank", "bank")
    assert (POWER, ON_BASE, "none") == offered(table)
    assert (10, "top") == (board(table).inning, board(table).half)
    play(table, back)
    assert [left] == unused(table, "away")
    play(table, back, BB, "bank", "bank", "bank", "bank")
    assert (11, "top", "decision") == (board(table).inning, board(table).half, table.open_asks()[0][1].why)
    assert [] == unused(table, "away")


@pytest.mark.rule("SB-098")
def test_both_managers_may_choose_or_decline() -> None:
    assert ("away pinch-1", "away none", "home pinch-2", "home none") == ninth(((0,), (1,)))
    table = play(at(inning=9, half="bottom", used=((0,), ())), "bank", "bank", "none")
    assert ["ON-BASE"] == unused(table, "away")
    assert "away" == board(table).batting


@pytest.mark.rule("SB-097", "SB-098")
def test_taking_one_back_does_not_affect_the_other_team() -> None:
    """Away used both and takes POWER back, home used ON-BASE and takes it back; each changes only its own."""
    table = play(at(inning=9, half="bottom", used=((0, 1), (1,))), "bank", "bank", POWER)
    assert (["POWER"], ["POWER"]) == (unused(table, "away"), unused(table, "home"))
    play(table, ON_BASE)
    assert (["POWER"], ["POWER", "ON-BASE"]) == (unused(table, "away"), unused(table, "home"))


@pytest.mark.rule("SB-099")
def test_only_a_used_one_comes_back() -> None:
    """With none used there is no question; an unused one cannot be chosen."""
    assert () == ninth(((), ()))
    table = play(at(inning=9, half="bottom", used=((0,), ())), "bank", "bank")
    with pytest.raises(IllegalAnswer):
        play(table, ON_BASE)


@each("inning", [1, 8])
def test_nobody_comes_back_before_extra_innings(inning: int) -> None:
    table = play(at(inning=inning, half="bottom", used=((0, 1), (0, 1))), "bank", "bank")
    assert () == asked(table)


@pytest.mark.rule("SB-109")
def test_on_base_goes_before_the_hit_and_run() -> None:
    """The strikeout counts as a single, and the hit-and-run takes the runner to third."""
    assert ("13", 0, 0) == stand(play(at("1"), ON_BASE, "hit-and-run", SO))


@pytest.mark.rule("SB-110")
@each(("face", "expected"), [(SINGLE, ("3", 0, 1)), (DOUBLE, ("", 0, 2)), (GO, ("13", 0, 0)), (SO, ("", 2, 0))])
def test_power_under_a_hit_and_run_lifts_printed_hits(face: int, expected: tuple[str, int, int]) -> None:
    assert expected == stand(play(at("1"), POWER, "hit-and-run", face))


@pytest.mark.rule("SB-111")
def test_the_player_himself_bats_and_runs() -> None:
    """Player 3's own line counts, player 3 ends up on third, and player 4 is next."""
    cards = {("red", 3): ("FO", "FO", "FO", "FO", "FO", "1B")}
    table = play(at(lead=3, cards=cards), POWER, 6)
    assert ((None, None, "red 3"), "red 4") == (board(table).bases, due(table))


@pytest.mark.rule("SB-112")
def test_an_at_bat_allows_one_pinch_hitter() -> None:
    """With POWER called, ON-BASE is refused; taking back the call leaves both unused."""
    table = play(at("1"), POWER)
    assert ON_BASE not in offered(table)
    with pytest.raises(IllegalAnswer):
        play(table, ON_BASE)
    assert ["ON-BASE"] == unused(table, "away")
    table.undo(0)
    assert ["POWER", "ON-BASE"] == unused(table, "away")
    with pytest.raises(EngineError):
        play(at(), POWER, ON_BASE)


@pytest.mark.rule("SB-113")
def test_a_sacrifice_allows_no_pinch_hitter() -> None:
    """A sacrifice is refused after a call, and a call after a sacrifice; ON-BASE is still available."""
    with pytest.raises(IllegalAnswer):
        play(at("1"), ON_BASE, "sacrifice")
    table = play(at("1"), "sacrifice")
    with pytest.raises(EngineError):
        play(table, ON_BASE)
    play(table, 5)
    assert (["POWER", "ON-BASE"], ("1", 1, 0)) == (unused(table, "away"), stand(table))
