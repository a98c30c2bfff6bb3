"""The computer manager of Clutch: each ask goes to the chapter that rates its answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.ask_views import AnyAskView, ArrangeView, ChooseView
from engine.games.clutch.running.stealing import STEALS
from engine.views import TableView
from managers.games.clutch import batting, before, changes, fielding, hand, windows
from managers.games.clutch.expectancy import Study
from managers.games.clutch.hand import Prices
from managers.games.clutch.judge import Judge
from managers.games.clutch.position import look, underway
from managers.games.clutch.turn import QUIET, Rated, Turn, equal
from managers.manager import Strength, Weighed, best

BEFORE = ("roster", "rotation", "starter", "opener", "line-up", "lay", "two-way", "field", "strays", "order")

USUAL = ("pitch", "swing", "no-change")
"""The answers to a menu that change nothing."""


@dataclass(frozen=True)
class Style:
    """How a strength plays. All numbers are chances to win.

    In a menu of the at-bat an answer that changes something must be better by `margin`: a weaker manager leaves things
    as they are. An answer that is worse by `blur` is chosen `e` times less often (0: never), and not at all if it is
    worse by `cut`. A strategy card is worth `card` in the hand: a weaker manager saves none.
    """

    margin: float
    blur: float
    cut: float
    card: float


STYLES: Mapping[Strength, Style] = {
    "rookie": Style(0.12, 0.05, 0.16, 0.0),
    "regular": Style(0.020, 0.018, 0.050, 0.002),
    "all-star": Style(0.0, 0.0, 0.0, 0.006),
}

RATE: Mapping[str, Callable[[Turn], Rated]] = {
    "walk": fielding.pitch_or_walk,
    "infield": fielding.infield,
    "throw-at": fielding.throw_at,
    "throw-or-batter": fielding.throw_at,
    "double-play": fielding.double_play,
    "bunt-again": batting.bunt_again,
    "extra-base": batting.run,
    "tag-up": batting.run,
    "ground": batting.run,
    "send-home": batting.run,
    "reliever": changes.reliever,
    "pinch-hitter": changes.who_hits,
    "pinch-run-for": changes.run_for_whom,
    "pinch-runner": changes.who_runs,
    "replaced": changes.replaced,
    "replacement": changes.replacement,
    "replacement-plays": changes.plays_where,
    "elsewhere": changes.plays_where,
    "moves": changes.moves,
    "moves-to": changes.moves_to,
    "removed": changes.removed,
    "mulligan": hand.keep,
    "to-bottom": windows.give_away,
    "over-limit": windows.give_away,
    "discard": windows.give_away,
    "pay": windows.give_away,
    "recover": windows.recover,
    "search": windows.recover,
    "which-runner": windows.runner_for,
}
"""The chapters by the code of an ask; menus and cards have their own."""


class ClutchManager:
    """Decides for either seat of a game or a series of Clutch."""

    def __init__(self, study: Study, strength: Strength) -> None:
        self.study, self.style = study, STYLES[strength]
        self.prices = Prices(self.style.card)

    def weigh(self, view: TableView, ask: AnyAskView) -> Sequence[Weighed]:
        """Return the answers that are worth thinking about, see `managers.manager.Manager`."""
        if isinstance(ask, ArrangeView):
            return [Weighed(before.arrange(self.study, ask), before.EVEN, 1.0)]
        assert isinstance(ask, ChooseView), ask
        rated = self.rate(view, ask)
        legal = {one.value for one in ask.options}
        rated = {code: worth for code, worth in rated.items() if code in legal}
        if not rated:
            rated = equal((ask.options[0].value,), before.EVEN)
        weighed = [Weighed(code, min(1.0, max(0.0, win)), 0.0, why) for code, (win, why) in rated.items()]
        return self.shared(reasoned(weighed))

    def shared(self, weighed: Sequence[Weighed]) -> Sequence[Weighed]:
        """Return the answers with how often each is given."""
        style = self.style
        if not style.blur or len(weighed) < 2:
            return best(weighed)
        usual = any(one.value in USUAL for one in weighed)
        seen = [one.win - style.margin * (usual and one.value not in USUAL) for one in weighed]
        top = max(seen)
        weights = [math.exp((win - top) / style.blur) if win > top - style.cut else 0.0 for win in seen]
        return [replace(one, share=weight / sum(weights)) for one, weight in zip(weighed, weights, strict=True)]

    def rate(self, view: TableView, ask: ChooseView) -> Rated:
        """Return what the answers to a choice are worth."""
        if ask.why in BEFORE:
            return before.choose(self.study, ask)
        options = [one.value for one in ask.options]
        if not underway(view):
            return hand_before(self.study, view, ask, options)
        found = look(view, self.study.box, self.study.house)
        turn = Turn(found, Judge(self.study, found.side), ask)
        if ask.why in RATE:
            return RATE[ask.why](turn)
        if ask.why.startswith("cards-"):
            return windows.offer(turn, self.prices)
        match ask.why:
            case "defence":
                return defence(turn)
            case "changes":
                return sent_in(turn, {"no-change": (turn.base, "")})
            case "offence":
                return offence(turn)
            case "take-back":
                return windows.take_back(turn, self.prices)
            case "either":
                return windows.either(turn, self.prices)
            case "blank":
                return windows.blank(turn)
        return equal((one for one in options if one not in QUIET), turn.base)


def reasoned(weighed: Sequence[Weighed]) -> list[Weighed]:
    """Return the answers without the reasons that belong to a better one: only one starter is the best rested."""
    top: dict[str, float] = {}
    for one in weighed:
        top[one.reason] = max(one.win, top.get(one.reason, 0.0))
    return [one if one.win == top[one.reason] else replace(one, reason="") for one in weighed]


def hand_before(study: Study, view: TableView, ask: ChooseView, options: Sequence[str]) -> Rated:
    """Rate what is asked of the first hand, before the first at-bat."""
    if ask.why == "mulligan":
        cards = view.scoreboard.panel["hands"] or {}
        held = cards[ask.seat]["cards"] if ask.seat in cards else []
        names = [card["name"] for card in held] if isinstance(held, list) else []
        poor = bool(names) and sum(hand.use(study.box, name) for name in names) / len(names) < 0.5
        return {"keep": (0.5, ""), "mulligan": (0.51 if poor else 0.47, "")}
    if all(name in study.box.strategies for name in options):
        return {name: (0.5 - hand.use(study.box, name) / 100, "") for name in options}
    return equal((one for one in options if one not in QUIET), before.EVEN)


def defence(turn: Turn) -> Rated:
    """Rate the menu of the side in the field."""
    rated: Rated = {"pitch": (turn.base, "")}
    kinds = {
        "new-pitcher": changes.new_pitcher,
        "replace": changes.replace_fielder,
        "positions": changes.positions,
    }
    for code, kind in kinds.items():
        if code in turn.options:
            rated[code] = kind(turn)
    if "walk" in turn.options:
        rated["walk"] = (fielding.walk(turn), fielding.walk_reason(turn.s))
    return {code: worth for code, worth in rated.items() if worth[0] > -1}


def sent_in(turn: Turn, rated: Rated) -> Rated:
    """Add the substitutions of the side at bat."""
    for code, kind in (("pinch-hitter", changes.pinch_hitter), ("pinch-runner", changes.pinch_runner)):
        if code in turn.options:
            rated[code] = kind(turn)
    return {code: worth for code, worth in rated.items() if worth[0] > -1}


def offence(turn: Turn) -> Rated:
    """Rate the menu of the side at bat."""
    rated: Rated = {"swing": (turn.base, "")}
    if any(code in turn.options for code in STEALS):
        rated |= batting.steals(turn)
    if "bunt" in turn.options:
        rated["bunt"] = (batting.bunt(turn) - batting.MARGIN, "Move the runner up.")
    return sent_in(turn, rated)
