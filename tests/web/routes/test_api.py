"""The API: stale, wrong and malformed requests, each refused in its own way and with a sentence."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.shapes import Health
from engine.games import GAMES
from engine.journal import Source
from engine.views import AudienceView, CorrectionPreview, CurrentReroll, CurrentRoll, PlayView
from tests.web.documented import same
from tests.web.games.bottom_of_the_9th import contact, ninth
from tests.web.phones import TestClient, begun, phone, play, small_ball
from tests.web.phones import port as on_table
from tests.web.web_table import WebTable, proposal
from web.app import create_app
from web.security import admission


@pytest.fixture
def port() -> WebTable:
    return small_ball()


@pytest.fixture
def app(port: WebTable) -> FastAPI:
    return create_app(port.port)


@pytest.fixture
def both(app: FastAPI) -> Iterator[TestClient]:
    with phone(app, "both") as client:
        yield client


def refusal(answer: Any) -> tuple[int, str]:
    """The status and kind of a refusal; its sentence must be one."""
    body = answer.json()
    assert {"error", "sentence"} == set(body)
    assert body["sentence"].endswith((".", "…"))
    return answer.status_code, body["error"]


def test_answered_twice(both: TestClient, port: WebTable) -> None:
    """The ask's number is the idempotency key."""
    body = {"seat": "away", "n": 1, "value": "bat"}
    assert {"ok": True} == both.post("/api/answer", json=body).json()
    version = port.game.version
    assert (409, "stale") == refusal(both.post("/api/answer", json=body))
    assert version == port.game.version


def test_calling(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call reaches the table with its ask and source; the table itself times it."""
    made, heard = on_table(contact(ninth())), list[Any]()
    call = made.race.call_in_race

    def hear(*given: Any) -> None:
        heard.append(given)
        call(*given)

    monkeypatch.setattr(made.race, "call_in_race", hear)
    race = made.game.view_for(None).race
    assert race is not None
    with phone(create_app(made.port), "away") as client:
        assert {"ok": True} == client.post("/api/seat/call", json={"seat": "away", "n": race.n["away"]}).json()
    assert [("away", race.n["away"], None, "phone")] == heard


def test_correcting(both: TestClient, port: WebTable) -> None:
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    port.seats.answer_ask("away", 2, 2, Source.PHONE)
    assert [2] == [roll["n"] for roll in both.get("/api/rolls").json()]
    seen = both.post("/api/preview", json={"n": 2, "value": 1}).json()
    same(CorrectionPreview, seen)
    assert (0, 1) == (seen["before"]["outs"], seen["after"]["outs"])
    assert 0 == both.get("/api/view").json()["table"]["scoreboard"]["outs"]
    assert {"ok": True} == both.post("/api/amend", json={"n": 2, "value": 1}).json()
    assert 1 == both.get("/api/view").json()["table"]["scoreboard"]["outs"]
    assert {"ok": True} == both.post("/api/undo", json={"n": None, "version": 4}).json()
    assert [] == both.get("/api/rolls").json()
    assert (409, "stale") == refusal(both.post("/api/amend", json={"n": 2, "value": 1}))


REFUSED: list[tuple[str, Any, int, str, str]] = [
    ("answer", {"seat": "away", "n": 1, "value": "home-run"}, 422, "illegal", "home-run"),
    ("answer", {"seat": "away", "n": 1, "value": [1]}, 422, "invalid", "choices"),
    ("answer", {"seat": "home", "n": 1, "value": "bat"}, 403, "seat", "other side"),
    ("answer", {"seat": "away", "n": 99, "value": "bat"}, 409, "stale", "That question isn't open"),
    ("answer", {"seat": "bullpen", "n": 1, "value": "bat"}, 422, "malformed", "seat"),
    ("answer", {"seat": "away", "n": "1", "value": "bat"}, 422, "malformed", "n:"),
    ("answer", {"seat": "away", "n": True, "value": "bat"}, 422, "malformed", "n:"),
    ("answer", {"seat": "away", "n": -1, "value": "bat"}, 422, "malformed", "n:"),
    ("answer", {"seat": "away", "n": 1}, 422, "malformed", "value: is missing"),
    ("answer", {"seat": "away", "n": 1, "value": "bat", "cheat": 1}, 422, "malformed", "cheat"),
    ("answer", [], 422, "malformed", "object"),
    ("seat/call", {"seat": "away", "n": 55}, 409, "stale", "race"),
    ("seat/call", {"seat": "home", "n": 1}, 403, "seat", "that seat"),
    ("seat/call", {"seat": "away"}, 422, "malformed", "n: is missing"),
    ("undo", {"n": 55, "version": 1}, 409, "stale", "55"),
    ("undo", {"n": 1}, 422, "malformed", "version: is missing"),
    ("undo", {"n": 1, "version": None}, 422, "malformed", "version"),
    ("undo", {"n": 1, "version": 0}, 409, "stale", "check again"),
    ("game", {"game": "chess"}, 422, "malformed", "chess"),
    ("game", {"game": "small-ball", "decks": ["lost"]}, 422, "malformed", "lost"),
    ("game", {"game": "small-ball", "house": {"dh": "yes"}}, 422, "house-rule", "dh"),
    ("game", {"game": "small-ball", "game_pace": "slow"}, 422, "house-rule", "quick, classic and box"),
    ("press", {"button": "launch", "action": "press"}, 422, "malformed", "button"),
]


def test_refusals(both: TestClient) -> None:
    """Each with its status, its kind, and a sentence that names the fault."""
    for path, body, status, kind, word in REFUSED:
        answer = both.post(f"/api/{path}", json=body)
        assert (status, kind) == refusal(answer), (path, body)
        assert word in answer.json()["sentence"]


BROKEN = [
    b"",
    b"{",
    b"\xff\xfe",
    b"[" * 9000,
    b'{"seat": "away", "n": 1, "value": ' + b"9" * 9000 + b"}",
    b'{"seat": "away", "n": 1, "value": NaN}',
    b'{"seat": "away", "n": 1e400, "value": 1}',
    b'{"seat": "away", "n": 1, "value": "\\ud800"}',
    b'{"seat": "\\ud800", "n": 1, "value": 1}',
    b'{"seat": "away", "n": 1, "value": 1, "\\ud800": 1}',
    b'{"game": "\\ud800"}',
    b'{"game": "small-ball", "house": {"\\ud800": "x"}}',
]


WITH_BODIES = (
    *("answer", "seat/call", "hold", "undo", "undo/preview", "amend", "preview"),
    *("game", "press", "simulate", "calibrate"),
)


@pytest.mark.parametrize("body", BROKEN, ids=range(len(BROKEN)))
def test_broken_bodies(both: TestClient, body: bytes) -> None:
    """Not JSON, or very strange JSON."""
    for path in WITH_BODIES:
        answer = both.post(f"/api/{path}", content=body, headers={"Content-Type": "application/json"})
        status, _ = refusal(answer)
        assert 400 <= status < 500, path


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON)
def test_no_value_breaks_it(both: TestClient, value: Any) -> None:
    for path in ("answer", "amend", "preview"):
        body = {"n": 1, "value": value} | ({"seat": "away"} if path == "answer" else {})
        assert 400 <= both.post(f"/api/{path}", json=body).status_code < 500


def test_large_bodies(both: TestClient) -> None:
    """Over 16 kB, with or without its length; a form gets a page."""
    large = b'{"seat": "away", "n": 1, "value": "' + b"x" * (admission.LARGE_BODY.limit * 1024) + b'"}'
    assert (413, "large") == refusal(both.post("/api/answer", content=large))
    assert (413, "large") == refusal(both.post("/api/answer", content=iter([large[:9000], large[9000:]])))
    assert 413 == both.post("/table", content=large).status_code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://testserver"}, 200),
        ({"Origin": "http://elsewhere.example"}, 403),
        ({"Origin": "http://testserver:8000"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://testserver", "Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_other_sites(both: TestClient, port: WebTable, headers: dict[str, str], status: int) -> None:
    version = port.game.version
    answer = both.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"}, headers=headers)
    assert status == answer.status_code
    assert (port.game.version > version) == (status == 200)


def test_nothing_there(both: TestClient) -> None:
    """JSON for programs, a page for people."""
    assert (404, "unknown") == refusal(both.get("/api/nothing"))
    assert (405, "method") == refusal(both.get("/api/answer"))
    answer = both.get("/nothing")
    assert 404 == answer.status_code
    assert "There’s nothing here." in answer.text
    assert (422, "malformed") == refusal(both.get("/api/view?seat=bullpen"))
    assert 404 == both.get("/docs").status_code


def test_document_tells_the_truth(both: TestClient, port: WebTable) -> None:
    """The document has every operation and its refusals, and answers match it."""
    document = both.get("/openapi.json").json()
    assert {"/stream"} | {f"/api/{name}" for name in ("view", "plays", "rolls", "catalogue", "health")} <= set(
        document["paths"]
    )
    answers = document["paths"]["/api/answer"]["post"]["responses"]
    assert {"200", "400", "401", "403", "408", "409", "413", "422", "503"} == set(answers)
    assert "HTTPValidationError" not in document["components"]["schemas"]
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    port.show(proposal=proposal(2, "away", [3], sure=False, doubt="cocked", advice="Lay it flat.", seconds=None))
    same(AudienceView, both.get("/api/view").json())
    port.seats.answer_ask("away", 2, 2, Source.PHONE)
    same(list[CurrentRoll | CurrentReroll], both.get("/api/rolls").json())
    same(list[PlayView], both.get("/api/plays").json())
    same(list[Health], both.get("/api/health").json())


@pytest.mark.parametrize("key", GAMES)
def test_every_view_is_as_documented(key: str) -> None:
    """No field is missing, undocumented or of another type."""
    table = begun(key)
    made = on_table(table)
    with phone(create_app(made.port), "home") as client:
        for i, _ in enumerate(play(table, 4, 60)):
            if i % 3 == 0:
                made.catch_up()
                same(AudienceView, client.get("/api/view?seat=home").json())


def test_fields_are_described() -> None:
    """By the docstring below a field."""
    shapes = create_app(small_ball().port).openapi()["components"]["schemas"]
    assert shapes["AudienceView"]["properties"]["notice"]["description"].endswith(".")
    assert "The code on the display, to be read out." == shapes["Presence"]["properties"]["code"]["description"]


def test_the_document_is_made_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a second, and many on a small Pi: the first to ask for it stops no phone."""
    app, threads = create_app(small_ball().port), list[str]()

    def openapi() -> dict[str, str]:
        threads.append(threading.current_thread().name)
        return {}

    monkeypatch.setattr(app, "openapi", openapi)
    with phone(app) as client:
        assert {} == client.get("/openapi.json").json()
    assert ["AnyIO worker thread"] == threads
