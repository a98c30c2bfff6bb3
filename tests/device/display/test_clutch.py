"""Clutch on the display: the arm, the number to beat, how a roll ended, and what buttons can do unseen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from device.display import lettering, screens_32, screens_64
from device.table.entry.answer_entry import build_entry
from device.table.entry.seat_entries import PassEntry, PhoneOnlyEntry, build_secret_entry
from engine.asks import Choose, Secret
from engine.games.clutch import GAME
from engine.table import Table
from tests.device.display.views import DIAL, a_view, changed, checked, everything, read, told
from tests.engine.games.clutch.field import at, until, upto
from tests.engine.games.clutch.fixture import strategy

DRAWS = pytest.mark.parametrize("draw", [screens_64.draw_game, screens_32.draw_game])
Draw = Callable[..., Image.Image]
OFF = {"state": "off", "words": "No camera."}


def shown(draw: Draw, table: Table, **more: Any) -> str:
    return everything(draw, a_view(table=table.view_for(None), watching=OFF, **more))


def brief(draw: Draw, table: Table, **more: Any) -> str:
    """Return the same with a title that leaves room for the last roll."""
    view = a_view(table=table.view_for(None), watching=OFF, **more)
    asks = [replace(ask, title="Next") for ask in view.table.asks]
    return everything(draw, changed(view, table={"asks": asks}))


@DRAWS
@pytest.mark.parametrize(
    ("field", "path", "words"),
    [
        ("T5 0o ---", ["pitch"], "Advantage with 8 or more."),
        ("T5 0o ---", ["swing", "P12"], "Pitch 15 v 10: PITCHER."),
        ("T5 0o ---", ["swing", "P2"], "Pitch 5 v 10: BATTER."),
        ("T5 0o -2-", ["throw", "1B!", "to-home", "at-home"], "Out with 15 or more."),
    ],
)
def test_what_a_roll_must_beat(draw: Draw, field: str, path: list[str], words: str) -> None:
    """The least that gives the pitcher the advantage or an out; who has it, before the swing."""
    table = at(field, level="players")
    upto(table, *path)
    assert words in shown(draw, table)


def test_how_a_roll_ended() -> None:
    """Pitch against On-Base before the swing, the result once runners try on it."""
    table = at("T5 0o -2-", level="players")
    upto(table, "swing", "P12")
    assert "15 v 10" in brief(screens_64.draw_game, table)
    until(table, *["S18"])
    assert "1B" in brief(screens_64.draw_game, table)


@DRAWS
def test_a_bunt_is_not_rolled_against_the_batter(draw: Draw) -> None:
    """The number of the pitch is of no use to it."""
    again = strategy("AGAIN", "offense", "after the bunt roll", "reroll the bunt")
    table = at("T5 0o 1--", away=["AGAIN"], cards={"AGAIN": again})
    upto(table, "bunt", "bunt")
    assert "Advantage with" not in shown(draw, table)
    upto(table, "again-bunt", "B2", "AGAIN")
    assert "Advantage with" not in shown(draw, table)


def test_an_arm() -> None:
    """The outs that are left in it, or what a tired one loses."""
    table = at(level="players")
    upto(table, "pitch")
    left = table.view_for(None).scoreboard.panel["pitcher"]["left"]
    assert f"arm {left}" in shown(screens_64.draw_game, table)
    weary = at(level="players", arm={"outs": 30})
    upto(weary, "pitch")
    assert "tired" in shown(screens_64.draw_game, weary)


@DRAWS
def test_an_arm_is_explained(draw: Draw) -> None:
    """What the number beside the bases means takes turns with the question."""
    table, weary = at(level="players"), at(level="players", arm={"outs": 30})
    pitcher, spent = (one.view_for(None).scoreboard.panel["pitcher"] for one in (table, weary))
    words = f"Arm: {pitcher['left']} more outs before {pitcher['name']} tires."
    assert set(words.split()) <= set(shown(draw, table).split())
    words = f"{spent['name']} is tired: Command -{spent['penalty']}, and every swing is a d24."
    assert set(words.split()) <= set(shown(draw, weary).split())


@pytest.mark.parametrize(("marker", "word"), [("1", "tired"), ("9", "tired"), ("12", "T")])
def test_a_tired_pitcher_stands_clear_of_the_bases(marker: str, word: str) -> None:
    """There is a dark column on both sides of the word, also where the inning has two digits."""
    weary = at(level="players", arm={"outs": 30})
    upto(weary, "pitch")
    view = changed(a_view(table=weary.view_for(None)), board={"marker": marker, "bases": ["a", "b", "c"]})
    with read() as drawn:
        image = screens_64.draw_game(view)
    x, y = next((x, y) for words, x, y, *_ in drawn if words == word)
    for column in (x - 1, x + lettering.text_width(word)):
        assert not any(image.getpixel((column, row)) for row in range(y, y + 8))


@DRAWS
def test_a_number_of_two_digits_is_whole(draw: Draw) -> None:
    for face in ("8", "17"):
        table = at("T5 0o -2-", level="players")
        upto(table, "offence", "P20", f"S{face}")
        assert f" {face} " in f" {brief(draw, table, dial=DIAL)} "


def test_a_card_is_passed_with_ok() -> None:
    """Unseen that is all that buttons can do: OK passes, anything pressed before it chooses nothing."""
    table = at(away=["SW+2"])
    ask = upto(table, "cards-before-pitch")
    assert isinstance(ask, Secret)
    dial = build_secret_entry(GAME, table.open_asks()[0][0], ask)
    assert isinstance(dial, PassEntry)
    assert "OK passes" in shown(screens_64.draw_game, table, dial=dial.entry_view())
    dial.press_next()
    assert dial.press_ok() is None
    assert "pass" == dial.press_ok()


def test_a_line_up_is_left_as_it_is_by_one_press() -> None:
    """What changes nothing comes first in every menu, so that OK goes on."""
    table = at(level="players")
    for why, first in (("defence", "pitch"), ("offence", "swing")):
        n, ask = table.open_asks()[0]
        if ask.why != why:
            upto(table, why)
            n, ask = table.open_asks()[0]
        assert first == build_entry(table.ask_view(n, ask, ask.seat)).press_ok()


@DRAWS
@pytest.mark.parametrize(("answer", "words"), [("keep", "OK keeps the hand"), ("seen", "OK continues")])
def test_ok_in_secret_changes_nothing(draw: Draw, answer: str, words: str) -> None:
    """Nobody takes a mulligan blindly: OK keeps the hand, and the display says so to one and to both."""
    table = at(away=["SW+2"])
    dial = build_secret_entry(GAME, 4, Secret(Choose("away", "x", ("mulligan", answer))))
    assert isinstance(dial, PassEntry)
    asks = [{"n": 4, "seat": "away", "kind": "choose", "secret": True, "why": "x"}]
    for both in (False, True):
        asks = [*asks, *([asks[0] | {"n": 5, "seat": "home"}] if both else [])]
        view = changed(a_view(table=table.view_for(None), dial=dial.entry_view()), table={"asks": asks})
        assert told(draw, view, f"In secret: {dial.how}")
        assert words in dial.how
        assert both == ("OK: " in everything(draw, view))
    dial.press_next()
    assert dial.press_ok() is None
    assert answer == dial.press_ok()


@DRAWS
def test_a_card_that_must_be_chosen_needs_a_phone(draw: Draw) -> None:
    """No press chooses one, and the display says what to do."""
    table = at(away=["SW+2"])
    dial = build_secret_entry(GAME, 4, Secret(Choose("away", "over-limit", ("A", "B"))))
    assert isinstance(dial, PhoneOnlyEntry)
    asks = [{"n": 4, "seat": "away", "kind": "choose", "secret": True, "why": "over-limit"}]
    view = changed(a_view(table=table.view_for(None), dial=dial.entry_view()), table={"asks": asks})
    assert told(draw, view, f"In secret: {dial.how}")
    for presses in range(3):
        for _ in range(presses):
            dial.press_next()
        assert dial.press_ok() is None


@DRAWS
def test_long_names(draw: Draw) -> None:
    """Players and teams of 30 letters are cut where there is no room, and every word stays readable."""
    card = {"name": "Maximilian Featherstonehaugh-X", "team": "The Northern Harbour Lanterns."}
    fields = GAME.shapes["batter"]
    assert [30, 30] == [len(fields[one](said)) for one, said in card.items()]
    table = at(level="players")
    upto(table, "offence")
    sides = {seat: {"name": f"{card['team'][:-1]}{seat[0]}"} for seat in ("away", "home")}
    n, ask = table.open_asks()[0]
    dial = build_entry(table.ask_view(n, ask, ask.seat)).entry_view()
    view = a_view(table=table.view_for(None), watching=OFF, dial=dial)
    assert checked(lambda: draw(changed(view, board={"batter": card["name"], "sides": sides})))
