"""Parser of the seat settings of one game, for the journal and for backups.

`device.table.preset_answers.SeatSettings` writes them and documents each field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from engine.game import ASK_PREFERENCE_LABELS
from engine.league.league import LeagueGame
from engine.seats import SEATS, Seat
from managers.cast import CAST_BY_CHOICE

PACE_DELAYS_S: Mapping[str, float] = {"normal": 2.0, "brisk": 0.8, "instant": 0.0}
"""Minimum seconds before a computer manager answers, by name of its pace."""

KEY_PATTERN = re.compile(r"[a-z0-9-]{1,40}")
"""Keys of leagues, teams and people."""

MAX_FIXTURE_NUMBER = 99_999


def parse_seat_settings(text: str) -> dict[str, Any]:
    """Parse stored seat settings, "" for none. Older versions of Dugout wrote fewer fields.

    Raises ValueError naming the field, and RecursionError. Not checked: whether a game has these topics or a manager.
    """
    found = json.loads(text) if text else {}
    if not isinstance(found, dict):
        raise ValueError("standing: it needs an object")
    for name, value in found.items():
        if not _is_known(name, value):
            raise ValueError(f"standing: {name[:40]!r} has something that this version of Dugout does not know")
    return found


def league_of(standing: str) -> tuple[LeagueGame | None, Mapping[Seat, str]]:
    """League of a game with these stored seat settings, and its people's keys by seat.

    (None, {}) for settings that this version of Dugout does not know.
    """
    try:
        given = parse_seat_settings(standing)
    except (ValueError, RecursionError):
        return None, {}
    league = given.get("league")
    return LeagueGame(**league) if league else None, given.get("people", {})


def _is_known(name: str, value: Any) -> bool:
    match name, value:
        case "pace", str():
            return value in PACE_DELAYS_S
        case "coached" | "assisted", list():
            return all(seat in SEATS for seat in value)
        case "when" | "waits" | "managers" | "rematch" | "people", dict():
            return value.keys() <= set(SEATS) and all(_is_known(f"{name} of a seat", one) for one in value.values())
        case "when of a seat", dict():
            return all(when in tuple(ASK_PREFERENCE_LABELS) for when in value.values())
        case "waits of a seat" | "rematch of a seat" | "wins of a side", int():
            return not isinstance(value, bool)
        case "wins", dict():
            return len(value) <= len(SEATS) and all(_is_known("wins of a side", one) for one in value.values())
        case "table_rolls", bool():
            return True
        case "managers of a seat", str():
            return value in CAST_BY_CHOICE
        case "people of a seat", str():
            return KEY_PATTERN.fullmatch(value) is not None
        case "league", {"league": str(), "fixture": int(fixture), "away": str(), "home": str(), "friendly": bool()}:
            keys = [KEY_PATTERN.fullmatch(value[key]) for key in ("league", "away", "home")]
            return len(value) == 5 and all(keys) and type(fixture) is int and 0 <= fixture <= MAX_FIXTURE_NUMBER
    return False
