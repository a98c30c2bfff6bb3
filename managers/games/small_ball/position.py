"""Where a game of Small Ball stands, read from a seat's view."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.small_ball.state import PINCH_OPTIONS
from engine.scoreboard import Scoreboard
from engine.seats import SEATS
from managers.games.small_ball.moves import RUNNERS_BY_STATE, runs_at_stake, state_index

REGULATION_INNINGS = 9
"""The innings of a game that is not level after them."""


@dataclass(frozen=True, slots=True)
class SmallBallPosition:
    """Everything that decides how a game goes on. Pairs are (away, home); batters are places from 0 to 8, sets of used
    pinch hitters are 1 for the first plus 2 for the second.
    """

    inning: int
    side: int
    """0 in the top half, 1 in the bottom."""
    score: tuple[int, int]
    due: tuple[int, int]
    used: tuple[int, int]
    outs: int
    state: int
    third: bool
    """True if there is a runner on third."""
    at_bats: int
    stolen: bool
    called: tuple[int, ...]
    """The pinch hitters called for the at-bat under way, 0 and 1, in order; they count as used."""
    hit_and_run: bool
    face: int
    """The last die, 0 if there is none."""

    @property
    def lead(self) -> int:
        """The lead of the side at bat, without the runs at stake."""
        return self.score[self.side] - self.score[1 - self.side]

    @property
    def runs_at_stake(self) -> int:
        """The runs at stake."""
        return runs_at_stake(self.at_bats, self.state)

    @property
    def runner_count(self) -> int:
        """How many runners are on base."""
        return int(RUNNERS_BY_STATE[self.state])

    @property
    def is_last_half(self) -> bool:
        """True in a bottom half that ends the game if anybody leads after it (SB-100, SB-103)."""
        return self.side == 1 and self.inning >= REGULATION_INNINGS

    @property
    def leadoff_batter(self) -> int:
        """The lead-off batter of this half."""
        return (self.due[self.side] - self.at_bats) % 9

    @property
    def half_start(self) -> SmallBallPosition:
        """The beginning of this half, without the pinch hitters of the side at bat; its end depends on no more."""
        due, used = [*self.due], [*self.used]
        due[self.side], used[self.side] = self.leadoff_batter, 0
        half = (self.inning, self.side, self.score, (due[0], due[1]), (used[0], used[1]))
        return SmallBallPosition(*half, 0, 0, False, at_bats=0, stolen=False, called=(), hit_and_run=False, face=0)

    @property
    def used_before_at_bat(self) -> int:
        """The used set of the side at bat before this at-bat's calls."""
        return self.used[self.side] & ~sum(1 << i for i in self.called)


def position_from_scoreboard(board: Scoreboard) -> SmallBallPosition:
    """Return the position that a scoreboard shows, once it is known who bats first."""
    panel, (away, home) = board.panel, (board.sides[seat] for seat in SEATS)
    used = [sum(1 << i for i, card in enumerate(panel["pinch"][seat]) if card["used"]) for seat in SEATS]
    return SmallBallPosition(
        inning=board.inning,
        side=int(board.half == "bottom"),
        score=(away.runs, home.runs),
        due=(panel["next"]["away"] - 1, panel["next"]["home"] - 1),
        used=(used[0], used[1]),
        outs=board.outs,
        state=state_index(board.outs, board.bases),
        third=board.bases[2] is not None,
        at_bats=panel["at_bats"],
        stolen=panel["stolen"],
        called=tuple(PINCH_OPTIONS.index(one) for one in panel["called"]),
        hit_and_run=panel["hit_and_run"],
        face=int(board.dice[0]) if board.dice else 0,
    )
