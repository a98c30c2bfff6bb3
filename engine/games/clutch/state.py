"""Where a game of Clutch stands, and the series it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from engine import game
from engine.clock import Clock
from engine.diamond import EMPTY, Bases
from engine.games.clutch.cards.card_types import DH, POSITIONS, Batter, Box, Pitcher, Roster
from engine.games.clutch.cards.effects import Condition, Effect, Lasts
from engine.games.clutch.pitching.pitcher_record import Arm
from engine.games.clutch.pitching.rest import Rest
from engine.games.clutch.records.batting_line import Line
from engine.seats import SEATS, Seat, other, put
from engine.secrets import Sealed

REGULATION = 9
"""The last inning, if somebody leads after it (CL-146)."""


DECK = 50
"""Strategy cards of a deck (CL-047)."""


Player = tuple[Seat, str]
"""A player on one of the sides: both may have the same card in their teams."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Who stands on a base, and for whom his run counts (AM-35).

    `pitcher` is charged with it. It is not `earned` if he reached by an error; nobody is charged with the run of an
    `automatic` runner (CL-113).
    """

    name: str
    pitcher: str
    earned: bool = True
    automatic: bool = False


@dataclass(frozen=True, slots=True)
class Squad:
    """One side of the game under way: nine batting places with who fills them, and the rest of the team.

    `order` and `spots` go together: who bats in each place and what he plays. `slot` is the place, from 0, of who bats
    next. `pitchers` are all who pitched, the last one is on the mound. `gone` have left the game; of a two-way player
    only the role he was taken out of is over, as "pitcher" or "batter" in `halved` (CL-088).
    `deck` and `bottom` are cards still to be drawn, in no order: chance draws them, those of `bottom` last (CL-072);
    `top` are those somebody has looked at, first to come. With real cards `held` alone is known of the hand.
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
    """No face shows it, nor any log: by what is missing the hand could be told."""
    bottom: tuple[Sealed[str], ...] = ()
    top: tuple[Sealed[str], ...] = ()
    hand: tuple[Sealed[str], ...] = ()
    held: int = 0
    skips: int = 0
    """Draws that are left out, as a card's cost."""
    discard: tuple[str, ...] = ()
    coaches: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    """Coaches that were used (CL-054)."""

    @property
    def pitcher(self) -> str:
        """Who is on the mound; "" before the game."""
        return self.pitchers[-1] if self.pitchers else ""

    @property
    def batter(self) -> str:
        """Who bats next, or bats now."""
        return self.order[self.slot]

    def playing(self, position: str) -> str:
        """Who plays a position; "" if nobody does."""
        return self.order[self.spots.index(position)] if position in self.spots else ""


@dataclass(frozen=True, slots=True)
class Standing:
    """An effect of a card that is in force: a number changed, a die, something allowed or not.

    `side` is whose card it is, None of a stadium or the weather. `effect` has its amount resolved. `on` is the player
    it is left on, None none. `window` is where it was played. `ends` is the number of the half-inning after which it
    lapses, for what lasts so long; `lasts` says how long in words of the vocabulary. `who` are the players whose
    numbers it is for, as a stadium's bonuses have it (CL-064).
    """

    source: str
    side: Seat | None
    effect: Effect
    lasts: Lasts
    window: str = ""
    on: Player | None = None
    ends: int = 0
    who: tuple[Condition, ...] = ()
    number: int = 0
    """The at-bat in which it began."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A card that stays in play: a Momentum card, one left on the player `on`, or a coach whose effect lasts."""

    name: str
    side: Seat
    kind: str
    on: Player | None = None
    ends: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """A card played in this at-bat, and where; `cost` is what was discarded for it (AM-04)."""

    name: str
    side: Seat
    kind: str
    window: str


class AtBat(NamedTuple):
    """The at-bat under way (3.8).

    `result` is what the chart gave, as changed so far; `chart` on whose card it was read, "batter" or "pitcher".
    `on_base_bonus` and `swing_bonus` come of intentional walks before, `pitch_bonus` of two missed bunts. `changed` are
    the managers who have changed the result with success (CL-186). `tags` is all that happened, for cards that wait for
    it. `replied` are the sides that used their late substitution (AM-03).
    """

    played: tuple[Played, ...] = ()
    on_base_bonus: int = 0
    swing_bonus: int = 0
    pitch_bonus: int = 0
    stolen: bool = False
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


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw or a check that is under way (3.11).

    `kind` is "steal", "hit", "tag", "ground", "infield-in", "double-play", "card" or, of a check, "check". `unit` is
    "battery", "infield", "outfield" or positions with a "+" between. `runner` is thrown at on his way to `base`, 1 to
    4. `speed` is the attribute it is compared with, "br" or "st", `bonus` what the runner has beside it and `help` what
    the fielders have; of a check `target` is the number to reach.
    """

    kind: str
    unit: str
    runner: str = ""
    base: int = 0
    speed: str = "br"
    bonus: int = 0
    help: int = 0
    target: int = 20
    die: str = "d20"
    natural: int | None = None
    roll: int | None = None
    total: int | None = None
    against: int | None = None
    made: bool | None = None
    """The defence succeeded: an out, or a check that was made."""

    @property
    def what(self) -> str:
        """Whether it is a "throw" or a "check"."""
        return "check" if self.kind == "check" else "throw"


@dataclass(frozen=True, slots=True)
class Pending:
    """What follows once it is known whether a play succeeded (CL-225).

    `of` is what decides: "throw" or "check", the one under way; "result", whether it is `to` in the end; "at-bat",
    whether the batter reached.
    """

    source: str
    side: Seat
    of: str
    to: str
    success: tuple[Effect, ...]
    failure: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """A plate appearance that is over, for cards and records that look back."""

    batter: str
    pitcher: str
    outcome: str
    reached: bool
    side: Seat


@dataclass(slots=True)
class State(game.State):
    """The whole of it; pairs are (away, home) of the game under way.

    In a series the managers keep their chairs and change sides: `home` is the chair of whoever is at home.
    """

    box: Box = field(default_factory=Box)
    house: Mapping[str, str] = field(default_factory=dict)

    phase: str = "rosters"
    """What comes next: one of rules.PHASES."""
    home: Seat = "home"
    first: Seat = "home"
    """The chair that won the roll: at home in games 1, 3, 5 and 7 (CL-059)."""
    game: int = 1
    won: tuple[int, int] = (0, 0)
    """Games won in the series, by chair."""
    rosters: tuple[str, str] = ("", "")
    """The roster of each chair."""
    rotations: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    laid: tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]] = ((), ())
    """By chair: who began the last game and what he played, in batting order."""
    rests: tuple[Mapping[str, Rest], Mapping[str, Rest]] = field(default_factory=lambda: ({}, {}))
    """By chair: what each pitcher owes before this game, see rest.py."""

    squads: tuple[Squad, Squad] = (Squad(Roster("", {}, (), (), (), ())), Squad(Roster("", {}, (), (), (), ())))
    arms: tuple[Mapping[str, Arm], Mapping[str, Arm]] = field(default_factory=lambda: ({}, {}))
    """Pitchers of this game."""
    lines: tuple[Mapping[str, Line], Mapping[str, Line]] = field(default_factory=lambda: ({}, {}))
    """Batters of this game, in the order they came in."""
    errors: tuple[int, int] = (0, 0)
    stadium: str = ""
    weather: str = ""

    clock: Clock = field(default_factory=Clock)
    score: tuple[int, int] = (0, 0)
    begun: bool = False
    """This half-inning has begun."""
    outs: int = 0
    bases: Bases[Runner] = EMPTY
    runs: int = 0
    """Runs of this half-inning."""
    turns: tuple[Turn, ...] = ()
    """Plate appearances of this half-inning."""
    last: tuple[str, ...] = ()
    """Outcomes of the game so far, the last one last."""
    walked: int = 0
    """Intentional walks in a row, in this half-inning (CL-317 to CL-321)."""

    at: AtBat = field(default_factory=AtBat)
    throw: Throw | None = None
    standing: tuple[Standing, ...] = ()
    kept: tuple[Kept, ...] = ()
    pending: tuple[Pending, ...] = ()
    muted: frozenset[tuple[Seat, str]] = frozenset()
    """What a chair does not want to be asked about again in this half-inning."""
    skipped: tuple[tuple[Sealed[str], ...], tuple[Sealed[str], ...]] = ((), ())
    """By chair, for its eyes: windows of this at-bat in which a card could have been played and nobody was asked."""
    number: int = 0
    """The number of the at-bat, from 1 in each game."""
    uses: tuple[tuple[str, int, int], ...] = ()
    """Cards, stadiums and weather that did something in this game: which, in which half-inning, in which at-bat."""
    negated: bool = False
    """The card that is being played takes no effect (CL-222)."""
    acting: tuple[str, ...] = ()
    """The stadium and the weather while they are at work: what they call for does not set them off again."""
    playing: Seat | None = None
    """The side whose card is being played, while others may answer it."""
    dice: tuple[int, ...] = ()
    ended: str = ""
    """Why the game under way is over, until it is written down."""

    # Who is who ------------------------------------------------------------------------------------------------------

    @property
    def away(self) -> Seat:
        """The chair of whoever is on the road."""
        return other(self.home)

    def chair(self, side: Seat) -> Seat:
        """Where the manager of a side sits."""
        return self.home if side == "home" else self.away

    @property
    def offence(self) -> Seat:
        """The side at bat."""
        return self.clock.batting

    @property
    def defence(self) -> Seat:
        """The side in the field."""
        return other(self.clock.batting)

    def squad(self, side: Seat) -> Squad:
        """The squad of a side."""
        return self.squads[SEATS.index(side)]

    def change(self, side: Seat, **changes: Any) -> None:
        """Change something of a squad."""
        self.squads = put(self.squads, side, replace(self.squad(side), **changes))

    def now(self, **changes: Any) -> None:
        """Change something of the at-bat."""
        self.at = self.at._replace(**changes)

    @property
    def batter(self) -> Batter:
        """The card in the batter's box (CL-227)."""
        return self.box.batters[self.squad(self.offence).batter]

    @property
    def pitcher(self) -> Pitcher:
        """The card on the mound."""
        return self.box.pitchers[self.squad(self.defence).pitcher]

    @property
    def arm(self) -> Arm:
        """The game of the pitcher on the mound."""
        return self.arms[SEATS.index(self.defence)][self.pitcher.name]

    def pitched(self, side: Seat, arm: Arm) -> None:
        """A pitcher's game is this now."""
        arms = self.arms[SEATS.index(side)]
        if arm != arms.get(arm.name):
            self.arms = put(self.arms, side, {**arms, arm.name: arm})

    def team(self, side: Seat) -> str:
        """What a side is called."""
        return self.squad(side).roster.name

    # What holds now --------------------------------------------------------------------------------------------------

    @property
    def full(self) -> bool:
        """Strategy cards, coaches and stadiums are played with (CL-023)."""
        return self.house["level"] == "full"

    @property
    def basic(self) -> bool:
        """Neither cards nor the rules of section 4 are played with."""
        return self.house["level"] == "basic"

    @property
    def dealt(self) -> bool:
        """The machine deals the strategy cards; else real ones lie on the table."""
        return self.house["hands"] == "dealt"

    @property
    def differential(self) -> int:
        """Runs the losing side needs to tie (CL-157)."""
        return abs(self.score[0] - self.score[1])

    @property
    def risp(self) -> bool:
        """A runner is on second or third (CL-378)."""
        return self.bases[1] is not None or self.bases[2] is not None

    @property
    def clutch(self) -> bool:
        """It is a Clutch Moment (CL-156, CL-158, CL-159)."""
        late = self.clock.inning >= 7 and self.differential <= 3
        return late or None not in self.bases or (self.outs == 2 and self.risp)

    @property
    def over(self) -> bool:
        """The home side has won in the last of the ninth or later (CL-152, CL-153)."""
        return self.clock.walked_off(*self.score, REGULATION)

    @property
    def half(self) -> int:
        """The number of this half-inning, from 0."""
        return (self.clock.inning - 1) * 2 + (self.clock.half == "bottom")

    def holds(self, side: Seat) -> int:
        """How many strategy cards a manager holds; that everybody may know."""
        squad = self.squad(side)
        return len(squad.hand) if self.dealt else squad.held

    def left(self, side: Seat) -> int:
        """How many cards a manager can still draw."""
        squad = self.squad(side)
        if self.dealt:
            return len(squad.deck) + len(squad.bottom) + len(squad.top)
        lying = sum(one.side == side and one.kind == "strategy" for one in self.kept)
        return max(0, DECK - squad.held - len(squad.discard) - lying)


OUT_OF_POSITION = -3
"""The rating of a player at a position that is not on his card (CL-130, AM-11)."""

FIELD = (*POSITIONS, DH)
"""What nine batters fill (CL-082)."""
