"""The trace of a game: which answers have a chance to win, what corrects it, and its view."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.analysis.win_trace import MAX_PATH_LENGTH, trace_game, update_trace, win_view
from device.inputs.random_player import pick_answer
from device.shapes import never_abort
from device.storage.decks import house_deck
from engine.asks import DiceAsk, Secret
from engine.errors import EngineError
from engine.games import GAMES
from engine.table import Table
from managers.evaluation import WIN_BY_WINNER
from tests.device.analysis.evaluators import FakeEvaluator
from tests.device.analysis.secret_card_game import secret_card_table

HOUSE: Mapping[str, Mapping[str, str]] = {"seventh-inning-stretch": {"mode": "duel", "cards": "dealt"}}


def begun(key: str) -> Table:
    return Table(GAMES[key], [house_deck(GAMES[key])], HOUSE.get(key, {}))


def play(table: Table, chance: Random, most: int = 10**6) -> Table:
    """Give random answers to the end of the game, or at most `most`."""
    for _ in range(most):
        if table.outcome:
            break
        n, ask = chance.choice(table.open_asks())
        table.answer_ask(ask.seat, n, pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))
    return table


def change(table: Table, chance: Random) -> None:
    """Play on, undo or correct, at random."""
    match chance.randrange(6) if table.answers else 0:
        case 0 | 1 | 2:
            play(table, chance, chance.randrange(1, 12))
        case 3:
            table.undo(chance.choice(table.answers[-12:]).n)
        case _:
            one = chance.choice(table.answers[-12:])
            with suppress(EngineError, LookupError):  # some have no other answer
                view = table.ask_view(one.n, one.ask, one.ask.seat, dealer=True)
                table.correct_answer(one.n, pick_answer(view, chance))


def trace(table: Table) -> dict[int, float]:
    return trace_game(table, FakeEvaluator(), never_abort)


@pytest.mark.parametrize("key", GAMES)
def test_each_answer_with_events_has_a_chance(key: str) -> None:
    """And no other, but the start; the last is that of the outcome."""
    table = play(begun(key), Random(3))
    found = trace(table)
    caused = {one.n for one in table.log} - {one.n for one in table.answers if isinstance(one.ask, Secret)}
    assert caused | {-1} <= found.keys() <= {-1, *(one.n for one in table.log)}
    assert sorted(found) == list(found)
    assert WIN_BY_WINNER[table.outcome.winner] == list(found.values())[-1]


@pytest.mark.parametrize("key", GAMES)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), steps=st.integers(1, 12))
def test_it_is_corrected_as_if_made_again(key: str, seed: int, steps: int) -> None:
    """After any answers, undone ones and corrections, however many entries come at once."""
    chance, table = Random(seed), begun(key)
    play(table, chance, chance.randrange(40))
    found, place = trace(table), len(table.journal)
    for _ in range(steps):
        for _ in range(chance.randrange(1, 4)):
            change(table, chance)
        update_trace(found, table, place, FakeEvaluator(), never_abort)
        place = len(table.journal)
        again = Table(table.game, table.decks, table.house, table.journal, table.names)
        assert list(trace(again).items()) == list(found.items())


def test_an_update_evaluates_only_what_changed() -> None:
    table = play(begun("small-ball"), Random(1), 60)
    found, place, evaluator = trace(table), len(table.journal), FakeEvaluator()
    play(table, Random(2), 1)
    update_trace(found, table, place, evaluator, never_abort)
    assert len(evaluator.views) <= 1


def test_it_stops_between_two_evaluations() -> None:
    class Stop(Exception):
        pass

    def wanted() -> None:
        if len(evaluator.views) == 3:
            raise Stop

    evaluator = FakeEvaluator()
    with pytest.raises(Stop):
        trace_game(play(begun("small-ball"), Random(1), 60), evaluator, wanted)
    assert 3 == len(evaluator.views)


def test_unknown_chances_are_left_out() -> None:
    table = play(begun("small-ball"), Random(1), 60)
    assert {} == trace_game(table, FakeEvaluator(lambda view: None), never_abort)
    assert win_view({}, table, 0.0) is None


@pytest.mark.parametrize("key", GAMES)
def test_its_view_has_a_bounded_path_whose_halves_begin_where_the_game_does(key: str) -> None:
    table = play(begun(key), Random(5))
    found = trace(table)
    view = win_view(found, table, 0.02)
    assert view is not None
    assert (round(list(found.values())[-1], 3), view.home) == (view.home, view.path[-1])
    assert len(view.path) <= MAX_PATH_LENGTH
    assert sorted(set(view.halves)) == view.halves
    assert set(view.halves) <= set(range(len(view.path)))
    began = table.log.games[-1] if table.log.games else 0
    assert view.halves
    if len(found) <= MAX_PATH_LENGTH and not began:
        numbers = list(found)
        assert {table.log[one].n for one in table.log.halves} == {numbers[one] for one in view.halves}


def test_before_the_end_nothing_is_certain() -> None:
    table = play(begun("small-ball"), Random(1), 40)
    for chance, shown in ((0.0, 0.001), (1.0, 0.999), (0.12345, 0.123)):
        view = win_view({-1: chance, 3: chance}, table, 0.0)
        assert view is not None
        assert ([shown, shown], shown) == (view.path, view.home)


@pytest.mark.parametrize("length", [1, 2, 159, 160, 161, 320, 321, 2000])
def test_a_long_path_is_thinned_out(length: int) -> None:
    table = play(begun("small-ball"), Random(1), 40)
    view = win_view({n: 0.25 + n / 10_000 for n in range(-1, length - 1)}, table, 0.0)
    assert view is not None
    assert min(length, MAX_PATH_LENGTH // 2) <= len(view.path) <= MAX_PATH_LENGTH
    assert (round(0.25 - 1 / 10_000, 3), round(0.25 + (length - 2) / 10_000, 3)) == (view.path[0], view.path[-1])


@pytest.mark.parametrize("key", ["bottom-of-the-9th", "rallybird", "clutch"])
def test_a_hidden_secret_changes_nothing(key: str) -> None:
    """Not while it is hidden: two tables with different secrets have the same trace, which ends before them."""
    chance, compared = Random(4), 0
    table = begun(key)
    while not table.outcome and compared < 5:
        n, ask = chance.choice(table.open_asks())
        view = table.ask_view(n, ask, ask.seat, dealer=True)
        if isinstance(ask, Secret) and not isinstance(ask.ask, DiceAsk):
            before, traces = trace(table), []
            for _ in range(4):
                twin = table.clone()
                twin.answer_ask(ask.seat, n, pick_answer(view, chance))
                if n in twin.hidden_numbers():
                    traces.append(trace(twin))
            compared += bool(traces)
            assert [before] * len(traces) == traces
        table.answer_ask(ask.seat, n, pick_answer(view, chance))
    assert compared


def test_a_game_that_ends_with_a_hidden_secret_has_its_result() -> None:
    """In Clutch, a pass for which nobody saw the cards can be the last answer. Everybody sees the end."""
    table = secret_card_table(("roll", "home"), ("hide", "away"))
    table.answer_ask("home", 0, [5])
    table.answer_ask("away", 1, "ace")
    assert table.outcome
    assert {1} == table.hidden_numbers()
    found = trace(table)
    assert 0.5 == found[1]
    assert found[0] != 0.5
    view = win_view(found, table, 0.0)
    assert view is not None
    assert 0.5 == view.home
