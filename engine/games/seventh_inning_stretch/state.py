"""State of a season or a duel of 7th Inning Stretch."""

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
"""Dice in the box, and the most in one roll (SI-001, SI-003)."""
REROLL_TOKEN_COUNT = 4
"""Reroll tokens in the box (SI-003)."""
NUDGE_TOKEN_COUNT = 4
"""+/-1 tokens in the box (SI-003)."""
EXHAUSTION_TOKEN_COUNT = 12
"""Exhaustion tokens in the box (SI-003)."""

REGULATION_INNINGS = 9
"""The last inning, unless the score is tied."""

PLAYOFF_SERIES = ("semifinals", "finals")
"""The series of the playoffs, in order."""

MANAGER_SEAT: Seat = "home"
"""The seat of a season's only manager, wherever the team plays."""

T = TypeVar("T")

Step = Generator[Prompt, Any, T]
"""A part of a play that asks, receives checked answers, and returns a T."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice and tokens of an offensive half."""

    dice: int = 0
    rerolls: int = 0
    nudges: int = 0


@dataclass(frozen=True, slots=True)
class StretchSquad:
    """The cards of one manager or coach. `roster` has all of them. The other fields belong to the current game.

    `laid` is the starting lineup, without substitutes. `slot` is the next batter's index in `lineup` (SI-116).
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
    """The complete state. Pairs are (away, home), for the sides of the current game.

    In a duel, seat and side are the same. In a season the manager has the home seat even when the team plays away.
    """

    box: StretchBox = field(default_factory=StretchBox)
    house: Mapping[str, str] = field(default_factory=dict)

    duel: bool = field(init=False)
    """True if two coaches play one game."""

    phase: str = "set-up"
    """One of `SEASON_PHASES`, or of `DUEL_PHASES` in a duel."""
    supplies: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Cards of tiers 2 and 3 under the top card, by tier. The order has no meaning, because draws are random."""
    tops: Mapping[int, str] = field(default_factory=dict)
    """The top card of each supply, team side up (SI-011)."""
    drafted: int = 0
    """Completed steps of the current draft (SI-017), or rounds of a duel's draft."""
    schedule: tuple[str, ...] = ()
    """Cards of the teams still to face. In the playoffs it is the pile of this series, top first."""
    finals: tuple[str, ...] = ()
    """The pile of the finals, top first (SI-157)."""
    won: tuple[bool, ...] = ()
    """Results of the regular season's games (SI-139)."""
    series: tuple[bool, ...] = ()
    """Results of this series' games."""
    stars: int = 0
    levels: tuple[int, int] = (3, 3)
    """Levels of the two playoff cards (SI-159)."""
    green: tuple[bool, bool] = (False, False)
    """True for each playoff card on its Home Field side (SI-163)."""
    bought: int = 0
    """Teams bought for the semifinals (SI-160)."""
    veteran: int = 0
    """Remaining uses of the veteran's die (SI-187)."""

    squads: tuple[StretchSquad, StretchSquad] = (StretchSquad(), StretchSquad())
    """Squads by seat. A season uses only one."""
    tired: Mapping[str, int] = field(default_factory=dict)
    """Exhaustion tokens by pitcher, without zeros."""
    hands: tuple[tuple[SealedValue[str], ...], tuple[SealedValue[str], ...]] = ((), ())
    """Hands of a duel's draft, each visible to its owner only."""

    playing: bool = False
    opponent: str = ""
    """The card with the opposing team; "" in a duel."""
    side: Seat = "home"
    """The manager's side in this game of a season (SI-034)."""
    clock: InningClock = field(default_factory=InningClock)
    score: tuple[int, int] = (0, 0)
    winner: Seat | None = None
    """The winning side, until the game is recorded."""

    begun: bool = False
    pool: Pool = Pool()
    spent: Mapping[str, int] = field(default_factory=dict)
    """Uses in this half of everything that a playoff card may limit."""
    outs: int = 0
    runs: int = 0
    """Runs of this half (SI-111)."""
    bases: Bases[str] = EMPTY_BASES
    rested: bool = True
    """True if the Hitting Coach's die was not used in this turn (A15)."""
    batter: str = ""
    """The batter at the plate (SI-079)."""
    banned: bool = False
    """True after the defense used an ability, which bans tokens (SI-206)."""
    dice: tuple[int, ...] = ()
    """The last roll after rerolls and changes."""
    now: str = ""
    """Meaning of `dice` with abilities included, as outcomes or the opponent's runs in words."""
    threw: str = ""
    """Purpose of that roll, as its ask's `why`."""
    thrown: int = 0
    """Dice of the pool in the current roll. They return to the supply when it is resolved."""
    used: frozenset[str] = frozenset()
    """Kinds of tokens used on that roll, "rerolls" and "nudges"."""
    settled: bool = True
    """True if no more tokens may be used on the dice."""

    def __post_init__(self) -> None:
        self.duel = self.house.get("mode") == "duel"

    # Sides and seats -------------------------------------------------------------------------------------------------

    @property
    def has_long_playoffs(self) -> bool:
        """True if series have up to seven games (SI-179)."""
        return self.house["mode"] == "extended"

    def seat_of(self, side: Seat) -> Seat:
        """Return the seat that plays a side. In a season it is always the manager's."""
        return side if self.duel else MANAGER_SEAT

    @property
    def offense(self) -> Seat:
        return self.clock.batting_seat if self.duel else MANAGER_SEAT

    @property
    def defense(self) -> Seat:
        return opposite_seat(self.clock.batting_seat) if self.duel else MANAGER_SEAT

    @property
    def is_person_batting(self) -> bool:
        """True if a person bats in this half, not the opponent's card."""
        return self.duel or self.clock.batting_seat == self.side

    def squad(self, seat: Seat) -> StretchSquad:
        return self.squads[SEATS.index(seat)]

    def update_squad(self, seat: Seat, **changes: Any) -> None:
        self.squads = replace_for_seat(self.squads, seat, replace(self.squad(seat), **changes))

    @property
    def opponent_team(self) -> OpponentTeam:
        return self.box.teams[self.opponent]

    @property
    def batter_card(self) -> StretchBatter:
        """The current batter's card (SI-039)."""
        squad = self.squad(self.offense)
        return self.box.batters[squad.lineup[squad.slot]]

    @property
    def pitcher_card(self) -> StretchPitcher:
        """The card of the current pitcher, of the side in the field."""
        return self.box.pitchers[self.squad(self.defense).pitcher]

    def bench_players(self, seat: Seat, of: Mapping[str, object]) -> tuple[str, ...]:
        """Return the names on the bench among the cards `of` one kind, batters or pitchers."""
        return tuple([name for name in self.squad(seat).available_players if name in of])

    # Current limits --------------------------------------------------------------------------------------------------

    def has_variant(self, what: str) -> bool:
        """True if a difficulty or an assistant coach was chosen, such as "rookie" or "hitting". A duel has none."""
        return (
            not self.duel
            and what in DIFFICULTIES_BY_VALUE[self.house["difficulty"]] | COACHES_BY_VALUE[self.house["coach"]]
        )

    @property
    def playoff_condition(self) -> PlayoffCondition:
        """The condition of the playoff card (SI-171), or none outside the playoffs (SI-015)."""
        if self.phase not in PLAYOFF_SERIES:
            return NO_CONDITION
        at = PLAYOFF_SERIES.index(self.phase)
        card = self.box.playoffs[self.phase, self.levels[at]]
        return card.green if self.green[at] else card.grey

    def is_allowed(self, what: str) -> bool:
        """True if the playoff card allows one more of these, such as "rerolls" or "steals"."""
        return self.allowed_count(what, 1) > 0

    def allowed_count(self, what: str, held: int) -> int:
        """Return the number of `held` uses that the playoff card allows now."""
        used = self.spent.get(what, 0)
        return (
            0
            if what in self.playoff_condition.ban
            else min(held, dict(self.playoff_condition.most).get(what, held + used) - used)
        )

    def count_use(self, what: str) -> None:
        self.spent = {**self.spent, what: self.spent.get(what, 0) + 1}

    @property
    def coach_dice_count(self) -> int:
        """1 if the Hitting Coach's die may be rolled now, else 0 (SI-190, A15)."""
        return int(self.has_variant("hitting") and (self.rested or self.house["coachDiePerRoll"] == "true"))

    @property
    def max_dice_count(self) -> int:
        """The most dice that may be committed to one roll now."""
        return min(self.pool.dice + self.coach_dice_count, self.playoff_condition.limit or DICE_COUNT, DICE_COUNT)

    @property
    def usable_tokens(self) -> Pool:
        """Tokens that may still be used on the rolled dice (SI-065, SI-171, SI-206, A5)."""
        if self.settled or self.banned:
            return Pool()
        left = {what: self.allowed_count(what, getattr(self.pool, what)) for what in ("rerolls", "nudges")}
        if self.house["tokensPerRoll"] == "oneEach":
            left = {what: min(count, int(what not in self.used)) for what, count in left.items()}
        return Pool(**left)

    @property
    def supply_left(self) -> Pool:
        """Dice and tokens left in the supply (SI-013, SI-014, A6)."""
        if self.house["supplyLimit"] == "unlimited":
            return Pool(DICE_COUNT, REROLL_TOKEN_COUNT, NUDGE_TOKEN_COUNT)
        aside = self.has_variant("hitting") + (self.veteran > 0)
        pool = self.pool
        return Pool(
            max(0, DICE_COUNT - aside - pool.dice - self.thrown),
            REROLL_TOKEN_COUNT - pool.rerolls,
            NUDGE_TOKEN_COUNT - pool.nudges,
        )

    @property
    def guard_facts(self) -> GuardFacts:
        """Facts for conditions, from the view of the side at bat."""
        mine, (first, second, third) = SEATS.index(self.clock.batting_seat), self.bases
        on = first is not None, second is not None, third is not None
        bench = len(self.bench_players(self.offense, self.box.batters)) if self.is_person_batting else 0
        return GuardFacts(self.outs, on, self.clock.inning, self.score[mine] - self.score[1 - mine], bench)


def initial_state(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state before the deal. Raises DeckError or HouseRuleError."""
    state = State(box=build_box(cards), house=validate_house_rules(house))
    state.veteran = int(house["veteranUses"]) if state.has_variant("veteran") else 0
    return state
