"""The pitch, and who has the Advantage: Command, hands, ties and Mistake Pitches (1.1, 3.8.B, 3.8.C, 3.8.F)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import DeckError
from engine.table import Table
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, die, event_codes, now, refused, run, state, upto
from tests.engine.tables import panel

X12 = {"Px": fixture.pitcher("Px", x_zone=2)}


def pitched(table: Table, face: int) -> tuple[int | None, int | None, str]:
    """Pitch, On-Base and who has the Advantage, after this Pitch Roll."""
    upto(table, "swing", f"P{face}")
    now = state(table).at
    return now.pitch, now.on_base, now.advantage


def hands(hand: str = "R", mound: str = "R", **cards: dict[str, Any]) -> Table:
    """Bx bats from this side against Px who throws from that one; more fields of their cards."""
    bats, throws = cards.get("bats", {}), cards.get("throws", {})
    made = {"Bx": fixture.batter("Bx", hand=hand, **bats), "Px": fixture.pitcher("Px", hand=mound, **throws)}
    return at(cards=made)


# Who has it (3.8.C) --------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-008", "CL-018", "CL-175", "CL-176", "CL-177")
@pytest.mark.parametrize(
    ("face", "expected"), [(8, (11, 10, "pitcher")), (7, (10, 10, "batter")), (2, (5, 10, "batter"))]
)
def test_the_pitch_is_held_against_on_base(face: int, expected: tuple[int, int, str]) -> None:
    """Roll and Command must be more than On-Base: a tie is the batter's."""
    assert expected == pitched(at(), face)


@pytest.mark.rule("CL-175", "CL-176", "CL-184")
@pytest.mark.parametrize(("face", "result", "event"), [(8, "LD", "line-out"), (7, "1B", "single")])
def test_the_swing_is_read_on_the_card_that_has_it(face: int, result: str, event: str) -> None:
    """The same 12 is a line drive on the pitcher's chart, a single on the batter's."""
    table = run(at(), f"P{face}", "S12")
    assert result == state(table).last[-1]
    assert event == event_codes(table)[-2]


# Hands (1.1) ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-006")
def test_a_switch_hitter_bats_from_the_other_side() -> None:
    """Both bonuses see it so: he is left-handed against a right-handed pitcher."""
    table = hands("S", bats={"right": 2}, throws={"left": 1})
    assert (12, 12, "batter") == pitched(table, 8)


@pytest.mark.rule("CL-007")
@pytest.mark.parametrize(("throws", "command"), [({"right": 2}, 5), ({"left": 2}, 3)])
def test_against_a_switch_hitter_the_opposite_bonus_always_counts(throws: dict[str, int], command: int) -> None:
    """A left-handed pitcher's bonus against right-handed batters, and never the other."""
    ask = upto(hands("S", "L", throws=throws), "pitch")
    assert command == ask.facts["command"]


@pytest.mark.rule("CL-009")
@pytest.mark.parametrize(("mound", "expected"), [("L", (11, 12, "batter")), ("R", (11, 10, "pitcher"))])
def test_the_batter_gains_against_a_pitchers_hand(mound: str, expected: tuple[int, int, str]) -> None:
    """L+2 counts against left-handed pitchers alone."""
    assert expected == pitched(hands("L", mound, bats={"left": 2}), 8)


@pytest.mark.rule("CL-019")
@pytest.mark.parametrize(("hand", "pitch"), [("L", 11), ("R", 9)])
def test_the_pitcher_gains_against_a_batters_hand(hand: str, pitch: int) -> None:
    """L+2 counts against left-handed batters alone."""
    assert pitch == pitched(hands(hand, throws={"left": 2}), 6)[0]


# Mistake Pitches (3.8.F) ---------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-020")
@pytest.mark.parametrize("upper", [0, 4])
def test_an_x_zone_goes_to_1_2_or_3(upper: int) -> None:
    """Nothing else can be typed in."""
    for good in (1, 2, 3):
        assert good == fixture.box({"Px": fixture.pitcher("Px", x_zone=good)}).pitchers["Px"].x_zone
    with pytest.raises(DeckError):
        fixture.box({"Px": fixture.pitcher("Px", x_zone=upper)})


@pytest.mark.rule("CL-189", "CL-191")
@pytest.mark.parametrize(("face", "mistake", "kind"), [(1, True, "d24"), (2, True, "d24"), (3, False, "d20")])
def test_a_roll_in_the_x_zone_is_a_mistake(face: int, mistake: bool, kind: str) -> None:
    """The Swing then has the Power Die."""
    table = at(cards=X12)
    upto(table, "swing", f"P{face}")
    assert mistake == state(table).at.mistake == ("mistake" in event_codes(table))
    assert kind == die(table, "swing")


@pytest.mark.rule("CL-190")
def test_a_mistake_gives_the_batter_the_advantage() -> None:
    """However much Command there is."""
    table = at(cards={"Px": fixture.pitcher("Px", command=9, x_zone=3)})
    assert (12, 10, "batter") == pitched(table, 3)
    assert (13, 10, "pitcher") == pitched(at(cards={"Px": fixture.pitcher("Px", command=9, x_zone=3)}), 4)


@pytest.mark.rule("CL-191")
def test_the_power_die_reads_on() -> None:
    """A 22 reads the row of 20 and more."""
    table = run(at(), "P1", "S22")
    assert (1, 0) == state(table).score
    assert "home-run" in event_codes(table)


# Who rolls what (3.8.B, 3.8.D) ---------------------------------------------------------------------------------------


@pytest.mark.rule("CL-170")
def test_the_defence_rolls_a_d20() -> None:
    """Nobody else, and nothing beyond it."""
    table = at()
    assert "home" == upto(table, "pitch").seat
    assert "d20" == die(table, "pitch")
    refused(table, 8, "away")
    refused(table, 21)
    refused(table, 0)


@pytest.mark.rule("CL-180", "CL-388")
def test_the_offence_swings_a_d20() -> None:
    """Unless a card changes the die."""
    table = at()
    assert "away" == upto(table, "swing", "P8").seat
    assert "d20" == die(table, "swing")
    refused(table, 12, "home")
    refused(table, 22)


@pytest.mark.rule("CL-388")
@pytest.mark.parametrize("face", [1, 20])
def test_a_d20_has_1_to_20(face: int) -> None:
    """Both ends are taken."""
    table = at()
    upto(table, "swing", f"P{face}")
    assert face == state(table).at.pitch_natural


# Tired pitchers (3.4) ------------------------------------------------------------------------------------------------

SPENT = {"runs": 3, "earned": 3}
"""No Quality Appearance, and nothing taken off."""


@pytest.mark.rule("CL-097", "CL-098")
def test_a_pitcher_past_his_limit_may_stay() -> None:
    """He has one Command less, and the Swing the Power Die."""
    table = at(arm={"outs": 18, **SPENT})
    ask = upto(table, "pitch")
    assert 2 == ask.facts["command"]
    assert (12, 10, "pitcher") == pitched(table, 10)
    assert "d24" == die(table, "swing")


@pytest.mark.rule("CL-099")
def test_the_tired_swing_is_a_d24_on_either_chart() -> None:
    """A 24 on the pitcher's chart counts."""
    table = at(arm={"outs": 18, **SPENT})
    assert "pitcher" == pitched(table, 10)[2]
    run(table, "S24")
    assert "HR" == state(table).last[-1]


@pytest.mark.rule("CL-100")
@pytest.mark.parametrize(("outs", "command"), [(17, 3), (18, 2), (20, 2), (21, 1), (24, 0)])
def test_it_gets_worse_with_every_inning(outs: int, command: int) -> None:
    """One more for each three outs past the limit."""
    assert command == upto(at(arm={"outs": outs, **SPENT}), "pitch").facts["command"]


@pytest.mark.rule("CL-101")
def test_command_never_goes_below_0() -> None:
    """With the bonus of a hand in it."""
    weak = {"Px": fixture.pitcher("Px", "SP 5", command=1, right=1)}
    table = at(cards=weak, arm={"outs": 27, **SPENT})
    assert 0 == upto(table, "pitch").facts["command"]
    assert 9 == pitched(table, 9)[0]


@pytest.mark.rule("CL-101")
@pytest.mark.parametrize(("floor", "command"), [("false", -2), ("true", 0)])
def test_cards_may_take_it_below(floor: str, command: int) -> None:
    """Cards count after the floor, or by a house rule before it (AM-28)."""
    weak = {"Px": fixture.pitcher("Px", "SP 5", command=1, right=1)}
    table = at(away=["CMD-2"], cards=weak, arm={"outs": 27, **SPENT}, house={"commandFloorAfterCards": floor})
    assert command == upto(table, "pitch", "CMD-2").facts["command"]


@pytest.mark.rule("CL-102", "CL-361")
def test_only_a_pitch_makes_him_have_pitched_tired() -> None:
    """His third out ends the half-inning, and he is past his limit: but he has thrown nothing tired."""
    table = at("T7 2o ---", cards={"Px": fixture.pitcher("Px", "SP 1")}, arm={"outs": 2})
    run(table, "SO!")
    arm = state(table).arms[1]["Px"]
    assert (3, False) == (arm.outs, arm.tired)
    again = at("T7 0o ---", cards={"Px": fixture.pitcher("Px", "SP 1")}, arm={"outs": 3})
    upto(again, "pitch")
    assert not state(again).arms[1]["Px"].tired
    upto(again, "swing", "P8")
    assert state(again).arms[1]["Px"].tired


@pytest.mark.rule("CL-103")
def test_no_card_lifts_the_power_die() -> None:
    """A card that names another die is without effect."""
    rule = {"D20": fixture.strategy("D20", "defense", "before the pitch", "regular die for the swing")}
    table = at(home=["D20"], cards=rule, arm={"outs": 18, **SPENT})
    upto(table, "swing", "home:D20", "P10")
    assert "d24" == die(table, "swing")
    table = at(home=["D20"], cards=rule)
    upto(table, "swing", "home:D20", "P1")
    assert "d20" == die(table, "swing")


@pytest.mark.rule("CL-103")
@pytest.mark.parametrize(("untires", "command", "kind"), [("true", 3, "d20"), ("false", 2, "d24")])
def test_an_inning_given_makes_him_fresh_again(untires: str, command: int, kind: str) -> None:
    """It raises his limit even after he is past it, unless a house rule forbids that (AM-31)."""
    table = at(home=["IP+1"], arm={"outs": 18, **SPENT}, house={"ipCardUntires": untires})
    assert command == upto(table, "pitch", "IP+1").facts["command"]
    upto(table, "swing", "P10")
    assert kind == die(table, "swing")


@pytest.mark.rule("CL-117")
def test_a_reliever_who_owes_rest_comes_in_tired() -> None:
    """One Command less and the Power Die, from his first pitch."""
    table = at(arm={"owes": 1, "limit": 1, "role": "RP"})
    assert (12, 10, "pitcher") == pitched(table, 10)
    assert "d24" == die(table, "swing")


@pytest.mark.rule("CL-117")
@pytest.mark.parametrize(("stack", "command"), [("add", 1), ("zeroIp", 1), ("max", 2)])
def test_and_past_his_limit_he_gets_worse(stack: str, command: int) -> None:
    """Both add up; or his limit is 0 from the start; or the worse counts (AM-32)."""
    table = at(arm={"owes": 1, "limit": 1, "outs": 3, "role": "RP"}, house={"enterTiredStack": stack})
    assert command == upto(table, "pitch").facts["command"]


# Whose numbers count (1.1) -------------------------------------------------------------------------------------------

RUNNER = {"A-RF": fixture.batter("A-RF", "RF +1", baserunning=13, stealing=22)}


@pytest.mark.rule("CL-002")
@pytest.mark.parametrize(("face", "after"), [("D13", "T5 0o -2-"), ("D14", "T5 1o ---")])
def test_a_steal_is_thrown_against_stealing(face: str, after: str) -> None:
    """9 and the die against 22."""
    table = at("T5 0o 1--", cards=RUNNER)
    upto(table, "pitch", "steal-second", "at-second", face)
    assert after == now(table)


@pytest.mark.rule("CL-002", "CL-236", "CL-237", "CL-238")
@pytest.mark.parametrize(("face", "after"), [("D8", "T5 0o 1-3"), ("D9", "T5 0o 1-3"), ("D10", "T5 1o 1--")])
def test_an_extra_base_is_thrown_against_baserunning(face: str, after: str) -> None:
    """4 and the die against 13; a tie is safe."""
    table = at("T5 0o 1--", cards=RUNNER)
    run(table, "1B!", "to-third", "at-third", face)
    assert after == now(table)


@pytest.mark.rule("CL-004")
def test_a_glove_counts_where_it_is_played() -> None:
    """He has +2 in left and 0 in center, where he plays."""
    table = at("T5 0o 1--", cards={"H-CF": fixture.batter("H-CF", "LF +2", "CF +0")})
    assert 2 == panel(table, "fielding")["home"]["outfield"]
    assert "T5 0o 1-3" == now(run(table, "1B!", "to-third", "at-third", "D13"))


@pytest.mark.rule("CL-014")
def test_the_pitcher_is_of_the_battery() -> None:
    """8 of the catcher, 1 of his."""
    assert {"battery": 9, "infield": 6, "outfield": 4} == panel(at(), "fielding")["home"]
    low = at(cards={"Px": fixture.pitcher("Px", defense=-1)})
    assert 7 == panel(low, "fielding")["home"]["battery"]


@pytest.mark.rule("CL-016")
def test_the_limit_is_that_of_the_role_he_fills() -> None:
    """Two innings in relief, of five as a starter: after six outs he is tired."""
    table = at("T7 0o ---", cards={"Rx": fixture.pitcher("Rx", "SP 5", "RP 2")}, arm={"outs": 9})
    run(table, "new-pitcher", "Rx", *["SO!"] * 8)
    arm = state(table).arms[1]["Rx"]
    assert ("RP", 2, 5) == (arm.role, arm.limit, arm.outs)
    assert 3 == upto(table, "pitch").facts["command"]
    run(table, "SO!", "SO!", "SO!", "SO!")
    assert 2 == upto(table, "pitch").facts["command"]
