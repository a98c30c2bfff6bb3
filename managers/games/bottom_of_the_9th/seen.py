"""What a seat sees of the game under way, in the terms of the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.games.bottom_of_the_9th.effects import PHRASES
from engine.games.bottom_of_the_9th.state import Done, Pitch, State
from engine.views import TableView
from managers.games.bottom_of_the_9th.at_bat import BASES, Where, number_of
from managers.games.bottom_of_the_9th.half_inning import Match
from managers.games.bottom_of_the_9th.pitch_tree import Pair


@dataclass(frozen=True, slots=True)
class Seen:
    """The position: who plays, what stands, and the pitch so far. `rows` are those of the fatigue tokens."""

    match: Match
    outs: int
    bases: int
    balls: int
    strikes: int
    rows: tuple[int, int]
    used: frozenset[str]
    pitch: Pitch

    @property
    def over(self) -> bool:
        """True once the first of the lineup is out or on base."""
        return self.outs + bin(self.bases).count("1") == 7 - len(self.match.lineup)

    def spent(self, pair: Pair) -> int:
        """Return the bits of the abilities of a pair that are used up."""
        return sum(1 << place for place, (_, name) in enumerate(pair.marks) if name in self.used)

    def where(self, pair: Pair) -> Where:
        """Return the position before a stare-down."""
        figures = (self.outs, self.bases, self.balls, self.strikes, *self.rows, self.spent(pair))
        return Where(*(np.array([figure]) for figure in figures))

    def state(self, pair: Pair) -> State:
        """Return the position during a pitch."""
        s = pair.state(self.outs, BASES[self.bases], self.rows, 0, self.match.floor)
        used = {ability_mark for ability_mark in pair.all_marks if ability_mark[1] in self.used}
        s.spent, s.pitch = frozenset(used), self.pitch
        s.balls, s.strikes = self.balls, self.strikes
        return s


def seen(view: TableView) -> Seen:
    """Return what a seat sees once both sides are set up."""
    board, panel = view.scoreboard, view.scoreboard.panel
    fatigue, pitch = panel["fatigue"], panel["pitch"]
    balls, strikes = board.count or (0, 0)
    done = tuple(Done(one["seat"], one["slot"], PHRASES.read(one["does"]).effect) for one in panel["acted"])
    return Seen(
        Match(tuple(panel["lineup"]), board.pitcher or "", panel["reliever"], fatigue["floor"]),
        board.outs,
        number_of(board.bases),
        balls,
        strikes,
        (fatigue["direction"], fatigue["location"]),
        frozenset(panel["used"]),
        Pitch(
            tuple(pitch["thrown"]),
            tuple(pitch["guess"]),
            (balls, strikes),
            pitch["control"],
            pitch["letter"],
            pitch["swing"],
            pitch["bonus"],
            done,
        ),
    )
