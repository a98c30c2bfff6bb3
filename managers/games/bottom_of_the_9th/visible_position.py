"""What a seat sees of the game under way, in the terms of the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.games.bottom_of_the_9th.effects import ABILITY_PHRASES
from engine.games.bottom_of_the_9th.state import AppliedEffect, Pitch, State
from engine.views import TableView
from managers.games.bottom_of_the_9th.at_bat import BASES_BY_MASK, AtBatPositions, bases_mask
from managers.games.bottom_of_the_9th.half_inning import LineupMatchup
from managers.games.bottom_of_the_9th.pitch_tree import PitchTree


@dataclass(frozen=True, slots=True)
class NinthPosition:
    """The position: who plays, what stands, and the pitch so far. `rows` are those of the fatigue tokens."""

    match: LineupMatchup
    outs: int
    bases: int
    balls: int
    strikes: int
    rows: tuple[int, int]
    used: frozenset[str]
    pitch: Pitch

    @property
    def is_at_bat_over(self) -> bool:
        """True once the first of the lineup is out or on base."""
        return self.outs + bin(self.bases).count("1") == 7 - len(self.match.lineup)

    def spent_ability_bits(self, pair: PitchTree) -> int:
        """Return the bits of the abilities of a pair that are used up."""
        return sum(1 << place for place, (_, name) in enumerate(pair.marks) if name in self.used)

    def at_bat_positions(self, pair: PitchTree) -> AtBatPositions:
        """Return the position before a stare-down."""
        figures = (self.outs, self.bases, self.balls, self.strikes, *self.rows, self.spent_ability_bits(pair))
        return AtBatPositions(*(np.array([figure]) for figure in figures))

    def pitch_state(self, pair: PitchTree) -> State:
        """Return the position during a pitch."""
        s = pair.state_before_reveal(self.outs, BASES_BY_MASK[self.bases], self.rows, 0, self.match.floor)
        used = {ability_mark for ability_mark in pair.all_marks if ability_mark[1] in self.used}
        s.spent, s.pitch = frozenset(used), self.pitch
        s.balls, s.strikes = self.balls, self.strikes
        return s


def position_from_view(view: TableView) -> NinthPosition:
    """Return what a seat sees once both sides are set up."""
    board, panel = view.scoreboard, view.scoreboard.panel
    fatigue, pitch = panel["fatigue"], panel["pitch"]
    balls, strikes = board.count or (0, 0)
    done = tuple(
        AppliedEffect(one["seat"], one["slot"], ABILITY_PHRASES.parse_phrase(one["does"]).effect)
        for one in panel["acted"]
    )
    return NinthPosition(
        LineupMatchup(tuple(panel["lineup"]), board.pitcher or "", panel["reliever"], fatigue["floor"]),
        board.outs,
        bases_mask(board.bases),
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
