"""What a phone noted or began before its rights were taken away: codes, invitations, requests on their way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from device.app import App
from device.settings import parse_settings
from device.storage.store import StoreError
from engine.journal import Source
from tests.device.process import SETTINGS
from tests.device.stored_games import table
from tests.web.phones import TestClient, phone
from web.app import create_app

SIGNED_OUT = "Phones were just signed out"


class Room:
    """A real table with its pages, and the operator's phone."""

    def __init__(self, app: App, web: FastAPI, operator: TestClient) -> None:
        self.app, self.web, self.operator = app, web, operator

    @property
    def invitation(self) -> str:
        """What the display shows now."""
        return self.app.access.invitations.current_invitation()

    def enter(self, client: TestClient, who: str, invitation: str) -> int:
        return int(client.post("/in", data={"who": who, "invitation": invitation}).status_code)

    def sign_out(self, **given: str) -> None:
        assert 200 == self.operator.post("/api/sign-out", json=given).status_code

    def operators(self) -> int:
        """How many phones run the table."""
        return sum(one.held.operator for one in self.app.access.pass_list.valid_passes())


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    app = App(
        parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path}), demo=False
    )
    try:
        web = create_app(replace(app.web_port(), own_names=("testserver",)))
        with phone(web, "operator") as operator:
            yield Room(app, web, operator)
    finally:
        app.stop()


def _free(room: Room) -> None:
    assert 200 == room.operator.post("/api/free", json={"seat": "home"}).status_code


def _sign_one_out(room: Room) -> None:
    with phone(room.web) as other:
        assert 303 == other.post("/seat", data={"seat": "home", "code": room.app.access.sign_in_code}).status_code
        noted = next(one.held.id for one in room.app.access.pass_list.valid_passes() if one.held.seat == "home")
    room.sign_out(id=noted)


def _sign_all_out(room: Room) -> None:
    room.sign_out()


def _new_game(room: Room) -> None:
    room.app.games.begin_rematch()


ENDS: list[Callable[[Room], None]] = [_free, _sign_one_out, _sign_all_out, _new_game]
"""Whatever takes rights away, or changes the code."""


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__.strip("_"))
def test_a_noted_invitation_ends_with_the_rights(room: Room, end: Callable[[Room], None]) -> None:
    """A phone that had to go does not come back as the operator; the display shows a fresh one at once."""
    noted, version = room.invitation, room.app.session.game.version
    end(room)
    assert version != room.app.session.game.version
    fresh = room.invitation
    assert noted != fresh
    with phone(room.web) as thief, phone(room.web) as guest:
        assert [403, 403] == [room.enter(thief, who, noted) for who in ("operator", "home")]
        assert 303 == room.enter(guest, "home", fresh)


@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__.strip("_"))
def test_it_ends_though_the_disk_is_full(room: Room, end: Callable[[Room], None], monkeypatch: Any) -> None:
    """So does the code, for as long as the table is on, where phones were signed out."""
    noted, code = room.invitation, room.app.access.sign_in_code

    def full(values: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(room.app._store, "save_values", full)
        if end is _free:
            assert 503 == room.operator.post("/api/free", json={"seat": "home"}).status_code
        elif end is _sign_one_out:
            room.sign_out(id="nobody")
        else:
            end(room)
    with phone(room.web) as thief:
        assert 403 == room.enter(thief, "operator", noted)
        if end is not _free:
            assert 403 == thief.post("/table", data={"code": code}).status_code


def test_guessing_ends_no_invitation(room: Room) -> None:
    """Nor does it when the code gets longer for it: this way in stays open."""
    noted, code = room.invitation, room.app.access.sign_in_code
    room.app.access.lengthen_code()
    assert code != room.app.access.sign_in_code
    with phone(room.web) as guest:
        assert 303 == room.enter(guest, "home", noted)


def test_leaving_ends_no_invitation(room: Room) -> None:
    """Anybody may leave, as often as they like."""
    noted = room.invitation
    with phone(room.web) as stranger, phone(room.web) as guest:
        for _ in range(3):
            stranger.post("/leave")
        assert 303 == room.enter(guest, "home", noted)


def test_a_phone_on_its_way_in_is_signed_out_too(room: Room, monkeypatch: Any) -> None:
    """Its invitation or code was right when it was checked; the pass would have been given after the sign-out."""
    for path, given, checks in (
        ("/in", {"who": "operator"}, "redeem_invitation"),
        ("/in", {"who": "home"}, "redeem_invitation"),
        ("/table", {}, "role_for_code"),
        ("/seat", {"seat": "home"}, "role_for_code"),
    ):
        check = getattr(room.app.access, checks)

        def then_all_are_signed_out(word: str) -> Any:
            found = check(word)  # noqa: B023 - used at once
            room.sign_out()
            return found

        proof = {"invitation": room.invitation} if path == "/in" else {"code": room.app.access.sign_in_code}
        with phone(room.web) as thief, monkeypatch.context() as patched:
            patched.setattr(room.app.access, checks, then_all_are_signed_out)
            answer = thief.post(path, data=given | proof)
            assert (403, True) == (answer.status_code, SIGNED_OUT in answer.text), path
        assert 1 == len(room.app.access.pass_list.valid_passes())


def test_the_old_code_has_ended_once_the_passes_have(room: Room, monkeypatch: Any) -> None:
    """A request that begins in that moment gets in with neither the code nor an invitation of before."""
    code, noted, found = room.app.access.sign_in_code, room.invitation, list[int]()
    with phone(room.web, "home"), phone(room.web) as thief:

        def now() -> None:
            found.append(thief.post("/table", data={"code": code}).status_code)
            found.append(room.enter(thief, "operator", noted))

        with monkeypatch.context() as patched:
            patched.setattr(room.app.access.pass_list, "_changed", now)
            room.sign_out()
    assert {403} == set(found)


def test_a_signed_out_operator_does_not_change_seats(room: Room, monkeypatch: Any) -> None:
    """It needs no code for a seat: what it held when it asked must still be good when it is given."""
    with phone(room.web, "operator") as thief:
        view = room.app.session.game.view_for

        def then_all_are_signed_out(seat: Any) -> Any:
            monkeypatch.undo()
            room.sign_out()
            return view(seat)

        monkeypatch.setattr(room.app.session.game, "view_for", then_all_are_signed_out)
        assert 403 == thief.post("/seat", data={"seat": "home"}).status_code
    assert (1, 1) == (len(room.app.access.pass_list.valid_passes()), room.operators())


def test_of_two_operators_who_sign_each_other_out_one_stays(room: Room, monkeypatch: Any) -> None:
    """The second request was allowed before the first was done; it is refused, and brings nobody back."""
    listed = room.app.access.pass_list
    with phone(room.web, "operator") as other:
        all_ = listed.valid_passes

        def then_the_other_is_faster() -> Any:
            monkeypatch.undo()
            room.sign_out()
            return all_()

        monkeypatch.setattr(listed, "valid_passes", then_the_other_is_faster)
        assert 403 == other.post("/api/sign-out", json={}).status_code
    assert 200 == room.operator.get("/api/phones").status_code
    assert 1 == room.operators()


def test_a_sign_out_that_was_not_stored_is_stored_soon(room: Room, monkeypatch: Any) -> None:
    """A power cut some seconds after a full disk does not bring the phone back, nor the code that it knows."""
    with phone(room.web, "operator"), monkeypatch.context() as patched:

        def full(values: object) -> None:
            raise StoreError("The disk is full.")

        patched.setattr(room.app._store, "save_values", full)
        room.sign_out()
    access, clock = room.app.access, room.app.access._clock
    access.save_if_due()
    monkeypatch.setattr(access, "_clock", lambda: clock() + 11)
    access.save_if_due()
    stored = room.app._store.get_or_create_value
    assert (access.sign_in_code, access.pass_list.stored_text()) == (stored("code"), stored("passes"))


@pytest.mark.parametrize("way", ["/api/sign-out", "/leave", "/api/free"])
def test_a_phone_that_goes_leaves_no_correction(room: Room, way: str) -> None:
    """What it proposed ends with it: nobody comes back on the other side and agrees with itself."""
    session = room.app.session
    session.game.begin_game(table())
    for n, value in enumerate(("bat", [2])):
        session.seats.answer_ask("away", n, value, Source.PHONE)
    with phone(room.web, "home") as home, phone(room.web, "away"):
        body = {"seat": "home", "n": 1, "value": [5], "version": len(session.game.table.journal)}
        assert 200 == home.post("/api/seat/correction", json=body).status_code
        assert session.game.view_for(None).correction is not None
        if way == "/leave":
            home.post(way)
        elif way == "/api/free":
            with phone(room.web, "operator") as operator:
                assert operator.post(way, json={"seat": "home"}).is_success
        else:
            room.sign_out()
    assert session.game.view_for(None).correction is None


def test_everybody_reads_that_a_phone_was_signed_out(room: Room) -> None:
    _sign_one_out(room)
    assert "A phone was signed out." in room.app.session.game.view_for(None).warnings
