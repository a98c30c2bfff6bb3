"""Win probability of home in every position of one at-bat, and the matrix game of each stare-down.

A batter ends out or on base, and a run ends the game, so the batter at the plate determines the number of outs and
runners. A position has outs and bases, balls, strikes, the rows of both fatigue tokens, and the abilities that were
used up. Its value depends on positions with a higher count and on later at-bats. Only a foul with two strikes returns
to the same count, so such counts are solved by iteration.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from engine.diamond import Bases, advance_on_hit, advance_runners, force_runners
from engine.games.bottom_of_the_9th.cards import PITCH_CODES
from engine.games.bottom_of_the_9th.effects import Needs
from managers.games.bottom_of_the_9th.matrix_game import FloatArray, row_strategies
from managers.games.bottom_of_the_9th.pitch_tree import PitchEnd, PitchTree
from managers.games.bottom_of_the_9th.values import TreeValues

IntArray = NDArray[np.int64]

SPLIT_PITCH_CODES = tuple(tuple(pitch.split("-")) for pitch in PITCH_CODES)
BASES_BY_MASK: tuple[Bases[str], ...] = tuple(
    tuple("runner" if number >> base & 1 else None for base in range(3))  # type: ignore[misc]
    for number in range(8)
)
"""Occupied bases by mask, 1 for first, 2 for second, 4 for third."""

RUN_SCORED_MASK = 8  # Mask after a run has scored, one above all real ones.
CHANCE_TOLERANCE = 1e-5  # An iteration ends when no win probability changes by more.


def bases_mask(bases: Sequence[object]) -> int:
    return sum(1 << base for base, runner in enumerate(bases) if runner is not None)


def _base_transitions(move: str, forced: bool) -> IntArray:
    """Return the mask after a hit, a walk, or an advance of all runners, for each mask before it."""
    found = []
    for bases in BASES_BY_MASK:
        if move in ("1B", "2B", "3B", "HR", "walk"):
            base = {"1B": 1, "2B": 2, "3B": 3, "HR": 4, "walk": 1}[move]
            forcing = move == "walk" or (forced and base < 4)
            after, home = force_runners(bases, "batter", base) if forcing else advance_on_hit(bases, "batter", base)
        else:
            after, home = advance_runners(bases, int(move))
        found.append(RUN_SCORED_MASK if home else bases_mask(after))
    return np.array([*found, RUN_SCORED_MASK])


@dataclass(frozen=True, slots=True)
class AtBatPositions:
    """Positions of an at-bat, as arrays of equal length. `bases` has masks and `spent` has bits of used abilities."""

    outs: IntArray
    bases: IntArray
    balls: IntArray
    strikes: IntArray
    direction: IntArray
    location: IntArray
    spent: IntArray

    def subset(self, chosen: IntArray) -> AtBatPositions:
        return AtBatPositions(*(getattr(self, name)[chosen] for name in self.__slots__))


class AtBatModel:
    """Solved at-bat of one batter against one pitcher.

    left: batters of the lineup that are left, with the one at the plate.
    after: win probability of home after the at-bat, by outs (0 to 2), bases, rows, and the pitcher's abilities that are
        used up for the game.
    bench: the same with the reliever, by outs, bases, balls, strikes and used abilities; None unless a reliever may
        come in after any pitch.
    """

    def __init__(self, pair: PitchTree, left: int, floor: int, after: FloatArray, bench: FloatArray | None) -> None:
        self.pair, self.house, self.floor = pair, pair.house, floor
        self.bottom, self.step = int(self.house["bottomRow"]), int(self.house["fatigueStep"])
        rows, spent = self.bottom + 1, 1 << len(pair.marks)
        self.shape = (3, 8, 4, 3, rows, rows, spent)
        self.bench = bench
        self.position_count = int(np.prod(self.shape))
        self.target_values = np.concatenate([np.full(self.position_count, 0.5), after.ravel(), [0.0, 1.0]])
        """Win probability of each target: positions before the next stare-down, ends of the at-bat, a loss, a win."""
        self.after_shape = after.shape
        forced = self.house["runnersOnHit"] == "forcedOnly"
        self.base_transitions = {
            move: _base_transitions(move, forced) for move in ("1B", "2B", "3B", "HR", "walk", "0", "1", "2", "3", "4")
        }
        self.reachable_situations = [
            (outs, bases)
            for outs, bases in product(range(3), range(8))
            if outs + bin(bases).count("1") == 6 - left
        ]  # fmt: skip
        self.stay_values = np.full(self.position_count, 0.5)
        """Win probability before each stare-down if the pitcher stays."""
        self._solve_all_counts()

    def all_positions(self) -> AtBatPositions:
        real = np.zeros(self.shape, bool)
        for outs, bases in self.reachable_situations:
            real[outs, bases, :, :, self.floor :, self.floor :] = True
        return AtBatPositions(*np.nonzero(real))

    # Transitions of a pitch ------------------------------------------------------------------------------------------

    def target_indexes(self, end: PitchEnd, by: tuple[int, int], at: AtBatPositions) -> IntArray:
        """Return the target index of a pitch's end for each position. The throw itself tires the parts by `by` rows."""
        bottom, floor = self.bottom, self.floor
        direction = np.clip(at.direction + by[0] + end.fatigue[0], floor, bottom)
        location = np.clip(at.location + by[1] + end.fatigue[1], floor, bottom)
        bases, outs, balls, strikes = self.base_transitions[str(end.runners)][at.bases], at.outs, at.balls, at.strikes
        over = np.ones(len(outs), bool)
        if end.kind == "out":
            outs = outs + 1
        elif end.kind in ("1B", "2B", "3B", "HR"):
            bases = self.base_transitions[end.kind][bases]
        else:
            balls = balls + (end.kind == "ball") + end.balls
            strikes = strikes + (end.kind == "strike") + end.strikes
            strikes = strikes + ((strikes < 2) & (end.kind == "foul"))
            out = strikes >= 3
            walk = ~out & (balls >= 4)
            home = bases == RUN_SCORED_MASK
            outs = outs + (out & ~home)
            bases = np.where(walk, self.base_transitions["walk"][bases], bases)
            over = out | walk
        spent = np.full(len(outs), end.spent_bits)
        for rest in end.rests:
            works = _where_conditions_hold(rest.when, outs, bases, direction, location, True)
            works &= ~_where_conditions_hold(rest.unless, outs, bases, direction, location, False)
            works &= (spent & rest.spent_bit) == 0
            direction = np.where(works, np.maximum(floor, direction + rest.direction), direction)
            location = np.where(works, np.maximum(floor, location + rest.location), location)
            spent = np.where(works, spent | rest.spent_bit, spent)
        won, lost = bases == RUN_SCORED_MASK, outs >= 3
        outs, bases = np.minimum(outs, 2), np.minimum(bases, 7)
        game = spent & ((1 << self.pair.game_mark_count) - 1)
        ended = np.ravel_multi_index((outs, bases, direction, location, game), self.after_shape) + self.position_count
        count = (np.minimum(balls, 3), np.minimum(strikes, 2))
        going = np.ravel_multi_index((outs, bases, *count, direction, location, spent), self.shape)
        loss, win = len(self.target_values) - 2, len(self.target_values) - 1
        found: IntArray = np.where(won, win, np.where(lost, loss, np.where(over, ended, going)))
        return found

    def fatigue_rows(self, thrown: Sequence[str]) -> tuple[int, int]:
        by = [self.step * (part == ace) for part, ace in zip(thrown, self.pair.pitcher.ace, strict=True)]
        return by[0], by[1]

    # The stare-down ----------------------------------------------------------------------------------------------

    def _plans_by_group(self, at: AtBatPositions, ahead: bool) -> Iterable[tuple[IntArray, list[TreeValues]]]:
        """Group positions whose throws and guesses have the same outcome distributions."""
        groups: dict[object, list[int]] = {}
        plans: dict[object, list[TreeValues]] = {}
        looks = [at.outs, at.bases, at.balls, at.strikes, at.spent]
        rows = [at.direction, at.location] if self.pair.facts.rows else []
        same: dict[tuple[int, ...], list[int]] = {}
        for place, look in enumerate(zip(*(one.tolist() for one in (*looks, *rows)), strict=True)):
            same.setdefault(look, []).append(place)
        for look, places in same.items():
            outs, bases, balls, strikes, spent = look[:5]
            here = (look[5], look[6]) if rows else (self.floor, self.floor)
            s = self.pair.state_before_reveal(outs, BASES_BY_MASK[bases], here, spent, self.floor)
            key, plan = self.pair.outcome_plan(s, (balls, strikes), ahead)
            plans[key] = plan
            groups.setdefault(key, []).extend(places)
        return [(np.array(places), plans[key]) for key, places in groups.items()]

    def payoff_matrices(self, at: AtBatPositions) -> FloatArray:
        """Return home's win probability by position, throw and guess, in the order of `PITCH_CODES`.

        The row of a forbidden throw is 2, so that the pitcher never chooses it.
        """
        found = np.empty((len(at.outs), 4, 4))
        for places, plan in self._plans_by_group(at, ahead=False):
            here = at.subset(places)
            for row, (thrown, values) in enumerate(zip(SPLIT_PITCH_CODES, plan, strict=True)):
                by = self.fatigue_rows(thrown)
                targets = np.stack([self._node_targets(number, by, here) for number in values.leaves])
                found[places, row] = values.distribution_values(self.target_values[targets]).T
        self.forbid_tired_throws(found, at)
        return found

    def forbid_tired_throws(self, games: FloatArray, at: AtBatPositions) -> None:
        """Set the rows of throws for which the pitcher is too tired to 2."""
        for row, thrown in enumerate(SPLIT_PITCH_CODES):
            for part, ace, rows in zip(thrown, self.pair.pitcher.ace, (at.direction, at.location), strict=True):
                if part == ace:
                    games[rows == self.bottom, row] = 2.0

    def _node_targets(self, number: int, by: tuple[int, int], at: AtBatPositions) -> IntArray:
        end = self.pair.nodes[number]
        assert isinstance(end, PitchEnd)
        return self.target_indexes(end, by, at)

    # Solving -----------------------------------------------------------------------------------------------------

    def _solve_all_counts(self) -> None:
        """Compute the value of each position, from the highest count down."""
        every = self.all_positions()
        chosen = np.ravel_multi_index(tuple(getattr(every, name) for name in every.__slots__), self.shape)
        targets: dict[tuple[int, tuple[int, int]], IntArray] = {}
        for balls, strikes in sorted(product(range(4), range(3)), key=lambda count: (-sum(count), count)):
            here = np.flatnonzero((every.balls == balls) & (every.strikes == strikes))
            if strikes == 2 and balls < 3:
                values = self.win_probabilities
                values[:, :, balls, strikes] = values[:, :, balls + 1, strikes]
                self.target_values[chosen[here]] = self.stay_values[chosen[here]]
            self._solve_count(chosen[here], every.subset(here), here, every, targets, strikes == 2)

    def _solve_count(
        self,
        chosen: IntArray,
        at: AtBatPositions,
        here: IntArray,
        every: AtBatPositions,
        known: dict[tuple[int, tuple[int, int]], IntArray],
        again: bool,
    ) -> None:
        steps = []
        for places, plan in self._plans_by_group(at, ahead=True):
            for row, (thrown, values) in enumerate(zip(SPLIT_PITCH_CODES, plan, strict=True)):
                by = self.fatigue_rows(thrown)
                for number in values.leaves:
                    if (number, by) not in known:
                        known[number, by] = self._node_targets(number, by, every)
                targets = np.stack([known[number, by][here[places]] for number in values.leaves])
                steps.append((places, row, values, targets))
        games = np.empty((len(chosen), 4, 4))
        mixes, fresh = None, False
        for _ in range(100):
            for places, row, values, targets in steps:
                games[places, row] = values.distribution_values(self.target_values[targets]).T
            self.forbid_tired_throws(games, at)
            if mixes is None:
                mixes, worst = row_strategies(1 - games)
                fresh = True
            else:
                worst = np.einsum("nt,ntg->ng", mixes, 1 - games).min(axis=1)
            found = 1 - worst
            change = np.abs(found - self.stay_values[chosen]).max(initial=0)
            self.stay_values[chosen] = found
            self.target_values[chosen] = found
            if self.bench is not None:
                there = self.bench[at.outs, at.bases, at.balls, at.strikes, at.spent]
                self.target_values[chosen] = np.minimum(found, there)
            if not again or (fresh and change < CHANCE_TOLERANCE):
                break
            fresh = False
            if change < CHANCE_TOLERANCE:
                mixes = None

    @property
    def win_probabilities(self) -> FloatArray:
        """Win probability of home before each stare-down, by outs, bases, balls, strikes, rows and used abilities."""
        return self.stay_values.reshape(self.shape)


def _where_conditions_hold(
    tables: Sequence[Needs], outs: IntArray, bases: IntArray, direction: IntArray, location: IntArray, empty: bool
) -> NDArray[np.bool_]:
    """Return a mask of the positions where any table of conditions holds, or `empty` if there are no tables."""
    if not tables:
        return np.full(len(outs), empty)
    facts = {"outs": outs, "direction_row": direction, "location_row": location}
    facts |= {name: bases >> base & 1 for base, name in enumerate(("first", "second", "third"))}
    found = np.zeros(len(outs), bool)
    for table in tables:
        good = np.ones(len(outs), bool)
        for name, values in table:
            wanted = [int(value == "occupied") if isinstance(value, str) else value for value in values]
            good &= np.isin(facts[name], wanted)
        found |= good
    return found
