"""Layout shift: what moves on a page without a tap of its own, and by how much, while a game is played.

A shift has a value from 0 to 1: the share of the viewport that is touched, times the distance moved as a share of its
larger side. Values are added up over windows, as Chromium's Cumulative Layout Shift does: a window ends with a second
without a shift, or after five seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from playwright.sync_api import Page

from device.inputs import random_player
from tests.browser.room import PHONE, TV, Room, Who
from tests.json_asks import ask_of

GAMES = ("small-ball", "bottom-of-the-9th", "rallybird", "seventh-inning-stretch", "clutch")

PAGES: tuple[tuple[str, str, Who, tuple[int, int]], ...] = (
    ("/", "/", "spectator", PHONE),
    ("/seat, away", "/seat", "away", PHONE),
    ("/seat, home", "/seat", "home", PHONE),
    ("/tv", "/tv", "spectator", TV),
    ("/table", "/table", "operator", PHONE),
)
"""The pages that are watched: a name, the address, whose phone it is, and its viewport in CSS pixels."""

PACE = 0.9
"""Seconds between two answers, for the windows. The game itself is played faster; people are slower."""

GAP, LONGEST = 1.0, 5.0
"""Seconds without a shift that end a window, and how long a window may be."""

TAPPED = 550
"""Milliseconds after a tap from which on all that moves counts, and a little more."""

WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
    const name = (node) => node ? [node.nodeName.toLowerCase(), ...node.classList ?? []].join(".") : "gone";
    const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    for (const one of list.getEntries()) {
        if (one.hadRecentInput) continue;
        const moved = one.sources.map(({ node, previousRect, currentRect }) => {
            const at = node?.nodeType === Node.ELEMENT_NODE ? node : node?.parentElement;
            return `${name(at?.closest(".region, .ask"))} > ${name(at)}: ${box(previousRect)} to ${box(currentRect)}`;
        });
        window.shifts.push([one.value, moved]);
    }
}).observe({ type: "layout-shift", buffered: true });
window.seen = -1;
window.EventSource = class extends EventSource {
    constructor(...all) {
        super(...all);
        this.addEventListener("panel", ({ lastEventId }) => { window.seen = Number(lastEventId); });
    }
};
"""

TAKE = """async (version) => {
    const last = performance.now() + 20000;
    while (window.seen < version && performance.now() < last) await new Promise((soon) => setTimeout(soon, 5));
    for (let i = 0; i < 3; i += 1) await new Promise((soon) => requestAnimationFrame(soon));
    return window.shifts.splice(0);
}"""


@dataclass
class Steps:
    """The shifts of one page: a value for each answer, and of the largest what moved."""

    name: str
    values: list[float] = field(default_factory=list)
    largest: list[tuple[float, str, list[str]]] = field(default_factory=list)

    def add(self, entries: Sequence[tuple[float, list[str]]], after: str) -> None:
        """Add what moved after an answer, which is named in words."""
        self.values.append(sum(value for value, _ in entries))
        self.largest += [(value, after, moved) for value, moved in entries if value > 0.005]
        self.largest.sort(key=lambda one: -one[0])
        del self.largest[40:]

    def worst(self) -> float:
        """Return the value of the worst window."""
        worst = window = began = 0.0
        last = -GAP
        for i, value in enumerate(self.values):
            now = i * PACE
            if not value:
                continue
            if now - last >= GAP or now - began >= LONGEST:
                window, began = 0.0, now
            window, last = window + value, now
            worst = max(worst, window)
        return worst


class Watch:
    """Pages of a room that are watched while its game is played.

    A choice is made with a tap on the phone of its seat, and what moves there within half a second of it does not
    count. Nobody taps for a roll, which the camera reads in a real room.
    """

    def __init__(self, room: Room, phone: tuple[int, int] = PHONE) -> None:
        self.room = room
        self.pages: dict[str, Page] = {}
        self.steps: dict[str, Steps] = {}
        seats = room.program.view()["table"]["scoreboard"]["plays"]
        for name, path, who, size in PAGES:
            if who in ("away", "home") and who not in seats:
                continue
            page = room.context(who, phone if size == PHONE else size).new_page()
            page.add_init_script(WATCH)
            page.goto(path)
            page.locator("#badge[data-state=live]").wait_for(state="attached")
            self.pages[name], self.steps[name] = page, Steps(name)
        for page in self.pages.values():
            page.wait_for_timeout(300)
        self._take("the page was opened")

    def moved(self, most: float) -> list[str]:
        """Return, for each page whose worst window is above `most`, that value and its largest shift, in words."""
        worst = {name: steps.worst() for name, steps in self.steps.items()}
        return [f"{name}: {value:.3f} {self.steps[name].largest[:2]}" for name, value in worst.items() if value > most]

    def play(self, answers: int) -> int:
        """Play on until the end of the game, or until this number of answers was given; return how many were."""
        given = 0
        while given < answers and not self.room.program.view()["table"]["outcome"]:
            asks = self.room.asks()
            given += bool(asks) and self.answer(self.room.chance.choice(asks))
        return given

    def answer(self, ask: dict[str, Any]) -> bool:
        """Give a random answer to an ask, and note what moves. Return False if the table answered it meanwhile."""
        seat = ask["seat"]
        page = self.pages.get(f"/seat, {seat}")
        if page and ask["kind"] not in ("roll", "reroll", "call"):
            page.touchscreen.tap(200, 5)
        elif page:
            page.wait_for_timeout(TAPPED)  # A person throws later, and what moves then counts.
        try:
            value = random_player.pick(ask_of(ask), self.room.chance)
        except LookupError:  # a secret that the table draws itself, or has drawn by now
            return False
        hand = self.room.hand(seat) if ask["secret"] else self.room.program.client
        answer = hand.post("/api/answer", json={"seat": seat, "n": ask["n"], "value": value})
        if answer.status_code == httpx.codes.CONFLICT:
            return False
        answer.raise_for_status()
        self._take(f"{ask['why']} of {seat}: {value}")
        return True

    def _take(self, after: str) -> None:
        version = self.room.program.view()["version"]
        for name, page in self.pages.items():
            self.steps[name].add(page.evaluate(TAKE, version), after)
