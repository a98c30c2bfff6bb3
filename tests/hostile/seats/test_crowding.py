"""A seat's phones ask for as much as they can: the operator and the other seat wait for none of it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fastapi import FastAPI

from device.shapes import AbortCheck, Advice, GameRecord, never_abort
from engine.journal import Source
from engine.seats import Seat
from tests.hostile.visitors import Visitor
from tests.web.stream_client import alive
from tests.web.web_table import WebTable
from web.app import create_app
from web.lanes import MAX_PRIORITY_THREADS, MAX_READER_THREADS
from web.security.admission import SEAT_TURN, STRANGER_TURN, TOTAL_READS

LIMIT = 100.0
"""Seconds after which something slow gives up."""


class SlowTable(WebTable):
    """A table whose old games, rolls, answers and coach take long, until they are `released`."""

    def __init__(self) -> None:
        super().__init__()
        self.seats.answer_ask("away", 0, "red", Source.PHONE)
        self.begun, self.released = 0, threading.Event()
        past = self.past.game_record

        def slow(number: int, wanted: AbortCheck = never_abort) -> GameRecord | None:
            if wanted is not never_abort:  # it is not for the list
                self.wait_long(wanted)
            return past(number)

        self.past.game_record = slow  # type: ignore[method-assign]
        rolls = self.record.current_rolls

        def slow_rolls(*given: Any) -> Any:
            self.wait_long()
            return rolls(*given)

        def call(seat: Seat, n: int, when: float | None, source: str) -> None:
            self.wait_long()

        self.record.current_rolls = slow_rolls  # type: ignore[method-assign, assignment]
        self.race.call_in_race = call  # type: ignore[method-assign]

    def wait_long(self, wanted: AbortCheck = never_abort) -> None:
        self.begun += 1
        late = time.monotonic() + LIMIT
        while not self.released.wait(0.002):
            assert time.monotonic() < late, "nobody let it go on"
            wanted()

    def coach_advice(self, seat: Seat, n: int) -> list[Advice]:
        self.wait_long()
        return []


def tried(act: Callable[[SlowTable, FastAPI], Awaitable[Any]]) -> None:
    """Run an attack on a slow table."""
    table = SlowTable()
    app = create_app(table.port)

    async def run() -> None:
        try:
            await act(table, app)
        finally:
            table.released.set()

    alive(app, run)


async def until(true: Callable[[], bool]) -> None:
    """Wait until this is true."""
    async with asyncio.timeout(LIMIT):
        while not true():
            await asyncio.sleep(0.002)


ATTACKS: dict[str, tuple[str, str, Any]] = {
    "old games": ("/games/1", "GET", None),
    "rolls": ("/api/rolls", "GET", None),
    "calls": ("/api/seat/call", "POST", {"seat": "home", "n": 1}),
    "coach": ("/api/seat/advice", "POST", {"seat": "home", "n": 1}),
}
PAGES = ("/table", "/games", "/doctor", "/doctor.zip", "/decks", "/api/catalogue", "/api/answers", "/api/phones", "/")
OWN = ("/seat", "/games", "/decks", "/api/view", "/", "/static/js/live.js")


@pytest.mark.parametrize("name", ATTACKS)
def test_who_asks_for_much_delays_nobody_else(name: str) -> None:
    """Thirty requests from each of four addresses: the operator and the other seat are answered as ever."""
    path, method, body = ATTACKS[name]

    async def attack(table: SlowTable, app: FastAPI) -> None:
        asked = [Visitor(app, path, method, "home", f"10.0.0.{n % 4}", body) for n in range(120)]
        await until(lambda: table.begun > 0)
        async with asyncio.timeout(LIMIT):
            for who, pages in (("operator", PAGES), ("away", OWN)):
                for page in pages:
                    assert (page, 200) == (page, await Visitor(app, page, who=who, at="10.0.1.1").answer())
        assert any(one.waits for one in asked)
        table.released.set()

    tried(attack)


def test_an_operator_with_the_same_address_is_answered() -> None:
    """A seat that has every place of its address gives one up."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        for _ in range(40):
            Visitor(app, "/api/rolls", who="home")
        await until(lambda: table.begun > 0)
        assert 200 == await Visitor(app, "/table", who="operator").answer()

    tried(attack)


def test_the_operator_always_finds_a_thread() -> None:
    """Strangers and both seats together have fewer turns than there are threads of either kind."""
    assert STRANGER_TURN.limit + 2 * SEAT_TURN.limit < min(MAX_PRIORITY_THREADS, MAX_READER_THREADS)


def test_the_coach_thinks_about_one_question_of_a_seat() -> None:
    """Other phones of that seat, at any address, must come again; the other seat is not refused."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        asked = [
            Visitor(app, "/api/seat/advice", "POST", "home", f"10.0.0.{n}", {"seat": "home", "n": 1})
            for n in range(TOTAL_READS.limit)
        ]
        await until(lambda: sum(not one.waits for one in asked) == TOTAL_READS.limit - 1)
        assert {503} == {one.status for one in asked if not one.waits}
        assert b"The coach is already thinking" in next(one.body for one in asked if not one.waits)
        other = Visitor(app, "/api/seat/advice", "POST", "away", body={"seat": "away", "n": 1})
        table.released.set()
        assert 200 == await other.answer()

    tried(attack)


def test_who_sends_slowly_takes_no_turn() -> None:
    """More bodies that never come than there are turns: a newcomer sees the game at once."""

    async def attack(table: SlowTable, app: FastAPI) -> None:
        slow = [Visitor(app, "/table", "POST", at="10.0.0.1", comes=False) for _ in range(2 * STRANGER_TURN.limit)]
        await asyncio.sleep(0.01)
        assert 200 == await Visitor(app, "/", at="10.0.1.1").answer()
        assert all(one.waits for one in slow)
        for one in slow:
            one.leave()

    tried(attack)
