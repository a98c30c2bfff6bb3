"""What decisions cost, what the dice gave, and that a review says nothing of what was never shown."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from random import Random
from threading import Thread
from typing import Any

import pytest

from device.analysis.parts import review_decisions
from device.analysis.review import review_game
from device.shapes import ReviewedDecision, SeatReview, never_abort
from device.storage.decks import house_deck
from device.table.managed_seats import MANAGER_LOCK
from engine.ask_views import AnyAskView
from engine.errors import EngineError
from engine.games import GAMES
from engine.seats import Seat, opposite_seat
from engine.table import Table
from engine.views import TableView, json_data
from managers.evaluation import build_evaluator, home_win_probability
from managers.manager import GameSetup, WeighedAnswer, build_manager
from managers.simulation import manager_player, random_decision, simulate_game
from tests.device.analysis.secret_card_game import Step, secret_card_table


class LeadEvaluator:
    """Half, and a tenth more for each run ahead."""

    margin = 0.0

    def study_cards(self) -> bool:
        return False

    def home_win_probability(self, view: TableView) -> float | None:
        sides = view.scoreboard.sides
        return 0.5 + 0.1 * (sides["home"].runs - sides["away"].runs)


class RatingCoach:
    """Rates the answers to each ask by its number. Remembers what it saw, and rates more for a known ace."""

    def __init__(self, wins: Mapping[int, Mapping[Any, float]]) -> None:
        self.wins, self.seen = wins, list[tuple[int, Any]]()

    def study_cards(self, view: TableView | None = None) -> bool:
        return False

    def costless_answers(self, view: TableView, ask: AnyAskView) -> Collection[Any]:
        return ()

    def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
        hand = view.scoreboard.panel["hands"][ask.seat]
        self.seen.append((ask.n, hand))
        more = 0.1 * ("ace" in hand)
        return [
            WeighedAnswer(
                list(value) if isinstance(value, tuple) else value, win + more * (value == "bat"), 0.0, "Why."
            )
            for value, win in self.wins.get(ask.n, {"bat": 0.5, "bunt": 0.5, "steal": 0.5}).items()
        ]


def played(steps: Sequence[Step], *values: Any) -> Table:
    """Return a game in which these answers were given."""
    table = secret_card_table(*steps)
    for value in values:
        ((n, ask),) = table.open_asks()
        table.answer_ask(ask.seat, n, value)
    return table


def reviewed(table: Table, wins: Mapping[int, Mapping[Any, float]] | None = None) -> Mapping[Seat, SeatReview]:
    return review_game(table, RatingCoach(wins or {}), LeadEvaluator(), never_abort)


# Decisions ---------------------------------------------------------------------------------------------------------

CHOICES: Sequence[Step] = [
    ("choose", "home"),
    ("roll", "away"),
    ("choose", "home"),
    ("roll", "away"),
    ("choose", "home"),
]


def test_costs_add_up() -> None:
    """0.3 of 0.4, 0.1 of 0.2 and nothing of 0.4 were given away: 0.6 of 1.0 that was at stake was kept."""
    wins = {
        0: {"bat": 0.6, "bunt": 0.3, "steal": 0.2},
        2: {"bat": 0.5, "bunt": 0.6, "steal": 0.4},
        4: {"bat": 0.1, "bunt": 0.5, "steal": 0.3},
    }
    home = reviewed(played(CHOICES, "bunt", [1], "bat", [1], "bunt"), wins)["home"]
    assert (home.name, home.decisions, home.best) == ("Geese", 3, 1)
    assert home.cost == pytest.approx(0.4)
    assert home.accuracy == pytest.approx(0.6)
    assert [worst.n for worst in home.worst] == [0, 2]
    assert home.worst[0].cost == pytest.approx(0.3)
    situation = "Top of the fourth, Foxes batting. No score. Nobody out. Bases empty."
    expected = ReviewedDecision(0, 4, "top", situation, "What do you do?", "Bunt", "Bat", 0.0, "Why.")
    assert replace(home.worst[0], cost=0.0) == expected


def test_only_the_three_most_expensive_are_shown() -> None:
    steps: list[Step] = [("choose", "home"), ("roll", "away")] * 4
    given, better = ("bunt", "bunt", "steal", "bat"), ("bat", "steal", "bat", "steal")
    costs = zip(given, better, (0.1, 0.4, 0.2, 0.3), strict=True)
    wins = {2 * place: {best: 0.5 + cost, value: 0.5} for place, (value, best, cost) in enumerate(costs)}
    home = reviewed(played(steps, given[0], [1], given[1], [1], given[2], [1], given[3], [1]), wins)["home"]
    assert [worst.n for worst in home.worst] == [2, 6, 4]
    assert home.cost == pytest.approx(1.0)


def test_a_mistake_that_is_made_again_is_shown_once() -> None:
    """At its most expensive. It counts each time in the figures."""
    steps: list[Step] = [("choose", "home"), ("roll", "away")] * 4
    wins: dict[int, dict[str, float]] = {
        2 * place: {"bat": 0.5 + cost, "bunt": 0.5} for place, cost in enumerate((0.2, 0.4, 0.3))
    }
    wins[6] = {"steal": 0.6, "bunt": 0.5}
    home = reviewed(played(steps, *["bunt", [1]] * 4), wins)["home"]
    assert [(worst.n, worst.best) for worst in home.worst] == [(2, "Bat"), (6, "Steal second")]
    assert (home.decisions, home.best) == (4, 0)
    assert home.cost == pytest.approx(1.0)


def test_the_same_mistake_in_another_half_inning_is_another() -> None:
    """Of the side at bat. A pitcher who should have been relieved is one mistake, for as long as he stays on."""
    steps: list[Step] = [("choose", "away"), ("choose", "home"), ("half", "away")] * 2
    wins = {n: {"bat": 0.7, "bunt": 0.5} for n in range(9)}
    found = reviewed(played(steps, *["bunt", "bunt", [1]] * 2), wins)
    assert [len(found[seat].worst) for seat in ("away", "home")] == [2, 1]


@pytest.mark.parametrize(("games", "numbers"), [(1, [None]), (3, [3, 2, 1])])
def test_decisions_of_a_season_name_their_game(games: int, numbers: Sequence[int | None]) -> None:
    """The same mistake in another game is another. If there is only one game, it has no number."""
    steps: list[Step] = [("game", "away"), ("choose", "home")] * games
    wins = {2 * place + 1: {"bat": 0.6 + place / 10, "bunt": 0.5} for place in range(games)}
    home = reviewed(played(steps, *[[1], "bunt"] * games), wins)["home"]
    assert [worst.game for worst in home.worst] == numbers


def test_what_makes_no_difference_is_no_decision() -> None:
    """Equal ratings don't count. A loss of less than half a percent is as good as the best, and still adds up."""
    wins = {2: {"bat": 0.5, "bunt": 0.497, "steal": 0.3}, 4: {"bat": 0.5, "bunt": 0.499}}
    home = reviewed(played(CHOICES, "bat", [1], "bunt", [1], "bunt"), wins)["home"]
    assert (home.decisions, home.best, home.accuracy, home.worst) == (1, 1, 1.0, [])
    assert home.cost == pytest.approx(0.004)


def test_answers_that_the_coach_does_not_rate_are_left_out() -> None:
    home = reviewed(played(CHOICES, "steal", [1], "bat", [1], "bat"), {0: {"bat": 0.9, "bunt": 0.1}})["home"]
    assert (home.decisions, home.cost) == (0, 0.0)


def test_undone_answers_do_not_appear() -> None:
    table = played(CHOICES, "bunt", [6], "bat")
    table.undo(0)
    for value in ("bat", [1], "bat", [1], "bat"):
        ((n, ask),) = table.open_asks()
        table.answer_ask(ask.seat, n, value)
    found = reviewed(table, {0: {"bat": 0.9, "bunt": 0.1}})
    assert found == reviewed(played(CHOICES, "bat", [1], "bat", [1], "bat"), {0: {"bat": 0.9, "bunt": 0.1}})
    assert (found["home"].decisions, found["home"].best) == (1, 1)


def test_a_corrected_answer_counts_as_it_is_now() -> None:
    table = played(CHOICES, "bunt", [1], "bat", [1], "bat")
    table.correct_answer(0, "bat")
    assert reviewed(table, {0: {"bat": 0.9, "bunt": 0.1}})["home"].cost == 0.0


def test_second_thoughts_are_no_second_loss() -> None:
    """The first answer loses nothing as long as the next question still offers the best, and then the second one."""
    steps: Sequence[Step] = [("choose", "home"), ("again", "home")]
    wins = {0: {"bat": 0.7, "bunt": 0.4}, 1: {"bat": 0.7, "bunt": 0.4}}
    assert reviewed(played(steps, "bunt", "bat"), wins)["home"].cost == 0.0
    both = reviewed(played(steps, "bunt", "bunt"), wins)["home"]
    assert both.cost == pytest.approx(0.3)
    assert [worst.n for worst in both.worst] == [1]


def test_the_other_side_s_question_is_no_second_thought() -> None:
    wins = {0: {"bat": 0.7, "bunt": 0.4}, 1: {"bat": 0.7, "bunt": 0.4}}
    assert reviewed(played([("choose", "home"), ("choose", "away")], "bunt", "bat"), wins)[
        "home"
    ].cost == pytest.approx(0.3)


def test_a_reroll_is_a_decision() -> None:
    """It's about which dice to reroll. What they then show is luck."""
    wins = {0: {(1,): 0.6, (0, 1): 0.5, (0,): 0.2}}
    home = reviewed(played([("reroll", "home")], [2, 6]), wins)["home"]
    ((given, best),) = [(worst.given, worst.best) for worst in home.worst]
    assert (given, best) == ("Reroll the 1 and the 1", "Reroll the 1")
    assert home.cost == pytest.approx(0.1)


def test_there_is_no_review_before_the_end() -> None:
    """Even what a past decision cost says how to play the open position."""
    table, coach = played(CHOICES, "bunt", [1], "bat", [1]), RatingCoach({})
    assert review_game(table, coach, LeadEvaluator(), never_abort) == {}
    assert coach.seen == []


# Luck --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("face", "luck"), [(1, -0.05), (3, -0.05), (4, 0.05), (6, 0.05)])
def test_luck_is_the_value_of_a_roll_less_that_of_all(face: int, luck: float) -> None:
    """Three faces of six score, so the mean is half a run, which is 0.05."""
    table = played([("roll", "home"), ("choose", "home")], [face], "bat")
    found = reviewed(table)
    assert found["home"].luck == pytest.approx(luck)
    assert found["away"].luck == -found["home"].luck


def test_luck_of_the_other_side_s_roll() -> None:
    """A hit of the visitors is bad luck for home."""
    table = played([("roll", "away"), ("choose", "home")], [5], "bat")
    assert reviewed(table)["away"].luck == pytest.approx(0.05)


def test_rerolled_dice_are_compared_with_other_rolls_of_the_same_dice() -> None:
    """Of the die that stays, nothing is expected: with it alone, there is no luck."""
    assert reviewed(played([("reroll", "home"), ("choose", "home")], [None, 6], "bat"))["home"].luck == pytest.approx(
        0.05
    )
    assert reviewed(played([("reroll", "home"), ("choose", "home")], [6, None], "bat"))["home"].luck == 0.0


def test_dice_with_too_many_ways_are_compared_with_the_value_before() -> None:
    table = played([("roll-three", "home"), ("choose", "home")], [6, 6, 6], "bat")
    assert reviewed(table)["home"].luck == pytest.approx(0.1)


def test_it_may_be_aborted_before_each_position() -> None:
    """Once for each of three positions, each of two answers, and each of the roll's six ways to fall."""
    calls = list[int]()
    review_game(
        played([("roll", "home"), ("choose", "home")], [1], "bat"),
        RatingCoach({}),
        LeadEvaluator(),
        lambda: calls.append(1),
    )
    assert len(calls) == 11


# Secrets -----------------------------------------------------------------------------------------------------------

HAND: Sequence[Step] = [("deal", "home"), ("choose", "home"), ("hide", "home"), ("roll", "home"), ("choose", "away")]
ACE = {1: {"bat": 0.5, "bunt": 0.5}, 2: {"ace": 0.9, "deuce": 0.2, "jack": 0.1}}


def hand_game(card: str, hidden: str) -> Table:
    return played(HAND, card, "bunt", hidden, [5], "bat")


def test_a_secret_that_is_shown_is_a_decision() -> None:
    found = reviewed(played([("show", "home")], "deuce"), {0: {"ace": 0.5, "deuce": 0.4, "jack": 0.1}})["home"]
    assert found.decisions == 1
    assert found.cost == pytest.approx(0.1)


def test_two_games_that_look_the_same_have_the_same_review() -> None:
    """Neither a hand that was never shown nor a hidden choice makes a difference, in numbers, size or work."""
    found = list[object]()
    for card, hidden in [("ace", "ace"), ("ace", "deuce"), ("deuce", "jack"), ("jack", "ace")]:
        table, coach, calls = hand_game(card, hidden), RatingCoach(ACE), list[int]()
        review = review_game(table, coach, LeadEvaluator(), lambda calls=calls: calls.append(1))  # type: ignore[misc]
        found.append((json_data(dict(review)), coach.seen, len(calls), json_data(table.view_for(None))))
    assert all(one == found[0] for one in found)


def test_a_review_from_hidden_cards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the rule gone, it tells an ace in the hand from a deuce, and a hidden ace from a hidden deuce."""
    monkeypatch.setattr(Table, "hidden_numbers", lambda table: set())
    assert reviewed(hand_game("ace", "ace"), ACE) != reviewed(hand_game("deuce", "ace"), ACE)
    assert reviewed(hand_game("ace", "ace"), ACE) != reviewed(hand_game("ace", "deuce"), ACE)


def test_an_open_question_with_a_hidden_hand_is_rated_from_what_everybody_saw() -> None:
    coach = RatingCoach(ACE)
    found = review_game(hand_game("ace", "ace"), coach, LeadEvaluator(), never_abort)
    assert coach.seen[0] == (1, ["hidden"])
    assert found["home"].cost == 0.0


def test_other_ways_to_fall_open_nothing() -> None:
    """While something stays hidden, no roll is tried on a copy: it might open it. Here the value before counts."""
    assert reviewed(hand_game("ace", "ace"))["home"].luck == pytest.approx(0.1)


def look_alikes(table: Table) -> Iterator[Table]:
    """Yield games in which two hidden answers of a seat are exchanged, and that look the same to everybody."""
    hidden = [one for one in table.answers if one.n in table.hidden_numbers()]
    shown, entries = json_data(table.view_for(None)), table.redacted_entries(None)
    for one, other in combinations(hidden, 2):
        if (one.ask.seat, one.ask.why) == (other.ask.seat, other.ask.why) and one.value != other.value:
            changed, twin = {one.n: other.value, other.n: one.value}, Table(table.game, table.decks, table.house)
            with suppress(EngineError):  # the rest of the game is not legal any more
                for each in table.answers:
                    twin.answer_ask(each.ask.seat, each.n, changed.get(each.n, each.value))
                if twin.redacted_entries(None) == entries and json_data(twin.view_for(None)) == shown:
                    yield twin


@pytest.mark.slow
def test_look_alikes_of_a_real_game_have_the_same_review() -> None:
    """RallyBird: a card that sits out in a half-inning, unseen, is exchanged with that of another one."""
    game = GAMES["rallybird"]
    coach = build_manager(setup(Table(game, [house_deck(game)])), "all-star")
    table = Table(game, [house_deck(game)])
    simulate_game(table, {"away": random_decision, "home": random_decision}, Random(3))
    review = review_game(table, coach, LeadEvaluator(), never_abort)
    assert sum(one.decisions for one in review.values()) > 10
    others = list(islice(look_alikes(table), 2))
    assert len(others) == 2
    assert [review_game(other, coach, LeadEvaluator(), never_abort) for other in others] == [review] * 2


# Real games --------------------------------------------------------------------------------------------------------


def setup(table: Table) -> GameSetup:
    return GameSetup(table.game.key, table.decks, table.house)


@pytest.mark.slow
def test_luck_and_decisions_are_the_whole_change_in_small_ball() -> None:
    """Its win probabilities are exact: from the start to the result, home's luck less both sides' costs is all."""
    game = GAMES["small-ball"]

    def begun() -> Table:
        return Table(game, [house_deck(game)], {"innings": "3"})

    coach, evaluator = build_manager(setup(begun()), "all-star"), build_evaluator(setup(begun()))
    while evaluator.study_cards():
        pass
    start = home_win_probability(evaluator, begun().view_for(None))
    assert start is not None
    for seed in range(4):
        table = begun()
        simulate_game(table, {"away": random_decision, "home": random_decision}, Random(seed))
        end = home_win_probability(evaluator, table.view_for(None))
        found = review_game(table, coach, evaluator, never_abort)
        assert end == pytest.approx(start + found["home"].luck - found["home"].cost + found["away"].cost, abs=1e-5)
        assert found["home"].luck == -found["away"].luck
        assert found["home"].cost > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("seat", ["away", "home"])
def test_a_correct_mix_costs_nothing(seat: Seat) -> None:
    """Bottom of the 9th: no call that an all-star may draw in the stare-down is worse than another. A random one is."""
    game, costs = GAMES["bottom-of-the-9th"], {"all-star": 0.0, "random": 0.0}
    table = Table(game, [house_deck(game)])
    coach, all_star = build_manager(setup(table), "all-star"), manager_player(setup(table), "all-star")
    for seed in range(6):
        table = Table(game, [house_deck(game)])
        simulate_game(table, {seat: all_star, opposite_seat(seat): random_decision}, Random(seed))
        found = review_game(table, coach, LeadEvaluator(), never_abort)
        costs["all-star"] += found[seat].cost
        costs["random"] += found[opposite_seat(seat)].cost
    assert costs["all-star"] < 0.03 < costs["random"]


# Threads -----------------------------------------------------------------------------------------------------------


def is_manager_lock_free() -> bool:
    """Whether another thread could use a manager now."""
    found = list[bool]()

    def look() -> None:
        found.append(MANAGER_LOCK.acquire(blocking=False))
        if found[0]:
            MANAGER_LOCK.release()

    thread = Thread(target=look)
    thread.start()
    thread.join()
    return found[0]


def test_the_coach_of_a_review_never_works_while_the_managers_of_the_table_may(monkeypatch: pytest.MonkeyPatch) -> None:
    free = list[bool]()

    class WatchedCoach(RatingCoach):
        def study_cards(self, view: TableView | None = None) -> bool:
            assert view is not None, "it must know that no draft is left to study"
            free.append(is_manager_lock_free())
            return len(free) < 3

        def weigh_answers(self, view: TableView, ask: AnyAskView) -> Sequence[WeighedAnswer]:
            free.append(is_manager_lock_free())
            return super().weigh_answers(view, ask)

    def build(*setup: object) -> WatchedCoach:
        free.append(is_manager_lock_free())
        return WatchedCoach({})

    monkeypatch.setattr("device.analysis.parts.build_unstudied_manager", build)
    review_decisions(played([("choose", "home"), ("roll", "home")], "bat", [3]), LeadEvaluator(), never_abort)
    assert free == [False] * 4
    assert is_manager_lock_free()
