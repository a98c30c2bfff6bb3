"""Extra bases after a hit."""

from __future__ import annotations

import pytest

from tests.engine.games.seventh_inning_stretch.fixture import at, half, pool, refused, stand, swing, true
from tests.engine.tables import asked, board, offered, on_base, play

# Whether it is offered ---------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-097")
def test_more_dice_may_push_the_runners_on_once() -> None:
    table = swing(at(bases="1", pool=(1, 0, 0)), 4)
    assert ("12", ("extra-base",), ("hold", "1", "2")) == (on_base(table), asked(table), offered(table))
    play(table, "1")
    assert ("extra-base-roll",) == asked(table)
    play(table, [6])
    assert (("13", 0, 0), ("at-bat",)) == (stand(table), asked(table))
    refused(table, "hold")


@pytest.mark.rule("SI-098")
def test_dice_that_were_rolled_are_gone() -> None:
    assert ("at-bat",) == asked(swing(at(bases="1"), 4, 4))
    table = swing(at(bases="1", pool=(1, 0, 0)), 4, 4)
    assert ("hold", "1") == offered(table)
    refused(table, "2", "0")


def test_without_dice_it_may_fail_by_house_rule() -> None:
    table = swing(at(bases="1", house={"minStealDice": "0"}), 4, 4)
    assert ("hold", "0") == offered(table)
    assert ("2", 1, 0) == stand(play(table, "0", "F-MAX"))


@pytest.mark.rule("SI-099")
def test_only_a_hit_lets_them_run() -> None:
    table = swing(at("F-BB", "1"), 3)
    assert ("12", ("at-bat",)) == (on_base(table), asked(table))
    refused(table, "hold")


@pytest.mark.rule("SI-100")
@pytest.mark.parametrize(("bases", "face", "asks"), [("", 4, "at-bat"), ("3", 4, "at-bat"), ("2", 4, "extra-base")])
def test_an_earlier_runner_must_be_on_base(bases: str, face: int, asks: str) -> None:
    assert (asks,) == asked(swing(at(bases=bases), face))


@pytest.mark.rule("SI-108")
def test_nobody_has_to_run() -> None:
    table = play(swing(play(at(bases="1", bench=("F-8",)), "bats"), 4), "hold")
    assert (("12", 0, 0), ("batter",), (1, 0, 0)) == (stand(table), asked(table), pool(table))


# What it needs -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-101")
def test_one_may_come_home_from_third() -> None:
    table = swing(at(bases="12"), 5)
    assert ("23", 0, 1) == stand(table)
    assert ("2", 0, 2) == stand(play(table, "1", [6]))


@pytest.mark.rule("SI-102")
@pytest.mark.parametrize("outs", [0, 1])
def test_with_less_than_two_outs_a_6_is_needed(outs: int) -> None:
    table = swing(at(bases="12", outs=outs), 4)
    assert ("123", outs, 0) == stand(table)
    play(table, "1", [6])
    assert (("13", outs, 1), ("F-MAX", None, "r1")) == (stand(table), board(table).bases)


@pytest.mark.rule("SI-103")
@pytest.mark.parametrize(("out", "bases"), [("r1", "1"), ("F-MAX", "2")])
def test_failed_it_costs_any_runner(out: str, bases: str) -> None:
    table = play(swing(at(bases="1"), 4), "1", [5])
    assert (("runner-out",), {"r1", "F-MAX"}) == (asked(table), set(offered(table)))
    assert (bases, 1, 0) == stand(play(table, out))


def test_failed_it_costs_an_earlier_runner_by_house_rule() -> None:
    house = {"extraBaseOut": "preexistingOnly"}
    assert ("1", 1, 0) == stand(play(swing(at(bases="1", house=house), 4), "1", [5]))
    table = play(swing(at(bases="12", house=house), 4), "1", [5])
    assert ("r1", "r2") == offered(table)
    refused(table, "F-MAX")
    assert ("13", 1, 0) == stand(play(table, "r1"))


@pytest.mark.rule("SI-104")
@pytest.mark.parametrize("face", [5, 6])
def test_with_two_outs_a_5_will_do(face: int) -> None:
    table = play(swing(at(bases="1", outs=2), 4), "1", [face])
    assert (("13", 2, 0), "B8") == (stand(table), half(table))


@pytest.mark.rule("SI-105", "SI-113")
def test_failed_with_two_outs_it_ends_the_half() -> None:
    table = swing(at(bases="13", outs=2), 4)
    assert ("12", 2, 1) == stand(table)
    play(table, "1", [4])
    assert (("T9", ("team",)), ("", 0, 1)) == ((half(table), asked(table)), stand(table))


@pytest.mark.rule("SI-106")
def test_tokens_alter_it() -> None:
    table = play(swing(at(bases="1", pool=(0, 0, 1)), 4), "keep", "1", [5], "5-up")
    assert ("13", 0, 0) == stand(table)
    table = play(swing(at(bases="1", pool=(0, 1, 0)), 4), "keep", "1", [5], "reroll", [6])
    assert ("13", 0, 0) == stand(table)


@pytest.mark.rule("SI-107")
@pytest.mark.parametrize(("face", "bases"), [(4, ("F-MAX", None, "r1")), (5, (None, "F-MAX", None))])
def test_the_batter_stays(face: int, bases: tuple[str | None, ...]) -> None:
    assert bases == board(play(swing(at(bases="1"), face), "1", [6])).bases


@pytest.mark.rule("SI-109")
@pytest.mark.parametrize("face", [1, 6])
def test_its_dice_are_used_up(face: int) -> None:
    table = swing(play(at(bases="1", pool=(1, 0, 1), bench=("F-8",)), "bats"), 4)
    play(table, "keep", "1", [face], f"{face}-{'up' if face == 1 else 'down'}")
    if face == 1:
        play(table, "r1")
    assert (1, 0, 0) == pool(table)


# The rulebook's example --------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-114")
@pytest.mark.parametrize("outs", [0, 1])
def test_a_die_a_token_a_double_and_an_extra_base(outs: int) -> None:
    table = swing(play(at(bases="12", outs=outs, pool=(0, 0, 1), bench=("F-8",)), "bats"), 4)
    play(table, "4-up")
    assert ("23", outs, 1) == stand(table)
    play(table, "1", [6])
    assert (("2", outs, 2), (0, 0, 0)) == (stand(table), pool(table))


@pytest.mark.rule("SI-115")
@pytest.mark.parametrize(("out", "bases"), [("r1", "2"), ("F-MAX", "3")])
def test_and_with_a_5_one_run_and_an_out(out: str, bases: str) -> None:
    table = play(swing(at(bases="12", pool=(0, 0, 1)), 4), "4-up", "1", [5])
    assert ("runner-out",) == asked(table)
    assert (bases, 1, 1) == stand(play(table, out))
    assert 1 == true(table).runs
