"""Lineups and cards of Bottom of the 9th, with their marks, traits and abilities (BN-005).

A lineup is six batters at six different positions (BN-011 to BN-017). Sets of batters who can take different positions
form a matroid, so each can be extended to a largest one. If the deck has six who fit, a pick is therefore legal
exactly if it fits the earlier picks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.cards import (
    Card,
    CardShape,
    boolean_field,
    choice_field,
    custom_field,
    list_field,
    optional_field,
    text_field,
)
from engine.errors import DeckError, DeckFault
from engine.games.bottom_of_the_9th.effects import (
    ABILITY_PHRASES,
    ORDER_IN_PHASE,
    PITCH_DIRECTIONS,
    PITCH_LOCATIONS,
    CardAbility,
    parse_abilities,
)

LINEUP_SIZE = 6
"""Batters in a lineup (BN-011)."""
INFIELD_POSITIONS = ("1B", "2B", "3B", "SS")
OUTFIELD_POSITIONS = ("LF", "CF", "RF")
FIELD_POSITIONS = ("C", *INFIELD_POSITIONS, *OUTFIELD_POSITIONS)
POSITION_MARKS = (*FIELD_POSITIONS, "IF", "OF", "UT")
"""Positions that a card can have. IF, OF and UT are any infield position, any outfield position, and any of both."""

PITCH_CODES = tuple(f"{direction}-{location}" for direction in PITCH_DIRECTIONS for location in PITCH_LOCATIONS)
"""The pitches to throw and to guess (BN-033)."""

PITCHER_ROLES = ("starter", "reliever", "either")

_abilities_field = optional_field(custom_field(parse_abilities, "swing +1", ABILITY_PHRASES.help_rows), ())
_trait_field = optional_field(boolean_field(), False)
_blank_field = _trait_field.with_meaning("Leave out the abilities; the table is then asked what the card did.")

CARD_SHAPES: dict[str, CardShape] = {
    "batter": {
        "name": text_field(20).with_meaning("The batter's name."),
        "positions": list_field(choice_field(*POSITION_MARKS)).with_meaning(
            "Where he can stand; IF is infield, OF outfield, UT utility."
        ),
        "speed": _trait_field.with_meaning("+1 speed."),
        "unopposed": _trait_field.with_meaning("An unopposed roll."),
        "direction": _abilities_field.with_meaning("What the direction token switches on."),
        "location": _abilities_field.with_meaning("What the location token switches on."),
        "mvp": _abilities_field.with_meaning("What both tokens switch on."),
        "trait": _abilities_field.with_meaning("What is always on."),
        "blank": _blank_field,
    },
    "pitcher": {
        "name": text_field(20).with_meaning("The pitcher's name."),
        "role": choice_field(*PITCHER_ROLES).with_meaning("Whether he starts or relieves."),
        "ace": choice_field(*PITCH_CODES).with_meaning("The ace pitch."),
        "fielding": _trait_field.with_meaning("+1 fielding."),
        "unopposed": _trait_field.with_meaning("An unopposed roll."),
        "direction": _abilities_field.with_meaning("What the direction token switches on."),
        "location": _abilities_field.with_meaning("What the location token switches on."),
        "ace_ability": _abilities_field.with_meaning("What the ace pitch switches on."),
        "trait": _abilities_field.with_meaning("What is always on."),
        "blank": _blank_field,
    },
}

ABILITY_SLOTS: dict[str, dict[str, str]] = {
    "batter": {"direction": "direction", "location": "location", "mvp": "mvp", "trait": "trait"},
    "pitcher": {"direction": "direction", "location": "location", "ace": "ace_ability", "trait": "trait"},
}
"""Field of each ability slot, by kind of card."""


@dataclass(frozen=True)
class NinthPlayer:
    """A card. `quick` is +1 speed or +1 fielding, with which a 4 wins the race too (BN-107, BN-108).

    `abilities` are by slot, see `ABILITY_SLOTS`. The players enter the effects of a `blank` card.
    """

    name: str
    quick: bool
    unopposed: bool
    abilities: Mapping[str, tuple[CardAbility, ...]]
    blank: bool

    @cached_property
    def abilities_by_phase(self) -> Mapping[tuple[str, str], list[tuple[str, int, CardAbility]]]:
        """The abilities by phase and turn, each with its slot and its place there, from 1."""
        found: dict[tuple[str, str], list[tuple[str, int, CardAbility]]] = defaultdict(list)
        for slot, printed in self.abilities.items():
            for place, ability in enumerate(printed, 1):
                turn = ability.effect.verb if ability.effect.verb in ORDER_IN_PHASE else ""
                found[ability.phase, turn].append((slot, place, ability))
        return found


@dataclass(frozen=True)
class NinthBatter(NinthPlayer):
    """A batter. `positions` are as printed, see `POSITION_MARKS`."""

    positions: tuple[str, ...]


@dataclass(frozen=True)
class NinthPitcher(NinthPlayer):
    """A pitcher. `role` is one of `PITCHER_ROLES`, `ace` the (direction, location) of the ace pitch."""

    role: str
    ace: tuple[str, str]


@dataclass(frozen=True, slots=True)
class DraftPool:
    """The cards that the two managers choose from, in deck order."""

    batters: tuple[NinthBatter, ...] = ()
    pitchers: tuple[NinthPitcher, ...] = ()

    def pitchers_for_role(self, role: str, house: Mapping[str, str]) -> tuple[NinthPitcher, ...]:
        """Return the pitchers marked for a role, and those without a mark (BN-023, BN-024, A22)."""
        loose = house["strictPitcherRoles"] == "false"
        return tuple(pitcher for pitcher in self.pitchers if loose or pitcher.role in (role, "either"))


def build_draft_pool(cards: Sequence[Card], house: Mapping[str, str]) -> DraftPool:
    """Build the players. Raises DeckError for duplicate names, blank cards with abilities, or too few cards."""
    faults: list[DeckFault] = []
    names: set[str] = set()
    for card in cards:
        if card.fields["name"] in names:
            faults.append(card.field_fault("name", f"there are two cards named {card.fields['name']}."))
        names.add(card.fields["name"])
        if card.fields["blank"]:
            faults += [
                card.field_fault(field, "a blank card has no abilities; leave out this or blank.")
                for field in ABILITY_SLOTS[card.kind].values()
                if card.fields[field]
            ]
    batters = tuple(_build_batter(card) for card in cards if card.kind == "batter")
    found = DraftPool(batters, tuple(_build_pitcher(card) for card in cards if card.kind == "pitcher"))
    files = ", ".join(dict.fromkeys(card.file for card in cards))
    if len(ready_made_lineup(found.batters, house)) < LINEUP_SIZE:
        faults.append(DeckFault(files, "batters", "positions", "six must be able to stand at six different positions."))
    starters, relievers = (found.pitchers_for_role(role, house) for role in ("starter", "reliever"))
    if not any(starter is not reliever for starter in starters for reliever in relievers):
        faults.append(DeckFault(files, "pitchers", "role", "needs a starter and a reliever, two different cards."))
    if faults:
        raise DeckError(*faults)
    return found


def _build_batter(card: Card) -> NinthBatter:
    of = card.fields
    return NinthBatter(of["name"], of["speed"], of["unopposed"], _slot_abilities(card), of["blank"], of["positions"])


def _build_pitcher(card: Card) -> NinthPitcher:
    of = card.fields
    direction, location = of["ace"].split("-")
    ace = (direction, location)
    return NinthPitcher(
        of["name"], of["fielding"], of["unopposed"], _slot_abilities(card), of["blank"], of["role"], ace
    )


def _slot_abilities(card: Card) -> dict[str, tuple[CardAbility, ...]]:
    return {slot: card.fields[field] for slot, field in ABILITY_SLOTS[card.kind].items()}


# Lineups ---------------------------------------------------------------------------------------------------------


def playable_positions(batter: NinthBatter, house: Mapping[str, str]) -> tuple[str, ...]:
    """Return the positions that a batter can play. A13 decides whether the catcher is an infielder."""
    infield = ("C", *INFIELD_POSITIONS) if house["infieldPositions"] == "withCatcher" else INFIELD_POSITIONS
    any_of = {"IF": infield, "OF": OUTFIELD_POSITIONS, "UT": (*infield, *OUTFIELD_POSITIONS)}
    return tuple(position for mark in batter.positions for position in any_of.get(mark, (mark,)))


def can_play_together(batters: Iterable[NinthBatter], house: Mapping[str, str]) -> bool:
    """True if each of them can play a different position (BN-017)."""
    standing: dict[str, tuple[str, ...]] = {}

    def find_position(can: tuple[str, ...], tried: set[str]) -> bool:
        """Take a free position, or one whose holder can move. Return True if there was one."""
        for position in can:
            if position not in tried:
                tried.add(position)
                if position not in standing or find_position(standing[position], tried):
                    standing[position] = can
                    return True
        return False

    return all(find_position(playable_positions(batter, house), set()) for batter in batters)


def pickable_batters(
    deck: Sequence[NinthBatter], picked: Sequence[NinthBatter], house: Mapping[str, str]
) -> tuple[NinthBatter, ...]:
    """Return the batters who may be picked after `picked`. Not checked: that the deck has six who fit."""
    return tuple(batter for batter in deck if batter not in picked and can_play_together((*picked, batter), house))


def ready_made_lineup(deck: Sequence[NinthBatter], house: Mapping[str, str]) -> tuple[NinthBatter, ...]:
    """Return the first six who fit, or fewer, in deck order."""
    picked: tuple[NinthBatter, ...] = ()
    for batter in deck:
        if len(picked) < LINEUP_SIZE and batter not in picked and can_play_together((*picked, batter), house):
            picked = (*picked, batter)
    return picked
