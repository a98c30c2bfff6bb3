"""Pitchers for tests, and events that change their records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import Arm
from tests.engine.games.clutch.fixture import HOUSE, box

CARDS = box().pitchers


def px(**done: Any) -> Arm:
    """Return the ledger's starter, six innings, with this record."""
    return replace(pitcher_record.enter(CARDS["Px"], "SP"), **done)


def rx(**done: Any) -> Arm:
    """Return the ledger's reliever, one inning."""
    return replace(pitcher_record.enter(CARDS["Rx"], "RP"), **done)


def retire(arm: Arm, outs: int = 1, house: Mapping[str, str] = HOUSE) -> Arm:
    """Record outs, each by another batter."""
    for _ in range(outs):
        arm = pitcher_record.faced(pitcher_record.outs(pitcher_record.throw(arm, house), 1, house))
    return arm


def hit(arm: Arm, house: Mapping[str, str] = HOUSE) -> Arm:
    """Record a batter who reaches on a hit."""
    return pitcher_record.faced(pitcher_record.throw(arm, house))


def walked(arm: Arm, count: int) -> Arm:
    """Record walks."""
    for _ in range(count):
        arm = pitcher_record.walk(arm)
    return arm


def charged(arm: Arm, count: int, earned: bool = True) -> Arm:
    """Charge runs to him."""
    for _ in range(count):
        arm = pitcher_record.run(arm, earned)
    return arm


def worn(outs: int, **done: Any) -> Arm:
    """Return the starter after `outs` outs; three earned runs before the 15th deny him a Quality Appearance."""
    return retire(charged(px(**done), 3), outs)
