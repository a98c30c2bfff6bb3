"""Simulated games between managers under the real rules with random dice, for leagues, tests and benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from engine.ask_views import RerollView
from engine.asks import Call, Draw, Reroll, Roll, Secret
from engine.dice import die_sides
from engine.innings import Outcome
from engine.seats import Seat
from engine.table import Table
from engine.views import TableView
from managers.manager import GameSetup, ManagerDecision, Strength, build_manager, next_decision, next_manager_ask

SimulatedPlayer = Callable[[TableView, Random], ManagerDecision | None]
"""A player of a simulated game. It decides for a seat from that seat's view, or returns None if others are to act."""


def manager_player(setup: GameSetup, strength: Strength) -> SimulatedPlayer:
    made = build_manager(setup, strength)
    return lambda view, chance: next_decision(made, view, chance)


def random_decision(view: TableView, chance: Random) -> ManagerDecision | None:
    ask = next_manager_ask(view)
    if ask is None:
        return None
    if isinstance(ask, RerollView):
        return ManagerDecision(
            ask.n, chance.sample(ask.free, chance.randint(1, min(ask.most, len(ask.free)))), "", False
        )
    return ManagerDecision(ask.n, ask.random_answer(chance), "", ask.secret)


def simulate_game(table: Table, players: Mapping[Seat, SimulatedPlayer], chance: Random) -> Outcome:
    """Play a table to its end and return the outcome.

    Players decide, `chance` throws and draws, and in a race both seats are equally quick.
    """
    while (outcome := table.outcome) is None:
        answer_one_ask(table, players, chance)
    assert isinstance(outcome, Outcome)
    return outcome


def answer_one_ask(table: Table, players: Mapping[Seat, SimulatedPlayer], chance: Random) -> None:
    """Answer one open ask, chosen at random. An open race is answered first."""
    asks = table.open_asks()
    n, ask = chance.choice(asks)
    if calls := [(n, ask) for n, ask in asks if isinstance(ask, Call)]:
        n, ask = _first_winning_call(calls, chance)
    inner = ask.ask if isinstance(ask, Secret) else ask
    match inner:
        case Roll(dice=dice):
            table.answer_ask(ask.seat, n, [chance.choice(die_sides(die.kind, table.house)) for die in dice])
        case Call(wins=wins):
            table.answer_ask(ask.seat, n, chance.choice(wins))
        case Draw(options=options):
            table.answer_ask(ask.seat, n, chance.choice(options))
        case _:
            decision = players[ask.seat](table.view_for(ask.seat), chance)
            assert decision is not None, ask
            assert decision.n == n, (decision, n)
            value = decision.value
            if isinstance(inner, Reroll):
                value = [chance.choice(die.faces) if place in value else None for place, die in enumerate(inner.dice)]
            table.answer_ask(ask.seat, n, value)


def _first_winning_call(calls: Sequence[tuple[int, Call]], chance: Random) -> tuple[int, Call]:
    """Simulate a race in which both seats throw at the same speed. Return the call of the first winning die."""
    while True:
        if won := [(n, ask) for n, ask in calls if chance.choice(ask.die.faces) in ask.wins]:
            return chance.choice(won)
