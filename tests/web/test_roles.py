"""Who may do what: each role against each route."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi.routing import APIRoute

from tests.web.fake import DOT
from tests.web.peek import PEEK
from tests.web.phones import WHO, peek, phone, small_ball
from web.app import create_app
from web.auth import COOKIE

PUBLIC = [
    "/",
    "/plays",
    "/overlay",
    "/seat",
    "/table",
    "/join.svg",
    "/evidence/1-1.jpg",
    "/games",
    "/games/1",
    "/games/1.svg",
    "/games/1.jsonl",
    "/api/games/1/replay",
    "/api/view",
    "/api/plays",
    "/api/rolls",
    "/api/catalogue",
]
PUBLIC += ["/api/health", "/openapi.json", "/static/live.js", "/static/dugout.css"]

EVERYONE = dict.fromkeys(WHO, 200)
OPERATORS = {"spectator": 401, "away": 403, "home": 403, "operator": 200, "both": 200}

READS = dict.fromkeys(PUBLIC, EVERYONE) | {
    "/api/view?seat=away": {"spectator": 401, "away": 200, "home": 403, "operator": 403, "both": 200},
    "/api/view?seat=home": {"spectator": 401, "away": 403, "home": 200, "operator": 403, "both": 403},
    "/camera.jpg": OPERATORS,
    "/board.jpg": OPERATORS,
    "/glass.png": OPERATORS,
}

WRITES: dict[str, tuple[Any, dict[str, int]]] = {
    "/api/answer": (
        {"seat": "away", "n": 2, "value": 3},
        {"spectator": 401, "away": 200, "home": 403, "operator": 200, "both": 200},
    ),
    "/api/seat/call": (
        {"seat": "away", "n": 2},
        {"spectator": 401, "away": 200, "home": 403, "operator": 403, "both": 200},
    ),
    "/api/reject": (
        {"n": 2},
        {"spectator": 401, "away": 200, "home": 403, "operator": 200, "both": 200},
    ),
    "/api/undo": ({"n": None}, OPERATORS),
    "/api/preview": ({"n": 1, "value": 3}, OPERATORS),
    "/api/amend": ({"n": 1, "value": 3}, OPERATORS),
    "/api/game": ({"game": "small-ball"}, OPERATORS),
    "/api/press": ({"button": "away-ok", "action": "press"}, OPERATORS),
    "/api/simulate": ({"what": "throw"}, OPERATORS),
    "/api/calibrate": ({"step": "empty"}, OPERATORS),
}
FORMS = {"/table", "/seat", "/leave"}


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("path", READS)
def test_reading(path: str, who: str) -> None:
    """Anyone reads what is public; what is a seat's or the operator's only they do."""
    port = small_ball()
    port.picture, port.proofs = DOT, {1: "1-1"}
    with phone(create_app(port), who) as client:
        assert READS[path][who] == client.get(path).status_code


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("path", WRITES)
def test_writing(path: str, who: str) -> None:
    """A seat answers its own asks, the operator does the rest, a spectator nothing; a refusal changes nothing."""
    port = small_ball()
    port.answer("away", 1, "bat", "test")
    port.amend, port.preview = lambda n, value: None, lambda n, value: {}  # type: ignore[method-assign]
    port.rolls = lambda: [{"n": 1}]  # type: ignore[method-assign]
    port.proposal = {
        "n": 2,
        "seat": "away",
        "faces": [3],
        "words": "3",
        "sure": True,
        "doubt": None,
        "advice": None,
        "source": "camera",
        "seconds": 1.0,
    }
    version = port.version
    body, wanted = WRITES[path]
    with phone(create_app(port), who) as client:
        answer = client.post(path, json=body)
    assert wanted[who] == answer.status_code
    if wanted[who] != 200:
        assert {"error", "sentence"} == set(answer.json())
        assert (version, []) == (port.version, port.acts)


def test_every_route_is_in_these_tables() -> None:
    """A new route must say here who may use it."""
    app = create_app(small_ball())
    routes = [route for router in (app.router,) for route in _flat(router.routes)]
    reads = {route.path for route in routes if "GET" in (route.methods or ())}
    writes = {route.path for route in routes if "POST" in (route.methods or ())}
    listed = {path.partition("?")[0] for path in READS if not path.startswith(("/static", "/openapi"))} | {"/stream"}
    assert {path.replace("1-1", "{name}").replace("games/1", "games/{number}") for path in listed} == reads
    assert set(WRITES) | FORMS == writes


def _flat(routes: Any) -> list[APIRoute]:
    found = []
    for route in routes:
        if isinstance(route, APIRoute):
            found.append(route)
        elif hasattr(route, "original_router"):
            found += _flat(route.original_router.routes)
    return found


def test_forged_cookie() -> None:
    """A cookie that was not signed here opens nothing."""
    with phone(create_app(small_ball())) as client:
        client.cookies.set(COOKIE, "eyJvcGVyYXRvciI6dHJ1ZSwic2VhdCI6bnVsbH0.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
        assert 401 == client.post("/api/undo", json={}).status_code


@pytest.mark.parametrize(("who", "source"), [("away", "phone"), ("operator", "operator")])
def test_the_table_hears_whose_answer_it_is(who: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a race the operator may end an argument that a seat's own phone may not."""
    port, heard = small_ball(), list[str]()
    monkeypatch.setattr(port, "answer", lambda seat, n, value, source: heard.append(source))
    with phone(create_app(port), who) as client:
        assert client.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"}).is_success
    assert [source] == heard


def test_operator_does_not_answer_a_secret() -> None:
    """The operator can neither answer a secret nor learn its choices by trying; the seat's phone answers it."""
    port = peek()
    app = create_app(port)
    with phone(app, "operator") as client:
        for value in ("one", "nonsense"):
            answer = client.post("/api/answer", json={"seat": "away", "n": 1, "value": value})
            assert (403, "secret") == (answer.status_code, answer.json()["error"])
            assert "three" not in answer.text
    with phone(app, "away") as client:
        assert 200 == client.post("/api/answer", json={"seat": "away", "n": 1, "value": "one"}).status_code


def test_secrets_are_not_found_by_correcting() -> None:
    """Only rolls can be corrected or tried: a preview of a secret would tell what it was."""
    port = peek(away="two")
    assert PEEK is port.table.game
    with phone(create_app(port), "operator") as client:
        for path in ("/api/preview", "/api/amend"):
            assert 409 == client.post(path, json={"n": 1, "value": "one"}).status_code


def test_no_secret_on_any_public_page() -> None:
    """Pages and API answers for everyone are the same whatever a seat has answered in secret."""
    seen = []
    for number in ("one", "three"):
        with phone(create_app(peek(away=number))) as client:
            seen.append([client.get(path).text for path in PUBLIC])
    assert seen[0] == seen[1]


def test_demo_only() -> None:
    """Where the devices are real, no phone can press their buttons."""
    port = small_ball()
    port.demo = False
    with phone(create_app(port), "operator") as client:
        assert 403 == client.post("/api/press", json={"button": "undo", "action": "hold"}).status_code
        assert 403 == client.post("/api/simulate", json={"what": "throw"}).status_code
        assert "Virtual table" not in client.get("/table").text
    assert [] == port.acts


def test_the_operator_calibrates_the_camera() -> None:
    """Each step goes to the table and comes back with its checks; any other step is refused."""
    port = small_ball()
    with phone(create_app(port), "operator") as client:
        for step in ("empty", "die", "forget"):
            answer = client.post("/api/calibrate", json={"step": step})
            assert (200, step) == (answer.status_code, answer.json()["step"])
            assert [True, False] == [check["ok"] for check in answer.json()["checks"]]
        assert 422 == client.post("/api/calibrate", json={"step": "dance"}).status_code
        page = client.get("/table").text
    assert [("calibrate", step) for step in ("empty", "die", "forget")] == port.acts
    assert ["empty", "die", "forget"] == re.findall(r'data-calibrate="(\w+)"', page)
