"""Innings and halves, and when a lead ends the game."""

from __future__ import annotations

from engine.innings import Half, InningClock
from tests.each import each


def test_halves_alternate() -> None:
    clock, seen = InningClock(), []
    for _ in range(4):
        seen.append((clock.inning, clock.half, clock.batting_seat))
        clock = clock.next_half()
    assert [(1, "top", "away"), (1, "bottom", "home"), (2, "top", "away"), (2, "bottom", "home")] == seen


@each(
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
def test_when_a_lead_ends_the_game(inning: int, half: Half, away: int, home: int, skip: bool, over: bool) -> None:
    """After an inning from the ninth on; after the top if home leads, unless the bottom is always played."""
    assert over == InningClock(inning, half).is_decided(away, home, skip_bottom=skip)


def test_the_length_of_a_game_can_differ() -> None:
    """A one-inning game can end in the first."""
    assert InningClock(1, "bottom").is_decided(0, 1, regulation=1)
    assert not InningClock(2, "bottom").is_decided(0, 1, regulation=3)


@each(
    ("clock", "away", "home", "over"),
    [
        (InningClock(9, "bottom"), 3, 4, True),
        (InningClock(12, "bottom"), 0, 1, True),
        (InningClock(9, "bottom"), 4, 4, False),
        (InningClock(9, "bottom"), 4, 3, False),
        (InningClock(9, "top"), 3, 4, False),
        (InningClock(8, "bottom"), 0, 9, False),
    ],
)
def test_a_home_lead_in_the_last_bottom_walks_off(clock: InningClock, away: int, home: int, over: bool) -> None:
    """A lead in any other half, a tie, or a deficit does not end the game."""
    assert over == clock.is_walk_off(away, home)
