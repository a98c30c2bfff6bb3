"""The box, getting ready, and taking the field."""

from __future__ import annotations

import pytest

from device.storage.decks import house_deck
from engine.asks import Draw, Secret
from engine.cards import Deck
from engine.errors import EngineError, IllegalAnswer, InvalidAnswer, StaleAnswer, WrongSeat
from engine.games.rallybird import GAME
from engine.games.rallybird.state import RUNNER_CUBES
from engine.seats import SEATS
from engine.secrets import HIDDEN_TEXT
from engine.table import Table
from engine.views import json_data
from tests.engine.games.rallybird.fixture import (
    REMOVED,
    at,
    bat,
    deck,
    half,
    labels,
    lie,
    new,
    ready,
    sides,
    stand,
    true,
    wanted,
)
from tests.engine.tables import asked, board, clock, codes, give, offered, panel, play, score

# The box -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-001", "RB-012", "RB-013", "RB-014", "RB-015", "RB-016")
def test_a_game_begins_in_the_seventh() -> None:
    table = new()
    assert ((7, "top"), (0, 0), ("", 0, 0)) == (clock(table), score(table), stand(table))
    now = board(ready())
    assert ("away", "red", "blue") == (now.batting, now.sides["away"].colour, now.sides["home"].colour)
    assert (1, (None, None, None)) == (true(ready()).batter, now.bases)


@pytest.mark.rule("RB-002", "RB-019")
def test_both_sides_bat_in_each_of_three_innings() -> None:
    table, seen = ready(), []
    while not table.outcome:
        seen.append((half(table), board(table).batting))
        for _ in range(3):
            bat(table, "F-DRIVE", 2)
        if board(table).half == "bottom" and board(table).inning == 9:
            bat(play(table, REMOVED, "gX"), "F-DRIVE", 12)
            bat(table, "F-GAP", 12)
            break
        if not table.outcome:
            play(table, REMOVED, "gX")
    assert [("T7", "away"), ("B7", "home"), ("T8", "away"), ("B8", "home"), ("T9", "away")] == seen
    assert ("home", "walk-off") == (table.outcome.winner, table.outcome.reason)


@pytest.mark.rule("RB-003", "RB-025")
def test_offense_has_the_cards_and_defense_the_gloves() -> None:
    """In the top of the seventh the visitor has the cards and home the Gloves; neither can use the other's."""
    table = ready()
    ((n, ask),) = table.open_asks()
    assert ("at-bat", "away") == (ask.why, ask.seat)
    with pytest.raises(WrongSeat):
        table.answer_ask("home", n, "F-DRIVE")
    play(table, "F-DRIVE")
    ((n, ask),) = table.open_asks()
    assert ("gloves", "home") == (ask.why, ask.seat)
    with pytest.raises(WrongSeat):
        table.answer_ask("away", n, lie(table))


@pytest.mark.rule("RB-007")
@pytest.mark.parametrize("box", [house_deck(GAME), deck()], ids=["house", "fixture"])
def test_the_box_is_complete(box: Deck) -> None:
    """Seventeen cards, seven Gloves, six zones; two dice for the roll; four cubes."""
    state = true(new(cards=box))
    assert (17, 7, 6, 4) == (len(state.box.cards), len(state.box.gloves), len(state.box.zones), len(RUNNER_CUBES))
    assert ["d6", "d6"] == wanted(bat(ready(), "F-DRIVE"))


@pytest.mark.rule("RB-010", "RB-044")
def test_inning_half_and_outs_are_shown() -> None:
    table = bat(at(inning=8), "F-DRIVE", 2)
    assert ("8", "top", 1) == (board(table).marker, board(table).half, board(table).outs)


# Getting ready -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-001")
def test_play_ball_is_announced_in_the_first_inning_played() -> None:
    assert {(7, "top")} == {(line.inning, line.half) for line in ready().play_log_lines()}
    assert {(9, "top")} == {(line.inning, line.half) for line in ready({"startInning": "9"}).play_log_lines()}


@pytest.mark.rule("RB-017", "RB-031")
def test_gloves_begin_on_their_fronts() -> None:
    assert {} == sides(ready())
    table = at(outs=2, field="A2b D-")
    assert {"gA": "back", "gD": "removed"} == sides(table)
    play(bat(table, "F-DRIVE", 2), REMOVED, "gX")
    assert ("B7", {}) == (half(table), sides(table))
    assert {"gA", "gB", "gC", "gD", "gE", "gF"} == set(true(table).gloves_in_play)


@pytest.mark.rule("RB-018", "RB-024")
def test_a_first_game_leaves_a_card_out() -> None:
    """One of sixteen cards is drawn, and fifteen can be played; otherwise seventeen and sixteen."""
    for house, count in (({"beginner": "true"}, 16), ({}, 17)):
        table = new(house)
        assert (count, house == {}) == (len(offered(table)), "F-PITCH" in offered(table))
        play(table, REMOVED, "gX")
        all_there = at("12", house=house | {"stealIntoOccupied": "doubleSteal"})
        assert count - 1 == len(offered(all_there))
        assert [f"One card sits out this half-inning, face down. {count - 1} can be played."] == [
            line.sentence for line in table.play_log_lines() if line.code == "card-removed"
        ]


def test_who_visits_is_asked_and_a_die_may_decide() -> None:
    """By agreement, or by a die (odd: both stay, even: they change seats), or not asked at all."""
    table = Table(GAME, [deck()])
    assert ("agreed", "die") == offered(table)
    assert ("removed",) == asked(play(table, "agreed"))
    for face, said in ((3, "stay-seated"), (4, "change-chairs")):
        table = play(Table(GAME, [deck()]), "die", face)
        assert ([said, "play-ball", "half-inning"], (face,)) == (codes(table.log), board(table).dice)
    assert ("removed",) == asked(new())


# Taking the field --------------------------------------------------------------------------------------------------


@pytest.mark.rule("RB-020", "RB-022")
def test_offense_loses_a_card_that_only_it_knows() -> None:
    table = new()
    ((n, ask),) = table.open_asks()
    assert isinstance(ask, Secret)
    assert isinstance(ask.ask, Draw)
    assert ("away", 17) == (ask.seat, len(ask.ask.options))
    assert {"value": "F-DRIVE", "label": "2 F-DRIVE"} in json_data(table.ask_view(n, ask, "away", dealer=True))[
        "options"
    ]
    assert not any("options" in json_data(table.ask_view(n, ask, seat)) for seat in (*SEATS, None))
    play(table, "F-DRIVE", "gX")
    seen = {seat: json_data(table.view_for(seat))["scoreboard"]["panel"]["removed"] for seat in ("away", "home", None)}
    assert {"away": "F-DRIVE", "home": HIDDEN_TEXT, None: HIDDEN_TEXT} == seen
    assert 16 - len({"F-SAC", "F-SECOND", "F-THIRD"}) == len(offered(table))
    assert HIDDEN_TEXT == table.redacted_entries("home")[0]["value"] == table.redacted_entries(None)[0]["value"]


@pytest.mark.rule("RB-021")
def test_the_card_that_is_out_cannot_be_played() -> None:
    table = play(new(), "F-LONG", "gX")
    assert "F-LONG" not in offered(table)
    with pytest.raises(IllegalAnswer, match="That isn't an answer to this question"):
        play(table, "F-LONG")


@pytest.mark.rule("RB-023")
def test_it_comes_back_after_three_outs() -> None:
    table = bat(at(outs=2), "F-DRIVE", 2)
    ((_, ask),) = table.open_asks()
    assert ("B7", "removed", "home", 17) == (half(table), ask.why, ask.seat, len(offered(table)))
    assert None is panel(table, "removed")


@pytest.mark.rule("RB-026")
def test_two_gloves_carry_a_baseball() -> None:
    table = new(cards=house_deck(GAME))
    icons = [(one.name, one.front, one.back) for one in true(table).box.gloves.values() if one.icon]
    assert [("5/4", 5, 4), ("4/6", 4, 6)] == icons


@pytest.mark.rule("RB-027", "RB-028", "RB-030")
def test_one_of_the_two_is_left_out() -> None:
    """It must be exactly one of these two; six Gloves are in play, one of them with the baseball."""
    table = play(new(), REMOVED)
    ((n, ask),) = table.open_asks()
    assert ("leave-out", "home", ("gF", "gX")) == (ask.why, ask.seat, offered(table))
    wrong: tuple[tuple[object, type[EngineError]], ...] = (
        ("gA", IllegalAnswer),
        ("none", IllegalAnswer),
        (None, InvalidAnswer),
        (["gF", "gX"], InvalidAnswer),
    )
    for value, error in wrong:
        with pytest.raises(error):
            table.answer_ask("home", n, value)
    assert {"gF": "Leave out gF", "gX": "Leave out gX"} == labels(table)
    play(table, "gF")
    assert ("gA", "gB", "gC", "gD", "gE", "gX") == true(table).gloves_in_play
    assert {"gF": "left out"} == sides(table)


@pytest.mark.rule("RB-029")
def test_it_is_available_again_in_the_next_half() -> None:
    table = play(bat(at(outs=2), "F-DRIVE", 2), REMOVED)
    ((_, ask),) = table.open_asks()
    assert ("B7", "away", ("gF", "gX")) == (half(table), ask.seat, offered(table))
    assert "gX" in true(play(table, "gF")).gloves_in_play


def test_no_question_is_asked_twice() -> None:
    table = play(new(), REMOVED)
    with pytest.raises(StaleAnswer):
        table.answer_ask("away", 0, "F-1")
    give(table, "home", "gX")
    with pytest.raises(StaleAnswer):
        table.answer_ask("home", 1, "gF")
