"""The two seats of a table, and pairs with a value for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeVar

from engine.errors import IllegalAnswer
from engine.text import visible_text

T = TypeVar("T")

Seat = Literal["away", "home"]
"""One side of the table. Away bats in the top of an inning."""

SEATS: tuple[Seat, Seat] = ("away", "home")


def opposite_seat(seat: Seat) -> Seat:
    return "home" if seat == "away" else "away"


def replace_for_seat(pair: tuple[T, T], seat: Seat, value: T) -> tuple[T, T]:
    """Return the pair (away, home) with `value` for `seat`."""
    return (value, pair[1]) if seat == "away" else (pair[0], value)


MAX_SIDE_NAME_LENGTH = 24
"""Characters in the name of a side."""


def validate_side_names(names: Mapping[Seat, str]) -> tuple[str, str]:
    """Return the names that people gave the seats, (away, home), "" for the default name.

    A name has 1 to `MAX_SIDE_NAME_LENGTH` visible characters on one line. Raises IllegalAnswer.
    """
    found = ("", "")
    for seat, name in names.items():
        if seat not in SEATS:
            raise IllegalAnswer(f"There is no side {seat!r} to name.")
        try:
            found = replace_for_seat(
                found, seat, visible_text.visible_line(name, MAX_SIDE_NAME_LENGTH) if name.strip() else ""
            )
        except ValueError as error:
            raise IllegalAnswer(f"The name of the {seat} side {error}") from None
    if found[0] and found[0].casefold() == found[1].casefold():
        raise IllegalAnswer("The two sides need different names.")
    return found
