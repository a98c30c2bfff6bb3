"""The pieces of RallyBird: At Bat cards, Gloves, and the zones of the board with their lines (RB-007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.cards import Card, Shape, doubled, flag, one_of, optional, quoted, several, text, typed, whole
from engine.errors import DeckError, Fault
from engine.events import spoken
from engine.games.rallybird.results import COMPARES, LEAD, NAMES, OUT, PHRASES, Result, phrase

ZONES = ("A", "B", "C", "D", "E", "F")
"""The zones of the board (RB-008)."""

CARDS, GLOVES, ICONS, MOST = 17, 7, 2, 3
"""The numbers of At Bat cards, of Gloves, and of Gloves with the icon, and the most tests on a card."""

_zones = several(one_of(*ZONES))


def tests(value: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Read the zones that a card tests, without and with a runner on second; "A D" is A and D. Raises ValueError."""
    table = value if isinstance(value, dict) else {"otherwise": value, "second": value}
    if set(table) != {"otherwise", "second"}:
        raise ValueError(f"needs zones, or a table with second and otherwise, not {quoted(value)}.")
    found: tuple[tuple[str, ...], ...] = tuple(_zones(_apart(table[name])) for name in ("otherwise", "second"))
    if max(map(len, found)) > MOST:
        raise ValueError(f"can have at most {MOST} zones.")
    return found[0], found[1]


def _apart(value: Any) -> Any:
    return value.split() if isinstance(value, str) else value


_result = optional(typed(phrase, "batter to first, runners +1", PHRASES.help))

SHAPES: dict[str, Shape] = {
    "card": {
        "number": whole(1, CARDS).means("Write it on the card: it is how you find it in a list."),
        "name": text(30).means("What the card is called."),
        "tests": optional(typed(tests, "A D")).means(
            "The zones it tests, one to three; or with a runner on second and otherwise, as a table."
        ),
        "less": _result.means("What happens when the dice show less than the Gloves."),
        "equal": _result.means("What happens when they show the same."),
        "more": _result.means("What happens when they show more."),
        "requires": optional(one_of(*NAMES[:3], "any"), "").means("The base whose runner the card is about."),
        "twice": optional(flag(), False).means("Two rolls must succeed."),
        "wears": optional(flag(), True).means("Whether the card ever changes a Glove."),
        "succeeds": optional(several(one_of(*COMPARES))).means(
            "Which results change a Glove; without it those that move somebody forward."
        ),
        "beginner": optional(flag(), True).means("No on the one card that a first game leaves out."),
        "blank": optional(flag(), False).means("Leave out tests and results; the table is then asked for them."),
    },
    "glove": {
        "name": text(12).means("What the Glove is called, as 5/4."),
        "front": whole(1, 7).means("Its value as a half-inning begins."),
        "back": whole(1, 7).means("Its value once it is turned over."),
        "icon": optional(flag(), False).means("Yes on the two with a baseball."),
    },
    "zone": {
        "letter": one_of(*ZONES).means("Its letter on the board."),
        "printed": whole(0, 9).means("What the zone counts without a Glove."),
        "place": text(20).means("Where it lies on the field."),
    },
    "line": {
        "card": text(30).means("The name of an At Bat card."),
        "zones": _zones.means("The zones that the board connects for it."),
    },
}


@dataclass(frozen=True)
class AtBat:
    """An At Bat card. `tests` are its zones with nobody on second, `second` with somebody there (RB-056).

    `results` are by COMPARES, and empty on a `blank` card. `requires` is the base whose runner the card needs, "any",
    or "". With `twice`, two rolls must succeed (RB-053). `succeeds` lists the results that count as a success; None
    stands for those that move somebody (A8).
    """

    number: int
    name: str
    tests: tuple[str, ...]
    second: tuple[str, ...]
    results: Mapping[str, Result]
    requires: str
    twice: bool
    wears: bool
    succeeds: tuple[str, ...] | None
    beginner: bool
    blank: bool

    @cached_property
    def steals(self) -> tuple[int, ...]:
        """The bases that runners steal with it while the batter stays at bat (RB-109)."""
        parts = [part for result in self.results.values() for part in result.chain()]
        if any(part.batter != "stays" for part in parts):
            return ()
        moves = [(who, by) for part in parts for who, by in part.runners if by > 0]
        return tuple(sorted({who + by for who, by in moves if isinstance(who, int)}))


@dataclass(frozen=True, slots=True)
class Glove:
    """A Glove: its value on each side, and whether it has the baseball (RB-009, RB-026)."""

    name: str
    front: int
    back: int
    icon: bool


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of the board: its printed value, and its place on the field (RB-041)."""

    letter: str
    printed: int
    place: str


@dataclass(frozen=True)
class Box:
    """The pieces in use, by name or letter; cards and Gloves in the order of the deck, zones in that of the board."""

    cards: Mapping[str, AtBat] = field(default_factory=dict)
    gloves: Mapping[str, Glove] = field(default_factory=dict)
    zones: Mapping[str, Zone] = field(default_factory=dict)

    def icons(self) -> tuple[str, ...]:
        """Return the Gloves with the icon, of which one is left out (RB-028)."""
        return tuple(glove.name for glove in self.gloves.values() if glove.icon)

    @cached_property
    def card_labels(self) -> dict[str, str]:
        """The labels of all At Bat cards; leaving one out would show which is removed."""
        return {card.name: f"{card.number} {card.name}" for card in self.cards.values()}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The numbers of the At Bat cards, which the buttons use to choose one in secret."""
        return {card.name: card.number for card in self.cards.values()}

    @cached_property
    def zone_labels(self) -> dict[str, str]:
        """The labels of the zones."""
        return {zone.letter: f"{zone.letter}, {zone.place}" for zone in self.zones.values()}


def unpack(cards: Sequence[Card], house: Mapping[str, str]) -> Box:
    """Return the box that these cards form, without those that a first game leaves out, if it is one (RB-018).

    Raises DeckError with everything that is missing, there twice, or contradictory.
    """
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    kinds = {kind: [card for card in cards if card.kind == kind] for kind in SHAPES}
    faults = [
        *doubled(kinds["card"], "name", "At Bat cards"),
        *doubled(kinds["card"], "number", "At Bat cards"),
        *doubled(kinds["glove"], "name", "Gloves"),
        *doubled(kinds["zone"], "letter", "zones"),
        *_counted(kinds, files),
    ]
    for card in kinds["card"]:
        faults += _faults(card)
    faults += _lines(kinds["card"], kinds["line"])
    if faults:
        raise DeckError(*faults)
    at_bats = [_at_bat(card) for card in kinds["card"]]
    zones = {card.fields["letter"]: Zone(**card.fields) for card in kinds["zone"]}
    return Box(
        {card.name: card for card in at_bats if card.beginner or house["beginner"] == "false"},
        {card.fields["name"]: Glove(**card.fields) for card in kinds["glove"]},
        {letter: zones[letter] for letter in ZONES},
    )


def _counted(kinds: Mapping[str, Sequence[Card]], files: str) -> Iterator[Fault]:
    cards, gloves = kinds["card"], kinds["glove"]
    icons = sum(glove.fields["icon"] for glove in gloves)
    missing = [letter for letter in ZONES if letter not in {zone.fields["letter"] for zone in kinds["zone"]}]
    learning = [card for card in cards if not card.fields["beginner"]]
    always = [card for card in cards if card.fields["beginner"] and not card.fields["requires"]]
    if len(cards) != CARDS:
        yield Fault(files, "At Bat cards", "number", f"needs {CARDS} cards, not {len(cards)}.")
    if len(learning) != 1:
        reason = f"needs one card with beginner = false, which a first game leaves out, not {len(learning)}."
        yield Fault(files, "At Bat cards", "beginner", reason)
    if len(always) < 2:
        reason = "needs two cards at least that beginners can play with the bases empty."
        yield Fault(files, "At Bat cards", "requires", reason)
    if len(gloves) != GLOVES:
        yield Fault(files, "Gloves", "name", f"needs {GLOVES} Gloves, not {len(gloves)}.")
    if icons != ICONS:
        yield Fault(files, "Gloves", "icon", f"needs {ICONS} Gloves with icon = true, not {icons}.")
    if missing:
        yield Fault(files, "zones", "letter", f"{spoken(missing)} {'is' if len(missing) == 1 else 'are'} missing.")


def _faults(card: Card) -> Iterator[Fault]:
    """Yield the faults of one At Bat card by itself."""
    of = card.fields
    if of["blank"]:
        for name in ("tests", *COMPARES, "succeeds"):
            if of[name] is not None:
                yield card.fault(name, "a blank card is read on the table; leave out this or blank.")
        return
    missing = [name for name in ("tests", *COMPARES) if of[name] is None]
    for name in missing:
        yield card.fault(name, "is missing; or mark the card blank = true, and the table reads it.")
    if missing:
        return
    parts = [(name, part) for name in COMPARES for part in of[name].chain()]
    if all(part.batter == "stays" for _, part in parts) and not of["requires"]:
        yield card.fault("requires", "is missing: the batter stays at bat, so say which runner the card is about.")
    for name, part in parts:
        out = [who for who, by in part.runners if by == OUT]
        sure = {LEAD: bool(of["requires"])} | {base: of["requires"] == NAMES[base - 1] for base in (1, 2, 3)}
        if part.reach and part.otherwise is None and not all(sure[who] for who in out):
            yield card.fault(name, f'{part.text!r} needs "; else" and what happens without that runner.')


def _lines(cards: Sequence[Card], lines: Sequence[Card]) -> Iterator[Fault]:
    """Yield the faults of the board's lines against the cards (RB-042)."""
    tested = {card.fields["name"]: card.fields["tests"] for card in cards if not card.fields["blank"]}
    names = {card.fields["name"] for card in cards}
    for line in lines:
        name, zones = line.fields["card"], line.fields["zones"]
        if name not in names:
            yield line.fault("card", f"there is no At Bat card named {name}.")
        elif tested.get(name) and sorted(zones) not in [sorted(one) for one in tested[name]]:
            ours = spoken(dict.fromkeys("-".join(one) for one in tested[name]), "or")
            yield line.fault("zones", f"the board's line for {name} is {'-'.join(zones)}, but the card tests {ours}.")


def _at_bat(card: Card) -> AtBat:
    of = dict(card.fields)
    first, second = of.pop("tests") or ((), ())
    results = {name: of.pop(name) for name in COMPARES}
    return AtBat(tests=first, second=second, results={} if of["blank"] else results, **of)
