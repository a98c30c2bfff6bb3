"""At bat: dice against the card, and the effects of outcomes."""

from __future__ import annotations

import pytest

from engine.games.seventh_inning_stretch.state import Pool
from engine.seats import Seat
from engine.table import Table
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    at,
    batter_card,
    deck,
    field,
    half,
    pool,
    refused,
    stand,
    supply,
    swing,
    true,
)
from tests.engine.tables import asked, board, codes, offered, on_base, play, ruled


def hits(table: Table, side: Seat = "home") -> int:
    return board(table).sides[side].hits


# The roll ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-079")
def test_the_batter_is_at_the_plate_for_his_attempt() -> None:
    table = play(at(bases="1"), "steal-second", "1")
    assert "" == true(table).batter
    play(table, [6], "1")
    assert (("swing",), "F-MAX") == (asked(table), true(table).batter)
    assert "" == true(play(table, [1])).batter


@pytest.mark.rule("SI-080")
def test_any_number_of_dice_can_be_rolled_or_none() -> None:
    table = at(pool=(1, 0, 0))
    assert ("1", "2", "3", "0") == offered(table)
    refused(table, "4", "-1")
    for count in (1, 2, 3):
        assert "" != on_base(swing(table.clone(), *(4,) * count))
    assert ("", 1, 0) == stand(swing(table))


@pytest.mark.rule("SI-083")
def test_one_of_several_outcomes_is_taken() -> None:
    table = swing(at("F-TWO"), 5, 5)
    assert (("outcome",), ("single", "double")) == (asked(table), offered(table))
    refused(table, "no-outcome", "", "triple")
    assert ("1", 1) == (on_base(play(table.clone(), "single")), hits(play(table.clone(), "single")))
    assert ("2", 1) == (on_base(play(table.clone(), "double")), hits(play(table, "double")))


@each(
    ("lines", "best"),
    [
        (("a pair: single", "a 5: double"), "double"),
        (("a 5: double", "a pair: triple"), "triple"),
        (("a 5: home-run", "a pair: triple"), "home-run"),
        (("a 5: walk", "a pair: single"), "single"),
        (("a 5: sacrifice", "a pair: walk"), "walk"),
    ],
)
def test_the_best_outcome_counts_by_house_rule(lines: tuple[str, str], best: str) -> None:
    cards = deck({"F-0": batter_card("F-0", lines)})
    table = swing(at("F-0", cards=cards, house={"conditionChoice": "best"}), 5, 5)
    assert best in codes(table.log)
    lesser = next(one.split(": ")[1] for one in lines if not one.endswith(best))
    assert lesser in codes(play(swing(at("F-0", cards=cards), 5, 5), lesser).log)


@pytest.mark.rule("SI-084")
def test_tokens_alter_the_roll() -> None:
    assert "2" == on_base(play(swing(at(pool=(0, 0, 1)), 4), "4-up"))
    assert ("", 0, 1) == stand(play(swing(at(pool=(0, 1, 0)), 1, 2), "reroll", [6, None]))
    assert "1" == on_base(play(swing(at(pool=(0, 1, 1)), 4), "keep"))


# Outcomes ----------------------------------------------------------------------------------------------------------


OUTCOMES = (
    *ruled("SI-081", ("F-MAX", "", 0, (4,), "b--", 0, 0), ("F-MAX", "", 0, (5,), "-b-", 0, 0)),
    *ruled("SI-081", ("F-MAX", "", 0, (6,), "---", 0, 1), ("F-MAX", "", 0, (4, 5), "-b-", 0, 0)),
    *ruled("SI-081", ("F-MAX", "", 0, (3, 3), "---", 1, 0)),
    # A single die is never a pair.
    *ruled("SI-082", ("F-PAIR", "", 0, (3, 3), "b--", 0, 0), ("F-PAIR", "", 0, (3, 5), "---", 1, 0)),
    *ruled("SI-082", ("F-PAIR", "", 0, (3,), "---", 1, 0), ("F-PAIR", "", 0, (), "---", 1, 0)),
    # A single, a double, a triple and a home run.
    *ruled("SI-085", ("F-MAX", "", 0, (4, 4), "b--", 0, 0), ("F-MAX", "1", 0, (4, 4), "b1-", 0, 0)),
    *ruled("SI-085", ("F-MAX", "3", 0, (4, 4), "b--", 0, 1), ("F-MAX", "123", 0, (4, 4), "b12", 0, 1)),
    *ruled("SI-085", ("F-MAX", "2", 0, (4, 4), "b-2", 0, 0)),
    *ruled("SI-086", ("F-MAX", "", 0, (5, 5), "-b-", 0, 0), ("F-MAX", "1", 0, (5, 5), "-b1", 0, 0)),
    *ruled("SI-086", ("F-MAX", "12", 0, (5, 5), "-b1", 0, 1), ("F-MAX", "123", 0, (5, 5), "-b1", 0, 2)),
    *ruled("SI-086", ("F-MAX", "3", 0, (5, 5), "-b-", 0, 1)),
    *ruled("SI-087", ("F-3B", "", 0, (6, 6), "--b", 0, 0), ("F-3B", "12", 0, (6, 6), "--b", 0, 2)),
    *ruled("SI-087", ("F-3B", "123", 0, (6, 6), "--b", 0, 3)),
    *ruled("SI-088", ("F-MAX", "", 0, (6, 6), "---", 0, 1), ("F-MAX", "13", 0, (6, 6), "---", 0, 3)),
    *ruled("SI-088", ("F-MAX", "123", 0, (6, 6), "---", 0, 4)),
    # A walk moves only the runners it forces.
    *ruled("SI-090", ("F-BB", "", 0, (3,), "b--", 0, 0), ("F-BB", "1", 0, (3,), "b1-", 0, 0)),
    *ruled("SI-090", ("F-BB", "2", 0, (3,), "b2-", 0, 0), ("F-BB", "3", 0, (3,), "b-3", 0, 0)),
    *ruled("SI-090", ("F-BB", "13", 0, (3,), "b13", 0, 0), ("F-BB", "23", 0, (3,), "b23", 0, 0)),
    *ruled("SI-090", ("F-BB", "123", 0, (3,), "b12", 0, 1)),
    *ruled("SI-091", ("F-SAC", "1", 0, (2,), "-1-", 1, 0), ("F-SAC", "23", 1, (2,), "--2", 2, 1)),
    *ruled("SI-091", ("F-SAC", "", 0, (2,), "---", 1, 0)),
    # An out, with dice or without any; the runners hold.
    *ruled("SI-094", ("F-MAX", "13", 0, (3,), "1-3", 1, 0), ("F-MAX", "13", 0, (), "1-3", 1, 0)),
    *ruled("SI-095", ("F-PAIR", "12", 0, (3, 5), "12-", 1, 0)),
)
"""Batter, runners and outs before; dice; then the field ("b" is the batter, "1" the runner from first), outs, runs."""


@pytest.mark.parametrize(("who", "bases", "outs", "faces", "after", "out", "runs"), OUTCOMES)
def test_an_outcome_moves_batter_and_runners(
    who: str, bases: str, outs: int, faces: tuple[int, ...], after: str, out: int, runs: int
) -> None:
    table = swing(at(who, bases, outs), *faces)
    assert (after, out, runs) == (field(table, who), *stand(table)[1:])
    assert "" == true(table).batter


@pytest.mark.rule("SI-089", "SI-093", "SI-099")
@each(
    ("batter", "face", "hit", "more"),
    [
        ("F-MAX", 4, 1, True),
        ("F-MAX", 5, 1, True),
        ("F-3B", 6, 1, False),
        ("F-MAX", 6, 1, False),
        ("F-BB", 3, 0, False),
        ("F-SAC", 2, 0, False),
    ],
)
def test_four_outcomes_count_as_hits(batter: str, face: int, hit: int, more: bool) -> None:
    """After a hit an extra base may be tried, if a runner who was on base before is left to try."""
    table = swing(at(batter, "1", pool=(1, 0, 0)), face)
    assert (hit, "extra-base" if more else "at-bat") == (hits(table), asked(table)[0])
    if not more:
        refused(table, "hold")


@pytest.mark.rule("SI-092")
def test_a_sacrifice_for_the_third_out_moves_nobody() -> None:
    table = swing(at("F-SAC", "3", 2), 2)
    assert ("T9", ("", 0, 0)) == (half(table), stand(table))


@pytest.mark.rule("SI-096")
@each("again", [3, 6])
def test_dice_and_tokens_are_used_up(again: int) -> None:
    table = swing(play(at(pool=(1, 1, 0), bench=("F-8",)), "bats"), 1, 2)
    play(table, "reroll", [again, None])
    assert ((1, 0, 0), Pool(11, 4, 4)) == (pool(table), supply(table))
    assert int(again == 6) == sum(true(table).score)
