"""What a bunt must show, with all cards in force (CL-324, CL-325)."""

from __future__ import annotations

from engine.dice import FACES
from engine.games.clutch.numbers.modifiers import die, number
from engine.games.clutch.numbers.rolls import spoken_need
from engine.games.clutch.state import State

TARGET = 12  # The number that a bunt must exceed (CL-324, CL-325).


def target(s: State) -> int:
    """Return the number that the roll must exceed, with cards."""
    return number(s, "bunt_target", TARGET)


def down(s: State) -> tuple[list[int], str]:
    """Return the faces with which the bunt succeeds, and the kind of die."""
    kind = die(s, "bunt")
    return [int(one) for one in FACES[kind] if number(s, "bunt_roll", int(one)) > target(s)], kind


def odds(s: State) -> str:
    """Return what the die has to show."""
    good, kind = down(s)
    return spoken_need("down", good, kind)
