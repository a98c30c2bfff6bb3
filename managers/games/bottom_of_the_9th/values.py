"""Expected values of distributions over outcomes and ability choices, for many positions at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.seats import Seat
from managers.games.bottom_of_the_9th.matrix_game import FloatArray

NodeDistribution = dict[int, float]  # Probability of each node, by its number.


@dataclass(frozen=True, slots=True)
class AbilityChoice:
    """A seat's choice between using an ability and keeping it. Each branch lists node numbers with probabilities."""

    seat: Seat
    use: tuple[tuple[int, float], ...]
    keep: tuple[tuple[int, float], ...]


class TreeValues:
    """Evaluator of distributions over nodes, given the leaf values. A child has a lower number than its parents."""

    def __init__(self, mixes: Sequence[NodeDistribution], nodes: Sequence[object]) -> None:
        wanted: set[int] = set()
        open_ = [node for mix in mixes for node in mix]
        while open_:
            node = open_.pop()
            if node not in wanted:
                wanted.add(node)
                choice = nodes[node]
                if isinstance(choice, AbilityChoice):
                    open_ += [child for child, _ in (*choice.use, *choice.keep)]
        choices = sorted(node for node in wanted if isinstance(nodes[node], AbilityChoice))
        self.leaves = sorted(wanted.difference(choices))
        """Node numbers of the leaves, in the row order that `distribution_values` expects."""
        depth: dict[int, int] = dict.fromkeys(self.leaves, 0)
        for node in choices:
            choice = nodes[node]
            assert isinstance(choice, AbilityChoice)
            depth[node] = 1 + max(depth[child] for child, _ in (*choice.use, *choice.keep))
        choices.sort(key=lambda node: (depth[node], node))
        places = {node: place for place, node in enumerate([*self.leaves, *choices])}
        self._levels: list[tuple[FloatArray, FloatArray, FloatArray]] = []
        for level in sorted({depth[node] for node in choices}):
            here = [node for node in choices if depth[node] == level]
            known = min(places[node] for node in here)
            use, keep, sign = np.zeros((len(here), known)), np.zeros((len(here), known)), np.ones((len(here), 1))
            for row, node in enumerate(here):
                choice = nodes[node]
                assert isinstance(choice, AbilityChoice)
                sign[row] = 1 if choice.seat == "home" else -1
                for part, matrix in ((choice.use, use), (choice.keep, keep)):
                    for child, chance in part:
                        matrix[row, places[child]] += chance
            self._levels.append((use, keep, sign))
        self._mixes = np.zeros((len(mixes), len(places)))
        for row, mix in enumerate(mixes):
            for node, chance in mix.items():
                self._mixes[row, places[node]] += chance

    def distribution_values(self, ends: FloatArray) -> FloatArray:
        """Return the expected values, (distributions, positions), from the leaf values `leaves`, (leaves,
        positions)."""
        known = ends
        for use, keep, sign in self._levels:
            best = sign * np.maximum(sign * (use @ known), sign * (keep @ known))
            known = np.concatenate([known, best])
        found: FloatArray = self._mixes @ known
        return found
