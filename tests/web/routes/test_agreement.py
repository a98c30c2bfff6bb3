"""A correction that the seats agree on, over the API and on every page."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI

from engine.games import GAMES
from engine.journal import Source
from engine.views import AudienceView, CorrectionPreview
from tests.web.documented import same
from tests.web.phones import TestClient, over, peek, phone, small_ball, text
from tests.web.web_table import WebTable
from web.app import create_app

PROPOSE = "/api/seat/correction"


@pytest.fixture
def port() -> WebTable:
    """Roll 4 showed 6, and away is asked for the next batter: version 5."""
    port = small_ball()
    for n, value in ((1, "bat"), (2, 2), (3, "bat"), (4, 6)):
        port.seats.answer_ask("away", n, value, Source.PHONE)
    return port


@pytest.fixture
def app(port: WebTable) -> FastAPI:
    return create_app(port.port)


def body(seat: str, value: Any = (5,), n: int = 4, version: int = 5) -> dict[str, Any]:
    return {"seat": seat, "n": n, "value": list(value), "version": version}


def propose(client: TestClient, seat: str, value: Any = (5,)) -> None:
    assert {"ok": True} == client.post(PROPOSE, json=body(seat, value)).json()


def value(client: TestClient) -> Any:
    return client.get("/api/rolls?limit=1").json()[0]["value"]


def test_one_proposes_and_the_other_agrees(app: FastAPI, port: WebTable) -> None:
    """In one request each. Until then everybody reads who proposes what, and the roll stays."""
    with phone(app, "home") as home, phone(app, "away") as away, phone(app) as guest, phone(app, "operator") as boss:
        propose(home, "home")
        assert [6] == value(guest)
        for client, where in ((guest, "/api/view"), (home, "/api/view?seat=home"), (away, "/api/view?seat=away")):
            view = same(AudienceView, client.get(where).json())
            assert ("home", "away", (5,), False) == (
                view.correction.seat,
                view.correction.agrees,
                tuple(view.correction.value),
                view.correction.empty,
            )
        for client, path in ((guest, "/"), (guest, "/tv"), (boss, "/table")):
            assert "Owls: the last roll was 5, not 6. Lanterns must agree." in text(client.get(path).text)
        assert {"ok": True} == away.post(f"{PROPOSE}/agree", json=body("away")).json()
        assert ([5], None) == (value(guest), guest.get("/api/view").json()["correction"])
        assert "must agree" not in text(guest.get("/").text)


def test_everybody_reads_what_it_would_change(app: FastAPI) -> None:
    """As the operator's preview says."""
    with phone(app, "home") as home, phone(app) as guest, phone(app, "operator") as operator:
        assert same(CorrectionPreview | None, guest.get("/api/correction").json()) is None
        propose(home, "home")
        found = guest.get("/api/correction").json()
        same(CorrectionPreview, found)
        assert operator.post("/api/preview", json={"n": 4, "value": [5]}).json() == found


def test_the_other_side_refuses_and_the_proposer_takes_back(app: FastAPI, port: WebTable) -> None:
    """Each with its own seat. The operator may too."""
    ends: list[tuple[str, str]] = [("away", "away"), ("home", "home"), ("operator", "home")]
    for who, seat in ends:
        with phone(app, "home") as home, phone(app, who) as client:
            propose(home, "home")
            assert 200 == client.post(f"{PROPOSE}/drop", json=body(seat)).status_code
            assert (None, [6]) == (client.get("/api/view").json()["correction"], value(client))
            assert 409 == client.post(f"{PROPOSE}/drop", json=body(seat)).status_code


def test_the_operator_agrees_for_a_seat_without_a_phone(app: FastAPI, port: WebTable) -> None:
    """Once somebody sits there, only that phone may."""
    with phone(app, "home") as home, phone(app, "operator") as operator:
        propose(home, "home")
        assert home.get("/api/view").json()["correction"]["empty"]
        with phone(app, "away") as away:
            refused = operator.post(f"{PROPOSE}/agree", json=body("away"))
            assert (403, "A phone holds that seat. Only that phone can agree.") == (
                refused.status_code,
                refused.json()["sentence"],
            )
            away.post("/leave")
        assert operator.post(f"{PROPOSE}/agree", json=body("away")).is_success
    assert [5] == list(port.record.current_rolls(1)[0].value)


def test_an_older_version_of_the_correction(app: FastAPI) -> None:
    """The proposer changed it meanwhile: agreeing to the old one says what it is now."""
    with phone(app, "home") as home, phone(app, "away") as away:
        propose(home, "home")
        propose(home, "home", [4])
        late = away.post(f"{PROPOSE}/agree", json=body("away"))
        assert (409, "The correction is now 4: check it again.") == (late.status_code, late.json()["sentence"])
        assert away.post(f"{PROPOSE}/agree", json=body("away", [4])).is_success
        assert 409 == away.post(f"{PROPOSE}/agree", json=body("away", [4])).status_code
        assert [4] == value(away)


@pytest.mark.parametrize("seat", ["away", "home"])
def test_the_seat_has_a_button_for_it(app: FastAPI, seat: str) -> None:
    """Beside the last roll; nobody else has it, nor a seat before the first roll."""
    button = "Wrong? Enter what the die shows"
    with phone(app, seat) as client, phone(app) as guest, phone(app, "operator") as operator:
        assert button in text(client.get("/seat").text)
        assert button not in guest.get("/").text + operator.get("/table").text
    with phone(create_app(small_ball().port), seat) as client:
        assert button not in client.get("/seat").text


@pytest.mark.parametrize("key", GAMES)
def test_after_the_end_of_any_game(key: str) -> None:
    """The last roll can still be corrected, with the shape that is documented."""
    port = over(key, 6)
    plays = port.game.table.scoreboard().plays
    seat = next(iter(plays))
    with phone(create_app(port.port), seat) as client:
        (roll,) = client.get("/api/rolls?limit=1").json()
        assert "roll" == roll["kind"]
        right = [next(face for face in roll["dice"][0]["faces"] if face != roll["value"][0]), *roll["value"][1:]]
        sent = body(seat, right, roll["n"], len(port.game.table.journal))
        assert client.post(PROPOSE, json=sent).is_success
        view = same(AudienceView, client.get("/api/view").json())
        assert (roll["n"], tuple(right)) == (view.correction.n, tuple(view.correction.value))
        assert (len(plays) == 1) == (view.correction.agrees == seat)
        same(CorrectionPreview, client.get("/api/correction").json())


def test_a_secret_that_follows_the_roll_stays_one() -> None:
    """Whatever away chose in secret after the roll, proposing shows the same to everybody else."""
    seen: list[Any] = []
    for number in ("one", "three"):
        port = peek(away=number)
        version = len(port.game.table.journal)
        with phone(create_app(port.port), "home") as home, phone(create_app(port.port)) as guest:
            told = [home.post(PROPOSE, json=body("home", [face], 0, version)).json() for face in (5, 6)]
            told += [home.get("/api/view?seat=home").json(), guest.get("/api/view").json()]
            told += [guest.get("/api/correction").json(), guest.get("/").text, guest.get("/tv").text]
            told += [home.post(PROPOSE, json=body("home", ["one"], 1, version)).json()]
        seen.append(told)
    assert seen[0] == seen[1]
    assert seen[0][2]["correction"]
    assert "stale" == seen[0][-1]["error"]
