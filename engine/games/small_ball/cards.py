"""Cards of Small Ball. Two teams have nine players and two pinch hitters each (SB-001, SB-013)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import (
    Card,
    CardShape,
    choice_field,
    fixed_list_field,
    integer_field,
    mapping_field,
    optional_field,
    text_field,
)
from engine.errors import DeckError, DeckFault

PRINTED_CODES = ("1B", "2B", "BB", "SO", "FO", "GO")
"""Results that a printed card may have (SB-013)."""

EXTRA_CODES = ("3B", "HR")
"""Results that need the house rule `extraCodes` on a player card. A pinch hitter may always turn a result into one."""

TEAM_COLORS = ("red", "blue")
"""Team colors, as stored in decks."""

PINCH_HITTER_KINDS: dict[str, tuple[tuple[str, str], ...]] = {
    "POWER": (("1B", "3B"), ("2B", "HR")),
    "ON-BASE": (("SO", "1B"),),
}
"""Changes of results, as (printed, becomes), by the rulebook's kinds of pinch hitter (SB-091, SB-092, SB-094)."""

_code_field = choice_field(*PRINTED_CODES, *EXTRA_CODES)

CARD_SHAPES: dict[str, CardShape] = {
    "team": {
        "colour": choice_field(*TEAM_COLORS).with_meaning("The color of its cards."),
        "name": text_field(20).with_meaning("The team's name."),
    },
    "player": {
        "team": choice_field(*TEAM_COLORS).with_meaning("The color of the card."),
        "number": integer_field(1, 9).with_meaning("The place in the batting order."),
        "name": text_field(20).with_meaning("The player's name."),
        "results": fixed_list_field(_code_field, 6).with_meaning(
            "The six results; the first is what a die of 1 means."
        ),
    },
    "pinch": {
        "team": choice_field(*TEAM_COLORS).with_meaning("The color of the card."),
        "name": text_field(20).with_meaning("The pinch hitter's name."),
        "kind": text_field(12).with_meaning("POWER, ON-BASE, or a word of your own."),
        "turns": optional_field(mapping_field(_code_field, _code_field)).with_meaning(
            "Which result becomes which, for one at-bat; POWER and ON-BASE have theirs without it."
        ),
    },
}


@dataclass(frozen=True, slots=True)
class SmallBallPlayer:
    """A player card. `results` are by face, so `results[0]` is the result of a 1 (SB-012)."""

    number: int
    name: str
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PinchHitter:
    """A pinch hitter card. `turns` maps a result to the result it becomes."""

    name: str
    kind: str
    turns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SmallBallTeam:
    """Nine players in batting order (SB-006) and two pinch hitters."""

    colour: str
    name: str
    players: tuple[SmallBallPlayer, ...]
    pinch: tuple[PinchHitter, ...]
    labels: Mapping[str, str]
    """Names of the pinch hitters on choices, by "pinch_1" and "pinch_2"."""


TeamsByColor = Mapping[str, SmallBallTeam]


def build_teams(cards: Sequence[Card], house: Mapping[str, str]) -> TeamsByColor:
    """Build both teams. Raises DeckError with a fault for each missing, duplicate or illegal card."""
    faults: list[DeckFault] = []
    made = {colour: _build_team(colour, cards, house, faults) for colour in TEAM_COLORS}
    if faults:
        raise DeckError(*faults)
    return made


def _build_team(colour: str, cards: Sequence[Card], house: Mapping[str, str], faults: list[DeckFault]) -> SmallBallTeam:
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    name = ""
    players: dict[int, SmallBallPlayer] = {}
    pinch: list[PinchHitter] = []
    for card in cards:
        of = card.fields
        if card.kind == "team" and of["colour"] == colour:
            if name:
                faults.append(card.field_fault("colour", f"the {colour} team is named twice."))
            name = of["name"]
        elif card.kind == "player" and of["team"] == colour:
            if of["number"] in players:
                faults.append(card.field_fault("number", f"the {colour} team has two players {of['number']}."))
            extra = [code for code in of["results"] if code in EXTRA_CODES]
            if extra and house["extraCodes"] == "false":
                codes = ", ".join(PRINTED_CODES)
                allowed = 'the house rule "Triples and home runs on cards?" allows it.'
                reason = f"{' and '.join(extra)} is not one of {codes}; {allowed}"
                faults.append(card.field_fault("results", reason))
            players[of["number"]] = SmallBallPlayer(of["number"], of["name"], of["results"])
        elif card.kind == "pinch" and of["team"] == colour:
            turns = of["turns"] or PINCH_HITTER_KINDS.get(of["kind"])
            if turns is None:
                faults.append(
                    card.field_fault("turns", f"is missing; only {' and '.join(PINCH_HITTER_KINDS)} are known by kind.")
                )
            pinch.append(PinchHitter(of["name"], of["kind"], dict(turns or ())))
    for number in range(1, 10):
        if number not in players:
            faults.append(DeckFault(files, f"{colour} team", "player", f"number {number} is missing."))
    if len(pinch) != 2:
        faults.append(DeckFault(files, f"{colour} team", "pinch", f"needs two pinch hitters, not {len(pinch)}."))
    return SmallBallTeam(
        colour,
        name or f"{colour.capitalize()} team",
        tuple(players[number] for number in sorted(players)),
        tuple(pinch),
        {f"pinch_{i}": f"{card.name}, {card.kind}" for i, card in enumerate(pinch, 1)},
    )
