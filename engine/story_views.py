"""Views of how a game was won, as typed data without sealed values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.innings import Half
from engine.seats import Seat

WinTrace = Mapping[int, float]
"""Home's win probability after each answer that caused a play, by the answer's number; before the first answer, at -1.

Answers whose probability is not known are left out. The numbers ascend, and undone answers do not appear.
"""


@dataclass(frozen=True, slots=True)
class WinSwing:
    """A play that changed the win probability."""

    n: int
    """The number of the answer that caused it."""
    inning: int
    half: Half
    seat: Seat
    """The side that gained."""
    sentence: str
    """The play."""
    before: float
    """The win probability of `seat` before it, 0 to 1."""
    after: float


@dataclass(frozen=True, slots=True)
class PlayerContribution:
    """What the plays of one player changed for his side."""

    name: str
    added: float
    """Win probability added (WPA), -1 to 1."""


@dataclass(frozen=True, slots=True)
class GameStory:
    """How one game was won."""

    headline: str
    recap: Sequence[str]
    """A few plain sentences in the order of the game."""
    turning_points: Sequence[WinSwing]
    """The plays that changed most, at most three, in the order of the game."""
    names: Mapping[Seat, str]
    """What the sides are called in this game; a season has many opponents."""
    contributions: Mapping[Seat, Sequence[PlayerContribution]] = field(default_factory=dict)
    """The players of each side, greatest first. Empty for a game whose players have no names."""
