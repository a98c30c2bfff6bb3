"""Attacks with copied cookies, after leaving, removal or a restart, and on open streams; and passes without end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from fastapi import FastAPI

from device.storage.store import Store
from tests.device.process import Program
from tests.web.phones import TestClient, phone, small_ball, text
from tests.web.stream_client import Listener, looped
from tests.web.web_table import CODE, WebTable
from web.app import create_app
from web.security.admission import SIGN_INS_PER_ADDRESS, TOTAL_PASSES
from web.security.passes import Pass, PassList

UNDO = ("/api/undo/preview", {"n": 1})
"""Something that only the operator may do, and that changes nothing."""


def thief(app: FastAPI, copied: dict[str, str]) -> int:
    """Return what the operator's request gets with a copied cookie."""
    with TestClient(app, cookies=copied) as client:
        return int(client.post(UNDO[0], json=UNDO[1]).status_code)


def operator(client: TestClient, code: str = CODE) -> dict[str, str]:
    """Sign in as the operator; return a copy of the cookie."""
    assert 303 == client.post("/table", data={"code": code}).status_code
    return dict(client.cookies)


def begun() -> tuple[WebTable, FastAPI]:
    port = small_ball()
    return port, create_app(port.port)


def test_a_copied_cookie_after_leaving() -> None:
    """Leaving ends the pass itself, not only this phone's copy of it."""
    _, app = begun()
    with phone(app) as client:
        copied = operator(client)
        assert 401 != thief(app, copied)
        client.post("/leave")
    assert 401 == thief(app, copied)


def test_a_copied_cookie_after_signing_everybody_out() -> None:
    """The operator stays signed in, with a new pass; the old code is worth nothing, and the phones say why."""
    port, app = begun()
    with phone(app) as client, phone(app) as other:
        copied = operator(client)
        operator(other)
        assert client.post("/api/sign-out", json={}).is_success
        assert [401, 401] == [thief(app, copied), thief(app, dict(other.cookies))]
        assert "This phone was signed out." in text(other.get("/table").text)
        assert client.get("/api/phones").is_success
        assert 403 == other.post("/table", data={"code": CODE}).status_code
        assert 303 == other.post("/table", data={"code": port.access.sign_in_code}).status_code


def test_one_phone_is_removed() -> None:
    """The operator sees who is signed in, and ends one pass; all others stay."""
    _, app = begun()
    with phone(app) as client, phone(app) as other, phone(app, "home") as home:
        operator(client)
        copied = operator(other)
        phones = client.get("/api/phones").json()["phones"]
        assert [True, False, False] == [one["own"] for one in sorted(phones, key=lambda one: not one["own"])]
        (wanted,) = (one["id"] for one in phones if one["role"] == "operator" and not one["own"])
        assert client.post("/api/sign-out", json={"id": wanted}).is_success
        assert [401, 401] == [thief(app, copied), other.get("/api/phones").status_code]
        assert 200 == home.get("/api/view?seat=home").status_code
        assert 2 == len(client.get("/api/phones").json()["phones"])


def test_an_id_is_no_pass() -> None:
    """What the operator's page lists signs nobody in."""
    _, app = begun()
    with phone(app) as client:
        operator(client)
        (listed,) = client.get("/api/phones").json()["phones"]
        assert 401 == thief(app, {"dugout": listed["id"]})


def test_a_new_pass_ends_the_old_one() -> None:
    """A cookie that was copied while a phone held a seat does not become the operator's with it, nor stays good."""
    _, app = begun()
    with phone(app) as client:
        client.post("/seat", data={"code": CODE, "seat": "away"})
        copied = dict(client.cookies)
        operator(client)
    with TestClient(app, cookies=copied) as client:
        assert 401 == client.get("/api/view?seat=away").status_code


@looped
async def test_streams_of_a_removed_pass_end_at_once() -> None:
    """Those of its seat and those that everybody may see, the television's too; all others go on."""
    port, app = begun()
    async with app.router.lifespan_context(app):
        with phone(app) as client, phone(app) as other, phone(app, "home") as home:
            for one in (client, other):
                one.post("/seat", data={"code": CODE, "seat": "away"})
                operator(one)
            pass_, guest, rival = (f"dugout={one.cookies['dugout']}" for one in (other, client, home))
            async with (
                Listener(app, "/stream?seat=away", pass_) as mine,
                Listener(app, "/stream", pass_) as watching,
                Listener(app, "/stream?page=tv", pass_) as tv,
                Listener(app, "/stream?seat=away", guest) as kept,
                Listener(app, "/stream?seat=home", rival) as another,
            ):
                for listener in (mine, watching, tv, kept, another):
                    await listener.until("panel")
                (wanted,) = (
                    one["id"]
                    for one in client.get("/api/phones").json()["phones"]
                    if one["role"] == "operator" and not one["own"]
                )
                await asyncio.to_thread(client.post, "/api/sign-out", json={"id": wanted})
                await asyncio.gather(mine.task, watching.task, tv.task)
                assert ["freed"] * 3 == [listener.heard[-1].name for listener in (mine, watching, tv)]
                port.game.publish_again()
                for listener in (kept, another):
                    await listener.until("panel", port.game.version)


@pytest.mark.slow
@pytest.mark.parametrize(("more", "status"), [("", 200), ("remember = false\n", 401)])
def test_a_copied_cookie_after_a_restart(tmp_path: Path, more: str, status: int) -> None:
    """Good until it ends by itself, unless the settings say that a restart ends every pass."""
    with Program(tmp_path, more=more) as program:
        copied = dict(program.client.cookies)
        program.end()
    with Program(tmp_path, more=more) as program:
        program.client.cookies.clear()
        program.client.cookies.update(copied)
        assert status == program.client.get("/api/phones").status_code
        program.end()


@pytest.mark.slow
def test_a_pass_that_was_ended_stays_ended(tmp_path: Path) -> None:
    """Over a kill and a restart: the list is kept."""
    with Program(tmp_path) as program:
        copied = dict(program.client.cookies)
        assert program.client.post("/leave").status_code in (200, 303)
        program.kill()
    with Program(tmp_path) as program:
        program.client.cookies.clear()
        program.client.cookies.update(copied)
        assert 401 == program.client.get("/api/phones").status_code
        program.end()


# Passes without end --------------------------------------------------------------------------------------------------


class CountingStore(Store):
    """Counts how often the passes are stored."""

    passes = 0

    def save_values(self, values: Mapping[str, str]) -> None:
        self.passes += "passes" in values
        super().save_values(values)


class CountingTable(WebTable):
    """Counts how often its list of passes is stored, and what everybody is warned of."""

    def __init__(self) -> None:
        super().__init__(store=CountingStore)
        self.warned, warn = 0, self.game.notices.show_warning

        def counted(sentence: str) -> None:
            self.warned += 1
            warn(sentence)

        self.game.notices.show_warning = counted  # type: ignore[method-assign]

    @property
    def stored(self) -> int:
        assert isinstance(self.store, CountingStore)
        return self.store.passes


def sign_in(app: FastAPI, at: str, **form: str) -> int:
    """Sign in as a new phone; return the status."""
    with TestClient(app, follow_redirects=False, client=(at, 1)) as client:
        return int(client.post("/seat" if "seat" in form else "/table", data={"code": CODE, **form}).status_code)


def test_a_family_signs_in_at_once() -> None:
    """Ten phones behind one address, some of them twice."""
    app = create_app(CountingTable().port)
    for _ in range(2):
        assert [303] * 10 == [sign_in(app, "10.0.0.1", seat=("away", "home")[n % 2]) for n in range(10)]


def test_one_address_is_given_few_passes_in_a_minute() -> None:
    """Whatever it signs in as. The refusal says when to try again; a phone at another address gets in."""
    table = CountingTable()
    app = create_app(table.port)
    forms: list[dict[str, str]] = [{}, {"seat": "away"}, {"seat": "home"}]
    statuses = Counter(sign_in(app, "10.0.0.1", **forms[n % 3]) for n in range(3 * SIGN_INS_PER_ADDRESS.limit))
    assert ({303: SIGN_INS_PER_ADDRESS.limit, 429: 2 * SIGN_INS_PER_ADDRESS.limit}, SIGN_INS_PER_ADDRESS.limit) == (
        statuses,
        table.stored,
    )
    with TestClient(app, client=("10.0.0.1", 1)) as client:
        refused = client.post("/seat", data={"code": CODE, "seat": "away"})
    assert 0 < int(refused.headers["retry-after"]) <= 61
    assert "Too many phones signed in from this address" in text(refused.text)
    assert 303 == sign_in(app, "10.0.0.2")


def test_changing_seats_without_end() -> None:
    """A phone that goes to and fro, or leaves and comes back, is counted too; a refusal shows no warning."""
    for leaves in (False, True):
        table = CountingTable()
        with phone(create_app(table.port)) as client:
            for turn in range(3 * SIGN_INS_PER_ADDRESS.limit):
                client.post("/seat", data={"code": CODE, "seat": ("away", "home")[turn % 2]})
                if leaves:
                    client.post("/leave")
        assert table.stored == SIGN_INS_PER_ADDRESS.limit * (1 + leaves)
        assert SIGN_INS_PER_ADDRESS.limit == table.warned


@pytest.mark.parametrize("path", ["/seat", "/table", "/in", "/leave"])
def test_a_phone_that_has_the_pass_already(path: str) -> None:
    """It is sent on, and nothing is stored or told, nor does leaving without a pass store anything."""
    table = CountingTable()
    with phone(create_app(table.port)) as client:
        form = {
            "code": CODE,
            "seat": "home",
            "who": "home",
            "invitation": table.access.invitations.current_invitation(),
        }
        if path != "/leave":
            assert 303 == client.post(path, data=form).status_code
        before, warned = table.stored, table.warned
        for _ in range(5):
            form["invitation"] = table.access.invitations.current_invitation()
            assert 303 == client.post(path, data=form).status_code
    assert (before, warned) == (table.stored, table.warned)


def test_one_address_pushes_no_others_off_the_list() -> None:
    """However many passes it is given: once the list is full, it loses its own."""
    now = 0.0
    listed = PassList(age=lambda: now)
    honest = [listed.grant_pass(Pass(seat="away"), "iPhone", f"10.0.0.{n}") for n in range(30)]
    for _ in range(2 * TOTAL_PASSES.limit):
        now += 1
        listed.grant_pass(Pass(operator=True), "other", "10.0.1.1")
    assert [one.id for one in honest] == [listed.find_pass(one.id).id for one in honest]
    assert TOTAL_PASSES.limit == len(listed.valid_passes())
    kept = PassList(listed.stored_text())
    assert [one.id for one in honest] == [kept.find_pass(one.id).id for one in honest]
    assert "10.0." not in listed.stored_text()
