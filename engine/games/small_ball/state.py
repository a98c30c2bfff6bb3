"""The state of a game of Small Ball."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine import game
from engine.cards import Card
from engine.diamond import EMPTY_BASES, Bases
from engine.games.small_ball.cards import PinchHitter, SmallBallPlayer, SmallBallTeam, TeamsByColor, build_teams
from engine.innings import InningClock
from engine.seats import SEATS, Seat

PINCH_OPTIONS = ("pinch-1", "pinch-2")
"""The options that stand for a team's pinch hitters."""


@dataclass(slots=True)
class State(game.GameState):
    """The complete state; pairs are (away, home). Numbers from 1 to 9 stand for players of the team at bat."""

    teams: TeamsByColor = field(default_factory=dict)
    house: Mapping[str, str] = field(default_factory=dict)
    sides: tuple[str, str] | None = None
    """The colors of the away and the home team; None until the managers have agreed (A17)."""
    clock: InningClock = field(default_factory=InningClock)
    score: tuple[int, int] = (0, 0)
    due: tuple[int, int] = (1, 1)
    """The number of the player who bats next (SB-030)."""
    used: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    """The used pinch hitters, 0 and 1, whose X side is up (SB-088)."""
    reactivating: tuple[Seat, ...] = ()
    """Seats that may still take a pinch hitter back before this extra inning (SB-098)."""

    outs: int = 0
    bases: Bases[int] = EMPTY_BASES
    scored: tuple[int, ...] = ()
    """The RUNS side: players who scored in this half and do not count yet (SB-038)."""
    retired: tuple[int, ...] = ()
    """The OUTS side (SB-025)."""
    batted: int = 0
    """At-bats completed in this half, 0 to 9 (SB-044)."""
    stolen: bool = False
    """True if a steal was tried since the last at-bat (SB-067)."""
    pinching: tuple[int, ...] = ()
    """The pinch hitters, 0 and 1, called for the at-bat under way, in order."""
    hit_and_run: bool = False
    """True while a hit-and-run is under way."""
    faces: tuple[str, ...] = ()
    """What each face of the die now rolled leads to, as a code; () while none is rolled."""
    dice: tuple[int, ...] = ()
    """The last die rolled."""

    @property
    def side_index(self) -> int:
        """0 while away bats, 1 while home bats."""
        return self.clock.half == "bottom"

    @property
    def batting_seat(self) -> Seat:
        """The manager at bat, who takes all decisions in this half."""
        return SEATS[self.clock.half == "bottom"]

    @property
    def batting_team(self) -> SmallBallTeam:
        """The team at bat."""
        assert self.sides is not None
        return self.teams[self.sides[self.clock.half == "bottom"]]

    @property
    def batter(self) -> SmallBallPlayer:
        """The player who bats next."""
        return self.batting_team.players[self.due[self.side_index] - 1]

    def player_name(self, number: int) -> str:
        """Return the name of a player of the team at bat."""
        return self.batting_team.players[number - 1].name

    def available_pinch_hitters(self) -> tuple[tuple[int, PinchHitter], ...]:
        """Return the pinch hitters that the team at bat can still call, with their places, 0 and 1."""
        return tuple((i, card) for i, card in enumerate(self.batting_team.pinch) if i not in self.used[self.side_index])


def initial_state(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state after setting up (SB-003 to SB-010). Raises DeckError."""
    return State(teams=build_teams(cards, house), house=house)
