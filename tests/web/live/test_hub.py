"""Hubs: everybody gets the last of a burst, nobody waits for the slow, and all end at once."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest

from tests.web.phones import small_ball
from tests.web.stream_client import Listener, alive, looped
from web.app import create_app
from web.live import hub
from web.live.hub import SEND_BATCH_SIZE, StreamListener, StreamSnapshot
from web.live.presence import ListeningPhones
from web.security.admission import SLOW_STREAM

MANY = SEND_BATCH_SIZE + 10
"""Listeners: more than are served in one go."""


class Line:
    """The server's side of a stream: while `free` is clear the phone reads nothing; `cut` counts calls of `hang_up`."""

    def __init__(self) -> None:
        self.took: list[tuple[bytes, bool]] = []
        self.free = asyncio.Event()
        self.cut = 0

    async def send(self, message: Any) -> None:
        await self.free.wait()
        self.took.append((message["body"], message["more_body"]))

    def hang_up(self) -> None:
        self.cut += 1

    def reader(self, changes: bool = False) -> StreamListener:
        return StreamListener(self.send, self.hang_up, lambda: None, changes)


def shot(number: int) -> StreamSnapshot:
    """A shot that says its number, or how it differs from the one before."""
    return StreamSnapshot(number, number, lambda: b"%d" % number, b"+1 is %d" % number)


async def settled(line: Line, bodies: int) -> list[tuple[bytes, bool]]:
    """What the phone got once it reads again: `bodies` of them, and nothing after."""
    line.free.set()
    async with asyncio.timeout(100):
        while len(line.took) < bodies:
            await asyncio.sleep(0)
    for _ in range(10):
        await asyncio.sleep(0)
    return line.took


@looped
async def test_a_slow_phone_holds_one_frame_besides_the_one_on_its_way() -> None:
    """Only the newest shot waits; a heartbeat never replaces it."""
    line = Line()
    reader = line.reader()
    for n in range(100):
        reader.send_snapshot(shot(n))
        await asyncio.sleep(0)
    reader.send_heartbeat(b"beat")
    assert [(b"0", True), (b"99", True)] == await settled(line, 2)


@looped
async def test_who_has_the_shot_before_is_sent_what_changed() -> None:
    """The first one is whole, and so is the next after one that was skipped; without `changes`, all are."""
    for changes, expected in ((True, [b"5", b"+1 is 6", b"9", b"beat", b"+1 is 10"]), (False, [b"5", b"6", b"9"])):
        line = Line()
        reader = line.reader(changes)
        line.free.set()
        for n in (5, 6):
            reader.send_snapshot(shot(n))
            await settled(line, len(line.took) + 1)
        line.free.clear()
        for n in (8, 9):
            reader.send_snapshot(shot(n))
        await settled(line, 3)
        if changes:
            reader.send_heartbeat(b"beat")
            await settled(line, 4)
            reader.send_snapshot(shot(10))
            await settled(line, 5)
        assert expected == [body for body, _ in line.took]


@looped
async def test_what_was_told_is_not_told_again() -> None:
    """The same shot is sent once, however often the hub repeats it."""
    line = Line()
    line.free.set()
    reader, same = line.reader(), shot(1)
    for _ in range(3):
        reader.send_snapshot(same)
        await asyncio.sleep(0)
    reader.send_heartbeat(b"beat")
    assert [(b"1", True), (b"beat", True)] == await settled(line, 2)


@looped
async def test_a_phone_that_takes_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time that a write may hang; a heartbeat finds it too."""
    line = Line()
    reader = line.reader()
    reader.send_snapshot(shot(1))
    await asyncio.sleep(0)
    reader.send_snapshot(shot(2))
    reader.send_heartbeat(b"beat")
    assert 0 == line.cut
    monkeypatch.setattr(hub, "SLOW_STREAM", replace(SLOW_STREAM, limit=-1))
    reader.send_heartbeat(b"beat")
    assert 1 == line.cut
    reader.send_snapshot(shot(3))
    assert 2 == line.cut
    reader.stop_writing()


@looped
async def test_the_last_frame_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It follows the frame on its way, and nothing follows it; a phone that hangs is cut off instead."""
    line = Line()
    reader = line.reader()
    reader.send_snapshot(shot(1))
    await asyncio.sleep(0)
    reader.send_snapshot(shot(2))
    reader.close_stream(b"over")
    reader.send_snapshot(shot(3))
    reader.close_stream(b"again")
    assert 0 == line.cut
    assert [(b"1", True), (b"over", False)] == await settled(line, 2)
    monkeypatch.setattr(hub, "FINAL_WRITE_TIMEOUT_S", -1)
    stuck = Line()
    hung = stuck.reader()
    hung.send_snapshot(shot(1))
    await asyncio.sleep(0)
    hung.close_stream(b"over")
    assert 1 == stuck.cut
    hung.stop_writing()


@looped
async def test_everyone_gets_the_last_of_a_burst_and_is_let_go_at_once() -> None:
    """A phone that reads nothing delays nobody."""
    port = small_ball()
    app = create_app(port.port, room=ListeningPhones(port.port.refusals, each=MANY * 2))
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        slow = await stack.enter_async_context(Listener(app))
        crowd = [await stack.enter_async_context(Listener(app)) for _ in range(MANY)]
        await slow.until("panel")
        slow.ready.clear()
        looks = port.looks

        def burst() -> None:
            for _ in range(30):
                port.game.publish_again()

        await asyncio.to_thread(burst)
        for one in crowd:
            heard = await one.until("panel", port.game.version)
            assert port.game.version == heard[-1].version
        assert port.looks - looks <= 30
        app.state.streams.close_all()
        await asyncio.gather(*(one.task for one in crowd))
        assert not slow.task.done()
        slow.ready.set()
        await slow.task


def test_a_look_that_fails_ends_no_stream(caplog: pytest.LogCaptureFixture) -> None:
    """The fault is logged, and the next change is sent."""

    def fail() -> None:
        raise RuntimeError("a fault in a view")

    port = small_ball()
    app = create_app(port.port)

    async def act() -> None:
        async with Listener(app) as listener:
            await listener.until("panel")
            calm, port.on_look = port.on_look, fail
            port.game.publish_again()
            while "a fault in a view" not in caplog.text:
                await asyncio.sleep(0)
            port.on_look = calm
            port.game.publish_again()
            await listener.until("panel", port.game.version)

    alive(app, act)


def test_a_look_that_failed_is_made_up_for() -> None:
    """With the next heartbeat, even if nothing changes any more."""
    port, failed = small_ball(), list[int]()

    def moody() -> None:
        if not failed:
            failed.append(port.game.version)
            raise RuntimeError("a fault in a view")

    app = create_app(port.port, beat=0.02)

    async def act() -> None:
        async with Listener(app) as listener:
            await listener.until("panel", port.game.version)
            port.on_look = moody
            port.game.publish_again()
            await listener.until("panel", port.game.version)
            assert [port.game.version] == failed

    alive(app, act)
