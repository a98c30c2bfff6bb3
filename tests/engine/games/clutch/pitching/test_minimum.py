"""When a pitcher may be taken out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from tests.engine.games.clutch.fixture import HOUSE
from tests.engine.games.clutch.mound import CARDS, hit, px, retire, rx, walked

ALWAYS = HOUSE | {"subLockInning": "0"}
"""Substitutions do not have to wait."""


def may(arm: Arm, inning: int = 7, house: Mapping[str, str] = HOUSE) -> bool:
    """He may be replaced now."""
    return not pitcher_record.may_leave(arm, inning, house)


@pytest.mark.rule("CL-134")
def test_a_reliever_faces_three_batters() -> None:
    arm, found = pitcher_record.enter(CARDS["H-BP"], "RP"), []
    for _ in range(4):
        found.append(may(arm))
        arm = hit(arm)
    assert [False, False, False, True] == found


@pytest.mark.rule("CL-135", "CL-136")
def test_having_ended_the_half_inning_he_may_go_or_faces_three_in_all() -> None:
    """One batter in the seventh; coming out for the eighth, he needs two more."""
    arm = retire(pitcher_record.enter(CARDS["H-BP"], "RP"))
    assert not may(arm)
    arm = pitcher_record.half_over(arm)
    found = [may(arm, 8)]
    for _ in range(2):
        arm = hit(arm)
        found.append(may(arm, 8))
    assert [True, False, True] == found


@pytest.mark.rule("CL-135")
def test_the_third_out_may_be_a_runners() -> None:
    """A caught stealing ends the half-inning before he has faced anybody: he may go."""
    arm = pitcher_record.half_over(pitcher_record.outs(rx(), 1, HOUSE))
    assert (0, True) == (arm.faced, may(arm))


@pytest.mark.rule("CL-134")
@pytest.mark.parametrize(("counts", "expected"), [("true", True), ("false", False)])
def test_whether_an_intentional_walk_is_a_batter_faced(counts: str, expected: bool) -> None:
    arm = pitcher_record.faced(pitcher_record.ibb(hit(hit(rx(limit=9)))))
    assert expected == may(arm, house=HOUSE | {"ibbCountsAsFaced": counts})
    assert "faced 2" in pitcher_record.may_leave(arm, 7, HOUSE | {"ibbCountsAsFaced": "false"}) or expected


@pytest.mark.rule("CL-137")
def test_who_is_tired_may_go() -> None:
    """His first batter hits into two outs, his second makes one: an inning, and two batters faced."""
    arm = pitcher_record.half_over(
        pitcher_record.faced(pitcher_record.outs(pitcher_record.throw(rx(), HOUSE), 2, HOUSE))
    )
    assert not may(hit(arm), 8)
    arm = retire(arm)
    assert (3, 2, True) == (arm.outs, arm.faced, may(arm, 8))
    assert may(rx(owes=1))


@pytest.mark.rule("CL-138")
def test_a_starter_pitches_three_innings() -> None:
    """Unless he is tired; whether substitutions have to wait or not."""
    assert [False, True] == [may(retire(px(), outs), 3, ALWAYS) for outs in (8, 9)]
    assert not may(retire(px(), 8), 3)
    assert may(retire(px(limit=2), 6), 3)


@pytest.mark.rule("CL-139")
def test_a_bulk_pitcher_pitches_three_innings() -> None:
    bulk = pitcher_record.half_over(pitcher_record.enter(CARDS["H-BP"], "BP"))
    assert [False, True] == [may(retire(bulk, outs), 5) for outs in (8, 9)]
    assert may(replace(retire(bulk, 3), limit=1), 5)


@pytest.mark.rule("CL-121", "CL-140")
def test_an_opener_faces_three_batters() -> None:
    opener = pitcher_record.enter(CARDS["H-OP"], "OP")
    assert [False, True] == [may(one, 1) for one in (hit(hit(opener)), hit(hit(hit(opener))))]
    assert may(pitcher_record.half_over(retire(opener)), 2)
    assert may(walked(hit(opener), 4), 1)


@pytest.mark.rule("CL-122")
def test_before_the_fourth_only_the_tired_come_out() -> None:
    tired = walked(retire(px(limit=4), 6), 8)
    assert (2, True) == (pitcher_record.innings(tired, HOUSE), may(tired, 3))
    fresh = retire(px(), 9)
    assert [False, True] == [may(fresh, inning) for inning in (3, 4)]
    assert may(fresh, 3, ALWAYS)
    assert not may(retire(rx(limit=3), 3), 3)


@pytest.mark.rule("CL-122")
@pytest.mark.parametrize(("exempt", "expected"), [("opAndAnyTired", True), ("opAndTiredSp", False)])
def test_which_tired_pitchers_come_out_early(exempt: str, expected: bool) -> None:
    house = HOUSE | {"subLockExempt": exempt}
    assert may(px(limit=0), 3, house)
    assert [expected] * 2 == [may(arm, 3, house) for arm in (rx(limit=0), rx(limit=0, role="BP"))]
    assert may(rx(limit=0), 4, house)


def test_a_refusal_says_what_he_still_has_to_do() -> None:
    assert "Pitchers stay in until inning 4; only openers and tired ones come out." == pitcher_record.may_leave(
        px(), 3, HOUSE
    )
    strict = HOUSE | {"subLockExempt": "opAndTiredSp"}
    assert "Pitchers stay in until inning 4; only openers and tired starters come out." == pitcher_record.may_leave(
        rx(), 3, strict
    )
    assert "Px has to get 9 outs first: he has 8." == pitcher_record.may_leave(retire(px(), 8), 4, HOUSE)
    assert "Rx has to face 3 batters first, or end the half-inning: he has faced 1." == pitcher_record.may_leave(
        hit(rx()), 7, HOUSE
    )
