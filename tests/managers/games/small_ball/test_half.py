"""The best play of a half-inning, against the rules themselves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import cards_in_decks
from engine.games.small_ball.state import State, initial_state
from engine.innings import InningClock
from engine.seats import replace_for_seat
from managers.games.small_ball.half import TeamHalfInning, ValueLayer
from managers.games.small_ball.transitions import state_index
from tests.managers.games.small_ball.looking import FOUND, BruteForce, decks, houses, used_set


@given(st.data())
@settings(max_examples=3, deadline=None, phases=FOUND)
def test_late_states_of_a_half_are_worth_what_the_rules_make_of_them(data: st.DataObject) -> None:
    compare(data, (4, 5, 6, 7, 8))


@pytest.mark.slow
@given(st.data())
@settings(max_examples=4, deadline=None, phases=FOUND)
def test_any_state_of_a_half_is_worth_what_the_rules_make_of_it(data: st.DataObject) -> None:
    """Of a few decks; trying everything from the first batter on takes seconds, and covers the later states too."""
    compare(data, range(9))


def compare(data: st.DataObject, at_bats: Sequence[int]) -> None:
    """Compare states of a half with that many at-bats, with any cards, house rules and worth of its end; but an unused
    pinch hitter must be worth more than a used one.
    """
    house = data.draw(houses(awayTeam="red"))
    deck = data.draw(decks(house))
    chance = Random(data.draw(st.integers(0, 1 << 30)))
    side, lead_off = chance.randrange(2), chance.randrange(9)
    ends = [[fewer_are_worth_more(chance) for _ in range(9)] for _ in range(10)]
    state = initial_state(cards_in_decks([deck]), house)
    state.sides, state.clock = ("red", "blue"), InningClock(3, "bottom" if side else "top")

    def end(now: State) -> float:
        return ends[now.score[side]][now.due[side] - 1][used_set(now, side)]

    layers = solved(TeamHalfInning(state.batting_team, house), ends, lead_off)
    brute = BruteForce(end)
    for _ in range(12):
        done = chance.choice(at_bats)
        begin(state, chance, lead_off, done)
        layer = layers[done].stolen if state.stolen else layers[done].fresh
        found = layer[0, used_set(state, side), state_index(state.outs, state.bases), 0]
        assert brute.worth(state) == pytest.approx(found, abs=1e-12)


def fewer_are_worth_more(chance: Random) -> list[float]:
    """Return a worth for each set of used pinch hitters: none, the first, the second, both."""
    best, first, second, worst = sorted((chance.random() for _ in range(4)), reverse=True)
    return [best, *chance.sample((first, second), 2), worst]


def solved(half: TeamHalfInning, ends: list[list[list[float]]], lead_off: int) -> list[ValueLayer]:
    """Return the layers of a half by at-bats."""
    return [*half.solve_layers([np.array(one)[:, :, None] for one in ends], np.array([lead_off]))][::-1]


def begin(state: State, chance: Random, lead_off: int, at_bats: int) -> None:
    """Put a state at random into the middle of a half with that many at-bats."""
    possible = [
        (outs, bases) for outs in range(3) for bases in product((False, True), repeat=3) if outs + sum(bases) <= at_bats
    ]
    outs, bases = chance.choice(possible)
    through = [(lead_off + i) % 9 + 1 for i in range(at_bats)]
    on = iter(through[at_bats - sum(bases) :])
    first, second, third = (next(on) if runner else None for runner in bases)
    state.bases, state.outs, state.batted = (first, second, third), outs, at_bats
    state.retired = tuple(through[:outs])
    state.scored = tuple(through[outs : at_bats - sum(bases)])
    state.due = replace_for_seat(state.due, state.batting_seat, (lead_off + at_bats) % 9 + 1)
    state.used = replace_for_seat(state.used, state.batting_seat, frozenset(i for i in (0, 1) if chance.random() < 0.4))
    state.stolen = at_bats > 0 and chance.random() < 0.3
