"""Six batters at six different positions (BN-011 to BN-017).

Sets of batters who can all stand somewhere have a property that makes picking easy: any of them can be filled up to
the largest there is. So a pick is legal exactly when it and those before it can stand, if the deck has such a six.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

SIX = 6
INFIELD = ("1B", "2B", "3B", "SS")
OUTFIELD = ("LF", "CF", "RF")
POSITIONS = ("C", *INFIELD, *OUTFIELD)
MARKS = (*POSITIONS, "IF", "OF", "UT")
"""What a card may print: a position, any of the infield, any of the outfield, or any of both (utility)."""


class Batter(Protocol):
    """Whoever has marks on a card."""

    @property
    def positions(self) -> tuple[str, ...]:
        """Some of `MARKS`."""


B = TypeVar("B", bound=Batter)


def where(batter: Batter, house: Mapping[str, str]) -> tuple[str, ...]:
    """The positions at which he can stand (A13: whether the catcher is an infielder)."""
    infield = ("C", *INFIELD) if house["infieldPositions"] == "withCatcher" else INFIELD
    any_of = {"IF": infield, "OF": OUTFIELD, "UT": (*infield, *OUTFIELD)}
    return tuple(position for mark in batter.positions for position in any_of.get(mark, (mark,)))


def fits(batters: Iterable[Batter], house: Mapping[str, str]) -> bool:
    """Whether all of them can stand at once, each at a position of his own (BN-017)."""
    standing: dict[str, tuple[str, ...]] = {}

    def stand(can: tuple[str, ...], tried: set[str]) -> bool:
        """Take a free position, or one whose holder finds another."""
        for position in can:
            if position not in tried:
                tried.add(position)
                if position not in standing or stand(standing[position], tried):
                    standing[position] = can
                    return True
        return False

    return all(stand(where(batter, house), set()) for batter in batters)


def pickable(deck: Sequence[B], picked: Sequence[B], house: Mapping[str, str]) -> tuple[B, ...]:
    """Who may be picked after `picked`. Not checked: that the deck has six who fit."""
    return tuple(batter for batter in deck if batter not in picked and fits((*picked, batter), house))


def ready_made(deck: Sequence[B], house: Mapping[str, str]) -> tuple[B, ...]:
    """The first six who fit, in the order of the deck; fewer if there are no six."""
    picked: tuple[B, ...] = ()
    for batter in deck:
        if len(picked) < SIX and batter not in picked and fits((*picked, batter), house):
            picked = (*picked, batter)
    return picked
