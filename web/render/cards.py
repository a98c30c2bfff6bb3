"""Cards as people read them: the look of a field alone decides how it is shown (`engine.cards`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from device.shapes import CardView, DeckView, FieldLook
from engine.events import spoken_list

CHIP_COLORS = ("red", "blue", "green", "yellow", "orange", "purple", "black", "white")
"""Colours that a page can show as a chip beside the word."""

PERSON_KINDS = ("player", "batter", "pitcher", "pinch", "coach")
"""Kinds of cards with a portrait."""

BANNER_FIELDS = ("positions", "position", "roles", "role", "hand")
"""Fields below the name on a card of a person."""

CHART_PATTERN = re.compile(r"[0-9]+(?:-[0-9]+|\+)? [A-Z0-9]{1,4}(?:, [0-9]+(?:-[0-9]+|\+)? [A-Z0-9]{1,4})+")
"""A text that gives a result for each range of a die: "1-2 SO, 3-5 GB"."""

CORNER_FIELDS = ("number", "letter")
"""Fields in a card's corner, by which people find it in a list."""

ON_BASE_RESULTS = ("1B", "2B", "3B", "HR", "BB")
"""Results that put the batter on base."""

ABILITY_KEYS = {"do", "when", "unless", "may", "uses"}
"""The keys of a phrase with conditions."""

MAX_FULL_SIZE_LETTERS = 150
MAX_FULL_SIZE_ROWS = 9
"""With more letters or rows a card is printed smaller."""

MAX_POSTER_LETTERS = 80
"""With more letters a printed card has no room for a large portrait."""

MAX_CARD_FIELDS = 17
"""Most fields of a printed card; a kind with more is a list, such as a team."""

MAX_FACE_CODE_LENGTH = 4
"""Most letters of a value under a face of a die."""


@dataclass(frozen=True, slots=True)
class CardPart:
    """A labeled part of a card, drawn by `style`: a text, a colour, a value for each face of the die, pairs, or a chart
    (its text, and the pairs of range and result in it).
    """

    label: str
    style: Literal["words", "chip", "strip", "turns", "chart"]
    value: Any


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card as it is drawn. `full`: it holds so much that it is printed smaller. `person`: it has a portrait.
    `colour` is that of its frame, "" for the usual one. `line` stands below the name. `poster`: it is printed with a
    large portrait.
    """

    kind: str
    place: int
    name: str
    corner: Any
    tags: Sequence[str]
    parts: Sequence[CardPart]
    full: bool
    person: bool = False
    colour: str = ""
    line: str = ""
    poster: bool = False


@dataclass(frozen=True, slots=True)
class CardKind:
    """The cards of one kind. `sheet`: they are printed by default."""

    kind: str
    sheet: bool
    cards: Sequence[CardFace]


def cards_by_kind(deck: DeckView) -> list[CardKind]:
    """Return the cards of a deck by kind, in the order of its shapes, including kinds without cards.

    Cards of two fields are labels on a board, and a team is not a card: neither is printed by default.
    """
    colours = frame_colors(deck.cards)
    return [
        CardKind(
            kind,
            2 < len(shape) <= MAX_CARD_FIELDS,
            [card_face(card, shape, colours.get(card_team(card), "")) for card in deck.cards if card.kind == kind],
        )
        for kind, shape in deck.shapes.items()
    ]


def card_team(card: CardView) -> str:
    """Return whose card it is: its team's, or else that of all persons of its kind; "" if it is nobody's."""
    team = card.fields.get("team") or card.fields.get("colour")
    if isinstance(team, str) and team:
        return team
    return f"every {card.kind}" if card.kind in PERSON_KINDS else ""


def frame_colors(cards: Sequence[CardView]) -> dict[str, str]:
    """Return the color of each team's frames: the team's own if it is one, or else each team gets the next color."""
    teams = dict.fromkeys(team for card in cards if (team := card_team(card)))
    own = {team: team for team in teams if team in CHIP_COLORS}
    others = [team for team in teams if team not in own]
    return own | {team: CHIP_COLORS[at % len(CHIP_COLORS)] for at, team in enumerate(others)}


def card_face(card: CardView, shape: Mapping[str, FieldLook], colour: str = "") -> CardFace:
    """Return a card as it is drawn; `shape` is that of its kind, `colour` that of its frame."""
    fields, person = card.fields, card.kind in PERSON_KINDS
    line = [banner_text(card.kind, name, fields[name]) for name in BANNER_FIELDS if person and fields.get(name)]
    named = next((name for name, look in shape.items() if look["is"] == "text" and name in fields), "")
    tags: list[str] = []
    parts: list[CardPart] = []
    for name, look in shape.items():
        if name not in fields or name == named or name in CORNER_FIELDS or (person and name in BANNER_FIELDS):
            continue
        value, label = fields[name], field_label(name)
        if look["is"] == "flag":
            if value != look.get("default", False):
                tags.append(label if value else f"not {label}")
        else:
            parts.append(_card_part(label, look, value))
    corner = next((fields[name] for name in CORNER_FIELDS if name in fields), "")
    charts = sum(part.style == "chart" for part in parts)
    letters = sum(len(str(part.value)) + len(part.label) for part in parts if part.style == "words")
    return CardFace(
        kind=card.kind,
        place=card.place,
        name=value_in_words(fields[named]) if named else f"{card.kind} {card.place}",
        corner=corner,
        tags=tags,
        parts=parts,
        full=letters > MAX_FULL_SIZE_LETTERS or len(parts) + person + 2 * charts > MAX_FULL_SIZE_ROWS,
        person=person,
        colour=colour,
        line=" · ".join(line),
        poster=person and letters <= MAX_POSTER_LETTERS and len(parts) <= MAX_FULL_SIZE_ROWS // 2,
    )


def banner_text(kind: str, name: str, value: Any) -> str:
    """Return a field below the name in words: "CF +3 · LF +2", "bats L"."""
    if name == "hand":
        return f"{'throws' if kind == 'pitcher' else 'bats'} {value_in_words(value)}"
    return value_in_words(value)


def field_label(name: str) -> str:
    """Return the name of a field as words."""
    return name.replace("_", " ")


def _card_part(label: str, look: FieldLook, value: Any) -> CardPart:
    if look["is"] == "list" and isinstance(value, list) and all(len(str(one)) <= MAX_FACE_CODE_LENGTH for one in value):
        return CardPart(label, "strip", value)
    if look["is"] == "map" and isinstance(value, Mapping):
        return CardPart(label, "turns", list(value.items()))
    if isinstance(value, str) and CHART_PATTERN.fullmatch(value):
        return CardPart(label, "chart", (value, [tuple(one.split(" ")) for one in value.split(", ")]))
    if look["is"] == "one-of" and value in CHIP_COLORS:
        return CardPart(label, "chip", value)
    return CardPart(label, "words", value_in_words(value))


def value_in_words(value: Any) -> str:
    """Return a value of a card in words: a text as it is, a list side by side, a phrase with its conditions."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " · ".join(map(value_in_words, value))
    if not isinstance(value, Mapping):
        return str(value)
    if "do" not in value or not ABILITY_KEYS.issuperset(value):
        return "; ".join(f"{field_label(name)}: {value_in_words(one)}" for name, one in value.items())
    words = value_in_words(value["do"])
    for name in ("when", "unless"):
        if value.get(name):
            words += f", {name} {_conditions_in_words(value[name])}"
    if value.get("may"):
        words += " (optional)"
    uses = value.get("uses", "pitch")
    return words if uses == "pitch" else f"{words}, once {'an' if uses == 'at-bat' else 'a'} {uses}"


def _conditions_in_words(tables: Any) -> str:
    return ", or ".join(
        spoken_list(
            f"{field_label(fact)} = {spoken_list(map(str, _as_list(values)), 'or')}" for fact, values in table.items()
        )
        if isinstance(table, Mapping)
        else str(table)
        for table in _as_list(tables)
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
