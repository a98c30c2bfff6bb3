"""Streams: whole, newest, shared, private to their audience, and over at once when the table stops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import httpx
import uvicorn

from engine.journal import Source
from engine.seats import Seat
from engine.secrets import HIDDEN_TEXT
from engine.views import AudienceView, json_data
from tests.web.phones import WHO, cookie, peek, small_ball
from tests.web.stream_client import Listener, alive, looped
from tests.web.web_table import WebTable
from web.app import create_app
from web.render.templates import PANEL_REGIONS


@looped
async def test_view_on_connect_and_on_change() -> None:
    """The whole view and its panel each time."""
    port = small_ball()
    app = create_app(port.port)
    async with app.router.lifespan_context(app), Listener(app) as listener:
        heard = await listener.until("panel")
        assert listener.status == 200
        assert listener.got.startswith(b"retry: ")
        assert [("view", port.game.version), ("panel", port.game.version)] == [(one.name, one.version) for one in heard]
        assert json_data(port.game.view_for(None)) == heard[0].data
        assert set(PANEL_REGIONS) == set(heard[1].data)
        await asyncio.to_thread(port.seats.answer_ask, "away", 1, "bat", Source.PHONE)
        heard = await listener.until("panel", port.game.version)
        assert "at-bat" == heard[2].data["table"]["asks"][0]["why"]


def spectators_bytes(port_of: Callable[[], WebTable], numbers: tuple[str, str]) -> tuple[bytes, bytes]:
    """What a spectator's stream carries while both seats answer in secret: up to the reveal, and in all."""
    port = port_of()
    app = create_app(port.port)

    async def act() -> tuple[bytes, bytes]:
        async with Listener(app) as listener:
            await listener.until("panel")
            port.seats.answer_ask("away", 1, numbers[0], Source.PHONE)
            await listener.until("panel", port.game.version)
            secret = listener.got
            port.seats.answer_ask("home", 2, numbers[1], Source.PHONE)
            await listener.until("panel", port.game.version)
            return secret, listener.got

    result: tuple[bytes, bytes] = alive(app, act)
    return result


def test_spectators_stream_is_the_same_whatever_the_secret() -> None:
    """No byte depends on a secret before the rulebook's reveal; afterwards it does."""
    before, after = spectators_bytes(peek, ("one", "two"))
    other_before, other_after = spectators_bytes(peek, ("three", "two"))
    assert before == other_before
    assert after != other_after


def test_planted_leak_is_caught() -> None:
    """The comparison above fails if a spectator's hub gets a seat's view."""

    class Leaky(WebTable):
        def altered(self, view: AudienceView, seat: Seat | None) -> AudienceView:
            return replace(view, table=self.game.table.view_for(seat or "away"))

    def leaky() -> WebTable:
        return peek(kind=Leaky)

    assert spectators_bytes(leaky, ("one", "two"))[0] != spectators_bytes(leaky, ("three", "two"))[0]


@looped
async def test_a_seats_stream_is_its_own() -> None:
    """Only its own phone gets it; there it sees its choices, and that it has answered."""
    port = peek()
    app = create_app(port.port)
    async with app.router.lifespan_context(app):
        for who, status in (("spectator", 401), ("home", 403), ("operator", 403)):
            async with Listener(app, "/stream?seat=away", cookie(port.access, WHO[who])) as listener:
                await listener.task
            assert status == listener.status
            assert b"three" not in listener.got
        async with Listener(app, "/stream?seat=away", cookie(port.access, WHO["away"])) as listener:
            heard = await listener.until("panel")
            mine, theirs = heard[0].data["table"]["asks"]
            assert ["one", "two", "three"] == [option["value"] for option in mine["options"]]
            assert "options" not in theirs
            port.seats.answer_ask("away", 1, "two", Source.PHONE)
            heard = await listener.until("view", port.game.version)
            assert {"1": HIDDEN_TEXT} == next(one for one in reversed(heard) if one.name == "view").data["table"][
                "given"
            ]


@looped
async def test_close_ends_every_stream_from_any_thread() -> None:
    """Each with a sentence: that of a seat, the television's, and later ones too."""
    port = small_ball()
    app = create_app(port.port)
    paths = ("/stream", "/stream?seat=away", "/stream?page=tv")
    pass_ = cookie(port.access, WHO["away"])
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        listeners = [await stack.enter_async_context(Listener(app, path, pass_)) for path in paths]
        for one in listeners:
            await one.until("panel")
        await asyncio.to_thread(app.state.streams.close_all)
        listeners += [await stack.enter_async_context(Listener(app, path, pass_)) for path in paths]
        await asyncio.gather(*(one.task for one in listeners))
        for one in listeners:
            assert "over" == one.heard[-1].name
            assert "turned off" in one.heard[-1].data["sentence"]
        assert [["over"]] * 3 == [[event.name for event in one.heard] for one in listeners[3:]]
        app.state.streams.close_all()


class Server(uvicorn.Server):
    """A server as the device runs it."""

    async def shutdown(self, sockets: Any = None) -> None:
        self.config.app.state.streams.close_all()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def test_a_server_stops_with_open_streams() -> None:
    app = create_app(small_ball().port)
    server = Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="none", lifespan="on"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    port = server.servers[0].sockets[0].getsockname()[1]
    with httpx.stream("GET", f"http://127.0.0.1:{port}/stream", timeout=100) as response:
        lines = response.iter_lines()
        assert "event: view" in (line for line in lines)
        server.should_exit = True
        assert [] == [line for line in lines if line.startswith("event: beat")]
    thread.join(100)
    assert not thread.is_alive()
