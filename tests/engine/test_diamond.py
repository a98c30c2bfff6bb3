"""Runners on bases: none disappears, shares a base or passes another."""

from __future__ import annotations

import itertools

import pytest

from engine.diamond import (
    EMPTY_BASES,
    HOME_BASE,
    Bases,
    advance_on_hit,
    advance_runners,
    force_runners,
    place_runner,
    runners_on_base,
)
from tests.each import each

ALL: list[Bases[str]] = [
    (first, second, third) for first, second, third in itertools.product((None, "a"), (None, "b"), (None, "c"))
]


def base(bases: Bases[str], runner: str) -> int:
    """Return the base of a runner; 4 is home."""
    return bases.index(runner) + 1 if runner in bases else HOME_BASE


@each("bases", ALL)
@each("by", [1, 2, 3, 4, 5])
def test_advance_moves_every_runner_as_many_bases(bases: Bases[str], by: int) -> None:
    """A runner who passes third scores; the lead runner scores first."""
    moved, scored = advance_runners(bases, by)
    for runner in runners_on_base(bases):
        assert min(HOME_BASE, base(bases, runner) + by) == base(moved, runner)
    assert set(runners_on_base(bases)) == {*runners_on_base(moved), *scored}
    assert sorted(scored, reverse=True) == list(scored)


@each("bases", ALL)
@each("reached", [1, 2, 3, 4])
@each("extra", [0, 1])
def test_a_hit_moves_the_batter_exactly_and_runners_at_least_as_far(
    bases: Bases[str], reached: int, extra: int
) -> None:
    """The batter gets no extra base, and scores last."""
    moved, scored = advance_on_hit(bases, "z", reached, extra)
    assert reached == base(moved, "z")
    for runner in runners_on_base(bases):
        assert min(HOME_BASE, base(bases, runner) + reached + extra) == base(moved, runner)
    assert len(runners_on_base(bases)) + 1 == len(runners_on_base(moved)) + len(scored)
    if reached == HOME_BASE:
        assert "z" == scored[-1]


@each("bases", ALL)
def test_force_moves_only_runners_who_are_pushed(bases: Bases[str]) -> None:
    """A runner moves one base if every base behind was taken."""
    moved, scored = force_runners(bases, "z")
    assert "z" == moved[0]
    for at, runner in enumerate(bases):
        if runner is not None:
            assert at + 1 + all(bases[:at]) == base(moved, runner)
    assert (("c",) if all(bases) else ()) == scored


@each("bases", ALL)
@each("reached", [2, 3, 4])
def test_a_batter_with_extra_bases_forces_the_runners_as_far(bases: Bases[str], reached: int) -> None:
    """The runners move as if more batters followed, each of whom forces them one base."""
    moved, scored = force_runners(bases, "z", reached)
    pushed, home = force_runners(bases, "z")
    for _ in range(reached - 1):
        pushed, more = force_runners(pushed, "")
        home += more
    assert (tuple(runner or None for runner in pushed), home) == (moved, scored)


def test_place_sets_and_clears_a_base() -> None:
    """Each base can be set and cleared; there is no fourth base."""
    bases: Bases[str] = EMPTY_BASES
    for number, runner in enumerate("abc", 1):
        bases = place_runner(bases, runner, number)
    assert ("a", "b", "c") == bases
    assert ("a", None, "c") == place_runner(bases, None, 2)
    with pytest.raises(ValueError, match="no base 4"):
        place_runner(bases, "d", 4)
