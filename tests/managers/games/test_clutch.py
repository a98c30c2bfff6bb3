"""The computer manager of Clutch: legal in every game, blind to the other hand, and right about the odds."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from device.storage.decks import house_deck
from engine.ask_views import ArrangeView, ChooseView
from engine.asks import Choose, Roll
from engine.games.clutch import GAME
from engine.games.clutch.state import State
from engine.innings import Half, InningClock
from engine.seats import SEATS, Seat, opposite_seat
from engine.secrets import SealedValue
from engine.table import Table
from engine.views import TableView, json_data
from managers.games.clutch import build_game_manager
from managers.games.clutch.baserunning import FieldRatings, end_distribution
from managers.games.clutch.expectancy import WinExpectancyModel
from managers.games.clutch.fielding import build_throw
from managers.games.clutch.judge import PositionJudge
from managers.games.clutch.manager import ClutchManager
from managers.games.clutch.odds import OUTCOME_CODES, current_distribution
from managers.games.clutch.position import can_rebuild_position, position_from_view
from managers.games.clutch.pregame import batter_run_value
from managers.manager import STRENGTHS, GameSetup, Manager, ManagerDecision, next_decision, next_manager_ask
from managers.simulation import answer_one_ask, manager_player, random_decision, simulate_game
from tests.each import each
from tests.engine.games.clutch import any_cards, rare
from tests.engine.games.clutch.field import MACROS, at, until, upto
from tests.engine.games.clutch.fixture import BEFORE, strategy
from tests.engine.tables import inside
from tests.managers.seeds import seeds

DECK = house_deck(GAME)


def new(**house: str) -> Table:
    """Return a new game with the house deck."""
    return Table(GAME, [DECK], house)


def setup(table: Table) -> GameSetup:
    """Return what both managers know before a game."""
    return GameSetup("clutch", table.decks, table.house)


def any_house(chance: Random) -> dict[str, str]:
    """Return random house rules under which the house deck is legal."""
    house = {rule.key: chance.choice(rule.values) for rule in GAME.house_rules}
    return house | {
        "format": "26-man",
        "leagueOnly": "off",
        "series": chance.choice(("1", "1", "2", "3")),
        "minBullpen": "0",
    }


def checked(made: Manager, view: TableView, chance: Random) -> ManagerDecision | None:
    """Return a decision, after checking all that was weighed."""
    ask = next_manager_ask(view)
    assert ask is not None
    weighed = made.weigh_answers(view, ask)
    assert weighed
    assert sum(one.share for one in weighed) == pytest.approx(1)
    assert all(0 <= one.win <= 1 and one.share >= 0 for one in weighed)
    assert all(not one.reason or one.reason.endswith(".") for one in weighed)
    for one in weighed:  # Only one of them can be the best rested starter.
        assert not one.reason or one.win == max(same.win for same in weighed if same.reason == one.reason)
    if isinstance(ask, ChooseView):
        options = [one.value for one in ask.options]
        assert len({one.value for one in weighed}) == len(weighed)
        assert all(one.value in options for one in weighed)
    return next_decision(made, view, chance)


@seeds(1, 2)
def test_every_answer_is_legal_under_any_house_rules(seed: int) -> None:
    """One answer in seven is random, so that rare asks come up."""
    chance = Random(seed)
    table = new(**(any_house(chance) if seed else {}))
    made = {seat: build_game_manager(setup(table), STRENGTHS[(seed + at) % 3]) for at, seat in enumerate(SEATS)}

    def either(view: TableView, dice: Random) -> ManagerDecision | None:
        if dice.random() < 0.15:
            return random_decision(view, dice)
        assert view.seat is not None
        return checked(made[view.seat], view, dice)

    for _ in range(900):
        if table.outcome is None:
            answer_one_ask(table, dict.fromkeys(SEATS, either), chance)


def test_a_new_line_up_is_legal_and_its_best_bats_are_high() -> None:
    """Asked to lay one again, a manager leaves nobody out of position, and its fastest of the best four bats first."""
    table, chance, laid = new(), Random(1), dict[str, dict[str, Any]]()
    made = build_game_manager(setup(table), "all-star")

    def again(view: TableView, dice: Random) -> ManagerDecision | None:
        ask = next_manager_ask(view)
        if isinstance(ask, ChooseView) and ask.why in ("line-up", "lay"):
            return ManagerDecision(ask.n, {"line-up": "new", "lay": "lay"}[ask.why], "", False)
        decision = checked(made, view, dice)
        if isinstance(ask, ArrangeView) and decision:
            laid[f"{ask.seat} {ask.why}"] = decision.value
        return decision

    while len(laid) < 4:
        answer_one_ask(table, dict.fromkeys(SEATS, again), chance)
        (asks,) = {inside(ask).why for _, ask in table.open_asks()}
        assert asks != "strays"
    for seat in SEATS:
        order, study = list(laid[f"{seat} order"].values()), made.model
        bats = [batter_run_value(study, name) for name in order]
        assert sorted(bats[:4], reverse=True)[-1] >= max(bats[4:])
        assert bats[4:] == sorted(bats[4:], reverse=True)
        speeds = [study.box.batters[name].baserunning for name in order[:4]]
        assert speeds[0] == max(speeds)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_every_answer_is_legal_with_any_cards(seed: int) -> None:
    """Cards that do anything a card can do, hands dealt and real, and groups of rarely played ones."""
    chance = Random(seed)
    for table in islice(rare.games(chance) if seed % 2 else any_cards.games(chance, 8), 7):
        made = build_game_manager(setup(table), STRENGTHS[seed % 3])

        def either(view: TableView, dice: Random, made: Manager = made) -> ManagerDecision | None:
            return random_decision(view, dice) if dice.random() < 0.25 else checked(made, view, dice)

        for _ in range(300):
            if table.outcome is None:
                answer_one_ask(table, dict.fromkeys(SEATS, either), chance)


@pytest.mark.slow
def test_a_whole_series_is_played() -> None:
    table = new(level="players", series="3")
    rookie = manager_player(setup(table), "rookie")
    outcome = simulate_game(table, dict.fromkeys(SEATS, rookie), Random(3))
    assert outcome.reason == "series"


# The odds, against all ways the dice of the engine may fall -------------------------------------------------------


def passing(table: Table, why: str) -> bool:
    """Play no more cards until this roll is asked for; False if the at-bat ends before."""
    while table.outcome is None:
        n, ask = table.open_asks()[0]
        inner = inside(ask)
        if isinstance(inner, Roll):
            return inner.why == why
        if not inner.why.startswith("cards-"):
            return False
        table.answer_ask(ask.seat, n, "pass")
    return False


def brute(table: Table) -> dict[str, float]:
    """Return the odds of the results of this at-bat by throwing every face of the pitch and of the swing."""
    odds: dict[str, float] = defaultdict(float)
    seen: dict[tuple[str, bool], dict[str, float]] = {}
    n, ask = table.open_asks()[0]
    roll = inside(ask)
    assert isinstance(roll, Roll)
    faces = roll.dice[0].faces
    for face in faces:
        pitched = table.clone()
        pitched.answer_ask(ask.seat, n, [face])
        assert passing(pitched, "swing")
        at = state(pitched).at
        if (at.advantage, at.mistake) not in seen:
            seen[at.advantage, at.mistake] = swung(pitched)
        for code, share in seen[at.advantage, at.mistake].items():
            odds[code] += share / len(faces)
    return dict(odds)


def swung(table: Table) -> dict[str, float]:
    """Return the odds of the results of a swing."""
    odds: dict[str, float] = defaultdict(float)
    n, ask = table.open_asks()[0]
    roll = inside(ask)
    assert isinstance(roll, Roll)
    faces = roll.dice[0].faces
    for face in faces:
        twin = table.clone()
        events = twin.answer_ask(ask.seat, n, [face])
        while not (read := [one.event for one in events if one.event.code == "swing"]):
            now_n, now_ask = twin.open_asks()[0]
            events = twin.answer_ask(now_ask.seat, now_n, "pass")
        odds[read[0].facts["result"]] += 1 / len(faces)
    return odds


def state(table: Table) -> State:
    """Return the state of the real game, for comparison only."""
    assert isinstance(table.state, State)
    return table.state


def eager(view: TableView, chance: Random) -> ManagerDecision | None:
    """Play a card wherever one can be played, and else nothing special."""
    ask = next_manager_ask(view)
    assert ask is not None
    if isinstance(ask, ChooseView):
        cards = ask.why.startswith("cards-")
        options = [one.value for one in ask.options]
        quiet = ("pass", "not-here", "not-this-inning", "ask-again", "swing-now", "new-pitcher", "pinch-hitter")
        eager_ones = [one for one in options if one not in quiet] if cards else ["in"] if "in" in options else []
        return ManagerDecision(ask.n, (eager_ones or options)[0], "", ask.secret)
    return random_decision(view, chance)


@each("weather", ["off", "on"])
def test_the_odds_of_an_at_bat_are_those_of_the_dice(weather: str) -> None:
    """Both managers have played cards; stadium, weather, infield in and tired pitchers count too."""
    table, chance, found = new(weather=weather, subLockInning="0"), Random(5), 0
    while found < 3:
        _, ask = table.open_asks()[0]
        if inside(ask).why == "pitch" and len(state(table).standing) > found % 3:
            seat: Seat = "home"
            got = current_distribution(position_from_view(table.view_for(seat), study(table).box, table.house).state)
            by_dice = brute(table)
            assert dict(zip(OUTCOME_CODES, got, strict=True)) == pytest.approx(
                {one: by_dice.get(one, 0.0) for one in OUTCOME_CODES}
            )
            found += 1
            for _ in range(30):
                answer_one_ask(table, dict.fromkeys(SEATS, eager), chance)
        else:
            answer_one_ask(table, dict.fromkeys(SEATS, eager), chance)


def study(table: Table) -> WinExpectancyModel:
    """Return what a manager knows of a game beforehand."""
    return build_game_manager(setup(table), "all-star").model


@each("on", ["---", "1--", "-2-", "--3", "12-", "1-3", "-23", "123"])
def test_a_result_ends_as_it_does_in_the_engine(on: str) -> None:
    """Nobody tries for more; the double play is the only throw. By outs, bases and runs."""
    field = FieldRatings(9, 6, 4, tries=False, tags=False)
    for outs, macro in product(range(3), MACROS):
        if macro == "GBb!":
            continue
        table = at(f"T5 {outs}o {on}", level="players")
        speeds = tuple(15 if base != "-" else None for base in on)
        assert len(speeds) == 3
        got = end_distribution(macro.rstrip("!"), outs, speeds, 15, field)
        assert got == pytest.approx(settled(table, macro)), (outs, macro)


def settled(table: Table, macro: str) -> dict[tuple[int, int, int], float]:
    """Return the ends of this result in the engine, over all faces of a throw."""
    found: dict[tuple[int, int, int], float] = defaultdict(float)
    until(table, *MACROS[macro])
    open_tables = [(1.0, table)]
    while open_tables:
        share, one = open_tables.pop()
        s = state(one)
        if s.number > 1 or s.clock.half == "bottom" or s.outs == 3:
            over = s.clock.half == "bottom" or s.outs == 3
            bases = 0 if over else sum(1 << base for base, runner in enumerate(s.bases) if runner)
            found[3 if over else s.outs, bases, s.score[0]] += share
            continue
        n, ask = one.open_asks()[0]
        inner = inside(ask)
        if isinstance(inner, Roll):
            for face in range(1, 21):
                twin = one.clone()
                twin.answer_ask(ask.seat, n, [face])
                open_tables.append((share / 20, twin))
            continue
        assert isinstance(inner, Choose)
        one.answer_ask(
            ask.seat,
            n,
            next((code for code in ("stay", "no-throw", "pass") if code in inner.options), inner.options[0]),
        )
        open_tables.append((share, one))
    return dict(found)


def test_the_chance_of_a_steal_is_that_of_the_dice() -> None:
    """A runner of speed 15 against a battery of 9: 20 faces, and three more for third."""
    for on, code, base in (("1--", "steal-second", 2), ("-2-", "steal-third", 3)):
        table = at(f"T5 0o {on}", level="players")
        judge = PositionJudge(study(table), "away")
        found = position_from_view(table.view_for("away"), judge.model.box, table.house)
        chance = judge.out_chance(found.state, build_throw(found.state, "steal", base))
        upto(table, "throw-at", code)
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, f"at-{'second' if base == 2 else 'third'}")
        n, ask = table.open_asks()[0]
        outs = 0
        for face in range(1, 21):
            twin = table.clone()
            twin.answer_ask(ask.seat, n, [face])
            outs += state(twin).outs
        assert chance == outs / 20


# Fair and steady ---------------------------------------------------------------------------------------------------


def test_the_other_hand_changes_nothing() -> None:
    """The other side's hand and deck are exchanged: same view, same answers."""
    table, chance, seen = new(), Random(11), 0
    made = build_game_manager(setup(table), "all-star")
    while seen < 12 and table.outcome is None:
        answer_one_ask(table, dict.fromkeys(SEATS, random_decision), chance)
        for seat in SEATS:
            ask = next_manager_ask(table.view_for(seat))
            if ask is None or not can_rebuild_position(table.view_for(seat)) or state(table).number % 4:
                continue
            twin = table.clone()
            s = state(twin)
            side = next(one for one in SEATS if s.chair(one) == opposite_seat(seat))
            squad = s.squad(side)
            swapped = tuple(SealedValue(one.owner, card, -1) for one, card in zip(squad.hand, squad.deck, strict=False))
            rest = squad.deck[len(swapped) :] + tuple(one.peek() for one in squad.hand[: len(swapped)])
            s.update_squad(side, hand=(*swapped, *squad.hand[len(swapped) :]), deck=rest)
            assert json_data(twin.view_for(seat)) == json_data(table.view_for(seat))
            assert made.weigh_answers(twin.view_for(seat), ask) == made.weigh_answers(table.view_for(seat), ask)
            seen += 1
    assert seen >= 12


def test_it_decides_the_same_after_a_restart() -> None:
    table, chance = new(), Random(2)
    made = build_game_manager(setup(table), "regular")
    for _ in range(200):
        answer_one_ask(table, dict.fromkeys(SEATS, random_decision), chance)
    again = ClutchManager(WinExpectancyModel(made.model.box, table.house), "regular")
    for seat in SEATS:
        if (ask := next_manager_ask(table.view_for(seat))) is not None:
            assert made.weigh_answers(table.view_for(seat), ask) == again.weigh_answers(table.view_for(seat), ask)


def test_a_lead_is_worth_more_the_later_it_is() -> None:
    """Win expectancy is between 0 and 1, grows with the lead, and a run late is worth more than one early."""
    table = new(level="basic")
    made = build_game_manager(setup(table), "all-star")
    players, chance = dict.fromkeys(SEATS, random_decision), Random(1)
    while not can_rebuild_position(table.view_for("home")):
        answer_one_ask(table, players, chance)
    found = position_from_view(table.view_for("home"), made.model.box, table.house)
    judge = PositionJudge(made.model, "home")

    def worth(inning: int, half: Half, score: tuple[int, int]) -> float:
        s = found.state.copy()
        s.clock, s.score = InningClock(inning, half), score
        return judge.win_probability(s)

    leads = [worth(5, "top", (0, lead)) for lead in range(5)]
    assert leads == sorted(leads)
    assert worth(9, "top", (0, 1)) > worth(5, "top", (0, 1)) > worth(1, "top", (0, 1)) > 0.5
    assert worth(9, "bottom", (3, 0)) < 0.2
    assert 0.3 < worth(1, "top", (0, 0)) < 0.7


def test_a_returned_cost_makes_negating_worth_less() -> None:
    """By house rule the other side gets the card back that it paid; a card without a cost is worth as much."""

    def gain(cost: str | None, returned: str) -> float:
        more = {"cost": cost} if cost else {}
        cards = {
            "PAID": strategy("PAID", "offense", BEFORE, "swing +2", **more),
            "NEG": strategy("NEG", "defense", "when a card is played", "negate the card"),
        }
        table = at(away=["PAID", "MOM"], home=["NEG"], cards=cards, house={"negatedCostReturned": returned})
        ask = upto(table, "cards-card", "PAID", *(["MOM"] if cost else []))
        view = table.view_for(ask.seat)
        asked = next_manager_ask(view)
        assert asked is not None
        weighed = build_game_manager(setup(table), "regular").weigh_answers(view, asked)
        return next(one.win for one in weighed if one.value == "NEG")

    assert gain("discard 1", "true") < gain("discard 1", "false")
    assert gain(None, "true") == gain(None, "false")
