"""Dice as a camera might see them, for tests that need no picture."""

from vision.reading import DieReading, Face, Tint

TINTS: dict[str, Tint] = {
    "white": (86, 0, 4),
    "black": (12, 1, 1),
    "red": (41, 56, 36),
    "orange": (60, 40, 58),
    "yellow": (76, -4, 68),
    "green": (44, -38, 26),
    "blue": (34, 14, -50),
    "purple": (30, 38, -38),
    "brown": (32, 11, 22),
}
"""The colours of vivid dice under a neutral lamp, as CIE Lab."""


def die(value: Face, colour: str = "white", tint: Tint | None = None, x: int = 0, kind: str = "d6") -> DieReading:
    """Return a die read for sure, `x` pixels from the left; without `tint` it has its color's."""
    return DieReading(kind, value, colour, (x, 0, 40, 40), 0.99, tint or TINTS[colour])


def row(*values: int) -> tuple[DieReading, ...]:
    """Return white dice, left to right."""
    return tuple(die(value, x=60 * place) for place, value in enumerate(values))
