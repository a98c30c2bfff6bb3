"""Putting right, over the API: what a shown roll may be, what a correction and an undo would change, and who may."""

from __future__ import annotations

import re
from typing import Any

import pytest

from device.table import play_log
from engine.games import GAMES
from engine.journal import Source
from engine.views import AnswerView, AudienceView, CurrentRoll, UndoPreview
from tests.device.stored_games import seen
from tests.web.documented import same
from tests.web.phones import TestClient, over, peek, phone, small_ball
from tests.web.secret_number_game import PEEK
from tests.web.web_table import proposal
from web.app import create_app


def test_the_last_roll_alone() -> None:
    """`limit=1` suffices to draw it, with its likely alternatives."""
    port = small_ball()
    for n, value in ((1, "bat"), (2, 2), (3, "bat"), (4, 5)):
        port.seats.answer_ask("away", n, value, Source.PHONE)
    with phone(create_app(port.port)) as client:
        (roll,) = same(list[CurrentRoll], client.get("/api/rolls?limit=1").json())
        assert (4, [5], [[1, 3, 4, 6, 2]], 0) == (roll.n, roll.value, roll.likely, roll.after)
        assert [4, 2] == [one["n"] for one in client.get("/api/rolls").json()]
        assert 422 == client.get("/api/rolls?limit=0").status_code


def test_a_shown_roll_waits_for_who_puts_it_right() -> None:
    """Its seat and the operator hold it; another number is stale."""
    port = small_ball()
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    app = create_app(port.port)
    for who in ("away", "operator"):
        port.rolls.handle_throw(seen(3, began=port.game.clock()))
        with phone(app, who) as client:
            assert client.post("/api/hold", json={"n": 2}).is_success
            shown = port.game.view_for(None).proposal
            assert shown is not None
            assert shown.seconds is None
            same(AudienceView, client.get("/api/view").json())
    with phone(app, "away") as client:
        assert 409 == client.post("/api/hold", json={"n": 1}).status_code


@pytest.mark.parametrize("key", GAMES)
def test_back_to_any_answer_after_the_end(key: str) -> None:
    """The operator sees the answers, previews taking one back, and does it: all pages are in play again."""
    app = create_app(over(key, 6).port)
    with phone(app, "operator") as client:
        assert client.get("/api/view").json()["table"]["outcome"]
        assert "<h2>Box score" in client.get("/").text
        listed = same(list[AnswerView], client.get("/api/answers").json())
        one = listed[len(listed) // 3]
        promised = client.post("/api/undo/preview", json={"n": one.n}).json()
        same(UndoPreview, promised)
        assert client.get("/api/view").json()["table"]["outcome"]
        assert {"ok": True} == client.post("/api/undo", json={"n": one.n, "version": promised["version"]}).json()
        table = client.get("/api/view").json()["table"]
        assert (None, promised["after"]) == (table["outcome"], table["scoreboard"])
        assert min(promised["dropped"]) in [ask["n"] for ask in table["asks"]]
        assert "<h2>Box score" not in client.get("/").text
        assert one.n not in [left["n"] for left in client.get("/api/answers").json()]
        assert 409 == client.post("/api/undo/preview", json={"n": one.n}).status_code


def test_what_was_looked_at_is_what_changes() -> None:
    """A request with the version of its preview is stale once the game has gone on."""
    port = small_ball()
    for n, value in ((1, "bat"), (2, 2), (3, "bat")):
        port.seats.answer_ask("away", n, value, Source.PHONE)
    with phone(create_app(port.port), "operator") as client:
        version = client.get("/api/view").json()["table"]["version"]
        assert version == client.post("/api/undo/preview", json={"n": 2}).json()["version"]
        assert version == client.post("/api/preview", json={"n": 2, "value": 5}).json()["version"]
        port.seats.answer_ask("away", 4, 5, Source.PHONE)
        asked: list[tuple[str, dict[str, Any]]] = [("undo", {"n": 2}), ("undo", {}), ("amend", {"n": 2, "value": 5})]
        for what, given in asked:
            late = client.post(f"/api/{what}", json=given | {"version": version})
            assert (409, "stale") == (late.status_code, late.json()["error"])
            assert "The game has moved on: check again." == late.json()["sentence"]
        assert version + 1 == len(port.game.table.journal)
        for step, (what, given) in enumerate(reversed(asked), version + 1):
            assert 200 == client.post(f"/api/{what}", json=given | {"version": step}).status_code
            assert step + 1 == len(port.game.table.journal)


def test_why_an_answer_comes_too_late() -> None:
    """The reason for the operator is the same as for a seat."""
    port = small_ball()
    app = create_app(port.port)
    port.seats.answer_ask("away", 1, "bat", Source.PHONE)
    for n, words in ((1, "That was answered already."), (7, "That question is no longer open.")):
        with phone(app, "operator") as client:
            late = client.post("/api/answer", json={"seat": "away", "n": n, "value": "bat"})
            assert (409, words) == (late.status_code, late.json()["sentence"])


def test_what_was_taken_back_keeps_secrets() -> None:
    table = peek(away="one").game.table
    assert "Taken back: a secret." == play_log.undo_notice_text(table, table.answers[1:], table.hidden_numbers())
    assert "Taken back: the roll 4, and 1 more answer." == play_log.undo_notice_text(
        table, table.answers, table.hidden_numbers()
    )


def test_the_list_keeps_secrets() -> None:
    """A secret's value is not in the list, nor in its preview."""
    seen: list[Any] = []
    for number in ("one", "three"):
        port = peek(away=number)
        assert PEEK is port.game.table.game
        with phone(create_app(port.port), "operator") as client:
            seen.append([client.get("/api/answers").json(), client.post("/api/undo/preview", json={"n": 1}).json()])
    assert seen[0] == seen[1]
    assert [None, "4"] == [one["words"] for one in seen[0][0]]


def test_the_operators_page_has_the_place_for_it() -> None:
    """Corrections come right after the asks; a spectator's page loads none of it."""
    app = create_app(small_ball().port)
    with phone(app, "operator") as client:
        html = client.get("/table").text
        assert html.index('id="asks"') < html.index('id="last"') < html.index('id="correct"') < html.index('id="back"')
        assert "dice.css" in html
        assert weight(client, "/") < 60_000


def weight(client: TestClient, path: str) -> int:
    """Bytes that a browser loads at once for a page; modules with the modules they import, but no disabled sheets."""
    html = client.get(path).text
    assert "dice." not in html
    found, heavy = set[str](), len(html)
    at_once = re.sub('<link rel="(?:apple-touch-icon|manifest)"[^>]+>|<link [^>]* disabled>', "", html)
    todo = re.findall(r'(?:src|href)="(/static/[^"]+|/join.svg)"', at_once)
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            text = client.get(one).text
            heavy += len(text)
            todo += re.findall(r'from "(/static/[^"]+)"', text)
    assert not {name for name in found if name.endswith(("dice.js", "correct.js", "roll.js", "asks.js"))}
    return heavy


@pytest.mark.parametrize("act", ["reject", "hold"])
def test_what_comes_to_be_shown_meanwhile_is_not_touched(act: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Away may drop its own roll, but not the other seat's that is shown by the time it asks."""
    port = small_ball()
    port.show(proposal=proposal(2, "away", [3]))
    view = port.game.view_for

    def then_another(seat: Any) -> Any:
        seen = view(seat)
        port.show(proposal=proposal(3, "home", [3]))
        return seen

    with phone(create_app(port.port), "away") as client:
        monkeypatch.setattr(port.game, "view_for", then_another)
        assert 409 == client.post(f"/api/{act}", json={"n": 3}).status_code
    shown = view(None).proposal
    assert shown is not None
    assert ("home", 1.0) == (shown.seat, shown.seconds)
