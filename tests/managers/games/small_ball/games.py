"""Games of Small Ball to decide in: whole ones, and ones that begin late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from engine.ask_views import ChooseView
from engine.asks import Choose
from engine.cards import Deck
from engine.games.small_ball import GAME
from engine.games.small_ball.state import State
from engine.innings import InningClock
from engine.table import Table
from engine.views import TableView
from managers.games.small_ball.advice import SmallBallManager
from managers.games.small_ball.judges import PerfectJudge
from managers.manager import GameSetup, Manager, WeighedAnswer, next_manager_ask
from tests.engine.tables import halves, midway


def setup(deck: Deck, house: Mapping[str, str]) -> GameSetup:
    """Return what everybody knows before a game."""
    return GameSetup(GAME.key, (deck,), GAME.resolve_house_rules(house))


def all_star(made: GameSetup) -> Manager:
    """Return an all-star that studies only the innings which it plays."""
    return SmallBallManager(made, PerfectJudge(made))


def late(deck: Deck, house: Mapping[str, str], chance: Random, inning: int) -> Table:
    """Return a close game that goes on at the top of this inning of nine, or as near the end of a shorter game."""
    extra = inning - 9
    inning = extra + int(house.get("innings", "9"))

    def position(state: State) -> None:
        state.sides = ("red", "blue")
        state.clock = InningClock(inning, "top")
        runs = chance.randrange(4)
        state.score = (runs, runs if extra > 0 else max(0, runs + chance.randint(-2, 2)))
        state.due = (chance.randint(1, 9), chance.randint(1, 9))
        used = [frozenset(i for i in (0, 1) if chance.random() < 0.5) for _ in range(2)]
        state.used = (used[0], used[1])

    told = ({**facts, "team": facts["seat"]} for facts in halves(InningClock(inning, "top")))
    return midway(GAME, deck, house, position, told)


FIRST = ("away-team", "decision", "reactivate")
"""The asks that open a play."""


@dataclass(frozen=True)
class Decided:
    """A decision: the last state between two plays, the answers since, the ask, and what the manager says."""

    state: State
    answers: tuple[Any, ...]
    view: TableView
    ask: ChooseView
    weighed: list[WeighedAnswer]


def decided(table: Table, manager: Manager, chance: Random, stray: float) -> Iterator[Decided]:
    """Play on to the end, and yield every decision before it is made. A share `stray` of the answers is any legal
    answer, a pinch hitter more often than others, so that games go where no manager would.
    """
    stable, answers = between_plays(table), list[Any]()
    while not table.outcome:
        ((n, ask),) = table.open_asks()
        if isinstance(ask, Choose):
            view = table.view_for(ask.seat)
            shown = next_manager_ask(view)
            assert isinstance(shown, ChooseView)
            weighed = [*manager.weigh_answers(view, shown)]
            yield Decided(stable, tuple(answers), view, shown, weighed)
            value: Any = chance.choices([one.value for one in weighed], [one.share for one in weighed])[0]
            if chance.random() < stray:
                pinch = [option for option in ask.options if "pinch" in option]
                value = chance.choice(pinch or ask.options) if chance.random() < 0.4 else chance.choice(ask.options)
        else:
            value = (chance.randint(1, 6),)
        answers.append(value)
        table.answer_ask(ask.seat, n, value)
        if not table.outcome and table.open_asks()[0][1].why in FIRST:
            stable, answers = between_plays(table), []


def between_plays(table: Table) -> State:
    """Return a copy of the state, while the first ask of a play is open."""
    state = table.state.copy()
    assert isinstance(state, State)
    return state
