"""Cards for people, laid out only by the form of each field (`engine.cards`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from device.shapes import CardView, DeckView, FieldForm
from engine.events import spoken_list

CHIP_COLORS = ("red", "blue", "green", "yellow", "orange", "purple", "black", "white")
"""Colors that a page shows as a chip next to the word."""

PERSON_KINDS = ("player", "batter", "pitcher", "pinch", "coach")
"""Kinds of cards with a portrait."""

BANNER_FIELDS = ("positions", "position", "roles", "role", "hand")
"""Fields shown below the name of a person."""

CHART_PATTERN = re.compile(r"[0-9]+(?:-[0-9]+|\+)? [A-Z0-9]{1,4}(?:, [0-9]+(?:-[0-9]+|\+)? [A-Z0-9]{1,4})+")
"""A text with a result for each range of a die, such as "1-2 SO, 3-5 GB"."""

CORNER_FIELDS = ("number", "letter")
"""Fields shown in the corner of a card, by which people find it in a list."""

ON_BASE_RESULTS = ("1B", "2B", "3B", "HR", "BB")
"""Results that put the batter on base."""

ABILITY_KEYS = {"do", "when", "unless", "may", "uses"}
"""The keys of a phrase with conditions."""

MAX_FULL_SIZE_LETTERS = 150
"""Letters of a card in full size. A card with more is printed smaller."""
MAX_FULL_SIZE_ROWS = 9
"""Rows of a card in full size. A card with more is printed smaller."""

MAX_POSTER_LETTERS = 80
"""Letters of a printed card with a large portrait."""

MAX_CARD_FIELDS = 17
"""Fields of a printed card. A kind with more is a list, such as a team."""

MAX_FACE_CODE_LENGTH = 4
"""Letters of a value below a face of a die."""


@dataclass(frozen=True, slots=True)
class CardPart:
    """A labeled part of a card, drawn by `style`.

    Its value is a text, a color (chip), a value for each face of a die (strip), pairs (turns), or a chart as its text
    and its pairs of range and result.
    """

    label: str
    style: Literal["words", "chip", "strip", "turns", "chart"]
    value: Any


@dataclass(frozen=True, slots=True)
class CardFace:
    """The layout of one card.

    full: True if it is printed smaller because of its contents.
    person: True if it has a portrait.
    colour: that of its frame, "" for the default.
    line: the text below the name.
    poster: True if it is printed with a large portrait.
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
    """The cards of one kind. `sheet` is True if they are printed by default."""

    kind: str
    sheet: bool
    cards: Sequence[CardFace]


def cards_by_kind(deck: DeckView) -> list[CardKind]:
    """Return the cards of a deck by kind, in the order of its shapes, including kinds without cards.

    Cards with two fields are labels on a board, and a team is a list, so neither is printed by default.
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
    """Return the team of a card, or else a common one for all persons of its kind, or ""."""
    team = card.fields.get("team") or card.fields.get("colour")
    if isinstance(team, str) and team:
        return team
    return f"every {card.kind}" if card.kind in PERSON_KINDS else ""


def frame_colors(cards: Sequence[CardView]) -> dict[str, str]:
    """Return the frame color of each team. A team named after a color has that, and others get the next one."""
    teams = dict.fromkeys(team for card in cards if (team := card_team(card)))
    own = {team: team for team in teams if team in CHIP_COLORS}
    others = [team for team in teams if team not in own]
    return own | {team: CHIP_COLORS[at % len(CHIP_COLORS)] for at, team in enumerate(others)}


def card_face(card: CardView, shape: Mapping[str, FieldForm], colour: str = "") -> CardFace:
    """Return the layout of a card. `shape` is that of its kind, and `colour` that of its frame."""
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
    """Return a field below the name in words, such as "CF +3 · LF +2" or "bats L"."""
    if name == "hand":
        return f"{'throws' if kind == 'pitcher' else 'bats'} {value_in_words(value)}"
    return value_in_words(value)


def field_label(name: str) -> str:
    return name.replace("_", " ")


def _card_part(label: str, look: FieldForm, value: Any) -> CardPart:
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
    """Return a value of a card in words, such as a list side by side or a phrase with its conditions."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " · ".join(map(value_in_words, value))
    if not isinstance(value, Mapping):
        return str(value).replace("home-run", "home run")  # the code of a result in a phrase
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
