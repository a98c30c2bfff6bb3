"""Tests of whether dice are fair, from counts of their faces. Pure functions.

A die has a test of all its faces together: Pearson's chi-square test, or with few rolls the exact binomial test of each
face. Holm's method corrects the p-values for testing several dice, so that all of them together raise a false alarm
with at most the chosen probability, even if some of them share rolls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

MIN_EXPECTED_COUNT = 5.0
"""Least expected count of every face for which the chi-square test is accurate enough."""

LARGE_RATIO = 2.0
"""A loaded die: one face comes up this many times as often as it should."""

POWER = 0.8
"""Probability with which enough rolls show such a die."""


def chi_square_survival(x: float, degrees: int) -> float:
    """Return the probability that a chi-square variable exceeds `x`. `degrees` of freedom, from 1."""
    half = max(0.0, x) / 2
    start = 1.0 if degrees % 2 else 0.0
    total, term = (math.erfc(math.sqrt(half)), math.sqrt(half) / math.gamma(1.5)) if start else (0.0, 1.0)
    for step in range(degrees // 2):
        total += math.exp(-half) * term
        term *= half / (step + 1 + start / 2)
    return min(1.0, total)


def binomial_p_value(count: int, rolls: int, chance: float) -> float:
    """Return the two-sided p-value of `count` successes: twice the smaller tail, at most 1. 0 < chance < 1."""
    low = _binomial_tail(rolls - count, rolls, 1 - chance)
    return min(1.0, 2 * min(low, _binomial_tail(count, rolls, chance)))


def _binomial_tail(count: int, rolls: int, chance: float) -> float:
    """Return the probability of at least `count` successes."""
    if count <= rolls * chance:
        return 1.0 if count <= 0 else 1 - _binomial_tail(rolls - count + 1, rolls, 1 - chance)
    log_chance = math.lgamma(rolls + 1) - math.lgamma(count + 1) - math.lgamma(rolls - count + 1)
    term = math.exp(log_chance + count * math.log(chance) + (rolls - count) * math.log1p(-chance))
    total = 0.0
    while count <= rolls and term > total * 1e-17:
        total += term
        term *= (rolls - count) / (count + 1) * chance / (1 - chance)
        count += 1
    return total


def die_p_value(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return the p-value of one die's counts if it is fair. `shares` are the chances of the faces, which add up to 1.

    With few rolls, it is the smallest binomial p-value of a face times the number of faces, which is exact or cautious.
    """
    rolls = sum(counts)
    if rolls * min(shares) < MIN_EXPECTED_COUNT:
        return min(1.0, len(counts) * min(map(binomial_p_value, counts, [rolls] * len(counts), shares)))
    x = sum((count - rolls * share) ** 2 / (rolls * share) for count, share in zip(counts, shares, strict=True))
    return chi_square_survival(x, len(counts) - 1)


def holm_adjusted(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values, in the given order. A test is significant at a level from its value on."""
    found, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        found[place] = highest
    return found


def unusual_faces(counts: Sequence[int], shares: Sequence[float], level: float) -> list[int]:
    """Return the indexes of the faces whose own counts are significant, corrected for testing several faces."""
    rolls = sum(counts)
    adjusted = holm_adjusted(
        [binomial_p_value(*one) for one in zip(counts, [rolls] * len(counts), shares, strict=True)]
    )
    return [place for place, p in enumerate(adjusted) if p <= level]


def rolls_for_power(shares: Sequence[float], level: float) -> int:
    """Return the number of rolls that show a loaded die with probability `POWER` in a chi-square test at `level`.

    The loaded face has `LARGE_RATIO` times its share, and the others lose in proportion.
    """
    degrees, share = len(shares) - 1, min(shares)
    critical = _bisect(lambda x: chi_square_survival(x, degrees) < level)
    needed = _bisect(lambda x: _noncentral_survival(critical, degrees, x) > POWER)
    effect = (LARGE_RATIO - 1) ** 2 * share / (1 - share)
    return math.ceil(max(needed / effect, MIN_EXPECTED_COUNT / share))


def _noncentral_survival(x: float, degrees: int, noncentrality: float) -> float:
    """Return the probability that a noncentral chi-square variable exceeds `x`: a Poisson mixture of central ones."""
    half, center = x / 2, noncentrality / 2
    survival, weight, total = chi_square_survival(x, degrees), math.exp(-center), 0.0
    step = math.exp(-half + degrees / 2 * math.log(half) - math.lgamma(degrees / 2 + 1))
    for place in range(int(center + 10 * math.sqrt(center)) + 10):
        total += weight * survival
        survival += step
        step *= half / (degrees / 2 + place + 1)
        weight *= center / (place + 1)
    return total


def _bisect(is_above: Callable[[float], bool]) -> float:
    """Return the number up to 500 from which a condition holds that is false at 0."""
    low, high = 0.0, 500.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return high
