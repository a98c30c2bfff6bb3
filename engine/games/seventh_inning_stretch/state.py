"""The state of a season or a duel of 7th Inning Stretch."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from engine import game
from engine.asks import Prompt
from engine.cards import Card
from engine.diamond import EMPTY_BASES, Bases
from engine.games.seventh_inning_stretch.cards import (
    NO_CONDITION,
    OpponentTeam,
    PlayoffCondition,
    StretchBatter,
    StretchBox,
    StretchPitcher,
    build_box,
)
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts
from engine.games.seventh_inning_stretch.house_rules import (
    COACHES_BY_VALUE,
    DIFFICULTIES_BY_VALUE,
    validate_house_rules,
)
from engine.innings import InningClock
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat
from engine.secrets import SealedValue

DICE_COUNT = 12
REROLL_TOKEN_COUNT = 4
NUDGE_TOKEN_COUNT = 4
EXHAUSTION_TOKEN_COUNT = 12
"""Dice, and reroll, +/-1 and exhaustion tokens in the box (SI-001, SI-003); also the most dice in one roll."""

REGULATION_INNINGS = 9
"""The last inning, if a side leads after it."""

PLAYOFF_SERIES = ("semifinals", "finals")
"""The series of the playoffs."""

MANAGER_SEAT: Seat = "home"
"""The seat of the one person of a season, wherever the team plays."""

T = TypeVar("T")

Step = Generator[Prompt, Any, T]
"""A part of a play: it asks, receives checked answers, and returns a T."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice and tokens of an offensive half."""

    dice: int = 0
    rerolls: int = 0
    nudges: int = 0


@dataclass(frozen=True, slots=True)
class StretchSquad:
    """The cards of one manager or coach: `roster` are all of them, the rest belongs to the game under way.

    `laid` is the starting line-up, without substitutes. `slot` is the place of the next batter, from 0 (SI-116).
    """

    roster: tuple[str, ...] = ()
    lineup: tuple[str, ...] = ()
    slot: int = 0
    pitcher: str = ""
    dugout: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()

    @property
    def available_players(self) -> tuple[str, ...]:
        """The players who may still come into the game (SI-042, SI-049)."""
        out = {*self.lineup, self.pitcher, *self.dugout}
        return tuple([name for name in self.roster if name not in out])


@dataclass(slots=True)
class State(game.GameState):
    """The whole state; pairs are (away, home).

    Sides are those of the game under way. In a duel a person's seat is his side. In a season the one manager always
    sits at home, wherever the game is played.
    """

    box: StretchBox = field(default_factory=StretchBox)
    house: Mapping[str, str] = field(default_factory=dict)

    duel: bool = field(init=False)
    """True if two coaches play one game."""

    phase: str = "set-up"
    """The phase: one of regular_season.PHASES, or of duel.PHASES in a duel."""
    supplies: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The cards of tiers 2 and 3 under the top card, in no order: chance draws them."""
    tops: Mapping[int, str] = field(default_factory=dict)
    """The top card of each supply, team side up (SI-011)."""
    drafted: int = 0
    """Completed steps of the draft under way (SI-017), or rounds of a duel's draft."""
    schedule: tuple[str, ...] = ()
    """The cards with the teams still to face; in the playoffs the pile of this series, top first."""
    finals: tuple[str, ...] = ()
    """The pile of the finals, top first (SI-157)."""
    won: tuple[bool, ...] = ()
    """The games of the regular season (SI-139)."""
    series: tuple[bool, ...] = ()
    """The games of this series."""
    stars: int = 0
    levels: tuple[int, int] = (3, 3)
    """The levels of the two playoff cards (SI-159)."""
    green: tuple[bool, bool] = (False, False)
    """True for each that shows Home Field (SI-163)."""
    bought: int = 0
    """Teams bought for the semifinals (SI-160)."""
    veteran: int = 0
    """How often the manager may still use the veteran's die (SI-187)."""

    squads: tuple[StretchSquad, StretchSquad] = (StretchSquad(), StretchSquad())
    """By seat; a season uses only one."""
    tired: Mapping[str, int] = field(default_factory=dict)
    """Exhaustion tokens on each pitcher who has any."""
    hands: tuple[tuple[SealedValue[str], ...], tuple[SealedValue[str], ...]] = ((), ())
    """The hands of a duel's draft, each for its owner's eyes."""

    playing: bool = False
    """True while a game is under way."""
    opponent: str = ""
    """The card with the opposing team; "" in a duel."""
    side: Seat = "home"
    """The side of the season's manager in this game (SI-034)."""
    clock: InningClock = field(default_factory=InningClock)
    score: tuple[int, int] = (0, 0)
    winner: Seat | None = None
    """The side that won, until the game is recorded."""

    begun: bool = False
    """True if this half-inning has begun."""
    pool: Pool = Pool()
    spent: Mapping[str, int] = field(default_factory=dict)
    """Uses in this half of everything that a playoff card may limit."""
    outs: int = 0
    runs: int = 0
    """Runs of this half (SI-111)."""
    bases: Bases[str] = EMPTY_BASES
    rested: bool = True
    """True if the Hitting Coach's die has not been used in this turn (A15)."""
    batter: str = ""
    """The batter at the plate (SI-079)."""
    banned: bool = False
    """True if the defense has used an ability, after which no tokens are allowed (SI-206)."""
    dice: tuple[int, ...] = ()
    """The dice of the last roll, as they are now."""
    now: str = ""
    """What those dice are, with abilities included: outcomes, or the opponent's runs."""
    threw: str = ""
    """The purpose of that roll: its `why`."""
    thrown: int = 0
    """Dice of the pool in the roll under way; they return to the supply once it is resolved."""
    used: frozenset[str] = frozenset()
    """The kinds of tokens used on that roll, "rerolls" and "nudges"."""
    settled: bool = True
    """True if no more tokens may be spent on the dice."""

    def __post_init__(self) -> None:
        self.duel = self.house.get("mode") == "duel"

    # Who is who ------------------------------------------------------------------------------------------------------

    @property
    def has_long_playoffs(self) -> bool:
        """True if the playoffs are long (SI-179)."""
        return self.house["mode"] == "extended"

    def seat_of(self, side: Seat) -> Seat:
        """Return the seat of the person who plays a side; in a season always the manager's."""
        return side if self.duel else MANAGER_SEAT

    @property
    def offense(self) -> Seat:
        """The seat of the side at bat."""
        return self.clock.batting_seat if self.duel else MANAGER_SEAT

    @property
    def defense(self) -> Seat:
        """The seat of the side in the field."""
        return opposite_seat(self.clock.batting_seat) if self.duel else MANAGER_SEAT

    @property
    def is_person_batting(self) -> bool:
        """True if a person bats in this half; otherwise the opponent's card does."""
        return self.duel or self.clock.batting_seat == self.side

    def squad(self, seat: Seat) -> StretchSquad:
        """Return the squad of a seat."""
        return self.squads[SEATS.index(seat)]

    def update_squad(self, seat: Seat, **changes: Any) -> None:
        """Change fields of a squad."""
        self.squads = replace_for_seat(self.squads, seat, replace(self.squad(seat), **changes))

    @property
    def opponent_team(self) -> OpponentTeam:
        """The opponent's team."""
        return self.box.teams[self.opponent]

    @property
    def batter_card(self) -> StretchBatter:
        """The current batter's card (SI-039)."""
        squad = self.squad(self.offense)
        return self.box.batters[squad.lineup[squad.slot]]

    @property
    def pitcher_card(self) -> StretchPitcher:
        """The current pitcher's card, on the side in the field."""
        return self.box.pitchers[self.squad(self.defense).pitcher]

    def bench_players(self, seat: Seat, of: Mapping[str, object]) -> tuple[str, ...]:
        """Return the batters or pitchers on the bench; `of` are all cards of that kind."""
        return tuple([name for name in self.squad(seat).available_players if name in of])

    # What holds now --------------------------------------------------------------------------------------------------

    def has_option(self, what: str) -> bool:
        """True if a difficulty or an assistant coach was chosen, as "rookie" or "hitting"; a duel has none."""
        return (
            not self.duel
            and what in DIFFICULTIES_BY_VALUE[self.house["difficulty"]] | COACHES_BY_VALUE[self.house["coach"]]
        )

    @property
    def playoff_condition(self) -> PlayoffCondition:
        """The condition of the playoff card (SI-171); none outside the playoffs (SI-015)."""
        if self.phase not in PLAYOFF_SERIES:
            return NO_CONDITION
        at = PLAYOFF_SERIES.index(self.phase)
        card = self.box.playoffs[self.phase, self.levels[at]]
        return card.green if self.green[at] else card.grey

    def is_allowed(self, what: str) -> bool:
        """True if the playoff card allows one more use of this, as "rerolls" or "steals"."""
        return self.allowed_count(what, 1) > 0

    def allowed_count(self, what: str, held: int) -> int:
        """Return how many of `held` the playoff card allows now."""
        used = self.spent.get(what, 0)
        return (
            0
            if what in self.playoff_condition.ban
            else min(held, dict(self.playoff_condition.most).get(what, held + used) - used)
        )

    def count_use(self, what: str) -> None:
        """Count a use in this half."""
        self.spent = {**self.spent, what: self.spent.get(what, 0) + 1}

    @property
    def coach_dice(self) -> int:
        """The Hitting Coach's die: 1 if it may be rolled now, else 0 (SI-190, A15)."""
        return int(self.has_option("hitting") and (self.rested or self.house["coachDiePerRoll"] == "true"))

    @property
    def ready_dice(self) -> int:
        """The dice that may be committed to one roll now."""
        return min(self.pool.dice + self.coach_dice, self.playoff_condition.limit or DICE_COUNT, DICE_COUNT)

    @property
    def usable_tokens(self) -> Pool:
        """The tokens that may still be spent on the dice on the table (SI-065, SI-171, SI-206, A5)."""
        if self.settled or self.banned:
            return Pool()
        left = {what: self.allowed_count(what, getattr(self.pool, what)) for what in ("rerolls", "nudges")}
        if self.house["tokensPerRoll"] == "oneEach":
            left = {what: min(count, int(what not in self.used)) for what, count in left.items()}
        return Pool(**left)

    @property
    def supply_left(self) -> Pool:
        """The dice and tokens left in the supply (SI-013, SI-014, A6)."""
        if self.house["supplyLimit"] == "unlimited":
            return Pool(DICE_COUNT, REROLL_TOKEN_COUNT, NUDGE_TOKEN_COUNT)
        aside = self.has_option("hitting") + (self.veteran > 0)
        pool = self.pool
        return Pool(
            max(0, DICE_COUNT - aside - pool.dice - self.thrown),
            REROLL_TOKEN_COUNT - pool.rerolls,
            NUDGE_TOKEN_COUNT - pool.nudges,
        )

    @property
    def guard_facts(self) -> GuardFacts:
        """The facts for conditions, as the side at bat sees them."""
        mine, (first, second, third) = SEATS.index(self.clock.batting_seat), self.bases
        on = first is not None, second is not None, third is not None
        bench = len(self.bench_players(self.offense, self.box.batters)) if self.is_person_batting else 0
        return GuardFacts(self.outs, on, self.clock.inning, self.score[mine] - self.score[1 - mine], bench)


def initial_state(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state before anything is dealt. Raises DeckError or HouseRuleError."""
    state = State(box=build_box(cards), house=validate_house_rules(house))
    state.veteran = int(house["veteranUses"]) if state.has_option("veteran") else 0
    return state
