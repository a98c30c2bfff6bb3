"""Difficulty levels and the Hitting Coach while you bat."""

from __future__ import annotations

import pytest

from engine.errors import HouseRuleError
from engine.games.seventh_inning_stretch.house_rules import COACHES_BY_VALUE, DIFFICULTIES_BY_VALUE
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import (
    NINE,
    against,
    at,
    half,
    new,
    pool,
    refused,
    skip,
    stand,
    supply,
    swing,
    true,
)
from tests.engine.tables import asked, board, offered, on_base, panel, play

HITTING = {"coach": "hitting"}
VETERAN = {"difficulty": "veteran"}


# Rookie ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-186")
@each(("difficulty", "begins"), [("rookie", (1, 1, 1)), ("hallOfFamer", (0, 0, 0))])
def test_a_rookie_begins_with_extra_resources(difficulty: str, begins: tuple[int, int, int]) -> None:
    table = at(outs=2, inning=7, pool=(3, 0, 0), bench=("F-8",), house={"difficulty": difficulty})
    for inning in (8, 9):
        while half(table)[0] == "B":
            swing(play(table, "bats"))
        assert 0 == true(table).pool.dice
        play(table, [1, 1, 1])
        assert (f"B{inning}", ("batter",), begins) == (half(table), asked(table), pool(table))


# Veteran -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-187")
@each("uses", [6, 5])
def test_a_veteran_can_call_for_a_die(uses: int) -> None:
    """Six times, or five by a house rule. The dice come from the supply; the last one is the veteran's own die."""
    table = at(house=VETERAN | {"veteranUses": str(uses)})
    assert ((2, 0, 0), uses, 9) == (pool(table), panel(table, "pool")["veteran"], supply(table).dice)
    for used in range(1, uses + 1):
        play(table, "veteran")
        assert (2 + used, uses - used) == (pool(table)[0], panel(table, "pool")["veteran"])
    refused(table, "veteran")
    assert 12 == pool(table)[0] + supply(table).dice


@pytest.mark.rule("SI-187")
def test_the_last_die_is_the_veterans_own() -> None:
    """With the supply empty, only the last call remains: the veteran's own die joins the pool."""
    table = at(pool=(9, 0, 0), veteran=2, house=VETERAN)
    assert (11, 0) == (pool(table)[0], supply(table).dice)
    refused(table, "veteran")
    play(at_last := at(pool=(9, 0, 0), veteran=1, house=VETERAN), "veteran")
    assert (12, 0) == (pool(at_last)[0], supply(at_last).dice)


@pytest.mark.rule("SI-187")
def test_the_veterans_calls_last_the_whole_season() -> None:
    table = swing(play(at(inning=9, veteran=2, house=VETERAN), "veteran"), 6)
    assert (("opponent",), 1) == (asked(table), true(table).veteran)
    play(table, "T-2", "new", dict(zip("123456789", NINE, strict=True)), 1)
    skip(play(table, [1, 1, 1]), "ability")
    assert ("T8", 1) == (half(table), panel(table, "pool")["veteran"])
    play(table, "veteran")
    refused(table, "veteran")
    assert 0 == true(new()).veteran


@pytest.mark.rule("SI-187")
def test_a_veteran_can_call_before_any_roll() -> None:
    """This includes steals and extra bases, even with no dice before; it is never possible on defense."""
    table = play(at(bases="1", house=VETERAN), "steal-second")
    assert ("1", "2", "veteran") == offered(table)
    play(table, "veteran", "3", [5, 1, 1])
    assert ("0", "veteran") == offered(table)
    table = swing(at(bases="1", house=VETERAN), 4, 4)
    assert ("hold", "veteran") == offered(table)
    play(table, "veteran", "1", [6])
    assert "13" == on_base(table)
    assert ("team",) == asked(against(house=VETERAN))
    refused(at(bases="1"), "veteran")


@each("timing", ["betweenRolls", "anyTime"])
def test_when_a_veteran_may_call(timing: str) -> None:
    """Only before a roll, or by a house rule also after it; then the die is for the next roll."""
    table = swing(at(pool=(0, 1, 0), house=VETERAN | {"veteranTiming": timing}), 1)
    assert ("tokens",) == asked(table)
    if timing == "betweenRolls":
        refused(table, "veteran")
        return
    play(table, "veteran")
    assert (("tokens",), (2, 1, 0), (1,)) == (asked(table), pool(table), board(table).dice)
    table = swing(at(house=VETERAN | {"veteranTiming": timing}), 1)
    assert ("keep", "veteran") == offered(table)


@pytest.mark.rule("SI-003", "SI-187")
def test_a_roll_on_the_table_leaves_no_thirteenth_die() -> None:
    """The supply is empty until the roll is resolved, then full again; the last call brings the veteran's own die."""
    late = VETERAN | {"veteranTiming": "anyTime"}
    table = swing(play(at(pool=(9, 1, 0), veteran=2, house=late, bench=("F-8",)), "bats"), *[1] * 11)
    assert (("keep", "reroll"), (0, 1, 0), 0) == (offered(table), pool(table), supply(table).dice)
    play(table, "keep")
    assert (("batter",), 11) == (asked(table), supply(table).dice)
    table = swing(play(at(pool=(9, 1, 0), veteran=1, house=late, bench=("F-8",)), "bats"), *[1] * 11)
    play(table, "veteran")
    assert (("keep", "reroll"), (1, 1, 0), 0) == (offered(table), pool(table), supply(table).dice)


# The Hitting Coach -------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-190")
def test_the_hitting_coach_has_a_die_of_his_own() -> None:
    """It is in the pool from the start, takes part in every roll, and never goes to the supply."""
    table = at(bases="1", house=HITTING, bench=("F-8",))
    assert ((1, 0, 0), 11) == (pool(table), supply(table).dice)
    play(table, "bats")
    assert ((3, 0, 0), 9) == (pool(table), supply(table).dice)
    play(table, "steal-second", "3", [5, 1, 1])
    assert ((1, 0, 0), ("1", "0"), 11) == (pool(table), offered(table), supply(table).dice)
    swing(table, 4)
    assert (("extra-base",), ("hold", "1")) == (asked(table), offered(table))
    play(table, "1", [6])
    assert (("batter",), (1, 0, 0), 11) == (asked(table), pool(table), supply(table).dice)


@pytest.mark.rule("SI-190")
def test_the_coachs_die_is_available_in_every_half() -> None:
    table = swing(play(at(outs=2, pool=(3, 0, 0), house=HITTING, bench=("F-8",)), "bats"), 1, 1)
    play(table, [1, 1, 1])
    assert ("B9", (1, 0, 0), 11) == (half(table), pool(table), supply(table).dice)


def test_once_a_turn_by_house_rule() -> None:
    house = HITTING | {"coachDiePerRoll": "false"}
    table = play(at(bases="1", house=house, bench=("F-8",)), "bats")
    assert (3, 0, 0) == pool(table)
    play(table, "steal-second", "1", [5])
    assert ((2, 0, 0), ("1", "2", "0")) == (pool(table), offered(table))
    swing(table, 3)
    assert (("batter",), (2, 0, 0)) == (asked(table), pool(table))
    table = swing(at(bases="1", house=house), 4, 4, 4)
    assert (("12", 0, 0), ("at-bat",)) == (stand(table), asked(table))


# Together ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SI-210")
def test_at_most_one_assistant_coach_is_allowed() -> None:
    for house in (
        {"coach": "both"},
        *({"difficulty": one} for one in DIFFICULTIES_BY_VALUE if len(DIFFICULTIES_BY_VALUE[one]) > 1),
    ):
        with pytest.raises(HouseRuleError, match=r'needs "Combine difficulties and coaches[?] Yes"'):
            new(house)
        assert new(house | {"difficulties": "combine"}).open_asks()
    for house in (
        *({"coach": one} for one in COACHES_BY_VALUE if one != "both"),
        {"difficulty": "goat", "coach": "pitching"},
    ):
        assert new(house).open_asks()


def test_difficulty_levels_add_up() -> None:
    house = {"difficulty": "rookieVeteran", "coach": "both", "difficulties": "combine"}
    table = skip(play(against(house=house), [1, 1, 1]), "ability")
    assert ((4, 1, 1), 6, 7) == (pool(table), panel(table, "pool")["veteran"], supply(table).dice)
    assert {"pitching", "hitting"} == {one for one in ("pitching", "hitting", "goat") if true(table).has_variant(one)}


def test_a_duel_has_no_difficulty_levels() -> None:
    table = skip(at(duel=True, house=HITTING | VETERAN), "relief")
    assert ((2, 0, 0), None, 10) == (pool(table), panel(table, "pool")["veteran"], supply(table).dice)
