"""State of a game of Bottom of the 9th."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine import game
from engine.cards import Card
from engine.diamond import EMPTY_BASES, Bases
from engine.dice import Face
from engine.games.bottom_of_the_9th.cards import DraftPool, NinthBatter, NinthPitcher, NinthPlayer, build_draft_pool
from engine.games.bottom_of_the_9th.effects import AbilityEffect
from engine.seats import Seat, opposite_seat

PITCH_PARTS = ("direction", "location")
"""The two parts of a pitch, in order. Each has a token and a row on the fatigue track."""

TOP_ROW = 0
"""Row where a starter's fatigue tokens begin (BN-028, A3). Rows count downward."""


@dataclass(frozen=True, slots=True)
class AppliedEffect:
    """An effect on this pitch, with the seat and the slot of its card."""

    seat: Seat
    slot: str
    effect: AbilityEffect


@dataclass(frozen=True)
class Pitch:
    """One pitch so far. Dice are natural, and `done` has the effects of abilities in order.

    `thrown` and `guess` are (direction, location), () before the reveal. `count` is (balls, strikes) before the pitch,
    `called` its result after it counts. `race` is "", "open", "safe" or "out".
    """

    thrown: tuple[str, ...] = ()
    guess: tuple[str, ...] = ()
    count: tuple[int, int] = (0, 0)
    control: int | None = None
    letter: str | None = None
    swing: int | None = None
    bonus: int | None = None
    done: tuple[AppliedEffect, ...] = ()
    called: str = ""
    race: str = ""
    over: bool = False
    """True after the cleanup, when the tokens are back with their owners (BN-045)."""

    @cached_property
    def canceled_slots(self) -> frozenset[tuple[Seat, str]]:
        """The canceled slots. A slot that is off does not act, so it cancels nothing."""
        return frozenset(
            [(opposite_seat(one.seat), one.effect.what) for one in self.done if one.effect.verb == "cancel"]
        )

    @cached_property
    def effects_in_force(self) -> tuple[AppliedEffect, ...]:
        return tuple([one for one in self.done if (one.seat, one.slot) not in self.canceled_slots])


@dataclass(slots=True)
class State(game.GameState):
    """The complete state. Home bats and away pitches all game (BN-009). Runners are names."""

    cards: DraftPool = field(default_factory=DraftPool)
    house: Mapping[str, str] = field(default_factory=dict)

    lineup: tuple[NinthBatter, ...] = ()
    """The remaining batters, from the one at the plate (BN-018, BN-130)."""
    pitcher: NinthPitcher | None = None
    """The current pitcher; None until setup is over."""
    reliever: NinthPitcher | None = None
    """The pitcher who may still come in (BN-027, BN-127)."""
    rows: tuple[int, int] = (TOP_ROW, TOP_ROW)
    """Rows of the fatigue tokens, by part (BN-028)."""
    floor: int = TOP_ROW
    """The top row for the fatigue tokens (BN-126)."""

    balls: int = 0
    strikes: int = 0
    outs: int = 0
    bases: Bases[str] = EMPTY_BASES
    pitch: Pitch = Pitch()
    """The current pitch, or the last one."""
    cleanup: str = ""
    """The pitcher's choice now, "at-bat" (relief or the bench), "bench" (only that), or "" (none)."""
    spent: frozenset[tuple[str, str]] = frozenset()
    """The used abilities, as ("at-bat" or "game", which)."""
    dice: tuple[Face, ...] = ()

    @property
    def batter(self) -> NinthBatter:
        return self.lineup[0]

    @property
    def current_pitcher(self) -> NinthPitcher:
        """The current pitcher. Setup must be over."""
        assert self.pitcher is not None
        return self.pitcher

    @property
    def bottom_row(self) -> int:
        """The last row of the fatigue track (A3)."""
        return int(self.house["bottomRow"])

    @property
    def is_ace_on(self) -> bool:
        """True if the ace pitch was thrown and not guessed completely (BN-046 to BN-049, A2)."""
        aces = [part for part, ace in zip(self.pitch.thrown, self.current_pitcher.ace, strict=False) if part == ace]
        needed = 2 if self.house["aceNeedsBothParts"] == "true" else 1
        return not self.pitch.over and len(aces) >= needed and self.pitch.thrown != self.pitch.guess

    def acting_card(self, seat: Seat) -> NinthPlayer:
        return self.batter if seat == "home" else self.current_pitcher

    def held_tokens(self, seat: Seat) -> tuple[str, ...]:
        """Return the parts whose tokens a seat holds. Home holds those it guessed, away the others (BN-039, BN-040)."""
        if self.pitch.over:
            return ()
        both = zip(PITCH_PARTS, self.pitch.thrown, self.pitch.guess, strict=False)
        return tuple([part for part, thrown, guess in both if (thrown == guess) == (seat == "home")])

    def exhausted_parts(self) -> tuple[str, ...]:
        """Return the parts of the ace pitch that may not be thrown, with their token on the bottom row (BN-055)."""
        return tuple(
            [ace for ace, row in zip(self.current_pitcher.ace, self.rows, strict=True) if row == self.bottom_row]
        )

    def update_pitch(self, **changes: Any) -> None:
        self.pitch = replace(self.pitch, **changes)


def initial_state(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state before the first pick. Raises DeckError."""
    return State(cards=build_draft_pool(cards, house), house=house)
