"""Whole games on the real rules: every answer is legal, and shares add up, whatever the house rules and the deck."""

from __future__ import annotations

from random import Random

import pytest

from engine.games.bottom_of_the_9th import GAME
from engine.table import Table
from engine.views import TableView
from managers.games import bottom_of_the_9th
from managers.manager import STRENGTHS, Decision, Setup, Strength, asked, manager
from managers.simulation import play
from tests.managers.games.bottom_of_the_9th import decks
from tests.managers.seeds import seeds


@seeds(1, 2)
def test_every_answer_is_legal(seed: int) -> None:
    chance = Random(seed)
    deck = decks.random_deck(chance) if seed == 1 else decks.few_cards(chance)
    house = GAME.house(decks.random_house(chance))
    setup = Setup(GAME.key, (deck,), house)
    managers = {seat: manager(setup, chance.choice(STRENGTHS)) for seat in ("away", "home")}

    def answer(view: TableView, chance: Random) -> Decision | None:
        ask = asked(view)
        if ask is None:
            return None
        assert view.seat is not None
        weighed = managers[view.seat].weigh(view, ask)
        assert 1 == pytest.approx(sum(one.share for one in weighed))
        assert all(0 <= one.win <= 1 for one in weighed)
        chosen = chance.choices(weighed, [one.share for one in weighed])[0]
        return Decision(ask.n, chosen.value, chosen.reason, ask.secret)

    for _ in range(1 if seed == 1 else 2):
        play(Table(GAME, [deck], house), {"home": answer, "away": answer}, chance)


@pytest.mark.slow
@pytest.mark.parametrize("strength", STRENGTHS)
def test_an_answer_depends_on_nothing_but_what_the_seat_sees(
    strength: Strength, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After other games, and in a program that was started again, a manager decides as before."""
    chance = Random(3)
    deck, house = decks.few_cards(chance), GAME.house({})
    view = decks.late(chance, deck, house).view("home")
    ask = asked(view)
    assert ask is not None
    setup = Setup(GAME.key, (deck,), house)
    before = manager(setup, strength).weigh(view, ask)
    monkeypatch.setattr(bottom_of_the_9th, "_studied", {})
    assert before == manager(setup, strength).weigh(view, ask)


def test_a_reason_is_the_same_whatever_the_mix_is() -> None:
    """The words after the reveal depend on the pitch and on what lies open, and has no figures of a model."""
    chance = Random(5)
    deck, house = decks.few_cards(chance), GAME.house({})
    for seat in ("home", "away"):
        view = decks.late(chance, deck, house).view(seat)
        ask = asked(view)
        assert ask is not None
        said = [
            {one.value: one.reason for one in manager(Setup(GAME.key, (deck,), house), strength).weigh(view, ask)}
            for strength in STRENGTHS
        ]
        assert said[0] == said[1] == said[2]
        assert not any(letter.isdigit() or letter == "%" for reason in said[0].values() for letter in reason)
