"""Kinds of dice and their faces. Dice are inputs, and nothing here rolls one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.seats import Seat

Face = int | str
"""The face of a die: a number, or a letter on the pitching die."""

FACES_BY_KIND: dict[str, tuple[Face, ...]] = {
    "d6": (1, 2, 3, 4, 5, 6),
    "d8": (1, 2, 3, 4, 5, 6, 7, 8),
    "d10": (1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    "d16": tuple(range(1, 17)),
    "d20": tuple(range(1, 21)),
    "d24": tuple(range(1, 25)),
    "pitch": ("B", "S", "C"),
}
"""The faces of each kind of die. The pitching die has ball, strike and corner. A printed 0 on a d10 is its 10."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die to throw. `kind` is a key of `FACES_BY_KIND`. Color and owner are None where they do not matter."""

    kind: str = "d6"
    colour: str | None = None
    owner: Seat | None = None

    @property
    def faces(self) -> tuple[Face, ...]:
        return FACES_BY_KIND[self.kind]


D6 = Die()

PITCHING_DIE_SIDES = "BBSSSC"
"""The default sides of the pitching die. The house rule `pitchingDie` may replace them."""


def die_sides(kind: str, house: Mapping[str, str]) -> tuple[Face, ...]:
    """Return the printed sides of a die of this kind, all equally likely."""
    return tuple(house.get("pitchingDie", PITCHING_DIE_SIDES)) if kind == "pitch" else FACES_BY_KIND[kind]


def faces_by_likelihood(die: Die, read: Face | None = None, order: Sequence[Face] = ()) -> tuple[Face, ...]:
    """Return the faces a die may show other than `read` (None: all faces), likeliest first.

    Faces in `order` come first. The bottom face of a d6 comes last, because a reader may mistake a side for the top but
    never the bottom. Opposite faces sum to 7.
    """
    under = 7 - read if die.kind == "d6" and isinstance(read, int) else None
    rest = sorted(die.faces, key=lambda face: face == under)
    return tuple(face for face in dict.fromkeys([*order, *rest]) if face != read and face in die.faces)
