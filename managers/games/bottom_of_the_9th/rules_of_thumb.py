"""Heuristic policies for managers that calculate nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from managers.manager import WeighedAnswer


def pitch_weights(options: Sequence[str], ace: Sequence[str]) -> list[float]:
    """Weight each pitch or guess as a beginner would, by how many of its two parts match the pitcher's `ace` pitch."""
    return [(1.0, 2.0, 5.0)[sum(map(str.__eq__, option.split("-"), ace))] for option in options]


def relief_cost(option: str, rows: Sequence[int]) -> tuple[int, int]:
    """Return the sort key of a relief, lower is better: the more tired token's row afterward, then both rows."""
    steps = option.split("-")[1:] if option.startswith("relief") else ["0", "0"]
    after = [row - int(step) for row, step in zip(rows, steps, strict=True)]
    return max(after), sum(after)


def choose_relief(options: Sequence[str], rows: Sequence[int], bottom: int) -> str:
    """Choose the relief that lifts the more tired token highest, or the bench if that token stays on the last row."""
    best = min((option for option in options if option != "bench"), key=lambda one: relief_cost(one, rows))
    return "bench" if "bench" in options and relief_cost(best, rows)[0] == bottom else best


def pure_policy(weighed: Sequence[WeighedAnswer], chosen: object) -> list[WeighedAnswer]:
    """Give the full share to one answer."""
    return [replace(one, share=float(one.value == chosen)) for one in weighed]


def weighted_policy(weighed: Sequence[WeighedAnswer], weights: Sequence[float]) -> list[WeighedAnswer]:
    return [replace(one, share=weight / sum(weights)) for one, weight in zip(weighed, weights, strict=True)]


def first_option_policy(options: Sequence[str], win: float) -> list[WeighedAnswer]:
    """Give the full share to the first option, and all options the same chance `win`."""
    return [WeighedAnswer(option, win, float(place == 0)) for place, option in enumerate(options)]
