"""Who may do what: each role against each route."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from device.storage.decks import house_deck_text
from engine.games import GAMES
from engine.journal import Source
from engine.seats import SEATS
from tests.device import stored_games
from tests.device.analysis.rolled import complete
from tests.device.stored_games import seen
from tests.web.games.bottom_of_the_9th import contact, ninth
from tests.web.leagues import SummerLeague
from tests.web.made_up_leagues import MadeUpLeagues, edited_fields
from tests.web.phones import WHO, TestClient, begun, cookie, peek, phone, play, port, small_ball
from tests.web.roles import DOC, Row, routes, rows
from tests.web.secret_number_game import PEEK
from tests.web.stream_client import Listener
from tests.web.web_table import CODE, JPEG, Film, WebTable
from web.app import create_app
from web.security.passes import COOKIE_NAME

TOPIC = "pinch"
"""What Small Ball may leave unasked."""

BODIES: dict[str, Any] = {
    "/api/answer": {"seat": "away", "n": 3, "value": [3]},
    "/api/seat/call": {"seat": "away", "n": 8},
    "/api/seat/standing": {"seat": "away", "topic": TOPIC, "when": "never"},
    "/api/seat/wait": {"seat": "away"},
    "/api/seat/manager": {"seat": "away", "strength": "regular"},
    "/api/pace": {"pace": "brisk"},
    "/api/seat/coach": {"seat": "away", "on": True},
    "/api/seat/assistance": {"seat": "away", "on": True},
    "/api/seat/advice": {"seat": "away", "n": 3},
    "/api/seat/correction": {"seat": "away", "n": 1, "value": [4], "version": 3},
    "/api/seat/correction/agree": {"seat": "home", "n": 1, "value": [5], "version": 3},
    "/api/seat/correction/drop": {"seat": "away", "n": 1, "value": [5], "version": 3},
    "/api/seat/rematch": {"seat": "away", "on": True},
    "/api/table-rolls": {"on": True},
    "/api/photograph?n=3": {},
    "/api/reject": {"n": 3},
    "/api/hold": {"n": 3},
    "/api/undo": {"n": None, "version": 3},
    "/api/undo/preview": {"n": 1},
    "/api/preview": {"n": 1, "value": [3]},
    "/api/amend": {"n": 1, "value": [3]},
    "/api/game": {"game": "small-ball"},
    "/api/game/again": {},
    "/api/games/{number}/name": {"name": "Autumn league"},
    "/api/games/{number}/take": {},
    "/api/games/{number}/people": {"people": {"away": "ann"}},
    "/api/people": {"name": "Cleo", "colour": "blue"},
    "/api/people/{key}/merge": {"into": "ben"},
    "/api/people/{key}/forget": {},
    "/api/press": {"button": "away-ok", "action": "press"},
    "/api/simulate": {"what": "throw"},
    "/api/calibrate": {"step": "empty"},
    "/api/free": {"seat": "home"},
    "/api/sign-out": {},
    "/api/shutdown": {},
    "/api/decks": {"game": "small-ball", "title": "New"},
    "/api/decks/import": {"text": house_deck_text(GAMES["small-ball"])},
    "/api/decks/{game}/{name}/card": {"kind": "team", "place": 1, "fields": {"colour": "red", "name": "Reds"}},
    "/api/decks/{game}/{name}/card/remove": {"kind": "team", "place": 1},
    "/api/decks/{game}/{name}/title": {"title": "Ours"},
    "/api/decks/{game}/{name}/remove": {},
    "/api/leagues": {"key": "x", "title": "X", "game": "small-ball", "format": "fixtures", "teams": [], "new": True},
    "/api/leagues/import": {"league": "summer", "kind": "teams", "text": "team,person"},
    "/api/leagues/stop": {},
    "/api/leagues/{book}/delete": {},
    "/api/leagues/{book}/begin": {"fixture": 25},
    "/api/leagues/{book}/simulate": {"which": "day"},
    "/api/games/{number}/league": {"league": "summer", "away": "t0", "home": "t1"},
}
"""What is sent in each changing request, as JSON."""

EDITED = {"title": "Summer", **edited_fields(MadeUpLeagues(), "summer")}
FORMS: dict[str, dict[str, Any]] = {
    "/table": {"code": CODE},
    "/seat": {"code": CODE, "seat": "home"},
    "/seat/standing": {"topic": TOPIC, "when": "never"},
    "/in": {"who": "home"},
    "/seat/wait": {},
    "/seat/manager": {"strength": "regular"},
    "/seat/pace": {"pace": "brisk"},
    "/seat/table-rolls": {"on": "true"},
    "/seat/rematch": {"on": "true"},
    "/seat/coach": {"on": "true"},
    "/seat/assistance": {"on": "true"},
    "/leave": {},
    "/new-league": {"title": "Fall", "game": "small-ball", "teams": "Owls, Ann\nBears"},
    "/new-league/import": {"title": "Fall", "game": "small-ball", "text": "away,home\nOwls,Bears"},
    "/leagues/{book}/edit": EDITED,
    "/leagues/import": {"book": "summer", "kind": "teams", "text": "team,person"},
    "/leagues/{book}/delete": {},
    "/leagues/{book}/begin": {"fixture": "25"},
    "/leagues/{book}/simulate": {"which": "all"},
    "/leagues/stop": {"book": "summer"},
}
"""The same, as forms."""

ROWS = rows()
PUBLIC = [row.url for row in ROWS if set(row.answers.values()) == {200} and not row.path.startswith("/stream")]


def busy() -> WebTable:
    """A game in which every row of the table of roles can be tried: 1 is over, 2 put aside, and 3 on the table."""
    made = port(RESULT.clone())
    made.pictures.store_picture(1, 1, JPEG, Film())
    made.games.begin_game("small-ball", [], {"awayTeam": "red"})
    made.seats.answer_ask("away", 0, "bat", Source.PHONE)
    made.games.begin_game("small-ball", [], {"awayTeam": "red"})
    return moved(made)


def moved(made: WebTable) -> WebTable:
    """Small Ball with a roll shown, and another that is to be corrected."""
    for n, value in enumerate(("bat", [2], "bat")):
        made.seats.answer_ask("away", n, value, Source.PHONE)
    for seat in SEATS:
        made.managed.allow_coach(seat, True)
    made.access.sign_in_code = CODE
    made.corrections.propose_correction("away", 1, [5], 3)
    made.rolls.handle_throw(seen(3, began=made.time()))
    return made


def fresh() -> WebTable:
    """The same without older games: what a request changes is not seen by the next."""
    return moved(WebTable(table=stored_games.table()))


def with_a_deck() -> WebTable:
    """The same, with a deck of the owner's."""
    made = fresh()
    made.library.create_deck("small-ball", "Mine", "house")
    return made


*_, RESULT = play(begun())
"""A game that is over."""


def racing() -> WebTable:
    """A race is on: ask 8 is away's call."""
    return port(contact(ninth()))


def over() -> WebTable:
    """A game that is over."""
    made = WebTable(table=RESULT.clone())
    made.access.sign_in_code = CODE
    return made


def with_people() -> WebTable:
    """The fresh table with people."""
    made = fresh()
    made.leagues = SummerLeague()
    return made


MOMENTS: dict[str, Callable[[], WebTable]] = {
    "/api/seat/call": racing,
    "/seat/rematch": over,
    "/api/seat/rematch": over,
    "/seat/wait": small_ball,
    "/api/seat/wait": small_ball,
    "/api/games/{number}/take": busy,
    "/api/games/{number}/people": with_people,
    "/api/people": with_people,
    "/api/people/{key}/merge": with_people,
    "/api/people/{key}/forget": with_people,
}
"""The tables for what the fresh one does not allow: a call, a rematch, waiting, resuming a game, and people."""


def ask(client: TestClient, row: Row, made: WebTable, pass_: str) -> Any:
    """Send the request of a row from a phone of this role."""
    client.cookies.clear()
    headers = {"Cookie": pass_}
    if row.method == "GET":
        return client.get(row.url, headers=headers)
    if row.path not in FORMS:
        return client.post(row.url, json=BODIES[row.path], headers=headers)
    more = {"invitation": made.access.invitations.current_invitation()} if row.path == "/in" else {}
    return client.post(row.url, data=FORMS[row.path] | more, headers=headers)


@pytest.fixture(scope="module")
def room() -> Iterator[tuple[WebTable, TestClient, dict[str, str]]]:
    """A table for all requests that change nothing, a phone, and a pass for each role."""
    made = busy()
    with phone(create_app(made.port)) as client:
        yield made, client, {who: cookie(made.access, given) for who, given in WHO.items()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_each_role_at_each_route(row: Row, room: tuple[WebTable, TestClient, dict[str, str]]) -> None:
    """As docs/develop/requests.md says; a refusal gives a reason and changes nothing."""
    made, client, passes = room
    for who in WHO:
        wanted = row.wanted(who)
        if row.path.startswith("/stream"):
            assert wanted == asyncio.run(hear(client.app, row.url, passes[who])), who
        elif row.method == "POST" and wanted < 400:
            usual = with_a_deck if row.path.startswith("/api/decks") else fresh
            own = MOMENTS.get(row.path, usual)()
            with phone(create_app(own.port)) as allowed:
                assert wanted == ask(allowed, row, own, cookie(own.access, WHO[who])).status_code, who
        else:
            before = made.game.version, list(made.machine.acts)
            answer = ask(client, row, made, passes[who])
            assert wanted == answer.status_code, who
            if wanted >= 400:
                assert not row.path.startswith("/api") or {"error", "sentence"} == set(answer.json()), who
                assert before == (made.game.version, made.machine.acts), who


async def hear(app: Any, url: str, pass_: str) -> int:
    async with app.router.lifespan_context(app), Listener(app, url, pass_) as listener:
        return await listener.answered()


@pytest.mark.parametrize("row", [row for row in ROWS if row.method == "GET"], ids=lambda row: row.path)
def test_head_gets_what_get_gets(row: Row, room: tuple[WebTable, TestClient, dict[str, str]]) -> None:
    """The same status and headers, and no body. That of a stream ends at once, and nobody is listening then."""
    _, client, passes = room

    async def head(app: Any, pass_: str) -> tuple[int, bytes, int]:
        async with app.router.lifespan_context(app):
            listener = Listener(app, row.url, pass_, method="HEAD")
            await (await listener.__aenter__()).task
            return listener.status, listener.got, len(app.state.phones)

    for who in WHO:
        if row.path.startswith("/stream"):
            assert (row.wanted(who), b"", 0) == asyncio.run(head(client.app, passes[who])), who
        else:
            headers = {"Cookie": passes[who]}
            given, told = client.get(row.url, headers=headers), client.head(row.url, headers=headers)
            assert (given.status_code, given.headers, b"") == (told.status_code, told.headers, told.content), who


def test_every_route_is_in_the_table() -> None:
    listed = {row.route for row in ROWS if not row.path.startswith(("/static", "/openapi"))}
    assert routes(create_app(small_ball().port)) == listed
    assert len(ROWS) == DOC.read_text(encoding="utf-8").count("\n| `GET /") + DOC.read_text(encoding="utf-8").count(
        "\n| `POST /"
    )


def test_forged_cookie() -> None:
    with phone(create_app(small_ball().port)) as client:
        client.cookies.set(COOKIE_NAME, "eyJvcGVyYXRvciI6dHJ1ZSwic2VhdCI6bnVsbH0.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
        assert 401 == client.post("/api/undo", json={}).status_code


@pytest.mark.parametrize(("who", "source"), [("away", "phone"), ("operator", "operator")])
def test_the_table_hears_whose_answer_it_is(who: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a race the operator may settle what a seat's own phone may not."""
    made, heard = small_ball(), list[str]()
    monkeypatch.setattr(made.seats, "answer_ask", lambda seat, n, value, source: heard.append(source))
    with phone(create_app(made.port), who) as client:
        assert client.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"}).is_success
    assert [source] == heard


def test_operator_does_not_answer_a_secret() -> None:
    """Nor learn its choices by trying; the seat's phone answers it."""
    app = create_app(peek().port)
    with phone(app, "operator") as client:
        for value in ("one", "nonsense"):
            answer = client.post("/api/answer", json={"seat": "away", "n": 1, "value": value})
            assert (403, "secret") == (answer.status_code, answer.json()["error"])
            assert "three" not in answer.text
    with phone(app, "away") as client:
        assert 200 == client.post("/api/answer", json={"seat": "away", "n": 1, "value": "one"}).status_code


def test_secrets_are_not_found_by_correcting() -> None:
    """Only rolls can be corrected or previewed: a preview of a secret would reveal it."""
    made = peek(away="two")
    assert PEEK is made.game.table.game
    with phone(create_app(made.port), "operator") as client:
        for path in ("/api/preview", "/api/amend"):
            assert 409 == client.post(path, json={"n": 1, "value": "one"}).status_code


def test_no_secret_on_any_public_page() -> None:
    seen = []
    for number in ("one", "three"):
        made = peek(away=number)
        complete(made.dice)
        with phone(create_app(made.port)) as client:
            seen.append([client.get(path).text for path in PUBLIC])
    assert seen[0] == seen[1]


def test_demo_only() -> None:
    """With real devices no phone can press their buttons."""
    made = small_ball(demo=False)
    with phone(create_app(made.port), "operator") as client:
        assert 403 == client.post("/api/press", json={"button": "undo", "action": "hold"}).status_code
        assert 403 == client.post("/api/simulate", json={"what": "throw"}).status_code
        assert "Virtual table" not in client.get("/table").text
    assert [] == made.machine.acts


STEPS = ["empty", "die", "dice", "forget"]


def test_the_operator_calibrates_the_camera() -> None:
    made = small_ball()
    with phone(create_app(made.port), "operator") as client:
        for step in STEPS:
            answer = client.post("/api/calibrate", json={"step": step})
            assert (200, step) == (answer.status_code, answer.json()["step"])
            assert [True, False] == [check["ok"] for check in answer.json()["checks"]]
        assert 422 == client.post("/api/calibrate", json={"step": "dance"}).status_code
        tapped = {"step": "corners", "corners": [[0, 0.25], [1, 0], [0.5, 1]]}
        assert 200 == client.post("/api/calibrate", json=tapped).status_code
        for corner in ([2, 0], [0.1], ["0", 0]):
            assert 422 == client.post("/api/calibrate", json=tapped | {"corners": [corner]}).status_code
        assert ("calibrate", "corners", "0.00 0.25", "1.00 0.00", "0.50 1.00") == made.machine.acts.pop()
        page = client.get("/table").text
    assert [("calibrate", step) for step in STEPS] == made.machine.acts
    assert STEPS == re.findall(r'data-calibrate="(\w+)"', page)
