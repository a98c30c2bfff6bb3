"""Pitchers for tests, and events that change their records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.games.clutch.pitching import pitcher_record
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from tests.engine.games.clutch.fixture import HOUSE, box

CARDS = box().pitchers


def px(**done: Any) -> PitcherRecord:
    """Return the ledger's starter, six innings, with this record."""
    return replace(pitcher_record.new_record(CARDS["Px"], "SP"), **done)


def rx(**done: Any) -> PitcherRecord:
    """Return the ledger's reliever, one inning."""
    return replace(pitcher_record.new_record(CARDS["Rx"], "RP"), **done)


def retire(arm: PitcherRecord, outs: int = 1, house: Mapping[str, str] = HOUSE) -> PitcherRecord:
    """Record outs, each by another batter."""
    for _ in range(outs):
        arm = pitcher_record.count_batter(
            pitcher_record.count_only_outs(pitcher_record.count_pitch(arm, house), 1, house)
        )
    return arm


def hit(arm: PitcherRecord, house: Mapping[str, str] = HOUSE) -> PitcherRecord:
    """Record a batter who reaches on a hit."""
    return pitcher_record.count_batter(pitcher_record.count_pitch(arm, house))


def walked(arm: PitcherRecord, count: int) -> PitcherRecord:
    """Record walks."""
    for _ in range(count):
        arm = pitcher_record.count_walk(arm)
    return arm


def charged(arm: PitcherRecord, count: int, earned: bool = True) -> PitcherRecord:
    """Charge runs to him."""
    for _ in range(count):
        arm = pitcher_record.charge_run(arm, earned)
    return arm


def worn(outs: int, **done: Any) -> PitcherRecord:
    """Return the starter after `outs` outs; three earned runs before the 15th deny him a Quality Appearance."""
    return retire(charged(px(**done), 3), outs)
