"""The overlay for broadcasts: its looks by address, and a game told later without telling a thing too early."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI

from engine.seats import Seat
from engine.views import View, plain
from tests.web.phones import WHO, cookie, peek, phone, small_ball, text
from tests.web.stream_client import Heard, Listener, events
from tests.web.web_table import WebTable
from web.app import create_app
from web.live.stream import LONGEST, STEP, DelayBuffer, DelayedHubs

BEAT = 0.01


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose clock only tests move."""

    now = 1000.0

    def time(self) -> float:
        return self.now


def wait(seconds: float) -> None:
    """Move the clock. What was due happens as soon as the loop runs."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Clock)
    loop.now += seconds


def on(app: FastAPI, act: Callable[[], Awaitable[Any]]) -> Any:
    """Run `act` while the application lives, with that clock."""

    async def alive() -> Any:
        async with app.router.lifespan_context(app):
            return await act()

    with asyncio.Runner(loop_factory=Clock) as runner:
        return runner.run(alive())


async def taped(app: FastAPI, version: int) -> None:
    """Wait until the newest kept shot is of this version."""
    late: DelayedHubs = app.state.streams.late
    while (newest := late.buffer.at(math.inf)) is None or newest[1] != version:
        await asyncio.sleep(0)


async def silent(listener: Listener) -> list[Heard]:
    """Everything received, once a heartbeat shows that there is no more."""
    before = beats(listener)
    while beats(listener) == before:
        wait(BEAT)
        await asyncio.sleep(0)
    return events(listener.got)


def beats(listener: Listener) -> int:
    return sum(one.name == "beat" for one in events(listener.got))


def versions(heard: list[Heard]) -> list[int]:
    return [one.version or 0 for one in heard if one.name == "view"]


@pytest.mark.parametrize(
    ("query", "theme", "size", "delay"),
    [
        ("", "dark", "100", None),
        ("?theme=light&size=50", "light", "50", None),
        ("?theme=plain&size=300&delay=0", "plain", "300", None),
        ("?delay=60", "dark", "100", "60"),
    ],
)
def test_its_address_says_how_it_looks(query: str, theme: str, size: str, delay: str | None) -> None:
    """Theme, size and delay are on the page, without inline styles."""
    with phone(create_app(small_ball().port)) as client:
        answer = client.get(f"/overlay{query}")
    (body,) = re.findall(r"<body[^>]*>", answer.text)
    found = dict(re.findall(r'([\w-]+)="([^"]*)"', body))
    assert {"class": f"overlay {theme}", "data-size": size} | ({"data-delay": delay} if delay else {}) == found
    assert "style=" not in answer.text
    assert 200 == answer.status_code


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("theme=pink", "theme: input should be 'dark', 'light' or 'plain'."),
        ("theme=", "theme: "),
        ("size=49", "size: input should be greater than or equal to 50."),
        ("size=301", "size: input should be less than or equal to 300."),
        ("size=big", "size: input should be a valid integer"),
        ("size=1e9", "size: "),
        ("size=" + "9" * 5000, "size: "),
        ("delay=-1", "delay: input should be greater than or equal to 0."),
        ("delay=61", "delay: input should be less than or equal to 60."),
        ("delay=%ff", "delay: "),
        ("theme=dark&theme=pink", "theme: "),
    ],
)
def test_a_wrong_address_is_told(query: str, words: str) -> None:
    """The page of the refusal names the parameter."""
    with phone(create_app(small_ball().port)) as client:
        answer = client.get(f"/overlay?{query}")
    assert 422 == answer.status_code
    assert words in text(answer.text)
    assert "text/html" in answer.headers["content-type"]


def test_a_delayed_page_tells_nothing_by_itself() -> None:
    """With a delay the page itself is empty."""
    with phone(create_app(small_ball().port)) as client:
        assert "Lanterns" in client.get("/overlay").text
        assert "Score" == text(client.get("/overlay?delay=5").text.partition("<main>")[2])


def test_the_game_is_told_so_much_later() -> None:
    """Nothing early, then each change in turn; two delays share one buffer."""
    port = small_ball()
    app = create_app(port.port, beat=BEAT)

    async def act() -> None:
        first = port.version
        async with Listener(app, "/stream?delay=10") as late, Listener(app, "/stream?delay=30") as later:
            await taped(app, first)
            assert [] == versions(await silent(late))
            wait(6)
            port.answer("away", 1, "bat", "test")
            second = port.version
            await taped(app, second)
            assert [] == versions(await silent(late))
            wait(4.5)
            assert [first] == versions(await late.until("panel", first))
            assert [first] == versions(await silent(late))
            wait(6)
            heard = await late.until("panel", second)
            assert [first, second] == versions(heard)
            view = next(one.data for one in heard if one.name == "view" and one.version == second)
            assert plain(port.view(None)) == view
            assert [] == versions(await silent(later))
            wait(20)
            assert second == versions(await later.until("panel", second))[-1]

    on(app, act)


def test_latest_wins_later_too() -> None:
    """A slow phone gets the newest shot that is old enough, and never an older one after it."""
    port = small_ball()
    app = create_app(port.port, beat=BEAT)

    async def act() -> None:
        async with Listener(app, "/stream?delay=5") as slow:
            await taped(app, port.version)
            wait(6)
            await slow.until("panel")
            slow.ready.clear()
            for _ in range(8):
                port.touch()
                wait(1)
                await taped(app, port.version)
            slow.ready.set()
            wait(5.5)
            heard = versions(await slow.until("view", port.version))
        assert len(heard) <= 3  # the first, one that was on its way, the newest
        assert sorted(set(heard)) == heard

    on(app, act)


def test_the_delayed_are_no_more_work() -> None:
    """A change is rendered once for the readers of the live stream and of all delays."""
    port = small_ball()
    app = create_app(port.port, beat=BEAT)

    async def act() -> None:
        paths = ("/stream", "/stream", "/stream?delay=1", "/stream?delay=2", "/stream?delay=3")
        async with AsyncExitStack() as stack:
            readers = [await stack.enter_async_context(Listener(app, path)) for path in paths]
            await taped(app, port.version)
            wait(5)
            for reader in readers:
                await reader.until("panel")
            looks = port.looks
            port.touch()
            await taped(app, port.version)
            wait(5)
            for reader in readers:
                await reader.until("panel", port.version)
            assert looks + 1 == port.looks
            assert readers[0].got == readers[1].got

    on(app, act)


def delayed_bytes(kind: type[WebTable], numbers: tuple[str, str]) -> tuple[bytes, bytes]:
    """What a delayed stream carries of a secret: until its reveal is as old as the delay, and in all."""
    port = peek(kind=kind)
    app = create_app(port.port, beat=3600)

    async def act() -> tuple[bytes, bytes]:
        async with Listener(app, "/stream?delay=20") as late:
            await taped(app, port.version)
            wait(5)
            port.answer("away", 1, numbers[0], "test")
            await taped(app, port.version)
            wait(5)
            port.answer("home", 2, numbers[1], "test")
            await taped(app, port.version)
            wait(16)
            await late.until("panel", port.version - 1)
            secret = late.got
            wait(6)
            await late.until("panel", port.version)
            return secret, late.got

    result: tuple[bytes, bytes] = on(app, act)
    return result


def test_no_secret_is_told_later() -> None:
    """No byte depends on a secret before its reveal is old enough; afterwards it does."""
    before, after = delayed_bytes(WebTable, ("one", "two"))
    other_before, other_after = delayed_bytes(WebTable, ("three", "two"))
    assert before == other_before
    assert after != other_after


def test_planted_leak_is_caught() -> None:
    """The comparison above fails if a seat's view is kept."""

    class Leaky(WebTable):
        def altered(self, view: View, seat: Seat | None) -> View:
            return replace(view, table=self.table.view(seat or "away"))

    assert delayed_bytes(Leaky, ("one", "two"))[0] != delayed_bytes(Leaky, ("three", "two"))[0]


def test_only_spectators_see_it_later() -> None:
    """A seat's view cannot be delayed; a wrong delay is refused in words."""
    port = peek()
    app = create_app(port.port)

    async def act() -> None:
        for path, word in (("/stream?seat=away&delay=5", b"spectators"), ("/stream?delay=61", b"delay: ")):
            async with Listener(app, path, cookie(port.access, WHO["away"])) as listener:
                await listener.task
            assert 422 == listener.status
            assert word in listener.got

    on(app, act)


def test_the_tape_is_short() -> None:
    """It holds as much as the longest delay needs, at a few shots a second."""
    tape = DelayBuffer()
    for n in range(10_000):
        tape.keep(n * STEP, (b"", n))
    assert LONGEST / STEP + 1 == len(tape)
    assert tape.at(9_999 * STEP - LONGEST) == (b"", 9_999 - int(LONGEST / STEP))
    port = small_ball()
    app = create_app(port.port, beat=BEAT)

    async def act() -> None:
        async with Listener(app, "/stream?delay=60"), Listener(app) as live:
            await taped(app, port.version)
            for _ in range(20):
                port.touch()
                await live.until("panel", port.version)
            assert 1 == len(app.state.streams.late.buffer)
            wait(STEP)
            await taped(app, port.version)
            assert 2 == len(app.state.streams.late.buffer)

    on(app, act)


def test_the_tape_tells_what_was_and_when_there_is_more() -> None:
    tape = DelayBuffer()
    assert (None, math.inf) == (tape.at(100), tape.after(100))
    tape.keep(10, (b"a", 1))
    tape.keep(13, (b"b", 2))
    assert [None, (b"a", 1), (b"a", 1), (b"b", 2), (b"b", 2)] == [tape.at(when) for when in (9.9, 10, 12.9, 13, 99)]
    assert [1, 3, 2, math.inf] == [tape.after(when) for when in (9, 10, 11, 13)]
