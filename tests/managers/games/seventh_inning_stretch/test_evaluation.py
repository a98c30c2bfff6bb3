"""The evaluator of 7th Inning Stretch sees what spectators see, and its values hold up as the game goes on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from device.storage.decks import house_deck
from engine.asks import Ask, Roll
from engine.dice import die_sides
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.state import State
from engine.innings import Outcome
from engine.scoreboard import SideScore
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import TableView, json_data
from managers.evaluation import Evaluator, build_evaluator, home_win_probability
from managers.games.seventh_inning_stretch.evaluation import MAX_RUNS, more_runs_distribution
from managers.manager import GameSetup
from managers.simulation import answer_one_ask, manager_player

DUEL = {"mode": "duel", "cards": "dealt"}

ROLL_TOLERANCE = 0.04
"""The odds of further runs are fitted, not computed, so they may rise or fall a little as a turn goes on."""


def setup(house: dict[str, str]) -> GameSetup:
    return GameSetup("seventh-inning-stretch", (house_deck(GAME),), GAME.resolve_house_rules(house))


@cache
def evaluator(mode: str) -> Evaluator:
    made = build_evaluator(setup(DUEL if mode == "duel" else {}))
    assert not made.study_cards()
    return made


def home_chance(table: Table, mode: str = "duel") -> float:
    found = home_win_probability(evaluator(mode), table.view_for(None))
    assert found is not None
    return found


@cache
def game(mode: str) -> tuple[Table, ...]:
    """Return a table after each answer during a game, of a duel or of the first games of a season."""
    house, found = DUEL if mode == "duel" else {}, list[Table]()
    chance, table = Random("evaluation 1"), Table(GAME, [house_deck(GAME)], house)
    player = manager_player(setup(house), "regular")
    while table.outcome is None and len(found) < 250:
        answer_one_ask(table, dict.fromkeys(SEATS, player), chance)
        if table.view_for(None).scoreboard.panel["playing"] and table.open_asks():
            found.append(table.clone())
    return tuple(found)


def open_ask(table: Table) -> tuple[int, Ask]:
    return table.open_asks()[0]


def with_lead(view: TableView, lead: int, inning: int) -> TableView:
    """Return a view with another score, in another inning."""
    sides = view.scoreboard.sides
    made: dict[Seat, SideScore] = {
        "away": replace(sides["away"], runs=30),
        "home": replace(sides["home"], runs=30 + lead),
    }
    return replace(view, scoreboard=replace(view.scoreboard, sides=made, inning=inning))


@pytest.mark.parametrize("mode", ["duel", "season"])
def test_an_open_roll_is_worth_the_mean_of_its_throws(mode: str) -> None:
    """Of one or two dice, each throw; of more, a sample would need more time."""
    compared = 0
    for table in game(mode):
        n, ask = open_ask(table)
        if not isinstance(ask, Roll) or len(ask.dice) != 1 or compared > 12:
            continue
        after = list[float]()
        for face in die_sides(ask.dice[0].kind, table.house):
            twin = table.clone()
            twin.answer_ask(ask.seat, n, [face])
            after.append(home_chance(twin, mode))
        assert home_chance(table, mode) == pytest.approx(sum(after) / len(after), abs=ROLL_TOLERANCE), ask.why
        compared += 1
    assert compared > 3


@pytest.mark.parametrize("inning", [2, 8, 9])
def test_a_greater_lead_is_worth_more(inning: int) -> None:
    view = game("duel")[40].view_for(None)
    found = [home_win_probability(evaluator("duel"), with_lead(view, lead, inning)) or 0.0 for lead in range(-30, 31)]
    assert found == sorted(found)
    assert found[0] < 0.4
    assert found[-1] > 0.7


@pytest.mark.parametrize("mode", ["duel", "season"])
def test_every_position_of_a_game_has_a_value(mode: str) -> None:
    found = [home_chance(table, mode) for table in game(mode)[::7]]
    assert all(0 < one < 1 for one in found)
    assert len(set(found)) > len(found) / 2


@pytest.mark.parametrize("mode", ["duel", "season"])
def test_there_is_no_value_before_a_game(mode: str) -> None:
    table = Table(GAME, [house_deck(GAME)], DUEL if mode == "duel" else {})
    assert evaluator(mode).home_win_probability(table.view_for(None)) is None


def test_the_end_decides() -> None:
    view = game("duel")[-1].view_for(None)
    assert home_win_probability(evaluator("duel"), replace(view, outcome=Outcome("away", "innings", ""))) == 0


@pytest.mark.parametrize("mean", [0.0, 0.3, 2.0, 6.0, 20.0])
def test_further_runs_are_a_distribution(mean: float) -> None:
    """More runners and a greater mean make more runs likelier."""
    found = more_runs_distribution(mean, outs=1, runners=1)
    assert len(found) == MAX_RUNS + 1
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    assert found[0] < more_runs_distribution(mean, outs=1)[0]
    assert more_runs_distribution(mean + 1)[0] < more_runs_distribution(mean)[0]


def test_no_hidden_card_counts() -> None:
    """Two duels that differ only in the cards in the hands have the same view and the same value."""
    table, twin = (game("duel")[100].clone() for _ in range(2))
    for one, name in ((table, "Desta Wolde"), (twin, "Tobias Renn")):
        assert isinstance(one.state, State)
        one.state.hands = ((SealedValue("away", name, 1),), (SealedValue("home", name, 2),))
    assert json_data(table.view_for("home")) != json_data(twin.view_for("home"))
    assert json_data(table.view_for(None)) == json_data(twin.view_for(None))
    assert home_chance(table) == home_chance(twin)
