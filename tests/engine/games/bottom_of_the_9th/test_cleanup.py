"""The cleanup: BN-111 to BN-134, BN-143, BN-144."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.diamond import runners_on_base
from engine.errors import EngineError, IllegalAnswer
from engine.table import Table
from engine.views import json_data
from tests.each import each
from tests.engine.games.bottom_of_the_9th.fixture import (
    SIX,
    at,
    contact,
    count,
    dash,
    deck,
    held,
    lineup,
    ready,
    rows,
    stand,
    stare,
    throw,
    true,
)
from tests.engine.tables import asked, board, codes, offered, panel, play

ROUND = {"guess", "pitch-call"}


def out(bases: str = "", outs: int = 0, rows: tuple[int, int] = (3, 3), benched: bool = False) -> Table:
    """Play an at-bat in which the batter is thrown out with these bases taken."""
    return dash(contact(at(bases, outs, rows=rows, benched=benched)), "away")


def relieved(table: Table) -> set[tuple[int, int]]:
    """Return where the fatigue tokens may be after each relief option, not counting the bench."""
    found = set()
    for option in offered(table):
        if option != "bench":
            found.add(rows(play(table.clone(), option)))
    return found


@pytest.mark.rule("BN-111")
@each("winner", ["home", "away"])
def test_the_cleanup_follows_the_run(winner: str) -> None:
    table = contact(at(), "away-low", "away-low")
    assert {"direction", "location"} == held(table)["home"]
    dash(table, "home" if winner == "home" else "away")
    assert ({"home": set(), "away": set()}, ("relief",)) == (held(table), asked(table))


@pytest.mark.rule("BN-113")
def test_without_a_winner_the_game_goes_on() -> None:
    table = throw(at("1", outs=1, count="1-0"), "B", 4, 2)
    assert (ROUND, "F-DULL", "2-0", ("1", 1)) == (set(asked(table)), board(table).batter, count(table), stand(table))


@pytest.mark.rule("BN-114")
def test_an_out_ends_the_at_bat() -> None:
    """A strikeout, or a throw to first."""
    for table in (throw(at(count="0-2"), "S", 4, 1), dash(contact(at(count="0-2")), "away")):
        play(table, "none")
        assert (("", 1), SIX[0], ROUND) == (stand(table), board(table).batter, set(asked(table)))


@pytest.mark.rule("BN-115")
@each("how", ["walk", "single", "double", "race"])
def test_a_base_ends_the_at_bat(how: str) -> None:
    match how:
        case "walk":
            table = throw(at(count="3-0"), "B", 4, 1)
        case "single" | "double":
            table = play(throw(at(), "S", 4, 6), 3 if how == "single" else 5)
        case _:
            table = dash(contact(at()), "home")
    assert SIX[0] == board(play(table, "none")).batter


@pytest.mark.rule("BN-116")
@each(("letter", "swing"), [("B", 2), ("S", 3), ("S", 4), ("C", 5)])
def test_otherwise_the_at_bat_goes_on(letter: str, swing: int) -> None:
    """After a ball, a strike or a foul there is no relief and no bench; batter and count stay."""
    table = throw(at(count="1-1", rows=(2, 2)), letter, 4, swing)
    assert (ROUND, "F-DULL") == (set(asked(table)), board(table).batter)
    assert count(table) in ("2-1", "1-2")
    assert (2, 2) == rows(table)


@pytest.mark.rule("BN-117")
def test_relief_comes_before_the_next_batter() -> None:
    """During relief the old batter's card is still in place, though boards name the next one, who comes up after it. He
    does so at once if there is nothing to choose.
    """
    table = throw(at(count="3-0"), "B", 4, 1)
    assert (("relief",), "away", "F-DULL") == (asked(table), table.open_asks()[0][1].seat, true(table).batter.name)
    play(table, "none")
    assert (ROUND, SIX[0], "next-batter") == (set(asked(table)), board(table).batter, codes(table.log)[-1])
    table = throw(at(count="3-0", reliever=None), "B", 4, 1)
    assert (ROUND, SIX[0], "next-batter") == (set(asked(table)), board(table).batter, codes(table.log)[-1])


@pytest.mark.rule("BN-118", "BN-119", "BN-120")
@each(("bases", "steps"), [("", 3), ("1", 2), ("2", 2), ("3", 2), ("12", 1), ("23", 1), ("13", 1), ("123", 0)])
def test_each_empty_base_gives_one_step(bases: str, steps: int) -> None:
    """Home plate gives none; bases are counted after the play, and with a runner on each of them there is no relief."""
    assert steps == max(6 - sum(pair) for pair in relieved(out(bases)))
    assert steps == 3 - len(runners_on_base(board(out(bases)).bases))
    if steps == 1:
        table = throw(at(bases, count="3-0", rows=(3, 3)), "B", 4, 1)
        assert ("123", ("none", "bench")) == (stand(table)[0], offered(table))


@pytest.mark.rule("BN-121", "BN-122", "BN-123")
@each(
    ("before", "after", "wrong"),
    [
        ((3, 1), {(3, 1), (2, 1), (1, 1), (3, 0), (2, 0)}, ("relief-0-2", "relief-3-0", "relief--1-1")),
        ((1, 0), {(0, 0), (1, 0)}, ("relief-2-0", "relief-0-1")),
        ((3, 3), {(3, 3), (2, 3), (3, 2), (1, 3), (2, 2), (3, 1)}, ("relief-2-1", "relief-1-2", "relief-3-0")),
    ],
)
def test_steps_may_be_split(before: tuple[int, int], after: set[tuple[int, int]], wrong: tuple[str, ...]) -> None:
    """Two steps, with a runner on first: no token goes above the top, and no more can be taken than was earned."""
    table = out("1", rows=before)
    assert after == relieved(table)
    for one in wrong:
        with pytest.raises(IllegalAnswer):
            play(table, one)
    assert before == rows(table)


@pytest.mark.rule("BN-124")
def test_the_bench_can_replace_relief() -> None:
    table = play(out(), "bench")
    assert ("F-REL", None, ROUND) == (board(table).pitcher, panel(table, "reliever"), set(asked(table)))
    assert {"bench", "next-batter"} < set(codes(table.log))
    assert "relief" not in codes(table.log)


@pytest.mark.rule("BN-125", "BN-144")
@each(("thrown", "expected"), [("inside-high", (1, 1)), ("away-high", (2, 1)), ("away-low", (2, 2))])
def test_the_reliever_begins_in_row_one(thrown: str, expected: tuple[int, int]) -> None:
    """All four pitches are possible; the parts of his own ace tire, those of the starter's do not."""
    table = play(out(rows=(3, 2)), "bench")
    fatigue = panel(table, "fatigue")
    assert ((1, 1), ("away", "low"), 1) == (rows(table), fatigue["ace"], fatigue["floor"])
    assert 4 == len(offered(table, "away"))
    assert expected == rows(stare(table, thrown, "inside-low"))


@pytest.mark.rule("BN-126")
@each(("before", "best"), [((2, 1), (1, 1)), ((2, 2), (1, 1)), ((3, 3), (1, 2))])
def test_a_reliever_never_gets_above_row_one(before: tuple[int, int], best: tuple[int, int]) -> None:
    """In row one he has nothing to gain, and is not asked."""
    found = relieved(out(rows=before, benched=True))
    assert {before, best} <= found
    assert 1 == min(min(pair) for pair in found)
    assert (ROUND, (1, 1)) == (set(asked(fresh := out(rows=(1, 1), benched=True))), rows(fresh))


@pytest.mark.rule("BN-126")
@each(("row", "tired"), [("1", (2, 2)), ("0", (1, 1))])
def test_a_reliever_who_comes_in_never_rises_above_where_he_began(row: str, tired: tuple[int, int]) -> None:
    """Neither by relief, though there is more than he needs, nor by an ability. By house rule he begins in row 0."""
    began, resting = (int(row), int(row)), 'role = "reliever"\nace = "away-low"\ndirection = "both fatigue -3"'
    for arms in ({}, {"F-REL": resting}):
        table = at(rows=(3, 3), house={"reliefRow": row}, cards=deck(arms=arms))
        play(dash(contact(table), "away"), "bench")
        assert began == rows(table)
        assert tired == rows(stare(table, "away-low", "inside-high"))
        dash(play(table, [3, "S"], 5), "away")
        if not arms:
            assert (("relief",), began) == (asked(table), min(relieved(table)))
            play(table, "relief-1-1")
        assert (ROUND, began) == (set(asked(table)), rows(table))


@pytest.mark.rule("BN-127")
def test_the_bench_can_be_used_once() -> None:
    table = play(out(outs=0), "bench")
    stare(table, "away-low", "inside-high")
    dash(play(table, [1, "S"], 5), "away")
    assert "bench" not in offered(table)
    with pytest.raises(IllegalAnswer):
        play(table, "bench")


@pytest.mark.rule("BN-128")
def test_the_bench_is_closed_during_an_at_bat() -> None:
    table = at(count="2-1")
    steps: list[Callable[[], Table]] = [lambda: stare(table), lambda: play(table, [4, "B"]), lambda: play(table, 1)]
    for step in steps:
        for n, ask in table.open_asks():
            with pytest.raises(EngineError):
                table.answer_ask(ask.seat, n, "bench")
        step()
    assert ("3-1", ROUND, "F-MILD") == (count(table), set(asked(table)), board(table).pitcher)


@pytest.mark.rule("BN-129")
def test_a_benched_pitcher_never_returns() -> None:
    table = play(out(), "bench")
    while table.open_asks():
        assert "F-REL" == board(table).pitcher
        assert "F-MILD" not in str(json_data(table.view_for(None))["asks"])
        stare(table, "inside-high", "inside-high")
        play(table, [4, "S"], 1)
        if "relief" in asked(table):
            assert "bench" not in offered(table)
            play(table, offered(table)[0])
    assert "away" == table.outcome.winner


@pytest.mark.rule("BN-130", "BN-131", "BN-132", "BN-133")
def test_the_next_batter_comes_up_with_a_new_count() -> None:
    assert list(SIX) == lineup(ready())
    table = play(dash(contact(ready()), "home"), "none")
    assert (list(SIX[1:]), SIX[1], SIX[2]) == (lineup(table), board(table).batter, board(table).on_deck)
    assert (("1", 0), 2) == (stand(table), panel(table, "waiting"))
    table = play(throw(play(throw(at(count="3-0"), "B", 4, 1), "none"), "S", 4, 6), 3)
    assert (SIX[0], "F-DULL") == board(table).bases[:2]
    assert "0-0" == count(play(throw(at(count="3-2"), "S", 4, 1), "none"))


@pytest.mark.rule("BN-132")
@each("before", ["3-2", "3-0", "0-2", "2-1"])
@each("how", ["strikeout", "walk", "safe", "out", "single"])
@each("relief", ["none", "bench", None])
def test_no_count_is_left_for_the_next_batter(before: str, how: str, relief: str | None) -> None:
    """However the at-bat ends, and with relief, the bench or nothing to choose: the next one needs all his own."""
    table = at(count=before, rows=(0, 0) if relief is None else (2, 2), reliever=None if relief is None else "F-REL")
    balls, strikes = map(int, before.split("-"))
    match how:
        case "strikeout":
            for _ in range(3 - strikes):
                throw(table, "S", 4, 1)
        case "walk":
            for _ in range(4 - balls):
                throw(table, "B", 4, 1)
        case "single":
            play(throw(table, "S", 4, 6), 3)
        case _:
            dash(contact(table), "home" if how == "safe" else "away")
    if relief:
        play(table, relief)
    assert (SIX[0], ROUND, "0-0") == (board(table).batter, set(asked(table)), count(table))
    strikes_only, calls = table.clone(), ("inside-high", "away-low") if relief == "bench" else ()
    for pitch in (1, 2, 3):
        assert f"{pitch - 1}-0" == count(table)
        throw(table, "B", 4, 1, *calls)
        assert f"0-{pitch - 1}" == count(strikes_only)
        throw(strikes_only, "S", 4, 1, *calls)
    assert ("3-0", SIX[0], ROUND) == (count(table), board(table).batter, set(asked(table)))
    assert "strikeout" in codes(strikes_only.log)[-3:]


@pytest.mark.rule("BN-134")
def test_rounds_go_on_until_somebody_wins() -> None:
    table = ready()
    for batter in range(3):
        for _ in range(3):
            assert (ROUND, None) == (set(asked(table)), table.outcome)
            throw(table, "S", 4, 1)
        if batter < 2:
            play(table, "none")
    assert ((), "away") == (asked(table), table.outcome.winner)


@pytest.mark.rule("BN-143")
def test_a_rested_part_can_be_thrown_again() -> None:
    table = play(out(rows=(3, 0)), "relief-1-0")
    assert (2, 0) == rows(table)
    assert (3, 0) == rows(stare(table, "inside-low"))
    table = play(out(rows=(0, 3)), "relief-0-1")
    assert (0, 2) == rows(table)
    assert (0, 3) == rows(stare(table, "away-high"))
