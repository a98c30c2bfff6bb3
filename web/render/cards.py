"""Cards as people read them: what each field is shown as follows from its look alone (`engine.cards`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.events import spoken
from web.models import CardView, DeckView

CHIPS = ("red", "blue", "green", "yellow", "orange", "purple", "black", "white")
"""Colours that a page can draw beside their word."""

CORNER = ("number", "letter")
"""Fields that stand in a card's corner: it is how a card is found in a list."""

HITS = ("1B", "2B", "3B", "HR", "BB")
"""Results that bring a batter on base."""

ABILITY = {"do", "when", "unless", "may", "uses"}
"""The fields of a phrase that is a table and also says when."""

FULL, ROWS = 150, 9
"""With more letters or rows a card is set smaller."""

CARD = 17
"""What has more fields than so many is a list, as of a team, and has no room on a card."""

CODE = 4
"""Letters of a value that stands beneath a face of a die."""

Look = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CardPart:
    """A labeled part of a card. `style` says how it is drawn: "words" a text, "chip" a colour, "strip" a list with one
    value for each face of the die, "turns" pairs."""

    label: str
    style: str
    value: Any


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card as it is drawn. `full`: it has so much on it that it is set smaller."""

    kind: str
    place: int
    name: str
    corner: Any
    tags: Sequence[str]
    parts: Sequence[CardPart]
    full: bool


@dataclass(frozen=True, slots=True)
class CardKind:
    """The cards of one kind. `sheet`: they are printed unless somebody says otherwise."""

    kind: str
    sheet: bool
    cards: Sequence[CardFace]


def shelved(deck: DeckView) -> list[CardKind]:
    """Return the cards of a deck by kind, in the order of its shapes; kinds without cards too.

    Cards of two fields are labels on a board, and a team is no card: neither is printed by itself.
    """
    return [
        CardKind(kind, 2 < len(shape) <= CARD, [face(card, shape) for card in deck.cards if card.kind == kind])
        for kind, shape in deck.shapes.items()
    ]


def face(card: CardView, shape: Mapping[str, Look]) -> CardFace:
    """Return a card as it is drawn. `shape` is that of its kind."""
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
    """The name of a field as words."""
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
    """A value of a card in words: a text as it is, a list one beside the other, a phrase with its conditions."""
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
            words += f", {name} {_needs(value[name])}"
    if value.get("may"):
        words += ", if you like"
    uses = value.get("uses", "pitch")
    return words if uses == "pitch" else f"{words}, once {'an' if uses == 'at-bat' else 'a'} {uses}"


def _needs(tables: Any) -> str:
    every = tables if isinstance(tables, list) else [tables]
    return ", or ".join(
        spoken(f"{plain(fact)} = {spoken(_texts(values), 'or')}" for fact, values in table.items())
        if isinstance(table, Mapping)
        else str(table)
        for table in every
    )


def _texts(values: Any) -> Iterable[str]:
    return map(str, values if isinstance(values, list) else [values])
