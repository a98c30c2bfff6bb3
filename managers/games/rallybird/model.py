"""Model of one setup (cards, Gloves and win probabilities), computed once per process."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np

from engine.cards import cards_in_decks
from engine.games.rallybird.cards import build_box
from engine.games.rallybird.state import REGULATION_INNINGS
from managers.games.rallybird import mixing
from managers.games.rallybird.gloves import GloveKit, GloveLayouts
from managers.games.rallybird.half_inning import half_inning_steps
from managers.games.rallybird.innings import InningProbabilities
from managers.games.rallybird.matchup import card_matchups
from managers.games.rallybird.outcomes import CardOutcomes, FloatArray, IntArray, card_outcomes
from managers.games.rallybird.situation import RallybirdPosition
from managers.manager import GameSetup

MAX_CACHED_SETUPS = 4  # Maximum of cached setups.


class AtBatGame:
    """Matrix game of an at-bat.

    payoffs: win probability of the side at bat by playable card and layout.
    out: probability that each card is the removed one.
    """

    def __init__(self, playable: IntArray, layouts: GloveLayouts, payoffs: FloatArray, out: FloatArray) -> None:
        self.playable, self.layouts, self.payoffs, self.out = playable, layouts, payoffs, out

    @cached_property
    def optimal_strategies(self) -> mixing.MixedStrategies:
        return mixing.solve_at_bat(self.payoffs, self.out)


@dataclass(frozen=True, slots=True, eq=False)
class RallybirdModel:
    """Model of one setup."""

    cards: CardOutcomes
    kit: GloveKit
    innings: InningProbabilities
    real: bool
    """True if real cards are used (A18)."""

    _games: dict[tuple[object, ...], AtBatGame] = field(default_factory=dict)

    def at_bat_game(self, now: RallybirdPosition) -> AtBatGame:
        """Return the matrix game of an at-bat. The last one is cached, because both sides may need it."""
        key = (*now.inning_key, now.base_out_state, now.played)
        game = self._games.get(key)
        if game is None:
            playable = np.flatnonzero(self.cards.playable[now.bases])
            layouts = self.kit.legal_layouts(now.gloves)
            payoffs = self._payoff_matrix(now, layouts)[playable]
            game = AtBatGame(playable, layouts, payoffs, self.removed_card_chances(now)[playable])
            self._games.clear()
            self._games[key] = game
        return game

    def _payoff_matrix(self, now: RallybirdPosition, layouts: GloveLayouts) -> FloatArray:
        later, bird = self.innings.later_values(*now.inning_key), self.innings.usable_rallybird(*now.inning_key)
        found = np.zeros((len(self.cards.names), len(layouts)))
        for met in card_matchups(self.cards, self.kit, now.gloves, np.array([now.base_out_state]), later, bird):
            found[met.cards] = met.layout_values(layouts)[:, 0]
        return found

    def removed_card_chances(self, now: RallybirdPosition) -> FloatArray:
        """Return the probability for the side in the field that each card is the removed one."""
        unseen = np.array([card not in now.played for card in range(len(self.cards.names))], float)
        chances: FloatArray = unseen / max(1.0, unseen.sum())
        return chances


_model_cache: dict[tuple[object, ...], RallybirdModel] = {}


def model_for_setup(setup: GameSetup) -> RallybirdModel:
    """Return the model of a setup, computed on first use."""
    steps = model_steps(setup)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            model: RallybirdModel = end.value
            return model


def model_steps(setup: GameSetup) -> Generator[None, None, RallybirdModel]:
    """Compute the model of a setup in steps of a fraction of a second, unless it is known. Return it.

    It is complete then, so managers and evaluators in several threads may share it.
    """
    key = (*(deck.digest for deck in setup.decks), *sorted(setup.house.items()))
    if key in _model_cache:
        return _model_cache[key]
    box = build_box(cards_in_decks(setup.decks), setup.house)
    cards = card_outcomes(box, setup.house)
    kit = GloveKit.from_box(
        box,
        optional=setup.house["glovePlacement"] == "oneEachOptional",
        last_back=setup.house["lastGlove"] == "lastBackSide",
    )
    innings = InningProbabilities(cards, kit, (yield from half_inning_steps(cards, kit)), setup.house)
    for batting, fielding in product((True, False), repeat=2):
        innings.half_start_probabilities(REGULATION_INNINGS, "top", (batting, fielding))
        yield
    innings.half_start_probabilities(int(setup.house["startInning"]), "top", (True, True))
    model = RallybirdModel(cards, kit, innings, setup.house["cards"] == "real")
    while len(_model_cache) >= MAX_CACHED_SETUPS:
        del _model_cache[next(iter(_model_cache))]
    _model_cache[key] = model
    return model
