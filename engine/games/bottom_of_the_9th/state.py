"""Where a game of Bottom of the 9th stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import game
from engine.cards import Card
from engine.diamond import EMPTY, Bases
from engine.dice import Face
from engine.games.bottom_of_the_9th.cards import Batter, Cards, Pitcher, Player, deal
from engine.games.bottom_of_the_9th.effects import Effect
from engine.seats import Seat

PARTS = ("direction", "location")
"""The two parts of a pitch, in the order they are said; each has a token and a row on the fatigue track."""

TOP = 0
"""The row at which a starter's fatigue tokens begin (BN-028, A3). Rows count downwards."""


@dataclass(frozen=True, slots=True)
class Done:
    """An effect that an ability had on this pitch: whose, and from which slot of the card."""

    seat: Seat
    slot: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Pitch:
    """One pitch, as far as it has come. Dice are natural: as they fell; what abilities made of them is in `done`.

    `thrown` and `guess` are (direction, location), empty before the reveal. `race` is "", "open", "safe" or "out".
    """

    thrown: tuple[str, ...] = ()
    guess: tuple[str, ...] = ()
    control: int | None = None
    letter: str | None = None
    swing: int | None = None
    bonus: int | None = None
    done: tuple[Done, ...] = ()
    race: str = ""
    over: bool = False
    """Cleaned up: the tokens are back in their owners' hands (BN-045)."""


@dataclass(slots=True)
class State(game.State):
    """The whole of it. Home bats and away pitches, for the whole game (BN-009); runners are known by their names."""

    cards: Cards = field(default_factory=Cards)
    house: Mapping[str, str] = field(default_factory=dict)

    lineup: tuple[Batter, ...] = ()
    """Who is still to bat, the batter at the plate first (BN-018, BN-130)."""
    pitcher: Pitcher | None = None
    """Who pitches; None until both sides are set up."""
    reliever: Pitcher | None = None
    """Who may still come in (BN-027, BN-127)."""
    rows: tuple[int, int] = (TOP, TOP)
    """Where the fatigue tokens lie, by part (BN-028)."""
    floor: int = TOP
    """The topmost row they may go back to (BN-126)."""

    balls: int = 0
    strikes: int = 0
    outs: int = 0
    bases: Bases[str] = EMPTY
    pitch: Pitch = Pitch()
    """The pitch under way, or the last one."""
    cleanup: str = ""
    """What the round's end has for the pitcher: "at-bat" (it is over), "bench" (he may be benched), or nothing."""
    spent: frozenset[tuple[str, str]] = frozenset()
    """Abilities used up: for how long ("at-bat" or "game"), and which."""
    dice: tuple[Face, ...] = ()
    """The last roll."""

    @property
    def batter(self) -> Batter:
        """Who is at the plate."""
        return self.lineup[0]

    @property
    def mound(self) -> Pitcher:
        """Who pitches, once both sides are set up."""
        assert self.pitcher is not None
        return self.pitcher

    @property
    def bottom(self) -> int:
        """The last row of the fatigue track (A3)."""
        return int(self.house["bottomRow"])

    @property
    def ace_on(self) -> bool:
        """The ace pitch was thrown, and not guessed whole (BN-046 to BN-049, A2)."""
        aces = [part for part, ace in zip(self.pitch.thrown, self.mound.ace, strict=False) if part == ace]
        needed = 2 if self.house["aceNeedsBothParts"] == "true" else 1
        return not self.pitch.over and len(aces) >= needed and self.pitch.thrown != self.pitch.guess

    def card(self, seat: Seat) -> Player:
        """The card that acts for a seat."""
        return self.batter if seat == "home" else self.mound

    def held(self, seat: Seat) -> tuple[str, ...]:
        """The parts whose tokens a seat holds: home those it guessed, away the others (BN-039, BN-040)."""
        if self.pitch.over:
            return ()
        both = zip(PARTS, self.pitch.thrown, self.pitch.guess, strict=False)
        return tuple(part for part, thrown, guess in both if (thrown == guess) == (seat == "home"))

    def exhausted(self) -> tuple[str, ...]:
        """The ace's words that may not be thrown: their token lies on the bottom row (BN-055)."""
        return tuple(ace for ace, row in zip(self.mound.ace, self.rows, strict=True) if row == self.bottom)

    def now(self, **changes: Any) -> None:
        """Note more of the pitch under way."""
        self.pitch = replace(self.pitch, **changes)


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Nobody picked yet. Raises DeckError."""
    return State(cards=deal(cards, house), house=house)
