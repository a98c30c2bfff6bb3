"""Cards as people read them: the look of a field alone decides how it is shown (`engine.cards`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.events import spoken
from web.models import CardView, DeckView, Look

CHIPS = ("red", "blue", "green", "yellow", "orange", "purple", "black", "white")
"""Colours that a page can show as a chip beside the word."""

CORNER = ("number", "letter")
"""Fields in a card's corner, by which people find it in a list."""

HITS = ("1B", "2B", "3B", "HR", "BB")
"""Results that put the batter on base."""

ABILITY = {"do", "when", "unless", "may", "uses"}
"""The keys of a phrase with conditions."""

FULL, ROWS = 150, 9
"""With more letters or rows a card is printed smaller."""

CARD = 17
"""Most fields of a printed card; a kind with more is a list, such as a team."""

CODE = 4
"""Most letters of a value under a face of a die."""


@dataclass(frozen=True, slots=True)
class CardPart:
    """A labeled part of a card, drawn by `style`: a text, a colour, a value for each face of the die, or pairs."""

    label: str
    style: Literal["words", "chip", "strip", "turns"]
    value: Any


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card as it is drawn. `full`: it holds so much that it is printed smaller."""

    kind: str
    place: int
    name: str
    corner: Any
    tags: Sequence[str]
    parts: Sequence[CardPart]
    full: bool


@dataclass(frozen=True, slots=True)
class CardKind:
    """The cards of one kind. `sheet`: they are printed by default."""

    kind: str
    sheet: bool
    cards: Sequence[CardFace]


def shelved(deck: DeckView) -> list[CardKind]:
    """Return the cards of a deck by kind, in the order of its shapes, including kinds without cards.

    Cards of two fields are labels on a board, and a team is not a card: neither is printed by default.
    """
    return [
        CardKind(kind, 2 < len(shape) <= CARD, [face(card, shape) for card in deck.cards if card.kind == kind])
        for kind, shape in deck.shapes.items()
    ]


def face(card: CardView, shape: Mapping[str, Look]) -> CardFace:
    """Return a card as it is drawn; `shape` is that of its kind."""
    fields = card.fields
    named = next((name for name, look in shape.items() if look["is"] == "text" and name in fields), "")
    tags: list[str] = []
    parts: list[CardPart] = []
    for name, look in shape.items():
        if name not in fields or name == named or name in CORNER:
            continue
        value, label = fields[name], plain(name)
        if look["is"] == "flag":
            if value != look.get("default", False):
                tags.append(label if value else f"not {label}")
        else:
            parts.append(_part(label, look, value))
    corner = next((fields[name] for name in CORNER if name in fields), "")
    letters = sum(len(str(part.value)) + len(part.label) for part in parts if part.style == "words")
    return CardFace(
        kind=card.kind,
        place=card.place,
        name=said(fields[named]) if named else f"{card.kind} {card.place}",
        corner=corner,
        tags=tags,
        parts=parts,
        full=letters > FULL or len(parts) > ROWS,
    )


def plain(name: str) -> str:
    """Return the name of a field as words."""
    return name.replace("_", " ")


def _part(label: str, look: Look, value: Any) -> CardPart:
    if look["is"] == "list" and isinstance(value, list) and all(len(str(one)) <= CODE for one in value):
        return CardPart(label, "strip", value)
    if look["is"] == "map" and isinstance(value, Mapping):
        return CardPart(label, "turns", list(value.items()))
    if look["is"] == "one-of" and value in CHIPS:
        return CardPart(label, "chip", value)
    return CardPart(label, "words", said(value))


def said(value: Any) -> str:
    """Return a value of a card in words: a text as it is, a list side by side, a phrase with its conditions."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " · ".join(map(said, value))
    if not isinstance(value, Mapping):
        return str(value)
    if "do" not in value or not ABILITY.issuperset(value):
        return "; ".join(f"{plain(name)}: {said(one)}" for name, one in value.items())
    words = said(value["do"])
    for name in ("when", "unless"):
        if value.get(name):
            words += f", {name} {_conditions(value[name])}"
    if value.get("may"):
        words += ", if you like"
    uses = value.get("uses", "pitch")
    return words if uses == "pitch" else f"{words}, once {'an' if uses == 'at-bat' else 'a'} {uses}"


def _conditions(tables: Any) -> str:
    return ", or ".join(
        spoken(f"{plain(fact)} = {spoken(map(str, _list(values)), 'or')}" for fact, values in table.items())
        if isinstance(table, Mapping)
        else str(table)
        for table in _list(tables)
    )


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
