"""Whole games on the real rules: every answer is legal, and shares add up, whatever the house rules and the deck."""

from __future__ import annotations

from random import Random

import pytest

from engine.games.bottom_of_the_9th import GAME
from engine.table import Table
from engine.views import TableView
from managers.games import bottom_of_the_9th
from managers.manager import STRENGTHS, GameSetup, ManagerDecision, Strength, build_manager, next_manager_ask
from managers.simulation import simulate_game
from tests.managers.games.bottom_of_the_9th import decks
from tests.managers.seeds import seeds


@seeds(1, 2)
def test_every_answer_is_legal(seed: int) -> None:
    chance = Random(seed)
    deck = decks.random_deck(chance) if seed == 1 else decks.few_cards(chance)
    house = GAME.resolve_house_rules(decks.random_house(chance))
    setup = GameSetup(GAME.key, (deck,), house)
    managers = {seat: build_manager(setup, chance.choice(STRENGTHS)) for seat in ("away", "home")}

    def answer(view: TableView, chance: Random) -> ManagerDecision | None:
        ask = next_manager_ask(view)
        if ask is None:
            return None
        assert view.seat is not None
        weighed = managers[view.seat].weigh_answers(view, ask)
        assert 1 == pytest.approx(sum(one.share for one in weighed))
        assert all(0 <= one.win <= 1 for one in weighed)
        chosen = chance.choices(weighed, [one.share for one in weighed])[0]
        return ManagerDecision(ask.n, chosen.value, chosen.reason, ask.secret)

    for _ in range(1 if seed == 1 else 2):
        simulate_game(Table(GAME, [deck], house), {"home": answer, "away": answer}, chance)


@pytest.mark.slow
@pytest.mark.parametrize("strength", STRENGTHS)
def test_an_answer_depends_on_nothing_but_what_the_seat_sees(
    strength: Strength, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After other games, and in a program that was started again, a manager decides as before."""
    chance = Random(3)
    deck, house = decks.few_cards(chance), GAME.resolve_house_rules({})
    view = decks.late(chance, deck, house).view_for("home")
    ask = next_manager_ask(view)
    assert ask is not None
    setup = GameSetup(GAME.key, (deck,), house)
    before = build_manager(setup, strength).weigh_answers(view, ask)
    monkeypatch.setattr(bottom_of_the_9th, "_model_cache", {})
    assert before == build_manager(setup, strength).weigh_answers(view, ask)


def test_a_reason_is_the_same_whatever_the_mix_is() -> None:
    """The words after the reveal depend on the pitch and on what lies open, and has no figures of a model."""
    chance = Random(5)
    deck, house = decks.few_cards(chance), GAME.resolve_house_rules({})
    for seat in ("home", "away"):
        view = decks.late(chance, deck, house).view_for(seat)
        ask = next_manager_ask(view)
        assert ask is not None
        said = [
            {
                one.value: one.reason
                for one in build_manager(GameSetup(GAME.key, (deck,), house), strength).weigh_answers(view, ask)
            }
            for strength in STRENGTHS
        ]
        assert said[0] == said[1] == said[2]
        assert not any(letter.isdigit() or letter == "%" for reason in said[0].values() for letter in reason)
