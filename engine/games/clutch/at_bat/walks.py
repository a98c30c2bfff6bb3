"""Intentional walks (4.1, CL-312 to CL-322)."""

from __future__ import annotations

from engine.games.clutch.at_bat.outcomes import free
from engine.games.clutch.numbers.modifiers import allowed
from engine.games.clutch.state import State

BONUS = 2
"""What the next batter gains, on his On-Base and then on his Swing (CL-317, CL-319)."""


def may_walk(s: State) -> bool:
    """Whether the defence may walk the batter: before any strategy card is played (CL-312, AM-01)."""
    return not s.basic and allowed(s, "walk") and not any(card.kind == "strategy" for card in s.at.played)


def intentional_walk(s: State) -> None:
    """The batter takes first without a pitch; runners make way (CL-313 to CL-316)."""
    s.now(outcome="IBB", tags=s.at.tags | {"ibb"})
    free(s, "IBB")
    s.walked += 1


def owed(s: State) -> tuple[int, int]:
    """What the walks before bring who bats now, on his On-Base and on his Swing; it is no card's doing (CL-317 to
    CL-322). A third walk in a row and more add to the Swing only where the house says so (AM-70)."""
    if s.walked < 2:
        return BONUS * s.walked, 0
    return BONUS, BONUS * (s.walked - 1 if s.house["ibbRowBonusGrows"] == "true" else 1)
