"""Stealing second and third, and extra bases after a hit."""

from __future__ import annotations

from typing import Any

import pytest

from engine.asks import Roll
from engine.games.seventh_inning_stretch.state import Pool
from engine.table import Table
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    NINE,
    at,
    deck,
    field,
    half,
    pool,
    refused,
    squad,
    stand,
    supply,
    swing,
    true,
)
from tests.engine.tables import asked, board, codes, offered, on_base, play, ruled, score


def steal(table: Table, base: str, *faces: int) -> Table:
    return play(table, f"steal-{base}", str(len(faces)), list(faces))


EMPTY = '[[batter]]\nname = "F-0"\ntier = 1\ndice = 0\nlines = ["a 6: single"]\n'
"""A batter who brings nothing."""


# An attempt --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-061")
def test_a_turn_allows_one_steal_attempt() -> None:
    """Any number of dice can be rolled, if the coach says so; then the at-bat follows, even with third open."""
    table = play(at(bases="1", pool=(1, 0, 0)), "steal-second")
    assert (("steal-second-dice",), ("1", "2", "3")) == (asked(table), offered(table))
    play(table, "2")
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Roll)
    assert ("steal-second", 2) == (ask.why, len(ask.dice))
    play(table, [2, 5])
    assert (("at-bat",), ("1", "0"), "2") == (asked(table), offered(table), on_base(table))
    refused(table, "steal-third", "steal-second")
    assert "steal-third" in offered(swing(table, 3))


def test_both_steals_can_be_tried_by_house_rule() -> None:
    table = steal(at(bases="12", pool=(3, 0, 0), house={"stealsPerTurn": "oneOfEach"}), "third", 4)
    play(table, "r2")
    assert ("1", 1, 0) == stand(table)
    steal(table, "second", 5)
    assert ("2", ("1", "2", "3", "0")) == (on_base(table), offered(table))
    refused(table, "steal-third")


@pytest.mark.rule("SI-062", "SI-066")
@each("bases", ["", "3"])
def test_a_steal_needs_a_runner_in_position(bases: str) -> None:
    table = at(bases=bases)
    refused(table, "steal-second", "steal-third", "steal-home")
    assert ("1", "2", "0") == offered(table)


@pytest.mark.rule("SI-063", "SI-064")
def test_a_steal_needs_dice_in_the_pool() -> None:
    table = play(at(bases="1"), "steal-second")
    refused(table, "3", "0")
    assert ("1", "2") == offered(table)


@pytest.mark.rule("SI-064")
def test_without_dice_no_steal_is_offered() -> None:
    """By house rule it may be tried anyway, and fails."""
    cards = deck({"F-0": EMPTY})
    assert (("1", 1, 0), "out") == (stand(at("F-0", "1", cards=cards)), caught(at("F-0", "1", cards=cards)))
    table = at("F-0", "1", cards=cards, house={"minStealDice": "0"})
    assert ("0", "steal-second") == offered(table)
    play(table, "steal-second")
    assert (("", 2, 0), "caught") == (stand(table), caught(table))
    table = play(at(bases="1", house={"minStealDice": "0"}), "steal-second", "0")
    assert (("", 1, 0), (2, 0, 0)) == (stand(table), pool(table))


def caught(table: Table) -> str:
    return next(code for code in codes(table.log) if code in ("out", "caught"))


def test_a_single_die_is_used_without_asking() -> None:
    table = play(at("F-6", "1"), "steal-second")
    assert ("steal-second",) == asked(table)


# Second ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-067")
def test_second_must_be_open() -> None:
    refused(at(bases="12"), "steal-second")
    refused(at(bases="2"), "steal-second")
    assert "steal-second" in offered(at(bases="13"))


STEALS = (
    *ruled("SI-065", ("1", (0, 0, 1), "second", (4,), ("4-up",), "-1-", 0)),
    *ruled("SI-065", ("1", (0, 1, 0), "second", (4,), ("reroll", [6]), "-1-", 0)),
    *ruled("SI-065", ("1", (0, 0, 1), "second", (4,), ("keep",), "---", 1)),
    *ruled("SI-068", ("1", (1, 0, 0), "second", (2, 5), (), "-1-", 0), ("1", (1, 0, 0), "second", (6,), (), "-1-", 0)),
    *ruled("SI-068", ("1", (1, 0, 0), "second", (4, 4), (), "---", 1), ("1", (1, 0, 0), "second", (5,), (), "-1-", 0)),
    *ruled("SI-069", ("13", (0, 0, 0), "second", (5,), (), "-13", 0)),
    *ruled("SI-070", ("13", (0, 0, 0), "second", (3,), (), "--3", 1)),
    *ruled("SI-072", ("2", (1, 0, 0), "third", (5, 5), (), "---", 1), ("2", (1, 0, 0), "third", (1, 6), (), "--2", 0)),
    *ruled("SI-072", ("2", (0, 0, 1), "third", (5,), ("5-up",), "--2", 0)),
    *ruled("SI-073", ("12", (0, 0, 0), "third", (6,), (), "-12", 0)),
)
"""Runners and pool before; base, dice and answers; then the field and the outs."""


@pytest.mark.parametrize(("bases", "pool", "base", "faces", "answers", "after", "outs"), STEALS)
def test_a_steal_moves_runners(
    bases: str,
    pool: tuple[int, int, int],
    base: str,
    faces: tuple[int, ...],
    answers: tuple[Any, ...],
    after: str,
    outs: int,
) -> None:
    table = play(steal(at(bases=bases, pool=pool), base, *faces), *answers)
    assert (("at-bat",), after, outs, 0) == (asked(table), field(table), board(table).outs, sum(score(table)))


# Third -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-071")
def test_third_must_be_open() -> None:
    refused(at(bases="23"), "steal-third")
    refused(at(bases="1"), "steal-third")
    assert "steal-third" in offered(at(bases="12"))
    assert "steal-third" in offered(at(bases="2"))


@pytest.mark.rule("SI-074")
@each(("out", "bases"), [("r1", "2"), ("r2", "1")])
def test_any_runner_may_be_out_on_the_way_to_third(out: str, bases: str) -> None:
    table = steal(at(bases="12"), "third", 4)
    assert (("runner-out",), ("r1", "r2")) == (asked(table), offered(table))
    refused(table, "F-MAX", "r3")
    assert (bases, 1, 0) == stand(play(table, out))


# What it costs -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-075")
def test_a_steal_that_was_rolled_must_be_resolved() -> None:
    table = play(at(bases="12", pool=(0, 0, 1)), "steal-third", "1")
    refused(table, "cancel", [])
    play(table, [4])
    refused(table, "cancel", "0", "hold", "bats")
    play(table, "keep")
    refused(table, "nobody", "cancel")
    assert ("r1", "r2") == offered(table)


@pytest.mark.rule("SI-065", "SI-076")
@each("faces", [(4, 1), (3, 1)])
def test_dice_and_tokens_are_used_up(faces: tuple[int, int]) -> None:
    table = steal(at(bases="1", pool=(1, 0, 1)), "second", *faces)
    turns = (f"{faces[0]}-up", "1-up", f"{faces[0]}-down")
    assert (("tokens",), {"keep", *turns}) == (asked(table), {*offered(table)})
    play(table, turns[0])
    assert ((1, 0, 0), Pool(11, 4, 4)) == (pool(table), supply(table))
    assert "2" * (faces[0] == 4) == on_base(table)


@pytest.mark.rule("SI-077")
@each(("leadoff", "slot"), [("same", 3), ("next", 4)])
def test_a_steal_for_the_third_out_comes_before_the_at_bat(leadoff: str, slot: int) -> None:
    """The batter had no turn and leads off the next half; by house rule the batter after him does."""
    table = steal(at(bases="1", outs=2, slot=3, house={"stealOutLeadoff": leadoff}), "second", 2)
    assert (("team",), "T9", 0) == (asked(table), half(table), codes(table.log).count("out"))
    play(table, [1, 1, 1])
    due = squad(table).lineup[slot]
    assert ("B9", due, slot) == (half(table), board(table).batter, squad(table).slot)


@pytest.mark.rule("SI-078")
def test_stealing_is_optional() -> None:
    table = swing(at(bases="1"), 6)
    assert (("", 0, 2), 0) == (stand(table), codes(table.log).count("stolen"))
    assert NINE[1] == board(table).batter
    assert "" == true(table).batter


# An extra base: when it is offered ----------------------------------------------------------------------------------


@pytest.mark.rule("SI-097")
def test_more_dice_can_buy_an_extra_base() -> None:
    table = swing(at(bases="1", pool=(1, 0, 0)), 4)
    assert ("12", ("extra-base",), ("hold", "1", "2")) == (on_base(table), asked(table), offered(table))
    play(table, "1")
    assert ("extra-base-roll",) == asked(table)
    play(table, [6])
    assert (("13", 0, 0), ("at-bat",)) == (stand(table), asked(table))
    refused(table, "hold")


@pytest.mark.rule("SI-098")
def test_dice_already_rolled_are_gone() -> None:
    assert ("at-bat",) == asked(swing(at(bases="1"), 4, 4))
    table = swing(at(bases="1", pool=(1, 0, 0)), 4, 4)
    assert ("hold", "1") == offered(table)
    refused(table, "2", "0")


def test_without_dice_it_may_fail_by_house_rule() -> None:
    table = swing(at(bases="1", house={"minStealDice": "0"}), 4, 4)
    assert ("hold", "0") == offered(table)
    assert ("2", 1, 0) == stand(play(table, "0", "F-MAX"))


@pytest.mark.rule("SI-099")
def test_only_a_hit_allows_an_extra_base() -> None:
    table = swing(at("F-BB", "1"), 3)
    assert ("12", ("at-bat",)) == (on_base(table), asked(table))
    refused(table, "hold")


@pytest.mark.rule("SI-100")
@each(("bases", "face", "asks"), [("", 4, "at-bat"), ("3", 4, "at-bat"), ("2", 4, "extra-base")])
def test_a_runner_from_before_must_be_on_base(bases: str, face: int, asks: str) -> None:
    assert (asks,) == asked(swing(at(bases=bases), face))


@pytest.mark.rule("SI-108")
def test_an_extra_base_is_optional() -> None:
    table = play(swing(play(at(bases="1", bench=("F-8",)), "bats"), 4), "hold")
    assert (("12", 0, 0), ("batter",), (1, 0, 0)) == (stand(table), asked(table), pool(table))


# The roll ----------------------------------------------------------------------------------------------------------


EXTRA_BASES = (
    *ruled("SI-101", ("12", 0, (0, 0, 0), 5, ("1", [6]), "-b-", 0, 2)),
    *ruled(
        "SI-102", ("12", 0, (0, 0, 0), 4, ("1", [6]), "b-1", 0, 1), ("12", 1, (0, 0, 0), 4, ("1", [6]), "b-1", 1, 1)
    ),
    *ruled("SI-103", ("1", 0, (0, 0, 0), 4, ("1", [5], "r1"), "b--", 1, 0)),
    *ruled("SI-103", ("1", 0, (0, 0, 0), 4, ("1", [5], "F-MAX"), "-1-", 1, 0)),
    *ruled("SI-104", ("1", 2, (0, 0, 0), 4, ("1", [5]), "b-1", 2, 0), ("1", 2, (0, 0, 0), 4, ("1", [6]), "b-1", 2, 0)),
    *ruled("SI-106", ("1", 0, (0, 0, 1), 4, ("keep", "1", [5], "5-up"), "b-1", 0, 0)),
    *ruled("SI-106", ("1", 0, (0, 1, 0), 4, ("keep", "1", [5], "reroll", [6]), "b-1", 0, 0)),
    *ruled("SI-107", ("1", 0, (0, 0, 0), 4, ("1", [6]), "b-1", 0, 0), ("1", 0, (0, 0, 0), 5, ("1", [6]), "-b-", 0, 1)),
    # The rulebook's example: one run by the double, one by the extra base, or an out.
    *ruled("SI-114", ("12", 0, (0, 0, 1), 4, ("4-up", "1", [6]), "-b-", 0, 2)),
    *ruled("SI-114", ("12", 1, (0, 0, 1), 4, ("4-up", "1", [6]), "-b-", 1, 2)),
    *ruled("SI-115", ("12", 0, (0, 0, 1), 4, ("4-up", "1", [5], "r1"), "-b-", 1, 1)),
    *ruled("SI-115", ("12", 0, (0, 0, 1), 4, ("4-up", "1", [5], "F-MAX"), "--1", 1, 1)),
)
"""Runners, outs and pool before; the die of a hit and the answers; then the field, the outs and the runs."""


@pytest.mark.parametrize(("bases", "outs", "pool", "face", "answers", "after", "out", "runs"), EXTRA_BASES)
def test_an_extra_base_moves_runners(
    bases: str,
    outs: int,
    pool: tuple[int, int, int],
    face: int,
    answers: tuple[Any, ...],
    after: str,
    out: int,
    runs: int,
) -> None:
    table = play(swing(at(bases=bases, outs=outs, pool=pool), face), *answers)
    assert (("at-bat",), after, out) == (asked(table), field(table), board(table).outs)
    assert (runs, runs) == (sum(score(table)), true(table).runs)


def test_a_failed_try_puts_out_a_runner_from_before_by_house_rule() -> None:
    house = {"extraBaseOut": "preexistingOnly"}
    assert ("1", 1, 0) == stand(play(swing(at(bases="1", house=house), 4), "1", [5]))
    table = play(swing(at(bases="12", house=house), 4), "1", [5])
    assert ("r1", "r2") == offered(table)
    refused(table, "F-MAX")
    assert ("13", 1, 0) == stand(play(table, "r1"))


@pytest.mark.rule("SI-105", "SI-113")
def test_a_failed_try_with_two_outs_ends_the_half() -> None:
    table = swing(at(bases="13", outs=2), 4)
    assert ("12", 2, 1) == stand(table)
    play(table, "1", [4])
    assert (("T9", ("team",)), ("", 0, 1)) == ((half(table), asked(table)), stand(table))


@pytest.mark.rule("SI-109")
@each("face", [1, 6])
def test_its_dice_are_used_up(face: int) -> None:
    table = swing(play(at(bases="1", pool=(1, 0, 1), bench=("F-8",)), "bats"), 4)
    play(table, "keep", "1", [face], f"{face}-{'up' if face == 1 else 'down'}")
    if face == 1:
        play(table, "r1")
    assert (1, 0, 0) == pool(table)
