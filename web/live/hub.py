"""Hubs: one tells one audience, each of its phones as fast as that phone takes it.

A hub looks once per change, and one task goes round with what it saw: a phone that listens costs nothing while there
is nothing to say, and a phone that takes nothing keeps nobody waiting.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from web.live.delay import Shot

log = logging.getLogger("dugout")

BEAT = 5.0
"""Seconds of silence before a heartbeat; the page calls itself out of touch after two and a half."""

RETRY = b"retry: 2000\n\n"
"""Milliseconds a browser waits before it connects again."""

SEND = 20.0
"""Seconds one write may hang before the phone is dropped; it comes back by itself."""

MOMENT = 0.5
"""Seconds it may have hung when the stream is to end."""

ROW = 50
"""Phones that are told in one go; then the answer that brought the change, and who else waits, have their turn."""


def frame(name: str, data: Any, version: int | None = None) -> bytes:
    """One event of a stream."""
    head = f"event: {name}\n" + (f"id: {version}\n" if version is not None else "")
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n".encode()


class Listener(Protocol):
    """Whoever a hub tells. None of it may wait."""

    def tell(self, shot: Shot) -> None:
        """This is what there is to see now; it may have been told before."""

    def beat(self, beat: bytes) -> None:
        """There was nothing new for a while."""

    def close(self, last: bytes) -> None:
        """There will be no more after a last frame, which may be empty."""


class StreamReader:
    """A phone on a stream. While one frame is on its way to it, the newest one waits, and no other.

    `hang_up` cuts the line of a phone that takes nothing.
    """

    def __init__(self, send: Send, hang_up: Callable[[], None]) -> None:
        self._send, self._hang_up = send, hang_up
        self._told: Shot | None = None
        self._next: bytes | None = None
        self._over = False
        self._sending: asyncio.Task[None] | None = None
        self._since = 0.0

    def tell(self, shot: Shot) -> None:
        """Send it as soon as the phone takes something, unless there is a newer one by then."""
        if shot is not self._told:
            self._told = shot
            self._say(shot[0])

    def beat(self, beat: bytes) -> None:
        """Send it as soon as the phone takes something, unless there is something to tell by then."""
        self._say(self._next or beat)

    def close(self, last: bytes) -> None:
        """Let the phone go once it took what is on its way and the last frame."""
        self._say(last, over=True)

    def leave(self) -> None:
        """The phone has gone."""
        if self._sending is not None:
            self._sending.cancel()

    def _say(self, body: bytes, over: bool = False) -> None:
        if self._over:
            return
        self._next, self._over = body, over
        if self._sending is None:
            self._sending = asyncio.create_task(self._pass())
        elif asyncio.get_running_loop().time() > self._since + (MOMENT if over else SEND):
            self._hang_up()

    async def _pass(self) -> None:
        now = asyncio.get_running_loop().time
        try:
            while (body := self._next) is not None:
                over, self._next, self._since = self._over, None, now()
                await self._send({"type": "http.response.body", "body": body, "more_body": not over})
        except OSError:  # how a server may say that the phone has gone
            self._next = None
        finally:
            self._sending = None


class Hub:
    """What one audience hears. `look` gives what there is to see now, None for nothing yet; it is called once per
    change. Everything here is to be called on the loop's own thread."""

    def __init__(self, look: Callable[[], Awaitable[Shot | None]], beat: float = BEAT) -> None:
        self._look, self._beat = look, beat
        self._followers: dict[Listener, None] = {}
        self._news = asyncio.Event()
        self._changes, self._looked = 0, -1
        self._shot: Shot | None = None
        self._telling: asyncio.Task[None] | None = None
        self._last: bytes | None = None

    def __len__(self) -> int:
        return len(self._followers)

    def changed(self) -> None:
        """Something changed."""
        self._changes += 1
        self._news.set()

    def join(self, follower: Listener) -> None:
        """Tell this one too from now on, beginning with what there is to see now."""
        if self._last is not None:
            follower.close(self._last)
            return
        if not self._followers:
            self._telling = asyncio.create_task(self._tell())
        self._followers[follower] = None
        if self._looked == self._changes and self._shot is not None:
            follower.tell(self._shot)
        else:
            self._news.set()

    def leave(self, follower: Listener) -> None:
        """Tell this one no more."""
        self._followers.pop(follower, None)
        if not self._followers and self._telling is not None:
            self._telling.cancel()

    @property
    def closed(self) -> bool:
        """Whether it is over."""
        return self._last is not None

    def close(self, last: bytes = b"") -> None:
        """End every stream with a last frame, now and for good."""
        if self._last is None:
            self._last = last
            for follower in list(self._followers):
                self.leave(follower)
                follower.close(last)

    async def _tell(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._beat):
                    await self._news.wait()
            except TimeoutError:
                if self._looked == self._changes:
                    await self._round(frame("beat", {"version": self._shot[1] if self._shot else 0}))
                    continue
            self._news.clear()
            try:
                await self._see()
            except Exception:  # one bad moment must not cost the room its evening
                log.exception("A look at the table failed.")
            else:
                await self._round()

    async def _see(self) -> None:
        if self._looked != (now := self._changes):
            self._shot = await self._look()
            self._looked = now

    async def _round(self, beat: bytes | None = None) -> None:
        for i, follower in enumerate(list(self._followers), 1):
            if beat is not None:
                follower.beat(beat)
            elif self._shot is not None:
                follower.tell(self._shot)
            if i % ROW == 0:
                await asyncio.sleep(0)


class StreamResponse(Response):
    """The answer that goes on: what a hub tells, until the phone leaves or the hub closes.

    A server may put `hang_up` into the state of its requests: what cuts the line to the phone at once.
    """

    media_type = "text/event-stream"

    def __init__(self, hub: Hub) -> None:
        self._hub, self.status_code, self.background = hub, 200, None
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Tell one phone."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": RETRY, "more_body": True})
        reader = StreamReader(send, scope.get("state", {}).get("hang_up", lambda: None))
        self._hub.join(reader)
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self._hub.leave(reader)
            reader.leave()
