"""Innings, halves, extra innings, and whether the game is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.seats import SEATS, Seat

Half = Literal["top", "bottom"]


@dataclass(frozen=True, slots=True)
class InningClock:
    """The current inning, counted from 1, and its half."""

    inning: int = 1
    half: Half = "top"

    @property
    def batting_seat(self) -> Seat:
        """The seat at bat."""
        return SEATS[self.half == "bottom"]

    def next_half(self) -> InningClock:
        """Return the half-inning after this one."""
        return InningClock(self.inning, "bottom") if self.half == "top" else InningClock(self.inning + 1, "top")

    def is_decided(self, away: int, home: int, regulation: int = 9, skip_bottom: bool = True) -> bool:
        """Return True if the game is over now that this half has ended with the score `away` to `home`.

        A lead decides at the end of an inning from `regulation` on. With `skip_bottom` a home lead decides after the
        top already, since the bottom could only add to it. Inside a half, use `is_walk_off`.
        """
        if self.inning < regulation:
            return False
        return away != home if self.half == "bottom" else skip_bottom and home > away

    def is_walk_off(self, away: int, home: int, regulation: int = 9) -> bool:
        """Return True if home has taken the lead in a bottom that could be the last: the game ends immediately."""
        return self.half == "bottom" and self.inning >= regulation and home > away


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the winner (None: nobody), the stable `reason`, and the sentence that says so."""

    winner: Seat | None
    reason: str
    sentence: str
