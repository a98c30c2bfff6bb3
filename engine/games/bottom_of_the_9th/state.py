"""The state of a game of Bottom of the 9th."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine import game
from engine.cards import Card
from engine.diamond import EMPTY, Bases
from engine.dice import Face
from engine.games.bottom_of_the_9th.cards import Batter, Cards, Pitcher, Player, deal
from engine.games.bottom_of_the_9th.effects import Effect
from engine.seats import Seat, other

PARTS = ("direction", "location")
"""The two parts of a pitch, in order; each has a token and a row on the fatigue track."""

TOP = 0
"""The row where a starter's fatigue tokens begin (BN-028, A3). Rows count downward."""


@dataclass(frozen=True, slots=True)
class Done:
    """An effect that an ability had on this pitch, with the seat and the slot of its card."""

    seat: Seat
    slot: str
    effect: Effect


@dataclass(frozen=True)
class Pitch:
    """One pitch so far. Dice are natural, as rolled; `done` has what abilities did to them.

    `thrown` and `guess` are (direction, location), empty before the reveal. `count` has the balls and strikes before
    it, `called` its result once it has counted. `race` is "", "open", "safe" or "out".
    """

    thrown: tuple[str, ...] = ()
    guess: tuple[str, ...] = ()
    count: tuple[int, int] = (0, 0)
    control: int | None = None
    letter: str | None = None
    swing: int | None = None
    bonus: int | None = None
    done: tuple[Done, ...] = ()
    called: str = ""
    race: str = ""
    over: bool = False
    """True after the cleanup, when the tokens are back with their owners (BN-045)."""

    @cached_property
    def cancelled(self) -> frozenset[tuple[Seat, str]]:
        """The slots that are canceled. A slot that is off does not act, so it cancels nothing."""
        return frozenset([(other(one.seat), one.effect.what) for one in self.done if one.effect.verb == "cancel"])

    @cached_property
    def standing(self) -> tuple[Done, ...]:
        """What abilities did, without those that were canceled."""
        return tuple([one for one in self.done if (one.seat, one.slot) not in self.cancelled])


@dataclass(slots=True)
class State(game.State):
    """The complete state. Home bats and away pitches all game (BN-009); names stand for runners."""

    cards: Cards = field(default_factory=Cards)
    house: Mapping[str, str] = field(default_factory=dict)

    lineup: tuple[Batter, ...] = ()
    """The batters left, beginning with the one at the plate (BN-018, BN-130)."""
    pitcher: Pitcher | None = None
    """The current pitcher; None until both sides are set up."""
    reliever: Pitcher | None = None
    """The pitcher who may still come in (BN-027, BN-127)."""
    rows: tuple[int, int] = (TOP, TOP)
    """The rows of the fatigue tokens, by part (BN-028)."""
    floor: int = TOP
    """The top row that they may return to (BN-126)."""

    balls: int = 0
    strikes: int = 0
    outs: int = 0
    bases: Bases[str] = EMPTY
    pitch: Pitch = Pitch()
    """The current pitch, or the last one."""
    cleanup: str = ""
    """The pitcher's choice now: "at-bat" (it is over: relief or the bench), "bench" (only that), or "" (none)."""
    spent: frozenset[tuple[str, str]] = frozenset()
    """The used abilities: for how long ("at-bat" or "game"), and which."""
    dice: tuple[Face, ...] = ()
    """The last roll."""

    @property
    def batter(self) -> Batter:
        """The batter at the plate."""
        return self.lineup[0]

    @property
    def mound(self) -> Pitcher:
        """The current pitcher, once both sides are set up."""
        assert self.pitcher is not None
        return self.pitcher

    @property
    def bottom(self) -> int:
        """The last row of the fatigue track (A3)."""
        return int(self.house["bottomRow"])

    @property
    def ace_on(self) -> bool:
        """True if the ace pitch was thrown, and not guessed completely (BN-046 to BN-049, A2)."""
        aces = [part for part, ace in zip(self.pitch.thrown, self.mound.ace, strict=False) if part == ace]
        needed = 2 if self.house["aceNeedsBothParts"] == "true" else 1
        return not self.pitch.over and len(aces) >= needed and self.pitch.thrown != self.pitch.guess

    def card(self, seat: Seat) -> Player:
        """Return the card that acts for a seat."""
        return self.batter if seat == "home" else self.mound

    def held(self, seat: Seat) -> tuple[str, ...]:
        """Return the parts whose tokens a seat holds: home those it guessed, away the others (BN-039, BN-040)."""
        if self.pitch.over:
            return ()
        both = zip(PARTS, self.pitch.thrown, self.pitch.guess, strict=False)
        return tuple([part for part, thrown, guess in both if (thrown == guess) == (seat == "home")])

    def exhausted(self) -> tuple[str, ...]:
        """Return the ace's words that may not be thrown, because their token is on the bottom row (BN-055)."""
        return tuple([ace for ace, row in zip(self.mound.ace, self.rows, strict=True) if row == self.bottom])

    def now(self, **changes: Any) -> None:
        """Record more of the current pitch."""
        self.pitch = replace(self.pitch, **changes)


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state before the first pick. Raises DeckError."""
    return State(cards=deal(cards, house), house=house)
