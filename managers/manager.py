"""Interface between managers and tables, from a seat's view to one weighed answer."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Literal, Protocol, get_args

from engine.ask_views import AnyAskView, ArrangeView, ChooseView, RerollView
from engine.cards import Deck
from engine.views import TableView

Strength = Literal["rookie", "regular", "all-star"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)  # All strengths, weakest first.

MIN_GAIN = 0.005
"""Smallest difference of the chance to win that is worth a question in `cautious_answer`."""

MIN_HAND_GAIN = 0.001
"""The same for a hand of cards. A card that is passed up is offered again, so small losses would add up."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Public setup of a game. `game` and `house` are keys of the rulebook and its house rules."""

    game: str
    decks: tuple[Deck, ...]
    house: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WeighedAnswer:
    """One answer to an ask, in JSON form.

    value: an option, an arrangement, or the indexes of the dice to reroll.
    win: the seat's estimated chance to win the game with this answer, 0 to 1.
    share: how often the manager gives this answer, 0 to 1. The shares of an ask add up to 1.
    reason: one sentence, or "" if there is none. It may be shown to all as soon as the answer may be.
    risk: how daring it is, compared only with other answers to the same ask (`managers.cast`).
    """

    value: Any
    win: float
    share: float = 0.0
    reason: str = ""
    risk: float = 0.0


class Manager(Protocol):
    """Policy for one seat of one game.

    It stores nothing about a game between two calls except values that it can compute again. So it decides the same
    after an undo and after a restart of the program.
    """

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        """Return at least one candidate answer to an open ask of the seat `view.seat`.

        The ask must be a choice, an arrangement or a reroll. This is not checked.
        """

    def study_cards(self, view: TableView | None = None) -> bool:
        """Prepare better answers for a fraction of a second. Return True if there is more to prepare.

        Until then `weigh_answers` uses what it has, so that no first answer takes long. What the game in `view` no
        longer needs is left out; None needs all.
        """

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[Any]:
        """Return the answers to an ask that the coach may give for a person, if they hardly matter.

        They use up no player, card or token. Empty if `win` does not estimate chances, as before and between games,
        or if the cards are not known.
        """


@dataclass(frozen=True, slots=True)
class ManagerDecision:
    """A manager's answer to ask `n`. For a reroll, `value` has the indexes of the dice to reroll."""

    n: int
    value: Any
    reason: str
    secret: bool


def manager_module_name(game: str) -> str:
    """Return the name of the module of a game's manager. The module need not exist."""
    return f"managers.games.{game.replace('-', '_')}"


@cache
def has_manager(game: str) -> bool:
    """Check for a manager of this game without importing it."""
    return importlib.util.find_spec(manager_module_name(game)) is not None


def build_manager(setup: GameSetup, strength: Strength) -> Manager:
    """Build a manager for any seat of this game that has studied all its cards, which may take seconds.

    Raises LookupError if the game has no manager.
    """
    manager = build_unstudied_manager(setup, strength)
    while manager.study_cards():
        pass
    return manager


def build_unstudied_manager(setup: GameSetup, strength: Strength) -> Manager:
    """Build a manager that still has to study the cards with `study_cards`. Raises as `build_manager`."""
    if not has_manager(setup.game):
        raise LookupError(f"There is no computer manager for {setup.game}.")
    build: Callable[[GameSetup, Strength], Manager] = import_module(manager_module_name(setup.game)).build_game_manager
    return build(setup, strength)


def next_manager_ask(view: TableView) -> AnyAskView | None:
    """Return the first open ask that the manager of the seat `view.seat` must answer, or None.

    A manager answers only what a person would decide. A reroll is such an ask, because it selects dice; a throw is not.
    """
    return next((ask for ask in view.asks if ask.seat == view.seat and is_manager_ask(ask)), None)


def is_manager_ask(ask: AnyAskView) -> bool:
    choice = isinstance(ask, ChooseView) and ask.kind == "choose"
    return choice or isinstance(ask, ArrangeView | RerollView)


def next_decision(manager: Manager, view: TableView, chance: Random) -> ManagerDecision | None:
    """Draw an answer of the manager of the seat `view.seat` from its policy. Return None if others are to act."""
    ask = next_manager_ask(view)
    if ask is None:
        return None
    weighed = manager.weigh_answers(view, ask)
    chosen = chance.choices(weighed, [one.share for one in weighed])[0]
    return ManagerDecision(ask.n, chosen.value, chosen.reason, ask.secret)


def cautious_answer(manager: Manager, view: TableView, ask: AnyAskView, usual: Any) -> WeighedAnswer | None:
    """Return the manager's answer to an ask that hardly matters, or None if the person in that seat should decide.

    usual: the answer that changes nothing, None if the ask has none. It is given if nothing else gains `MIN_GAIN`.
        Without it, the best answer is given if it costs nothing and the next best loses less than `MIN_GAIN`. A secret
        without a usual answer is the game itself, and never given.
    """
    if isinstance(ask, RerollView) or (usual is None and ask.secret):
        return None
    costless = manager.costless_answers(view, ask)
    if not costless:
        return None
    best, *others = sorted(manager.weigh_answers(view, ask), key=lambda one: (-one.win, -one.share))
    if usual is None:
        return best if others and best.value in costless and best.win - others[0].win < MIN_GAIN else None
    same = next((one for one in (best, *others) if one.value == usual), None)
    limit = MIN_HAND_GAIN if ask.secret else MIN_GAIN
    return same if same is not None and best.win - same.win < limit else None


ROUNDING_ERROR = 1e-9
"""Difference of two chances to win that comes from the order of computation."""


def greedy_policy(weighed: Sequence[WeighedAnswer]) -> list[WeighedAnswer]:
    """Give the full share to the answer with the highest chance to win, the first one in a tie.

    Chances that differ by rounding alone tie, so that of equal plays the plain one, which is offered first, is chosen.
    """
    most = max(one.win for one in weighed)
    top = next(one for one in weighed if one.win >= most - ROUNDING_ERROR)
    return [replace(one, share=1.0 if one is top else 0.0) for one in weighed]


def softmax_policy(weighed: Sequence[WeighedAnswer], blur: float) -> list[WeighedAnswer]:
    """Give softmax shares of the chances to win. An answer with a chance lower by `blur` is `e` times less likely."""
    top = max(one.win for one in weighed)
    weights = [math.exp((one.win - top) / blur) for one in weighed]
    return [replace(one, share=weight / sum(weights)) for one, weight in zip(weighed, weights, strict=True)]
