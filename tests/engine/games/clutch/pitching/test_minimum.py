"""When a pitcher may leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from tests.each import each
from tests.engine.games.clutch.field import by_rule
from tests.engine.games.clutch.fixture import HOUSE
from tests.engine.games.clutch.mound import CARDS, hit, px, retire, rx

ALWAYS = {"subLockInning": "0"}
"""Substitutions do not have to wait."""

STRICT = {"subLockExempt": "opAndTiredSp"}
"""Before the fourth only openers and tired starters come out."""

HAPPENS: Mapping[str, Callable[[PitcherRecord], PitcherRecord]] = {
    "o": retire,
    "d": lambda arm: pitcher_record.count_batter(
        pitcher_record.count_only_outs(pitcher_record.count_pitch(arm, HOUSE), 2, HOUSE)
    ),
    "c": lambda arm: pitcher_record.count_only_outs(arm, 1, HOUSE),
    "h": hit,
    "w": pitcher_record.count_walk,
    "i": lambda arm: pitcher_record.count_batter(pitcher_record.count_intentional_walk(arm)),
    "/": pitcher_record.end_half,
}
"""An out, a double play, a runner caught stealing, a hit, a walk, an intentional walk, the end of a half-inning."""


@pytest.mark.parametrize(
    ("name", "role", "story", "inning", "expected", "house", "facts"),
    by_rule(
        # A reliever faces three batters, out or not, or ends the half-inning; if he comes out for the next one,
        # he faces three in all. A runner who is caught ends the half-inning too.
        *(("CL-134", "H-BP", "RP", story, 7, False, {}, {}) for story in ("", "h", "hh")),
        ("CL-134", "H-BP", "RP", "hoh", 7, True, {}, {}),
        ("CL-134", "Rx", "RP", "hhi", 7, True, {}, {"limit": 9}),
        ("CL-134", "Rx", "RP", "hhi", 7, False, {"ibbCountsAsFaced": "false"}, {"limit": 9}),
        ("CL-135 CL-136", "H-BP", "RP", "o", 7, False, {}, {}),
        ("CL-135 CL-136", "H-BP", "RP", "o/", 8, True, {}, {}),
        ("CL-135 CL-136", "H-BP", "RP", "o/h", 8, False, {}, {}),
        ("CL-135 CL-136", "H-BP", "RP", "o/hh", 8, True, {}, {}),
        ("CL-135", "Rx", "RP", "c/", 8, True, {}, {}),
        # A tired pitcher may go: two outs by one batter and one by the next are an inning, and two batters faced.
        ("CL-137", "Rx", "RP", "d/h", 8, False, {}, {}),
        ("CL-137", "Rx", "RP", "d/o", 8, True, {}, {}),
        ("CL-137", "Rx", "RP", "", 7, True, {}, {"owes": 1}),
        # A starter and a bulk pitcher pitch three innings, whether substitutions have to wait or not.
        ("CL-138", "Px", "SP", "o" * 8, 3, False, ALWAYS, {}),
        ("CL-138", "Px", "SP", "o" * 9, 3, True, ALWAYS, {}),
        ("CL-138", "Px", "SP", "o" * 8, 3, False, {}, {}),
        ("CL-138", "Px", "SP", "o" * 6, 3, True, {}, {"limit": 2}),
        ("CL-139", "H-BP", "BP", "/" + "o" * 8, 5, False, {}, {}),
        ("CL-139", "H-BP", "BP", "/" + "o" * 9, 5, True, {}, {}),
        ("CL-139", "H-BP", "BP", "/ooo", 5, True, {}, {"limit": 1}),
        # An opener faces three batters, ends the half-inning, or tires; he does not wait for the fourth inning.
        ("CL-121 CL-140", "H-OP", "OP", "hh", 1, False, {}, {}),
        ("CL-121 CL-140", "H-OP", "OP", "hhh", 1, True, {}, {}),
        ("CL-121 CL-140", "H-OP", "OP", "o/", 2, True, {}, {}),
        ("CL-121 CL-140", "H-OP", "OP", "hwwww", 1, True, {}, {}),
        # Before the fourth only tired pitchers leave: starters in every house, relievers and bulk pitchers in some.
        ("CL-122", "Px", "SP", "o" * 6 + "w" * 8, 3, True, {}, {"limit": 4}),
        ("CL-122", "Px", "SP", "o" * 9, 3, False, {}, {}),
        ("CL-122", "Px", "SP", "o" * 9, 4, True, {}, {}),
        ("CL-122", "Rx", "RP", "ooo", 3, False, {}, {"limit": 3}),
        ("CL-122", "Rx", "RP", "", 4, True, STRICT, {"limit": 0}),
        *(("CL-122", "Px", "SP", "", 3, True, house, {"limit": 0}) for house in ({}, STRICT)),
        *(("CL-122", "Rx", "RP", "", 3, house == {}, house, {"limit": 0}) for house in ({}, STRICT)),
        *(("CL-122", "H-BP", "BP", "", 3, house == {}, house, {"limit": 0}) for house in ({}, STRICT)),
    ),
)
def test_when_a_pitcher_may_leave(
    name: str, role: str, story: str, inning: int, expected: bool, house: dict[str, str], facts: dict[str, Any]
) -> None:
    arm = replace(pitcher_record.new_record(CARDS[name], role), **facts)
    for what in story:
        arm = HAPPENS[what](arm)
    assert expected == (not pitcher_record.reason_to_stay(arm, inning, HOUSE | house))


@each(
    ("arm", "inning", "house", "said"),
    [
        (px(), 3, {}, "Pitchers stay in until inning 4; only openers and tired ones come out."),
        (rx(), 3, STRICT, "Pitchers stay in until inning 4; only openers and tired starters come out."),
        (retire(px(), 8), 4, {}, "Px has to get 9 outs first: he has 8."),
        (hit(rx()), 7, {}, "Rx has to face 3 batters first, or end the half-inning: he has faced 1."),
    ],
)
def test_a_refusal_names_what_he_still_has_to_do(
    arm: PitcherRecord, inning: int, house: dict[str, str], said: str
) -> None:
    assert said == pitcher_record.reason_to_stay(arm, inning, HOUSE | house)
