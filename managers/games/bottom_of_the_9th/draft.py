"""Draft ratings of each batter against each pitcher on a typical pitch, by slot of the order.

All pairs are compared within one at-bat between cards without abilities, so that the later game has the same value for
all. The model of complete games is too slow for hundreds of lineups; it is used after the picks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from engine.games.bottom_of_the_9th.cards import (
    ABILITY_SLOTS,
    LINEUP_SIZE,
    DraftPool,
    NinthBatter,
    NinthPitcher,
    can_play_together,
)
from managers.games.bottom_of_the_9th.at_bat import AtBatPositions
from managers.games.bottom_of_the_9th.half_inning import HalfInningModel, LineupMatchup
from managers.games.bottom_of_the_9th.matrix_game import FloatArray, row_strategies
from managers.games.bottom_of_the_9th.pitch_tree import PitchEnd

MAX_RATED_PAIRS = 120
"""Maximum of rated pairs of batter and pitcher. With more cards, only the first pitchers are rated."""

MAX_PAIRS_OF_FIRST_PICK = 30
"""Maximum of pairs rated before the first pick, in about a second, but at least those of one pitcher."""

AT_BAT_CHANCES_BY_SLOT = (1.0, 1.0, 1.0, 0.8, 0.5, 0.25)
"""Approximate chance that each slot of the order comes to bat."""

ON_BASE_CHANCE = 0.4  # Approximate chance that a batter reaches base.
SAMPLED_COUNTS = ((0, 0), (1, 1), (2, 2))  # Counts at which a pitch is rated, balls and strikes.

PITCHER_CHOICE_TEMPERATURE = 0.01
"""Softmax temperature of the expected pitcher. One whose rating is better by this is `e` times as likely."""


class DraftRatings:
    """Ratings of each batter against each pitcher in each slot, computed on first use.

    A rating is scaled as home's win probability, but only comparisons mean anything.
    """

    def __init__(self, model: HalfInningModel) -> None:
        self.house = model.house
        self.batters, pitchers = list(model.batters.values()), list(model.pitchers.values())
        self.pitchers = pitchers[: max(2, MAX_RATED_PAIRS // len(self.batters))]
        self._model, self._reference_model = model, _model_without_abilities(model)
        self._rated: dict[tuple[int, int], list[float]] = {}

    def rate_one_pair(self) -> bool:
        """Rate one more pair, in a fraction of a second. Return False once all are rated."""
        pairs = ((batter, pitcher) for pitcher in range(len(self.pitchers)) for batter in range(len(self.batters)))
        pair = next((pair for pair in pairs if pair not in self._rated), None)
        if pair is not None:
            self._pair_ratings(*pair)
        return pair is not None

    def _pair_ratings(self, batter: int, pitcher: int) -> list[float]:
        """Return the ratings of a pair by slot."""
        pair = batter, pitcher
        if pair not in self._rated:
            self._rated[pair] = _rate_pair(
                self._model, self._reference_model, self.batters[batter], self.pitchers[pitcher]
            )
        return self._rated[pair]

    @property
    def all_ratings(self) -> FloatArray:
        """Ratings by batter, pitcher and slot, of the pitchers that are rated so far, at least for a first pick."""
        batters = range(len(self.batters))
        first = min(len(self.pitchers), max(1, MAX_PAIRS_OF_FIRST_PICK // len(self.batters)))
        pitchers = [
            pitcher
            for pitcher in range(len(self.pitchers))
            if pitcher < first or all((batter, pitcher) in self._rated for batter in batters)
        ]
        return np.array([[self._pair_ratings(batter, pitcher) for pitcher in pitchers] for batter in batters])

    @property
    def pitcher_chances(self) -> FloatArray:
        """Probability of facing each of these pitchers before one is picked."""
        means = self.all_ratings.mean(axis=(0, 2))
        weights = np.exp((means.min() - means) / PITCHER_CHOICE_TEMPERATURE)
        found: FloatArray = weights / weights.sum()
        return found

    def batter_rating(self, name: str, place: int) -> float:
        """Return the expected rating of a batter in a slot of the order, 0 to 5."""
        at = next(at for at, batter in enumerate(self.batters) if batter.name == name)
        return float(self.all_ratings[at, :, place] @ self.pitcher_chances)

    def best_lineup(self) -> tuple[str, ...]:
        """Return the names of the best six batters who may play together, in the best order."""
        ratings, chances = self.all_ratings, self.pitcher_chances
        overall = ratings.mean(axis=2) @ chances
        picked: list[int] = []
        for at in sorted(range(len(self.batters)), key=lambda at: -overall[at]):
            if len(picked) < LINEUP_SIZE and can_play_together(
                [self.batters[other] for other in (*picked, at)], self.house
            ):
                picked.append(at)
        value = np.einsum("bps,p->bs", ratings[picked], chances)
        order = max(
            permutations(range(LINEUP_SIZE)), key=lambda order: sum(value[at, place] for place, at in enumerate(order))
        )
        return tuple(self.batters[picked[at]].name for at in order)

    def pitcher_rating(self, name: str, lineup: Sequence[str]) -> float:
        """Return the rating of a pitcher against a lineup, lower is better.

        Without a complete lineup, every second batter of the pool counts. This gives the same ranking in half the time.
        """
        names = [pitcher.name for pitcher in self.pitchers]
        if name not in names:
            return float(self.all_ratings.mean())
        against = names.index(name)
        at = {batter.name: place for place, batter in enumerate(self.batters)}
        if len(lineup) < LINEUP_SIZE:
            return float(np.mean([self._pair_ratings(batter, against) for batter in range(0, len(self.batters), 2)]))
        return float(
            sum(self._pair_ratings(at[batter], against)[place] for place, batter in enumerate(lineup)) / LINEUP_SIZE
        )


def _model_without_abilities(model: HalfInningModel) -> HalfInningModel:
    slots = {kind: dict.fromkeys(found, ()) for kind, found in ABILITY_SLOTS.items()}
    batter = NinthBatter("Plain", False, False, slots["batter"], False, ("C",))
    pitcher = NinthPitcher("Plain", False, False, slots["pitcher"], False, "either", ("inside", "high"))
    return HalfInningModel(DraftPool((batter,), (pitcher,)), {**model.house, "benchTiming": "atBatEnd"})


def _rate_pair(
    model: HalfInningModel, plain: HalfInningModel, batter: NinthBatter, pitcher: NinthPitcher
) -> list[float]:
    pair = model.pitch_tree(batter.name, pitcher.name)
    _, plan = pair.outcome_plan(pair.state_before_reveal(0, (None, None, None), (0, 0), 0, 0), (0, 0), ahead=True)
    found = []
    for place in range(LINEUP_SIZE):
        at_bat = plain.at_bat_model(LineupMatchup(("Plain",) * (LINEUP_SIZE - place), "Plain", None, 0))
        states = [(outs, bases, *count) for outs, bases in at_bat.reachable_situations for count in SAMPLED_COUNTS]
        figures = np.array([(*state, 0, 0, 0) for state in states]).T
        at = AtBatPositions(*figures)
        games = np.empty((len(states), 4, 4))
        for row, values in enumerate(plan):
            ends = []
            for number in values.leaves:
                end = pair.nodes[number]
                assert isinstance(end, PitchEnd)
                rests = tuple(replace(rest, spent_bit=0) for rest in end.rests)
                ends.append(
                    at_bat.target_values[at_bat.target_indexes(replace(end, rests=rests, spent_bits=0), (0, 0), at)]
                )
            games[:, row] = values.distribution_values(np.stack(ends)).T
        weights = [(1 - ON_BASE_CHANCE) ** outs * ON_BASE_CHANCE ** bin(bases).count("1") for outs, bases, *_ in states]
        worth = 1 - row_strategies(1 - games)[1]
        found.append(AT_BAT_CHANCES_BY_SLOT[place] * float(np.average(worth, weights=weights)))
    return found
