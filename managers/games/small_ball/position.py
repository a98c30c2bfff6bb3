"""State of a Small Ball game, from a seat's view."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.small_ball.state import PINCH_OPTIONS
from engine.scoreboard import Scoreboard
from engine.seats import SEATS
from managers.games.small_ball.transitions import RUNNERS_BY_STATE, runs_at_stake, state_index


@dataclass(frozen=True, slots=True)
class SmallBallPosition:
    """Complete state of a game. Pairs are (away, home).

    Batters are indexes from 0 to 8. A used set of pinch hitters has bit 1 for the first and bit 2 for the second.
    """

    regulation: int
    """Last inning unless the score is tied."""
    inning: int
    side: int
    """0 in the top half, 1 in the bottom."""
    score: tuple[int, int]
    due: tuple[int, int]
    used: tuple[int, int]
    outs: int
    state: int
    third: bool
    """True with a runner on third."""
    at_bats: int
    stolen: bool
    called: tuple[int, ...]
    """Pinch hitters called for the current at-bat, 0 and 1, in order. They count as used."""
    hit_and_run: bool
    face: int
    """Last die, or 0."""

    @property
    def lead(self) -> int:
        """Lead of the side at bat, without the runs at stake."""
        return self.score[self.side] - self.score[1 - self.side]

    @property
    def runs_at_stake(self) -> int:
        return runs_at_stake(self.at_bats, self.state)

    @property
    def runner_count(self) -> int:
        return int(RUNNERS_BY_STATE[self.state])

    @property
    def is_last_half(self) -> bool:
        """True in a bottom half that ends the game unless it is tied (SB-100, SB-103)."""
        return self.side == 1 and self.inning >= self.regulation

    @property
    def leadoff_batter(self) -> int:
        return (self.due[self.side] - self.at_bats) % 9

    @property
    def half_start(self) -> SmallBallPosition:
        """Start of this half, without used pinch hitters of the side at bat. It identifies the half's end values."""
        due, used = [*self.due], [*self.used]
        due[self.side], used[self.side] = self.leadoff_batter, 0
        half = (self.regulation, self.inning, self.side, self.score, (due[0], due[1]), (used[0], used[1]))
        return SmallBallPosition(*half, 0, 0, False, at_bats=0, stolen=False, called=(), hit_and_run=False, face=0)

    @property
    def used_before_at_bat(self) -> int:
        return self.used[self.side] & ~sum(1 << i for i in self.called)


def position_from_scoreboard(board: Scoreboard) -> SmallBallPosition:
    """Build the position from a scoreboard. The batting order of the sides must be known."""
    panel, (away, home) = board.panel, (board.sides[seat] for seat in SEATS)
    used = [sum(1 << i for i, card in enumerate(panel["pinch"][seat]) if card["used"]) for seat in SEATS]
    return SmallBallPosition(
        regulation=board.regulation,
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
