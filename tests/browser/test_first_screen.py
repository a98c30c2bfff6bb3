"""A seat's first screen on a phone: the score, inning and outs, the question, and its first control."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import GAMES
from tests.browser.conftest import Rooms
from tests.browser.evenings.looks import LARGE, letters
from tests.browser.room import played
from tests.browser.tv.test_stage import after

VISIBLE = (390, 664)
"""What Safari's bars leave of a phone with 844 pixels."""

SEEN = """() => {
    const place = (one) => one && one.checkVisibility() && one.getBoundingClientRect();
    const shown = (one) => { const at = place(one); return Boolean(at) && at.top >= 0 && at.bottom <= innerHeight; };
    const controls = [...document.querySelectorAll("#asks .ask button")].filter((one) => place(one) && !one.disabled);
    return {
        inning: shown(document.querySelector(".lamps .inning")),
        outs: [...document.querySelectorAll(".lamps .outs")].every(shown),
        score: [...document.querySelectorAll(".side .total")].every(shown),
        question: shown(document.querySelector("#asks h2")),
        control: shown(controls[0]),
    };
}"""


@pytest.mark.parametrize("key", GAMES)
def test_a_question_and_its_control_are_on_the_first_screen(rooms: Rooms, key: str) -> None:
    """At many points of a game; with letters twice as large at least score, inning and outs."""
    tables = [played(key, after(answers), seed=answers) for answers in (8, 19, 61)]
    points = [table for table in tables if table.open_asks()]
    room = rooms(tables=points)
    found: dict[str, Any] = {}
    for number, point in enumerate(points, 1):
        room.program.post(f"games/{number}/take").raise_for_status()
        for ask in room.program.view()["table"]["asks"][:1]:
            page = room.phone("/seat", ask["seat"], VISIBLE)
            page.locator("#asks .ask").first.wait_for(state="attached")
            whole = page.evaluate(SEEN)
            letters(page, LARGE)
            large = page.evaluate(SEEN)
            if not all([*whole.values(), large["inning"], large["outs"], large["score"]]):
                found[f"{ask['why']} after {len(point.journal)}"] = whole | {"large": large}
            page.context.close()
    assert {} == found
