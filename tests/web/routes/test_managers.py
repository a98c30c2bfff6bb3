"""Computer managers on the pages and in the API: who manages a seat, its reasons, the dice thrown for it, the coach."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from engine.journal import Source
from engine.seats import SEATS, Seat
from engine.views import AudienceView, ManagerView
from managers.cast import CAST
from tests.device.stored_games import seen
from tests.web.phones import begun, phone, play, port, small_ball, text
from tests.web.web_table import WebTable
from web.app import create_app

REASON = "One run ties it, so the runner goes."


def shown(key: str, reason: str = REASON, thinking: str = "") -> ManagerView:
    """The view of a manager of the cast."""
    one = CAST[key]
    return ManagerView(one.strength, reason, None, key, one.name, one.temper, thinking)


def managed(at: str = "away", reason: str = REASON, key: str = "viola", thinking: str = "") -> WebTable:
    """Small Ball, in which the computer manages a seat; ask 1 is the choice of away."""
    found = small_ball()
    found.show(managers={at: shown(key, reason, thinking)}, manageable=True)
    return found


def to_throw() -> WebTable:
    """The same once the dice are to be thrown for away."""
    found = managed()
    found.seats.answer_ask("away", 1, "bat", Source.PHONE)
    (ask,) = found.game.view_for(None).table.asks
    assert ("roll", "away") == (ask.kind, ask.seat)
    return found


@pytest.mark.parametrize("who", [("spectator", "/"), ("home", "/seat"), ("away", "/seat"), ("spectator", "/tv")])
def test_everybody_reads_who_manages_and_why(who: tuple[str, str]) -> None:
    with phone(create_app(managed().port), who[0]) as client:
        page = text(client.get(who[1]).text)
    name = small_ball().game.view_for(None).table.scoreboard.sides["away"].name
    assert f"{name}, Viola: {REASON}" in page
    assert "Viola, computer" in page.split(REASON)[0]


@pytest.mark.parametrize("who", [("spectator", "/"), ("home", "/seat"), ("away", "/seat"), ("spectator", "/tv")])
def test_everybody_reads_what_it_is_thinking_about(who: tuple[str, str]) -> None:
    """On phones in the place of its reason, on the television in the question, so that nothing moves."""
    with phone(create_app(managed(thinking="weighs the next play").port), who[0]) as client:
        page = client.get(who[1]).text
    name = small_ball().game.view_for(None).table.scoreboard.sides["away"].name
    assert f"{name}: Viola weighs the next play …" in text(page)
    assert 1 == page.count('class="reason"')
    assert (REASON in text(page)) == (who[1] == "/tv")


def test_a_seat_is_not_a_side() -> None:
    """In a series the seats change sides: the name of the manager goes with its seat."""
    table = next(one for one in play(begun("clutch")) if one.scoreboard().plays["away"] == "home")
    clutch = port(table)
    clutch.show(managers={"away": shown("teo")})
    with phone(create_app(clutch.port)) as client:
        page = text(client.get("/").text)
    board = clutch.game.view_for(None).table.scoreboard
    assert f"{board.sides['home'].name}, Teo: {REASON}" in page
    assert f"{board.sides['away'].name}, Teo" not in page


def test_the_place_of_a_reason_is_kept() -> None:
    """Nothing moves when the first reason comes; a game between people keeps none."""
    with phone(create_app(managed(reason="").port)) as client:
        assert '<p class="reason"></p>' in client.get("/").text
        assert '<p class="reason"></p>' in client.get("/tv").text
    with phone(create_app(small_ball().port)) as client:
        assert "reason" not in client.get("/").text


def test_television_names_the_computer_before_the_game() -> None:
    found = WebTable()
    found.show(managers={"home": shown("ruth", "")})
    with phone(create_app(found.port)) as client:
        assert "Ruth Santoro, computer (all-star, bold)" in text(client.get("/tv").text)


@pytest.mark.parametrize("who", SEATS)
def test_forms_and_api_do_the_same(who: Seat) -> None:
    """The form's seat is that of the phone."""
    does: list[Callable[[AudienceView], bool]] = [
        lambda view: view.managers[who].strength == "rookie",
        lambda view: who not in view.managers,
        lambda view: view.pace == "brisk",
        lambda view: [who] == list(view.coaching),
        lambda view: view.table_rolls,
        lambda view: [who] == [seat for seat, asked in view.standing.items() if asked.assisted],
    ]
    forms: list[tuple[str, dict[str, str]]] = [
        ("/seat/manager", {"strength": "rookie"}),
        ("/seat/manager", {"strength": ""}),
        ("/seat/pace", {"pace": "brisk"}),
        ("/seat/coach", {"on": "true"}),
        ("/seat/table-rolls", {"on": "true"}),
        ("/seat/assistance", {"on": "true"}),
    ]
    bodies: list[tuple[str, dict[str, Any]]] = [
        ("/api/seat/manager", {"seat": who, "strength": "rookie"}),
        ("/api/seat/manager", {"seat": who, "strength": None}),
        ("/api/pace", {"pace": "brisk"}),
        ("/api/seat/coach", {"seat": who, "on": True}),
        ("/api/table-rolls", {"on": True}),
        ("/api/seat/assistance", {"seat": who, "on": True}),
    ]
    by_form, by_body = small_ball(), small_ball()
    with phone(create_app(by_form.port), who) as one, phone(create_app(by_body.port), who) as two:
        for (form, data), (path, body), done in zip(forms, bodies, does, strict=True):
            answer = one.post(form, data=data)
            assert (303, "/seat") == (answer.status_code, answer.headers["location"])
            assert two.post(path, json=body).is_success
            assert (True, True) == (done(by_form.game.view_for(None)), done(by_body.game.view_for(None))), path


def test_refusals_change_nothing() -> None:
    found = managed()
    version = found.game.version
    with phone(create_app(found.port), "away") as client:
        assert 422 == client.post("/api/seat/manager", json={"seat": "away", "strength": "genius"}).status_code
        assert 422 == client.post("/api/pace", json={"pace": "slow", "seat": "away"}).status_code
        assert 422 == client.post("/seat/manager", data={"strength": "genius"}).status_code
        assert 422 == client.post("/seat/coach", data={"on": "perhaps"}).status_code
    assert version == found.game.version


def pressed(page: str) -> list[str]:
    """The values of the buttons that are pressed."""
    return re.findall(r'value="([\w-]+)" aria-pressed="true"', page)


def test_a_seat_hands_over_and_takes_back() -> None:
    """Its settings say how strong the computer is and its pace; without scripts there is a button to take over."""
    with phone(create_app(managed().port), "away") as client:
        page = client.get("/seat").text
    assert ["viola", "normal", "false"] == [one for one in pressed(page) if one != "always"]
    assert re.search(r'<noscript><form method="post" action="/seat/manager">.*value="">Take over', page, re.DOTALL)
    assert 'action="/seat/coach"' not in page
    with phone(create_app(managed().port), "home") as client:
        page = client.get("/seat").text
    assert ["always", "normal", "false"] == pressed(page)
    assert "Take over" not in page
    assert "Against the computer, you can always ask the coach. Everyone sees when you ask." in text(page)


def test_between_two_people_both_allow_the_coach() -> None:
    found = small_ball()
    found.managed.allow_coach("away", True)
    for who, value, state in (("away", "false", "true"), ("home", "true", "false")):
        with phone(create_app(found.port), who) as client:
            page = client.get("/seat").text
        assert f'name="on" value="{value}" aria-pressed="{state}"' in page
        assert "In a two-player game, both must allow it. Everyone sees when you ask." in text(page)
        assert 'action="/seat/pace"' not in page


def test_a_game_without_managers_offers_none() -> None:
    found = small_ball()
    found.show(manageable=False)
    with phone(create_app(found.port), "away") as client:
        page = client.get("/seat").text
        assert "/seat/manager" not in page
        assert "/seat/assistance" not in page


def test_the_operator_sets_who_is_asked_only_what_matters() -> None:
    """For any seat; a seat sets only its own."""
    found = small_ball()
    app = create_app(found.port)
    with phone(app, "operator") as client:
        assert client.post("/api/seat/assistance", json={"seat": "home", "on": True}).is_success
    with phone(app, "away") as client:
        assert 403 == client.post("/api/seat/assistance", json={"seat": "home", "on": False}).status_code
    assert ("home",) == found.game.settings.assisted


def test_people_throw_for_the_computer() -> None:
    """The other seat's phone answers its throw, and holds or rejects what was read; nobody else's phone does."""
    found = to_throw()
    found.rolls.handle_throw(seen(3, began=found.game.clock()))
    app = create_app(found.port)
    with phone(app, "home") as client:
        assert client.post("/api/hold", json={"n": 2}).is_success
        assert client.post("/api/reject", json={"n": 2}).is_success
        assert client.post("/api/answer", json={"seat": "away", "n": 2, "value": [3]}).is_success
        twice = client.post("/api/answer", json={"seat": "away", "n": 2, "value": [3]})
        assert (409, "That was answered already.") == (twice.status_code, twice.json()["sentence"])


def test_nobody_decides_for_the_other_side() -> None:
    """Neither a choice of a managed seat, nor a throw of a seat that a person manages."""
    with phone(create_app(managed().port), "home") as client:
        assert 403 == client.post("/api/answer", json={"seat": "away", "n": 1, "value": "bat"}).status_code
    found = to_throw()
    found.show(managers={})
    with phone(create_app(found.port), "home") as client:
        assert 403 == client.post("/api/answer", json={"seat": "away", "n": 2, "value": [3]}).status_code


def test_people_are_told_to_roll_for_a_computer() -> None:
    """Who decides is not who must act; where computers alone play, nobody must."""
    found = to_throw()
    with phone(create_app(found.port), "home") as client:
        page = client.get("/seat").text
    name = found.game.view_for(None).table.scoreboard.sides["away"].name
    assert f"Roll for {name}" in text(page)
    assert "Waiting for Lanterns" not in text(page)
    found.show(managers=dict.fromkeys(SEATS, shown("viola", "")))
    with phone(create_app(found.port)) as client:
        assert f"Waiting for {name}, Viola" in text(client.get("/").text)
    # The phones of both seats throw, so both have it among their questions and not twice.
    assert 'class="awaited thrown"' in page


def test_the_coach_advises_its_seat_alone() -> None:
    found = small_ball()
    app = create_app(found.port)
    with phone(app, "away") as client:
        refused = client.post("/api/seat/advice", json={"seat": "away", "n": 1})
        assert (422, "You can ask the coach only against the computer") == (
            refused.status_code,
            refused.json()["sentence"].partition(",")[0],
        )
        for seat in SEATS:
            found.managed.allow_coach(seat, True)
        advice = client.post("/api/seat/advice", json={"seat": "away", "n": 1}).json()
    assert {"value", "words", "win", "share", "reason", "chance", "often"} == set(advice[0])
    assert ["50%", "40%"] == [one["chance"] for one in advice]
    assert [0.5, 0.4] == [one["win"] for one in advice]
    assert ("Lanterns asked the coach.",) == tuple(found.game.view_for(None).warnings)


def test_a_new_game_against_the_computer() -> None:
    found = small_ball()
    with phone(create_app(found.port), "operator") as client:
        body = {"game": "small-ball", "managers": {"home": "all-star"}, "pace": "instant"}
        assert client.post("/api/game", json=body).is_success
        assert 422 == client.post("/api/game", json={**body, "managers": {"home": "genius"}}).status_code
        assert 422 == client.post("/api/game", json={**body, "managers": {"left": "rookie"}}).status_code
        view = client.get("/api/view").json()
    manager = {"strength": "all-star", "reason": "", "again": None, "thinking": ""}
    manager |= {"key": "ida", "name": "Ida Okafor", "temper": "by the book"}
    assert ({"home": manager}, "instant") == (view["managers"], view["pace"])


@pytest.mark.parametrize("key", CAST)
def test_a_person_picks_a_manager_by_name(key: str) -> None:
    """When a game begins, on the seat's page with each portrait, and by a program; the catalog lists them all."""
    found, one = small_ball(), CAST[key]
    with phone(create_app(found.port), "operator") as client:
        assert client.post("/api/game", json={"game": "small-ball", "managers": {"home": key}}).is_success
        assert (key, one.name) == (found.game.view_for(None).managers["home"].key, one.name)
        assert [*CAST] == [member["key"] for member in client.get("/api/catalogue").json()["cast"]]
    with phone(create_app(found.port), "away") as client:
        page = client.get("/seat").text
        assert f"{one.name} {one.strength}, {one.temper}" in text(page)
        assert f"/portrait.svg?name={one.name.replace(' ', '%20')}" in page.replace("+", "%20")
        assert client.post("/api/seat/manager", json={"seat": "away", "strength": key}).is_success
    assert found.game.view_for(None).managers["away"].temper == one.temper


def test_both_sides_and_their_reasons() -> None:
    """Two computers: each has its line."""
    found = managed()
    found.show(managers={seat: shown("pippa", f"Because {seat}.") for seat in SEATS})
    with phone(create_app(found.port)) as client:
        page = text(client.get("/").text)
    assert all(f"Pippa: Because {seat}." in page for seat in SEATS)
