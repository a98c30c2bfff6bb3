"""Who may do what: each role against each route."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from fastapi import FastAPI

from device.storage.decks import house_source
from engine.games import GAMES
from tests.web.fake_table import CODE, DOT, INVITATION, FakePort, proposal
from tests.web.phones import WHO, cookie, peek, phone, small_ball
from tests.web.roles import DOC, Row, routes, rows
from tests.web.secret_number_game import PEEK
from tests.web.stream_client import Listener
from web.app import create_app
from web.security.passes import COOKIE

BODIES: dict[str, Any] = {
    "/api/answer": {"seat": "away", "n": 4, "value": 3},
    "/api/seat/call": {"seat": "away", "n": 4},
    "/api/seat/standing": {"seat": "away", "topic": "pinch", "when": "never"},
    "/api/seat/wait": {"seat": "away"},
    "/api/seat/manager": {"seat": "away", "strength": "regular"},
    "/api/pace": {"pace": "brisk"},
    "/api/seat/coach": {"seat": "away", "on": True},
    "/api/seat/advice": {"seat": "away", "n": 4},
    "/api/seat/correction": {"seat": "away", "n": 2, "value": [4], "version": 4},
    "/api/seat/correction/agree": {"seat": "home", "n": 2, "value": [5], "version": 4},
    "/api/seat/correction/drop": {"seat": "away", "n": 2, "value": [5], "version": 4},
    "/api/reject": {"n": 4},
    "/api/hold": {"n": 4},
    "/api/undo": {"n": None, "version": 4},
    "/api/undo/preview": {"n": 1},
    "/api/preview": {"n": 2, "value": 3},
    "/api/amend": {"n": 2, "value": 3},
    "/api/game": {"game": "small-ball"},
    "/api/game/again": {},
    "/api/games/{number}/name": {"name": "Autumn league"},
    "/api/games/{number}/take": {},
    "/api/press": {"button": "away-ok", "action": "press"},
    "/api/simulate": {"what": "throw"},
    "/api/calibrate": {"step": "empty"},
    "/api/free": {"seat": "home"},
    "/api/sign-out": {},
    "/api/shutdown": {},
    "/api/decks": {"game": "small-ball", "title": "New"},
    "/api/decks/import": {"text": house_source(GAMES["small-ball"])},
    "/api/decks/{game}/{name}/card": {"kind": "team", "place": 1, "fields": {"colour": "red", "name": "Reds"}},
    "/api/decks/{game}/{name}/card/remove": {"kind": "team", "place": 1},
    "/api/decks/{game}/{name}/title": {"title": "Ours"},
    "/api/decks/{game}/{name}/remove": {},
}
"""What is sent in each changing request, as JSON."""

FORMS: dict[str, dict[str, str]] = {
    "/table": {"code": CODE},
    "/seat": {"code": CODE, "seat": "home"},
    "/seat/standing": {"topic": "pinch", "when": "never"},
    "/in": {"who": "home", "invitation": INVITATION},
    "/seat/wait": {},
    "/seat/manager": {"strength": "regular"},
    "/seat/pace": {"pace": "brisk"},
    "/seat/coach": {"on": "true"},
    "/leave": {},
}
"""The same, as forms."""

ROWS = rows()
PUBLIC = [row.url for row in ROWS if set(row.answers.values()) == {200} and not row.path.startswith("/stream")]


def busy() -> FakePort:
    """A game in which every row of the table of roles can be tried."""
    port = small_ball()
    for n, value in ((1, "bat"), (2, 2), (3, "bat")):
        port.answer("away", n, value, "test")
    port.propose("away", 2, [5], 4)
    port.jpeg = port.film = DOT
    port.coached = ["away"]
    port.proofs = {2: "1-1"}
    port.proposal = proposal(4, "away", [3])
    return port


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_each_role_at_each_route(row: Row, who: str) -> None:
    """As docs/phones.md says; a refusal gives a reason and changes nothing."""
    port = busy()
    version, app = port.version, create_app(port.port)
    if row.path.startswith("/api/decks"):
        port.library.new("small-ball", "Mine", "house")
    if row.path.startswith("/stream"):
        assert row.wanted(who) == asyncio.run(hear(app, row.url, cookie(port, WHO[who])))
        return
    with phone(app, who) as client:
        if row.method == "GET":
            answer = client.get(row.url)
        elif row.path in FORMS:
            answer = client.post(row.url, data=FORMS[row.path])
        else:
            answer = client.post(row.url, json=BODIES[row.path])
    assert row.wanted(who) == answer.status_code
    if answer.status_code >= 400:
        if row.path.startswith("/api"):
            assert {"error", "sentence"} == set(answer.json())
        assert (version, []) == (port.version, port.acts)


async def hear(app: FastAPI, url: str, pass_: str) -> int:
    async with app.router.lifespan_context(app), Listener(app, url, pass_) as listener:
        return await listener.answered()


def test_every_route_is_in_the_table() -> None:
    listed = {row.route for row in ROWS if not row.path.startswith(("/static", "/openapi"))}
    assert routes(create_app(small_ball().port)) == listed
    assert len(ROWS) == DOC.read_text(encoding="utf-8").count("\n| `GET /") + DOC.read_text(encoding="utf-8").count(
        "\n| `POST /"
    )


def test_forged_cookie() -> None:
    with phone(create_app(small_ball().port)) as client:
        client.cookies.set(COOKIE, "eyJvcGVyYXRvciI6dHJ1ZSwic2VhdCI6bnVsbH0.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
        assert 401 == client.post("/api/undo", json={}).status_code


@pytest.mark.parametrize(("who", "source"), [("away", "phone"), ("operator", "operator")])
def test_the_table_hears_whose_answer_it_is(who: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a race the operator may settle what a seat's own phone may not."""
    port, heard = small_ball(), list[str]()
    monkeypatch.setattr(port, "answer", lambda seat, n, value, source: heard.append(source))
    with phone(create_app(port.port), who) as client:
        assert client.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"}).is_success
    assert [source] == heard


def test_operator_does_not_answer_a_secret() -> None:
    """Nor learn its choices by trying; the seat's phone answers it."""
    port = peek()
    app = create_app(port.port)
    with phone(app, "operator") as client:
        for value in ("one", "nonsense"):
            answer = client.post("/api/answer", json={"seat": "away", "n": 1, "value": value})
            assert (403, "secret") == (answer.status_code, answer.json()["error"])
            assert "three" not in answer.text
    with phone(app, "away") as client:
        assert 200 == client.post("/api/answer", json={"seat": "away", "n": 1, "value": "one"}).status_code


def test_secrets_are_not_found_by_correcting() -> None:
    """Only rolls can be corrected or previewed: a preview of a secret would reveal it."""
    port = peek(away="two")
    assert PEEK is port.table.game
    with phone(create_app(port.port), "operator") as client:
        for path in ("/api/preview", "/api/amend"):
            assert 409 == client.post(path, json={"n": 1, "value": "one"}).status_code


def test_no_secret_on_any_public_page() -> None:
    seen = []
    for number in ("one", "three"):
        with phone(create_app(peek(away=number).port)) as client:
            seen.append([client.get(path).text for path in PUBLIC])
    assert seen[0] == seen[1]


def test_demo_only() -> None:
    """With real devices no phone can press their buttons."""
    port = small_ball()
    port.demo = False
    with phone(create_app(port.port), "operator") as client:
        assert 403 == client.post("/api/press", json={"button": "undo", "action": "hold"}).status_code
        assert 403 == client.post("/api/simulate", json={"what": "throw"}).status_code
        assert "Virtual table" not in client.get("/table").text
    assert [] == port.acts


def test_the_operator_calibrates_the_camera() -> None:
    port = small_ball()
    with phone(create_app(port.port), "operator") as client:
        for step in ("empty", "die", "forget"):
            answer = client.post("/api/calibrate", json={"step": step})
            assert (200, step) == (answer.status_code, answer.json()["step"])
            assert [True, False] == [check["ok"] for check in answer.json()["checks"]]
        assert 422 == client.post("/api/calibrate", json={"step": "dance"}).status_code
        page = client.get("/table").text
    assert [("calibrate", step) for step in ("empty", "die", "forget")] == port.acts
    assert ["empty", "die", "forget"] == re.findall(r'data-calibrate="(\w+)"', page)
