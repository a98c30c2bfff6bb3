"""The half-inning: how many runs come in from every position, when both sides mix cards and layouts well.

Both sides play for runs, of which the first counts most. The Gloves have too many states to solve each, so the games
are solved for a sample of them, and the values between are linear in `Kit.describe`. Repeating that until nothing
changes any more is fitted value iteration; each game is solved approximately by regret matching, all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from managers.games.rallybird.fielding import BACK, BARE, FEATURES, OUT, Gloves, Kit, Layouts
from managers.games.rallybird.matchup import Matchup, halves, matchups
from managers.games.rallybird.outcomes import MOST_RUNS, OVER, Floats, Ints, Outcomes

Singles = NDArray[np.float32]

RUNS = 12
"""The most runs of a half-inning; more than that count as this number."""

LACK = 0.7
"""Each run leaves this much of the lack of runs: Offense keeps the mean of LACK ** runs small. The first run
counts most, as it does for the chance to win.
"""

SAMPLE = 30
"""States of the Gloves that are solved."""

LAYOUTS = 80
"""Layouts that are tried in each of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """What to expect of a half-inning.

    `tails` is the distribution of the runs still to come, as coefficients of `Kit.describe` by position. `steps` are
    the chances of an at-bat for the sampled Gloves `sample`: by Gloves, position, card, comparison and number of
    `Kit.describe`, weighted with how often Defense lays what; `mix` is how often Offense plays each card.
    """

    sample: tuple[Gloves, ...]
    fit: Floats
    """The matrix that turns values of the sampled Gloves into coefficients."""
    tails: Floats
    steps: Floats
    mix: Floats


def solve(cards: Outcomes, kit: Kit) -> Half:
    """Return the solved half-inning of these cards and Gloves. It takes a second or two."""
    chance = Random(repr((kit.names, kit.front, kit.back, cards.names)))
    sample = _sample(kit, chance)
    layouts = [_some(kit.layouts(gloves), chance) for gloves in sample]
    described = np.array([kit.describe(gloves) for gloves in sample])
    fit = np.linalg.pinv(described, rcond=1e-6)
    lack = np.zeros((OVER, FEATURES))
    lack[:, 0] = [0.5 + 0.15 * (position // 8) - 0.05 * (position % 8).bit_count() for position in range(OVER)]
    games = Games(cards, len(sample))
    for rounds in (40, 40, 60, 100):
        met = [_met(cards, kit, gloves, lack) for gloves in sample]
        payoffs = [_payoffs(cards, one, layouts[place]) for place, one in enumerate(met)]
        games.play(np.array(payoffs), rounds)
        steps = np.array([_steps(kit, gloves, met[g], layouts[g], games.layouts[g]) for g, gloves in enumerate(sample)])
        lack = _lack(cards, fit, steps, games.cards, lack)
    return Half(tuple(sample), fit, _tails(cards, fit, steps, games.cards), steps, games.cards)


def _sample(kit: Kit, chance: Random) -> list[Gloves]:
    """Return Gloves as they may be in a half-inning: fresh, and after more and more changes."""
    found = [kit.fresh(icon) for icon in kit.icons]
    while len(found) < SAMPLE:
        gloves = kit.fresh(kit.icons[len(found) % 2])
        depth = 1 + (len(found) * 8) // SAMPLE
        for _ in range(depth):
            may = [glove for glove, state in enumerate(gloves) if state != OUT]
            if kit.safe(gloves):
                may = [glove for glove in may if gloves[glove] != BACK]
            # In play, a Glove on its back is taken before a front in the same zones.
            pool = may + [glove for glove in may if gloves[glove] == BACK]
            if pool:
                gloves = kit.worn(gloves, chance.choice(pool))
        found.append(gloves)
    return found


def _some(layouts: Layouts, chance: Random) -> Layouts:
    """Return `LAYOUTS` of the layouts, all Gloves laid in most of them."""
    full = (layouts != BARE).sum(1)
    most = np.flatnonzero(full == full.max())
    rest = np.flatnonzero(full != full.max())
    places = chance.choices(list(most), k=LAYOUTS) if len(most) < LAYOUTS else chance.sample(list(most), LAYOUTS)
    if len(rest):
        places[: LAYOUTS // 4] = chance.choices(list(rest), k=LAYOUTS // 4)
    return layouts[places]


def _met(cards: Outcomes, kit: Kit, gloves: Gloves, lack: Floats) -> list[tuple[Ints, Matchup]]:
    """Return what all cards do, with the positions from which they do it."""
    still = np.vstack([np.clip(lack @ kit.changes(gloves).T, 0, 1), np.ones((1, BARE + 1))])
    later = 1 - still[:, :, None] * LACK ** np.arange(MOST_RUNS + 1)
    return [(positions, met) for positions in halves() for met in matchups(cards, kit, gloves, positions, later)]


def _payoffs(cards: Outcomes, met: Sequence[tuple[Ints, Matchup]], layouts: Layouts) -> Singles:
    """Return the value of every position, card and layout."""
    found = np.zeros((OVER, len(cards.names), len(layouts)), np.float32)
    for positions, one in met:
        found[np.ix_(positions, one.cards)] = one.values(layouts).swapaxes(0, 1)
    return found


def _steps(kit: Kit, gloves: Gloves, met: Sequence[tuple[Ints, Matchup]], layouts: Layouts, mix: Floats) -> Floats:
    """Return the chances of an at-bat, times the description of the Gloves after it; `mix` is that of the layouts."""
    described = kit.changes(gloves)
    found = np.zeros((OVER, sum(len(one.cards) for _, one in met) // 2, 3, FEATURES))
    for positions, one in met:
        places = one.places(layouts)
        for row, card in enumerate(one.cards):
            laid = np.zeros((len(positions), one.value.shape[-1]))
            for place, column in zip(places[row], mix[positions].T, strict=True):
                laid[:, place] += column
            weights = one.final[row] * laid[:, None]
            for changed, description in enumerate(described):
                chance = np.where(one.change[row] == changed, weights, 0).sum(-1)
                found[positions, card] += chance[..., None] * description
    return found


def _lack(cards: Outcomes, fit: Floats, steps: Floats, mix: Floats, lack: Floats) -> Floats:
    """Return the coefficients of the lack of runs to come, if both sides go on with these mixes."""
    weights = steps * (mix[..., None] * LACK**cards.runs)[..., None]
    for _ in range(60):
        follow = np.vstack([lack, np.eye(1, FEATURES)])
        seen = np.einsum("gpcjf,pcjf->gp", weights, follow[cards.after], optimize=True)
        lack, before = np.einsum("fg,gp->pf", fit, np.clip(seen, 0, 1)), lack
        if np.abs(lack - before).max() < 1e-4:
            break
    return lack


def _tails(cards: Outcomes, fit: Floats, steps: Floats, mix: Floats) -> Floats:
    """Return the coefficients of the distribution of runs to come: by position, description, and 0 to `RUNS` runs."""
    weights = steps * mix[..., None, None]
    tails = np.zeros((OVER, FEATURES, RUNS + 1))
    tails[:, 0, 0] = 1
    for _ in range(60):
        follow = np.zeros((OVER + 1, MOST_RUNS + 1, FEATURES, RUNS + 1))
        for runs in range(MOST_RUNS + 1):
            follow[:OVER, runs, :, runs:] = tails[:, :, : RUNS + 1 - runs]
            follow[:OVER, runs, :, RUNS] += tails[:, :, RUNS + 1 - runs :].sum(-1)
            follow[OVER, runs, 0, runs] = 1
        seen = np.einsum("gpcjf,pcjfr->gpr", weights, follow[cards.after, cards.runs], optimize=True)
        tails, before = np.einsum("fg,gpr->pfr", fit, seen), tails
        if np.abs(tails - before).max() < 1e-5:
            break
    return tails


class Games:
    """Many at-bats as zero-sum games, solved together by regret matching with linear averages.

    That one card is out is left aside here: it changes little.
    """

    def __init__(self, cards: Outcomes, count: int) -> None:
        number = len(cards.names)
        self._may = cards.playable[np.arange(OVER) % 8].astype(np.float32)
        self.cards = np.zeros((count, OVER, number))
        self.layouts = np.zeros((count, OVER, LAYOUTS))
        self._offence = np.zeros((count, OVER, number), np.float32)
        self._defence = np.zeros((count, OVER, LAYOUTS), np.float32)

    def play(self, payoffs: Singles, rounds: int) -> None:
        """Improve both sides' mixes for these payoffs, beginning with what was learned before."""
        flipped = np.ascontiguousarray(payoffs.swapaxes(-1, -2))
        self._offence *= 0.1
        self._defence *= 0.1
        total_cards, total_layouts = np.zeros(self.cards.shape), np.zeros(self.layouts.shape)
        play = _matched(self._offence, self._may)
        for number in range(1, rounds + 1):
            lay = _matched(self._defence, None)
            worth = (payoffs @ lay[..., None])[..., 0]
            won = (play * worth).sum(-1, keepdims=True)
            self._offence = np.maximum(self._offence + (worth - won) * self._may, 0)
            play = _matched(self._offence, self._may)
            cost = (flipped @ play[..., None])[..., 0]
            lost = (cost * lay).sum(-1, keepdims=True)
            self._defence = np.maximum(self._defence + lost - cost, 0)
            total_cards += number * play
            total_layouts += number * lay
        self.cards = total_cards / total_cards.sum(-1, keepdims=True)
        self.layouts = total_layouts / total_layouts.sum(-1, keepdims=True)


def _matched(regrets: Singles, may: Singles | None) -> Singles:
    """Return strategies in proportion to these regrets; where there are none, equal shares of what may be chosen."""
    total = regrets.sum(-1, keepdims=True)
    even = np.ones_like(regrets) if may is None else np.broadcast_to(may, regrets.shape)
    shares = np.where(total > 0, regrets, even)
    found: Singles = shares / shares.sum(-1, keepdims=True)
    return found
