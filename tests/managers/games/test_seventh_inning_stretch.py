"""The manager of 7th Inning Stretch: exact odds, best rerolls, legal answers, and no hidden knowledge."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product
from random import Random

import pytest

from device.storage.decks import house_deck
from engine.ask_views import ChooseView
from engine.asks import Draw
from engine.cards import Deck, cards_in_decks
from engine.diamond import Bases
from engine.games.seventh_inning_stretch import GAME
from engine.games.seventh_inning_stretch.cards import build_box
from engine.games.seventh_inning_stretch.dice.conditions import GuardFacts, outcome_chances
from engine.games.seventh_inning_stretch.dice.goals import RollGoal, dice_after_nudge
from engine.games.seventh_inning_stretch.house_rules import HOUSE_RULES
from engine.games.seventh_inning_stretch.innings.outcomes import OUTCOMES_BEST_FIRST, outcome_effect
from engine.seats import SEATS, Seat, opposite_seat
from engine.table import Table
from engine.views import TableView
from managers.games import seventh_inning_stretch
from managers.games.seventh_inning_stretch import half as halves
from managers.games.seventh_inning_stretch.half import (
    OUT_OUTCOME,
    BattingRules,
    HalfEndValues,
    half_inning_values,
    state_after_outcome,
)
from managers.games.seventh_inning_stretch.hands import (
    FloatArray,
    all_hands,
    hand_chances,
    hand_row,
    reroll_options,
    values_with_tokens,
)
from managers.games.seventh_inning_stretch.lines import met_outcome_bits, open_lines
from managers.games.seventh_inning_stretch.offense import best_outcome_values
from managers.manager import STRENGTHS, GameSetup, ManagerDecision, WeighedAnswer, next_manager_ask
from managers.simulation import SimulatedPlayer, answer_one_ask, manager_player
from tests.each import each
from tests.engine.games.seventh_inning_stretch.fixture import BLANK, at, batter_card, deck, true
from tests.engine.tables import inside, play
from tests.managers.seeds import seeds

HOUSE_DECK = house_deck(GAME)
BOX = build_box(cards_in_decks([HOUSE_DECK]))
RUNS = {"": 0.0, "home-run": 1.5, "triple": 1.1, "double": 0.8, "single": 0.5, "walk": 0.3, "sacrifice": 0.1}
FACES = range(1, 7)


def worth(goal: RollGoal, faces: tuple[int, ...], now: GuardFacts) -> float:
    """Return the worth of the best outcome of these dice, as the rules read them."""
    return max((RUNS[one] for one in goal.met_outcomes(faces, now)), default=0.0)


def thrown_again(goal: RollGoal, faces: tuple[int, ...], places: tuple[int, ...], now: GuardFacts) -> float:
    """Return the worth of throwing these dice again, over every way they can fall."""
    total = 0.0
    for fresh in product(FACES, repeat=len(places)):
        new = list(faces)
        for spot, face in zip(places, fresh, strict=True):
            new[spot] = face
        total += worth(goal, tuple(new), now)
    return float(total / 6 ** len(places))


def samples(count: int) -> list[tuple[RollGoal, tuple[int, ...], GuardFacts]]:
    """Return batters, dice and positions by chance."""
    chance, found = Random(7), []
    for _ in range(count):
        card = chance.choice(list(BOX.batters.values()))
        faces = tuple(chance.randint(1, 6) for _ in range(chance.randint(1, 4)))
        bases = (chance.random() < 0.5, chance.random() < 0.5, chance.random() < 0.5)
        found.append((RollGoal(card.lines), faces, GuardFacts(chance.randrange(3), bases, chance.randint(7, 9), -1)))
    return found


def values(goal: RollGoal, count: int, now: GuardFacts) -> FloatArray:
    """Return the manager's worth of every hand."""
    lines = tuple(one for one in goal.lines if all(when.is_met(now) for when in one.when))
    return best_outcome_values(met_outcome_bits(lines, count, best=False), RUNS | {OUT_OUTCOME: 0.0})


def once(base: FloatArray, rerolls: int, nudges: int) -> FloatArray:
    """Return the same worths, whatever is spent."""
    return base


def test_odds_of_every_card_are_those_of_the_rules() -> None:
    now = GuardFacts(1, (True, False, True), 9, -1)
    for card in BOX.batters.values():
        for count in (1, 2, 4):
            bits = met_outcome_bits(open_lines(card, now), count, best=False)
            for outcome, chance in outcome_chances(card.lines, count, now).items():
                mine = hand_chances(count) @ (bits >> OUTCOMES_BEST_FIRST.index(outcome) & 1)
                assert mine == pytest.approx(float(chance)), (card.name, count, outcome)


def test_the_dice_to_throw_again_are_the_best_of_all_subsets() -> None:
    for goal, faces, now in samples(25):
        best, places = reroll_options(values(goal, len(faces), now), faces)[0]
        subsets = [some for size in range(1, len(faces) + 1) for some in combinations(range(len(faces)), size)]
        brute = {some: thrown_again(goal, faces, some, now) for some in subsets}
        assert best == pytest.approx(max(brute.values()))
        assert brute[places] == pytest.approx(best)


def test_a_token_is_worth_the_best_of_everything_it_can_do() -> None:
    for goal, faces, now in samples(12):
        base = values(goal, len(faces), now)
        both = values_with_tokens(partial(once, base), len(faces), 1, 1)
        turned = [f"{face}-{way}" for face in set(faces) for way, end in (("up", 6), ("down", 1)) if face != end]
        kept = worth(goal, faces, now)
        nudge = max([kept, *(worth(goal, dice_after_nudge(faces, code), now) for code in turned)])
        assert both[0, 1][hand_row(faces)] == pytest.approx(nudge)
        assert both[1, 1][hand_row(faces)] >= max(nudge, both[1, 0][hand_row(faces)]) - 1e-9


def test_outcomes_move_runners_as_the_rules_do() -> None:
    for outs, bits, outcome in product(range(3), range(8), (OUT_OUTCOME, *OUTCOMES_BEST_FIRST)):
        first, second, third = (f"r{base}" if bits >> base - 1 & 1 else None for base in (1, 2, 3))
        bases: Bases[str] = (first, second, third)
        then = outcome_effect(bases, outs, "b", outcome)
        on = sum(1 << spot for spot, runner in enumerate(then.bases) if runner)
        mine = state_after_outcome(outs, bits, outcome)
        assert mine[0] == then.outs
        assert then.outs == 3 or mine[1:] == (on, len(then.home)), (outs, bits, outcome)


def test_a_half_of_one_kind_of_batter_is_worth_what_its_dice_say() -> None:
    # With one die a turn and a home run on a 6, each batter scores with 1 in 6: 3 outs * (1/6) / (5/6) runs.
    source = batter_card("F-MAX", ["a 6: home-run"], "1")
    card = build_box(cards_in_decks([deck({"F-MAX": source})])).batters["F-MAX"]
    rules = BattingRules(steals=False, extra_bases=False)
    first = half_inning_values((card,) * 9, 0, rules, HalfEndValues(9)).turns[0].before_gathering[0, 0, 0, 0]
    saving = half_inning_values((card,) * 9, 0, rules, HalfEndValues(9)).turns[0].before_gathering[0, 3, 0, 0]
    assert first >= 0.6 - 0.01, "it may save dice, so it is no worse than throwing each at once"
    assert saving > first


@each("count", [1, 2])
def test_the_chance_to_win_at_bat_is_that_of_the_real_rules(count: int) -> None:
    cards = deck({"F-MAX": batter_card("F-MAX", ["a 6: home-run"], "2")})
    table = at(pool=(0, 0, 0), outs=2, inning=9, runs=(3, 3), cards=cards)
    coach = seventh_inning_stretch.build_game_manager(GameSetup(GAME.key, (cards,), table.house), "all-star")
    view = table.view_for("home")
    ask = next_manager_ask(view)
    assert ask is not None
    assert ask.why == "at-bat"
    found = {one.value: one.win for one in coach.weigh_answers(view, ask)}
    won = 0
    for faces in product(FACES, repeat=count):
        tried = at(pool=(0, 0, 0), outs=2, inning=9, runs=(3, 3), cards=cards)
        play(tried, str(count), list(faces))
        won += true(tried).score[1] > true(tried).score[0]
    share = won / 6**count
    # A home run wins at once; an out ends the half, as no dice do.
    assert found[str(count)] == pytest.approx(share + (1 - share) * found["0"], abs=1e-4)


def random_house(chance: Random) -> dict[str, str]:
    """Return house rules by chance."""
    return {rule.key: chance.choice(rule.values) for rule in HOUSE_RULES} | {"difficulties": "combine"}


def checked(setup: GameSetup, chance: Random) -> SimulatedPlayer:
    """Return a player of any strength that checks what it weighs."""
    strength = chance.choice(STRENGTHS)
    coach = seventh_inning_stretch.build_game_manager(setup, strength)
    inner = manager_player(setup, strength)

    def decide(view: TableView, chance: Random) -> ManagerDecision | None:
        ask = next_manager_ask(view)
        if ask is not None:
            weighed = coach.weigh_answers(view, ask)
            assert sum(one.share for one in weighed) == pytest.approx(1.0)
            assert all(0.0 <= one.win <= 1.0 and one.share >= 0.0 for one in weighed)
            board = view.scoreboard
            mine = board.plays[ask.seat]
            if ask.why == "relief" and abs(lead := board.sides[mine].runs - board.sides[opposite_seat(mine)].runs) > 9:
                assert all((one.win > 0.5) == (lead > 0) for one in weighed)
        return inner(view, chance)

    return decide


@seeds(2, 4)
def test_whole_games_under_any_house_rules_are_legal(seed: int) -> None:
    chance = Random(seed)
    house = random_house(chance) | {"mode": ("duel", "season", "extended", "duel")[seed]}
    cards: Deck = HOUSE_DECK if seed % 2 else deck(BLANK, {("semifinals", 3): "no steals and at most 2 dice a roll"})
    table = Table(GAME, [cards], house)
    both: dict[Seat, SimulatedPlayer] = {
        seat: checked(GameSetup(GAME.key, (cards,), table.house), chance) for seat in SEATS
    }
    for _ in range(400):
        if table.outcome:
            break
        answer_one_ask(table, both, chance)


def picks(others: int) -> list[WeighedAnswer]:
    """Return what Home weighs in its first pick, if Visitors were dealt the cards from place `others` of those left."""
    table = Table(GAME, [HOUSE_DECK], {"mode": "duel", "duelFirstBat": "agreed"})
    while isinstance(inner := inside(table.open_asks()[0][1]), Draw):
        n, ask = table.open_asks()[0]
        hand = [name for name in BOX.players_of_tier(1)[:4] if name in inner.options]
        away = [name for name in BOX.players_of_tier(1)[4 + others :] if name in inner.options]
        table.answer_ask(ask.seat, n, (hand or away)[0] if ask.seat == "home" or inner.why != "hand" else away[0])
    view = table.view_for("home")
    shown = next_manager_ask(view)
    assert isinstance(shown, ChooseView)
    return list(
        seventh_inning_stretch.build_game_manager(
            GameSetup(GAME.key, (HOUSE_DECK,), table.house), "all-star"
        ).weigh_answers(view, shown)
    )


def test_a_pick_does_not_depend_on_the_other_hand() -> None:
    assert picks(0) == picks(5)


def test_a_manager_that_is_started_again_decides_the_same() -> None:
    table = at(pool=(2, 1, 0), bases="1", inning=9)
    setup = GameSetup(GAME.key, tuple(table.decks), table.house)
    view = table.view_for("home")
    ask = next_manager_ask(view)
    assert ask is not None
    first = seventh_inning_stretch.build_game_manager(setup, "all-star").weigh_answers(view, ask)
    halves._solve_by_runs.cache_clear()
    halves._solve_by_chances.cache_clear()
    assert seventh_inning_stretch.build_game_manager(setup, "all-star").weigh_answers(view, ask) == first


def test_every_hand_is_counted_once() -> None:
    for count in range(8):
        assert hand_chances(count).sum() == pytest.approx(1.0)
        assert len(all_hands(count)) == len(set(all_hands(count)))
