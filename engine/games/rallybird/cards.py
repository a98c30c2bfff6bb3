"""Pieces of RallyBird: At Bat cards, Gloves, and the zones of the board with their lines (RB-007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.cards import (
    Card,
    CardShape,
    boolean_field,
    choice_field,
    custom_field,
    duplicate_faults,
    integer_field,
    list_field,
    optional_field,
    quoted_value,
    text_field,
)
from engine.errors import DeckError, DeckFault
from engine.events import spoken_list
from engine.games.rallybird.results import (
    BASE_NAMES,
    LEAD_RUNNER,
    RESULT_PHRASES,
    ROLL_COMPARISONS,
    STEPS_FOR_OUT,
    CardResult,
    parse_result,
)

ZONE_LETTERS = ("A", "B", "C", "D", "E", "F")
"""The zones of the board (RB-008)."""

AT_BAT_CARD_COUNT = 17
"""At Bat cards in the box (RB-007)."""
GLOVE_COUNT = 7
"""Gloves in the box (RB-007)."""
ICON_GLOVE_COUNT = 2
"""Gloves with the icon (RB-028)."""
MAX_TESTED_ZONES = 3
"""The most zones that a card tests."""

_zones_field = list_field(choice_field(*ZONE_LETTERS))


def parse_tests(value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Parse the tested zones, such as "A D", without and with a runner on second. Raises ValueError."""
    table = value if isinstance(value, dict) else {"otherwise": value, "second": value}
    if set(table) != {"otherwise", "second"}:
        raise ValueError(f"needs zones, or a table with second and otherwise, not {quoted_value(value)}.")
    found: tuple[tuple[str, ...], ...] = tuple(
        _zones_field(_split_zones(table[name])) for name in ("otherwise", "second")
    )
    if max(map(len, found)) > MAX_TESTED_ZONES:
        raise ValueError(f"can have at most {MAX_TESTED_ZONES} zones.")
    return found[0], found[1]


def _split_zones(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value


_result_field = optional_field(custom_field(parse_result, "batter to first, runners +1", RESULT_PHRASES.help_rows))

CARD_SHAPES: dict[str, CardShape] = {
    "card": {
        "number": integer_field(1, AT_BAT_CARD_COUNT).with_meaning(
            "Write it on the card: it is how you find it in a list."
        ),
        "name": text_field(30).with_meaning("What the card is called."),
        "tests": optional_field(custom_field(parse_tests, "A D")).with_meaning(
            "The zones it tests, one to three; or with a runner on second and otherwise, as a table."
        ),
        "less": _result_field.with_meaning("What happens when the dice show less than the Gloves."),
        "equal": _result_field.with_meaning("What happens when they show the same."),
        "more": _result_field.with_meaning("What happens when they show more."),
        "requires": optional_field(choice_field(*BASE_NAMES[:3], "any"), "").with_meaning(
            "The base whose runner the card is about."
        ),
        "twice": optional_field(boolean_field(), False).with_meaning("Two rolls must succeed."),
        "wears": optional_field(boolean_field(), True).with_meaning("Whether the card ever changes a Glove."),
        "succeeds": optional_field(list_field(choice_field(*ROLL_COMPARISONS))).with_meaning(
            "Which results change a Glove; without it those that move somebody forward."
        ),
        "beginner": optional_field(boolean_field(), True).with_meaning(
            "No on the one card that a first game leaves out."
        ),
        "blank": optional_field(boolean_field(), False).with_meaning(
            "Leave out tests and results; the table is then asked for them."
        ),
    },
    "glove": {
        "name": text_field(12).with_meaning("What the Glove is called, as 5/4."),
        "front": integer_field(1, 7).with_meaning("Its value as a half-inning begins."),
        "back": integer_field(1, 7).with_meaning("Its value once it is turned over."),
        "icon": optional_field(boolean_field(), False).with_meaning("Yes on the two with a baseball."),
    },
    "zone": {
        "letter": choice_field(*ZONE_LETTERS).with_meaning("Its letter on the board."),
        "printed": integer_field(0, 9).with_meaning("What the zone counts without a Glove."),
        "place": text_field(20).with_meaning("Where it lies on the field."),
    },
    "line": {
        "card": text_field(30).with_meaning("The name of an At Bat card."),
        "zones": _zones_field.with_meaning("The zones that the board connects for it."),
    },
}


@dataclass(frozen=True)
class AtBatCard:
    """An At Bat card. Players read tests and results from a `blank` one.

    Attributes:
        tests, second: tested zones with nobody on second, and with a runner there (RB-056).
        results: by `ROLL_COMPARISONS`; empty on a `blank` card.
        requires: base whose runner the card needs, "any", or "".
        twice: true if two rolls must succeed (RB-053).
        succeeds: comparisons that count as a success; None for those that advance somebody (A8).
    """

    number: int
    name: str
    tests: tuple[str, ...]
    second: tuple[str, ...]
    results: Mapping[str, CardResult]
    requires: str
    twice: bool
    wears: bool
    succeeds: tuple[str, ...] | None
    beginner: bool
    blank: bool

    @cached_property
    def stolen_bases(self) -> tuple[int, ...]:
        """Bases that runners can steal with the card while the batter stays at bat (RB-109)."""
        parts = [part for result in self.results.values() for part in result.with_alternatives()]
        if any(part.batter != "stays" for part in parts):
            return ()
        moves = [(who, by) for part in parts for who, by in part.runners if by > 0]
        return tuple(sorted({who + by for who, by in moves if isinstance(who, int)}))


@dataclass(frozen=True, slots=True)
class Glove:
    """A Glove with its value on each side. `icon` is true if it has the baseball (RB-009, RB-026)."""

    name: str
    front: int
    back: int
    icon: bool


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of the board with its printed value and its place on the field (RB-041)."""

    letter: str
    printed: int
    place: str


@dataclass(frozen=True)
class RallybirdBox:
    """The pieces in use, by name or letter. Cards and Gloves are in deck order, zones in the board's order."""

    cards: Mapping[str, AtBatCard] = field(default_factory=dict)
    gloves: Mapping[str, Glove] = field(default_factory=dict)
    zones: Mapping[str, Zone] = field(default_factory=dict)

    def icon_gloves(self) -> tuple[str, ...]:
        """Return the Gloves with the icon, of which one is left out (RB-028)."""
        return tuple(glove.name for glove in self.gloves.values() if glove.icon)

    @cached_property
    def card_labels(self) -> dict[str, str]:
        """Labels of all At Bat cards. Leaving one out would show which is removed."""
        return {card.name: f"{card.number} {card.name}" for card in self.cards.values()}

    @cached_property
    def card_numbers(self) -> dict[str, int]:
        """Numbers of the At Bat cards, with which the buttons choose one in secret."""
        return {card.name: card.number for card in self.cards.values()}

    @cached_property
    def zone_labels(self) -> dict[str, str]:
        return {zone.letter: f"{zone.letter}, {zone.place}" for zone in self.zones.values()}


def build_box(cards: Sequence[Card], house: Mapping[str, str]) -> RallybirdBox:
    """Build the box, without the card that a first game leaves out, if this is one (RB-018). Raises DeckError."""
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    kinds = {kind: [card for card in cards if card.kind == kind] for kind in CARD_SHAPES}
    faults = [
        *duplicate_faults(kinds["card"], "name", "At Bat cards"),
        *duplicate_faults(kinds["card"], "number", "At Bat cards"),
        *duplicate_faults(kinds["glove"], "name", "Gloves"),
        *duplicate_faults(kinds["zone"], "letter", "zones"),
        *_count_faults(kinds, files),
    ]
    for card in kinds["card"]:
        faults += _card_faults(card)
    faults += _line_faults(kinds["card"], kinds["line"])
    if faults:
        raise DeckError(*faults)
    at_bats = [_build_at_bat_card(card) for card in kinds["card"]]
    zones = {card.fields["letter"]: Zone(**card.fields) for card in kinds["zone"]}
    return RallybirdBox(
        {card.name: card for card in at_bats if card.beginner or house["beginner"] == "false"},
        {card.fields["name"]: Glove(**card.fields) for card in kinds["glove"]},
        {letter: zones[letter] for letter in ZONE_LETTERS},
    )


def _count_faults(kinds: Mapping[str, Sequence[Card]], files: str) -> Iterator[DeckFault]:
    cards, gloves = kinds["card"], kinds["glove"]
    icons = sum(glove.fields["icon"] for glove in gloves)
    missing = [letter for letter in ZONE_LETTERS if letter not in {zone.fields["letter"] for zone in kinds["zone"]}]
    learning = [card for card in cards if not card.fields["beginner"]]
    always = [card for card in cards if card.fields["beginner"] and not card.fields["requires"]]
    if len(cards) != AT_BAT_CARD_COUNT:
        yield DeckFault(files, "At Bat cards", "number", f"needs {AT_BAT_CARD_COUNT} cards, not {len(cards)}.")
    if len(learning) != 1:
        reason = f"needs one card with beginner = false, which a first game leaves out, not {len(learning)}."
        yield DeckFault(files, "At Bat cards", "beginner", reason)
    if len(always) < 2:
        reason = "needs two cards at least that beginners can play with the bases empty."
        yield DeckFault(files, "At Bat cards", "requires", reason)
    if len(gloves) != GLOVE_COUNT:
        yield DeckFault(files, "Gloves", "name", f"needs {GLOVE_COUNT} Gloves, not {len(gloves)}.")
    if icons != ICON_GLOVE_COUNT:
        yield DeckFault(files, "Gloves", "icon", f"needs {ICON_GLOVE_COUNT} Gloves with icon = true, not {icons}.")
    if missing:
        yield DeckFault(
            files, "zones", "letter", f"{spoken_list(missing)} {'is' if len(missing) == 1 else 'are'} missing."
        )


def _card_faults(card: Card) -> Iterator[DeckFault]:
    of = card.fields
    if of["blank"]:
        for name in ("tests", *ROLL_COMPARISONS, "succeeds"):
            if of[name] is not None:
                yield card.field_fault(name, "a blank card is read on the table; leave out this or blank.")
        return
    missing = [name for name in ("tests", *ROLL_COMPARISONS) if of[name] is None]
    for name in missing:
        yield card.field_fault(name, "is missing; or mark the card blank = true, and the table reads it.")
    if missing:
        return
    parts = [(name, part) for name in ROLL_COMPARISONS for part in of[name].with_alternatives()]
    if all(part.batter == "stays" for _, part in parts) and not of["requires"]:
        yield card.field_fault(
            "requires", "is missing: the batter stays at bat, so say which runner the card is about."
        )
    for name, part in parts:
        out = [who for who, by in part.runners if by == STEPS_FOR_OUT]
        sure = {LEAD_RUNNER: bool(of["requires"])} | {
            base: of["requires"] == BASE_NAMES[base - 1] for base in (1, 2, 3)
        }
        if part.reach and part.otherwise is None and not all(sure[who] for who in out):
            yield card.field_fault(name, f'{part.text!r} needs "; else" and what happens without that runner.')


def _line_faults(cards: Sequence[Card], lines: Sequence[Card]) -> Iterator[DeckFault]:
    """Yield the faults of the board's lines against the cards (RB-042)."""
    tested = {card.fields["name"]: card.fields["tests"] for card in cards if not card.fields["blank"]}
    names = {card.fields["name"] for card in cards}
    for line in lines:
        name, zones = line.fields["card"], line.fields["zones"]
        if name not in names:
            yield line.field_fault("card", f"there is no At Bat card named {name}.")
        elif tested.get(name) and sorted(zones) not in [sorted(one) for one in tested[name]]:
            ours = spoken_list(dict.fromkeys("-".join(one) for one in tested[name]), "or")
            yield line.field_fault(
                "zones", f"the board's line for {name} is {'-'.join(zones)}, but the card tests {ours}."
            )


def _build_at_bat_card(card: Card) -> AtBatCard:
    of = dict(card.fields)
    first, second = of.pop("tests") or ((), ())
    results = {name: of.pop(name) for name in ROLL_COMPARISONS}
    return AtBatCard(tests=first, second=second, results={} if of["blank"] else results, **of)
