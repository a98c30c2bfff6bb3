"""An evening of each game: from New game to the last out by touch, and to the last word by ear."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random

import pytest

from engine.games import GAMES
from engine.seats import Seat
from tests.browser.conftest import Rooms
from tests.browser.ear.listener import Ear, Player
from tests.browser.evenings.evening import Evening
from tests.browser.evenings.hands import Thumb
from tests.browser.evenings.looks import SHOWN, TABS, Sights, looks
from tests.browser.evenings.shifts import Shifts
from tests.browser.room import Room, played, until

LONG = pytest.mark.long("evenings")
NARROW = (320, 640)

SHORTEST = "bottom-of-the-9th"
"""The only one of these games in the full run."""

FIRST = 26
"""Moments of a game whose layout shift is measured, from its start."""

IN_PLAY = 31
"""Answers after which all pages are looked at."""

WHOLE = ("small-ball", "bottom-of-the-9th")
"""Games that are played by ear from the first question."""

LAST = {"rallybird": 60, "seventh-inning-stretch": 60, "clutch": 60}
"""Answers of the others that are left when they begin."""


TAPS = {(0, 0), (0, 1), (0, 2), (0, 3), (1, 1), (2, 3)}
"""Rows of keys that a question has for its dice, and the taps that answer it: one for a choice or a die, two to pick
one and say so or in a second question on the same card, three for two dice, or to uncover a hand as well."""

HOUSE: Mapping[str, Mapping[str, str]] = {
    "seventh-inning-stretch": {"mode": "duel", "cards": "dealt"},
    "clutch": {"level": "basic"},
}
"""House rules that are chosen on the operator's page."""


def begin(room: Room, key: str) -> None:
    """Begin a game on the operator's phone, with a computer for the visitors."""
    operator = room.phone("/table", "operator")
    operator.get_by_role("tab", name="Games").tap()
    operator.get_by_role("button", name=GAMES[key].title).first.tap()
    for rule, value in HOUSE.get(key, {}).items():
        field = operator.locator(f"#house-{rule}")
        if not field.is_visible():
            operator.get_by_text("Where the rulebook is silent").tap()
        field.select_option(value)
    operator.locator("#manager-of-away").select_option("teo")
    operator.locator("#pace-of-managers").select_option("instant")
    operator.locator("button.start").tap()
    room.until(lambda view: view["game"]["key"] == key and view["managers"].get("away") is not None)
    operator.context.close()


@pytest.mark.parametrize("key", [pytest.param(key, marks=[] if key == SHORTEST else [LONG]) for key in GAMES])
def test_by_touch(rooms: Rooms, key: str) -> None:
    """One person and one phone, against the computer: it answers what its page asks, for its own side and for all dice,
    and nothing else is needed. Pages keep still from before the game on, also as a reason of the computer comes."""
    room = rooms(game=next(one for one in GAMES if one != key))
    begin(room, key)
    thumb, shifts = Thumb(room, "home"), Shifts(room, moments=FIRST)
    evening = Evening(room, shifts, Sights(thumb.page))
    evening.play([thumb], lambda moment: shifts.finished or moment.over)
    assert [] == shifts.reason_moves()
    shifts.close()
    evening.play([thumb], lambda moment: moment.version >= IN_PLAY or moment.over)
    tabs = TABS if key == "small-ball" else []
    found = looks(room, [*SHOWN, ("/games/2", "spectator"), *tabs], letter=True)
    end = evening.play([thumb], lambda moment: moment.over)
    thumb.page.get_by_text(end.view["table"]["outcome"]["sentence"]).first.wait_for()
    headings = {words.partition("\n")[0] for words in thumb.asked}
    assert "Your move" in headings
    assert ["Roll for "] == [one[:9] for one in headings - {"Your move"}], headings
    rolls = room.program.client.get("/api/rolls").json()
    assert {"away", "home"} == {roll["seat"] for roll in rolls}
    assert thumb.taps <= TAPS, "dice that a question has keys for, and taps"
    assert [] == found + evening.complaints()


@LONG
@pytest.mark.parametrize("key", GAMES)
def test_by_ear(rooms: Rooms, key: str) -> None:
    """To the last out on small phones: the players decide only from what their phones say, and press only keys. Both
    hear how it ended, one thing at a time. Pages keep still to what is shown after the game."""
    answers = len(played(key).answers)
    begun = [] if key in WHOLE else [played(key, lambda table: len(table.answers) >= answers - LAST[key])]
    room = rooms(game=key, tables=begun)
    seats: list[Seat] = list(room.program.view()["table"]["scoreboard"]["plays"])
    ears = [Ear(room, seat, size=NARROW) for seat in seats]
    assert [[]] * len(ears) == [ear.heard for ear in ears], "nothing before it was turned on"
    for ear in ears:
        ear.turn_on()
    evening = Evening(
        room, Shifts(room, NARROW, due=lambda moment: moment.last_inning), Sights(*(ear.page for ear in ears))
    )
    end = evening.play([Player(ear, Random(3)) for ear in ears], lambda moment: moment.over)
    runs = {str(side["runs"]) for side in end.view["table"]["scoreboard"]["sides"].values()}
    for ear in ears:
        until(ear.page, lambda ear=ear: any("Final: " in line for line in ear.heard))  # type: ignore[misc]
        (final,) = [line.partition("Final: ")[2] for line in ear.heard if "Final: " in line]
        assert runs <= set(re.findall(r"\d+", final))
    assert [] == evening.complaints() + looks(room, [*SHOWN, ("/games/1", "spectator")], dark=False)
