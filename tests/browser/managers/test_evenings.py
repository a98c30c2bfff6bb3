"""An evening alone with one phone, for each game: from New game to the last out, against the computer."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from engine.games import GAMES
from tests.browser.conftest import Rooms
from tests.browser.managers.test_managers import PLAY

LAY = """() => {
    const card = document.querySelector("#asks .ask:not(.managed, .sent):has(.arrange.spatial)");
    if (!card) return false;
    const field = card.querySelector(".arrange.spatial");
    const go = [...field.querySelectorAll(".acts .button:enabled")].find((one) => one.textContent.startsWith("Lay"));
    if (go) { go.click(); card.classList.add("sent"); return true; }
    field.querySelector(".piece")?.click();
    field.querySelector(".place:not(.laid)")?.click();
    return true;
}"""
"""Lay one more Glove on the field, or all of them down; return false if none are to be laid."""

LONGEST = 200.0
"""Seconds that a game may take."""

HOUSE: Mapping[str, Mapping[str, str]] = {
    "seventh-inning-stretch": {"mode": "duel", "cards": "dealt"},
    "clutch": {"level": "basic"},
}
"""House rules that are chosen for it."""


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("key", list(GAMES))
def test_from_new_game_to_the_last_out(rooms: Rooms, key: str) -> None:
    """The phone answers what its page asks, for its own side and for all dice, and nothing else is needed."""
    room = rooms(game=next(one for one in GAMES if one != key))
    operator = room.phone("/table", "operator")
    operator.get_by_role("tab", name="Games").tap()
    operator.get_by_role("button", name=GAMES[key].title).first.tap()
    for rule, value in HOUSE.get(key, {}).items():
        field = operator.locator(f"#house-{rule}")
        if not field.is_visible():
            operator.get_by_text("House rules", exact=True).tap()
        field.select_option(value)
    operator.locator("#manager-of-away").select_option("rookie")
    operator.locator("#pace-of-managers").select_option("instant")
    operator.locator("button.start").tap()
    room.until(lambda view: view["game"]["key"] == key and view["managers"].get("away") is not None)
    operator.close()
    page, end, last = room.phone("/seat", "home"), time.monotonic() + LONGEST, -1
    while not room.program.view()["table"]["outcome"]:
        if not page.evaluate(LAY):
            page.evaluate(PLAY)
        page.wait_for_timeout(50)
        assert time.monotonic() < end, page.inner_text("#asks")
        last = room.program.view()["table"]["version"]
    assert last > 0
    page.get_by_text(room.program.view()["table"]["outcome"]["sentence"]).first.wait_for()
