"""Each house rule, both ways. Defaults are also tested with the rule they belong to."""

from __future__ import annotations

import pytest

from engine.errors import EngineError, HouseRuleError
from engine.game import HouseRule
from engine.games.small_ball import GAME
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
    end,
    stand,
    unused,
)
from tests.engine.tables import board, clock, offered, panel, play, score


@each("value", ["allow", "refuse"])
def test_bank_with_zero(value: str) -> None:
    """Banking nothing is offered or not; with a run at stake banking is always offered."""
    house = {"bankWithZero": value}
    assert (value == "allow") == ("bank" in offered(at("1", house=house)))
    assert "bank" in offered(at(stake=1, house=house))
    if value == "refuse":
        with pytest.raises(EngineError):
            play(at("1", house=house), "bank")


@each("value", ["betweenRolls", "afterAtBat"])
def test_bank_timing(value: str) -> None:
    """Right after a steal, and before the first batter, banking is allowed or must wait for an at-bat."""
    free = value == "betweenRolls"
    table = at("1", stake=1, house={"bankTiming": value})
    assert "bank" in offered(table)
    play(table, "steal-second", 1)
    assert free == ("bank" in offered(table))
    bat(table, SO)
    assert "bank" in offered(table)
    assert free == ("bank" in offered(at(house={"bankTiming": value})))


def test_steal_into_occupied_has_one_value() -> None:
    assert "steal-second" not in offered(at("12", house={"stealIntoOccupied": "refuse"}))
    with pytest.raises(HouseRuleError):
        at(house={"stealIntoOccupied": "allow"})


@each("value", ["refuse", "allow"])
def test_double_steal_loaded(value: str) -> None:
    """With the bases loaded, a double steal is not offered, or pushes the runner on third home."""
    table = at("123", house={"doubleStealLoaded": value})
    assert (value == "allow") == ("double-steal" in offered(table))
    assert {"steal-second", "steal-third"}.isdisjoint(offered(table))


def test_a_loaded_double_steal_safe_and_caught() -> None:
    """Safe, the runner from third scores; caught, the runner from second is out and the one on third stays."""
    house = {"doubleStealLoaded": "allow"}
    table = play(at("123", house=house), "double-steal", 4)
    assert (("23", 0, 1), ["red 1"]) == (stand(table), panel(table, "runs"))
    assert (None, "red 3", "red 2") == board(table).bases
    table = play(at("123", house=house), "double-steal", 5)
    assert (("23", 1, 0), ["red 2"]) == (stand(table), panel(table, "outs"))
    assert (None, "red 3", "red 1") == board(table).bases
    table = play(at("123", outs=2, stake=1, house=house), "double-steal", 6)
    assert ((0, 0), ["bust"]) == (score(table), end(table))


@each("value", ["refuse", "allow"])
def test_sacrifice_empty(value: str) -> None:
    table = at(house={"sacrificeEmpty": value})
    assert (value == "allow") == ("sacrifice" in offered(table))
    if value == "allow":
        assert ("", 1, 0) == stand(play(table, "sacrifice", 1))


@each("value", ["allow", "refuse"])
def test_sacrifice_two_outs(value: str) -> None:
    house = {"sacrificeTwoOuts": value}
    assert (value == "allow") == ("sacrifice" in offered(at("1", outs=2, house=house)))
    assert "sacrifice" in offered(at("1", outs=1, house=house))


@each(
    ("value", "pinch", "face", "expected"),
    [
        ("pinchFirst", POWER, GO, ("13", 0, 0)),
        ("playFirst", POWER, GO, ("3", 0, 1)),
        ("pinchFirst", ON_BASE, SO, ("13", 0, 0)),
        ("playFirst", ON_BASE, SO, ("", 2, 0)),
        ("pinchFirst", POWER, SINGLE, ("3", 0, 1)),
        ("playFirst", POWER, SINGLE, ("3", 0, 1)),
        ("playFirst", ON_BASE, BB, ("12", 0, 0)),
    ],
)
def test_pinch_order(value: str, pinch: str, face: int, expected: tuple[str, int, int]) -> None:
    """The pinch hitter changes the printed result, or the result after the hit-and-run."""
    assert expected == stand(play(at("1", house={"pinchOrder": value}), pinch, "hit-and-run", face))


def test_pinch_timing_after_the_roll() -> None:
    house = {"pinchTiming": "afterRoll"}
    table = at("1", house=house)
    assert POWER not in offered(table)
    play(table, "bat", SO)
    assert ("no", POWER, ON_BASE) == offered(table)
    play(table, ON_BASE)
    assert (("12", 0, 0), ["POWER"]) == (stand(table), unused(table, "away"))
    table = play(at("1", house=house), "bat", SO, "no")
    assert (("1", 1, 0), ["POWER", "ON-BASE"]) == (stand(table), unused(table, "away"))
    table = play(at("1", house=house), "hit-and-run", DOUBLE, POWER)
    assert ("", 0, 2) == stand(table)
    table = play(at(used=((0, 1), ()), house=house), "bat", SO)
    assert ("", 1, 0) == stand(table)


def test_pinch_timing_after_the_roll_does_not_apply_to_a_sacrifice() -> None:
    table = play(at("1", house={"pinchTiming": "afterRoll"}), "sacrifice", 6)
    assert ("1", 1, 0) == stand(table)


@each(("value", "again"), [("oncePerGame", False), ("everyExtraInning", True)])
def test_reactivation(value: str, again: bool) -> None:
    table = at(inning=10, half="bottom", used=((0,), ()), house={"reactivation": value})
    play(table, "bank", "bank")
    assert ((11, "top"), again) == (clock(table), "none" in offered(table))


@each(("value", "over"), [("true", True), ("false", False)])
def test_skip_bottom_when_ahead(value: str, over: bool) -> None:
    """With home ahead after the top of the ninth, the game ends there or after the bottom."""
    table = bat(at(outs=2, inning=9, score=(2, 3), house={"skipBottomWhenAhead": value}), SO)
    assert over == (table.outcome is not None)
    if not over:
        assert (9, "bottom") == clock(table)
        play(table, "bank", "bank")
        assert ("home", "regulation") == (table.outcome.winner, table.outcome.reason)


@each("value", ["refuse", "allow"])
def test_pinch_with_sacrifice(value: str) -> None:
    """With a pinch hitter called, a sacrifice is allowed or not; ON-BASE then turns the strikeout into a single."""
    table = play(at("1", house={"pinchWithSacrifice": value}), ON_BASE)
    assert (value == "allow") == ("sacrifice" in offered(table))
    if value == "allow":
        play(table, "sacrifice", 5)
        assert (("12", 0, 0), ["POWER"]) == (stand(table), unused(table, "away"))


@each(("pinch", "face", "expected"), [(ON_BASE, 4, ("2", 1, 0)), (POWER, 4, ("2", 1, 0)), (POWER, 5, ("1", 1, 0))])
def test_a_pinch_hitter_changes_nothing_else_in_a_sacrifice(
    pinch: str, face: int, expected: tuple[str, int, int]
) -> None:
    assert expected == stand(play(at("1", house={"pinchWithSacrifice": "allow"}), pinch, "sacrifice", face))


@each("value", ["refuse", "allow"])
def test_pinch_stack(value: str) -> None:
    table = play(at("1", house={"pinchStack": value}), POWER)
    assert (value == "allow") == (ON_BASE in offered(table))


@each("order", [(POWER, ON_BASE), (ON_BASE, POWER)])
@each(("face", "expected"), [(SO, ("3", 0, 1)), (SINGLE, ("3", 0, 1)), (DOUBLE, ("", 0, 2)), (FO, ("1", 1, 0))])
def test_both_change_the_result_once(order: tuple[str, str], face: int, expected: tuple[str, int, int]) -> None:
    """In either order of calling: a strikeout becomes a single, and the single a triple."""
    table = play(at("1", house={"pinchStack": "allow"}), *order, "bat", face)
    assert (expected, []) == (stand(table), unused(table, "away"))


def test_both_after_the_roll() -> None:
    table = play(at("1", house={"pinchTiming": "afterRoll", "pinchStack": "allow"}), "bat", SO, ON_BASE, POWER)
    assert (("3", 0, 1), []) == (stand(table), unused(table, "away"))


@pytest.mark.parametrize("rule", GAME.house_rules, ids=lambda rule: rule.key)
def test_unknown_values_are_refused(rule: HouseRule) -> None:
    """The error names the rule and its values; an unknown rule is refused too."""
    with pytest.raises(HouseRuleError, match=f"{rule.key} can be {rule.values[0]}"):
        GAME.resolve_house_rules({rule.key: "perhaps"})
    with pytest.raises(HouseRuleError, match="no house rule 'perhaps'"):
        GAME.resolve_house_rules({"perhaps": rule.values[0]})
    assert {one.key: one.values[0] for one in GAME.house_rules} == GAME.resolve_house_rules({})
