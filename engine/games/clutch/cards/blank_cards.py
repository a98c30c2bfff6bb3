"""Blank strategy cards, whose texts are not in the deck, so that their managers choose the effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.games.clutch.cards.result_chart import RESULT_CODES

_MAX_NUMBER_CHANGE = 3  # By one card (CL-209).

_NUMBERS_BY_WINDOW: Mapping[str, tuple[str, ...]] = {
    "steal": ("runners st", "battery"),
    "bunt": ("bunt roll", "bunt target"),
    "before-pitch": ("pitch roll", "command", "pitch", "on-base", "swing roll", "swing"),
    "pitch-roll": ("pitch roll", "command", "pitch", "on-base", "swing roll", "swing"),
    "advantage": ("swing roll", "swing"),
    "swing-roll": ("swing roll", "swing"),
    "try": ("runners br", "infield", "outfield"),
    "throw": ("throw roll", "throw"),
    "throw-roll": ("throw roll", "throw"),
    "check": ("check roll", "check", "check target"),
    "check-roll": ("check roll", "check", "check target"),
    "bunt-roll": ("bunt roll", "bunt target"),
}
"""Numbers that count in a window or after it."""

_OFFENSE_NUMBERS = ("on-base", "swing roll", "swing", "runners st", "runners br", "st", "br", "check target")
"""Numbers that favor the side at bat when they rise."""

_EFFECTS_BY_WINDOW: Mapping[str, tuple[str, ...]] = {
    "before-pitch": (
        *("swing + batter's clutch", "pitch + pitcher's clutch", "power die for the pitch", "power die for the swing"),
        *("the batter has the advantage", "the pitcher has the advantage", "a mistake pitch", "no mistake pitch"),
    ),
    "pitch-roll": (
        *("swing + batter's clutch", "pitch + pitcher's clutch", "reroll the pitch", "power die for the swing"),
        *("the batter has the advantage", "the pitcher has the advantage", "a mistake pitch", "no mistake pitch"),
    ),
    "advantage": (
        *("swing + batter's clutch", "power die for the swing", "regular die for the swing", "read the other chart"),
        *("the batter has the advantage", "the pitcher has the advantage"),
    ),
    "swing-roll": ("swing + batter's clutch", "reroll the swing", "read the other chart"),
    "result": tuple(f"change the result to {code}" for code in RESULT_CODES),
    "throw": ("power die for the throw",),
    "throw-roll": ("reroll the throw",),
    "throw-result": ("the runner is safe", "the runner is out"),
    "check": ("power die for the check",),
    "check-roll": ("reroll the check",),
    "check-result": ("the check is made", "the check fails"),
    "bunt-roll": ("reroll the bunt",),
    "card": ("negate the card",),
}
"""Other effects of cards in a window."""

_IDLE_EFFECTS_BY_TAG = {"safe": "the runner is safe", "out": "the runner is out", "made": "the check is made"}
"""Effects that change nothing if this tag holds."""
_IDLE_EFFECTS_BY_TAG |= {"failed": "the check fails"} | {code: f"change the result to {code}" for code in RESULT_CODES}
"""Effects that change nothing if this tag holds."""

_DRAW_AND_DISCARD_EFFECTS = ("draw 1", "draw 2", "they discard 1", "they discard 2", "discard 1", "discard 2")


def possible_phrases(window: str, tags: frozenset[str], offence: bool) -> tuple[str, ...]:
    """Return the possible effects of a blank strategy card in a window with these tags, as phrases, the likeliest
    first.

    A number moves by 3 at most (CL-209). `offence` is True if its owner bats. There are none in windows without
    strategy cards. Whether each effect is possible now is not checked.
    """
    if window == "chart":
        return ()
    idle = {_IDLE_EFFECTS_BY_TAG[tag] for tag in tags & _IDLE_EFFECTS_BY_TAG.keys()}
    deeds = tuple(one for one in _EFFECTS_BY_WINDOW.get(window, ()) if one not in idle)
    return (*_number_phrases(window, tags, offence), *deeds, *_DRAW_AND_DISCARD_EFFECTS, "nothing")


def _number_phrases(window: str, tags: frozenset[str], offence: bool) -> Iterator[str]:
    speed = ("st" if "steal" in tags else "br",) if window.startswith("throw") and window in _NUMBERS_BY_WINDOW else ()
    for number in (*_NUMBERS_BY_WINDOW.get(window, ()), *speed):
        better = "+-" if offence == (number in _OFFENSE_NUMBERS) else "-+"
        for sign in better:
            yield from (f"{number} {sign}{amount}" for amount in range(1, _MAX_NUMBER_CHANGE + 1))
