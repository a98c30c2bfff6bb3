"""A seat's phone that sets and resets whatever it may, to wear the card out and to flood every page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.storage.store import Store
from device.table.corrections import MAX_PROPOSALS
from device.table.session import GameSession
from engine.asks import DiceAsk
from engine.journal import Source
from tests.device.stored_games import seen, table
from tests.web.phones import phone
from tests.web.web_table import WebTable, parts
from web.app import create_app
from web.security.admission import SETTING_CHANGES


class CountingStore(Store):
    """Counts the transactions that it begins."""

    writes = 0

    def _transaction(self, game: int | None = None) -> Any:
        self.writes += 1
        return super()._transaction(game)


class Room:
    """A real table of Small Ball after the first roll, and a phone for each seat."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.store = CountingStore(folder / "journal.db")
        stack.callback(self.store.close)
        self.session = GameSession(self.store, table)
        for n, value in enumerate(("bat", [2], "bat", [6])):
            self.session.seats.answer_ask("away", n, value, Source.PHONE)
        self.topic = self.session.game.view_for(None).standing["away"].topics[0].key
        app = create_app(replace(WebTable().port, **parts(self.session)))
        self.away, self.home, self.operator = (
            stack.enter_context(phone(app, who)) for who in ("away", "home", "operator")
        )

    @property
    def traces(self) -> tuple[int, int]:
        """How often something was stored, and published."""
        return self.store.writes, self.session.game.version


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(tmp_path, stack)


def switch(name: str, on: bool, topic: str) -> tuple[str, dict[str, Any]]:
    """Return a request that turns something on or off, from pages with and without scripts."""
    requests: dict[str, tuple[str, dict[str, Any]]] = {
        "pace": ("/api/pace", {"json": {"pace": "brisk" if on else "normal"}}),
        "coach": ("/api/seat/coach", {"json": {"seat": "away", "on": on}}),
        "assistance": ("/api/seat/assistance", {"json": {"seat": "away", "on": on}}),
        "manager": ("/api/seat/manager", {"json": {"seat": "away", "strength": "rookie" if on else None}}),
        "standing": (
            "/api/seat/standing",
            {"json": {"seat": "away", "topic": topic, "when": "never" if on else "always"}},
        ),
        "wait": ("/api/seat/wait", {"json": {"seat": "away"}}),
        "form pace": ("/seat/pace", {"data": {"pace": "brisk" if on else "normal"}}),
        "form coach": ("/seat/coach", {"data": {"on": str(on)}}),
        "form assistance": ("/seat/assistance", {"data": {"on": str(on)}}),
        "form manager": ("/seat/manager", {"data": {"strength": "rookie" if on else ""}}),
        "form standing": ("/seat/standing", {"data": {"topic": topic, "when": "never" if on else "always"}}),
        "form wait": ("/seat/wait", {"data": {}}),
    }
    return requests[name]


SWITCHES = ("pace", "coach", "manager", "standing", "wait")
EVERY = (*SWITCHES, *(f"form {name}" for name in SWITCHES))


@pytest.mark.parametrize("name", EVERY)
def test_what_is_as_it_was_leaves_no_trace(room: Room, name: str) -> None:
    """Nothing is stored, and no page gets a new version."""
    path, body = switch(name, True, room.topic)
    assert room.away.post(path, **body).status_code in (200, 303)
    before = room.traces
    for _ in range(5):
        assert room.away.post(path, **body).status_code in (200, 303)
    assert before == room.traces


def test_turning_something_on_and_off_comes_to_an_end(room: Room) -> None:
    """All of a seat's settings share one number, also from another phone; the last value stays, and others go on."""
    before, statuses = room.traces[0], list[int]()
    for turn in range(3 * SETTING_CHANGES.limit):
        path, body = switch(EVERY[turn % len(EVERY)], turn // len(EVERY) % 2 == 0, room.topic)
        statuses.append(room.away.post(path, **body).status_code)
    assert [429] * 2 * SETTING_CHANGES.limit == statuses[SETTING_CHANGES.limit :]
    assert not {429} & set(statuses[: SETTING_CHANGES.limit])
    assert room.traces[0] <= before + 2 * SETTING_CHANGES.limit
    refused = room.away.post("/api/pace", json={"pace": "normal"})
    assert 0 < int(refused.headers["retry-after"]) <= 61
    assert "Wait" in refused.json()["sentence"]
    assert room.home.post("/api/pace", json={"pace": "instant"}).is_success
    assert room.operator.post("/api/pace", json={"pace": "brisk"}).is_success
    assert "brisk" == room.session.game.view_for(None).pace


def test_who_tries_everything_does_not_notice(room: Room) -> None:
    """Each setting on, off and on again, within a minute."""
    for on in (True, False, True):
        for name in SWITCHES:
            path, body = switch(name, on, room.topic)
            assert room.away.post(path, **body).is_success


def test_a_correction_that_counts_is_counted(room: Room) -> None:
    """Two phones that correct the last roll to and fro fill no journal, and neither does somebody alone."""
    for alone in (False, True):
        if alone:
            room.session.seats.answer_ask("away", len(room.session.game.table.answers), "bat", Source.PHONE)
            (n,) = (n for n, ask in room.session.game.table.open_asks() if isinstance(ask, DiceAsk))
            room.session.seats.answer_ask("away", n, [6], Source.PHONE)
            room.session.managed.assign_manager("away", "rookie")
        roll, statuses = room.session.record.current_rolls(1)[0], list[int]()
        for turn in range(3 * MAX_PROPOSALS):
            body = {
                "seat": "home",
                "n": roll.n,
                "value": [turn % 2 + 4],
                "version": len(room.session.game.table.journal),
            }
            statuses.append(room.home.post("/api/seat/correction", json=body).status_code)
            if not alone:
                room.away.post("/api/seat/correction/agree", json={**body, "seat": "away"})
        assert [200] * MAX_PROPOSALS + [422] * 2 * MAX_PROPOSALS == statuses


def test_a_roll_that_is_held_is_held_once(room: Room) -> None:
    """Asking again publishes nothing."""
    room.session.seats.answer_ask("away", 4, "bat", Source.PHONE)
    room.session.rolls.handle_throw(seen(2, began=room.session.game.clock()))
    assert room.away.post("/api/hold", json={"n": 5}).is_success
    before = room.traces
    assert {200} == {room.away.post("/api/hold", json={"n": 5}).status_code for _ in range(5)}
    assert before == room.traces
