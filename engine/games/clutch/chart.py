"""Result Charts (CL-010, CL-021, CL-183, CL-184)."""

from __future__ import annotations

from dataclasses import dataclass

RESULTS = ("SO", "GB", "FB", "LD", "BB", "1B", "2B", "3B", "HR", "HBP")
"""What a chart may say; HBP and errors come of cards only, but a house may print them (AM-24)."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Rows in order: the first Swing of each, the first being 1, and its result."""

    rows: tuple[tuple[int, str], ...]

    def __getitem__(self, swing: int) -> str:
        """The result of a Swing; one off the chart reads its nearest end (CL-183, AM-27)."""
        return next((result for low, result in reversed(self.rows) if swing >= low), self.rows[0][1])
