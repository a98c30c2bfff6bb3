"""Effects of a result, SB-014 to SB-030, and who leads off: SB-045, SB-108."""

from __future__ import annotations

import pytest

from engine.innings import Half
from tests.each import each
from tests.engine.games.small_ball.fixture import BB, DOUBLE, FO, GO, SINGLE, SO, at, bat, due, end, new, stand
from tests.engine.tables import board, clock, panel, play, ruled


@pytest.mark.parametrize(
    ("bases", "face", "expected"),
    [
        *ruled("SB-014", ("", SINGLE, ("1", 0, 0)), ("2", SINGLE, ("13", 0, 0)), ("3", SINGLE, ("1", 0, 1))),
        *ruled("SB-014", ("12", SINGLE, ("123", 0, 0)), ("123", SINGLE, ("123", 0, 1))),
        *ruled("SB-015", ("", DOUBLE, ("2", 0, 0)), ("1", DOUBLE, ("23", 0, 0)), ("23", DOUBLE, ("2", 0, 2))),
        *ruled("SB-015", ("123", DOUBLE, ("23", 0, 2))),
        *ruled("SB-016", ("", BB, ("1", 0, 0)), ("1", BB, ("12", 0, 0)), ("2", BB, ("12", 0, 0))),
        *ruled("SB-016", ("3", BB, ("13", 0, 0)), ("12", BB, ("123", 0, 0)), ("13", BB, ("123", 0, 0))),
        *ruled("SB-016", ("23", BB, ("123", 0, 0))),
        *ruled("SB-017", ("123", BB, ("123", 0, 1))),
        *ruled("SB-018", ("13", SO, ("13", 1, 0)), ("123", SO, ("123", 1, 0))),
        *ruled("SB-019", ("3", FO, ("", 1, 1)), ("", FO, ("", 1, 0))),
        *ruled("SB-020", ("123", FO, ("12", 1, 1)), ("12", FO, ("12", 1, 0))),
        *ruled("SB-021", ("", GO, ("", 1, 0)), ("2", GO, ("3", 1, 0)), ("3", GO, ("", 1, 1)), ("23", GO, ("3", 1, 1))),
        *ruled("SB-022", ("1", GO, ("", 2, 0))),
        *ruled("SB-023", ("12", GO, ("3", 2, 0)), ("13", GO, ("", 2, 1)), ("123", GO, ("3", 2, 1))),
    ],
)
def test_a_result_moves_batter_and_runners(bases: str, face: int, expected: tuple[str, int, int]) -> None:
    """For each: bases before, result, then bases, outs and runs at stake, all with nobody out before."""
    assert expected == stand(bat(at(bases), face))


@pytest.mark.rule("SB-016", "SB-017")
def test_a_walk_pushes_runners_in_order() -> None:
    """Each forced runner moves up one base, and the runner from third scores."""
    table = bat(at("123"), BB)
    assert ("red 4", "red 3", "red 2") == board(table).bases
    assert ["red 1"] == panel(table, "runs")
    assert ("red 3", "red 2", "red 1") == board(bat(at("13"), BB)).bases


@pytest.mark.rule("SB-024")
@each(("face", "base"), [(SINGLE, 0), (DOUBLE, 1), (BB, 0)])
def test_the_batter_stands_on_the_base_he_reached(face: int, base: int) -> None:
    assert "red 1" == board(bat(at(), face)).bases[base]


@pytest.mark.rule("SB-025")
@each("face", [SO, FO, GO])
def test_a_batter_put_out_joins_outs(face: int) -> None:
    assert ["red 1"] == panel(bat(at(), face), "outs")


@pytest.mark.rule("SB-026")
def test_a_runner_put_out_joins_outs() -> None:
    table = bat(at("1"), GO)
    assert ["red 1", "red 2"] == sorted(panel(table, "outs"))
    assert 2 == board(table).outs


@pytest.mark.rule("SB-027")
def test_nobody_bats_twice_in_a_half() -> None:
    """Each next batter has not yet scored, been put out or reached base; after eight only player 9 is left."""
    table = new()
    seen = []
    for face in (DOUBLE, SINGLE, SO, BB, DOUBLE, SINGLE, FO, BB):
        seen.append(due(table))
        bat(table, face)
    assert [f"red {number}" for number in range(1, 9)] == seen
    assert ("red 9", None) == (due(table), board(table).on_deck)


@pytest.mark.rule("SB-028")
def test_the_next_batter_is_remembered() -> None:
    table = bat(new(), BB, BB, BB, BB)
    play(table, "bank")
    play(table, "bank", "bank")
    assert ((2, "top"), "red 5") == (clock(table), due(table))


@pytest.mark.rule("SB-029")
def test_the_batting_order_wraps_around() -> None:
    table = at(lead=8)
    up = [due(table)]
    assert "red 9" == board(table).on_deck
    for _ in range(2):
        bat(table, BB)
        up.append(due(table))
    assert ["red 8", "red 9", "red 1"] == up


@pytest.mark.rule("SB-030")
def test_each_team_keeps_its_own_place() -> None:
    """Home begins with its player 1 wherever away stopped; then each goes on where it stopped."""
    table = bat(new(), BB, BB, BB, BB)
    play(table, "bank")
    assert "blue 1" == due(table)
    bat(table, SO, BB, BB, BB, BB, SO)
    play(table, "bank")
    assert "red 5" == due(table)
    play(table, "bank", "bank")
    assert "blue 7" == due(table)


@pytest.mark.rule("SB-045")
@each(("half", "team", "others"), [("top", "red", "blue"), ("bottom", "blue", "red")])
@each("lead", [1, 3, 9])
@each("inning", [1, 7])
def test_a_full_round_returns_to_the_same_lead_off(inning: int, half: Half, team: str, others: str, lead: int) -> None:
    """After a half that used all nine, the same player leads off this side's next one; the other side goes on at 6."""
    table = bat(at(lead=lead, inning=inning, half=half, waiting=6), *[BB] * 9)
    assert (["batted-around"], f"{others} 6") == (end(table), due(table))
    play(table, "bank", "bank")
    assert f"{team} {lead}" == due(table)


@pytest.mark.rule("SB-108")
def test_the_waiting_batter_leads_off_after_a_banked_half() -> None:
    table = play(bat(at("12", outs=1), BB), "bank", "bank", "bank", "bank")
    assert ((2, "top"), "red 5") == (clock(table), due(table))
