"""What a bunt must show, with all cards in force (CL-324, CL-325)."""

from __future__ import annotations

from engine.dice import FACES_BY_KIND
from engine.games.clutch.numbers.modifiers import die_with_cards, number_with_cards
from engine.games.clutch.numbers.rolls import need_clause
from engine.games.clutch.state import State

BUNT_TARGET = 12  # The number that a bunt must exceed (CL-324, CL-325).


def bunt_target(s: State) -> int:
    """Return the number that the roll must exceed, with cards."""
    return number_with_cards(s, "bunt_target", BUNT_TARGET)


def winning_faces_and_die(s: State) -> tuple[list[int], str]:
    """Return the faces with which the bunt succeeds, and the kind of die."""
    kind = die_with_cards(s, "bunt")
    return [
        int(one) for one in FACES_BY_KIND[kind] if number_with_cards(s, "bunt_roll", int(one)) > bunt_target(s)
    ], kind


def bunt_odds_text(s: State) -> str:
    """Return what the die has to show."""
    good, kind = winning_faces_and_die(s)
    return need_clause("down", good, kind)
