"""The cards of Small Ball: two teams of nine, each with two pinch hitters (SB-001, SB-013)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.cards import Card, Shape, listed, mapped, one_of, optional, text, whole
from engine.errors import DeckError, Fault

CODES = ("1B", "2B", "BB", "SO", "FO", "GO")
"""The results that a printed card may list (SB-013)."""

EXTRA_CODES = ("3B", "HR")
"""Results that a card may list only with the house rule `extraCodes`; pinch hitters may always make these."""

COLOURS = ("red", "blue")

POWERS: dict[str, tuple[tuple[str, str], ...]] = {
    "POWER": (("1B", "3B"), ("2B", "HR")),
    "ON-BASE": (("SO", "1B"),),
}
"""Which results the rulebook's two kinds of pinch hitter change, and into which (SB-091, SB-092, SB-094)."""

_code = one_of(*CODES, *EXTRA_CODES)

SHAPES: dict[str, Shape] = {
    "team": {
        "colour": one_of(*COLOURS).means("The color of its cards."),
        "name": text(20).means("The team's name."),
    },
    "player": {
        "team": one_of(*COLOURS).means("The color of the card."),
        "number": whole(1, 9).means("The place in the batting order."),
        "name": text(20).means("The player's name."),
        "results": listed(_code, 6).means("The six results; the first is what a die of 1 means."),
    },
    "pinch": {
        "team": one_of(*COLOURS).means("The color of the card."),
        "name": text(20).means("The pinch hitter's name."),
        "kind": text(12).means("POWER, ON-BASE, or a word of your own."),
        "turns": optional(mapped(_code, _code)).means(
            "Which result becomes which, for one at-bat; POWER and ON-BASE have theirs without it."
        ),
    },
}


@dataclass(frozen=True, slots=True)
class Player:
    """A player card: `results[0]` is what a die of 1 means (SB-012)."""

    number: int
    name: str
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PinchHitter:
    """A pinch hitter card; `turns` maps a result to the result it becomes."""

    name: str
    kind: str
    turns: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Team:
    """Nine players in batting order (SB-006) and two pinch hitters."""

    colour: str
    name: str
    players: tuple[Player, ...]
    pinch: tuple[PinchHitter, ...]
    labels: Mapping[str, str]
    """What people call the pinch hitters as choices: "pinch_1" and "pinch_2"."""


Teams = Mapping[str, Team]
"""Both teams by color."""


def teams(cards: Sequence[Card], house: Mapping[str, str]) -> Teams:
    """Return both teams. Raises DeckError with every card that is missing, there twice, or not allowed."""
    faults: list[Fault] = []
    made = {colour: _team(colour, cards, house, faults) for colour in COLOURS}
    if faults:
        raise DeckError(*faults)
    return made


def _team(colour: str, cards: Sequence[Card], house: Mapping[str, str], faults: list[Fault]) -> Team:
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    name = ""
    players: dict[int, Player] = {}
    pinch: list[PinchHitter] = []
    for card in cards:
        of = card.fields
        if card.kind == "team" and of["colour"] == colour:
            if name:
                faults.append(card.fault("colour", f"the {colour} team is named twice."))
            name = of["name"]
        elif card.kind == "player" and of["team"] == colour:
            if of["number"] in players:
                faults.append(card.fault("number", f"the {colour} team has two players {of['number']}."))
            extra = [code for code in of["results"] if code in EXTRA_CODES]
            if extra and house["extraCodes"] == "false":
                reason = f"{' and '.join(extra)} is not one of {', '.join(CODES)}; the house rule extraCodes allows it."
                faults.append(card.fault("results", reason))
            players[of["number"]] = Player(of["number"], of["name"], of["results"])
        elif card.kind == "pinch" and of["team"] == colour:
            turns = of["turns"] or POWERS.get(of["kind"])
            if turns is None:
                faults.append(card.fault("turns", f"is missing; only {' and '.join(POWERS)} are known by kind."))
            pinch.append(PinchHitter(of["name"], of["kind"], dict(turns or ())))
    for number in range(1, 10):
        if number not in players:
            faults.append(Fault(files, f"{colour} team", "player", f"number {number} is missing."))
    if len(pinch) != 2:
        faults.append(Fault(files, f"{colour} team", "pinch", f"needs two pinch hitters, not {len(pinch)}."))
    return Team(
        colour,
        name or f"{colour.capitalize()} team",
        tuple(players[number] for number in sorted(players)),
        tuple(pinch),
        {f"pinch_{i}": f"{card.name}, {card.kind}" for i, card in enumerate(pinch, 1)},
    )
