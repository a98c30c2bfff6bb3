"""Names of bases, results and positions."""

from __future__ import annotations

from collections.abc import Mapping

BASE_NAMES = ("first", "second", "third", "home")  # Base n, from 1 to 4, has index n - 1.

RESULT_NAMES: Mapping[str, str] = {
    "SO": "a strikeout",
    "GB": "a ground ball",
    "FB": "a fly ball",
    "LD": "a line drive",
    "BB": "a walk",
    "1B": "a single",
    "2B": "a double",
    "3B": "a triple",
    "HR": "a home run",
    "HBP": "hit by a pitch",
    "IBB": "an intentional walk",
    "E": "an error",
    "SF": "a sacrifice fly",
    "SAC": "a sacrifice bunt",
    "FC": "a fielder's choice",
    "GDP": "a double play",
    "WP": "a wild pitch",
}
"""Results and outcomes by code."""

POSITION_NAMES: Mapping[str, str] = {
    "CA": "catcher",
    "1B": "first baseman",
    "2B": "second baseman",
    "3B": "third baseman",
    "SS": "shortstop",
    "LF": "left fielder",
    "CF": "center fielder",
    "RF": "right fielder",
    "DH": "designated hitter",
    "P": "pitcher",
}
"""Players by position code."""


def signed_text(amount: int) -> str:
    """Return a number with its sign, such as "+2", or "−1" with a true minus sign."""
    return f"{amount:+}".replace("-", "−")


def text_with_printed(now: int, printed: int, sign: bool = False) -> str:
    """Return the current number, with the printed one if it differs, such as "5 (printed 4)"."""
    says = signed_text if sign else str
    return says(now) if now == printed else f"{says(now)} (printed {says(printed)})"
