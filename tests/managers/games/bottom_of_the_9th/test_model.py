"""The model against the real rules: what a throw is worth, and that no stare-down can be exploited."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.ask_views import ChooseView
from engine.asks import Call, Choose
from engine.cards import Deck
from engine.games.bottom_of_the_9th import GAME
from engine.games.bottom_of_the_9th.cards import PITCH_CODES
from engine.table import Table
from managers.games.bottom_of_the_9th import best_play
from managers.games.bottom_of_the_9th.half_inning import HalfInningModel
from managers.games.bottom_of_the_9th.matrix_game import exploitability, solve_matrix_games
from managers.games.bottom_of_the_9th.visible_position import position_from_view
from tests.managers.games.bottom_of_the_9th import brute_force, decks
from tests.managers.seeds import seeds


def worth(model: HalfInningModel, table: Table) -> float | None:
    """Return what the model gives for a table where the pitch is over."""
    here = position_from_view(table.view_for("away"))
    if brute_force.is_stare_down(table):
        at_bat = model.at_bat_model(here.match)
        rows, spent = here.rows, here.spent_ability_bits(at_bat.pair)
        return float(at_bat.win_probabilities[here.outs, here.bases, here.balls, here.strikes, rows[0], rows[1], spent])
    _, ask = table.open_asks()[0]
    if isinstance(ask, Choose) and ask.why == "relief":
        return 1 - max(one.win for one in best_play.weigh_relief(model, here, ask.options))
    return None


@seeds(2, 4)
def test_a_throw_is_worth_what_the_dice_of_the_real_table_make_of_it(seed: int) -> None:
    """All dice, races and choices of abilities, tried one by one, give the value in the matrix."""
    chance = Random(seed)
    deck = decks.house_deck()
    house = GAME.resolve_house_rules(decks.random_house(chance) | {"tokens": "secret", "pitchingDie": "BBSSSC"})
    house |= {"raceMode": "realtime"}
    table, model = decks.late(chance, deck, house), decks.model(deck, house)
    here = position_from_view(table.view_for("away"))
    at_bat = model.at_bat_model(here.match)
    game = at_bat.payoff_matrices(here.at_bat_positions(at_bat.pair))[0]
    thrown = chance.choice([row for row in range(4) if game[row, 0] <= 1])
    guess = chance.randrange(4)
    expected = brute_force.after(table, PITCH_CODES[thrown], PITCH_CODES[guess], lambda after: worth(model, after))
    assert expected == pytest.approx(game[thrown, guess], abs=1e-9)


def test_no_mix_of_random_matrices_can_be_exploited() -> None:
    """The best pure answer to either mix wins no more than the value, also in games with ties and forbidden rows."""
    games = np.random.default_rng(1).random((3000, 4, 4))
    games[1000:2000] = np.round(games[1000:2000] * 3) / 3
    games[2000:2500, 1:3] = -1
    games[2500:, :, 2] = games[2500:, :, 0]
    rows, columns, value = solve_matrix_games(games)
    assert exploitability(games, rows, columns).max() < 1e-9
    for one in (rows, columns):
        assert one.min() >= 0
        assert np.allclose(one.sum(axis=1), 1)
    pure_row = np.einsum("nij,nj->ni", games, columns).max(axis=1)
    pure_column = np.einsum("nij,ni->nj", games, rows).min(axis=1)
    assert np.allclose(pure_row, value)
    assert np.allclose(pure_column, value)


@seeds(1, 4)
def test_no_stare_down_can_be_exploited(seed: int) -> None:
    """In every position of an at-bat, the best answers to both mixes are worth less than 0.1 % of a win."""
    chance = Random(seed)
    deck = decks.house_deck() if seed % 2 else decks.random_deck(chance)
    house = GAME.resolve_house_rules(decks.random_house(chance) | {"tokens": "secret"})
    table, model = decks.late(chance, deck, house), decks.model(deck, house)
    at_bat = model.at_bat_model(position_from_view(table.view_for("home")).match)
    at = at_bat.all_positions()
    at = at.subset(np.array(sorted(chance.sample(range(len(at.outs)), min(200, len(at.outs))))))
    games = 1 - at_bat.payoff_matrices(at)
    throws, guesses, value = solve_matrix_games(games)
    best_throw = np.einsum("ntg,ng->nt", games, guesses).max(axis=1)
    best_guess = np.einsum("ntg,nt->ng", games, throws).min(axis=1)
    assert (best_throw - best_guess).max() < 0.001
    if not at_bat.pair.is_simplified and not at_bat.pair.lookahead_facts.left_out:
        figures = (at.outs, at.bases, at.balls, at.strikes, at.direction, at.location, at.spent)
        assert np.abs(1 - value - at_bat.win_probabilities[figures]).max() < 1e-4


@seeds(1, 4)
def test_an_ability_is_worth_what_the_real_table_makes_of_it(seed: int) -> None:
    """In the middle of a pitch, using and keeping an ability are worth what everything that may follow gives."""
    chance = Random(100 + seed)
    deck = decks.house_deck()
    house = GAME.resolve_house_rules(decks.random_house(chance) | {"tokens": "secret", "pitchingDie": "BBSSSC"})
    house |= {"raceMode": "realtime"}
    model = decks.model(deck, house)
    table = ability_asked(chance, deck, house)
    ((n, ask),) = table.open_asks()
    view = table.view_for(ask.seat)
    asked = view.asks[0]
    assert isinstance(asked, ChooseView)
    weighed = best_play.weigh_ability(model, position_from_view(view), asked)
    assert weighed is not None
    for one in weighed:
        twin = table.clone()
        twin.answer_ask(ask.seat, n, one.value)
        home = brute_force.value(twin, lambda after: worth(model, after))
        assert one.win == pytest.approx(home if ask.seat == "home" else 1 - home, abs=1e-9), one.value


def ability_asked(chance: Random, deck: Deck, house: dict[str, str]) -> Table:
    """Return a table that asks whether an ability is to be used, after random throws and answers."""
    while True:
        table = decks.late(chance, deck, house)
        for _ in range(8):
            n, ask = chance.choice(table.open_asks())
            if ask.why == "ability":
                return table
            if table.outcome is not None or isinstance(ask, Call):
                break
            table.answer_ask(ask.seat, n, table.ask_view(n, ask, ask.seat).random_answer(chance))
            if not table.open_asks():
                break
