"""Where a game of RallyBird stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import game
from engine.cards import Card
from engine.clock import Clock
from engine.diamond import EMPTY, Bases
from engine.games.rallybird.cards import AtBat, Box, unpack
from engine.seats import SEATS, Seat, other
from engine.secrets import Sealed

CUBES = (1, 2, 3, 4)
"""The baserunner cubes of a side; runners are known by their cube."""

REGULATION = 9
"""The last inning, if somebody leads after it (RB-002)."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An at-bat as far as all have seen it: the card once it is revealed, its zones, what each of them counts, the
    roll.

    `worths` stay what they were at the reveal, whatever the Gloves show later. `compare` is one of COMPARES, or ""
    before the roll.
    """

    card: AtBat | None = None
    tests: tuple[str, ...] = ()
    worths: tuple[int, ...] = ()
    compare: str = ""

    @property
    def target(self) -> int:
        """What the dice are compared with."""
        return sum(self.worths)


@dataclass(slots=True)
class State(game.State):
    """The whole of it; pairs are (away, home). Away is the visitor (RB-014)."""

    box: Box = field(default_factory=Box)
    house: Mapping[str, str] = field(default_factory=dict)
    seated: bool = False
    """It is settled who is the visitor (A19)."""
    clock: Clock = field(default_factory=Clock)
    score: tuple[int, int] = (0, 0)
    rally: tuple[bool, bool] = (True, True)
    """Who has the RallyBird privilege still (RB-094, RB-096)."""

    removed: Sealed[str] | None = None
    """The At Bat card that is out of this half, for its owner's eyes only (RB-020 to RB-022)."""
    left_out: str = ""
    """The Glove with the icon that is out of this half; "" before Defence has chosen (RB-028)."""
    backs: frozenset[str] = frozenset()
    """Gloves that lie on their back (RB-069)."""
    gone: frozenset[str] = frozenset()
    """Gloves removed in this half (RB-067)."""
    outs: int = 0
    bases: Bases[int] = EMPTY
    batter: int = CUBES[0]

    laid: bool = False
    """An At Bat card lies face down now (RB-032)."""
    lying: tuple[tuple[str, str], ...] = ()
    """Zones with the Gloves that lie there."""
    at_bat: Shown = Shown()
    """The at-bat under way, or the last one."""
    dice: tuple[int, ...] = ()
    """The last roll."""

    @property
    def offence(self) -> Seat:
        """Who bats (RB-019)."""
        return self.clock.batting

    @property
    def defence(self) -> Seat:
        """Who lays the Gloves."""
        return other(self.offence)

    @property
    def gloves(self) -> tuple[str, ...]:
        """The Gloves in play, in the order of the deck (RB-030)."""
        return tuple(name for name in self.box.gloves if name != self.left_out and name not in self.gone)

    def behind(self, seat: Seat) -> bool:
        """Whether a side is losing now."""
        side = SEATS.index(seat)
        return self.score[side] < self.score[1 - side]

    def now(self, **changes: Any) -> None:
        """Show more of the at-bat under way."""
        self.at_bat = replace(self.at_bat, **changes)


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Before the first half. Raises DeckError."""
    return State(box=unpack(cards, house), house=house, clock=Clock(int(house["startInning"])))
