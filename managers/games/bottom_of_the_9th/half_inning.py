"""Win probability of home in every position of the half-inning, computed on demand and cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from engine.games.bottom_of_the_9th.cards import DraftPool, NinthBatter, NinthPitcher
from managers.games.bottom_of_the_9th.at_bat import AtBatModel
from managers.games.bottom_of_the_9th.matrix_game import FloatArray
from managers.games.bottom_of_the_9th.pitch_tree import PitchTree

MAX_CACHED_AT_BATS = 60  # Maximum of cached at-bats, about 100 kB each.


@dataclass(frozen=True, slots=True)
class LineupMatchup:
    """Remaining lineup and pitchers, by name. The first of the lineup is at the plate.

    `reliever` is None if nobody may relieve the pitcher. `floor` is the top row of the pitcher's fatigue tokens.
    """

    lineup: tuple[str, ...]
    pitcher: str
    reliever: str | None
    floor: int


class HalfInningModel:
    """Cache of solved at-bats for one set of cards and house rules."""

    def __init__(self, cards: DraftPool, house: Mapping[str, str]) -> None:
        self.house = house
        self.batters: dict[str, NinthBatter] = {batter.name: batter for batter in cards.batters}
        self.pitchers: dict[str, NinthPitcher] = {pitcher.name: pitcher for pitcher in cards.pitchers}
        self.bottom, self.relief_row = int(house["bottomRow"]), int(house["reliefRow"])
        self._pairs: dict[tuple[str, str], PitchTree] = {}
        self._at_bats: dict[LineupMatchup, AtBatModel] = {}

    def pitch_tree(self, batter: str, pitcher: str) -> PitchTree:
        if (batter, pitcher) not in self._pairs:
            self._pairs[batter, pitcher] = PitchTree(self.batters[batter], self.pitchers[pitcher], self.house)
        return self._pairs[batter, pitcher]

    def at_bat_model(self, match: LineupMatchup) -> AtBatModel:
        """Return the solved at-bat of the batter at the plate, with those after it."""
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
        assert match.reliever is not None
        return LineupMatchup(match.lineup, match.reliever, None, self.relief_row)

    def first_pitch_probabilities(self, match: LineupMatchup) -> FloatArray:
        """Return win probabilities for a new batter, by outs, bases, rows and the pitcher's abilities used up."""
        at_bat = self.at_bat_model(match)
        return at_bat.win_probabilities[:, :, 0, 0, :, :, : 1 << at_bat.pair.game_mark_count]

    def after_at_bat_probabilities(self, match: LineupMatchup) -> FloatArray:
        """Return win probabilities after the at-bat and before any relief, shaped as `first_pitch_probabilities`."""
        pair = self.pitch_tree(match.lineup[0], match.pitcher)
        size = self.bottom + 1
        found = np.zeros((3, 8, size, size, 1 << pair.game_mark_count))
        later = LineupMatchup(match.lineup[1:], match.pitcher, match.reliever, match.floor)
        if not later.lineup:
            return found
        used = _carried_ability_bits(
            pair.marks[: pair.game_mark_count], self.pitch_tree(later.lineup[0], match.pitcher)
        )
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
        """Return the possible rests of a pitcher, as rows up for direction and location."""
        direction, location = (max(0, row - floor) for row in rows)
        steps = [(i, j) for i in range(direction + 1) for j in range(location + 1) if i + j <= empty]
        if self.house["relief"] == "compulsory":
            steps = [step for step in steps if sum(step) == max(map(sum, steps))]
        return steps

    def _reliever_probabilities(self, match: LineupMatchup) -> FloatArray | None:
        """Return win probabilities with the reliever after a pitch, by outs, bases, count and used abilities."""
        if self.house["benchTiming"] != "everyPitch" or match.reliever is None:
            return None
        there = self.at_bat_model(self.with_reliever(match))
        here = self.pitch_tree(match.lineup[0], match.pitcher).marks
        values = there.win_probabilities[:, :, :, :, self.relief_row, self.relief_row]
        found: FloatArray = values[..., _carried_ability_bits(here, there.pair)]
        return found


def _carried_ability_bits(marks: Sequence[tuple[str, str]], there: PitchTree) -> list[int]:
    """Translate each set of used abilities, as bits of `marks`, to the bits of another pair."""
    bits = [1 << there.marks.index(mark) if mark in there.marks else 0 for mark in marks]
    return [sum(bit for place, bit in enumerate(bits) if used >> place & 1) for used in range(1 << len(marks))]
