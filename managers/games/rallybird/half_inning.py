"""Distribution of runs in a half-inning from every position, with near-optimal strategies of both sides.

Both sides play for runs, of which the first counts most. The Gloves have too many states to solve each, so the games
are solved for a sample, with values linear in `GloveKit.feature_vector` (fitted value iteration). Each game is solved
approximately by regret matching, all at once.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from managers.games.rallybird.gloves import (
    FEATURE_COUNT,
    GLOVE_BACK,
    GLOVE_OUT,
    NO_GLOVE,
    GloveKit,
    GloveLayouts,
    GloveStates,
)
from managers.games.rallybird.matchup import CardMatchup, card_matchups, positions_by_second_base
from managers.games.rallybird.outcomes import MAX_AT_BAT_RUNS, THIRD_OUT_STATE, CardOutcomes, FloatArray, IntArray

Float32Array = NDArray[np.float32]

MAX_HALF_RUNS = 12  # Maximum of runs of a half-inning. More are clipped.

RUN_DISCOUNT = 0.7
"""Offense minimizes the mean of RUN_DISCOUNT ** runs, so that the first run counts most, as it does for a win."""

SAMPLED_STATE_COUNT = 30  # Number of Glove states that are solved.
SAMPLED_LAYOUT_COUNT = 80  # Number of layouts tried in each of them.


@dataclass(frozen=True, slots=True, eq=False)
class HalfInningSolution:
    """Solution of a half-inning.

    sample: Glove states that were solved.
    run_coefficients: distribution of the runs still to come, by position, feature of `GloveKit` and number of runs.
    transition_weights: by sampled Gloves, position, card, comparison and feature, averaged over Defense's strategy.
    card_strategies: Offense's probability of each card, by sampled Gloves and position.
    """

    sample: tuple[GloveStates, ...]
    fit_matrix: FloatArray
    """Matrix from values of the sampled Gloves to coefficients."""
    run_coefficients: FloatArray
    transition_weights: FloatArray
    card_strategies: FloatArray


def half_inning_steps(cards: CardOutcomes, kit: GloveKit) -> Generator[None, None, HalfInningSolution]:
    """Solve the half-inning of these cards and Gloves, in steps of a fraction of a second. Return the solution."""
    chance = Random(repr((kit.names, kit.front, kit.back, cards.names)))
    sample = _sample_glove_states(kit, chance)
    layouts = [_sample_layouts(kit.legal_layouts(gloves), chance) for gloves in sample]
    described = np.array([kit.feature_vector(gloves) for gloves in sample])
    fit = np.linalg.pinv(described, rcond=1e-6)
    lack = np.zeros((THIRD_OUT_STATE, FEATURE_COUNT))
    lack[:, 0] = [
        0.5 + 0.15 * (position // 8) - 0.05 * (position % 8).bit_count() for position in range(THIRD_OUT_STATE)
    ]
    games = RegretMatcher(cards, len(sample))
    for rounds in (40, 40, 60, 100):
        met = [_all_matchups(cards, kit, gloves, lack) for gloves in sample]
        payoffs = [_payoff_matrix(cards, one, layouts[place]) for place, one in enumerate(met)]
        games.improve_strategies(np.array(payoffs), rounds)
        steps = np.array(
            [_transition_weights(kit, gloves, met[g], layouts[g], games.layouts[g]) for g, gloves in enumerate(sample)]
        )
        lack = _discount_coefficients(cards, fit, steps, games.cards, lack)
        yield
    return HalfInningSolution(tuple(sample), fit, _run_coefficients(cards, fit, steps, games.cards), steps, games.cards)


def _sample_glove_states(kit: GloveKit, chance: Random) -> list[GloveStates]:
    found = [kit.fresh_gloves(icon) for icon in kit.icons]
    while len(found) < SAMPLED_STATE_COUNT:
        gloves = kit.fresh_gloves(kit.icons[len(found) % 2])
        depth = 1 + (len(found) * 8) // SAMPLED_STATE_COUNT
        for _ in range(depth):
            may = [glove for glove, state in enumerate(gloves) if state != GLOVE_OUT]
            if kit.is_last_glove_safe(gloves):
                may = [glove for glove in may if gloves[glove] != GLOVE_BACK]
            # In play, a Glove on its back is changed before one on its front, so it is twice as likely.
            pool = may + [glove for glove in may if gloves[glove] == GLOVE_BACK]
            if pool:
                gloves = kit.gloves_after_change(gloves, chance.choice(pool))
        found.append(gloves)
    return found


def _sample_layouts(layouts: GloveLayouts, chance: Random) -> GloveLayouts:
    """Sample `SAMPLED_LAYOUT_COUNT` layouts, most of them with all Gloves."""
    full = (layouts != NO_GLOVE).sum(1)
    most = np.flatnonzero(full == full.max())
    rest = np.flatnonzero(full != full.max())
    places = (
        chance.choices(list(most), k=SAMPLED_LAYOUT_COUNT)
        if len(most) < SAMPLED_LAYOUT_COUNT
        else chance.sample(list(most), SAMPLED_LAYOUT_COUNT)
    )
    if len(rest):
        places[: SAMPLED_LAYOUT_COUNT // 4] = chance.choices(list(rest), k=SAMPLED_LAYOUT_COUNT // 4)
    return layouts[places]


def _all_matchups(
    cards: CardOutcomes, kit: GloveKit, gloves: GloveStates, lack: FloatArray
) -> list[tuple[IntArray, CardMatchup]]:
    """Return the matchups of all cards, with the positions to which they apply."""
    still = np.vstack([np.clip(lack @ kit.features_after_changes(gloves).T, 0, 1), np.ones((1, NO_GLOVE + 1))])
    later = 1 - still[:, :, None] * RUN_DISCOUNT ** np.arange(MAX_AT_BAT_RUNS + 1)
    return [
        (positions, met)
        for positions in positions_by_second_base()
        for met in card_matchups(cards, kit, gloves, positions, later)
    ]


def _payoff_matrix(
    cards: CardOutcomes, met: Sequence[tuple[IntArray, CardMatchup]], layouts: GloveLayouts
) -> Float32Array:
    found = np.zeros((THIRD_OUT_STATE, len(cards.names), len(layouts)), np.float32)
    for positions, one in met:
        found[np.ix_(positions, one.cards)] = one.layout_values(layouts).swapaxes(0, 1)
    return found


def _transition_weights(
    kit: GloveKit,
    gloves: GloveStates,
    met: Sequence[tuple[IntArray, CardMatchup]],
    layouts: GloveLayouts,
    mix: FloatArray,
) -> FloatArray:
    """Return transition weights of an at-bat times the features after it. `mix` is the strategy over layouts."""
    described = kit.features_after_changes(gloves)
    found = np.zeros((THIRD_OUT_STATE, sum(len(one.cards) for _, one in met) // 2, 3, FEATURE_COUNT))
    for positions, one in met:
        places = one.layout_indexes(layouts)
        for row, card in enumerate(one.cards):
            laid = np.zeros((len(positions), one.value.shape[-1]))
            for place, column in zip(places[row], mix[positions].T, strict=True):
                laid[:, place] += column
            weights = one.final[row] * laid[:, None]
            for changed, description in enumerate(described):
                chance = np.where(one.change[row] == changed, weights, 0).sum(-1)
                found[positions, card] += chance[..., None] * description
    return found


def _discount_coefficients(
    cards: CardOutcomes, fit: FloatArray, steps: FloatArray, mix: FloatArray, lack: FloatArray
) -> FloatArray:
    """Return the coefficients of the expected discount of future runs under these strategies."""
    weights = steps * (mix[..., None] * RUN_DISCOUNT**cards.runs)[..., None]
    for _ in range(60):
        follow = np.vstack([lack, np.eye(1, FEATURE_COUNT)])
        seen = np.einsum("gpcjf,pcjf->gp", weights, follow[cards.after], optimize=True)
        lack, before = np.einsum("fg,gp->pf", fit, np.clip(seen, 0, 1)), lack
        if np.abs(lack - before).max() < 1e-4:
            break
    return lack


def _run_coefficients(cards: CardOutcomes, fit: FloatArray, steps: FloatArray, mix: FloatArray) -> FloatArray:
    """Return the coefficients of the run distribution, by position, feature and future runs, 0 to `MAX_HALF_RUNS`."""
    weights = steps * mix[..., None, None]
    tails = np.zeros((THIRD_OUT_STATE, FEATURE_COUNT, MAX_HALF_RUNS + 1))
    tails[:, 0, 0] = 1
    for _ in range(60):
        follow = np.zeros((THIRD_OUT_STATE + 1, MAX_AT_BAT_RUNS + 1, FEATURE_COUNT, MAX_HALF_RUNS + 1))
        for runs in range(MAX_AT_BAT_RUNS + 1):
            follow[:THIRD_OUT_STATE, runs, :, runs:] = tails[:, :, : MAX_HALF_RUNS + 1 - runs]
            follow[:THIRD_OUT_STATE, runs, :, MAX_HALF_RUNS] += tails[:, :, MAX_HALF_RUNS + 1 - runs :].sum(-1)
            follow[THIRD_OUT_STATE, runs, 0, runs] = 1
        seen = np.einsum("gpcjf,pcjfr->gpr", weights, follow[cards.after, cards.runs], optimize=True)
        tails, before = np.einsum("fg,gpr->pfr", fit, seen), tails
        if np.abs(tails - before).max() < 1e-5:
            break
    return tails


class RegretMatcher:
    """Batch solver of at-bats as zero-sum games, by regret matching with linear averaging.

    It ignores that one card is removed, which has little effect.
    """

    def __init__(self, cards: CardOutcomes, count: int) -> None:
        number = len(cards.names)
        self._may = cards.playable[np.arange(THIRD_OUT_STATE) % 8].astype(np.float32)
        self.cards = np.zeros((count, THIRD_OUT_STATE, number))
        self.layouts = np.zeros((count, THIRD_OUT_STATE, SAMPLED_LAYOUT_COUNT))
        self._offence = np.zeros((count, THIRD_OUT_STATE, number), np.float32)
        self._defence = np.zeros((count, THIRD_OUT_STATE, SAMPLED_LAYOUT_COUNT), np.float32)

    def improve_strategies(self, payoffs: Float32Array, rounds: int) -> None:
        """Improve both strategies for these payoffs, starting from the previous ones."""
        flipped = np.ascontiguousarray(payoffs.swapaxes(-1, -2))
        self._offence *= 0.1
        self._defence *= 0.1
        total_cards, total_layouts = np.zeros(self.cards.shape), np.zeros(self.layouts.shape)
        play = _regret_strategies(self._offence, self._may)
        for number in range(1, rounds + 1):
            lay = _regret_strategies(self._defence, None)
            worth = (payoffs @ lay[..., None])[..., 0]
            won = (play * worth).sum(-1, keepdims=True)
            self._offence = np.maximum(self._offence + (worth - won) * self._may, 0)
            play = _regret_strategies(self._offence, self._may)
            cost = (flipped @ play[..., None])[..., 0]
            lost = (cost * lay).sum(-1, keepdims=True)
            self._defence = np.maximum(self._defence + lost - cost, 0)
            total_cards += number * play
            total_layouts += number * lay
        self.cards = total_cards / total_cards.sum(-1, keepdims=True)
        self.layouts = total_layouts / total_layouts.sum(-1, keepdims=True)


def _regret_strategies(regrets: Float32Array, may: Float32Array | None) -> Float32Array:
    """Return strategies in proportion to positive regrets, or uniform ones where there are none."""
    total = regrets.sum(-1, keepdims=True)
    even = np.ones_like(regrets) if may is None else np.broadcast_to(may, regrets.shape)
    shares = np.where(total > 0, regrets, even)
    found: Float32Array = shares / shares.sum(-1, keepdims=True)
    return found
