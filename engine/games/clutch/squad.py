"""One side of a game (lineup, bench, bullpen, strategy cards), base runners, and lines of the box score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.games.clutch.cards.card_types import Roster
from engine.secrets import SealedValue


@dataclass(frozen=True, slots=True)
class BaseRunner:
    """A base runner and the pitcher who is charged if he scores (AM-35). His run is not `earned` if he reached on an
    error. No pitcher is charged with the run of an `automatic` runner (CL-113).
    """

    name: str
    pitcher: str
    earned: bool = True
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class ClutchSquad:
    """One side of the game under way, with its batting order, positions, and the rest of the team.

    order, spots: the batter of each place and his position, in parallel.
    slot: place of the next batter, from 0.
    pitchers: all who have pitched, the one on the mound last.
    gone: players who left the game.
    halved: two-way players who left in one role, "pitcher" or "batter" (CL-088).
    deck, bottom: cards still to be drawn, unordered. They are drawn by chance, `bottom` last (CL-072).
    top: cards that somebody has looked at, the next one first.
    held: size of a hand of real cards, of which nothing else is known.
    """

    roster: Roster
    order: tuple[str, ...] = ()
    spots: tuple[str, ...] = ()
    slot: int = 0
    pitchers: tuple[str, ...] = ()
    bench: tuple[str, ...] = ()
    bullpen: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    halved: Mapping[str, str] = field(default_factory=dict)
    deck: tuple[str, ...] = field(default=(), repr=False)
    """Never show or log it, since the cards missing from it would reveal the hand."""
    bottom: tuple[SealedValue[str], ...] = ()
    top: tuple[SealedValue[str], ...] = ()
    hand: tuple[SealedValue[str], ...] = ()
    held: int = 0
    skips: int = 0  # Draws to skip, as the cost of a card.
    discard: tuple[str, ...] = ()
    coaches: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()  # Used coaches (CL-054).

    @property
    def pitcher(self) -> str:
        """The pitcher on the mound, or "" before the game."""
        return self.pitchers[-1] if self.pitchers else ""

    @property
    def batter(self) -> str:
        """The batter at the plate, or the next one."""
        return self.order[self.slot]

    def player_at(self, position: str) -> str:
        """Return the player at a position, or "" if there is none."""
        return self.order[self.spots.index(position)] if position in self.spots else ""


@dataclass(frozen=True, slots=True)
class BattingLine:
    """A batter's counts in the game. `spot` is his place in the order, from 0. `positions` are those he has played."""

    name: str
    spot: int
    positions: tuple[str, ...] = ()
    pa: int = 0
    ab: int = 0
    r: int = 0
    h: int = 0
    doubles: int = 0
    triples: int = 0
    hr: int = 0
    rbi: int = 0
    bb: int = 0
    ibb: int = 0
    hbp: int = 0
    so: int = 0
    sf: int = 0
    sac: int = 0
    fc: int = 0
    e: int = 0  # Times he reached on an error.
    gdp: int = 0
    sb: int = 0
    cs: int = 0
