"""Where a season or a duel of 7th Inning Stretch stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from engine import game
from engine.cards import Card
from engine.clock import Clock
from engine.diamond import EMPTY, Bases
from engine.games.seventh_inning_stretch.cards import NO_FORCE, Batter, Box, Force, Pitcher, Team, unpack
from engine.games.seventh_inning_stretch.dice.conditions import At
from engine.games.seventh_inning_stretch.house_rules import COACHES, LEVELS, checked
from engine.seats import SEATS, Seat, other, put
from engine.secrets import Sealed

DICE, REROLLS, NUDGES, TOKENS = 12, 4, 4, 12
"""The dice, the reroll, +/-1 and exhaustion tokens in the box (SI-001, SI-003); no more dice are rolled at once."""

REGULATION = 9
"""The last inning, if somebody leads after it."""

SERIES = ("semifinals", "finals")
"""The series of the playoffs."""

MANAGER: Seat = "home"
"""Where the one person of a season sits, wherever the team plays."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice and tokens at hand in an offensive half."""

    dice: int = 0
    rerolls: int = 0
    nudges: int = 0


@dataclass(frozen=True, slots=True)
class Squad:
    """What one manager or coach has: `roster` are all cards, the rest is of the game under way.

    `laid` is the line-up as it was laid, without the substitutes of the game. `slot` is the place in the line-up, from
    0, of who bats next (SI-116).
    """

    roster: tuple[str, ...] = ()
    lineup: tuple[str, ...] = ()
    slot: int = 0
    pitcher: str = ""
    dugout: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()

    @property
    def bench(self) -> tuple[str, ...]:
        """Whoever may still come into the game (SI-042, SI-049)."""
        out = {*self.lineup, self.pitcher, *self.dugout}
        return tuple(name for name in self.roster if name not in out)


@dataclass(slots=True)
class State(game.State):
    """The whole of it; pairs are (away, home).

    Sides are those of the game under way. A person's seat is the same in a duel; in a season the one manager always
    sits at home, wherever the game is played.
    """

    box: Box = field(default_factory=Box)
    house: Mapping[str, str] = field(default_factory=dict)

    phase: str = "set-up"
    """Where the season is: one of season.PHASES; or, of a duel, one of duel.PHASES."""
    supplies: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The cards of tiers 2 and 3 under the top one, in no order: chance draws them."""
    tops: Mapping[int, str] = field(default_factory=dict)
    """The top card of each supply, team side up (SI-011)."""
    drafted: int = 0
    """Steps done of the draft under way (SI-017), or rounds of a duel's."""
    schedule: tuple[str, ...] = ()
    """The cards whose teams are still to be faced; in the playoffs the pile of this series, top first."""
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
    """Which of them show Home Field (SI-163)."""
    bought: int = 0
    """Teams bought for the semi-finals (SI-160)."""
    veteran: int = 0
    """How often the veteran's die may still be called on (SI-187)."""

    squads: tuple[Squad, Squad] = (Squad(), Squad())
    """By seat; a season has but one."""
    tired: Mapping[str, int] = field(default_factory=dict)
    """Exhaustion on the pitchers that have any."""
    hands: tuple[tuple[Sealed[str], ...], tuple[Sealed[str], ...]] = ((), ())
    """The hands of a duel's draft, each for its owner's eyes."""

    playing: bool = False
    """A game is under way."""
    opponent: str = ""
    """The card whose team is faced; "" in a duel."""
    side: Seat = "home"
    """Which side of this game the season's manager has (SI-034)."""
    clock: Clock = field(default_factory=Clock)
    score: tuple[int, int] = (0, 0)
    winner: Seat | None = None
    """The side that won, until the game is written down."""

    begun: bool = False
    """This half-inning has begun."""
    pool: Pool = Pool()
    spent: Mapping[str, int] = field(default_factory=dict)
    """What was used in this half, of what a playoff card limits."""
    outs: int = 0
    runs: int = 0
    """Runs of this half, as on the track (SI-111)."""
    bases: Bases[str] = EMPTY
    rested: bool = True
    """The Hitting Coach's die was not used in this turn (A15)."""
    batter: str = ""
    """Who stands at the plate (SI-079)."""
    banned: bool = False
    """The defence has used an ability: no more tokens (SI-206)."""
    dice: tuple[int, ...] = ()
    """The dice of the last roll, as they lie now."""
    threw: str = ""
    """What they were for: the `why` of that roll."""
    thrown: int = 0
    """The dice of the pool in the roll under way: they go back to the supply once it is resolved."""
    used: frozenset[str] = frozenset()
    """The kinds of tokens used on it, "rerolls" and "nudges"."""
    settled: bool = True
    """The dice stay as they lie: no token more is spent on them."""

    # Who is who ------------------------------------------------------------------------------------------------------

    @property
    def duel(self) -> bool:
        """Two coaches play one game."""
        return self.house["mode"] == "duel"

    @property
    def extended(self) -> bool:
        """The playoffs are long (SI-179)."""
        return self.house["mode"] == "extended"

    def seat(self, side: Seat) -> Seat:
        """Where the person sits who plays a side; in a season that is always the same one."""
        return side if self.duel else MANAGER

    @property
    def offence(self) -> Seat:
        """The seat of whoever bats."""
        return self.seat(self.clock.batting)

    @property
    def defence(self) -> Seat:
        """The seat of whoever pitches."""
        return self.seat(other(self.clock.batting))

    @property
    def batting(self) -> bool:
        """A person bats in this half; else the opponent's card does."""
        return self.duel or self.clock.batting == self.side

    def squad(self, seat: Seat) -> Squad:
        """The squad of a seat."""
        return self.squads[SEATS.index(seat)]

    def change(self, seat: Seat, **changes: Any) -> None:
        """Change something of a squad."""
        self.squads = put(self.squads, seat, replace(self.squad(seat), **changes))

    @property
    def team(self) -> Team:
        """The opponent's team."""
        return self.box.teams[self.opponent]

    @property
    def hitter(self) -> Batter:
        """The current batter's card (SI-039)."""
        squad = self.squad(self.offence)
        return self.box.batters[squad.lineup[squad.slot]]

    @property
    def pitcher(self) -> Pitcher:
        """The current pitcher's card, of whoever defends."""
        return self.box.pitchers[self.squad(self.defence).pitcher]

    def bench(self, seat: Seat, of: Mapping[str, Any]) -> tuple[str, ...]:
        """The bench's batters or pitchers: `of` are the cards of that kind."""
        return tuple(name for name in self.squad(seat).bench if name in of)

    # What holds now --------------------------------------------------------------------------------------------------

    def has(self, what: str) -> bool:
        """Whether a difficulty or an assistant coach is chosen: "rookie", "hitting" …; a duel has none."""
        return not self.duel and what in LEVELS[self.house["difficulty"]] | COACHES[self.house["coach"]]

    @property
    def force(self) -> Force:
        """The condition of the playoff card (SI-171); outside the playoffs none (SI-015)."""
        if self.phase not in SERIES:
            return NO_FORCE
        at = SERIES.index(self.phase)
        card = self.box.playoffs[self.phase, self.levels[at]]
        return card.green if self.green[at] else card.grey

    def allowed(self, what: str) -> bool:
        """Whether the playoff card leaves it allowed, and as often still: "rerolls", "steals" and so on."""
        return self.leaves(what, 1) > 0

    def leaves(self, what: str, held: int) -> int:
        """How many of so many the playoff card leaves to be used now."""
        used = self.spent.get(what, 0)
        return 0 if what in self.force.ban else min(held, dict(self.force.most).get(what, held + used) - used)

    def spend(self, what: str) -> None:
        """Note that it was used in this half."""
        self.spent = {**self.spent, what: self.spent.get(what, 0) + 1}

    @property
    def coached(self) -> int:
        """The Hitting Coach's die, where it may be rolled now: 1 or 0 (SI-190, A15)."""
        return int(self.has("hitting") and (self.rested or self.house["coachDiePerRoll"] == "true"))

    @property
    def ready(self) -> int:
        """The dice that may be committed to one roll now."""
        return min(self.pool.dice + self.coached, self.force.limit or DICE, DICE)

    @property
    def usable(self) -> Pool:
        """The tokens that may still be spent on the dice that lie there (SI-065, SI-171, SI-206, A5)."""
        if self.settled or self.banned:
            return Pool()
        left = {what: self.leaves(what, getattr(self.pool, what)) for what in ("rerolls", "nudges")}
        if self.house["tokensPerRoll"] == "oneEach":
            left = {what: min(count, int(what not in self.used)) for what, count in left.items()}
        return Pool(**left)

    @property
    def supply(self) -> Pool:
        """What is left of dice and tokens (SI-013, SI-014, A6)."""
        if self.house["supplyLimit"] == "unlimited":
            return Pool(DICE, REROLLS, NUDGES)
        aside = self.has("hitting") + (self.has("veteran") and self.veteran > 0)
        pool = self.pool
        return Pool(max(0, DICE - aside - pool.dice - self.thrown), REROLLS - pool.rerolls, NUDGES - pool.nudges)

    @property
    def at(self) -> At:
        """What conditions may look at, from the side at bat."""
        mine = SEATS.index(self.clock.batting)
        first, second, third = (runner is not None for runner in self.bases)
        bench = len(self.bench(self.offence, self.box.batters)) if self.batting else 0
        return At(self.outs, (first, second, third), self.clock.inning, self.score[mine] - self.score[1 - mine], bench)


def start(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Before anything is dealt. Raises DeckError or HouseRuleError."""
    state = State(box=unpack(cards), house=checked(house))
    state.veteran = int(house["veteranUses"]) if state.has("veteran") else 0
    return state
