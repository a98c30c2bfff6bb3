"""What the seats set for one game, as it is stored: the one parser, for the journal and for backups.

`device.table.standing_answers.StandingSettings` writes it and says what each field means.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from engine.game import ASK_WHEN
from engine.seats import SEATS
from managers.manager import STRENGTHS

PACES: Mapping[str, float] = {"normal": 2.0, "brisk": 0.8, "instant": 0.0}
"""How many seconds a computer manager lets pass before it answers, at least, by the name of its pace."""

MAX_TOPIC_LENGTH = 40
"""Letters of a topic's key."""


def _is_by_topic(value: Any) -> bool:
    return isinstance(value, dict) and all(
        len(key) <= MAX_TOPIC_LENGTH and key.isprintable() and when in tuple(ASK_WHEN) for key, when in value.items()
    )


def _is_ask_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 31


def _is_by_seat(is_known: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, dict) and value.keys() <= set(SEATS) and all(is_known(one) for one in value.values())
    )


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "when": _is_by_seat(_is_by_topic),
    "waits": _is_by_seat(_is_ask_number),
    "managers": _is_by_seat(lambda value: value in STRENGTHS),
    "pace": lambda value: value in tuple(PACES),
    "coached": lambda value: isinstance(value, list) and all(one in SEATS for one in value),
}
"""Each field, and what is true of its value."""


def parse(text: str) -> dict[str, Any]:
    """Return the fields that a stored text has, "" none; older versions of Dugout wrote fewer.

    Raises ValueError that names the field, and RecursionError. Not checked: whether a game has these topics, or a
    manager.
    """
    found = json.loads(text) if text else {}
    if not isinstance(found, dict):
        raise ValueError("standing: needs an object.")
    for name, value in found.items():
        if name not in FIELDS or not FIELDS[name](value):
            raise ValueError(f"standing: has something in {name[:MAX_TOPIC_LENGTH]!r} that this version does not know.")
    return found
