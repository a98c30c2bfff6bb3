"""The cast: computer managers with a name and a temper, and how a temper shows in play."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from engine.ask_views import AnyAskView
from engine.views import TableView
from managers.manager import Manager, Strength, WeighedAnswer

Temper = Literal["patient", "by the book", "bold"]


@dataclass(frozen=True, slots=True)
class CastManager:
    """A manager of the cast. Pages draw the portrait from the name."""

    name: str
    strength: Strength
    temper: Temper

    @property
    def key(self) -> str:
        """The first name in lower case, as settings and programs name the manager."""
        return self.name.split()[0].lower()


CAST: Mapping[str, CastManager] = {
    one.key: one
    for one in (
        CastManager("Maeve Lindgren", "rookie", "patient"),
        CastManager("Teo Elderfield", "rookie", "by the book"),
        CastManager("Pippa Tamblyn", "rookie", "bold"),
        CastManager("Frank Devereux", "regular", "patient"),
        CastManager("Viola Sorley", "regular", "by the book"),
        CastManager("Marcus Vance", "regular", "bold"),
        CastManager("Solomon Ackroyd", "all-star", "patient"),
        CastManager("Ida Okafor", "all-star", "by the book"),
        CastManager("Ruth Santoro", "all-star", "bold"),
    )
}
"""All managers by key, weakest first."""

CAST_BY_CHOICE: Mapping[str, CastManager] = {
    **CAST,
    **{one.strength: one for one in CAST.values() if one.temper == "by the book"},
}
"""The manager of each choice: a key or, as older games and programs write, a strength, which plays by the book."""

CAUTIOUS_ANSWERS = frozenset(
    [
        "agreed",
        "back",
        "bank",
        "enough",
        "hold",
        "keep",
        "no-change",
        "no-throw",
        "none",
        "pass",
        "pitch",
        "stay",
        "stays",
        "take-batter",
        "walk",
    ]
)
"""Answers that stake nothing, or keep what there is. A patient manager likes them."""

USUAL_ANSWERS = frozenset(("bat", "bat-on", "bats", "swing"))
"""Answers between a cautious one and one that tries something."""

MAX_TEMPER_COSTS: Mapping[str, float] = {"small-ball": 0.003, "seventh-inning-stretch": 0.0005, "clutch": 0.001}
"""The largest loss of win probability for which a temper chooses another answer, by game. A game with many questions
has a smaller one, so that a whole game costs less than a hundredth."""

DEFAULT_MAX_TEMPER_COST = 0.004  # For games that are not listed.

SECRET_TEMPER_SHARE = 1 / 3
"""How often a temper decides a secret choice, 0 to 1. The rest stays mixed, so that nobody can count on it."""


@dataclass(frozen=True, slots=True)
class TemperedManager:
    """`manager` with a temper. Rated answers, which the coach shows, stay as they are; only their shares change."""

    manager: Manager
    temper: Temper

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        game = view.scoreboard.game
        return tempered_policy(self.manager.weigh_answers(view, ask), self.temper, game, ask.secret)

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[Any]:
        return self.manager.costless_answers(view, ask)

    def study_cards(self, view: TableView | None = None) -> bool:
        return self.manager.study_cards(view)


def tempered_policy(
    weighed: Sequence[WeighedAnswer], temper: Temper, game: str, secret: bool
) -> Sequence[WeighedAnswer]:
    """Move shares to the most daring answers (bold) or the least daring ones (patient) among those close to the best.

    Answers that are worse by more than the game allows keep their shares. If all answers have the same win probability,
    they are not rated, and nothing changes.
    """
    top = max(one.win for one in weighed)
    if temper == "by the book" or all(one.win == top for one in weighed):
        return weighed
    sign = 1 if temper == "bold" else -1
    cost = MAX_TEMPER_COSTS.get(game, DEFAULT_MAX_TEMPER_COST)
    close = [one for one in weighed if one.win >= top - cost]
    extreme = max(sign * answer_risk(one) for one in close)
    liked = [one for one in close if sign * answer_risk(one) == extreme]
    likely = [one for one in liked if one.share] or [max(liked, key=lambda one: one.win)]
    weights = {id(one): one.share or 1.0 for one in likely}
    moved = (SECRET_TEMPER_SHARE if secret else 1.0) * sum(one.share for one in close)
    kept = 1 - (SECRET_TEMPER_SHARE if secret else 1.0)
    near = {id(one): kept * one.share + moved * weights.get(id(one), 0.0) / sum(weights.values()) for one in close}
    return [replace(one, share=near.get(id(one), one.share)) for one in weighed]


def answer_risk(answer: WeighedAnswer) -> float:
    """Return a figure for how daring an answer is, to compare it with the other answers to the same ask."""
    match answer.value:
        case list():
            return len(answer.value)  # More dice are rerolled.
        case str() if answer.value.isdecimal():
            return int(answer.value)  # More dice are used up.
        case str() if answer.value in CAUTIOUS_ANSWERS:
            return 0
        case str() if answer.value in USUAL_ANSWERS:
            return 1
    return 2 + answer.risk
