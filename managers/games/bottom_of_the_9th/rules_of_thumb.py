"""Rules of thumb: how somebody who calculates nothing chooses, as weights of the options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from managers.manager import WeighedAnswer


def pitch_weights(options: Sequence[str], ace: Sequence[str]) -> list[float]:
    """Return how often a beginner throws each pitch, or looks for it: mostly the ace, seldom anything without a part
    of it. `ace` is the direction and the location of the pitcher's best pitch.
    """
    return [(1.0, 2.0, 5.0)[sum(map(str.__eq__, option.split("-"), ace))] for option in options]


def relief_cost(option: str, rows: Sequence[int]) -> tuple[int, int]:
    """Return how good a relief is, less being better: the lower token afterward, then both."""
    steps = option.split("-")[1:] if option.startswith("relief") else ["0", "0"]
    after = [row - int(step) for row, step in zip(rows, steps, strict=True)]
    return max(after), sum(after)


def choose_relief(options: Sequence[str], rows: Sequence[int], bottom: int) -> str:
    """Return the relief that lifts the lower token highest, or the bench if that still leaves it on the last row."""
    best = min((option for option in options if option != "bench"), key=lambda one: relief_cost(one, rows))
    return "bench" if "bench" in options and relief_cost(best, rows)[0] == bottom else best


def pure_policy(weighed: Sequence[WeighedAnswer], chosen: object) -> list[WeighedAnswer]:
    """Return the answers with all of the share on one of them."""
    return [replace(one, share=float(one.value == chosen)) for one in weighed]


def weighted_policy(weighed: Sequence[WeighedAnswer], weights: Sequence[float]) -> list[WeighedAnswer]:
    """Return the answers with shares in proportion to weights."""
    return [replace(one, share=weight / sum(weights)) for one, weight in zip(weighed, weights, strict=True)]


def first_option_policy(options: Sequence[str], win: float) -> list[WeighedAnswer]:
    """Return the options with all of the share on the first one, and the same chance for all."""
    return [WeighedAnswer(option, win, float(place == 0)) for place, option in enumerate(options)]
