"""A table that plays, and the phones in its room."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Literal

import httpx
from playwright.sync_api import Browser, BrowserContext, FloatRect, Locator, Page

from device.inputs import random_player
from device.storage.decks import house_deck
from device.storage.store import Store
from engine.games import GAMES
from engine.table import Table
from tests.browser.chromium import PATIENCE, Faults
from tests.browser.program_here import ProgramHere, client_of
from tests.device.process import Program
from tests.json_asks import ask_of

Who = Literal["spectator", "away", "home", "operator"]
PHONE, TV = (390, 844), (1920, 1080)


def until(page: Page, what: Callable[[], object]) -> None:
    """Wait until `what` is true, while the page goes on."""
    last = time.monotonic() + PATIENCE / 1000
    while not what():
        assert time.monotonic() < last, "never came"
        page.wait_for_timeout(20)


def box(element: Locator) -> FloatRect:
    """Return where an element is, in CSS pixels."""
    found = element.bounding_box()
    assert found is not None
    return found


def played(key: str, there: Callable[[Table], object] = lambda table: False, house: Any = None, seed: int = 2) -> Table:
    """A random game, until `there` is true of it or to its end."""
    table, chance = Table(GAMES[key], [house_deck(GAMES[key])], house), Random(seed)
    while table.open_asks() and not there(table):
        n, ask = table.open_asks()[0]
        table.answer_ask(ask.seat, n, random_player.pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))
    return table


class Room:
    """The real program in `folder`, and pages of it in `browser`, if any. `faults` collects complaints.

    `tables` are games played there before; the last of them is on the table. Without `process` the program runs in this
    process: there `kill` ends it in order, and it has no signals.
    """

    def __init__(
        self,
        browser: Browser | None,
        faults: Faults,
        folder: Path,
        *options: str,
        command: str = "run",
        show: float = 0.3,
        more: str = "",
        tables: Sequence[Table] = (),
        process: bool = True,
    ) -> None:
        if tables:
            with closing(Store(folder / "journal.db")) as store:
                for table in tables:
                    store.begin_game(table)
        self._browser, self.faults = browser, faults
        self._folder, self._options, self._command, self._more = folder, options, command, more
        self.chance = Random(6)
        self._show, self._process, self._contexts = show, process, list[BrowserContext]()
        self._hands: dict[str, httpx.Client] = {}
        self.program = self._start()

    def _start(self, port: int = 0) -> Program:
        program = Program if self._process else ProgramHere
        return program(self._folder, *self._options, command=self._command, show=self._show, port=port, more=self._more)

    def leave(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()
        self._contexts.clear()

    def close(self) -> None:
        self.leave()
        for hand in self._hands.values():
            hand.close()
        self.program.__exit__(None, None, None)

    def kill(self) -> None:
        """Kill -9, like pulling the plug."""
        self.program.__exit__(None, None, None)

    def start(self) -> None:
        """Switch it on again, at the same address."""
        self.program = self._start(self.program.port)

    # Phones ----------------------------------------------------------------------------------------------------------

    def context(self, who: Who = "spectator", size: tuple[int, int] = PHONE, **how: Any) -> BrowserContext:
        """A new browser with the pass of `who`; `how` is for Playwright, with another `browser` or `url` if named."""
        small = size[0] < 600
        browser: Browser = how.pop("browser", self._browser)
        url: str = how.pop("url", self.program.url)
        context = browser.new_context(
            base_url=url,
            viewport={"width": size[0], "height": size[1]},
            **{"has_touch": small, "is_mobile": small} | how,
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        self.faults.watch(context)
        if who != "spectator":
            with client_of(self.program.url, **{"User-Agent": how.get("user_agent", "")}) as client:
                door, seat = ("/table", {}) if who == "operator" else ("/seat", {"seat": who})
                client.post(door, data={"code": self.program.code} | seat)
                passes = [{"name": name, "value": value} for name, value in client.cookies.items()]
            assert passes, "the code was refused"
            context.add_cookies([{"url": url, **one} for one in passes])  # type: ignore[typeddict-item]
        return context

    def phone(
        self, path: str = "/", who: Who = "spectator", size: tuple[int, int] = PHONE, live: bool = True, **how: Any
    ) -> Page:
        """A page in a new browser; if `live`, once it is."""
        page = self.context(who, size, **how).new_page()
        page.goto(path)
        if live and page.locator("#badge").count():
            page.locator("#badge[data-state=live]").wait_for(state="attached")
        return page

    # The game --------------------------------------------------------------------------------------------------------

    def until(self, what: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until `what` is true, while the page goes on."""
        last = time.monotonic() + PATIENCE / 1000
        while not what(view := self.program.view()):
            assert time.monotonic() < last, f"never came; last seen: {view}"
            time.sleep(0.02)
        return view

    def hand(self, seat: str) -> httpx.Client:
        """A phone without a browser that holds `seat`: only it is asked for secrets."""
        if seat not in self._hands:
            self._hands[seat] = client_of(self.program.url)
            self._hands[seat].post("/seat", data={"seat": seat, "code": self.program.code})
        return self._hands[seat]

    def asks(self) -> list[dict[str, Any]]:
        """The open asks, the oldest first, with the choices of secrets; not those that the table answers meanwhile."""
        asks: list[dict[str, Any]] = []
        for ask in self.program.view()["table"]["asks"]:
            if ask["secret"]:
                own = self.hand(ask["seat"]).get("/api/view", params={"seat": ask["seat"]}).json()
                asks += [one for one in own["table"]["asks"] if one["n"] == ask["n"]]
            else:
                asks.append(ask)
        return asks

    def answer(self, value: Any = None, seat: str | None = None) -> None:
        """Answer the first open ask, or that of `seat`; without a value at random."""
        ask = next(ask for ask in self.asks() if seat in (None, ask["seat"]))
        given = {
            "seat": ask["seat"],
            "n": ask["n"],
            "value": random_player.pick_answer(ask_of(ask), self.chance) if value is None else value,
        }
        hand = self.hand(ask["seat"]) if ask["secret"] else self.program.client
        hand.post("/api/answer", json=given).raise_for_status()
