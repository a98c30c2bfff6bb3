"""The pitch and the Advantage: Command, hands, ties and Mistake Pitches (1.1, 3.8.B, 3.8.C, 3.8.F)."""

from __future__ import annotations

from typing import Any

import pytest

from engine.table import Table
from tests.each import each
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, by_rule, die, event_codes, mound, now, refused, run, state, upto
from tests.engine.tables import panel


def pitched(table: Table, face: int) -> tuple[int | None, int | None, str]:
    """Return the pitch, the On-Base and who has the Advantage, after this Pitch Roll."""
    upto(table, "swing", f"P{face}")
    now = state(table).at
    return now.pitch, now.on_base, now.advantage


HARD = {"command": 9, "x_zone": 3}


@pytest.mark.parametrize(
    ("hands", "bats", "throws", "face", "expected"),
    by_rule(
        # Roll plus Command must exceed On-Base: a tie goes to the batter.
        ("CL-008 CL-018 CL-175", "RR", {}, {}, 8, (11, 10, "pitcher")),
        ("CL-008 CL-018 CL-177", "RR", {}, {}, 7, (10, 10, "batter")),
        ("CL-176", "RR", {}, {}, 2, (5, 10, "batter")),
        # A switch hitter bats from the other side for both bonuses; the pitcher's opposite bonus always counts.
        ("CL-006", "SR", {"right": 2}, {"left": 1}, 8, (12, 12, "batter")),
        ("CL-007", "SL", {}, {"right": 2}, 8, (13, 10, "pitcher")),
        ("CL-007", "SL", {}, {"left": 2}, 8, (11, 10, "pitcher")),
        # L+2 counts against left-handed players only.
        ("CL-009", "LL", {"left": 2}, {}, 8, (11, 12, "batter")),
        ("CL-009", "LR", {"left": 2}, {}, 8, (11, 10, "pitcher")),
        ("CL-019", "LR", {}, {"left": 2}, 6, (11, 10, "pitcher")),
        ("CL-019", "RR", {}, {"left": 2}, 6, (9, 10, "batter")),
        # A mistake gives the batter the Advantage, whatever the Command.
        ("CL-190", "RR", {}, HARD, 3, (12, 10, "batter")),
        ("CL-190", "RR", {}, HARD, 4, (13, 10, "pitcher")),
    ),
)
def test_who_has_the_advantage(
    hands: str, bats: dict[str, Any], throws: dict[str, Any], face: int, expected: tuple[int, int, str]
) -> None:
    bx, px = fixture.batter("Bx", **{"hand": hands[0], **bats}), fixture.pitcher("Px", **{"hand": hands[1], **throws})
    assert expected == pitched(at(cards={"Bx": bx, "Px": px}), face)


@pytest.mark.rule("CL-189", "CL-191")
@each(("face", "mistake", "kind"), [(1, True, "d24"), (2, True, "d24"), (3, False, "d20")])
def test_a_roll_in_the_x_zone_is_a_mistake(face: int, mistake: bool, kind: str) -> None:
    """The Swing then uses the Power Die, and a 22 reads the row for 20 and more."""
    table = at(cards={"Px": fixture.pitcher("Px", x_zone=2)})
    upto(table, "swing", f"P{face}")
    assert mistake == state(table).at.mistake == ("mistake" in event_codes(table))
    assert kind == die(table, "swing")
    if mistake:
        run(table, "S22")
        assert ((1, 0), True) == (state(table).score, "home-run" in event_codes(table))


@pytest.mark.parametrize(
    ("why", "script", "seat", "other"),
    by_rule(("CL-170 CL-388", "pitch", [], "home", "away"), ("CL-180 CL-388", "swing", ["P20"], "away", "home")),
)
def test_who_rolls_which_die(why: str, script: list[str], seat: str, other: Any) -> None:
    table = at()
    assert (seat, "d20") == (upto(table, why, *script).seat, die(table, why))
    refused(table, 8, other)
    for face in (0, 21, 22):
        refused(table, face)
    run(table, *(("P1", "S1") if why == "pitch" else ("S20",)))


# Tired pitchers (3.4) ------------------------------------------------------------------------------------------------

WEAK = {"Px": fixture.pitcher("Px", "SP 5", command=1, right=1)}
OWING = {"owes": 1, "limit": 1, "role": "RP"}


@pytest.mark.parametrize(
    ("arm", "script", "command", "kind", "more"),
    by_rule(
        # Each three outs past the limit cost one Command and bring the Power Die; three runs: no Quality Appearance.
        ("CL-100", {"outs": 17}, [], 3, "d20", {}),
        ("CL-097 CL-098", {"outs": 18}, [], 2, "d24", {}),
        ("CL-100", {"outs": 20}, [], 2, "d24", {}),
        ("CL-100", {"outs": 21}, [], 1, "d24", {}),
        ("CL-100", {"outs": 24}, [], 0, "d24", {}),
        # Never below 0 by itself; cards count after that, or by a house rule before (AM-28).
        ("CL-101", {"outs": 27}, [], 0, "d24", {"cards": WEAK}),
        ("CL-101", {"outs": 27}, ["CMD-2"], -2, "d24", {"cards": WEAK}),
        ("CL-101", {"outs": 27}, ["CMD-2"], 0, "d24", {"cards": WEAK, "house": {"commandFloorAfterCards": "true"}}),
        # An added inning raises his limit even when he is past it, unless a house rule forbids that (AM-31).
        ("CL-103", {"outs": 18}, ["IP+1"], 3, "d20", {}),
        ("CL-103", {"outs": 18}, ["IP+1"], 2, "d24", {"house": {"ipCardUntires": "false"}}),
        # A pitcher who owes rest is tired; past his limit both add up, or his limit is 0, or the worse counts (AM-32).
        ("CL-117", OWING, [], 2, "d24", {}),
        ("CL-117", {**OWING, "outs": 3}, [], 1, "d24", {"house": {"enterTiredStack": "add"}}),
        ("CL-117", {**OWING, "outs": 3}, [], 1, "d24", {"house": {"enterTiredStack": "zeroIp"}}),
        ("CL-117", {**OWING, "outs": 3}, [], 2, "d24", {"house": {"enterTiredStack": "max"}}),
    ),
)
def test_command_of_a_tired_pitcher(
    arm: dict[str, Any], script: list[str], command: int, kind: str, more: dict[str, Any]
) -> None:
    table = at(away=["CMD-2"], home=["IP+1"], arm={"runs": 3, "earned": 3, **arm}, **more)
    assert command == upto(table, "pitch", *script).facts["command"]
    assert 11 + command == pitched(table, 11)[0]
    assert kind == die(table, "swing")


@pytest.mark.rule("CL-099")
def test_the_tired_swing_is_a_d24_on_either_chart() -> None:
    table = at(arm={"outs": 18, "runs": 3, "earned": 3})
    assert "pitcher" == pitched(table, 10)[2]
    assert "HR" == state(run(table, "S24")).last[-1]


@pytest.mark.rule("CL-102", "CL-361")
def test_only_a_pitch_counts_as_pitching_tired() -> None:
    """His third out ends the half-inning and he is past his limit, but he has not thrown a pitch while tired."""
    one = {"Px": fixture.pitcher("Px", "SP 1")}
    arm = mound(run(at("T7 2o ---", cards=one, arm={"outs": 2}), "SO!"))
    assert (3, False) == (arm.outs, arm.tired)
    again = at("T7 0o ---", cards=one, arm={"outs": 3})
    for why, script, tired in (("pitch", (), False), ("swing", ("P8",), True)):
        upto(again, why, *script)
        assert tired == mound(again).tired


@pytest.mark.rule("CL-103")
@each(("arm", "face", "kind"), [({"outs": 18, "runs": 3}, "P10", "d24"), ({}, "P1", "d20")])
def test_a_card_removes_only_the_power_die_of_a_mistake(arm: dict[str, int], face: str, kind: str) -> None:
    rule = {"D20": fixture.strategy("D20", "defense", "before the pitch", "regular die for the swing")}
    table = at(home=["D20"], cards=rule, arm={"faced": 3, "finished": True, **arm})
    upto(table, "swing", "home:D20", face)
    assert kind == die(table, "swing")


# Which numbers count (1.1) -------------------------------------------------------------------------------------------

RUNNER = {"A-RF": fixture.batter("A-RF", "RF +1", baserunning=13, stealing=22)}


@pytest.mark.parametrize(
    ("script", "after"),
    by_rule(
        # A steal uses Stealing: 9 plus the die against 22.
        ("CL-002 CL-304", ("steal-second", "at-second", "D13"), "T5 0o -2-"),
        ("CL-002 CL-304", ("steal-second", "at-second", "D14"), "T5 1o ---"),
        # An extra base uses Baserunning: 4 plus the die against 13, and a tie is safe.
        ("CL-236 CL-237", ("1B!", "to-third", "at-third", "D8"), "T5 0o 1-3"),
        ("CL-002 CL-236", ("1B!", "to-third", "at-third", "D9"), "T5 0o 1-3"),
        ("CL-002 CL-238", ("1B!", "to-third", "at-third", "D10"), "T5 1o 1--"),
    ),
)
def test_which_speed_a_throw_uses(script: tuple[str, ...], after: str) -> None:
    table = at("T5 0o 1--", cards=RUNNER)
    upto(table, "defence" if "1B!" in script else "pitch", *script)
    assert after == now(table)


@pytest.mark.rule("CL-004")
def test_a_fielding_rating_counts_at_its_position() -> None:
    """He has +2 in left and 0 in center, where he plays."""
    table = at("T5 0o 1--", cards={"H-CF": fixture.batter("H-CF", "LF +2", "CF +0")})
    assert 2 == panel(table, "fielding")["home"]["outfield"]
    assert "T5 0o 1-3" == now(run(table, "1B!", "to-third", "at-third", "D13"))


@pytest.mark.rule("CL-014")
@each(("defense", "battery"), [(1, 9), (-1, 7)])
def test_the_pitcher_counts_for_the_battery(defense: int, battery: int) -> None:
    fielding = panel(at(cards={"Px": fixture.pitcher("Px", defense=defense)}), "fielding")["home"]
    assert {"battery": battery, "infield": 6, "outfield": 4} == fielding


@pytest.mark.rule("CL-016")
def test_the_inning_limit_follows_his_role() -> None:
    """Two innings in relief and five as a starter: here he is tired after six outs."""
    table = at("T7 0o ---", cards={"Rx": fixture.pitcher("Rx", "SP 5", "RP 2")}, arm={"outs": 9})
    run(table, "new-pitcher", "Rx", *["SO!"] * 8)
    arm = mound(table, "Rx")
    assert ("RP", 2, 5) == (arm.role, arm.limit, arm.outs)
    assert 3 == upto(table, "pitch").facts["command"]
    run(table, "SO!", "SO!", "SO!", "SO!")
    assert 2 == upto(table, "pitch").facts["command"]
