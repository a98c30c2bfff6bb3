"""The all-star's decisions in real games, against a look ahead through the rules."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.asks import Choose
from engine.cards import Deck
from engine.games.small_ball import GAME
from engine.table import Table
from managers.games.small_ball.judges import win_table
from managers.games.small_ball.win_table import CERTAINTY_TOLERANCE, WinTable
from managers.manager import build_manager
from tests.engine.games.small_ball.fixture import at
from tests.managers.games.small_ball.games import Decided, all_star, decided, late, setup
from tests.managers.games.small_ball.looking import FOUND, BruteForce, Successors, decks, houses, look

EXACT = 1e-6
"""Chances between two halves are kept in single precision, with 24 bits."""
RED = {"awayTeam": "red"}


def regret(one: Decided, successors: Successors) -> float:
    """Return what the all-star's choice gives away, and check what it says of every option."""
    worth = successors.of(one.ask.seat)
    real = {
        option.value: worth(one.state)
        if option.value == "bat-on"
        else look(one.state, [*one.answers, option.value], worth)
        for option in one.ask.options
    }
    for weighed in one.weighed:
        assert weighed.win == pytest.approx(real[weighed.value], abs=EXACT), (one.ask.why, weighed, one.state)
    (chosen,) = [weighed.value for weighed in one.weighed if weighed.share]
    return max(real.values()) - real[chosen]


def nothing_given_away(deck: Deck, house: dict[str, str], chance: Random, inning: int, decisions: int) -> None:
    """Check that the all-star gives nothing away in this many decisions of games from this inning on.

    In a late state of the last half everything is tried, up to the half's end.
    """
    made = setup(deck, house)
    own, successors = all_star(made), Successors(win_table(made, house["awayTeam"]))
    left = decisions
    while left > 0:
        table = Table(GAME, [deck], house) if inning == 1 else late(deck, house, chance, inning)
        for one in islice(decided(table, own, chance, stray=0.4), left):
            left -= 1
            assert regret(one, successors) < EXACT
            if one.state.batted > 6 and one.ask.why == "decision":
                brute = BruteForce(successors.of(one.ask.seat)).worth(one.state)
                assert brute == pytest.approx(max(weighed.win for weighed in one.weighed), abs=EXACT)


@pytest.mark.parametrize("innings", ["9", "3"])
def test_the_all_star_gives_nothing_away_with_the_house_deck(innings: str) -> None:
    nothing_given_away(house_deck(GAME), GAME.resolve_house_rules(RED | {"innings": innings}), Random(1), 1, 60)


@pytest.mark.slow
def test_the_all_star_gives_nothing_away_in_600_decisions() -> None:
    chance = Random(2)
    nothing_given_away(house_deck(GAME), GAME.resolve_house_rules(RED), chance, 1, 300)
    for _ in range(3):
        house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules} | RED | {"extraCodes": "false"}
        nothing_given_away(house_deck(GAME), house, chance, 1, 100)


@cache
def house_table() -> WinTable:
    """Return the table of the house deck, red away."""
    return win_table(setup(house_deck(GAME), RED), "red")


def test_chances_before_a_half_are_those_of_one_situation_in_double_precision() -> None:
    table, chance = house_table(), Random(3)
    for inning, side in [(inning, side) for inning in range(1, 11) for side in (0, 1)]:
        leads = table.half_start_probabilities(inning, side)
        for lead in (leads.low, 0, leads.low + len(leads.chances) - 1):
            first, used, other = chance.randrange(9), chance.randrange(4), (chance.randrange(9), chance.randrange(4))
            ends = table.end_values_by_runs(inning, side, lead, other)
            *_, layer = table.halves[side].solve_layers(ends, np.array([first]))
            chances = leads.probabilities_for_lead(lead)
            assert not isinstance(chances, float)
            assert layer.fresh[0, used, 0, 0] == pytest.approx(chances[first, used, *other], abs=5 * EXACT)


def test_a_larger_lead_is_never_worse() -> None:
    table = house_table()
    for inning, side in [(inning, side) for inning in range(2, 10) for side in (0, 1)]:
        assert (np.diff(table.half_start_probabilities(inning, side).chances, axis=0) >= -EXACT).all()


def test_leads_that_are_left_out_are_decided() -> None:
    table, chance = house_table(), Random(6)
    for inning, side in [(inning, side) for inning in range(4, 10) for side in (0, 1)]:
        leads = table.half_start_probabilities(inning, side)
        for lead, result in ((leads.low - 1, 0), (leads.low + len(leads.chances), 1)):
            ends = table.end_values_by_runs(inning, side, lead, (chance.randrange(9), chance.randrange(4)))
            *_, layer = table.halves[side].solve_layers(ends, np.arange(9))
            assert layer.fresh[:, :, 0, 0] == pytest.approx(result, abs=2 * CERTAINTY_TOLERANCE)


def test_the_first_team_to_bat_is_the_one_that_wins_more_often() -> None:
    made = setup(house_deck(GAME), {})
    table = Table(GAME, [house_deck(GAME)])
    one = next(decided(table, build_manager(made, "all-star"), Random(4), 0))
    wins = {weighed.value: weighed.win for weighed in one.weighed}
    before = {
        away: float(win_table(made, away).half_start_probabilities(1, 0).chances[0, 0, 0, 0, 0])
        for away in ("red", "blue")
    }
    assert wins == {**before, "coin-flip": pytest.approx(sum(before.values()) / 2)}
    assert [weighed.value for weighed in one.weighed if weighed.share] == [max(before, key=lambda away: before[away])]


def test_an_all_star_banks_nothing_to_have_the_right_batter_lead_off() -> None:
    """A double, a grounder and a fly are the only run of an inning, if they come first. With two outs they are none."""
    run = [("2B",) * 6, ("GO",) * 6, ("FO",) * 6]
    home = [*run, *(([code] * 6) for code in ("SO", "SO", "FO", "SO", "GO", "GO"))]
    away = [["SO"] * 6, ["GO"] * 6, ["GO"] * 6, *run, ["SO"] * 6, ["SO"] * 6, ["FO"] * 6]
    cards = {(team, n): of[n - 1] for team, of in (("blue", home), ("red", away)) for n in range(1, 10)}
    table = at(outs=2, lead=8, inning=7, half="bottom", used=((0, 1), (0, 1)), cards=cards, house=RED)
    one = next(decided(table, all_star(setup(table.decks[0], table.house)), Random(1), 0))
    assert {"bat": 0, "bank": 1} == {weighed.value: pytest.approx(weighed.win, abs=EXACT) for weighed in one.weighed}
    assert ["bank"] == [weighed.value for weighed in one.weighed if weighed.share]
    ((_, ask),) = table.open_asks()
    assert isinstance(ask, Choose)
    assert None is ask.moot_option


@given(st.data())
@settings(max_examples=3, deadline=None, phases=FOUND)
def test_the_all_star_gives_nothing_away_with_any_cards_and_house_rules(data: st.DataObject) -> None:
    house = data.draw(houses(awayTeam="red"))
    chance = Random(data.draw(st.integers(0, 1 << 30)))
    nothing_given_away(data.draw(decks(house)), house, chance, chance.choice((8, 9, 10, 12)), 40)
