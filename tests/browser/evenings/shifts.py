"""Layout shift: what moves on a page without a tap of its own, and by how much, while a game is played.

A shift has a value from 0 to 1: the share of the viewport that is touched, times the distance moved as a share of its
larger side. Values are added up over windows, as Chromium's Cumulative Layout Shift does: a window ends with a second
without a shift, or after five seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from playwright.sync_api import Page

from tests.browser.chromium import PATIENCE
from tests.browser.evenings.evening import Moment
from tests.browser.room import PHONE, TV, Room, Who

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

MOST = 0.05
"""Most that a page may move in a window, by itself."""

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

AT_REST = """async () => {
    await document.fonts.ready;
    for (let i = 0; i < 3; i += 1) await new Promise((soon) => requestAnimationFrame(soon));
}"""
"""Wait until what has changed on a page is drawn."""

WATCH += f"window.rest = {AT_REST};"

TAKE = """async ([version, patience]) => {
    const last = performance.now() + patience;
    while (window.seen < version) {
        if (performance.now() > last) throw new Error(`version ${version} never came, only ${window.seen}`);
        await new Promise((soon) => setTimeout(soon, 5));
    }
    await rest();
    return window.shifts.splice(0);
}"""
"""Wait until the page shows this version, and return what has moved since the last time."""

REASON = """html => {
    for (const one of document.querySelectorAll(".reason")) one.innerHTML = html;
    return document.querySelectorAll(".reason").length;
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


class Shifts:
    """Watch the pages of a room from the first moment that is `due`, at most for this number of `moments`.

    A choice is made with a tap on the phone of its seat, and what it moves there does not count. Nobody taps for a
    roll, which the camera reads in a real room.
    """

    def __init__(
        self,
        room: Room,
        phone: tuple[int, int] = PHONE,
        due: Callable[[Moment], object] = lambda moment: True,
        moments: int | None = None,
    ) -> None:
        self._room, self._phone, self._due, self._moments = room, phone, due, moments
        self._choices: set[tuple[int, str]] = set()
        self.pages: dict[str, Page] = {}
        self.steps: dict[str, Steps] = {}
        self.seen = 0
        self._words = ""

    @property
    def finished(self) -> bool:
        """Whether it has seen all moments that it should."""
        return self._moments is not None and self.seen >= self._moments

    def look(self, moment: Moment) -> None:
        if self.finished or not (self.pages or self._due(moment)):
            return
        if not self.pages:
            self._open(moment)
        made = {seat for n, seat in self._choices if n not in {ask["n"] for ask in moment.asks}}
        for name, page in self.pages.items():
            moved = page.evaluate(TAKE, [moment.view["version"], PATIENCE])
            tapped = name.startswith("/seat") and name.endswith(tuple(made))
            self.steps[name].add([] if tapped else moved, self._words)
        self._choices = moment.choices
        self._words = f"version {moment.version}: {', '.join(ask['why'] for ask in moment.asks)}"
        self.seen += 1

    def _open(self, moment: Moment) -> None:
        self._words = "the page was opened"
        seats = moment.view["table"]["scoreboard"]["plays"]
        for name, path, who, size in PAGES:
            if who in ("away", "home") and who not in seats:
                continue
            page = self._room.context(who, self._phone if size == PHONE else size).new_page()
            page.add_init_script(WATCH)
            page.goto(path)
            page.locator("#badge[data-state=live]").wait_for(state="attached")
            self.pages[name], self.steps[name] = page, Steps(name)

    def complaints(self) -> list[str]:
        """Return, for each page whose worst window is too large, that value and its largest shift, in words."""
        worst = {name: steps.worst() for name, steps in self.steps.items()}
        found = [f"{name}: {value:.3f} {self.steps[name].largest[:2]}" for name, value in worst.items() if value > MOST]
        return found if self.seen else ["no page was watched"]

    def reason_moves(self) -> list[str]:
        """Put a computer's reason into the place kept for it; return the pages without one, or that moved."""
        found = []
        for name, page in self.pages.items():
            page.evaluate("window.shifts.splice(0)")
            places = page.evaluate(REASON, "<b>Home, computer:</b> One run ties it, so the runner on second goes home.")
            if not places and name != "/table":
                found.append(f"{name} has no place for a reason")
            moved = sum(value for value, _ in page.evaluate(TAKE, [-1, PATIENCE]))
            if moved >= MOST:
                found.append(f"{name}: {moved:.3f} as a reason came")
        return found

    def close(self) -> None:
        """Close its pages."""
        for page in self.pages.values():
            page.context.close()
