"""What a manager of RallyBird answers to each ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from engine.ask_views import AnyAskView, ArrangeView, ChooseView
from engine.games.rallybird.cards import ZONES
from engine.views import TableView
from managers.games.rallybird import mixing, reasons
from managers.games.rallybird.fielding import BARE, Layouts
from managers.games.rallybird.matchup import roll_again
from managers.games.rallybird.outcomes import Floats
from managers.games.rallybird.situation import Situation, situation
from managers.games.rallybird.values import Values
from managers.manager import Strength, Weighed, best, blurred

BLUR: dict[Strength, float] = {"rookie": 0.06, "regular": 0.012, "all-star": 0.0}
"""How unclearly chances are seen; see `blurred`."""

SEEN = 24
"""The most layouts that are weighed, besides those that are mixed."""

LEFT_LYING = 0.6
"""How often a rookie leaves the Gloves as they lie, if none of them is out since."""

READ = {
    "less": ("batter out",),
    "equal": ("batter out",),
    "more": ("batter to first, runners +1", "batter to first"),
}
"""What a manager reads on a blank card, the first that is possible; see `outcomes.as_read`."""


class RallyBirdManager:
    """Decides for either seat; see `Manager`."""

    def __init__(self, values: Values, strength: Strength) -> None:
        self._values, self._strength, self._blur = values, strength, BLUR[strength]
        self._choices: dict[str, Callable[[Situation, ChooseView], Sequence[Weighed]]] = {
            "leave-out": self._leave_out,
            "at-bat": self._play,
            "shown": self._play,
            "flip": self._change,
            "remove": self._change,
            "rallybird": self._rally,
            "rallybird-anyway": self._rally,
            "tests": self._tests,
            "first-roll": self._first_roll,
            "result": self._result,
        }

    def weigh(self, view: TableView, ask: AnyAskView) -> Sequence[Weighed]:
        """Return the answers to an ask; of one that needs no thought, or is not known, the first."""
        now = situation(view, self._values.cards, self._values.kit)
        if isinstance(ask, ArrangeView):
            return self._lay(now)
        assert isinstance(ask, ChooseView), ask
        if ask.why in self._choices:
            return self._choices[ask.why](now, ask)
        value = self._values.innings.here(*now.now, now.position)
        win = value if now.at_bat else 1 - value
        return [Weighed(one.value, win, float(place == 0)) for place, one in enumerate(ask.options)]

    # The at-bat ------------------------------------------------------------------------------------------------------

    def _play(self, now: Situation, ask: ChooseView) -> Sequence[Weighed]:
        """Weigh the cards. Where real cards are used, the Gloves lie already; the choice does not look at them."""
        cards = self._values.cards
        options = [cards.names.index(one.value) for one in ask.options]
        removed = _set_aside(now, len(cards.names)) if self._values.real else now.removed
        if len(options) > 1:
            options = [card for card in options if card != removed]
        game = self._values.game(now)
        playable, payoffs = game.playable, game.payoffs
        options = [card for card in options if card in playable] or options[:1]
        if options[0] not in playable:
            return _only(ask, [])
        rows = [int(np.flatnonzero(playable == card)[0]) for card in options]
        if self._strength == "all-star":
            mix = game.mix
            mine = int(np.flatnonzero(playable == removed)[0]) if removed in playable else None
            worth, shares = payoffs @ mix.layouts, mixing.given_out(mix.cards, game.out, mine)[rows]
        else:
            worth = payoffs.mean(1)
            shares = _seen(worth[rows], self._blur)
        shares = _rounded(shares)
        return [
            Weighed(cards.names[card], _chance(worth[row]), float(share), reasons.card(now, card, cards))
            for card, row, share in zip(options, rows, shares, strict=True)
        ]

    def _lay(self, now: Situation) -> Sequence[Weighed]:
        """Weigh the layouts that are mixed, and some others."""
        game = self._values.game(now)
        layouts, payoffs = game.layouts, game.payoffs
        if self._strength == "all-star":
            mix = game.mix
            cost, shares = mix.cards @ payoffs, mix.layouts
            order = np.union1d(cost.argsort(kind="stable")[:SEEN], np.flatnonzero(shares > 0))
        else:
            cost = _seen(payoffs.mean(1), self._blur) @ payoffs
            laid = (layouts != BARE).sum(1)
            every = np.flatnonzero(laid == laid.max())  # By rule of thumb, every Glove is laid.
            order = every[cost[every].argsort(kind="stable")[:SEEN]]
            shares = np.zeros(len(layouts))
            shares[order] = _seen(-cost[order], self._blur)
            lying = np.flatnonzero((layouts == now.lying).all(1))
            if self._strength == "rookie" and len(lying) and laid[lying[0]] == laid.max():
                shares *= 1 - LEFT_LYING
                shares[lying[0]] += LEFT_LYING
                order = np.union1d(order, lying)
        shares = _rounded(shares[order])
        return [
            Weighed(self._answer(layouts, place), _chance(1 - cost[place]), float(share), reasons.layout(now))
            for place, share in zip(order, shares, strict=True)
        ]

    def _answer(self, layouts: Layouts, place: int) -> dict[str, str]:
        names = self._values.kit.names
        return {letter: names[glove] for letter, glove in zip(ZONES, layouts[place], strict=True) if glove != BARE}

    # The Gloves ------------------------------------------------------------------------------------------------------

    def _leave_out(self, now: Situation, ask: ChooseView) -> Sequence[Weighed]:
        kit = self._values.kit
        found = []
        for one in ask.options:
            gloves = kit.fresh(kit.names.index(one.value))
            value = self._values.innings.here(now.inning, now.side, now.lead, now.birds, gloves, 0)
            found.append(Weighed(one.value, 1 - value, reason=reasons.left_out(kit, one.value)))
        return self._chosen(found)

    def _change(self, now: Situation, ask: ChooseView) -> Sequence[Weighed]:
        """Weigh which Glove to turn over or take away; the result of the at-bat already counts."""
        kit, found = self._values.kit, []
        for one in ask.options:
            gloves = kit.worn(now.gloves, kit.names.index(one.value))
            value = self._values.innings.here(now.inning, now.side, now.lead, now.birds, gloves, now.position)
            found.append(Weighed(one.value, 1 - value, reason=reasons.changed(kit, now.gloves, one.value)))
        return self._chosen(found)

    # The RallyBird ---------------------------------------------------------------------------------------------------

    def _rally(self, now: Situation, ask: ChooseView) -> Sequence[Weighed]:
        values = self._values
        later, bird = values.innings.later(*now.now), values.innings.bird(*now.now)
        if bird is None or now.shown is None:
            return [Weighed(one.value, 0.5, float(one.value == "keep")) for one in ask.options]
        keep, again = roll_again(values.cards, values.kit, now.gloves, now.shown, now.position, later, bird)
        wins = {"keep": keep, "reroll": again}
        return self._chosen(
            [
                Weighed(
                    one.value,
                    _chance(wins[one.value]),
                    0.0,
                    reasons.rally(now, one.value, ask.why == "rallybird-anyway"),
                )
                for one in ask.options
            ]
        )

    # Blank cards -----------------------------------------------------------------------------------------------------

    def _tests(self, now: Situation, ask: ChooseView) -> Sequence[Weighed]:
        """Say which zones a blank card tests. How many were said before is not to be seen, so chance says how many."""
        assert now.shown is not None
        first, second = (ZONES[zone] for zone in self._values.cards.tests[now.shown.card][bool(now.bases >> 1 & 1)])
        shares = {second: 0.5, "enough": 0.5} if "enough" in [one.value for one in ask.options] else {first: 1.0}
        return [Weighed(one.value, 0.5, shares.get(one.value, 0.0)) for one in ask.options]

    def _first_roll(self, now: Situation, ask: ChooseView) -> Sequence[Weighed]:
        assert now.shown is not None
        return _only(ask, ["good" if now.shown.compare == 2 else "bad"])

    def _result(self, now: Situation, ask: ChooseView) -> Sequence[Weighed]:
        assert now.shown is not None
        return _only(ask, list(READ.values())[now.shown.compare])

    def _chosen(self, weighed: Sequence[Weighed]) -> Sequence[Weighed]:
        return blurred(weighed, self._blur) if self._blur else best(weighed)


def _only(ask: ChooseView, wanted: Sequence[str]) -> Sequence[Weighed]:
    """Return the first of these answers that is an option, or the first option; nobody knows what it is worth."""
    values = [one.value for one in ask.options]
    chosen = next((value for value in wanted if value in values), values[0])
    return [Weighed(value, 0.5, float(value == chosen)) for value in values]


def _set_aside(now: Situation, count: int) -> int:
    """Return the card that a manager with real cards does not play in this half-inning, in place of one drawn.

    It is the same throughout the half-inning: nothing that changes inside one goes in.
    """
    return Random(repr((now.inning, now.side, now.fielding_runs, count))).randrange(count)


def _seen(worth: Floats, blur: float) -> Floats:
    """Return shares of these chances, seen through a blur."""
    weights = np.exp((worth - worth.max()) / blur)
    found: Floats = weights / weights.sum()
    return found


def _rounded(shares: Floats) -> Floats:
    """Return shares without those too small to matter, adding up to 1."""
    kept = np.where(shares < 1e-4 * shares.max(), 0, shares)
    found: Floats = kept / kept.sum()
    return found


def _chance(value: float) -> float:
    return min(1.0, max(0.0, float(value)))
