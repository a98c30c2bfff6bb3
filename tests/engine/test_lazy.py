"""Facts that are worked out when somebody looks."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.asks import Choose, Play, freeze_lazy_facts
from engine.game import play_to_end
from engine.lazy import LazyFact, LazyFacts
from engine.secrets import redacted_data, redacted_json
from engine.table import Table
from tests.engine.sample_games.coin_game import COIN, State

made: list[int] = []


@pytest.fixture(autouse=True)
def nothing_made() -> Iterator[None]:
    made.clear()
    yield
    made.clear()


def runs(s: State, more: int = 0) -> int:
    """Work out a fact."""
    made.append(s.runs)
    return s.runs + more


def play(s: State) -> Play:
    """Ask twice, with facts that change in between."""
    for _ in range(2):
        yield Choose(
            "away", "end", ("shake", "leave"), {"runs": LazyFact(runs, s, 10)}, LazyFact(lambda s: str(runs(s)), s)
        )
        s.runs += 1
    s.step = 9


GAME = replace(COIN, next_play=lambda s: play if s.step < 9 else None)


def facts(table: Table) -> list[Any]:
    return [(redacted_data(one.ask.facts, None), one.ask.moot_option) for one in table.answers]  # type: ignore[union-attr]


def test_nothing_is_worked_out_unless_somebody_looks() -> None:
    """A table looks no more than rules alone do."""
    play_to_end(GAME, State(), lambda ask: "shake")
    table = Table(GAME, [])
    table.answer_ask("away", 0, "shake")
    table.answer_ask("away", 1, "shake")
    table.undo(1)
    assert [] == made


def test_it_is_worked_out_once() -> None:
    table = Table(GAME, [])
    ((_, ask),) = table.open_asks()
    assert [{"runs": 10}] * 3 == [redacted_data(ask.facts, seat) for seat in (None, "away", "home")]
    assert '{"runs": 10}' == redacted_json(ask.facts, None)
    assert [0] == made


def test_it_stays_as_it_was_asked() -> None:
    """Whether somebody looked at the time or not."""
    first, second = Table(GAME, []), Table(GAME, [])
    for table in (first, second):
        for n in range(2):
            if table is first:
                assert table.open_asks()[0][1].moot_option == str(n)  # type: ignore[union-attr]
            table.answer_ask("away", n, "shake")
    expected = [({"runs": 10}, "0"), ({"runs": 11}, "1")]
    assert (expected, expected) == (facts(first), facts(second))


class Held:
    """A state that can be seen to go."""

    def copy(self) -> Held:
        return Held()


def test_once_made_it_holds_no_state() -> None:
    """A journal has thousands of asks, and each would keep a state."""
    state = Held()
    gone, fact = weakref.ref(state), LazyFact(lambda state, more: [more], state, 3)
    assert [3] == fact.value
    del state
    assert gone() is None
    assert [3] == fact.value


def test_facts_may_be_made_of_another() -> None:
    """It is worked out once for all of them, and stays as it was asked with them."""
    state = State()
    one = LazyFact(runs, state, 10)
    first, second = LazyFact(lambda of: of.value + 1, one), LazyFact(lambda of: of.value + 2, one)
    first.freeze_state({})
    second.freeze_state({})
    state.runs = 5
    assert ([11, 12], [0]) == ([first.value, second.value], made)


def test_asks_with_the_same_facts_are_equal() -> None:
    """A correction keeps a secret only where its ask is the same."""
    one, same, another = (LazyFact(runs, State(runs=n)) for n in (3, 3, 4))
    assert one == same == 3
    assert one != another
    assert "Lazy(3)" == repr(one)


def all_at_once(s: State) -> dict[str, int]:
    """Work out two facts."""
    return {"runs": runs(s), "more": runs(s, 1)}


def test_all_facts_may_be_worked_out_together() -> None:
    """They read as any mapping, and stay as they were asked."""
    state = State(runs=2)
    ask = Choose("away", "end", ("shake",), LazyFacts(all_at_once, state))
    freeze_lazy_facts(ask)
    state.runs = 7
    assert [] == made
    assert ({"runs": 2, "more": 3}, '{"runs": 2, "more": 3}') == (
        redacted_data(ask.facts, None),
        redacted_json(ask.facts, None),
    )
    assert (2, 2, ["runs", "more"]) == (ask.facts["runs"], len(ask.facts), list(ask.facts))
    assert [2, 2] == made
