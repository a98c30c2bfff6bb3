"""Six batters at six different positions (BN-011 to BN-017).

Sets of batters who can take different positions form a matroid: each can be extended to a largest one. So a pick is
legal exactly if it and the earlier picks fit, provided that the deck has six who fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

SIX = 6
INFIELD = ("1B", "2B", "3B", "SS")
OUTFIELD = ("LF", "CF", "RF")
POSITIONS = ("C", *INFIELD, *OUTFIELD)
MARKS = (*POSITIONS, "IF", "OF", "UT")
"""The marks on a card: a position, any of the infield, any of the outfield, or any of both (utility)."""


class Batter(Protocol):
    """A card with position marks."""

    @property
    def positions(self) -> tuple[str, ...]:
        """Some of `MARKS`."""


B = TypeVar("B", bound=Batter)


def where(batter: Batter, house: Mapping[str, str]) -> tuple[str, ...]:
    """Return the positions that a batter can play (A13: whether the catcher is an infielder)."""
    infield = ("C", *INFIELD) if house["infieldPositions"] == "withCatcher" else INFIELD
    any_of = {"IF": infield, "OF": OUTFIELD, "UT": (*infield, *OUTFIELD)}
    return tuple(position for mark in batter.positions for position in any_of.get(mark, (mark,)))


def fits(batters: Iterable[Batter], house: Mapping[str, str]) -> bool:
    """True if all of them can play at once, each at a different position (BN-017)."""
    standing: dict[str, tuple[str, ...]] = {}

    def stand(can: tuple[str, ...], tried: set[str]) -> bool:
        """Take a free position, or one whose holder can move; return True if there is one."""
        for position in can:
            if position not in tried:
                tried.add(position)
                if position not in standing or stand(standing[position], tried):
                    standing[position] = can
                    return True
        return False

    return all(stand(where(batter, house), set()) for batter in batters)


def pickable(deck: Sequence[B], picked: Sequence[B], house: Mapping[str, str]) -> tuple[B, ...]:
    """Return who may be picked after `picked`. Not checked: that the deck has six who fit."""
    return tuple(batter for batter in deck if batter not in picked and fits((*picked, batter), house))


def ready_made(deck: Sequence[B], house: Mapping[str, str]) -> tuple[B, ...]:
    """Return the first six who fit, in the order of the deck; fewer if there are not six."""
    picked: tuple[B, ...] = ()
    for batter in deck:
        if len(picked) < SIX and batter not in picked and fits((*picked, batter), house):
            picked = (*picked, batter)
    return picked
