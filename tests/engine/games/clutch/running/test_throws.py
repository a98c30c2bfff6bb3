"""Throws and checks, and everything that is thrown at, at-bat by at-bat (3.11 to 3.14)."""

from __future__ import annotations

import pytest

from engine.asks import Roll
from tests.engine.games.clutch import fixture
from tests.engine.games.clutch.field import at, event_codes, fact, hand, now, refused, run, state, until, upto
from tests.engine.games.clutch.fixture import strategy
from tests.engine.tables import inside


def after(where: str, *script: str, house: dict[str, str] | None = None) -> tuple[str, int]:
    """Where it stands after this, and the runs of the away side."""
    table = run(at(where, house=house), *script)
    return now(table), state(table).score[0]


# Throws (3.11.A) -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-236", "CL-237", "CL-238")
@pytest.mark.parametrize(("face", "total", "out"), [(12, 16, True), (11, 15, False), (10, 14, False)])
def test_a_throw_must_be_more_than_the_speed(face: int, total: int, out: bool) -> None:
    """4 of the outfield and the die against 15: a tie is safe."""
    table = run(at("T5 0o 1--"), "1B!", "to-third", "at-third", f"D{face}")
    (event,) = [one.event for one in table.log if one.event.code.startswith("throw-")]
    assert ("throw-out" if out else "throw-safe", total, 15) == (event.code, event.facts["total"], event.facts["speed"])


@pytest.mark.rule("CL-239")
def test_the_defence_throws() -> None:
    """The offence does not, and a d20 is thrown."""
    table = at("T5 0o 1--")
    ask = upto(table, "throw", "1B!", "to-third")
    assert ("throw-at", "home") == (ask.why, ask.seat)
    ask = until(table, "at-third")
    asked = inside(ask)
    assert isinstance(asked, Roll)
    assert ("throw", "home", "d20") == (ask.why, ask.seat, asked.dice[0].kind)
    refused(table, 12, "away")
    refused(table, 21)


@pytest.mark.rule("CL-244")
@pytest.mark.parametrize(("face", "runs"), [("D16", 1), ("D17", 0)])
def test_cards_change_speeds_and_throws(face: str, runs: int) -> None:
    """+2 for a runner who goes home: 15 and 3 and 2 against 4 and the die."""
    table = at("T5 1o -2-", away=["SPD+2"])
    run(table, "1B!", "to-home", "at-home", "SPD+2", face)
    assert (runs, 0) == state(table).score


@pytest.mark.rule("CL-244")
@pytest.mark.parametrize(("face", "runs"), [("D12", 1), ("D13", 0)])
def test_and_for_the_defence(face: str, runs: int) -> None:
    """+2 for the throw."""
    table = at("T5 1o -2-", home=["THR+2"])
    run(table, "1B!", "to-home", "at-home", "THR+2", face)
    assert (runs, 0) == state(table).score


# Checks (3.11.B) -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("CL-240", "CL-241")
@pytest.mark.parametrize(("face", "outcome"), [("D13", "1B"), ("D14", "GB"), ("D15", "GB")])
def test_a_check_must_reach_20(face: str, outcome: str) -> None:
    """6 of the infield and the die: a tie is a success."""
    table = run(at(home=["CHK1B"]), "1B!", "CHK1B", face)
    assert outcome == state(table).last[-1]
    assert ("check-made" if outcome == "GB" else "check-failed") in event_codes(table)


@pytest.mark.rule("CL-242")
@pytest.mark.parametrize(("face", "outcome"), [("D10", "1B"), ("D11", "GB")])
def test_a_card_may_name_another_number(face: str, outcome: str) -> None:
    """15, with 4 of the outfield."""
    easy = fixture.strategy("EASY", "defense", "on a 1B", "change 1B to GB if an outfield check against 15 is made")
    table = run(at(home=["EASY"], cards={"EASY": easy}), "1B!", "EASY", face)
    assert outcome == state(table).last[-1]


CALLED = [
    ("T5 0o 1--", ["steal-second", "at-second", "D1", "SO!"], "steal"),
    ("T5 0o 1--", ["1B!", "to-third", "at-third", "D1"], "extra base"),
    ("T5 0o -2-", ["FB!", "to-third", "at-third", "D1"], "tag"),
    ("T5 0o -2-", ["GB!", "to-third", "at-third", "D1"], "ground ball"),
    ("T5 0o 1--", ["GB!", "D1"], "double play"),
    ("T5 0o --3", ["in", "GB!", "to-home", "at-home", "D1"], "infield in"),
]


@pytest.mark.rule("CL-243")
@pytest.mark.parametrize(("where", "script", "_what"), CALLED, ids=[one[2] for one in CALLED])
def test_what_the_rules_call_is_a_throw(where: str, script: list[str], _what: str) -> None:
    """Checks are called by cards alone; and what is called without a runner to throw at is nothing."""
    table = run(at(where), *script)
    codes = [one for one in event_codes(table) if one.startswith(("throw", "check"))]
    assert ["throw-safe"] == codes


# At-bat by at-bat (3.12 to 3.14, 4.3) --------------------------------------------------------------------------------

ROWS = [
    # hits and extra bases
    ("CL-245", "T1 0o 123", ["1B!"], ("T1 0o 123", 1)),
    ("CL-246", "T1 0o 123", ["2B!"], ("T1 0o -23", 2)),
    ("CL-247", "T1 0o 123", ["3B!"], ("T1 0o --3", 3)),
    ("CL-248", "T1 0o 1-3", ["HR!"], ("T1 0o ---", 3)),
    ("CL-249", "T1 0o -2-", ["1B!"], ("T1 0o 1-3", 0)),
    ("CL-252", "T1 0o 1--", ["2B!", "to-home", "at-home", "D14"], ("T1 0o -2-", 1)),
    ("CL-253", "T1 0o 1--", ["1B!", "to-third", "at-third", "D11"], ("T1 0o 1-3", 0)),
    ("CL-253", "T1 0o 1--", ["1B!", "to-third", "at-third", "D12"], ("T1 1o 1--", 0)),
    ("CL-254", "T1 0o 1--", ["1B!", "to-third", "no-throw"], ("T1 0o 1-3", 0)),
    ("CL-255", "T1 0o -2-", ["1B!", "to-home", "at-home", "D14"], ("T1 0o 1--", 1)),
    ("CL-255", "T1 0o -2-", ["1B!", "to-home", "at-home", "D15"], ("T1 1o 1--", 0)),
    ("CL-256", "T1 2o 1--", ["1B!", "to-third", "at-third", "D14"], ("T1 2o 1-3", 0)),
    ("CL-256", "T1 2o 1--", ["1B!", "to-third", "at-third", "D15"], ("B1 0o ---", 0)),
    ("CL-257", "T1 2o -2-", ["1B!", "to-home", "at-home", "D17"], ("T1 2o 1--", 1)),
    ("CL-257", "T1 2o -2-", ["1B!", "to-home", "at-home", "D18"], ("B1 0o ---", 0)),
    ("CL-258", "T1 1o -2-", ["1B!", "to-home", "at-home", "D15"], ("T1 2o 1--", 0)),
    ("CL-259", "T1 0o 12-", ["1B!", "to-third-home", "at-third", "D12"], ("T1 1o 1--", 1)),
    ("CL-260", "T1 0o 12-", ["1B!", "to-third-home", "at-home", "D15"], ("T1 1o 1-3", 0)),
    ("CL-263", "T1 2o 12-", ["1B!", "to-third-home", "at-third", "D15"], ("B1 0o ---", 1)),
    # ground balls
    ("CL-264", "T1 0o ---", ["GB!"], ("T1 1o ---", 0)),
    ("CL-265", "T1 0o -2-", ["GB!", "stay"], ("T1 1o -2-", 0)),
    ("CL-269", "T1 0o --3", ["GB!"], ("T1 1o ---", 1)),
    ("CL-270", "T1 2o --3", ["GB!"], ("B1 0o ---", 0)),
    ("CL-272", "T1 0o -2-", ["GB!", "to-third", "take-batter"], ("T1 1o --3", 0)),
    ("CL-273", "T1 0o -2-", ["GB!", "to-third", "at-third", "D10"], ("T1 1o 1--", 0)),
    ("CL-274", "T1 0o -2-", ["GB!", "to-third", "at-third", "D9"], ("T1 0o 1-3", 0)),
    ("CL-275", "T1 0o -23", ["GB!", "to-third", "at-third", "D10"], ("T1 1o 1--", 1)),
    ("CL-394", "T1 0o -23", ["GB!", "stay"], ("T1 1o -2-", 1)),
    ("CL-394", "T1 0o -23", ["GB!", "to-third", "take-batter"], ("T1 1o --3", 1)),
    # fly balls, line drives, walks
    ("CL-278", "T1 0o 1--", ["FB!", "stay"], ("T1 1o 1--", 0)),
    ("CL-279", "T1 2o --3", ["FB!"], ("B1 0o ---", 0)),
    ("CL-280", "T1 0o -2-", ["FB!", "to-third", "at-third", "D11"], ("T1 1o --3", 0)),
    ("CL-280", "T1 0o -2-", ["FB!", "to-third", "at-third", "D12"], ("T1 2o ---", 0)),
    ("CL-281", "T1 0o 1--", ["FB!", "to-second", "at-second", "D8"], ("T1 1o -2-", 0)),
    ("CL-281", "T1 0o 1--", ["FB!", "to-second", "at-second", "D9"], ("T1 2o ---", 0)),
    ("CL-282", "T1 0o --3", ["FB!", "to-home", "at-home", "D14"], ("T1 1o ---", 1)),
    ("CL-282", "T1 0o --3", ["FB!", "to-home", "at-home", "D15"], ("T1 2o ---", 0)),
    ("CL-284", "T1 0o 1-3", ["FB!", "to-second-home", "at-second", "D9"], ("T1 2o ---", 1)),
    ("CL-286", "T1 1o --3", ["FB!", "to-home", "at-home", "D15"], ("B1 0o ---", 0)),
    ("CL-397", "T1 1o 1-3", ["FB!", "to-second-home", "at-second", "D9"], ("B1 0o ---", 1)),
    ("CL-287", "T1 0o 1-3", ["LD!"], ("T1 1o 1-3", 0)),
    ("CL-288", "T1 0o -2-", ["BB!"], ("T1 0o 12-", 0)),
    ("CL-288", "T1 0o 1-3", ["BB!"], ("T1 0o 123", 0)),
    ("CL-288", "T1 0o 123", ["BB!"], ("T1 0o 123", 1)),
    ("CL-197", "T2 0o 12-", ["SO!"], ("T2 1o 12-", 0)),
    # double plays
    ("CL-293", "T1 0o 1--", ["GB!", "D1"], ("T1 1o 1--", 0)),
    ("CL-294", "T1 0o 1--", ["GB!", "D12"], ("T1 1o 1--", 0)),
    ("CL-294", "T1 0o 1--", ["GB!", "D13"], ("T1 2o ---", 0)),
    ("CL-295", "T1 0o 12-", ["GB!", "D13"], ("T1 2o --3", 0)),
    ("CL-295", "T1 0o 12-", ["GB!", "D12"], ("T1 1o 1-3", 0)),
    ("CL-296", "T1 0o 1-3", ["GB!", "D13"], ("T1 2o ---", 1)),
    ("CL-296", "T1 0o 1-3", ["GB!", "D12"], ("T1 1o 1--", 1)),
    ("CL-297", "T1 0o 123", ["GB!", "D13"], ("T1 2o --3", 1)),
    ("CL-298", "T1 1o 1-3", ["GB!", "D13"], ("B1 0o ---", 0)),
    ("CL-298", "T1 1o 1-3", ["GB!", "D12"], ("T1 2o 1--", 1)),
    ("CL-396", "T1 2o 1-3", ["GB!"], ("B1 0o ---", 0)),
    # steals, each before a strikeout
    ("CL-301", "T1 0o 1--", ["steal-second", "at-second", "D6", "SO!"], ("T1 1o -2-", 0)),
    ("CL-304", "T1 0o 1--", ["steal-second", "at-second", "D7", "SO!"], ("T1 2o ---", 0)),
    ("CL-305", "T1 0o -2-", ["steal-third", "at-third", "D3", "SO!"], ("T1 1o --3", 0)),
    ("CL-305", "T1 0o -2-", ["steal-third", "at-third", "D4", "SO!"], ("T1 2o ---", 0)),
    ("CL-307", "T1 0o 12-", ["steal-both", "at-second", "D7", "SO!"], ("T1 2o --3", 0)),
    ("CL-307", "T1 0o 12-", ["steal-both", "at-third", "D4", "SO!"], ("T1 2o -2-", 0)),
    # bunts
    ("CL-329", "T1 0o 1--", ["bunt", "B5", "B9", "bunt-again", "B12"], ("T1 1o 1--", 0)),
    ("CL-330", "T1 0o 12-", ["bunt", "B13"], ("T1 1o -23", 0)),
    ("CL-331", "T1 0o 1--", ["bunt", "B1", "B13"], ("T1 1o -2-", 0)),
    ("CL-331", "T1 0o 1--", ["bunt", "B1", "B12", "bunt-again", "B13"], ("T1 1o -2-", 0)),
    ("CL-332", "T1 0o 1-3", ["bunt", "B15"], ("T1 1o -23", 0)),
    # infield in
    ("CL-336", "T1 0o --3", ["in", "GB!", "stay"], ("T1 1o --3", 0)),
    ("CL-337", "T1 0o 123", ["in", "GB!"], ("T1 1o 123", 0)),
    ("CL-338", "T1 0o --3", ["in", "GB!", "to-home", "at-home", "D12"], ("T1 0o 1--", 1)),
    ("CL-338", "T1 0o --3", ["in", "GB!", "to-home", "at-home", "D13"], ("T1 1o 1--", 0)),
    ("CL-339", "T1 0o 1-3", ["in", "GB!", "to-home", "at-home", "D13"], ("T1 1o 12-", 0)),
    ("CL-340", "T1 0o 1-3", ["in", "GB!", "stay"], ("T1 1o -23", 0)),
    ("CL-341", "T1 0o -23", ["in", "GB!", "stay"], ("T1 1o -23", 0)),
    ("CL-398", "T1 0o -23", ["in", "GB!", "to-home", "at-home", "D12"], ("T1 0o 12-", 1)),
    ("CL-398", "T1 0o -23", ["in", "GB!", "to-home", "at-home", "D13"], ("T1 1o 12-", 0)),
    ("CL-343", "T1 0o --3", ["in", "GBb!"], ("T1 0o 1--", 1)),
    ("CL-343", "T1 0o --3", ["back", "GBb!"], ("T1 1o ---", 1)),
    ("CL-345", "T1 0o --3", ["in", "GB!", "to-home", "take-batter"], ("T1 1o ---", 1)),
    ("CL-345", "T1 0o 1-3", ["in", "GB!", "to-home", "take-batter"], ("T1 1o -2-", 1)),
    ("CL-346", "T1 0o --3", ["in", "FB!", "to-home", "at-home", "D14"], ("T1 1o ---", 1)),
    # intentional walks
    ("CL-313", "T1 0o -23", ["hold", "walk"], ("T1 0o 123", 0)),
    ("CL-313", "T1 0o 123", ["hold", "walk"], ("T1 0o 123", 1)),
]
"""A rule, where it stands, what happens, and where it stands then with how many runs; the lock of substitutions is off,
so that a walk is decided by the second ask everywhere."""


@pytest.mark.parametrize(
    ("where", "script", "expected"),
    [
        pytest.param(where, script, expected, marks=pytest.mark.rule(rule), id=f"{rule} {where} {' '.join(script)}")
        for rule, where, script, expected in ROWS
    ],
)
def test_a_whole_at_bat(where: str, script: list[str], expected: tuple[str, int]) -> None:
    """From the box to the book."""
    assert expected == after(where, *script, house={"subLockInning": "0"})


HOUSES = [
    ("CL-263", {"thirdOutRuns": "none"}, "T1 2o 12-", ["1B!", "to-third-home", "at-third", "D15"], ("B1 0o ---", 0)),
    ("CL-397", {"thirdOutRuns": "none"}, "T1 1o 1-3", ["FB!", "to-second-home", "at-second", "D9"], ("B1 0o ---", 0)),
    ("CL-263", {"thirdOutRuns": "none"}, "T1 2o -23", ["1B!", "to-home", "at-home", "D18"], ("B1 0o ---", 0)),
    ("CL-263", {"thirdOutRuns": "timePlay"}, "T1 2o -23", ["1B!", "to-home", "at-home", "D18"], ("B1 0o ---", 1)),
    ("CL-270", {"gbThirdOutScores": "true"}, "T1 2o --3", ["GB!"], ("B1 0o ---", 1)),
    ("CL-298", {"gbThirdOutScores": "true"}, "T1 1o 1-3", ["GB!", "D13"], ("B1 0o ---", 1)),
    ("CL-277", {"dpAuto": "false"}, "T1 0o 1--", ["GB!", "one-out"], ("T1 1o -2-", 0)),
    ("CL-395", {"dpAuto": "false"}, "T1 0o 12-", ["GB!", "one-out"], ("T1 1o -23", 0)),
    ("CL-395", {"dpAuto": "false"}, "T1 0o 123", ["GB!", "one-out"], ("T1 1o -23", 1)),
    ("CL-294", {"dpAuto": "false"}, "T1 0o 1--", ["GB!", "double-play", "D13"], ("T1 2o ---", 0)),
]
"""The same, with house rules (AM-59 to AM-61)."""


@pytest.mark.parametrize(
    ("house", "where", "script", "expected"),
    [
        pytest.param(house, where, script, expected, marks=pytest.mark.rule(rule), id=f"{rule} {house} {where}")
        for rule, house, where, script, expected in HOUSES
    ],
)
def test_and_as_the_house_has_it(
    house: dict[str, str], where: str, script: list[str], expected: tuple[str, int]
) -> None:
    """Where the rulebook is silent."""
    assert expected == after(where, *script, house=house)


# What is not offered -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "script", "word"),
    [
        pytest.param("T1 0o ---", ["1B!"], "to-second", marks=pytest.mark.rule("CL-250")),
        pytest.param("T1 0o 12-", ["BB!"], "to-third", marks=pytest.mark.rule("CL-251")),
        pytest.param("T1 0o 12-", ["LD!"], "to-third", marks=pytest.mark.rule("CL-251")),
        pytest.param("T1 0o 12-", ["1B!"], "to-third", marks=pytest.mark.rule("CL-261")),
        pytest.param("T1 0o 1--", ["1B!"], "to-home", marks=pytest.mark.rule("CL-262")),
        pytest.param("T1 0o 12-", ["FB!"], "to-second", marks=pytest.mark.rule("CL-285")),
        pytest.param("T1 0o 12-", [], "steal-second", marks=pytest.mark.rule("CL-308")),
        pytest.param("T1 0o -23", [], "steal-third", marks=pytest.mark.rule("CL-308")),
        pytest.param("T1 0o 1-3", [], "steal-home", marks=pytest.mark.rule("CL-303")),
        pytest.param("T1 0o 123", ["pitch"], "bunt", marks=pytest.mark.rule("CL-333")),
        pytest.param("T1 2o --3", [], "in", marks=pytest.mark.rule("CL-335")),
        pytest.param("T1 0o -2-", [], "in", marks=pytest.mark.rule("CL-335")),
    ],
)
def test_what_is_refused(where: str, script: list[str], word: str) -> None:
    """Nobody can choose it, neither side."""
    table = at(where)
    until(table, *script)
    for seat in ("away", "home"):
        refused(table, word, seat)


@pytest.mark.rule("CL-311")
def test_a_runner_caught_for_the_third_out_ends_it() -> None:
    """Before the pitch: the same batter leads off the next inning (AM-68)."""
    table = run(at("T1 2o 1--"), "steal-second", "at-second", "D7")
    assert "B1 0o ---" == now(table)
    run(table, "SO!", "SO!", "SO!")
    assert ("T2 0o ---", "Bx") == (now(table), state(table).batter.name)
    other = run(at("T1 2o 1--", house={"csLeadoff": "nextBatter"}), "steal-second", "at-second", "D7")
    assert ("B1 0o ---", "A-CA") == (now(other), state(other).squad("away").batter)


@pytest.mark.rule("CL-317", "CL-319", "CL-321")
def test_intentional_walks_help_who_comes_next() -> None:
    """+2 On-Base after one; +2 Swing too after two; a batter who is pitched to breaks the row."""
    one = run(at(), "hold", "walk")
    assert 12 == upto(one, "pitch").facts["on_base"]
    run(one, "P9", "S8")
    assert 10 == upto(one, "pitch").facts["on_base"]
    two = run(at(), "hold", "walk", "hold", "walk", "P9", "S14")
    assert "2B" == state(two).last[-1]
    broken = run(at(), "hold", "walk", "BB!", "hold", "walk", "P9", "S14")
    assert "1B" == state(broken).last[-1]


@pytest.mark.rule("CL-318", "CL-320")
def test_a_pinch_hitter_has_it_too() -> None:
    """On his own On-Base."""
    nine = {"A-CA2": fixture.batter("A-CA2", "CA +8", on_base=9)}
    table = run(at(cards=nine), "hold", "walk")
    ask = upto(table, "pitch", "pinch-hitter", "A-CA2")
    assert 11 == ask.facts["on_base"]
    upto(table, "swing", "P8")
    assert "batter" == state(table).at.advantage
    twice = run(at(cards=nine), "hold", "walk", "hold", "walk", "pinch-hitter", "A-CA2", "P8", "S14")
    assert "2B" == state(twice).last[-1]


@pytest.mark.rule("CL-316", "CL-334")
def test_a_bunt_is_a_pitch_and_a_walk_is_none() -> None:
    """A pitcher who owes rest has pitched tired with a bunt, but not with an intentional walk."""
    owing = {"owes": 1, "limit": 1, "role": "RP"}
    table = run(at("T7 0o 1--", arm=owing), "bunt", "B13")
    assert (True, True) == (state(table).arms[1]["Px"].pitched, state(table).arms[1]["Px"].tired)
    table = run(at("T7 0o 1--", arm=owing), "hold", "walk")
    assert (False, False) == (state(table).arms[1]["Px"].pitched, state(table).arms[1]["Px"].tired)


# One in the middle of another -----------------------------------------------------------------------------------------

CALL = strategy("CALL", "defense", "on a throw", "draw 1 if an infield check is made else draw 1")
SENT = ("P2", "S12", "to-third", "at-third")


@pytest.mark.rule("CL-237")
def test_a_check_in_the_middle_of_a_throw_leaves_it_as_it_was() -> None:
    """A card on the runner's speed holds for the throw, though a check comes between: 4 and 13 against 17."""
    table = at("T5 0o 1--", cards={"CALL": CALL}, away=("SPD+2",), home=("CALL",))
    run(table, *SENT, "pass", "SPD+2", "CALL", "D1", "D13")
    assert (17, 17) == (fact(table, "throw-safe", "total"), fact(table, "throw-safe", "speed"))


@pytest.mark.rule("CL-225")
def test_what_waits_for_a_throw_waits_for_that_one() -> None:
    """A throw by a card in its middle succeeds: that judges nothing of the other, which fails."""
    cards = {
        "PRIZE": strategy("PRIZE", "offense", "on a throw", "br +1", success="draw 1", failure="discard 1"),
        "AIM": strategy("AIM", "defense", "on a throw", "draw 1 if an infield throw at the batter is made else draw 1"),
    }
    table = at("T5 0o 1--", cards=cards, away=("PRIZE", "SW+2"), home=("AIM",), decks=(["DRAW2"], []))
    run(table, *SENT, "pass", "PRIZE", "AIM", "D20", "D2")
    assert ["SW+2", "DRAW2"] == hand(table, "away")


@pytest.mark.rule("CL-231")
@pytest.mark.parametrize(
    ("do", "more", "safe"),
    [
        ("reroll the throw", ["X2"], True),
        ("reroll the throw", ["X20"], False),
        ("roll the throw twice for the worst", ["X2"], True),
        ("throw die = 1", [], True),
    ],
)
def test_a_throw_is_judged_again_with_another_die(do: str, more: list[str], safe: bool) -> None:
    """It was settled as an out; what the die shows now counts."""
    cards = {"AGAIN": strategy("AGAIN", "offense", "when a runner is thrown out", do)}
    table = run(at("T5 0o 1--", cards=cards, away=("AGAIN",)), *SENT, "D20", "AGAIN", *more)
    assert ("throw-safe" if safe else "throw-out") in event_codes(table)


@pytest.mark.rule("CL-231", "CL-242")
@pytest.mark.parametrize(("face", "now_is"), [("X14", "GB"), ("X13", "1B")])
def test_a_check_is_judged_again_with_another_die(face: str, now_is: str) -> None:
    """Nineteen fails, twenty is made."""
    cards = {"AGAIN": strategy("AGAIN", "defense", "when a check fails", "reroll the check")}
    table = run(at(cards=cards, home=("CHK1B", "AGAIN")), "1B!", "CHK1B", "D1", "AGAIN", face)
    assert now_is == state(table).last[-1]


def test_a_throw_at_somebody_who_is_home_comes_too_late() -> None:
    """A card brings him in during the throw: he is not out, no event puts him out, and no die is rolled."""
    for when, dice in (("on a throw", []), ("after the throw roll", ["D20"])):
        cards = {"DASH": strategy("DASH", "offense", when, "lead runner advances 1")}
        table = at("T5 0o -2-", cards=cards, away=("DASH",))
        run(table, "P2", "S12", "to-home", "at-home", *(["DASH"] if not dice else [*dice, "DASH"]))
        assert ("T5 0o 1--", (1, 0)) == (now(table), state(table).score)
        assert not {"throw-out", "throw-safe"} & set(event_codes(table))
