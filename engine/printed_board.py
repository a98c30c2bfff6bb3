"""Games with pieces that lie on a printed board, where a camera may see them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Card

BOARD_AREAS = ("A", "B", "C", "D", "E", "F")
"""The areas of the printed board (`vision.board.sheets.AREA_CENTERS_MM`); other places are filled without a camera."""


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A card in the printed list: its number and name, what stands below the name, and its results."""

    number: int
    name: str
    notes: tuple[str, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """What is printed for a game: a sticker with two sides for each piece, in order, as (name, front, back); a note in
    each area of the board, by its letter; and a list of cards with its title and how to read it."""

    labels: tuple[tuple[str, str, str], ...]
    areas: Mapping[str, str]
    title: str
    rules: tuple[str, ...]
    cards: tuple[PrintedCard, ...]


@dataclass(frozen=True, slots=True)
class BoardPieces:
    """What a game lays on the printed board. `noun` is one piece as people call it ("Glove").

    `lying(state)` are the names of all pieces in the order of their stickers, each with whether its back is up now;
    they are public. `printed(cards, house)` is what to print for a deck.
    """

    noun: str
    lying: Callable[[Any], Sequence[tuple[str, bool]]]
    printed: Callable[[Sequence[Card], Mapping[str, str]], PrintedBoard]
