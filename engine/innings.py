"""Innings, halves and extra innings, and when a game is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.seats import SEATS, Seat

Half = Literal["top", "bottom"]


@dataclass(frozen=True, slots=True)
class InningClock:
    """The current inning, from 1, and its half."""

    inning: int = 1
    half: Half = "top"

    @property
    def batting_seat(self) -> Seat:
        return SEATS[self.half == "bottom"]

    def next_half(self) -> InningClock:
        return InningClock(self.inning, "bottom") if self.half == "top" else InningClock(self.inning + 1, "top")

    def is_decided(self, away: int, home: int, regulation: int = 9, skip_bottom: bool = True) -> bool:
        """Return True if the game is over at the end of this half with the score `away` to `home`.

        From inning `regulation` on, a lead decides at the end of the inning. With `skip_bottom`, a home lead after the
        top decides too. Inside a half, use `is_walk_off`.
        """
        if self.inning < regulation:
            return False
        return away != home if self.half == "bottom" else skip_bottom and home > away

    def is_walk_off(self, away: int, home: int, regulation: int = 9) -> bool:
        """Return True if home leads in the bottom of inning `regulation` or later, which ends the game immediately."""
        return self.half == "bottom" and self.inning >= regulation and home > away


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    winner: Seat | None
    """Null if nobody won."""
    reason: str
    """A stable code."""
    sentence: str
