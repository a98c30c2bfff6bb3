"""Rolls: which die is rolled, and which face counts (3.8.B, 3.8.D, 3.11)."""

from __future__ import annotations

from typing import Any

from engine.asks import roll
from engine.dice import Die
from engine.games.clutch.numbers.modifiers import die, in_force
from engine.games.clutch.state import Standing, State, Step
from engine.seats import Seat

REGULAR, POWER = "d20", "d24"
"""The Regular Die and the Power Die (CL-388, CL-389)."""


def _die_name(kind: str) -> str:
    """Return what people call a die."""
    return "Power Die (d24)" if kind == POWER else kind


def cast(
    s: State, what: str, side: Seat, usual: str = REGULAR, fixed: bool = False, **facts: Any
) -> Step[tuple[str, int]]:
    """Have a side roll, and return the kind of die and the face that counts as natural (CL-223, AM-48).

    `what` is "pitch", "swing", "throw", "check" or "bunt", and the code of the ask; `facts` are the ask's. Cards may
    change the `usual` die unless it is `fixed`.
    """
    kind = usual if fixed else die(s, what, usual)
    face = int((yield from roll(s.chair(side), what, Die(kind), which=_die_name(kind), **facts)))
    for one in tuple(in_force(s, "twice", what)):
        second = yield from _roll_again(s, what, side, kind, one)
        face = (max if one.effect.of == "best" else min)(face, second)
        _end(s, one)
    for one in tuple(in_force(s, "reroll", what)):
        face = yield from _roll_again(s, what, side, kind, one)
        _end(s, one)
    for one in tuple(in_force(s, "face", what)):
        face = one.effect.amount
        _end(s, one)
    s.dice = (face,)
    return kind, face


def _roll_again(s: State, what: str, side: Seat, kind: str, one: Standing) -> Step[int]:
    """Roll the die once more for a card."""
    return int((yield from roll(s.chair(side), f"again-{what}", Die(kind), card=one.source, which=_die_name(kind))))


def _end(s: State, one: Standing) -> None:
    """Remove an effect that was waiting for one roll."""
    s.standing = tuple(other for other in s.standing if other is not one)
