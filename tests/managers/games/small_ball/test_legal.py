"""Every strength decides every ask of Small Ball, from either seat."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.storage.decks import house_deck
from engine.games.small_ball import GAME
from engine.table import Table
from managers.manager import STRENGTHS, Strength, build_manager
from tests.each import each
from tests.managers.games.small_ball.games import Decided, all_star, decided, late, setup
from tests.managers.games.small_ball.looking import FOUND, decks, houses


def legal(one: Decided) -> None:
    """Check that the answers are options, each once, with sensible numbers."""
    values = [weighed.value for weighed in one.weighed]
    assert len(set(values)) == len(values) > 0
    assert set(values) <= {option.value for option in one.ask.options}
    assert sum(weighed.share for weighed in one.weighed) == pytest.approx(1)
    assert all(0 <= weighed.win <= 1 and weighed.share >= 0 for weighed in one.weighed)
    assert all(weighed.reason == "" or weighed.reason.endswith(".") for weighed in one.weighed)


@given(st.data(), st.sampled_from(STRENGTHS[:2]))
@settings(max_examples=15, deadline=None, phases=FOUND)
def test_decisions_of_whole_games_are_legal_with_any_cards_and_house_rules(data: st.DataObject, own: Strength) -> None:
    house = data.draw(houses())
    deck = data.draw(decks(house))
    chance = Random(data.draw(st.integers(0, 1 << 30)))
    table = Table(GAME, [deck], house)
    for number, one in enumerate(decided(table, build_manager(setup(deck, house), own), chance, stray=0.3)):
        legal(one)
        if number > 400:  # two teams that hardly score
            break


@given(st.data(), st.sampled_from(STRENGTHS))
@settings(max_examples=6, deadline=None, phases=FOUND)
def test_decisions_of_late_innings_are_legal_with_any_cards_and_house_rules(data: st.DataObject, own: Strength) -> None:
    house = data.draw(houses(awayTeam="red"))
    deck = data.draw(decks(house))
    chance = Random(data.draw(st.integers(0, 1 << 30)))
    made = setup(deck, house)
    player = all_star(made) if own == "all-star" else build_manager(made, own)
    for number, one in enumerate(decided(late(deck, house, chance, 9), player, chance, stray=0.5)):
        legal(one)
        if number > 150:
            break


@each("own", STRENGTHS)
def test_a_manager_decides_the_same_again(own: Strength) -> None:
    deck = house_deck(GAME)
    made = setup(deck, {"awayTeam": "red"})
    table, chance = Table(GAME, [deck], made.house), Random(5)
    first, second = build_manager(made, own), build_manager(made, own)
    for number, one in enumerate(decided(table, first, chance, stray=0.3)):
        assert one.weighed == [*second.weigh_answers(one.view, one.ask)]
        if number > 30:
            break
