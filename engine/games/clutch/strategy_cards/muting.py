"""Who does not want to be asked about what for the rest of a half-inning, and how he is asked again."""

from __future__ import annotations

from typing import Any

from engine.asks import choose
from engine.games.clutch.state import State, Step
from engine.seats import Seat

AGAIN = "ask-again"
"""The choice that lifts all of it."""


def again(s: State, chair: Seat) -> tuple[str, ...]:
    """The last option of whatever a chair is still asked: to be asked about everything again."""
    return (AGAIN,) if any(seat == chair for seat, _ in s.muted) else ()


def lift(s: State, chair: Seat) -> None:
    """The chair is asked about everything again."""
    s.muted = frozenset(one for one in s.muted if one[0] != chair)


def pick(s: State, side: Seat, why: str, options: tuple[str, ...], **facts: Any) -> Step[str]:
    """Ask the manager of a side for one of these; what he did not want to be asked about he may have back here."""
    chair = s.chair(side)
    answer = yield from choose(chair, why, (*options, *again(s, chair)), **facts)
    if answer == AGAIN:
        lift(s, chair)
        answer = yield from choose(chair, why, options, **facts)
    return answer


def told(s: State, chair: Seat) -> list[str]:
    """What a chair is not asked about, for everybody: "cards" all of them, windows, and menus by their why."""
    return sorted(what for seat, what in s.muted if seat == chair)
