"""Win probabilities of Small Ball, against every continuation under the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from device.storage.decks import house_deck
from engine.asks import Choose, Roll
from engine.games.small_ball import GAME
from engine.games.small_ball.state import State
from engine.innings import Half, InningClock
from engine.table import Table
from managers.evaluation import Evaluator, build_evaluator, home_win_probability
from managers.games.small_ball.judges import win_table
from tests.engine.tables import halves, midway
from tests.managers.games.small_ball.games import FIRST, between_plays, late, setup
from tests.managers.games.small_ball.looking import BruteForce, Successors, look
from tests.managers.games.small_ball.test_half import begin
from tests.managers.seeds import seeds

SHORT = {"innings": "3", "awayTeam": "red"}
"""House rules of a game that is solved in less than a second."""
ROUNDING = 1e-6
"""Chances between two halves are kept in single precision."""


def rules(seed: int) -> dict[str, str]:
    """Return the default house rules of a short game for seed 0, others at random for the rest."""
    chance = Random(seed)
    drawn = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules} if seed else {}
    return GAME.resolve_house_rules(drawn | SHORT | {"extraCodes": "false"})


@lru_cache(maxsize=1)
def studied(seed: int) -> Evaluator:
    evaluator = build_evaluator(setup(house_deck(GAME), rules(seed)))
    while evaluator.study_cards():
        pass
    return evaluator


def last_half(house: Mapping[str, str], chance: Random) -> Table:
    """Return a table at random in the last inning, after the fourth at-bat of a half or later."""
    half: Half = "top" if chance.random() < 0.5 else "bottom"

    def position(state: State) -> None:
        state.sides, state.clock = ("red", "blue"), InningClock(3, half)
        state.score = (chance.randrange(4), chance.randrange(4))
        state.due = (chance.randint(1, 9), chance.randint(1, 9))
        begin(state, chance, lead_off=chance.randrange(9), at_bats=chance.randint(4, 8))

    told = ({**facts, "team": facts["seat"]} for facts in halves(InningClock(3, half)))
    return midway(GAME, house_deck(GAME), house, position, told)


def asks_until_half_ends(table: Table, chance: Random) -> Iterator[tuple[State, list[Any]]]:
    """Play at random to the end of a half. Yield the last state between two plays at each ask, with the answers since
    then.
    """
    clock = between_plays(table).clock
    while not table.outcome and between_plays(table).clock == clock:
        ((n, ask),) = table.open_asks()
        if ask.why in FIRST:
            stable, answers = between_plays(table), list[Any]()
        yield stable, answers
        value = chance.choice(ask.options) if isinstance(ask, Choose) else (chance.randint(1, 6),)
        answers.append(value)
        table.answer_ask(ask.seat, n, value)


@seeds(2, 6)
def test_the_value_is_that_of_every_continuation_of_the_last_inning(seed: int) -> None:
    """Every roll and every choice to the end of the half is tried; there the game is over, or half a game follows."""
    house, chance = rules(seed), Random(seed)
    successors = Successors(win_table(setup(house_deck(GAME), house), "red"))
    asked = set[str]()
    for _ in range(12):
        table = last_half(house, chance)
        seat = table.open_asks()[0][1].seat
        brute = BruteForce(successors.of(seat))
        clock = between_plays(table).clock

        def worth(now: State, brute: BruteForce = brute, clock: InningClock = clock) -> float:
            return brute.worth(now) if not now.outcome and now.clock == clock else successors.of(seat)(now)  # noqa: B023

        for stable, answers in asks_until_half_ends(table, chance):
            asked.add(table.open_asks()[0][1].why)
            found = home_win_probability(studied(seed), table.view_for(None))
            assert found is not None
            real = look(stable, answers, worth)
            assert (found if seat == "home" else 1 - found) == pytest.approx(real, abs=ROUNDING)
    assert {"decision", "at-bat"} < asked


@seeds(2, 6)
def test_a_roll_changes_nothing_on_average_and_the_best_choice_nothing_at_all(seed: int) -> None:
    """From the first ask to the last, also before extra innings."""
    chance, house = Random(seed), rules(seed)
    for table in (Table(GAME, [house_deck(GAME)], house), late(house_deck(GAME), house, chance, 10)):
        while not table.outcome:
            ((n, ask),) = table.open_asks()
            answers: list[Any] = [*ask.options] if isinstance(ask, Choose) else [(face,) for face in range(1, 7)]
            after = []
            for value in answers:
                twin = table.clone()
                twin.answer_ask(ask.seat, n, value)
                after.append(home_win_probability(studied(seed), twin.view_for(None)))
            wins = [one for one in after if one is not None]
            assert len(wins) == len(answers)
            best = max(wins) if ask.seat == "home" else min(wins)
            expected = sum(wins) / 6 if isinstance(ask, Roll) else best
            assert home_win_probability(studied(seed), table.view_for(None)) == pytest.approx(expected, abs=ROUNDING)
            sensible = isinstance(ask, Choose) and chance.random() < 0.7
            value = answers[wins.index(best)] if sensible else chance.choice(answers)
            table.answer_ask(ask.seat, n, value)


def test_before_the_sides_are_chosen_away_takes_the_better_one_and_a_coin_flip_is_even() -> None:
    house = GAME.resolve_house_rules({"innings": "3"})
    evaluator, table = build_evaluator(setup(house_deck(GAME), house)), Table(GAME, [house_deck(GAME)], house)
    assert home_win_probability(evaluator, table.view_for(None)) is None, "it is not solved yet"
    while evaluator.study_cards():
        pass
    wins = {}
    for answer in ("red", "blue", "coin-flip"):
        twin = table.clone()
        twin.answer_ask("away", 0, answer)
        wins[answer] = home_win_probability(evaluator, twin.view_for(None))
    assert wins["red"] is not None
    assert wins["blue"] is not None
    assert wins["coin-flip"] == pytest.approx((wins["red"] + wins["blue"]) / 2)
    best = min(wins["red"], wins["blue"])
    assert home_win_probability(evaluator, table.view_for(None)) == pytest.approx(best, abs=ROUNDING)
