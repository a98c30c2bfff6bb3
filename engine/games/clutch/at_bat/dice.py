"""Dice on their way: which die a roll wants, and what it shows (3.8.B, 3.8.D, 3.11)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from engine.asks import Prompt, roll
from engine.dice import Die
from engine.games.clutch.state import Standing, State
from engine.games.clutch.strategy_cards.modifiers import die, in_force
from engine.seats import Seat

T = TypeVar("T")
Step = Generator[Prompt, Any, T]

REGULAR, POWER = "d20", "d24"
"""The Regular Die and the Power Die (CL-388, CL-389)."""


def named(kind: str) -> str:
    """A die as a person calls it."""
    return "Power Die (d24)" if kind == POWER else kind


def cast(
    s: State, what: str, side: Seat, usual: str = REGULAR, fixed: bool = False, **facts: Any
) -> Step[tuple[str, int]]:
    """Have a side roll for `what` ("pitch", "swing", "throw", "check" or "bunt", which is the ask's code too); gives
    the kind of die and the face that counts as natural (CL-223, AM-48)."""
    kind = usual if fixed else die(s, what, usual)
    face = int((yield from roll(s.chair(side), what, Die(kind), which=named(kind), **facts)))
    for one in tuple(in_force(s, "twice", what)):
        second = int((yield from roll(s.chair(side), f"again-{what}", Die(kind), card=one.source, which=named(kind))))
        face = (max if one.effect.of == "best" else min)(face, second)
        done(s, one)
    for one in tuple(in_force(s, "reroll", what)):
        face = int((yield from roll(s.chair(side), f"again-{what}", Die(kind), card=one.source, which=named(kind))))
        done(s, one)
    for one in tuple(in_force(s, "face", what)):
        face = one.effect.amount
        done(s, one)
    s.dice = (face,)
    return kind, face


def done(s: State, one: Standing) -> None:
    """An effect that was waiting for one roll is over."""
    s.standing = tuple(other for other in s.standing if other is not one)
