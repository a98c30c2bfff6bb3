"""What the seats are asked: on every page, in the API, and in the forms of a seat's page."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from device.storage.store import Store
from device.table.session import GameSession
from engine.games import GAMES
from engine.seats import SEATS, Seat
from engine.views import AutomaticAnswerView, SeatSettingsView, TopicView
from tests.device.stored_games import Clock
from tests.engine.sample_games import standing_game
from tests.web.phones import phone, small_ball, text
from tests.web.web_table import WebTable, parts
from web.app import create_app

TOPICS = [TopicView("pinch", "Pinch hitters", "none", "never"), TopicView("runs", "Extra bases", "hold", "always")]


def standing() -> WebTable:
    """A game in which away is not asked about pinch hitters, and something was answered for it."""
    port = small_ball()
    usual = [replace(topic, when="always") for topic in TOPICS]
    port.show(standing={"away": SeatSettingsView(TOPICS, False), "home": SeatSettingsView(usual, False)})
    port.show(automatic=[AutomaticAnswerView(7, "away", "none"), AutomaticAnswerView(9, "away", "none")])
    port.show(waits=["away"])
    return port


@pytest.mark.parametrize(
    ("who", "path"), [("spectator", "/"), ("operator", "/table"), ("away", "/seat"), ("home", "/seat")]
)
def test_everybody_sees_what_a_seat_is_not_asked(who: str, path: str) -> None:
    with phone(create_app(standing().port), who) as client:
        page = text(client.get(path).text)
    assert "Pinch hitters: never" in page
    assert "Extra bases: " not in page


def test_the_seat_sets_and_waits() -> None:
    """Its page has a button for each time, pressed as it is set; what was answered for it, once; and Wait."""
    with phone(create_app(standing().port), "away") as client:
        page = client.get("/seat").text
    assert "Passed for you: none<" in page
    pressed = re.findall(r'value="(\w+)" aria-pressed="true"', page)
    assert ["never", "always"] == pressed
    assert '<input type="hidden" name="n" value="7">' in page
    with phone(create_app(standing().port), "home") as client:
        page = client.get("/seat").text
    assert "Passed for you" not in page
    assert 'action="/seat/wait"' not in page


def test_the_coach_says_what_it_answered_and_asks_instead() -> None:
    """One line with the number of questions, and one button. Everybody sees that the seat is asked less."""
    port = standing()
    port.show(automatic=[AutomaticAnswerView(n, "away", words, True) for n, words in ((7, "no cards"), (9, "bat"))])
    port.show(standing={"away": SeatSettingsView(TOPICS, False, True)})
    app = create_app(port.port)
    with phone(app, "away") as client:
        page = client.get("/seat").text
    assert "Coach: no cards, bat (2 questions)<" in page
    assert re.search(r'name="n" value="7">\s*<button class="button quiet wait">Ask me instead<', page)
    assert 'name="on" value="false" aria-pressed="true">Only what matters<' in page
    with phone(app, "home") as client:
        assert "Asked only what matters" in text(client.get("/seat").text)


def test_a_seat_that_waits_is_told_so() -> None:
    port = standing()
    port.show(standing={"away": SeatSettingsView(TOPICS, True)})
    with phone(create_app(port.port), "away") as client:
        page = client.get("/seat").text
    assert "You’ll get every question until the next roll." in page
    assert 'action="/seat/wait"' not in page


@pytest.mark.parametrize("who", SEATS)
def test_forms_and_api_do_the_same(who: Seat) -> None:
    """The form's seat is that of the phone."""
    by_form, by_body = small_ball(), small_ball()
    chosen = {"topic": by_form.game.view_for(None).standing[who].topics[0].key, "when": "never"}
    with phone(create_app(by_form.port), who) as client:
        for answer in (client.post("/seat/standing", data=chosen), client.post("/seat/wait", data={})):
            assert (303, "/seat") == (answer.status_code, answer.headers["location"])
    with phone(create_app(by_body.port), who) as client:
        assert client.post("/api/seat/standing", json={"seat": who, **chosen}).is_success
        assert client.post("/api/seat/wait", json={"seat": who}).is_success
    for made in (by_form, by_body):
        found = made.game.view_for(None).standing[who]
        assert ("never", True) == (found.topics[0].when, found.waiting)


def test_refusals() -> None:
    port = small_ball()
    version = port.game.version
    with phone(create_app(port.port), "away") as client:
        weather = {"topic": "weather", "when": "never"}
        answer = client.post("/api/seat/standing", json={"seat": "away", **weather})
        assert 422 == answer.status_code
        assert answer.json()["sentence"] in unescape(client.post("/seat/standing", data=weather).text)
        sometimes = {"seat": "away", "topic": "pinch", "when": "sometimes"}
        assert 422 == client.post("/api/seat/standing", json=sometimes).status_code
        assert 422 == client.post("/seat/wait", data={"n": "-1"}).status_code
    assert version == port.game.version


def test_the_real_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret that stands is on its own seat's page and view, and nowhere else."""
    monkeypatch.setitem(GAMES, "standing", standing_game.GAME)
    store = Store(tmp_path / "journal.db")
    app = create_app(replace(WebTable().port, **parts(GameSession(store, standing_game.new, clock=Clock()))))
    shown: dict[str, Any] = {}
    with phone(app, "home") as client:
        assert client.post("/api/seat/standing", json={"seat": "home", "topic": "cards", "when": "never"}).is_success
        assert "Passed for you: no cards" in client.get("/seat").text
        shown["home"] = client.get("/api/view?seat=home").json()["automatic"]
    for who, path in (("spectator", "/api/view"), ("away", "/api/view?seat=away")):
        with phone(app, who) as client:
            shown[who] = client.get(path).json()
    assert [{"n": 0, "seat": "home", "words": "no cards", "coach": False}] == shown["home"]
    for view in (shown["spectator"], shown["away"]):
        assert [] == view["automatic"]
        assert ["home"] == view["waits"]
        assert "never" == view["standing"]["home"]["topics"][0]["when"]
        assert '"pass"' not in json.dumps(view)
    with phone(app, "home") as client:
        assert client.post("/api/seat/wait", json={"seat": "home", "n": 0}).is_success
        assert "get every question" in client.get("/seat").text
    store.close()
