"""Pitchers of the tests, and what happens to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from tests.engine.games.clutch.fixture import HOUSE, box

CARDS = box().pitchers


def px(**done: Any) -> Arm:
    """The ledger's starter, six innings, who has done this."""
    return replace(pitcher_record.enter(CARDS["Px"], "SP"), **done)


def rx(**done: Any) -> Arm:
    """The ledger's reliever, one inning."""
    return replace(pitcher_record.enter(CARDS["Rx"], "RP"), **done)


def retire(arm: Arm, outs: int = 1, house: Mapping[str, str] = HOUSE) -> Arm:
    """He gets so many, a batter each."""
    for _ in range(outs):
        arm = pitcher_record.faced(pitcher_record.outs(pitcher_record.throw(arm, house), 1, house))
    return arm


def hit(arm: Arm, house: Mapping[str, str] = HOUSE) -> Arm:
    """He faces one who reaches."""
    return pitcher_record.faced(pitcher_record.throw(arm, house))


def walked(arm: Arm, count: int) -> Arm:
    """He walks so many."""
    for _ in range(count):
        arm = pitcher_record.walk(arm)
    return arm


def charged(arm: Arm, count: int, earned: bool = True) -> Arm:
    """So many runs are his."""
    for _ in range(count):
        arm = pitcher_record.run(arm, earned)
    return arm


def worn(outs: int, **done: Any) -> Arm:
    """The starter after so many outs, with three earned runs before the 15th and so no Quality Appearance."""
    return retire(charged(px(**done), 3), outs)
