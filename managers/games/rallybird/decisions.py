"""Answers of a RallyBird manager to each ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random

import numpy as np

from engine.ask_views import AnyAskView, ArrangeView, ChooseView
from engine.games.rallybird.cards import ZONE_LETTERS
from engine.views import TableView
from managers.games.rallybird import mixing, reasons
from managers.games.rallybird.gloves import NO_GLOVE, GloveLayouts
from managers.games.rallybird.matchup import keep_and_reroll_values
from managers.games.rallybird.model import RallybirdModel
from managers.games.rallybird.outcomes import FloatArray
from managers.games.rallybird.situation import RallybirdPosition, position_from_view
from managers.manager import Strength, WeighedAnswer, greedy_policy, softmax_policy

TEMPERATURES_BY_STRENGTH: dict[Strength, float] = {"rookie": 0.06, "regular": 0.012, "all-star": 0.0}
"""Softmax temperature of each strength, see `softmax_policy`."""

MAX_EXTRA_LAYOUTS = 24  # Maximum number of weighed layouts beyond those in the optimal strategy.
UNCHANGED_LAYOUT_CHANCE = 0.6  # Chance that a rookie leaves the Gloves unchanged if all can still be laid.

ASSUMED_RESULTS_BY_COMPARISON = {
    "less": ("batter out",),
    "equal": ("batter out",),
    "more": ("batter to first, runners +1", "batter to first"),
}
"""Results that a manager assumes on a blank card by comparison, of which the first legal one counts."""


class RallybirdManager:
    """Manager of either seat."""

    def __init__(self, values: RallybirdModel, strength: Strength) -> None:
        self._values, self._strength, self._temperature = values, strength, TEMPERATURES_BY_STRENGTH[strength]
        self._choices: dict[str, Callable[[RallybirdPosition, ChooseView], Sequence[WeighedAnswer]]] = {
            "leave-out": self._weigh_omitted_glove,
            "at-bat": self._weigh_cards,
            "shown": self._weigh_cards,
            "flip": self._weigh_glove_change,
            "remove": self._weigh_glove_change,
            "rallybird": self._weigh_rallybird,
            "rallybird-anyway": self._weigh_rallybird,
            "tests": self._weigh_tested_zones,
            "first-roll": self._weigh_first_roll,
            "result": self._weigh_result,
        }

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        """Weigh the answers to an ask. For an unknown or trivial ask, the first option is chosen."""
        now = position_from_view(view, self._values.cards, self._values.kit)
        if isinstance(ask, ArrangeView):
            return self._weigh_layouts(now)
        assert isinstance(ask, ChooseView), ask
        if ask.why in self._choices:
            return self._choices[ask.why](now, ask)
        value = self._values.innings.win_probability(*now.inning_key, now.base_out_state)
        win = value if now.is_batting else 1 - value
        return [WeighedAnswer(one.value, win, float(place == 0)) for place, one in enumerate(ask.options)]

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[str]:
        if isinstance(ask, ChooseView) and ask.why in ("leave-out", "flip", "remove"):
            return [one.value for one in ask.options]
        return ("keep",) if ask.why in ("gloves", "rallybird", "rallybird-anyway") else ()

    # The at-bat ------------------------------------------------------------------------------------------------------

    def _weigh_cards(self, now: RallybirdPosition, ask: ChooseView) -> Sequence[WeighedAnswer]:
        """Weigh the cards. With real cards, the Gloves are already laid, but the choice must not depend on them."""
        cards = self._values.cards
        options = [cards.names.index(one.value) for one in ask.options]
        removed = _unplayed_card(now, len(cards.names)) if self._values.real else now.removed
        if len(options) > 1:
            options = [card for card in options if card != removed]
        game = self._values.at_bat_game(now)
        playable, payoffs = game.playable, game.payoffs
        options = [card for card in options if card in playable] or options[:1]
        if options[0] not in playable:
            return _first_possible_policy(ask, [])
        rows = [int(np.flatnonzero(playable == card)[0]) for card in options]
        if self._strength == "all-star":
            mix = game.optimal_strategies
            mine = int(np.flatnonzero(playable == removed)[0]) if removed in playable else None
            worth, shares = payoffs @ mix.layouts, mixing.strategy_without_card(mix.cards, game.out, mine)[rows]
        else:
            worth = payoffs.mean(1)
            shares = _softmax_shares(worth[rows], self._temperature)
        shares = _without_tiny_shares(shares)
        return [
            WeighedAnswer(
                cards.names[card],
                _clamped_chance(worth[row]),
                float(share),
                reasons.card_reason(now, card, cards),
                float(payoffs[row].std()),  # A daring card's result depends on where the Gloves lie.
            )
            for card, row, share in zip(options, rows, shares, strict=True)
        ]

    def _weigh_layouts(self, now: RallybirdPosition) -> Sequence[WeighedAnswer]:
        game = self._values.at_bat_game(now)
        layouts, payoffs = game.layouts, game.payoffs
        lying = np.flatnonzero((layouts == now.layout).all(1))
        if self._strength == "all-star":
            mix = game.optimal_strategies
            cost, shares = mix.cards @ payoffs, mix.layouts
            order = np.union1d(cost.argsort(kind="stable")[:MAX_EXTRA_LAYOUTS], np.flatnonzero(shares > 0))
        else:
            cost = _softmax_shares(payoffs.mean(1), self._temperature) @ payoffs
            laid = (layouts != NO_GLOVE).sum(1)
            every = np.flatnonzero(laid == laid.max())  # Weaker managers always lay every Glove.
            order = every[cost[every].argsort(kind="stable")[:MAX_EXTRA_LAYOUTS]]
            shares = np.zeros(len(layouts))
            shares[order] = _softmax_shares(-cost[order], self._temperature)
            if self._strength == "rookie" and len(lying) and laid[lying[0]] == laid.max():
                shares *= 1 - UNCHANGED_LAYOUT_CHANCE
                shares[lying[0]] += UNCHANGED_LAYOUT_CHANCE
        order = np.union1d(order, lying)  # To leave the Gloves in place is always weighed.
        shares = _without_tiny_shares(shares[order])
        return [
            WeighedAnswer(
                self._layout_answer(layouts, place),
                _clamped_chance(1 - cost[place]),
                float(share),
                reasons.layout_reason(now),
            )
            for place, share in zip(order, shares, strict=True)
        ]

    def _layout_answer(self, layouts: GloveLayouts, place: int) -> dict[str, str]:
        names = self._values.kit.names
        return {
            letter: names[glove]
            for letter, glove in zip(ZONE_LETTERS, layouts[place], strict=True)
            if glove != NO_GLOVE
        }

    # The Gloves ------------------------------------------------------------------------------------------------------

    def _weigh_omitted_glove(self, now: RallybirdPosition, ask: ChooseView) -> Sequence[WeighedAnswer]:
        kit = self._values.kit
        found = []
        for one in ask.options:
            gloves = kit.fresh_gloves(kit.names.index(one.value))
            value = self._values.innings.win_probability(
                now.inning, now.side, now.lead, now.rallybird_holders, gloves, 0
            )
            found.append(WeighedAnswer(one.value, 1 - value, reason=reasons.omission_reason(kit, one.value)))
        return self._with_shares(found)

    def _weigh_glove_change(self, now: RallybirdPosition, ask: ChooseView) -> Sequence[WeighedAnswer]:
        """Weigh the Gloves to turn over or remove. The result of the at-bat already counts."""
        kit, found = self._values.kit, []
        for one in ask.options:
            gloves = kit.gloves_after_change(now.gloves, kit.names.index(one.value))
            value = self._values.innings.win_probability(
                now.inning, now.side, now.lead, now.rallybird_holders, gloves, now.base_out_state
            )
            found.append(
                WeighedAnswer(one.value, 1 - value, reason=reasons.glove_change_reason(kit, now.gloves, one.value))
            )
        return self._with_shares(found)

    # The RallyBird ---------------------------------------------------------------------------------------------------

    def _weigh_rallybird(self, now: RallybirdPosition, ask: ChooseView) -> Sequence[WeighedAnswer]:
        values = self._values
        later, bird = values.innings.later_values(*now.inning_key), values.innings.usable_rallybird(*now.inning_key)
        if bird is None or now.shown is None:
            return [WeighedAnswer(one.value, 0.5, float(one.value == "keep")) for one in ask.options]
        keep, again = keep_and_reroll_values(
            values.cards, values.kit, now.gloves, now.shown, now.base_out_state, later, bird
        )
        wins = {"keep": keep, "reroll": again}
        return self._with_shares(
            [
                WeighedAnswer(
                    one.value,
                    _clamped_chance(wins[one.value]),
                    0.0,
                    reasons.rallybird_reason(now, one.value, ask.why == "rallybird-anyway"),
                )
                for one in ask.options
            ]
        )

    # Blank cards -----------------------------------------------------------------------------------------------------

    def _weigh_tested_zones(self, now: RallybirdPosition, ask: ChooseView) -> Sequence[WeighedAnswer]:
        """Choose the zones that a blank card tests. The number named so far is not visible, so it is random."""
        assert now.shown is not None
        first, second = (
            ZONE_LETTERS[zone] for zone in self._values.cards.tests[now.shown.card][bool(now.bases >> 1 & 1)]
        )
        shares = {second: 0.5, "enough": 0.5} if "enough" in [one.value for one in ask.options] else {first: 1.0}
        return [WeighedAnswer(one.value, 0.5, shares.get(one.value, 0.0)) for one in ask.options]

    def _weigh_first_roll(self, now: RallybirdPosition, ask: ChooseView) -> Sequence[WeighedAnswer]:
        assert now.shown is not None
        return _first_possible_policy(ask, ["good" if now.shown.compare == 2 else "bad"])

    def _weigh_result(self, now: RallybirdPosition, ask: ChooseView) -> Sequence[WeighedAnswer]:
        assert now.shown is not None
        return _first_possible_policy(ask, list(ASSUMED_RESULTS_BY_COMPARISON.values())[now.shown.compare])

    def _with_shares(self, weighed: Sequence[WeighedAnswer]) -> Sequence[WeighedAnswer]:
        return softmax_policy(weighed, self._temperature) if self._temperature else greedy_policy(weighed)


def _first_possible_policy(ask: ChooseView, wanted: Sequence[str]) -> Sequence[WeighedAnswer]:
    """Choose the first of these answers that is an option, or the first option. Win probabilities are unknown."""
    values = [one.value for one in ask.options]
    chosen = next((value for value in wanted if value in values), values[0])
    return [WeighedAnswer(value, 0.5, float(value == chosen)) for value in values]


def _unplayed_card(now: RallybirdPosition, count: int) -> int:
    """Return the card that a manager with real cards does not play in this half-inning.

    It replaces a drawn one, so it must not depend on anything that changes within the half-inning.
    """
    return Random(repr((now.inning, now.side, now.fielding_runs, count))).randrange(count)


def _softmax_shares(worth: FloatArray, blur: float) -> FloatArray:
    weights = np.exp((worth - worth.max()) / blur)
    found: FloatArray = weights / weights.sum()
    return found


def _without_tiny_shares(shares: FloatArray) -> FloatArray:
    """Drop negligible shares and normalize."""
    kept = np.where(shares < 1e-4 * shares.max(), 0, shares)
    found: FloatArray = kept / kept.sum()
    return found


def _clamped_chance(value: float) -> float:
    return min(1.0, max(0.0, float(value)))
