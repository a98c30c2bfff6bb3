"""The state of a game of Clutch, and of the series it belongs to."""

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

REGULATION_INNINGS = 9  # The last inning, if a side leads after it (CL-146).

DECK_SIZE = 50  # Strategy cards in a deck (CL-047).

SidePlayer = tuple[Seat, str]  # A player and his side: both sides may have the same card.

T = TypeVar("T")

Step = Generator[Prompt, Any, T]  # A part of a play: it asks, receives checked answers, and returns a T.

FactsBuilder = Callable[["State"], Facts]  # Facts of an ask, worked out when somebody looks.


@dataclass(frozen=True, slots=True)
class EffectInForce:
    """An effect of a card that is in force: it changes a number or a die, or allows or forbids something.

    `side` is the card's owner, None for a stadium or the weather. The amount of `effect` is settled. `on` is the player
    it applies to, if it is one player's. `window` is where the card was played. `lasts` is how long it holds; if that
    is counted in half-innings, `ends` is the number of the last one. `who` are conditions on the players whose numbers
    it changes, as a stadium's bonuses have them (CL-064).
    """

    source: str
    side: Seat | None
    effect: CardEffect
    lasts: EffectDuration
    window: str = ""
    on: SidePlayer | None = None
    ends: int = 0
    who: tuple[Condition, ...] = ()
    number: int = 0  # The at-bat in which it began.


@dataclass(frozen=True, slots=True)
class CardInPlay:
    """A card that stays in play: a Momentum card, one left on the player `on`, or a coach with a lasting effect."""

    name: str
    side: Seat
    kind: str
    on: SidePlayer | None = None
    ends: int = 0


@dataclass(frozen=True, slots=True)
class PlayedCard:
    """A card played in this at-bat, and the window in which it was played (AM-04)."""

    name: str
    side: Seat
    kind: str
    window: str


class ClutchAtBat(NamedTuple):
    """The at-bat under way (3.8).

    `read` is the result on the chart, `result` the result with all changes so far, and `outcome` the final one. `chart`
    is whose chart was read, "batter" or "pitcher". `on_base_bonus` and `swing_bonus` come from intentional walks
    before, `pitch_bonus` from two missed bunts. `changed` are the managers who have changed the result (CL-186).
    `tries` says which runners tried last for which bases. `tags` are all events so far, for cards that wait for one.
    `replied` are the sides that have used their late substitution (AM-03). `content` are those who said that they play
    no card before the pitch, until something else happens; `swings` is True if the side at bat said with it that it
    swings away.
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
    read: str = ""
    result: str = ""
    error_bases: int = 1
    changed: frozenset[Seat] = frozenset()
    outcome: str = ""
    tags: frozenset[str] = frozenset()
    replied: frozenset[Seat] = frozenset()
    content: frozenset[Seat] = frozenset()
    swings: bool = False


@dataclass(frozen=True, slots=True)
class ThrowOrCheck:
    """A throw or a check that is under way (3.11).

    `kind` is "steal", "hit", "tag", "ground", "infield-in", "double-play", "card", or "check" for a check. `unit` is
    "battery", "infield", "outfield" or positions joined by "+". The throw is at `runner` on his way to `base`, 1 to 4.
    It is compared with his `speed`, "br" or "st", plus his `bonus`; `help` is the bonus of the fielders. A check must
    reach `target`. `says` is what the card that calls for it does, as a sentence before another one; "" without a card.
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
    made: bool | None = None  # True if the defense succeeded: an out, or a check that was made.

    @property
    def roll_kind(self) -> str:
        """The kind of roll: "throw" or "check"."""
        return "check" if self.kind == "check" else "throw"


@dataclass(frozen=True, slots=True)
class PendingEffects:
    """Effects of a card that wait for the success or failure of a play (CL-225). `of` decides: "throw" or "check" is
    the one under way; "result" is a success if the result is `to` in the end; "at-bat" asks whether the batter reached.
    """

    source: str
    side: Seat
    of: str
    to: str
    success: tuple[CardEffect, ...]
    failure: tuple[CardEffect, ...]


@dataclass(frozen=True, slots=True)
class PlateAppearance:
    """A completed plate appearance, for cards and records that look back."""

    batter: str
    pitcher: str
    outcome: str
    reached: bool
    side: Seat


@dataclass(frozen=True, slots=True)
class CardActions:
    """Plays that a card can set off, and that belong to other chapters of the rules. The play code opens windows for
    cards, so the code of cards cannot import it in turn. `rules.py` puts this table together.
    """

    throw: Callable[[State, ThrowOrCheck], Step[bool]]  # Throw at a runner; True if he is out.
    check: Callable[[State, str, int, str], Step[bool]]  # Make a check of a unit; True if it is made.
    replies: Callable[[State, Seat], tuple[str, ...]]
    """Return the substitutions with which a side may answer a card, as codes."""
    substitute: Callable[[State, Seat, str], Step[bool]]
    """Make a substitution, by its code; True unless the manager changed his mind."""
    remove: Callable[[State, Seat, str], Step[None]]  # Take a player out of the game, and have somebody replace him.


@dataclass(slots=True)
class State(game.GameState):
    """The whole state. Pairs are (away, home) of the game under way, unless a comment says otherwise. In a series the
    managers keep their chairs and change sides: `home` is the chair of the home side.
    """

    box: ClutchBox = field(default_factory=ClutchBox)
    house: Mapping[str, str] = field(default_factory=dict)
    actions: CardActions = field(kw_only=True, repr=False)

    phase: str = "rosters"  # What comes next: a key of rules.PHASES.
    home: Seat = "home"
    first: Seat = "home"  # The chair that won the roll: at home in games 1, 3, 5 and 7 (CL-059).
    game: int = 1
    won: tuple[int, int] = (0, 0)  # Games won in the series, by chair.
    rosters: tuple[str, str] = ("", "")  # The roster of each chair.
    rotations: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    laid: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = ((), ())
    """By chair: the line-up that began the last game, each batter with his position."""
    rests: tuple[Mapping[str, PitcherRest], Mapping[str, PitcherRest]] = field(default_factory=lambda: ({}, {}))
    """By chair: the rest that each pitcher owes before this game."""

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
    begun: bool = False  # True if this half-inning has begun.
    outs: int = 0
    bases: Bases[BaseRunner] = EMPTY_BASES
    runs: int = 0  # Runs of this half-inning.
    turns: tuple[PlateAppearance, ...] = ()  # Plate appearances of this half-inning.
    retired: tuple[str, ...] = ()  # Who was put out since the last event that says so.
    last: tuple[str, ...] = ()  # Outcomes of the game so far, in order.
    walked: int = 0  # Intentional walks in a row, in this half-inning (CL-317 to CL-321).

    at: ClutchAtBat = field(default_factory=ClutchAtBat)
    throw: ThrowOrCheck | None = None
    standing: tuple[EffectInForce, ...] = ()
    kept: tuple[CardInPlay, ...] = ()
    pending: tuple[PendingEffects, ...] = ()
    muted: frozenset[tuple[Seat, str]] = frozenset()  # Asks that a chair has muted for this half-inning.
    skipped: tuple[tuple[SealedValue[str], ...], tuple[SealedValue[str], ...]] = ((), ())
    """By chair, for its eyes only: windows of this at-bat in which it could have played a card but had muted them."""
    number: int = 0  # The number of the at-bat, from 1 in each game.
    uses: tuple[tuple[str, int, int], ...] = ()
    """Cards, stadiums and weather that did something in this game: (name, half-inning, at-bat)."""
    negated: bool = False  # True if the card that is being played takes no effect (CL-222).
    acting: tuple[str, ...] = ()
    """The stadium and the weather while they take effect: what they set off does not set them off again."""
    playing: Seat | None = None  # The side whose card is being played, while cards may answer it.
    dice: tuple[int, ...] = ()
    ended: str = ""  # Why the game under way is over, until it is recorded.

    full: bool = field(init=False)  # True if strategy cards, coaches and stadiums are in use (CL-023).
    basic: bool = field(init=False)  # True if neither those cards nor the rules of section 4 are in use.
    dealt: bool = field(
        init=False
    )  # True if the machine deals the strategy cards; otherwise real ones are on the table.

    def __post_init__(self) -> None:
        level = self.house.get("level")
        self.full, self.basic, self.dealt = level == "full", level == "basic", self.house.get("hands") == "dealt"

    # Who is who ------------------------------------------------------------------------------------------------------

    @property
    def away_chair(self) -> Seat:
        """The chair of the away side."""
        return opposite_seat(self.home)

    def chair(self, side: Seat) -> Seat:
        """Return the chair of a side's manager."""
        return side if self.home == "home" else opposite_seat(side)

    @property
    def offense(self) -> Seat:
        """The side at bat."""
        return "home" if self.clock.half == "bottom" else "away"

    @property
    def defense(self) -> Seat:
        """The side in the field."""
        return "away" if self.clock.half == "bottom" else "home"

    def squad(self, side: Seat) -> ClutchSquad:
        """Return the squad of a side."""
        return self.squads[side == "home"]

    def update_squad(self, side: Seat, **changes: Any) -> None:
        """Change fields of a squad."""
        self.squads = replace_for_seat(self.squads, side, replace(self.squad(side), **changes))

    def update_at_bat(self, **changes: Any) -> None:
        """Change fields of the at-bat."""
        self.at = self.at._replace(**changes)

    @property
    def batter_card(self) -> ClutchBatter:
        """The card of the batter at the plate (CL-227)."""
        squad = self.squads[self.clock.half == "bottom"]
        return self.box.batters[squad.order[squad.slot]]

    @property
    def pitcher_card(self) -> ClutchPitcher:
        """The card of the pitcher on the mound."""
        return self.box.pitchers[self.squads[self.clock.half == "top"].pitchers[-1]]

    @property
    def current_throw(self) -> ThrowOrCheck:
        """The throw or check under way. Raises AssertionError without one."""
        assert self.throw is not None
        return self.throw

    @property
    def current_record(self) -> PitcherRecord:
        """The record of the pitcher on the mound."""
        top = self.clock.half == "top"
        return self.arms[top][self.squads[top].pitchers[-1]]

    def store_record(self, side: Seat, arm: PitcherRecord) -> None:
        """Store a pitcher's record."""
        arms = self.arms[SEATS.index(side)]
        if arm is not arms.get(arm.name):
            self.arms = replace_for_seat(self.arms, side, {**arms, arm.name: arm})

    def team_name(self, side: Seat) -> str:
        """Return the name of a side."""
        return self.seat_name(self.chair(side), self.squad(side).roster.name)

    # What holds now --------------------------------------------------------------------------------------------------

    @property
    def run_differential(self) -> int:
        """Runs that the losing side needs to tie (CL-157)."""
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
        """The number of this half-inning, from 0."""
        return (self.clock.inning - 1) * 2 + (self.clock.half == "bottom")

    def hand_size(self, side: Seat) -> int:
        """Return how many strategy cards a manager holds, which is public."""
        squad = self.squads[side == "home"]
        return len(squad.hand) if self.dealt else squad.held

    def cards_left(self, side: Seat) -> int:
        """Return how many cards a manager can still draw."""
        squad = self.squad(side)
        if self.dealt:
            return len(squad.deck) + len(squad.bottom) + len(squad.top)
        in_play = sum(one.side == side and one.kind == "strategy" for one in self.kept)
        return max(0, DECK_SIZE - squad.held - len(squad.discard) - in_play)
