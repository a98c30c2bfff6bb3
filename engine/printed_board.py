"""Games with pieces on a printed board, which a camera may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Card

BOARD_AREAS = ("A", "B", "C", "D", "E", "F")
"""The areas of the printed board (`vision.board.sheets.AREA_CENTERS_MM`). Other places are filled without a camera."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A card in the printed list. `notes` are the lines below its name."""

    number: int
    name: str
    notes: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """What is printed for a game: stickers (name, front, back), notes by area, and a list of cards with its rules."""

    labels: tuple[tuple[str, str, str], ...]
    areas: Mapping[str, str]
    title: str
    rules: tuple[str, ...]
    cards: tuple[PrintedCard, ...]


@dataclass(frozen=True, slots=True)
class BoardPieces:
    """The pieces of a game on the printed board. `noun` is one piece as people call it ("Glove").

    `lying` returns the public names of all pieces in the order of their stickers, each with whether its back is up.
    `printed` returns what to print for a deck.
    """

    noun: str
    lying: Callable[[Any], Sequence[tuple[str, bool]]]
    printed: Callable[[Sequence[Card], Mapping[str, str]], PrintedBoard]
