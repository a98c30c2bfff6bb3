"""Win probabilities of RallyBird, at every ask of games with any cards and house rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from random import Random
from statistics import fmean

from engine.asks import Roll, Secret
from engine.seats import SEATS
from engine.table import Table
from managers.evaluation import Evaluator, build_evaluator, home_win_probability
from managers.simulation import answer_one_ask, random_decision
from tests.managers.games.rallybird.fixture import any_deck, any_house, new, setup
from tests.managers.seeds import seeds

RANDOM = dict.fromkeys(SEATS, random_decision)


@cache
def studied(seed: int) -> tuple[Evaluator, Table]:
    """Return an evaluator and a new table, for seed 0 with the house deck and default house rules."""
    chance = Random(seed)
    of = setup(any_deck(chance), any_house(chance)) if seed else setup()
    evaluator = build_evaluator(of)
    assert home_win_probability(evaluator, new(of).view_for(None)) is None, "it has not studied the cards yet"
    while evaluator.study_cards():
        pass
    return evaluator, new(of)


def win(evaluator: Evaluator, table: Table) -> float:
    found = home_win_probability(evaluator, table.view_for(None))
    assert found is not None
    assert 0 <= found <= 1
    return found


def wins_after(evaluator: Evaluator, table: Table, answers: Sequence[object]) -> list[float]:
    ((n, ask),) = table.open_asks()
    found = []
    for value in answers:
        twin = table.clone()
        twin.answer_ask(ask.seat, n, value)
        found.append(win(evaluator, twin))
    return found


@seeds(2, 8)
def test_a_roll_changes_little_on_average_and_the_best_choice_little_at_all(seed: int) -> None:
    """The values after an at-bat are approximate, so they differ from those of the next at-bat, most with odd cards."""
    evaluator, begin = studied(seed)
    chance, off, last, seen = Random(seed), 0.0, 0.0, 0
    for _ in range(2):
        table = begin.clone()
        while not table.outcome:
            ((_, ask),) = table.open_asks()
            before = win(evaluator, table)
            if isinstance(ask, Roll) and len(ask.dice) == 2 and not ask.why.startswith("hit-blank"):
                after = wins_after(evaluator, table, [*product(range(1, 7), repeat=2)])
                off, seen = off + abs(sum(after) / 36 - before), seen + 1
            elif ask.why in ("rallybird", "rallybird-anyway"):
                after = wins_after(evaluator, table, ("keep", "reroll"))
                last = max(last, abs((max if ask.seat == "home" else min)(after) - before))
            answer_one_ask(table, RANDOM, chance)
    assert off / seen < (0.04 if seed else 0.01)
    assert last < (0.1 if seed else 0.05)


@seeds(1, 3)
def test_cards_in_hand_and_a_removed_card_change_nothing(seed: int) -> None:
    """Whatever is drawn or chosen in secret, spectators read the same number until it is open."""
    evaluator, begin = studied(seed)
    chance, table, compared = Random(seed), begin.clone(), 0
    while not table.outcome:
        ((_, ask),) = table.open_asks()
        if isinstance(ask, Secret):
            options = ask.ask.options  # type: ignore[union-attr]
            assert 1 == len(set(wins_after(evaluator, table, options)))
            compared += len(options) > 1
        answer_one_ask(table, RANDOM, chance)
    assert compared > 5


def test_the_side_ahead_wins_more_often() -> None:
    evaluator, begin = studied(0)
    chance, ahead, behind = Random(3), list[float](), list[float]()
    for _ in range(6):
        table = begin.clone()
        while not table.outcome:
            ((_, ask),) = table.open_asks()
            if ask.why == "leave-out":
                score = table.scoreboard().sides
                lead = score["home"].runs - score["away"].runs
                (ahead if lead > 1 else behind if lead < -1 else []).append(win(evaluator, table))
            answer_one_ask(table, RANDOM, chance)
    assert fmean(ahead) - fmean(behind) > 0.15
