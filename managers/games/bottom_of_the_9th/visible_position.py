"""Conversion of a seat's view of the current game to the model's position."""

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
    """Position of the half-inning, with the pitch so far.

    bases: mask, 1 for first, 2 for second, 4 for third.
    rows: those of the direction and location tokens.
    used: the names of the abilities that are used up.
    """

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
        return self.outs + bin(self.bases).count("1") == 7 - len(self.match.lineup)

    def spent_ability_bits(self, pair: PitchTree) -> int:
        return sum(1 << place for place, (_, name) in enumerate(pair.marks) if name in self.used)

    def at_bat_positions(self, pair: PitchTree) -> AtBatPositions:
        """Return this position, as it was before the stare-down, as arrays of length 1."""
        figures = (self.outs, self.bases, self.balls, self.strikes, *self.rows, self.spent_ability_bits(pair))
        return AtBatPositions(*(np.array([figure]) for figure in figures))

    def pitch_state(self, pair: PitchTree) -> State:
        s = pair.state_before_reveal(self.outs, BASES_BY_MASK[self.bases], self.rows, 0, self.match.floor)
        used = {ability_mark for ability_mark in pair.all_marks if ability_mark[1] in self.used}
        s.spent, s.pitch = frozenset(used), self.pitch
        s.balls, s.strikes = self.balls, self.strikes
        return s


def position_from_view(view: TableView) -> NinthPosition:
    """Build the position from a seat's view. Both sides must be set up."""
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
