"""Pictures of the dice that phones send: who may, when, and one at a time."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from engine.errors import InvalidAnswer
from engine.journal import Source
from engine.views import ManagerView
from tests.hostile.visitors import Visitor
from tests.web.phones import phone, small_ball
from tests.web.stream_client import looped
from tests.web.web_table import WebTable
from web.app import create_app
from web.security import admission

PICTURE = b"the bytes of a picture"
SENT = ("photograph", "2", str(len(PICTURE)))
URL = "/api/photograph?n=2"


@pytest.fixture
def table() -> WebTable:
    """Small Ball, in which ask 2 is away's roll."""
    found = small_ball()
    found.seats.answer_ask("away", 1, "bat", Source.PHONE)
    return found


def send(table: WebTable, who: str, url: str = URL, data: bytes = PICTURE) -> tuple[int, Any]:
    with phone(create_app(table.port), who) as client:
        answer = client.post(url, content=data)
        return answer.status_code, answer.json()


@pytest.mark.parametrize("who", ["away", "operator"])
def test_the_seat_that_rolls_and_the_operator_send_one(table: WebTable, who: str) -> None:
    assert (200, {"ok": True}) == send(table, who)
    assert [SENT] == table.machine.acts


def test_the_other_seat_sends_none(table: WebTable) -> None:
    assert (403, "seat") == (send(table, "home")[0], send(table, "home")[1]["error"])
    assert [] == table.machine.acts


def test_people_roll_for_a_computer(table: WebTable) -> None:
    table.show(managers={"away": ManagerView("regular", "", None)}, manageable=True)
    assert 200 == send(table, "home")[0]


@pytest.mark.parametrize(("n", "status"), [(1, 409), (3, 409), (-1, 422), ("x", 422)])
def test_another_question(table: WebTable, n: object, status: int) -> None:
    """Only for the dice that are asked for now."""
    assert status == send(table, "away", f"/api/photograph?n={n}")[0]
    assert 422 == send(table, "away", "/api/photograph")[0]
    assert [] == table.machine.acts


def test_the_phone_reads_why(table: WebTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(n: int, data: bytes) -> None:
        raise InvalidAnswer("This is a video.")

    monkeypatch.setattr(table.machine, "propose_photograph", refuse)
    assert (422, {"error": "invalid", "sentence": "This is a video."}) == send(table, "away")


def test_a_picture_too_large_says_what_to_do(table: WebTable) -> None:
    """Larger than any other request may be, but not as large as anybody likes."""
    least = b"x" * (admission.LARGE_BODY.limit * 1024 + 1)
    assert 200 == send(table, "away", data=least)[0]
    status, said = send(table, "away", data=b"x" * (admission.LARGE_PHOTOGRAPH.limit * 1024 + 1))
    assert (413, True) == (status, "Set the camera to a smaller picture size" in said["sentence"])


@looped
async def test_one_picture_at_a_time(table: WebTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one of the same seat is refused; the operator's waits, so that one is in memory for each."""
    begun, done, here = threading.Semaphore(0), threading.Event(), list[int]()

    def read(n: int, data: bytes) -> None:
        here.append(n)
        assert [n] == here
        begun.release()
        assert done.wait(20)
        here.clear()

    monkeypatch.setattr(table.machine, "propose_photograph", read)
    app = create_app(table.port)
    async with app.router.lifespan_context(app):
        first = Visitor(app, URL, "POST", "away")
        assert await asyncio.to_thread(begun.acquire, timeout=20)
        again = Visitor(app, URL, "POST", "away")
        assert 503 == await again.answer()
        assert b"still being read" in again.body
        second = Visitor(app, URL, "POST", "operator")
        assert not await asyncio.to_thread(begun.acquire, timeout=0.1)
        assert second.waits
        done.set()
        assert [200, 200] == [await first.answer(), await second.answer()]
        assert 200 == await Visitor(app, URL, "POST", "away").answer()
