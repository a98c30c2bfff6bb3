"""State of a game of Small Ball."""

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
"""Options for a team's pinch hitters, by index."""


@dataclass(slots=True)
class State(game.GameState):
    """The complete state. Pairs are (away, home). A player of the team at bat is a number, 1 to 9."""

    teams: TeamsByColor = field(default_factory=dict)
    house: Mapping[str, str] = field(default_factory=dict)
    sides: tuple[str, str] | None = None
    """Colors of the away and the home team; None until the managers agree (A17)."""
    clock: InningClock = field(default_factory=InningClock)
    score: tuple[int, int] = (0, 0)
    due: tuple[int, int] = (1, 1)
    """Number of the next batter (SB-030)."""
    used: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    """Indexes of the used pinch hitters, whose X side is up (SB-088)."""
    reactivating: tuple[Seat, ...] = ()
    """Seats that may still reactivate a pinch hitter before this extra inning (SB-098)."""

    outs: int = 0
    bases: Bases[int] = EMPTY_BASES
    scored: tuple[int, ...] = ()
    """Cards on the RUNS side, whose runs don't count yet (SB-038)."""
    retired: tuple[int, ...] = ()
    """Cards on the OUTS side (SB-025)."""
    batted: int = 0
    """At-bats completed in this half, 0 to 9 (SB-044)."""
    stolen: bool = False
    """True if a steal was tried since the last at-bat (SB-067)."""
    pinching: tuple[int, ...] = ()
    """Indexes of the pinch hitters called in this at-bat, in order."""
    hit_and_run: bool = False
    faces: tuple[str, ...] = ()
    """Result code of each face of the die to be rolled; () between rolls."""
    dice: tuple[int, ...] = ()

    @property
    def regulation(self) -> int:
        """The last inning unless the score is tied, by the house rule `innings` (SB-100)."""
        return int(self.house["innings"])

    @property
    def side_index(self) -> int:
        """Index of the side at bat, 0 for away, 1 for home."""
        return self.clock.half == "bottom"

    @property
    def batting_seat(self) -> Seat:
        """The seat at bat, which makes every decision in this half."""
        return SEATS[self.clock.half == "bottom"]

    @property
    def batting_team(self) -> SmallBallTeam:
        assert self.sides is not None
        return self.teams[self.sides[self.clock.half == "bottom"]]

    @property
    def batter(self) -> SmallBallPlayer:
        return self.batting_team.players[self.due[self.side_index] - 1]

    def player_name(self, number: int) -> str:
        return self.batting_team.players[number - 1].name

    def available_pinch_hitters(self) -> tuple[tuple[int, PinchHitter], ...]:
        """Return the pinch hitters that the team at bat can still call, each with its index."""
        return tuple((i, card) for i, card in enumerate(self.batting_team.pinch) if i not in self.used[self.side_index])


def initial_state(cards: Sequence[Card], house: Mapping[str, str]) -> State:
    """Return the state after setup (SB-003 to SB-010). Raises DeckError."""
    return State(teams=build_teams(cards, house), house=house)
