"""Stealing second and third."""

from __future__ import annotations

import pytest

from engine.asks import Roll
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import (
    NINE,
    at,
    deck,
    half,
    pool,
    refused,
    squad,
    stand,
    swing,
    true,
)
from tests.engine.tables import asked, board, codes, offered, on_base, panel, play


def steal(table: Table, base: str, *faces: int) -> Table:
    """An attempt with as many dice."""
    return play(table, f"steal-{base}", str(len(faces)), list(faces))


EMPTY = '[[batter]]\nname = "F-0"\ntier = 1\ndice = 0\nlines = ["a 6: single"]\n'
"""A batter who brings nothing."""


# An attempt --------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-061")
def test_one_attempt_in_a_turn() -> None:
    """Any number of dice, each of them asked for; then the at-bat, though third is open."""
    table = play(at(bases="1", pool=(1, 0, 0)), "steal-second")
    assert (("steal-second-dice",), ("1", "2", "3")) == (asked(table), offered(table))
    play(table, "2")
    ((_, ask),) = table.asks()
    assert isinstance(ask, Roll)
    assert ("steal-second", 2) == (ask.why, len(ask.dice))
    play(table, [2, 5])
    assert (("at-bat",), ("1", "0"), "2") == (asked(table), offered(table), on_base(table))
    refused(table, "steal-third", "steal-second")
    assert "steal-third" in offered(swing(table, 3))


def test_one_attempt_of_each_by_house_rule() -> None:
    table = steal(at(bases="12", pool=(3, 0, 0), house={"stealsPerTurn": "oneOfEach"}), "third", 4)
    play(table, "r2")
    assert ("1", 1, 0) == stand(table)
    steal(table, "second", 5)
    assert ("2", ("1", "2", "3", "0")) == (on_base(table), offered(table))
    refused(table, "steal-third")


@pytest.mark.rule("SI-062", "SI-066")
@pytest.mark.parametrize("bases", ["", "3"])
def test_a_steal_needs_a_runner_in_position(bases: str) -> None:
    table = at(bases=bases)
    refused(table, "steal-second", "steal-third", "steal-home")
    assert ("1", "2", "0") == offered(table)


@pytest.mark.rule("SI-063", "SI-064")
def test_a_steal_needs_dice_that_are_there() -> None:
    table = play(at(bases="1"), "steal-second")
    refused(table, "3", "0")
    assert ("1", "2") == offered(table)


@pytest.mark.rule("SI-064")
def test_without_dice_there_is_no_attempt() -> None:
    """Nothing is offered; by house rule it may be tried, and fails."""
    cards = deck({"F-0": EMPTY})
    assert (("1", 1, 0), "out") == (stand(at("F-0", "1", cards=cards)), caught(at("F-0", "1", cards=cards)))
    table = at("F-0", "1", cards=cards, house={"minStealDice": "0"})
    assert ("0", "steal-second") == offered(table)
    play(table, "steal-second")
    assert (("", 2, 0), "caught") == (stand(table), caught(table))
    table = play(at(bases="1", house={"minStealDice": "0"}), "steal-second", "0")
    assert (("", 1, 0), (2, 0, 0)) == (stand(table), pool(table))


def caught(table: Table) -> str:
    """How the first out was made."""
    return next(code for code in codes(table.log) if code in ("out", "caught"))


def test_the_only_die_is_not_asked_about() -> None:
    table = play(at("F-6", "1"), "steal-second")
    assert ("steal-second",) == asked(table)


@pytest.mark.rule("SI-065")
def test_tokens_alter_a_steal() -> None:
    table = steal(at(bases="1", pool=(0, 0, 1)), "second", 4)
    assert (("tokens",), ("keep", "4-up", "4-down")) == (asked(table), offered(table))
    assert "2" == on_base(play(table, "4-up"))
    table = steal(at(bases="1", pool=(0, 1, 0)), "second", 4)
    assert "2" == on_base(play(table, "reroll", [6]))
    table = steal(at(bases="1", pool=(0, 0, 1)), "second", 4)
    assert ("", 1, 0) == stand(play(table, "keep"))


# Second ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-067")
def test_second_must_be_open() -> None:
    refused(at(bases="12"), "steal-second")
    refused(at(bases="2"), "steal-second")
    assert "steal-second" in offered(at(bases="13"))


@pytest.mark.rule("SI-068")
@pytest.mark.parametrize(
    ("faces", "after"), [((2, 5), ("2", 0, 0)), ((6,), ("2", 0, 0)), ((4, 4), ("", 1, 0)), ((5,), ("2", 0, 0))]
)
def test_second_needs_a_5_or_a_6(faces: tuple[int, ...], after: tuple[str, int, int]) -> None:
    assert after == stand(steal(at(bases="1", pool=(1, 0, 0)), "second", *faces))


@pytest.mark.rule("SI-069")
def test_only_the_runner_from_first_moves() -> None:
    table = steal(at(bases="13"), "second", 5)
    assert (("23", 0, 0), (None, "r1", "r3")) == (stand(table), board(table).bases)


@pytest.mark.rule("SI-070")
def test_the_runner_from_first_is_out() -> None:
    table = steal(at(bases="13"), "second", 3)
    assert (("3", 1, 0), ("at-bat",)) == (stand(table), asked(table))


# Third -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-071")
def test_third_must_be_open() -> None:
    refused(at(bases="23"), "steal-third")
    refused(at(bases="1"), "steal-third")
    assert "steal-third" in offered(at(bases="12"))
    assert "steal-third" in offered(at(bases="2"))


@pytest.mark.rule("SI-072")
def test_third_needs_a_6() -> None:
    assert ("", 1, 0) == stand(steal(at(bases="2", pool=(1, 0, 0)), "third", 5, 5))
    assert ("3", 0, 0) == stand(steal(at(bases="2", pool=(1, 0, 0)), "third", 1, 6))
    assert ("3", 0, 0) == stand(play(steal(at(bases="2", pool=(0, 0, 1)), "third", 5), "5-up"))


@pytest.mark.rule("SI-073")
def test_everybody_goes_along_to_third() -> None:
    table = steal(at(bases="12"), "third", 6)
    assert (("23", 0, 0), (None, "r1", "r2")) == (stand(table), board(table).bases)


@pytest.mark.rule("SI-074")
@pytest.mark.parametrize(("out", "bases"), [("r1", "2"), ("r2", "1")])
def test_any_runner_is_out_on_the_way_to_third(out: str, bases: str) -> None:
    table = steal(at(bases="12"), "third", 4)
    assert (("runner-out",), ("r1", "r2")) == (asked(table), offered(table))
    refused(table, "F-MAX", "r3")
    assert (bases, 1, 0) == stand(play(table, out))


# What it costs -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-075")
def test_what_is_rolled_is_resolved() -> None:
    table = play(at(bases="12", pool=(0, 0, 1)), "steal-third", "1")
    refused(table, "cancel", [])
    play(table, [4])
    refused(table, "cancel", "0", "hold", "bats")
    play(table, "keep")
    refused(table, "nobody", "cancel")
    assert ("r1", "r2") == offered(table)


@pytest.mark.rule("SI-076")
@pytest.mark.parametrize("faces", [(4, 1), (3, 1)])
def test_dice_and_tokens_are_used_up(faces: tuple[int, int]) -> None:
    table = steal(at(bases="1", pool=(1, 0, 1)), "second", *faces)
    play(table, f"{faces[0]}-up")
    assert ((1, 0, 0), {"dice": 11, "rerolls": 4, "nudges": 4}) == (pool(table), panel(table, "pool")["supply"])
    assert "2" * (faces[0] == 4) == on_base(table)


@pytest.mark.rule("SI-077")
@pytest.mark.parametrize(("leadoff", "slot"), [("same", 3), ("next", 4)])
def test_the_third_out_by_a_steal_comes_before_the_at_bat(leadoff: str, slot: int) -> None:
    """The batter had no turn, and leads off the next half; or the next one does, by house rule."""
    table = steal(at(bases="1", outs=2, slot=3, house={"stealOutLeadoff": leadoff}), "second", 2)
    assert (("team",), "T9", 0) == (asked(table), half(table), codes(table.log).count("out"))
    play(table, [1, 1, 1])
    due = squad(table).lineup[slot]
    assert ("B9", due, slot) == (half(table), board(table).batter, squad(table).slot)


@pytest.mark.rule("SI-078")
def test_nobody_has_to_steal() -> None:
    table = swing(at(bases="1"), 6)
    assert (("", 0, 2), 0) == (stand(table), codes(table.log).count("stolen"))
    assert NINE[1] == board(table).batter
    assert "" == true(table).batter
