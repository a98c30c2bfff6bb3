"""A player tries to change a roll: alone, twice, late, by pestering, with odd requests, and with borrowed passes."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Correction, Source
from tests.device.stored_games import table
from tests.web.phones import TestClient, phone
from tests.web.web_table import CODE, WebTable, parts
from web.app import create_app

PROPOSE, AGREE, DROP = (f"/api/seat/correction{path}" for path in ("", "/agree", "/drop"))


class Room:
    """A real table of Small Ball whose last roll, 3, showed 6; and a phone for each seat."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        store = Store(folder / "journal.db")
        stack.callback(store.close)
        self.session = GameSession(store, table)
        for n, value in enumerate(("bat", [2], "bat", [6])):
            self.session.seats.answer_ask("away", n, value, Source.PHONE)
        self.app: FastAPI = create_app(replace(WebTable().port, **parts(self.session)))
        self.away, self.home = (stack.enter_context(phone(self.app, seat)) for seat in ("away", "home"))

    @property
    def value(self) -> list[Any]:
        return list(self.session.record.current_rolls(1)[0].value)

    @property
    def corrections(self) -> int:
        return sum(isinstance(entry, Correction) for entry in self.session.game.table.journal)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with ExitStack() as stack:
        yield Room(tmp_path, stack)


def body(seat: str, value: Any = (5,), **more: Any) -> dict[str, Any]:
    return {"seat": seat, "n": 3, "value": list(value), "version": 4} | more


GOOD = body("home")


def test_with_a_copied_pass_that_has_ended(room: Room) -> None:
    """The rival's cookie of a moment ago agrees to nothing once that phone has left."""
    copied = dict(room.away.cookies)
    assert room.home.post(PROPOSE, json=body("home")).is_success
    room.away.post("/leave")
    with TestClient(room.app, cookies=copied) as thief:
        assert 401 == thief.post(AGREE, json=body("away")).status_code
    assert [6] == room.value


def test_by_changing_sides(room: Room) -> None:
    assert room.home.post(PROPOSE, json=body("home")).is_success
    assert room.home.post("/seat", data={"code": CODE, "seat": "away"}, follow_redirects=False).status_code == 303
    assert 409 == room.home.post(AGREE, json=body("away")).status_code
    assert [6] == room.value


ODD: list[Any] = [
    {},
    [],
    None,
    "home",
    GOOD | {"seat": "umpire"},
    GOOD | {"seat": None},
    GOOD | {"seat": ["home"]},
    body("home", n=None),
    body("home", n="3"),
    body("home", n=3.0),
    body("home", n=True),
    body("home", n=-1),
    body("home", n=10**30),
    body("home", version=None),
    body("home", version="4"),
    body("home", [7]),
    body("home", [0]),
    body("home", [True]),
    body("home", ["5"]),
    body("home", [5.0]),
    body("home", [None]),
    body("home", [5, 5]),
    body("home", []),
    body("home", [[5]]),
    GOOD | {"value": None},
    GOOD | {"value": {"0": 5}},
    GOOD | {"value": "x" * 9000},
    GOOD | {"value": [5] * 3000},
    body("home", more=1),
    body("home", [6]),
]


def test_odd_requests(room: Room) -> None:
    """Each is refused in a sentence, also while a correction is open, which stays as it is."""
    for sent in ODD:
        first = room.home.post(PROPOSE, json=sent)
        assert (422, True) == (first.status_code, bool(first.json()["sentence"])), sent
        assert room.session.game.view_for(None).correction is None, sent
    assert room.home.post(PROPOSE, json=body("home", [4])).is_success
    open_ = room.session.game.view_for(None).correction
    for sent in ODD:
        for path in (PROPOSE, AGREE, DROP):
            client = room.away if path == AGREE else room.home
            seat = "away" if path == AGREE else "home"
            given = sent | {"seat": seat} if isinstance(sent, dict) and sent.get("seat") == "home" else sent
            assert client.post(path, json=given).status_code in (409, 422), (path, sent)
            assert open_ == room.session.game.view_for(None).correction, (path, sent)
    assert ([6], 0) == (room.value, room.corrections)


def test_without_json(room: Room) -> None:
    for path in (PROPOSE, AGREE, DROP):
        for sent in (b"", b"\xff", b"[" * 15_000, b'{"seat": "home"'):
            assert room.home.post(path, content=sent, headers={"Content-Type": "application/json"}).status_code in (
                400,
                422,
            )
        assert 413 == room.home.post(path, content=b" " * 20_000).status_code


def test_all_at_once(room: Room) -> None:
    """Both propose, agree and refuse at the same moment: whatever comes first, the roll is corrected at most once, and
    only to what both have sent.
    """

    def send(turn: int) -> int:
        client, seat = ((room.home, "home"), (room.away, "away"))[turn % 2]
        path = (PROPOSE, AGREE, DROP)[turn // 2 % 3]
        return int(client.post(path, json=body(seat, [4 + turn % 2 if path == PROPOSE else 4])).status_code)

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(send, range(60)))
    assert {200, 403, 409, 422} >= set(statuses)
    assert room.corrections <= 1
    assert room.value == ([4] if room.corrections else [6])
