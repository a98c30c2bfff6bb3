"""The decisions of RallyBird's manager: legal everywhere, the same whatever is hidden, and free of secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
import pytest

from engine.ask_views import ArrangeView, ChooseView
from engine.seats import Seat
from engine.table import Table
from managers.games.rallybird import build_game_manager
from managers.games.rallybird.gloves import NO_GLOVE, GloveKit
from managers.games.rallybird.model import model_for_setup
from managers.games.rallybird.situation import position_from_view
from managers.manager import STRENGTHS, Manager, Strength, WeighedAnswer, next_manager_ask
from managers.simulation import SimulatedPlayer, answer_one_ask, manager_player
from tests.each import each
from tests.engine.games.rallybird import fixture
from tests.engine.tables import play as answer
from tests.managers.games.rallybird.fixture import any_deck, any_house, moments, new, setup
from tests.managers.seeds import seeds

MANY = 1500
"""Answers after which a game without an end is left."""

BLANK = fixture.deck({"F-5": "blank = true\ntwice = true\n"})


def check(manager: Manager, table: Table, seat: str, ask: object) -> None:
    """Check the answers to an ask: legal, with chances and shares, and each given a plain reason or none."""
    view = table.view_for("away" if seat == "away" else "home")
    weighed = manager.weigh_answers(view, ask)  # type: ignore[arg-type]
    assert weighed
    assert sum(one.share for one in weighed) == pytest.approx(1)
    assert all(0 <= one.win <= 1 and one.share >= 0 for one in weighed)
    assert all(one.reason == "" or (one.reason[0].isupper() and one.reason[-1] == ".") for one in weighed)
    for one in weighed[:3]:
        assert legal(ask, one), (ask, one)


def legal(ask: object, one: WeighedAnswer) -> bool:
    """True if an answer is legal."""
    if isinstance(ask, ArrangeView):
        pieces, places = {piece.value for piece in ask.pieces}, {place.value for place in ask.places}
        unique = len(set(one.value.values())) == len(one.value)
        return unique and len(one.value) >= ask.least and set(one.value) <= places and set(one.value.values()) <= pieces
    return isinstance(ask, ChooseView) and one.value in {option.value for option in ask.options}


@seeds(1, 2)
def test_every_ask_is_answered_under_any_house_rules(seed: int) -> None:
    chance = Random(seed)
    of = setup((any_deck(chance), BLANK)[seed % 2], any_house(chance))
    managers = [build_game_manager(of, strength) for strength in STRENGTHS]
    for table, seat, ask in moments(new(of), chance):
        for manager in managers:
            check(manager, table, seat, ask)
    players: Mapping[Seat, SimulatedPlayer] = {
        "away": manager_player(of, "all-star"),
        "home": manager_player(of, "rookie"),
    }
    table, answers = new(of), 0
    # With a card of an invented deck that always walks the batter, one half-inning lasts forever.
    while table.outcome is None and answers < MANY:
        answer_one_ask(table, players, chance)
        answers += 1
    assert table.outcome or max(side.runs for side in table.scoreboard().sides.values()) > 50


@each("strength", STRENGTHS)
def test_a_card_of_which_nothing_can_come_is_not_played(strength: Strength) -> None:
    """A steal with nobody on base, where the rules allow it: with real cards it could be played forever."""
    of = setup(BLANK, {"cards": "real", "needsRunner": "skip"})
    manager, seen = build_game_manager(of, strength), 0
    for table, seat, ask in moments(new(of), Random(3)):
        view = table.view_for(seat)
        if ask.why in ("at-bat", "shown") and isinstance(ask, ChooseView) and not any(view.scoreboard.bases):
            offered = {one.value for one in ask.options} & {"F-SECOND"}
            seen += bool(offered)
            assert not offered & {one.value for one in manager.weigh_answers(view, ask) if one.share > 0}
    assert seen


@each("strength", STRENGTHS)
def test_a_real_card_is_named_without_a_look_at_the_gloves(strength: str) -> None:
    """With real cards the Gloves lie before the manager names its card: how they lie must not matter."""
    of = setup(house={"cards": "real"})
    manager = build_game_manager(of, strength)  # type: ignore[arg-type]
    found = []
    for gloves in (("4/6", "3/4", "4/2", "4/1", "3/2", "3/1"), ("3/1", "3/2", "4/1", "4/2", "3/4", "4/6")):
        table = answer(new(of), "ready", "5/4", "ready", dict(zip("ABCDEF", gloves, strict=True)))
        view = table.view_for("away")
        ask = next_manager_ask(view)
        assert ask is not None
        assert ask.why == "shown"
        found.append([(one.value, one.win, one.share) for one in manager.weigh_answers(view, ask)])
    assert found[0] == found[1]


def test_a_manager_decides_the_same_after_a_restart() -> None:
    of, chance = setup(), Random(5)
    one, two = build_game_manager(of, "all-star"), build_game_manager(of, "all-star")
    table = new(of)
    players = {seat: manager_player(of, "regular") for seat in ("away", "home")}
    for _ in range(60):
        if table.outcome is None:
            answer_one_ask(table, {"away": players["away"], "home": players["home"]}, chance)
    views = [(table.view_for(seat), next_manager_ask(table.view_for(seat))) for seat in ("away", "home")]
    for view, ask in views:
        if ask is not None:
            assert one.weigh_answers(view, ask) == two.weigh_answers(view, ask)


def test_no_best_answer_wins_a_thousandth_more_against_the_all_star() -> None:
    """As the first batter comes up: its cards over all cards that may be out, and its layouts."""
    of = setup()
    manager, values = build_game_manager(of, "all-star"), model_for_setup(of)
    played, laid = np.zeros(len(values.cards.names)), dict[str, float]()
    for out in values.cards.names:
        table = answer(new(of), out, "5/4")
        for one in weighed_at(manager, table, "away"):
            played[values.cards.names.index(one.value)] += one.share / len(values.cards.names)
        laid = {
            json.dumps(one.value, sort_keys=True): one.share
            for one in weighed_at(manager, answer(table, first_card(table)), "home")
        }
    game = values.at_bat_game(position_from_view(table.view_for("home"), values.cards, values.kit))
    rows = [json.dumps(answer_of(values.kit, row), sort_keys=True) for row in game.layouts]
    layouts = np.array([laid.get(row, 0.0) for row in rows])
    cards = played[game.playable]
    assert cards.sum() == pytest.approx(1)
    assert layouts.sum() == pytest.approx(1)
    value = cards @ game.payoffs @ layouts
    assert (game.payoffs @ layouts).max() < value + 0.001
    assert (cards @ game.payoffs).min() > value - 0.001


def weighed_at(manager: Manager, table: Table, seat: Seat) -> Sequence[WeighedAnswer]:
    """Return what a manager makes of the open ask of its seat."""
    ask = next_manager_ask(table.view_for(seat))
    assert ask is not None
    return manager.weigh_answers(table.view_for(seat), ask)


def first_card(table: Table) -> str:
    """Return a card that may be played."""
    ask = next_manager_ask(table.view_for("away"))
    assert isinstance(ask, ChooseView)
    return ask.options[0].value


def answer_of(kit: GloveKit, row: Sequence[int]) -> dict[str, str]:
    """Return a layout as an answer."""
    return {zone: kit.names[glove] for zone, glove in zip("ABCDEF", row, strict=True) if glove != NO_GLOVE}
