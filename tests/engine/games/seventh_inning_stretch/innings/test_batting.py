"""At bat: dice against the card, and what its outcomes do."""

from __future__ import annotations

import pytest

from engine.seats import Seat
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import at, deck, half, pool, refused, stand, swing, true
from tests.engine.tables import asked, board, codes, offered, on_base, panel, play


def hits(table: Table, side: Seat = "home") -> int:
    """The hits of a side."""
    return board(table).sides[side].hits


def several(*lines: str) -> str:
    """A batter with these conditions."""
    typed = ", ".join(f'"{one}"' for one in lines)
    return f'[[batter]]\nname = "F-0"\ntier = 1\ndice = 2\nlines = [{typed}]\n'


# The roll ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-079")
def test_the_batter_comes_to_the_plate_for_the_attempt() -> None:
    table = play(at(bases="1"), "steal-second", "1")
    assert "" == true(table).batter
    play(table, [6], "1")
    assert (("swing",), "F-MAX") == (asked(table), true(table).batter)
    assert "" == true(play(table, [1])).batter


@pytest.mark.rule("SI-080")
def test_any_number_of_dice_or_none() -> None:
    table = at(pool=(1, 0, 0))
    assert ("1", "2", "3", "0") == offered(table)
    refused(table, "4", "-1")
    for count in (1, 2, 3):
        assert "" != on_base(swing(table.clone(), *(4,) * count))
    assert ("", 1, 0) == stand(swing(table))


@pytest.mark.rule("SI-081")
@pytest.mark.parametrize(
    ("faces", "after"),
    [((4,), ("1", 0, 0)), ((5,), ("2", 0, 0)), ((6,), ("", 0, 1)), ((4, 5), ("2", 0, 0)), ((3, 3), ("", 1, 0))],
)
def test_a_condition_gives_its_outcome(faces: tuple[int, ...], after: tuple[str, int, int]) -> None:
    assert after == stand(swing(at(), *faces))


@pytest.mark.rule("SI-082")
@pytest.mark.parametrize(
    ("faces", "after"), [((3, 3), ("1", 0, 0)), ((3, 5), ("", 1, 0)), ((3,), ("", 1, 0)), ((), ("", 1, 0))]
)
def test_a_condition_may_want_two_alike(faces: tuple[int, ...], after: tuple[str, int, int]) -> None:
    assert after == stand(swing(at("F-PAIR"), *faces))


@pytest.mark.rule("SI-083")
def test_one_of_several_outcomes_is_taken() -> None:
    table = swing(at("F-TWO"), 5, 5)
    assert (("outcome",), ("single", "double")) == (asked(table), offered(table))
    refused(table, "no-outcome", "", "triple")
    assert ("1", 1) == (on_base(play(table.clone(), "single")), hits(play(table.clone(), "single")))
    assert ("2", 1) == (on_base(play(table.clone(), "double")), hits(play(table, "double")))


@pytest.mark.parametrize(
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
    cards = deck({"F-0": several(*lines)})
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


@pytest.mark.rule("SI-085")
@pytest.mark.parametrize(
    ("bases", "after", "runs"), [("", "1", 0), ("1", "12", 0), ("3", "1", 1), ("123", "123", 1), ("2", "13", 0)]
)
def test_a_single_is_a_base(bases: str, after: str, runs: int) -> None:
    assert (after, 0, runs) == stand(swing(at(bases=bases), 4, 4))


@pytest.mark.rule("SI-086")
@pytest.mark.parametrize(
    ("bases", "after", "runs"), [("", "2", 0), ("1", "23", 0), ("12", "23", 1), ("123", "23", 2), ("3", "2", 1)]
)
def test_a_double_is_two(bases: str, after: str, runs: int) -> None:
    assert (after, 0, runs) == stand(swing(at(bases=bases), 5, 5))


@pytest.mark.rule("SI-087")
@pytest.mark.parametrize(("bases", "after", "runs"), [("", "3", 0), ("12", "3", 2), ("123", "3", 3)])
def test_a_triple_is_three(bases: str, after: str, runs: int) -> None:
    table = swing(at("F-3B", bases), 6, 6)
    assert ((after, 0, runs), "F-3B") == (stand(table), board(table).bases[2])


@pytest.mark.rule("SI-088")
@pytest.mark.parametrize(("bases", "runs"), [("", 1), ("13", 3), ("123", 4)])
def test_a_home_run_scores_everybody(bases: str, runs: int) -> None:
    assert ("", 0, runs) == stand(swing(at(bases=bases), 6, 6))


@pytest.mark.rule("SI-089", "SI-093", "SI-099")
@pytest.mark.parametrize(
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
def test_what_a_hit_is(batter: str, face: int, hit: int, more: bool) -> None:
    """Four outcomes are; an extra base may be tried after them, if an earlier runner is left to try."""
    table = swing(at(batter, "1", pool=(1, 0, 0)), face)
    assert (hit, "extra-base" if more else "at-bat") == (hits(table), asked(table)[0])
    if not more:
        refused(table, "hold")


@pytest.mark.rule("SI-090")
@pytest.mark.parametrize(
    ("bases", "after", "runs"),
    [
        ("", "1", 0),
        ("1", "12", 0),
        ("2", "12", 0),
        ("3", "13", 0),
        ("13", "123", 0),
        ("23", "123", 0),
        ("123", "123", 1),
    ],
)
def test_a_walk_only_forces(bases: str, after: str, runs: int) -> None:
    table = swing(at("F-BB", bases), 3)
    assert ((after, 0, runs), "F-BB") == (stand(table), board(table).bases[0])


@pytest.mark.rule("SI-091")
@pytest.mark.parametrize(
    ("bases", "outs", "after"), [("1", 0, ("2", 1, 0)), ("23", 1, ("3", 2, 1)), ("", 0, ("", 1, 0))]
)
def test_a_sacrifice_is_an_out_and_a_base(bases: str, outs: int, after: tuple[str, int, int]) -> None:
    assert after == stand(swing(at("F-SAC", bases, outs), 2))


@pytest.mark.rule("SI-092")
def test_a_sacrifice_as_the_third_out_moves_nobody() -> None:
    table = swing(at("F-SAC", "3", 2), 2)
    assert ("T9", ("", 0, 0)) == (half(table), stand(table))


@pytest.mark.rule("SI-094")
def test_no_outcome_is_an_out() -> None:
    for faces in ((3,), ()):
        table = swing(at(bases="13"), *faces)
        assert (("13", 1, 0), "") == (stand(table), true(table).batter)


@pytest.mark.rule("SI-095")
def test_runners_hold_when_the_batter_is_out() -> None:
    table = swing(at("F-PAIR", "12"), 3, 5)
    assert (("r1", "r2", None), 1) == (board(table).bases, board(table).outs)


@pytest.mark.rule("SI-096")
@pytest.mark.parametrize("again", [3, 6])
def test_dice_and_tokens_are_used_up(again: int) -> None:
    table = swing(play(at(pool=(1, 1, 0), bench=("F-8",)), "bats"), 1, 2)
    play(table, "reroll", [again, None])
    assert ((1, 0, 0), {"dice": 11, "rerolls": 4, "nudges": 4}) == (pool(table), panel(table, "pool")["supply"])
    assert int(again == 6) == sum(true(table).score)
