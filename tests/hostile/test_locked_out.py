"""Attacks that keep others out: wrong codes from many addresses, and what could be done with an invitation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from device.app import App
from device.display.table_display import UNATTENDED_PAGE_TIME_S
from device.inputs import random_player
from device.settings import parse_settings
from device.table.notices import WARNING_DURATION_S
from engine.journal import Source
from tests.device.display.views import looked
from tests.device.process import SETTINGS
from tests.device.stored_games import Clock
from tests.hostile.test_guessing import guess, limited, many
from tests.web.phones import phone, small_ball, text
from web.app import create_app
from web.security.passes import COOKIE_NAME

BUTTONS = SETTINGS.replace('[buttons]\nfactory = "none"\n', "")


@pytest.mark.parametrize(("who", "where"), [("away", "/seat"), ("home", "/seat"), ("operator", "/table")])
def test_a_newcomer_gets_in_whatever_others_do(who: str, where: str) -> None:
    """Four addresses with five wrong codes each delay phones that type the code, never one that scans the display."""
    port, app, _ = limited()
    assert 20 == guess(app, many(4))[403]
    with phone(app) as client:
        answer = client.post("/table", data={"code": port.access.sign_in_code})
        assert 429 == answer.status_code
        assert "press OK while the table’s display shows the code" in text(answer.text)
        assert "Take a seat" in client.get("/in").text
        answer = client.post("/in", data={"who": who, "invitation": port.access.invitations.current_invitation()})
        assert (303, where) == (answer.status_code, answer.headers["location"])
        assert 200 == client.get("/api/phones" if who == "operator" else f"/api/view?seat={who}").status_code


def test_an_invitation_is_for_one_phone() -> None:
    """A second phone, a guess and nothing at all are refused, with what to do; that costs no tries of the code."""
    port, app, _ = limited()
    invitation = port.access.invitations.current_invitation()
    with phone(app) as client, phone(app) as thief:
        assert 303 == client.post("/in", data={"who": "home", "invitation": invitation}).status_code
        for tried in (invitation, "", "A" * 16) * 10:
            answer = thief.post("/in", data={"who": "home", "invitation": tried})
            assert 403 == answer.status_code
            assert "Scan the one on the display now" in text(answer.text)
            assert COOKIE_NAME not in thief.cookies
        assert 303 == thief.post("/table", data={"code": port.access.sign_in_code}).status_code


def test_a_seat_that_is_not_there_uses_up_nothing() -> None:
    port = small_ball()
    invitation = port.access.invitations.current_invitation()
    with phone(create_app(port.port)) as client:
        assert 422 == client.post("/in", data={"who": "bullpen", "invitation": invitation}).status_code
        assert 303 == client.post("/in", data={"who": "away", "invitation": invitation}).status_code


def test_the_invitation_is_on_the_display_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not in a view, on a page, in the store or in the log; only the operator sees a picture of the display."""
    settings = parse_settings(BUTTONS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    app = App(settings, demo=True)
    try:
        joining = app.menu.current_picture().tobytes()
        app.menu.handle_press("home-ok")
        assert "scan" == app.menu.current_screen
        assert joining != app.menu.current_picture().tobytes()
        app.oled.show_picture(app.menu.current_picture())
        invitation = app.access.invitations.current_invitation()
        assert f"in#{invitation}" in app.join_screen.invitation_info()[0]
        with phone(create_app(app.web_port())) as client:
            seen = [
                client.get(path, headers={"Host": "localhost"})
                for path in ("/", "/in", "/table", "/api/view", "/join.svg")
            ]
            assert [200] * 5 == [one.status_code for one in seen]
            assert not [one for one in seen if invitation in one.text]
            assert 401 == client.get("/display.png", headers={"Host": "localhost"}).status_code
            taken = client.post("/in", data={"who": "home", "invitation": invitation}, headers={"Host": "localhost"})
            assert 303 == taken.status_code
        assert invitation != app.access.invitations.current_invitation()
        assert invitation not in caplog.text
        assert not [file for file in tmp_path.rglob("*") if file.is_file() and invitation.encode() in file.read_bytes()]
        app.menu.handle_press("home-ok")
        assert "game" == app.menu.current_screen
    finally:
        app.stop()


def test_without_buttons_the_join_screen_invites(tmp_path: Path) -> None:
    """Where nobody can press OK."""
    settings = parse_settings(SETTINGS.format(port=1, show=1), "my.toml").model_copy(update={"data": tmp_path})
    app = App(settings, demo=False)
    try:
        assert app.join_screen.code_info()[0].endswith(f"/in#{app.access.invitations.current_invitation()}")
    finally:
        app.stop()


def letters(app: App) -> bytes:
    """What the display shows where it tells the letters of the invitation."""
    draw = app.oled.draw
    return draw.draw_scan_screen(*app.join_screen.invitation_info()).tobytes()


@pytest.mark.parametrize(("height", "begun", "always"), [(32, False, True), (32, True, False), (64, True, False)])
def test_without_buttons_a_display_lets_in_whatever_others_type(
    tmp_path: Path, height: int, begun: bool, always: bool
) -> None:
    """It shows an invitation in turn: on 32 lines, where no QR code fits, beside the code, and on any display, also in
    the middle of a game, while somebody guesses the code. The invitation lets a phone in; the right code does not.
    """
    source = SETTINGS.replace("[display]\n", f"[display]\nheight = {height}\n").format(port=1, show=1)
    app = App(parse_settings(source, "my.toml").model_copy(update={"data": tmp_path}), demo=False)
    app.session.game.clock = clock = Clock()

    def shown() -> list[bool]:
        app._update_components()
        found = []
        for _ in range(4):
            found.append(looked(app).tobytes() == letters(app))
            app._display._started_at -= UNATTENDED_PAGE_TIME_S
        return found

    try:
        if begun:
            ask = app.session.game.current_views().public.table.asks[0]
            app.session.seats.answer_ask(ask.seat, ask.n, random_player.pick_answer(ask, Random(1)), Source.PHONE)
        app.menu.current_picture()
        assert ([False, True] * 2 if always else [False] * 4) == shown()
        web = create_app(replace(app.web_port(), own_names=("testserver",)))
        assert 20 == guess(web, many(4))[403]
        app._update_components(new=True)
        clock.now += WARNING_DURATION_S
        assert [False, True] * 2 == shown()
        with phone(web) as client:
            assert 429 == client.post("/table", data={"code": app.access.sign_in_code}).status_code
            given = {"who": "operator", "invitation": app.access.invitations.current_invitation()}
            assert 303 == client.post("/in", data=given).status_code
    finally:
        app.stop()
