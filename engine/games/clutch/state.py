"""The state of a game of Clutch and of its series."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from engine import game
from engine.asks import Prompt
from engine.diamond import EMPTY_BASES, Bases
from engine.events import Facts
from engine.games.clutch.cards.card_types import ClutchBatter, ClutchBox, ClutchPitcher, Roster
from engine.games.clutch.cards.effects import CardEffect, Condition, EffectDuration
from engine.games.clutch.pitching.pitcher_record import PitcherRecord
from engine.games.clutch.pitching.rest import PitcherRest
from engine.games.clutch.squad import BaseRunner, BattingLine, ClutchSquad
from engine.innings import InningClock
from engine.seats import SEATS, Seat, opposite_seat, replace_for_seat
from engine.secrets import SealedValue

REGULATION_INNINGS = 9  # The last inning unless the score is tied (CL-146).

DECK_SIZE = 50  # Strategy cards in a deck (CL-047).

SidePlayer = tuple[Seat, str]  # A player with his side, since both sides may have the same card.

T = TypeVar("T")

Step = Generator[Prompt, Any, T]  # Part of a play. It yields asks, receives checked answers, and returns a T.

FactsBuilder = Callable[["State"], Facts]  # Computes the facts of an ask when they are read.


@dataclass(frozen=True, slots=True)
class EffectInForce:
    """A card effect in force, which changes a number or a die, or allows or forbids something.

    side: the card's owner; None for a stadium or the weather.
    effect: with its final amount.
    window: where the card was played.
    on: the only player it applies to, or None.
    ends: number of the last half-inning, if `lasts` counts half-innings.
    who: conditions on the players whose numbers it changes, as for a stadium's bonuses (CL-064).
    """

    source: str
    side: Seat | None
    effect: CardEffect
    lasts: EffectDuration
    window: str = ""
    on: SidePlayer | None = None
    ends: int = 0
    who: tuple[Condition, ...] = ()
    number: int = 0  # At-bat in which it began.


@dataclass(frozen=True, slots=True)
class CardInPlay:
    """A card in play, either a Momentum card, one left on the player `on`, or a coach with a lasting effect."""

    name: str
    side: Seat
    kind: str
    on: SidePlayer | None = None
    ends: int = 0


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card played in this at-bat and the window in which it was played (AM-04)."""

    name: str
    side: Seat
    kind: str
    window: str


class ClutchAtBat(NamedTuple):
    """The at-bat under way (3.8).

    on_base_bonus, swing_bonus: from intentional walks before this at-bat.
    pitch_bonus: from two missed bunts.
    tries: the last runners to try for a base, and the bases.
    chart: whose chart was read, "batter" or "pitcher".
    reader: the player on whose card that is.
    read, result, outcome: result on the chart, with all changes so far, and final.
    changed: managers who have changed the result (CL-186).
    tags: all events so far, for cards that wait for one.
    replied: sides that have used their late substitution (AM-03).
    content: managers who play no card before the pitch, until something else happens.
    swings: true if the side at bat has chosen to swing away at the same time.
    over: true once its last window has closed. What it came to belongs to no card shown from then on.
    """

    played: tuple[PlayedCard, ...] = ()
    on_base_bonus: int = 0
    swing_bonus: int = 0
    pitch_bonus: int = 0
    stolen: bool = False
    tries: str = ""
    bunt: int | None = None
    infield_in: bool = False
    pitch_die: str = "d20"
    pitch_natural: int | None = None
    pitch_roll: int | None = None
    command: int | None = None
    pitch: int | None = None
    on_base: int | None = None
    mistake: bool = False
    advantage: str = ""
    swing_die: str = "d20"
    swing_natural: int | None = None
    swing_roll: int | None = None
    swing: int | None = None
    chart: str = ""
    reader: str = ""
    read: str = ""
    result: str = ""
    error_bases: int = 1
    changed: frozenset[Seat] = frozenset()
    outcome: str = ""
    tags: frozenset[str] = frozenset()
    replied: frozenset[Seat] = frozenset()
    content: frozenset[Seat] = frozenset()
    swings: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class ThrowOrCheck:
    """A throw or check under way (3.11).

    kind: "steal", "hit", "tag", "ground", "infield-in", "double-play" or "card" for a throw; "check" for a check.
    unit: "battery", "infield", "outfield", or positions joined by "+".
    runner, base: the runner thrown at and the base he tries for, 1 to 4.
    speed, bonus: his number the throw must beat, "br" or "st", and what is added to it.
    help: bonus of the fielders.
    target: number that a check must reach.
    says: effect of the card that calls for it, as a sentence before another one; "" without a card.
    """

    kind: str
    unit: str
    runner: str = ""
    base: int = 0
    speed: str = "br"
    bonus: int = 0
    help: int = 0
    target: int = 20
    says: str = ""
    die: str = "d20"
    natural: int | None = None
    roll: int | None = None
    total: int | None = None
    against: int | None = None
    made: bool | None = None  # True for an out, or for a check that was made.

    @property
    def roll_kind(self) -> str:
        """The kind of roll, "throw" or "check"."""
        return "check" if self.kind == "check" else "throw"


@dataclass(frozen=True, slots=True)
class PendingEffects:
    """Card effects that wait for the success or failure of a play (CL-225).

    of: what decides. "throw" or "check" is the one under way. "result" succeeds if the result ends as `to`.
        "at-bat" is decided by whether the batter reaches.
    """

    source: str
    side: Seat
    of: str
    to: str
    success: tuple[CardEffect, ...]
    failure: tuple[CardEffect, ...]


@dataclass(frozen=True, slots=True)
class PlateAppearance:
    """A completed plate appearance, kept for cards and records that look back."""

    batter: str
    pitcher: str
    outcome: str
    reached: bool
    side: Seat


@dataclass(frozen=True, slots=True)
class CardActions:
    """Plays of other chapters that a card can set off. The code of plays opens windows for cards, so the code of cards
    cannot import it. `rules.py` fills this table.
    """

    throw: Callable[[State, ThrowOrCheck], Step[bool]]  # True if the runner is out.
    check: Callable[[State, str, int, str], Step[bool]]  # True if the unit makes the check.
    replies: Callable[[State, Seat], tuple[str, ...]]
    """Codes of the substitutions with which a side may answer a card."""
    substitute: Callable[[State, Seat, str], Step[bool]]
    """Make a substitution by its code. False if the manager changed his mind."""
    remove: Callable[[State, Seat, str], Step[None]]  # Remove a player and replace him.


@dataclass(slots=True)
class State(game.GameState):
    """The complete state. Pairs are (away, home) of the game under way unless a comment says otherwise. In a series the
    managers keep their chairs and change sides. `home` is the chair of the home side.
    """

    box: ClutchBox = field(default_factory=ClutchBox)
    house: Mapping[str, str] = field(default_factory=dict)
    actions: CardActions = field(kw_only=True, repr=False)

    phase: str = "rosters"  # The next play, a key of `rules.PHASE_PLAYS`.
    home: Seat = "home"
    first: Seat = "home"  # Chair that won the roll. It is at home in games 1, 3, 5 and 7 (CL-059).
    game: int = 1
    won: tuple[int, int] = (0, 0)  # Wins in the series, by chair.
    rosters: tuple[str, str] = ("", "")  # By chair.
    rotations: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    laid: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = ((), ())
    """By chair, the starting lineup of the last game, each batter with his position."""
    rests: tuple[Mapping[str, PitcherRest], Mapping[str, PitcherRest]] = field(default_factory=lambda: ({}, {}))
    """By chair, the rest that each pitcher owes before this game."""

    squads: tuple[ClutchSquad, ClutchSquad] = (
        ClutchSquad(Roster("", {}, (), (), (), ())),
        ClutchSquad(Roster("", {}, (), (), (), ())),
    )
    arms: tuple[Mapping[str, PitcherRecord], Mapping[str, PitcherRecord]] = field(default_factory=lambda: ({}, {}))
    """The pitchers of this game."""
    lines: tuple[Mapping[str, BattingLine], Mapping[str, BattingLine]] = field(default_factory=lambda: ({}, {}))
    """The batters of this game, in the order in which they came in."""
    errors: tuple[int, int] = (0, 0)
    stadium: str = ""
    weather: str = ""

    clock: InningClock = field(default_factory=InningClock)
    score: tuple[int, int] = (0, 0)
    begun: bool = False
    outs: int = 0
    bases: Bases[BaseRunner] = EMPTY_BASES
    runs: int = 0  # In this half-inning.
    turns: tuple[PlateAppearance, ...] = ()  # In this half-inning.
    retired: tuple[str, ...] = ()  # Players put out since the last event that names them.
    last: tuple[str, ...] = ()  # Outcomes so far, in order.
    walked: int = 0  # Intentional walks in a row, in this half-inning (CL-317 to CL-321).

    at: ClutchAtBat = field(default_factory=ClutchAtBat)
    throw: ThrowOrCheck | None = None
    standing: tuple[EffectInForce, ...] = ()
    kept: tuple[CardInPlay, ...] = ()
    pending: tuple[PendingEffects, ...] = ()
    muted: frozenset[tuple[Seat, str]] = frozenset()  # Asks that a chair has muted for this half-inning.
    skipped: tuple[tuple[SealedValue[str], ...], tuple[SealedValue[str], ...]] = ((), ())
    """By chair, for its eyes only, the muted windows of this at-bat in which it could have played a card."""
    number: int = 0  # Number of the at-bat, from 1 in each game.
    uses: tuple[tuple[str, int, int], ...] = ()
    """Cards, stadiums and weather that took effect in this game, as (name, half-inning, at-bat)."""
    negated: bool = False  # True if the card being played takes no effect (CL-222).
    acting: tuple[str, ...] = ()
    """The stadium and weather taking effect, so that what they set off does not set them off again."""
    playing: Seat | None = None  # Side whose card is being played, while cards may answer it.
    dice: tuple[int, ...] = ()
    ended: str = ""  # Reason the current game ended; cleared once recorded.

    full: bool = field(init=False)  # True if strategy cards, coaches and stadiums are in use (CL-023).
    basic: bool = field(init=False)  # True without those cards and without the rules of section 4.
    dealt: bool = field(init=False)  # True if Dugout deals the strategy cards, false with real ones.

    def __post_init__(self) -> None:
        level = self.house.get("level")
        self.full, self.basic, self.dealt = level == "full", level == "basic", self.house.get("hands") == "dealt"

    def decline_hidden_offers(self) -> None:
        if self.dealt:
            self.muted |= {(seat, "cards") for seat in SEATS}

    # Sides, chairs and cards -----------------------------------------------------------------------------------------

    @property
    def away_chair(self) -> Seat:
        return opposite_seat(self.home)

    def chair(self, side: Seat) -> Seat:
        return side if self.home == "home" else opposite_seat(side)

    @property
    def offense(self) -> Seat:
        return "home" if self.clock.half == "bottom" else "away"

    @property
    def defense(self) -> Seat:
        return "away" if self.clock.half == "bottom" else "home"

    def squad(self, side: Seat) -> ClutchSquad:
        return self.squads[side == "home"]

    def update_squad(self, side: Seat, **changes: Any) -> None:
        self.squads = replace_for_seat(self.squads, side, replace(self.squad(side), **changes))

    def update_at_bat(self, **changes: Any) -> None:
        self.at = self.at._replace(**changes)

    @property
    def batter_card(self) -> ClutchBatter:
        """The card of the batter at the plate (CL-227)."""
        squad = self.squads[self.clock.half == "bottom"]
        return self.box.batters[squad.order[squad.slot]]

    @property
    def pitcher_card(self) -> ClutchPitcher:
        return self.box.pitchers[self.squads[self.clock.half == "top"].pitchers[-1]]

    @property
    def current_throw(self) -> ThrowOrCheck:
        """The throw or check under way. Raise AssertionError without one."""
        assert self.throw is not None
        return self.throw

    @property
    def current_record(self) -> PitcherRecord:
        top = self.clock.half == "top"
        return self.arms[top][self.squads[top].pitchers[-1]]

    def store_record(self, side: Seat, arm: PitcherRecord) -> None:
        arms = self.arms[SEATS.index(side)]
        if arm is not arms.get(arm.name):
            self.arms = replace_for_seat(self.arms, side, {**arms, arm.name: arm})

    def team_name(self, side: Seat) -> str:
        return self.seat_name(self.chair(side), self.squad(side).roster.name)

    # Situation -------------------------------------------------------------------------------------------------------

    @property
    def run_differential(self) -> int:
        """Runs by which a side leads (CL-157)."""
        return abs(self.score[0] - self.score[1])

    @property
    def has_runner_in_scoring_position(self) -> bool:
        """True if a runner is on second or third (CL-378)."""
        return self.bases[1] is not None or self.bases[2] is not None

    @property
    def is_clutch_moment(self) -> bool:
        """True in a Clutch Moment (CL-156, CL-158, CL-159)."""
        late = self.clock.inning >= 7 and self.run_differential <= 3
        return late or None not in self.bases or (self.outs == 2 and self.has_runner_in_scoring_position)

    @property
    def is_walk_off(self) -> bool:
        """True if the home side has won in the bottom of the ninth or later (CL-152, CL-153)."""
        return self.score[1] > self.score[0] and self.clock.is_walk_off(*self.score, REGULATION_INNINGS)

    @property
    def half_number(self) -> int:
        """Number of this half-inning, from 0."""
        return (self.clock.inning - 1) * 2 + (self.clock.half == "bottom")

    def hand_size(self, side: Seat) -> int:
        """Return the number of strategy cards in a manager's hand, which is public."""
        squad = self.squads[side == "home"]
        return len(squad.hand) if self.dealt else squad.held

    def cards_left(self, side: Seat) -> int:
        squad = self.squad(side)
        if self.dealt:
            return len(squad.deck) + len(squad.bottom) + len(squad.top)
        in_play = sum(one.side == side and one.kind == "strategy" for one in self.kept)
        return max(0, DECK_SIZE - squad.held - len(squad.discard) - in_play)
