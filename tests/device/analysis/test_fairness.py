"""The tests of dice, against published tables, exact enumeration and simulated dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb
from random import Random

import pytest

from device.analysis.fairness import (
    binomial_p_value,
    chi_square_survival,
    die_p_value,
    holm_adjusted,
    rolls_for_power,
    unusual_faces,
)

D6, D20 = [1 / 6] * 6, [1 / 20] * 20
PITCH = [2 / 6, 3 / 6, 1 / 6]


def thrown(random: Random, shares: Sequence[float], rolls: int) -> list[int]:
    """Throw a die that shows its faces in these shares; return the counts."""
    found = Counter(random.choices(range(len(shares)), shares, k=rolls))
    return [found[face] for face in range(len(shares))]


@pytest.mark.parametrize(
    ("x", "degrees", "p"),
    [
        (3.841, 1, 0.05),
        (10.828, 1, 0.001),
        (5.991, 2, 0.05),
        (9.210, 2, 0.01),
        (11.070, 5, 0.05),
        (15.086, 5, 0.01),
        (20.515, 5, 0.001),
        (14.067, 7, 0.05),
        (21.666, 9, 0.01),
        (36.191, 19, 0.01),
        (43.820, 19, 0.001),
        (13.091, 23, 0.95),
        (41.638, 23, 0.01),
    ],
)
def test_chi_square_is_as_in_published_tables(x: float, degrees: int, p: float) -> None:
    """Critical values of the NIST handbook of statistics, section 1.3.6.7.4."""
    assert chi_square_survival(x, degrees) == pytest.approx(p, rel=2e-3)


def test_chi_square_has_its_ends() -> None:
    assert [1.0, 1.0] == [chi_square_survival(0.0, degrees) for degrees in (5, 6)]
    assert 0.0 <= chi_square_survival(5000.0, 19) < 1e-300


@pytest.mark.parametrize("chance", [0.05, 1 / 6, 0.5, 0.9])
@pytest.mark.parametrize("rolls", [1, 7, 60])
def test_the_binomial_test_is_that_of_exact_enumeration(rolls: int, chance: float) -> None:
    exact = [comb(rolls, k) * chance**k * (1 - chance) ** (rolls - k) for k in range(rolls + 1)]
    wanted = [min(1.0, 2 * min(sum(exact[: k + 1]), sum(exact[k:]))) for k in range(rolls + 1)]
    assert wanted == pytest.approx([binomial_p_value(k, rolls, chance) for k in range(rolls + 1)])


def test_many_rolls_are_no_problem() -> None:
    assert binomial_p_value(100_000, 600_000, 1 / 6) > 0.99
    assert 0.0 < binomial_p_value(102_000, 600_000, 1 / 6) < 1e-10


def test_a_known_example() -> None:
    """Counts 22, 24, 38, 30, 46, 44 of 204 rolls: chi-square is 15.29 with 5 degrees of freedom."""
    assert die_p_value([22, 24, 38, 30, 46, 44], D6) == pytest.approx(chi_square_survival(15.294, 5), rel=1e-3)


def test_few_rolls_have_an_exact_test() -> None:
    """Ten times the same face of a d6 has twice the chance of that, for each of six faces."""
    assert die_p_value([10, 0, 0, 0, 0, 0], D6) == pytest.approx(6 * 2 * (1 / 6) ** 10)
    assert 1.0 == die_p_value([1, 0, 0, 0, 0, 0], D6)


def test_holm_by_hand() -> None:
    """The smallest of four times 4, the next times 3, and so on. Never below the one before, never above 1."""
    assert [0.04, 0.04, 0.04, 1.0] == pytest.approx(holm_adjusted([0.01, 0.02, 0.01, 1.0]))
    assert [0.06, 0.06, 0.02] == pytest.approx(holm_adjusted([0.03, 0.04, 0.02 / 3]))
    assert [] == holm_adjusted([])


def test_fair_dice_raise_few_false_alarms() -> None:
    """At most the chosen level of 2,000 reports on seven dice of many and of few rolls, of equal and unequal faces."""
    random, kinds = Random(7), [(D6, 33), (D6, 400), (D20, 100), (D20, 60), (D6, 12), (PITCH, 40), (PITCH, 9)]
    alarms = Counter[float]()
    for _ in range(2000):
        lowest = min(holm_adjusted([die_p_value(thrown(random, shares, rolls), shares) for shares, rolls in kinds]))
        alarms.update(level for level in (0.01, 0.05) if lowest <= level)
    # With three standard errors of 2,000 reports.
    assert alarms[0.01] <= 20 + 14
    assert alarms[0.05] <= 100 + 30


def test_p_values_of_fair_dice_are_uniform() -> None:
    random = Random(8)
    deciles = Counter(int(10 * die_p_value(thrown(random, D6, 300), D6)) for _ in range(2000))
    assert die_p_value([deciles[n] for n in range(10)], [0.1] * 10) > 0.001


@pytest.mark.parametrize("shares", [D6, D20, PITCH])
def test_enough_rolls_show_a_loaded_die(shares: list[float]) -> None:
    """About four in five dice of which the rarest face comes up twice as often, and its face is named."""
    random, place = Random(9), shares.index(min(shares))
    loaded = [(1 - 2 * shares[place]) * share / (1 - shares[place]) for share in shares]
    loaded[place] = 2 * shares[place]
    counts = [thrown(random, loaded, rolls_for_power(shares, 0.01)) for _ in range(300)]
    found = [one for one in counts if die_p_value(one, shares) <= 0.01]
    assert 0.7 <= len(found) / 300 <= 0.85
    assert sum(place in unusual_faces(one, shares, 0.01) for one in found) >= 0.7 * len(found)


def test_faces_of_an_even_die_are_not_named() -> None:
    assert [] == unusual_faces([60, 55, 70, 62, 58, 55], D6, 0.01)
    assert [5] == unusual_faces([50, 50, 50, 50, 50, 110], D6, 0.01)
