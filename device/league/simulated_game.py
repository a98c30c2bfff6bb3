"""Play a game to its end between computers, with real chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from device.table.managed_seats import MANAGER_LOCK
from engine.asks import Arrange, Ask, Choose, Reroll, Secret
from engine.journal import Source
from engine.seats import Seat
from engine.table import Table
from engine.views import TableView
from managers.cast import CAST_BY_CHOICE, TemperedManager
from managers.manager import GameSetup, ManagerDecision, Strength, build_unstudied_manager, next_decision
from managers.simulation import SimulatedPlayer, answer_one_ask


def play_to_end(
    table: Table, managers: Mapping[Seat, str], chance: Random, between: Callable[[], None]
) -> list[Source]:
    """Play a table to its end and return the source of each entry of its journal.

    managers: the computer of each seat, a key of `managers.cast.CAST_BY_CHOICE`.
    between: called before each answer. It may sleep, or raise to stop.

    Raises whatever a bug in a manager or in the rules raises.
    """
    players = _build_players(table, managers, between)
    while table.outcome is None:
        between()
        answer_one_ask(table, players, chance)
    return [Source.MANAGER if _is_decision(one.ask) else Source.HOUSE for one in table.answers]


def _build_players(
    table: Table, managers: Mapping[Seat, str], between: Callable[[], None]
) -> dict[Seat, SimulatedPlayer]:
    setup = GameSetup(table.game.key, table.decks, table.house)
    strengths: set[Strength] = {CAST_BY_CHOICE[choice].strength for choice in managers.values()}
    built = {}
    for strength in strengths:
        with MANAGER_LOCK:
            built[strength] = build_unstudied_manager(setup, strength)
        more = True
        while more:
            between()
            with MANAGER_LOCK:
                more = built[strength].study_cards()

    def player(choice: str) -> SimulatedPlayer:
        one = CAST_BY_CHOICE[choice]
        manager = TemperedManager(built[one.strength], one.temper)

        def decide(view: TableView, chance: Random) -> ManagerDecision | None:
            with MANAGER_LOCK:
                return next_decision(manager, view, chance)

        return decide

    return {seat: player(choice) for seat, choice in managers.items()}


def _is_decision(ask: Ask) -> bool:
    return isinstance(ask.ask if isinstance(ask, Secret) else ask, Choose | Arrange | Reroll)
