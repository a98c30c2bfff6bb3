"""The chance that home wins from every position of the half-inning, worked out where it is needed, and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from engine.games.bottom_of_the_9th.cards import DraftPool, NinthBatter, NinthPitcher
from managers.games.bottom_of_the_9th.at_bat import AtBatModel
from managers.games.bottom_of_the_9th.matrix_game import FloatArray
from managers.games.bottom_of_the_9th.pitch_tree import PitchTree

MAX_CACHED_AT_BATS = 60
"""At-bats that are kept, about 100 kB each."""


@dataclass(frozen=True, slots=True)
class LineupMatchup:
    """Who is still to bat, the first of them at the plate; who pitches, and who may relieve him; by their names.

    `floor` is the top row of the pitcher's fatigue tokens.
    """

    lineup: tuple[str, ...]
    pitcher: str
    reliever: str | None
    floor: int


class HalfInningModel:
    """The values of all at-bats that may come up, for one set of cards and house rules."""

    def __init__(self, cards: DraftPool, house: Mapping[str, str]) -> None:
        self.house = house
        self.batters: dict[str, NinthBatter] = {batter.name: batter for batter in cards.batters}
        self.pitchers: dict[str, NinthPitcher] = {pitcher.name: pitcher for pitcher in cards.pitchers}
        self.bottom, self.relief_row = int(house["bottomRow"]), int(house["reliefRow"])
        self._pairs: dict[tuple[str, str], PitchTree] = {}
        self._at_bats: dict[LineupMatchup, AtBatModel] = {}

    def pitch_tree(self, batter: str, pitcher: str) -> PitchTree:
        """Return the pitches of a pitcher to a batter."""
        if (batter, pitcher) not in self._pairs:
            self._pairs[batter, pitcher] = PitchTree(self.batters[batter], self.pitchers[pitcher], self.house)
        return self._pairs[batter, pitcher]

    def at_bat_model(self, match: LineupMatchup) -> AtBatModel:
        """Return the at-bat of the batter at the plate."""
        if match not in self._at_bats:
            pair = self.pitch_tree(match.lineup[0], match.pitcher)
            found = AtBatModel(
                pair,
                len(match.lineup),
                match.floor,
                self.after_at_bat_probabilities(match),
                self._reliever_probabilities(match),
            )
            while len(self._at_bats) >= MAX_CACHED_AT_BATS:
                del self._at_bats[next(iter(self._at_bats))]
            self._at_bats[match] = found
        return self._at_bats[match]

    def with_reliever(self, match: LineupMatchup) -> LineupMatchup:
        """Return the same with the reliever on the mound."""
        assert match.reliever is not None
        return LineupMatchup(match.lineup, match.reliever, None, self.relief_row)

    def first_pitch_probabilities(self, match: LineupMatchup) -> FloatArray:
        """Return the chances with a new batter, by outs, bases, rows, and the pitcher's abilities used for the game."""
        at_bat = self.at_bat_model(match)
        return at_bat.win_probabilities[:, :, 0, 0, :, :, : 1 << at_bat.pair.game_marks]

    def after_at_bat_probabilities(self, match: LineupMatchup) -> FloatArray:
        """Return the chances once the batter is on base or out, and before any relief, as `first_pitch_probabilities`
        does."""
        pair = self.pitch_tree(match.lineup[0], match.pitcher)
        size = self.bottom + 1
        found = np.zeros((3, 8, size, size, 1 << pair.game_marks))
        later = LineupMatchup(match.lineup[1:], match.pitcher, match.reliever, match.floor)
        if not later.lineup:
            return found
        used = _carried_ability_bits(pair.marks[: pair.game_marks], self.pitch_tree(later.lineup[0], match.pitcher))
        stay = self.first_pitch_probabilities(later)[..., used]
        change = self.first_pitch_probabilities(self.with_reliever(later)) if match.reliever is not None else None
        for bases, direction, location in product(range(8), range(match.floor, size), range(match.floor, size)):
            rests = self.rest_options(3 - bin(bases).count("1"), (direction, location), match.floor)
            best = np.min([stay[:, bases, direction - i, location - j] for i, j in rests], axis=0)
            if change is not None:
                best = np.minimum(best, change[:, bases, self.relief_row, self.relief_row, :1])
            found[:, bases, direction, location] = best
        return found

    def rest_options(self, empty: int, rows: tuple[int, int], floor: int) -> list[tuple[int, int]]:
        """Return the ways to rest a pitcher: rows up for direction and location."""
        direction, location = (max(0, row - floor) for row in rows)
        steps = [(i, j) for i in range(direction + 1) for j in range(location + 1) if i + j <= empty]
        if self.house["relief"] == "compulsory":
            steps = [step for step in steps if sum(step) == max(map(sum, steps))]
        return steps

    def _reliever_probabilities(self, match: LineupMatchup) -> FloatArray | None:
        """Return what it is worth to bring in the reliever after a pitch: by outs, bases, count and used abilities."""
        if self.house["benchTiming"] != "everyPitch" or match.reliever is None:
            return None
        there = self.at_bat_model(self.with_reliever(match))
        here = self.pitch_tree(match.lineup[0], match.pitcher).marks
        values = there.win_probabilities[:, :, :, :, self.relief_row, self.relief_row]
        found: FloatArray = values[..., _carried_ability_bits(here, there.pair)]
        return found


def _carried_ability_bits(marks: Sequence[tuple[str, str]], there: PitchTree) -> list[int]:
    """Return, for each set of used abilities by the bits of `marks`, the bits of the same abilities in another pair."""
    bits = [1 << there.marks.index(mark) if mark in there.marks else 0 for mark in marks]
    return [sum(bit for place, bit in enumerate(bits) if used >> place & 1) for used in range(1 << len(marks))]
