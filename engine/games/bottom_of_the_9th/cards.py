"""The cards of Bottom of the 9th: batters and pitchers, their marks, traits and abilities (BN-005), and line-ups.

A line-up is six batters at six different positions (BN-011 to BN-017). Sets of batters who can take different positions
form a matroid: each can be extended to a largest one. So a pick is legal exactly if it and the earlier picks fit,
provided that the deck has six who fit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.cards import Card, Shape, flag, one_of, optional, several, text, typed
from engine.errors import DeckError, Fault
from engine.games.bottom_of_the_9th.effects import DIRECTIONS, LOCATIONS, PHRASES, TURNS, Ability, abilities

SIX = 6
INFIELD = ("1B", "2B", "3B", "SS")
OUTFIELD = ("LF", "CF", "RF")
POSITIONS = ("C", *INFIELD, *OUTFIELD)
MARKS = (*POSITIONS, "IF", "OF", "UT")
"""The marks on a card: a position, any of the infield, any of the outfield, or any of both (utility)."""

PITCHES = tuple(f"{direction}-{location}" for direction in DIRECTIONS for location in LOCATIONS)
"""The pitches to throw and to guess (BN-033)."""

ROLES = ("starter", "reliever", "either")

_abilities = optional(typed(abilities, "swing +1", PHRASES.help), ())
_trait = optional(flag(), False)
_blank = _trait.means("Leave out the abilities; the table is then asked what the card did.")

SHAPES: dict[str, Shape] = {
    "batter": {
        "name": text(20).means("The batter's name."),
        "positions": several(one_of(*MARKS)).means("Where he can stand; IF is infield, OF outfield, UT utility."),
        "speed": _trait.means("+1 speed."),
        "unopposed": _trait.means("An unopposed roll."),
        "direction": _abilities.means("What the direction token switches on."),
        "location": _abilities.means("What the location token switches on."),
        "mvp": _abilities.means("What both tokens switch on."),
        "trait": _abilities.means("What is always on."),
        "blank": _blank,
    },
    "pitcher": {
        "name": text(20).means("The pitcher's name."),
        "role": one_of(*ROLES).means("Whether he starts or relieves."),
        "ace": one_of(*PITCHES).means("The ace pitch."),
        "fielding": _trait.means("+1 fielding."),
        "unopposed": _trait.means("An unopposed roll."),
        "direction": _abilities.means("What the direction token switches on."),
        "location": _abilities.means("What the location token switches on."),
        "ace_ability": _abilities.means("What the ace pitch switches on."),
        "trait": _abilities.means("What is always on."),
        "blank": _blank,
    },
}

SLOTS: dict[str, dict[str, str]] = {
    "batter": {"direction": "direction", "location": "location", "mvp": "mvp", "trait": "trait"},
    "pitcher": {"direction": "direction", "location": "location", "ace": "ace_ability", "trait": "trait"},
}
"""The ability slots of each kind of card, and the field of each slot."""


@dataclass(frozen=True)
class Player:
    """A card. `quick` is +1 speed or +1 fielding: a 4 wins the race too (BN-107, BN-108).

    `abilities` are by slot, see `SLOTS`. The players say what a `blank` card does.
    """

    name: str
    quick: bool
    unopposed: bool
    abilities: Mapping[str, tuple[Ability, ...]]
    blank: bool

    @cached_property
    def acting(self) -> Mapping[tuple[str, str], list[tuple[str, int, Ability]]]:
        """The abilities by phase and turn, each with its slot and its place there."""
        found: dict[tuple[str, str], list[tuple[str, int, Ability]]] = defaultdict(list)
        for slot, printed in self.abilities.items():
            for place, ability in enumerate(printed, 1):
                turn = ability.effect.verb if ability.effect.verb in TURNS else ""
                found[ability.phase, turn].append((slot, place, ability))
        return found


@dataclass(frozen=True)
class Batter(Player):
    """A batter; `positions` as printed, see lineup.MARKS."""

    positions: tuple[str, ...]


@dataclass(frozen=True)
class Pitcher(Player):
    """A pitcher; `role` is one of `ROLES`, `ace` a pitch: direction and location."""

    role: str
    ace: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards that the two managers choose from, in the order of the decks."""

    batters: tuple[Batter, ...] = ()
    pitchers: tuple[Pitcher, ...] = ()

    def pitching(self, role: str, house: Mapping[str, str]) -> tuple[Pitcher, ...]:
        """Return the pitchers for a role: those marked for it, and those without a mark (BN-023, BN-024; A22)."""
        loose = house["strictPitcherRoles"] == "false"
        return tuple(pitcher for pitcher in self.pitchers if loose or pitcher.role in (role, "either"))


def deal(cards: Sequence[Card], house: Mapping[str, str]) -> Cards:
    """Return the cards as players. Raises DeckError for a name twice, a blank card with abilities, or too few cards."""
    faults: list[Fault] = []
    names: set[str] = set()
    for card in cards:
        if card.fields["name"] in names:
            faults.append(card.fault("name", f"there are two cards named {card.fields['name']}."))
        names.add(card.fields["name"])
        if card.fields["blank"]:
            faults += [
                card.fault(field, "a blank card has no abilities; leave out this or blank.")
                for field in SLOTS[card.kind].values()
                if card.fields[field]
            ]
    batters = tuple(_batter(card) for card in cards if card.kind == "batter")
    found = Cards(batters, tuple(_pitcher(card) for card in cards if card.kind == "pitcher"))
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    if len(ready_made(found.batters, house)) < SIX:
        faults.append(Fault(files, "batters", "positions", "six must be able to stand at six different positions."))
    starters, relievers = (found.pitching(role, house) for role in ("starter", "reliever"))
    if not any(starter is not reliever for starter in starters for reliever in relievers):
        faults.append(Fault(files, "pitchers", "role", "needs a starter and a reliever, two different cards."))
    if faults:
        raise DeckError(*faults)
    return found


def _batter(card: Card) -> Batter:
    of = card.fields
    return Batter(of["name"], of["speed"], of["unopposed"], _slots(card), of["blank"], of["positions"])


def _pitcher(card: Card) -> Pitcher:
    of = card.fields
    direction, location = of["ace"].split("-")
    ace = (direction, location)
    return Pitcher(of["name"], of["fielding"], of["unopposed"], _slots(card), of["blank"], of["role"], ace)


def _slots(card: Card) -> dict[str, tuple[Ability, ...]]:
    return {slot: card.fields[field] for slot, field in SLOTS[card.kind].items()}


# Line-ups ---------------------------------------------------------------------------------------------------------


def where(batter: Batter, house: Mapping[str, str]) -> tuple[str, ...]:
    """Return the positions that a batter can play (A13: whether the catcher is an infielder)."""
    infield = ("C", *INFIELD) if house["infieldPositions"] == "withCatcher" else INFIELD
    any_of = {"IF": infield, "OF": OUTFIELD, "UT": (*infield, *OUTFIELD)}
    return tuple(position for mark in batter.positions for position in any_of.get(mark, (mark,)))


def fits(batters: Iterable[Batter], house: Mapping[str, str]) -> bool:
    """True if all of them can play at once, each at a different position (BN-017)."""
    standing: dict[str, tuple[str, ...]] = {}

    def stand(can: tuple[str, ...], tried: set[str]) -> bool:
        """Take a free position, or one whose holder can move; return True if there is one."""
        for position in can:
            if position not in tried:
                tried.add(position)
                if position not in standing or stand(standing[position], tried):
                    standing[position] = can
                    return True
        return False

    return all(stand(where(batter, house), set()) for batter in batters)


def pickable(deck: Sequence[Batter], picked: Sequence[Batter], house: Mapping[str, str]) -> tuple[Batter, ...]:
    """Return who may be picked after `picked`. Not checked: that the deck has six who fit."""
    return tuple(batter for batter in deck if batter not in picked and fits((*picked, batter), house))


def ready_made(deck: Sequence[Batter], house: Mapping[str, str]) -> tuple[Batter, ...]:
    """Return the first six who fit, in the order of the deck; fewer if there are not six."""
    picked: tuple[Batter, ...] = ()
    for batter in deck:
        if len(picked) < SIX and batter not in picked and fits((*picked, batter), house):
            picked = (*picked, batter)
    return picked
