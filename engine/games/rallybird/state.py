"""State of a game of RallyBird, and the values of its Gloves and zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import game
from engine.cards import Card
from engine.diamond import EMPTY_BASES, Bases
from engine.games.rallybird.cards import AtBatCard, RallybirdBox, build_box
from engine.innings import InningClock
from engine.seats import SEATS, Seat, opposite_seat
from engine.secrets import SealedValue

RUNNER_CUBES = (1, 2, 3, 4)
"""The baserunner cubes of a side, as runners."""

REGULATION_INNINGS = 9
"""The last inning, unless the score is tied (RB-002)."""


@dataclass(frozen=True, slots=True)
class PublicAtBat:
    """The public part of an at-bat: the revealed card, its zones with their values, and the roll.

    `worths` are the values at the reveal, even if Gloves change later. `compare` is one of `ROLL_COMPARISONS`, or ""
    before the roll.
    """

    card: AtBatCard | None = None
    tests: tuple[str, ...] = ()
    worths: tuple[int, ...] = ()
    compare: str = ""

    @property
    def target_sum(self) -> int:
        """The total that the dice are compared with."""
        return sum(self.worths)


@dataclass(slots=True)
class State(game.GameState):
    """The complete state. Pairs are (away, home). Away is the visitor (RB-014)."""

    box: RallybirdBox = field(default_factory=RallybirdBox)
    house: Mapping[str, str] = field(default_factory=dict)
    seated: bool = False
    """True when the visitor is known (A19)."""
    clock: InningClock = field(default_factory=InningClock)
    score: tuple[int, int] = (0, 0)
    rally: tuple[bool, bool] = (True, True)
    """True for each side that still has the RallyBird (RB-094, RB-096)."""

    removed: SealedValue[str] | None = None
    """The At Bat card out of this half, visible to its owner only (RB-020 to RB-022)."""
    left_out: str = ""
    """The Glove with the icon out of this half; "" until Defense chooses (RB-028)."""
    backs: frozenset[str] = frozenset()
    """Gloves with the back up (RB-069)."""
    gone: frozenset[str] = frozenset()
    """Gloves removed in this half (RB-067)."""
    outs: int = 0
    bases: Bases[int] = EMPTY_BASES
    batter: int = RUNNER_CUBES[0]

    laid: bool = False
    """True while an At Bat card is face down on the table (RB-032)."""
    lying: tuple[tuple[str, str], ...] = ()
    """The zones that have a Glove, each with its Glove."""
    at_bat: PublicAtBat = PublicAtBat()
    """The current at-bat, or the last one."""
    dice: tuple[int, ...] = ()

    @property
    def offense(self) -> Seat:
        """The seat at bat (RB-019)."""
        return self.clock.batting_seat

    @property
    def defense(self) -> Seat:
        return opposite_seat(self.offense)

    @property
    def gloves_in_play(self) -> tuple[str, ...]:
        """The Gloves in play, in deck order (RB-030)."""
        return tuple([name for name in self.box.gloves if name != self.left_out and name not in self.gone])

    def is_behind(self, seat: Seat) -> bool:
        side = SEATS.index(seat)
        return self.score[side] < self.score[1 - side]

    def update_at_bat(self, **changes: Any) -> None:
        self.at_bat = replace(self.at_bat, **changes)


def initial_state(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state before the first half. Raises DeckError."""
    return State(box=build_box(cards, house), house=house, clock=InningClock(int(house["startInning"])))


# Gloves -------------------------------------------------------------------------------------------------------------


def glove_value(s: State, name: str) -> int:
    """Return the value on the Glove's upper side (RB-009, RB-069)."""
    glove = s.box.gloves[name]
    return glove.back if name in s.backs else glove.front


def zone_value(s: State, zone: str) -> int:
    """Return the value of a zone's Glove, or without one the printed value (RB-041)."""
    lying = dict(s.lying)
    return glove_value(s, lying[zone]) if zone in lying else s.box.zones[zone].printed


def zone_values(s: State, tests: tuple[str, ...]) -> tuple[int, ...]:
    """Return the value of each tested zone, as often as the card names it (RB-040, RB-050, RB-051)."""
    return tuple(zone_value(s, zone) for zone in tests)


def gloves_to_change(s: State, tests: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tested Gloves of which Defense must change one (RB-058 to RB-074). One on its
    back is removed, another is flipped."""
    tested = [glove for zone, glove in s.lying if zone in tests]
    fronts = tuple(glove for glove in tested if glove not in s.backs)
    backs = tuple(glove for glove in tested if glove in s.backs)
    return (fronts if is_last_glove_safe(s) else backs) or fronts


def is_last_glove_safe(s: State) -> bool:
    """True if no Glove on its back may be removed now, because it is the last one (RB-073, A10)."""
    left = (
        s.gloves_in_play
        if s.house["lastGlove"] == "lastInPlay"
        else [one for one in s.gloves_in_play if one in s.backs]
    )
    return len(left) == 1
