"""Innings and halves, and when a lead decides."""

from __future__ import annotations

import pytest

from engine.clock import Clock, Half


def test_halves_alternate() -> None:
    """Top, bottom, and the next inning."""
    clock, seen = Clock(), []
    for _ in range(4):
        seen.append((clock.inning, clock.half, clock.batting))
        clock = clock.next()
    assert [(1, "top", "away"), (1, "bottom", "home"), (2, "top", "away"), (2, "bottom", "home")] == seen


@pytest.mark.parametrize(
    ("inning", "half", "away", "home", "skip", "over"),
    [
        (8, "bottom", 9, 0, True, False),
        (9, "top", 1, 2, True, True),
        (9, "top", 1, 2, False, False),
        (9, "top", 2, 1, True, False),
        (9, "top", 1, 1, True, False),
        (8, "top", 1, 2, True, False),
        (9, "bottom", 2, 1, True, True),
        (9, "bottom", 1, 2, False, True),
        (9, "bottom", 2, 2, True, False),
        (12, "top", 3, 2, True, False),
        (12, "bottom", 3, 2, True, True),
        (12, "bottom", 3, 3, True, False),
    ],
)
def test_when_a_lead_decides(inning: int, half: Half, away: int, home: int, skip: bool, over: bool) -> None:
    """At the end of an inning from the ninth on; for home after the top already, unless the bottom is always played."""
    assert over == Clock(inning, half).decided(away, home, skip_bottom=skip)


def test_the_length_of_a_game_can_differ() -> None:
    """A game of one inning is decided in the first."""
    assert Clock(1, "bottom").decided(0, 1, regulation=1)
    assert not Clock(2, "bottom").decided(0, 1, regulation=3)


@pytest.mark.parametrize(
    ("clock", "away", "home", "over"),
    [
        (Clock(9, "bottom"), 3, 4, True),
        (Clock(12, "bottom"), 0, 1, True),
        (Clock(9, "bottom"), 4, 4, False),
        (Clock(9, "bottom"), 4, 3, False),
        (Clock(9, "top"), 3, 4, False),
        (Clock(8, "bottom"), 0, 9, False),
    ],
)
def test_a_home_lead_in_the_last_bottom_walks_off(clock: Clock, away: int, home: int, over: bool) -> None:
    """And in no other half, nor when level or behind."""
    assert over == clock.walked_off(away, home)
