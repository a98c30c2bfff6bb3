"""Runners on the bases, as pure functions from bases to new bases and runners who scored.

`Bases` holds the runners on first, second and third, None for an empty base. Runners keep their identity, so that a
game can follow each of them. Runners who scored are in the order in which they crossed the plate.
"""

from __future__ import annotations

from typing import TypeVar

R = TypeVar("R")

Bases = tuple[R | None, R | None, R | None]
EMPTY_BASES: tuple[None, None, None] = (None, None, None)
HOME_BASE = 4
"""The number of home plate as a base to reach."""


def runners_on_base(bases: Bases[R]) -> tuple[R, ...]:
    return tuple(runner for runner in bases if runner is not None)


def advance_runners(bases: Bases[R], by: int) -> tuple[Bases[R], tuple[R, ...]]:
    """Advance every runner `by` bases (1 or more)."""
    moved: tuple[R | None, ...] = (None,) * by + bases
    scored = tuple(runner for runner in reversed(moved[3:]) if runner is not None)
    return (moved[0], moved[1], moved[2]), scored


def advance_on_hit(bases: Bases[R], batter: R, base: int, extra: int = 0) -> tuple[Bases[R], tuple[R, ...]]:
    """Put the batter on `base` (1 to 4, home run 4). Runners advance as far, plus `extra` bases."""
    moved, scored = advance_runners(bases, base + extra)
    if base == HOME_BASE:
        return moved, (*scored, batter)
    return place_runner(moved, batter, base), scored


def force_runners(bases: Bases[R], batter: R, base: int = 1) -> tuple[Bases[R], tuple[R, ...]]:
    """Put the batter on `base`. Runners advance only as far as they are forced. `base` is 1 to 4; a walk puts him on 1.
    Return the bases, and who scored, lead runner first.
    """
    reached, taken = [(base, batter)], base
    for at, runner in enumerate(bases, 1):
        if runner is not None:
            taken = max(at, taken + 1)
            reached.append((taken, runner))
    on = dict(reached)
    home = tuple(runner for at, runner in reversed(reached) if at >= HOME_BASE)
    return (on.get(1), on.get(2), on.get(3)), home


def place_runner(bases: Bases[R], runner: R | None, base: int) -> Bases[R]:
    """Put `runner` (None: nobody) on `base`, 1 to 3. Raises ValueError for any other base."""
    first, second, third = bases
    match base:
        case 1:
            return (runner, second, third)
        case 2:
            return (first, runner, third)
        case 3:
            return (first, second, runner)
    raise ValueError(f"there is no base {base}")
