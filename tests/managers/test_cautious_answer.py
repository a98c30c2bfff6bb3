"""What the coach answers for a person: it uses up nothing, costs next to nothing, and leaves the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from device.storage.decks import house_deck
from device.table import preset_answers
from engine.games import GAMES
from engine.seats import SEATS
from engine.table import Table
from engine.views import TableView
from managers.manager import (
    MIN_GAIN,
    STRENGTHS,
    GameSetup,
    ManagerDecision,
    build_manager,
    cautious_answer,
    next_decision,
    next_manager_ask,
)
from managers.simulation import answer_one_ask

MAX_ANSWERS = 150
"""Answers after which a game is long enough."""

SPENDS = ("steal", "pinch", "bunt", "hit-and-run", "new-", "sacrifice", "squeeze", "double-steal", "bench", "veteran")
"""Beginnings of answers that use up a player or try a play."""

COACHED: Mapping[str, Mapping[str, str]] = {
    "small-ball": {},
    "bottom-of-the-9th": {},
    "rallybird": {},
    "seventh-inning-stretch": {"mode": "duel", "cards": "dealt"},
    "clutch": {},
}
"""Every game with managers, and the house rules under which it has two sides."""


def coached(key: str, house: Mapping[str, str], seed: int) -> tuple[Counter[str], Counter[str]]:
    """Play the beginning of a game. Return how often each question was asked and answered by the coach."""
    game, asked, answered = GAMES[key], Counter[str](), Counter[str]()
    table = Table(game, [house_deck(game)], house)
    coach = build_manager(GameSetup(key, table.decks, table.house), STRENGTHS[-1])

    def answer(view: TableView, chance: Random) -> ManagerDecision | None:
        ask = next_manager_ask(view)
        assert ask is not None
        usual = preset_answers.usual_answer(table, dict(table.open_asks())[ask.n])
        found = cautious_answer(coach, view, ask, usual)
        if found is None:
            asked[ask.why] += 1
            return next_decision(coach, view, chance)
        answered[ask.why] += 1
        best = max(one.win for one in coach.weigh_answers(view, ask))
        assert best - found.win < MIN_GAIN
        assert usual is not None or not ask.secret
        assert found.value == usual or not str(found.value).startswith(SPENDS)
        return ManagerDecision(ask.n, found.value, "", ask.secret)

    chance = Random(seed)
    while table.outcome is None and len(table.answers) < MAX_ANSWERS:
        answer_one_ask(table, dict.fromkeys(SEATS, answer), chance)
    return asked, answered


@pytest.mark.parametrize("key", COACHED)
def test_it_uses_up_nothing_and_costs_next_to_nothing(key: str) -> None:
    """In each game some questions are answered, and some are asked."""
    asked, answered = Counter[str](), Counter[str]()
    for seed in range(3 if key == "bottom-of-the-9th" else 1):
        for total, found in zip((asked, answered), coached(key, COACHED[key], seed), strict=True):
            total.update(found)
    assert asked.total() > 0
    assert answered.total() > 0
    assert not set(answered) & {"starter", "line-up", "draft", "pick", "guess", "pitch-call", "lineup", "roster"}


def test_it_knows_nothing_of_real_cards() -> None:
    """A hand on the table is known to its owner alone, so every question about it is asked."""
    asked, answered = coached("clutch", {"hands": "real"}, 1)
    assert any(why.startswith("cards-") for why in asked)
    assert not any(why.startswith("cards-") for why in answered)
