"""The interface between a manager and a table: a seat's view in, one weighed answer out."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Literal, Protocol, get_args

from engine.ask_views import AnyAskView, ArrangeView, ChooseView, RerollView
from engine.cards import Deck
from engine.views import TableView

Strength = Literal["rookie", "regular", "all-star"]
STRENGTHS: tuple[Strength, ...] = get_args(Strength)
"""The strengths, the weakest first."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """What everybody knows before the first throw: the rulebook, the decks and the house rules, all of them by key."""

    game: str
    decks: tuple[Deck, ...]
    house: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WeighedAnswer:
    """One answer to an ask, in JSON form: an option, an arrangement, or the places of the dice to throw again.

    `win` is the chance from 0 to 1 that the seat wins the game with it, as far as the manager can tell. `share` is how
    often it gives this answer; the shares of an ask add up to 1. `reason` says why in one plain sentence, "" if there
    is nothing to say; it may be shown to all as soon as the answer may be.
    """

    value: Any
    win: float
    share: float = 0.0
    reason: str = ""


class Manager(Protocol):
    """Decides for one seat of one game. It keeps nothing about a game between two calls, except values that it could
    work out again: after an undo, or in a program that was started again, it decides as before.
    """

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        """Return the answers that are worth thinking about for an open ask of the seat `view.seat`, at least one.

        The ask is a choice, an arrangement, or the dice to throw again. Not checked: whether it is.
        """


@dataclass(frozen=True, slots=True)
class ManagerDecision:
    """The answer of a manager to ask `n`. For a reroll, `value` has the places of the dice to throw again."""

    n: int
    value: Any
    reason: str
    secret: bool


def manager_module_name(game: str) -> str:
    """Return the module that may hold the manager of a game, by the game's key."""
    return f"managers.games.{game.replace('-', '_')}"


@cache
def has_manager(game: str) -> bool:
    """True if there is a manager for this game. Its module is not imported."""
    return importlib.util.find_spec(manager_module_name(game)) is not None


def build_manager(setup: GameSetup, strength: Strength) -> Manager:
    """Return a manager for any seat of this game. It may take seconds, while it studies the cards.

    Raises LookupError if this game has none.
    """
    if not has_manager(setup.game):
        raise LookupError(f"There is no computer manager for {setup.game}.")
    build: Callable[[GameSetup, Strength], Manager] = import_module(manager_module_name(setup.game)).build_game_manager
    return build(setup, strength)


def next_manager_ask(view: TableView) -> AnyAskView | None:
    """Return the first open ask that the manager of the seat `view.seat` must answer; None if others are to act.

    Dice are thrown, and chance draws: only what a person would decide is a manager's. A reroll is: it says which dice.
    """
    return next((ask for ask in view.asks if ask.seat == view.seat and is_manager_ask(ask)), None)


def is_manager_ask(ask: AnyAskView) -> bool:
    """True if a manager decides this ask."""
    choice = isinstance(ask, ChooseView) and ask.kind == "choose"
    return choice or isinstance(ask, ArrangeView | RerollView)


def next_decision(manager: Manager, view: TableView, chance: Random) -> ManagerDecision | None:
    """Return what the manager of the seat `view.seat` answers now; None if others are to act."""
    ask = next_manager_ask(view)
    if ask is None:
        return None
    weighed = manager.weigh_answers(view, ask)
    chosen = chance.choices(weighed, [one.share for one in weighed])[0]
    return ManagerDecision(ask.n, chosen.value, chosen.reason, ask.secret)


def greedy_policy(weighed: Sequence[WeighedAnswer]) -> list[WeighedAnswer]:
    """Return the answers with all of the share on the one that wins most often; of several, the first."""
    top = max(weighed, key=lambda one: one.win)
    return [replace(one, share=1.0 if one is top else 0.0) for one in weighed]


def softmax_policy(weighed: Sequence[WeighedAnswer], blur: float) -> list[WeighedAnswer]:
    """Return the answers with shares as somebody chooses who sees chances through a blur: an answer that wins less
    often by `blur` is chosen `e` times less often.
    """
    top = max(one.win for one in weighed)
    weights = [math.exp((one.win - top) / blur) for one in weighed]
    return [replace(one, share=weight / sum(weights)) for one, weight in zip(weighed, weights, strict=True)]
