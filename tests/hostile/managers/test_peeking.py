"""No manager knows more than its seat's phone: what is hidden from that may change, and it decides the same.

Each game is played at random. Wherever the other side chooses or draws in secret, the game goes on in two ways that
look the same from this seat, and its manager must weigh both alike. A planted manager that looks into the table is
caught by the same probe.
"""

from __future__ import annotations

import gc
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from types import FunctionType, ModuleType

import pytest

from device.inputs.random_player import pick_answer
from device.storage.decks import house_deck
from engine.ask_views import AnyAskView
from engine.asks import Secret
from engine.game import GameState
from engine.games import GAMES
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import TableView, json_data
from managers.manager import STRENGTHS, GameSetup, Manager, WeighedAnswer, build_manager, next_manager_ask

HIDDEN: Mapping[str, Mapping[str, str]] = {
    "bottom-of-the-9th": {},
    "rallybird": {},
    "seventh-inning-stretch": {"mode": "duel", "cards": "dealt"},
    "clutch": {},
}
"""The games that hide something, each with house rules under which it does. In Small Ball all lies open."""

STEPS, PAIRS = 900, 12
"""Answers in the random games of one probe, at most, and how many pairs of twins are compared."""


@cache
def twins(key: str, seat: Seat) -> list[tuple[Table, Table]]:
    """Return pairs of tables that differ in what is hidden from this seat, where its manager has to decide."""
    game, chance, found = GAMES[key], Random(7), list[tuple[Table, Table]]()
    table = Table(game, [house_deck(game)], HIDDEN[key])
    for _ in range(STEPS):
        if table.outcome:
            table = Table(game, [house_deck(game)], HIDDEN[key])
        hidden = [(n, ask) for n, ask in table.open_asks() if isinstance(ask, Secret) and ask.seat != seat]
        for n, secret in hidden:
            view = table.ask_view(n, secret, secret.seat, dealer=True)
            values = [pick_answer(view, Random(one)) for one in range(8)]
            pair = [table.clone(), table.clone()]
            pair[0].answer_ask(secret.seat, n, values[0])
            pair[1].answer_ask(secret.seat, n, next((one for one in values if one != values[0]), values[0]))
            first, second = (one.view_for(seat) for one in pair)
            if next_manager_ask(first) is not None and json_data(first) == json_data(second) and len(found) < PAIRS:
                found.append((pair[0], pair[1]))
        n, ask = chance.choice(table.open_asks())
        table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))
    return found


def probe(made: Manager, key: str, seat: Seat) -> tuple[int, int]:
    """Return how many pairs of twins were compared, and in how many a manager weighed its answers differently."""
    compared = told_apart = 0
    for pair in twins(key, seat):
        views = [table.view_for(seat) for table in pair]
        asks = [next_manager_ask(view) for view in views]
        assert asks[0] is not None
        assert asks[1] is not None
        if isinstance(made, Peeker):
            made.table = pair[0]
        first = made.weigh_answers(views[0], asks[0])
        if isinstance(made, Peeker):
            made.table = pair[1]
        compared, told_apart = compared + 1, told_apart + (first != made.weigh_answers(views[1], asks[1]))
    return compared, told_apart


class Peeker:
    """A planted manager: it has got hold of the table, and copies the other side's secret."""

    table: Table

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[str]:
        return ()

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        stolen = [one.value for one in self.table._pending if one.ask.seat != view.seat]
        drawn = [one.value for one in self.table.answers if isinstance(one.ask, Secret) and one.ask.seat != view.seat]
        return [WeighedAnswer(repr((*stolen, *drawn[-1:])), 0.5, 1.0)]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("key", HIDDEN)
def test_what_is_hidden_from_its_seat_changes_nothing(key: str, seat: Seat) -> None:
    """Whatever the manager's strength."""
    game = GAMES[key]
    setup = GameSetup(key, (house_deck(game),), game.resolve_house_rules(HIDDEN[key]))
    found = {strength: probe(build_manager(setup, strength), key, seat) for strength in STRENGTHS}
    assert not [strength for strength, (_, told_apart) in found.items() if told_apart]
    compared = min(compared for compared, _ in found.values())
    if game.key != "clutch":  # there both sides seldom hide something at the same time
        assert compared > 0


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("key", ["bottom-of-the-9th", "rallybird"])
def test_a_manager_that_peeks_is_caught(key: str, seat: Seat) -> None:
    compared, told_apart = probe(Peeker(), key, seat)
    assert told_apart > 0, f"{compared} pairs, and the probe saw nothing"


def reachable(start: object) -> Iterator[object]:
    """Yield everything that a program could reach from a value without importing anything."""
    seen, waiting = set[int](), [start]
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type | ModuleType | FunctionType):
            continue
        seen.add(id(one))
        yield one
        waiting += gc.get_referents(one)


def stray(view: TableView) -> list[object]:
    """Return what a view leads to that a manager must not have."""
    return [
        one
        for one in reachable(view)
        if isinstance(one, Table | GameState) or (isinstance(one, SealedValue) and one.owner != view.seat)
    ]


@pytest.mark.parametrize("key", GAMES)
def test_a_view_leads_to_no_state_and_no_secret(key: str) -> None:
    """Followed through every reference, as a manager in Python could."""
    game, chance = GAMES[key], Random(3)
    table = Table(game, [house_deck(game)], HIDDEN.get(key, {}))
    for step in range(200):
        if not table.open_asks():
            break
        if step % 10 == 0:
            for seat in SEATS:
                assert [] == stray(table.view_for(seat))
        n, ask = chance.choice(table.open_asks())
        table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))


def test_a_view_that_carries_a_secret_is_caught() -> None:
    """The same search finds a sealed value of the other side, and a state, wherever they hang."""
    game = GAMES["bottom-of-the-9th"]
    table = Table(game, [house_deck(game)])
    view = table.view_for("home")
    for planted in (SealedValue("away", "inside-high", 4), table.state):
        given = dict(view.given)
        given["4"] = [planted]
        assert stray(replace(view, given=given))
        assert not stray(view)
