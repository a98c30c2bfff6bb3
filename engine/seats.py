"""The two sides of a table, and pairs of what each of them has."""

from __future__ import annotations

from typing import Literal, TypeVar

T = TypeVar("T")

Seat = Literal["away", "home"]
"""One side of the table. `away` bats in the top of an inning."""

SEATS: tuple[Seat, Seat] = ("away", "home")


def other(seat: Seat) -> Seat:
    """The opposite seat."""
    return "home" if seat == "away" else "away"


def put(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """`pair`, which is (away, home), with `value` for `seat`: each side keeps its own."""
    return (value, pair[1]) if seat == "away" else (pair[0], value)
