"""The evaluator of Clutch sees what spectators see, and its values hold up as the game goes on."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from device.storage.decks import house_deck
from engine.asks import Roll
from engine.cards import cards_in_decks
from engine.dice import die_sides
from engine.games.clutch import GAME
from engine.games.clutch.cards.card_set import build_box
from engine.games.clutch.state import State
from engine.innings import Outcome
from engine.scoreboard import SideScore
from engine.seats import SEATS, Seat
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import TableView, json_data
from managers.evaluation import build_evaluator, home_win_probability
from managers.games.clutch import expectancy
from managers.games.clutch.evaluation import ClutchEvaluator
from managers.manager import GameSetup
from managers.simulation import answer_one_ask, manager_player, random_decision
from tests.managers.seeds import seeds

DECK = house_deck(GAME)

SETUP = GameSetup("clutch", (DECK,), GAME.resolve_house_rules({}))

ROLL_TOLERANCE = 0.03
"""A card may change what a face means, and the better of two future choices is worth more than either on average."""


@cache
def evaluator() -> ClutchEvaluator:
    made = build_evaluator(SETUP)
    assert isinstance(made, ClutchEvaluator)
    assert not made.study_cards()
    return made


def home_chance(table: Table) -> float:
    found = home_win_probability(evaluator(), table.view_for(None))
    assert found is not None
    return found


@cache
def game() -> tuple[Table, ...]:
    """Return a game after each of its answers, without those before the first pitch."""
    chance, table, found = Random("evaluation 3"), Table(GAME, [DECK]), list[Table]()
    player = manager_player(SETUP, "all-star")
    while table.outcome is None and len(found) < 420:
        answer_one_ask(table, dict.fromkeys(SEATS, player), chance)
        if table.view_for(None).scoreboard.batting:
            found.append(table.clone())
    return tuple(found)


def with_lead(view: TableView, lead: int, inning: int) -> TableView:
    """Return a view with another score, in another inning."""
    sides = view.scoreboard.sides
    made: dict[Seat, SideScore] = {
        "away": replace(sides["away"], runs=max(0, -lead)),
        "home": replace(sides["home"], runs=max(0, lead)),
    }
    return replace(view, scoreboard=replace(view.scoreboard, sides=made, inning=inning))


def test_an_open_roll_is_worth_the_mean_of_its_faces() -> None:
    """Pitches, swings, throws, checks, bunts, and dice of cards."""
    rolls = [table for table in game() if isinstance(table.open_asks()[0][1], Roll)]
    kinds = dict[str, int]()
    for table in rolls:
        n, ask = table.open_asks()[0]
        assert isinstance(ask, Roll)
        kinds[ask.why] = kinds.get(ask.why, 0) + 1
        if kinds[ask.why] > 5:
            continue
        after = list[float]()
        for face in die_sides(ask.dice[0].kind, table.house):
            twin = table.clone()
            twin.answer_ask(ask.seat, n, [face])
            after.append(home_chance(twin))
        assert home_chance(table) == pytest.approx(sum(after) / len(after), abs=ROLL_TOLERANCE), ask.why
    assert {"pitch", "swing", "throw"} <= set(kinds)


def test_a_new_pitcher_is_no_surprise() -> None:
    """A tired pitcher can be relieved, so he counts for less than the bullpen does."""
    changes = [
        (home_chance(before), home_chance(after))
        for before, after in zip(game(), game()[1:], strict=False)
        if before.open_asks()[0][1].why == "reliever"
    ]
    assert len(changes) > 2
    assert max(abs(after - before) for before, after in changes) < 0.03


@pytest.mark.parametrize("inning", [1, 5, 9])
def test_a_greater_lead_is_worth_more(inning: int) -> None:
    view = game()[40].view_for(None)
    found = [home_win_probability(evaluator(), with_lead(view, lead, inning)) or 0.0 for lead in range(-15, 16)]
    assert found == sorted(found)
    assert found[0] < 0.02
    assert found[-1] > 0.98
    assert found[-1] - found[0] > 0.95


@seeds(1, 8)
def test_every_question_of_a_game_has_a_value_under_any_house_rules(seed: int) -> None:
    """Also between half-innings, in the games of a series, and with real cards."""
    chance, found = Random(seed), list[float | None]()
    house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules}
    house |= {"format": "26-man", "leagueOnly": "off", "series": "3", "minBullpen": "0"}
    table = Table(GAME, [DECK], house)
    made = build_evaluator(GameSetup("clutch", (DECK,), table.house))
    while table.outcome is None and len(found) < 300:
        answer_one_ask(table, dict.fromkeys(SEATS, random_decision), chance)
        if table.outcome is None and table.view_for(None).scoreboard.batting:
            found.append(made.home_win_probability(table.view_for(None)))
    assert all(one is not None and 0 <= one <= 1 for one in found)


def test_there_is_no_value_before_the_first_pitch() -> None:
    assert evaluator().home_win_probability(Table(GAME, [DECK]).view_for(None)) is None


def test_the_end_decides() -> None:
    view = game()[-1].view_for(None)
    assert home_win_probability(evaluator(), replace(view, outcome=Outcome("away", "innings", ""))) == 0


def test_no_hand_counts() -> None:
    """Two games that differ only in the cards held have the same view and the same value."""
    table = game()[200]
    twin = table.clone()
    state = twin.state
    assert isinstance(state, State)
    for side in SEATS:
        hand = state.squad(side).hand
        assert hand
        others = [name for name in state.box.strategies if name not in {one.peek() for one in hand}]
        cards = tuple(SealedValue(one.owner, name, one.n) for one, name in zip(hand, others, strict=False))
        state.update_squad(side, hand=cards)
    assert json_data(table.view_for("home")) != json_data(twin.view_for("home"))
    assert json_data(table.view_for(None)) == json_data(twin.view_for(None))
    assert home_chance(table) == home_chance(twin)


def test_a_model_in_another_thread_may_empty_the_common_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    class EmptiedCache(dict[Any, Any]):
        """Another thread empties it between any two steps of this one."""

        def __contains__(self, key: object) -> bool:
            found = super().__contains__(key)
            self.clear()
            return found

    monkeypatch.setattr(expectancy, "_DISTRIBUTION_CACHE", EmptiedCache())
    box = build_box(cards_in_decks(SETUP.decks), SETUP.house)
    model = expectancy.WinExpectancyModel(box, SETUP.house)
    batter, pitcher = next(iter(box.batters)), next(iter(box.pitchers))
    first = model.matchup_distribution(batter, pitcher)
    assert list(model.matchup_distribution(batter, pitcher)) == list(first)
