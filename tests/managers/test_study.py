"""A manager that has not studied the cards answers soon; what it studies meanwhile makes its answers those of one that
has.
"""

from __future__ import annotations

from random import Random

import pytest

from device.storage.decks import house_deck
from engine.games import GAMES
from engine.seats import SEATS
from engine.table import Table
from managers.games.bottom_of_the_9th import draft
from managers.games.small_ball import win_table
from managers.manager import GameSetup, build_manager, build_unstudied_manager, next_manager_ask
from managers.simulation import answer_one_ask, random_decision


def setup(key: str) -> GameSetup:
    game = GAMES[key]
    return GameSetup(key, (house_deck(game),), game.resolve_house_rules({}))


def test_small_ball_is_played_before_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """An all-star's first answer needs no solved game. Once that is solved, its answers are those of one that was."""
    table, chance = Table(GAMES["small-ball"], [house_deck(GAMES["small-ball"])]), Random(4)
    while (ask := next_manager_ask(table.view_for("away"))) is None or ask.why != "decision":
        answer_one_ask(table, dict.fromkeys(SEATS, random_decision), chance)
    manager, view = build_unstudied_manager(setup("small-ball"), "all-star"), table.view_for("away")
    with monkeypatch.context() as patch:
        patch.setattr(win_table.WinTable, "__init__", lambda *_: pytest.fail("it solved the game first"))
        early = manager.weigh_answers(view, ask)
    assert 1.0 == sum(one.share for one in early)
    steps = 0
    while manager.study_cards():
        steps += 1
    assert steps > 10, "it cannot be interrupted"
    studied = build_manager(setup("small-ball"), "all-star")
    assert studied.weigh_answers(view, ask) == manager.weigh_answers(view, ask) != early


def test_a_first_pick_compares_few_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """In Bottom of the 9th a batter and a pitcher take long to compare: the rest of them follow step by step."""
    rated: list[tuple[str, str]] = []

    def rate_pair(model: object, plain: object, batter: object, pitcher: object) -> list[float]:
        rated.append((batter.name, pitcher.name))  # type: ignore[attr-defined]
        return [len(rated) / 1000] * 6

    monkeypatch.setattr(draft, "_rate_pair", rate_pair)
    game = GAMES["bottom-of-the-9th"]
    ratings = draft.DraftRatings(build_unstudied_manager(setup(game.key), "all-star").model)  # type: ignore[attr-defined]
    assert 6 == len(ratings.best_lineup())
    first = len(rated)
    assert first <= draft.MAX_PAIRS_OF_FIRST_PICK
    while ratings.rate_one_pair():
        pass
    assert len(ratings.batters) * len(ratings.pitchers) == len(rated) == len(set(rated)) > first
    assert len(ratings.pitchers) == ratings.all_ratings.shape[1]
