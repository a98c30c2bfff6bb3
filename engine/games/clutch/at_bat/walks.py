"""Intentional walks (4.1, CL-312 to CL-322)."""

from __future__ import annotations

from engine.games.clutch.at_bat.outcomes import free
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.state import State

BONUS = 2
"""Bonus of the next batter, on his On-Base and then on his Swing (CL-317, CL-319)."""


def may_walk(s: State) -> bool:
    """True if the defense may walk the batter: before any strategy card is played (CL-312, AM-01)."""
    return not s.basic and allowed(s, "walk") and not any(card.kind == "strategy" for card in s.at.played)


def intentional_walk(s: State) -> None:
    """Put the batter on first without a pitch; forced runners move (CL-313 to CL-316)."""
    s.now(outcome="IBB", tags=s.at.tags | {"ibb"})
    free(s, "IBB")
    s.walked += 1


def owed(s: State) -> tuple[int, int]:
    """Return the batter's bonus for the walks before him, on his On-Base and on his Swing (CL-317 to CL-322).

    It does not count as a card's. From the third walk in a row the Swing gains more only by a house rule (AM-70).
    """
    if s.walked < 2:
        return BONUS * s.walked, 0
    return BONUS, BONUS * (s.walked - 1 if s.house["ibbRowBonusGrows"] == "true" else 1)
