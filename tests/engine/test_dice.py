"""Dice: the other values that a die may show if it was misread."""

from __future__ import annotations

from engine.dice import Die, Face, faces_by_likelihood
from tests.each import each


@each(
    ("die", "read", "order", "expected"),
    [
        (Die(), 5, (), (1, 3, 4, 6, 2)),
        (Die(), 1, (), (2, 3, 4, 5, 6)),
        (Die(), None, (), (1, 2, 3, 4, 5, 6)),
        (Die(), 5, (6, 2), (6, 2, 1, 3, 4)),
        (Die(), 5, (5, 9, 6, 6), (6, 1, 3, 4, 2)),
        (Die(), None, (3, 5), (3, 5, 1, 2, 4, 6)),
        (Die("pitch"), "S", (), ("B", "C")),
        (Die("d8"), 2, (), (1, 3, 4, 5, 6, 7, 8)),
    ],
)
def test_what_else_a_die_may_show(
    die: Die, read: Face | None, order: tuple[Face, ...], expected: tuple[Face, ...]
) -> None:
    """The likely values come first, then the side faces, then the bottom face; the value that was read is left out."""
    assert expected == faces_by_likelihood(die, read, order)
