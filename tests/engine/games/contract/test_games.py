"""Invariants of every game, through random answers, corrections and house rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.asks import Ask
from engine.errors import StaleAnswer
from engine.game import play_to_end
from engine.table import Table
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import SEEDS, examples, inside, numbers, refuses_others


@every_game(marks="holds")
def test_invariants_hold(contract: Contract) -> None:
    """After every answer the contract holds, every code has its sentence, and only a seat that is asked may answer."""
    words = contract.game.words

    @examples(contract.examples)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def holds(house: dict[str, str], seed: int, which: int) -> None:
        table = contract.start(house, which)
        for number, moment in enumerate(contract.moments(table, numbers(seed, contract.longest))):
            for check in contract.holds:
                check(moment)
            assert set(moment.codes) <= set(words.events)
            assert {inside(ask).why for _, ask in table.open_asks()} <= set(words.asks)
            assert bool(table.open_asks()) != bool(table.outcome)
            if number % 3 == 0:
                refuses_others(table, number, contract.pick)
        for check_whole in contract.whole:
            check_whole(table)

    holds()


@every_game()
def test_games_end(contract: Contract) -> None:
    """Random games end in every way that is not rare; then nothing is asked and no answer is taken."""
    ends = set()
    for seed, house in enumerate(contract.ends.houses):
        chance = random.Random(seed)
        table = contract.start(house, seed % len(contract.decks))
        while len(table.answers) < 3000 and contract.step(table, chance.randrange(1 << 16)):
            pass
        assert table.outcome is not None
        ends |= {table.outcome.reason, f"{table.outcome.winner}: {table.outcome.reason}"}
        assert () == table.open_asks()
        with pytest.raises(StaleAnswer):
            table.answer_ask("away", len(table.answers), "bat")
    assert contract.ends.outcomes <= ends


@every_game()
def test_a_bare_playout_is_the_same_game(contract: Contract) -> None:
    """Driven without a table under any house rules a game ends; the same answers at a table lead to the same end."""

    @examples(contract.few)
    @given(contract.any_house, SEEDS, st.sampled_from(range(len(contract.decks))))
    def plays(house: dict[str, str], seed: int, which: int) -> None:
        chance = random.Random(seed)
        values: list[tuple[Ask, object]] = []

        def answer(ask: Ask) -> object:
            values.append((ask, ask.validate_answer(contract.pick(ask, chance.randrange(1 << 16)))))
            return values[-1][1]

        table = contract.start(house, which)
        end = play_to_end(contract.game, table.state.copy(), answer)
        assert end.outcome
        for check in contract.ended:
            check(end)
        replayed(table, values)
        assert (end.outcome, ()) == (table.outcome, table.open_asks())

    plays()


def replayed(table: Table, values: list[tuple[Ask, object]]) -> None:
    """Give the table the same answers; in a race, only those of its first seat."""
    for ask, value in values:
        n = next(n for n, one in table.open_asks() if (one.seat, one.why) == (ask.seat, ask.why))
        table.answer_ask(ask.seat, n, value)
