"""Win probabilities of Bottom of the 9th, against everything that may come of a pitch on the real table."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from engine.asks import Choose, Roll, Secret
from engine.games.bottom_of_the_9th import GAME
from engine.seats import SEATS
from engine.table import Table
from managers.evaluation import Evaluator, build_evaluator, home_win_probability
from managers.manager import GameSetup
from managers.simulation import answer_one_ask, random_decision
from tests.managers.games.bottom_of_the_9th import brute_force, decks
from tests.managers.seeds import seeds

RANDOM = dict.fromkeys(SEATS, random_decision)


@cache
def studied(seed: int, race: str = "realtime") -> Evaluator:
    evaluator = build_evaluator(cards(seed, race))
    while evaluator.study_cards():
        pass
    return evaluator


def cards(seed: int, race: str) -> GameSetup:
    """Return a few cards of the house, and any house rules."""
    chance = Random(seed)
    house = GAME.resolve_house_rules(decks.random_house(chance) | {"tokens": "secret", "raceMode": race})
    return GameSetup(GAME.key, (decks.few_cards(chance),), house)


def between_pitches(table: Table) -> bool:
    return brute_force.is_stare_down(table) or table.open_asks()[0][1].why == "relief"


def win(evaluator: Evaluator, table: Table) -> float:
    found = home_win_probability(evaluator, table.view_for(None))
    assert found is not None
    return found


@seeds(1, 4)
def test_during_a_pitch_it_is_what_dice_and_choices_may_make_of_it(seed: int) -> None:
    """At each roll after the pitch, race and choice of an ability, every continuation is tried until it is over."""
    of, evaluator, chance, seen = cards(seed, "realtime"), studied(seed), Random(seed), set[str]()

    def worth(table: Table) -> float | None:
        return win(evaluator, table) if between_pitches(table) else None

    for _ in range(3):
        table = decks.late(chance, of.decks[0], dict(of.house))
        for _ in range(12):
            if table.outcome:
                break
            asks = table.open_asks()
            ask = asks[0][1]
            skipped = ask.why == "pitch" or any(isinstance(one, Secret) for _, one in asks)
            if not skipped and not between_pitches(table):
                seen.add(ask.why)
                assert win(evaluator, table) == pytest.approx(brute_force.value(table, worth), abs=1e-6), ask.why
            answer_one_ask(table, RANDOM, chance)
    assert "swing" in seen


@seeds(1, 4)
def test_a_roll_changes_nothing_on_average_and_the_best_choice_nothing_at_all(seed: int) -> None:
    """Also in a race by turns and with reliefs, in whole games."""
    of, evaluator, chance, seen = cards(seed, "alternate"), studied(seed, "alternate"), Random(seed), set[str]()
    table = Table(GAME, list(of.decks), of.house)
    for _ in range(120):
        if table.outcome:
            table = Table(GAME, list(of.decks), of.house)
        (n, ask), *others = table.open_asks()
        answers: list[tuple[object, float]] = []
        if isinstance(ask, Roll) and not others:
            answers = [*brute_force.throws(ask, of.house)]
        elif isinstance(ask, Choose) and ask.why in ("relief", "ability"):
            answers = [(option, 1.0) for option in ask.options]
        if answers:
            after = []
            for value, share in answers:
                twin = table.clone()
                twin.answer_ask(ask.seat, n, value)
                after.append(win(evaluator, twin) * share)
            expected = sum(after) if isinstance(ask, Roll) else (max if ask.seat == "home" else min)(after)
            seen.add(ask.why)
            assert win(evaluator, table) == pytest.approx(expected, abs=1e-4), ask.why
        answer_one_ask(table, RANDOM, chance)
    assert {"pitch", "swing", "relief"} <= seen


def test_a_draft_has_no_value_and_a_choice_in_secret_changes_none() -> None:
    of = cards(0, "realtime")
    evaluator, table, chance = studied(0), Table(GAME, list(of.decks), of.house), Random(1)
    assert home_win_probability(evaluator, table.view_for(None)) is None
    for _ in range(200):
        if table.outcome:
            break
        if brute_force.is_stare_down(table) and len(table.open_asks()) == 2:
            before = win(evaluator, table)
            for n, ask in table.open_asks():
                assert isinstance(ask, Secret)
                assert isinstance(ask.ask, Choose)
                for option in ask.ask.options:
                    twin = table.clone()
                    twin.answer_ask(ask.seat, n, option)
                    assert win(evaluator, twin) == before
        answer_one_ask(table, RANDOM, chance)


def test_an_evaluator_has_no_value_before_its_study() -> None:
    of = cards(0, "realtime")
    evaluator, table = build_evaluator(of), decks.late(Random(1), of.decks[0], dict(of.house))
    assert home_win_probability(evaluator, table.view_for(None)) is None
    assert evaluator.study_cards()
