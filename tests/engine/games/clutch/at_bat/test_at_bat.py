"""The at-bat from the box to the Outcome, and what may be chosen on the way (3.2.E, 3.8, 3.12 to 3.14, 4.1 to 4.3)."""

from __future__ import annotations

import pytest

from engine.errors import DeckError
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, event_codes, line, mound, now, options, refused, run, state, until, upto
from tests.engine.tables import asked, board, panel

# Charts (3.8.E) ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-183")
@pytest.mark.parametrize(
    ("card", "pitch", "swing", "total", "outcome"),
    [("home:SW-2", "P15", "S1", -1, "SO"), ("SW+2", "P2", "S20", 22, "HR")],
)
def test_a_swing_off_the_chart_reads_its_end(card: str, pitch: str, swing: str, total: int, outcome: str) -> None:
    """Nothing holds a total within the die (AM-27)."""
    table = run(at(away=["SW+2"], home=["SW-2"]), card, pitch, swing)
    (event,) = [one.event.facts for one in table.log if one.event.code == "swing"]
    assert (total, outcome) == (event["swing"], state(table).last[-1])


@pytest.mark.rule("CL-189", "CL-183")
def test_a_pitch_roll_below_one_is_a_mistake() -> None:
    """All that is not above the X-Zone is in it (AM-27)."""
    table = at(home=["PR-1"])
    upto(table, "swing", "P1", "PR-1")
    assert (0, True) == (state(table).at.pitch_roll, state(table).at.mistake)


@pytest.mark.rule("CL-197")
def test_a_strikeout_is_the_pitchers() -> None:
    """Nobody advances."""
    table = run(at("T2 0o 12-"), "SO!")
    assert ("T2 1o 12-", 1) == (now(table), state(table).arms[1]["Px"].strikeouts)
    assert 1 == line(table, "Bx").so


@pytest.mark.rule("CL-155")
def test_a_third_out_by_a_card_ends_it_before_anything_is_chosen() -> None:
    """Nobody is asked about a walk any more; the same batter leads off the next inning (AM-68)."""
    card = fixture.strategy("PICK", "defense", "at the start of an at-bat", "the lead runner is out")
    table = at("T5 2o 1--", home=["PICK"], cards={"PICK": card}, decks=((), ()))
    until(table, "PICK")
    assert "B5 0o ---" == now(table)
    assert "defence" not in [one.ask.why for one in table.answers]
    assert "Bx" == state(table).squad("away").batter


# Line-ups (3.2.E, 3.3) -----------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-087")
def test_a_pitcher_does_not_bat() -> None:
    """A roster with one in its order is refused; both sides have a designated hitter."""
    with pytest.raises(DeckError):
        fixture.box({"Home": fixture.roster("H", dh="Px")})
    table = at()
    for side in ("away", "home"):
        spots = [one["position"] for one in panel(table, "squads")[side]["order"]]
        assert "DH" in spots
        assert "P" not in spots


BOTH = {"H-DH": fixture.batter("H-DH", person="Two"), "Px": fixture.pitcher("Px", person="Two")}
"""Px is the designated hitter too."""


@pytest.mark.rule("CL-088")
def test_a_two_way_player_taken_out_as_pitcher_still_bats() -> None:
    """And cannot pitch again."""
    table = at("T7 0o ---", cards=BOTH, arm={"outs": 9})
    run(table, "new-pitcher", "Rx", "SO!", "SO!", "SO!")
    assert ("H-DH", "Rx") == (board(table).batter, state(table).squad("home").pitcher)
    run(table, "SO!", "SO!", "SO!")
    found = state(table).squad("home")
    assert "Px" not in found.bullpen
    assert "H-DH" in found.order


@pytest.mark.rule("CL-088")
def test_and_taken_out_as_batter_he_still_pitches() -> None:
    """He cannot bat again."""
    table = at("B7 0o ---", cards=BOTH)
    run(table, "pinch-hitter", "H-CA2", "SO!", "SO!", "SO!")
    assert "Px" == board(table).pitcher
    assert "H-DH" not in (*state(table).squad("home").order, *state(table).squad("home").bench)


@pytest.mark.rule("CL-089")
def test_fielding_changes_with_who_fields() -> None:
    """A shortstop of 0 for one of +2."""
    table = at("T5 0o ---", cards={"H-SS2": fixture.batter("H-SS2", "SS +0")})
    assert 6 == panel(table, "fielding")["home"]["infield"]
    until(table, "replace", "H-SS", "H-SS2", "SS")
    assert 4 == panel(table, "fielding")["home"]["infield"]
    run(table, "1B!", "GB!", "D14")
    assert "throw-safe" in event_codes(table)


# Who is forced, who may go (3.12) ------------------------------------------------------------------------------------


@pytest.mark.rule("CL-266", "CL-267", "CL-268", "CL-271")
@pytest.mark.parametrize(
    ("where", "asks"),
    [("T5 0o -2-", True), ("T5 0o -23", True), ("T5 0o 12-", False), ("T5 0o 1-3", False), ("T5 0o 123", False)],
)
def test_only_an_unforced_runner_has_a_choice_on_a_ground_ball(where: str, asks: bool) -> None:
    """Forced runners go, and the runner on third comes home by himself (AM-62)."""
    table = at(where)
    until(table, "GB!")
    assert asks == (("ground",) == asked(table))
    if asks:
        assert ("stay", "to-third") == options(table.asks()[0][1])


@pytest.mark.rule("CL-268")
def test_with_the_bases_full_the_runner_on_third_is_forced() -> None:
    """He may not stay, on a walk or on a ground ball (AM-62)."""
    assert (1, 0) == state(run(at("T5 0o 123"), "BB!")).score
    assert (0, 0) == state(run(at("T5 0o -23"), "BB!")).score


@pytest.mark.rule("CL-271")
def test_the_defence_must_choose_then() -> None:
    """It concedes, or throws."""
    table = at("T5 0o -2-")
    until(table, "GB!", "to-third")
    ((_, ask),) = table.asks()
    assert ("home", ("at-third", "take-batter")) == (ask.seat, options(ask))


@pytest.mark.rule("CL-292", "CL-299", "CL-342")
@pytest.mark.parametrize(
    ("where", "script", "offered"),
    [("T1 0o -2-", [], False), ("T1 0o 1--", [], True), ("T1 0o 1-3", ["in"], False), ("T1 2o 1-3", [], False)],
)
def test_when_a_double_play_is_offered(where: str, script: list[str], offered: bool) -> None:
    """A runner on first, the infield back, fewer than two outs."""
    table = at(where, house={"dpAuto": "false"})
    until(table, *script, "GB!")
    assert offered == (("double-play",) == asked(table))


@pytest.mark.rule("CL-292")
def test_a_ground_ball_made_by_a_card_can_be_one_too() -> None:
    """The Outcome decides (AM-57)."""
    table = run(at("T1 0o 1--", home=["1B>GB"]), "1B!", "1B>GB", "D13")
    assert "T1 2o ---" == now(table)


@pytest.mark.rule("CL-276", "CL-338")
@pytest.mark.parametrize(
    ("bonus", "face", "outs"), [("3", "D12", 0), ("3", "D13", 1), ("6", "D15", 0), ("6", "D16", 1)]
)
def test_going_home_on_a_ground_ball_is_worth_three(bonus: str, face: str, outs: int) -> None:
    """Once; or twice where the house adds both (AM-63)."""
    table = at("T1 0o --3", house={"infieldInHomeBonus": bonus})
    run(table, "in", "GB!", "to-home", "at-home", face)
    assert f"T1 {outs}o 1--" == now(table)


@pytest.mark.rule("CL-283")
def test_a_sacrifice_fly() -> None:
    """A run, and no time at bat."""
    table = run(at("T1 0o --3"), "FB!", "to-home", "at-home", "D14")
    assert "sacrifice-fly" in event_codes(table)
    assert (1, 1, 1, 0) == (state(table).score[0], line(table, "Bx").sf, line(table, "Bx").rbi, line(table, "Bx").ab)


# Steals (3.14) -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-302", "CL-303", "CL-306", "CL-308", "CL-309")
@pytest.mark.parametrize(
    ("where", "steals"),
    [
        ("T1 0o ---", []),
        ("T1 0o 1--", ["steal-second"]),
        ("T1 0o -2-", ["steal-third"]),
        ("T1 0o --3", []),
        ("T1 0o 12-", ["steal-third", "steal-both"]),
        ("T1 0o 1-3", ["steal-second"]),
        ("T1 0o -23", []),
        ("T1 0o 123", []),
    ],
)
def test_which_steals_can_be_declared(where: str, steals: list[str]) -> None:
    """Never home, never to a base that is taken."""
    table = at(where, house={"buntNeedsAdvance": "false"})
    assert steals == [one for one in options(upto(table, "offence")) if one.startswith("steal")]


@pytest.mark.rule("CL-306", "CL-307")
def test_in_a_double_steal_the_defence_says_whom_it_throws_at() -> None:
    """Either of them, or neither."""
    table = at("T1 0o 12-")
    ask = upto(table, "throw-at", "steal-both")
    assert ("home", {"at-second", "at-third", "no-throw"}) == (ask.seat, set(options(ask)))


@pytest.mark.rule("CL-301")
def test_one_steal_in_an_at_bat() -> None:
    """Only one, or by a house rule any number (AM-69)."""
    table = at("T1 0o 1--")
    ask = upto(table, "offence", "steal-second", "at-second", "D1")
    assert "steal-third" not in options(ask)
    more = at("T1 0o 1--", house={"stealsPerAtBat": "unlimited"})
    assert "steal-third" in options(upto(more, "offence", "steal-second", "at-second", "D1"))


# Intentional walks (4.1) ---------------------------------------------------------------------------------------------

CALL = fixture.strategy("CALL", "defense", "at the start of an at-bat", "draw 1")


@pytest.mark.rule("CL-312")
def test_a_card_closes_the_intentional_walk() -> None:
    """Once one was played in this at-bat it cannot be chosen any more."""
    table = at(home=["CALL"], cards={"CALL": CALL})
    upto(table, "defence", "CALL")
    refused(table, "walk", "home")
    assert not {"walk", "hold"} & set(options(table.asks()[0][1]))


@pytest.mark.rule("CL-322")
def test_what_a_walk_brings_is_outside_the_cap() -> None:
    """+2 of the walk and +3 of two cards of +2."""
    cards = {"OB+2b": fixture.strategy("OB+2b", "offense", "before the pitch", "on-base +2")}
    table = run(at(away=["OB+2", "OB+2b"], cards=cards), "hold", "walk")
    assert 15 == upto(table, "pitch", "OB+2", "OB+2b").facts["on_base"]
    upto(table, "swing", "P12")
    assert ("batter", 15) == (state(table).at.advantage, state(table).at.pitch)


# Bunts (4.2) ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-323")
def test_a_card_closes_the_bunt() -> None:
    """One that was played in this at-bat."""
    mine = {"CALL": CALL.replace('"defense"', '"offense"')}
    assert "bunt" in options(upto(at("T5 0o 1--", away=["CALL"], cards=mine), "offence"))
    assert "bunt" not in options(upto(at("T5 0o 1--", away=["CALL"], cards=mine), "offence", "CALL"))


@pytest.mark.rule("CL-323", "CL-166")
@pytest.mark.parametrize("allowed", [True, False])
def test_a_card_on_a_steal_does_not(allowed: bool) -> None:
    """Unless a house rule says it does (AM-02)."""
    table = at("T5 0o 1--", away=["SPD+2"], house={"buntAfterStealCards": str(allowed).lower()})
    until(table, "steal-second", "at-second", "SPD+2", "D1")
    codes = [options(one.ask) for one in table.answers if one.ask.why == "offence"]
    assert 1 == len(codes)
    assert allowed == ("offence" in asked(table) and "bunt" in options(table.asks()[0][1]))


@pytest.mark.rule("CL-324", "CL-325")
@pytest.mark.parametrize(("face", "after"), [("B13", "T1 1o -2-"), ("B12", "T1 0o 1--")])
def test_a_bunt_must_be_over_12(face: str, after: str) -> None:
    """A 12 is a tie, and the defence's."""
    table = at("T1 0o 1--")
    until(table, "bunt", face)
    assert after == now(table)


@pytest.mark.rule("CL-326", "CL-327")
def test_after_one_miss_there_is_another_after_two_a_choice() -> None:
    """The second roll follows at once; then the offense bunts again, or swings."""
    table = at("T1 0o 1--")
    until(table, "bunt", "B5")
    assert ("bunt",) == asked(table)
    refused(table, "swing")
    until(table, "B9")
    assert ("bunt-again", "swing") == options(table.asks()[0][1])


@pytest.mark.rule("CL-328")
@pytest.mark.parametrize(("face", "total", "mistake"), [("P6", 11, False), ("P1", 6, True), ("P2", 7, False)])
def test_the_pitch_after_two_misses_has_two_more(face: str, total: int, mistake: bool) -> None:
    """Not in the X-Zone."""
    table = at("T1 0o 1--")
    upto(table, "swing", "bunt", "B5", "B9", "swing", face)
    assert (total, mistake) == (state(table).at.pitch, state(table).at.mistake)
    assert ("pitcher" if total > 10 else "batter") == state(table).at.advantage


# Infield in (4.3) ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-344")
def test_a_ground_ball_of_the_pitchers_stays_one() -> None:
    """Only those of the batter's chart go through."""
    table = run(at("T1 0o --3"), "in", "GB!", "stay")
    assert "GB" == state(table).last[-1]


@pytest.mark.rule("CL-104", "CL-105")
@pytest.mark.parametrize(("runs", "quality"), [(2, False), (1, True)])
def test_a_quality_appearance_is_judged_once_the_play_is_over(runs: int, quality: bool) -> None:
    """A double play ends with the 15th out, and a run comes home on it: two and that one are three."""
    table = at("T5 0o 1-3", arm={"outs": 13, "runs": runs, "earned": runs, "faced": 20}, level="players")
    arm = mound(run(table, "GB!", "D20"))
    assert (15, runs + 1, quality, False) == (arm.outs, arm.runs, arm.quality, arm.due)
