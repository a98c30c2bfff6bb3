"""What a die has to show, with all cards in force: for the ask, and wherever odds are shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.dice import FACES
from engine.games.clutch.cards.baseball_terms import signed
from engine.games.clutch.numbers.modifiers import changed
from engine.games.clutch.state import State


def total(s: State, what: str, built: int) -> Callable[[int], int]:
    """Return a function from a face of the die to the total.

    `what` is "pitch", "throw" or "check"; `built` is everything but the die.
    """
    action, roll = changed(s, what), changed(s, f"{what}_roll")
    return lambda face: action(built + roll(face))


def enough(s: State, what: str, die: str, built: int, least: int) -> tuple[int, ...]:
    """Return the faces of a die (a key of `FACES`) that come to `least` or more."""
    comes_to = total(s, what, built)
    return tuple(int(face) for face in FACES[die] if comes_to(int(face)) >= least)


def from_cards(s: State, what: str, built: int) -> str:
    """Return what cards add to an action and its roll: " +2", or "" for nothing."""
    more = total(s, what, built)(10) - built - 10
    return f" {signed(more)}" if more else ""


def spoken_need(done: str, good: Sequence[int], die: str, none: str = "") -> str:
    """Return the roll that is needed, as "out with 5 or more".

    `good` are the faces that do it, the highest of the die among them. `none` is the sentence where there are none.
    """
    if not good:
        return none or f"no roll does it: {done} is out of reach"
    if len(good) == len(FACES[die]):
        return f"{done} whatever is rolled"
    return f"{done} with {good[0]} or more" if good[0] < int(FACES[die][-1]) else f"{done} with {good[0]} alone"
