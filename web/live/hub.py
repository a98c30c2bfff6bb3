"""Hubs: a hub sends what one audience sees to its listeners, each as fast as that phone reads.

A hub renders once per change, and a single task passes the result on: a phone that listens costs nothing while nothing
happens, and a phone that reads nothing delays nobody.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from engine.text.visible_text import visible_json
from web.security.admission import SLOW_STREAM

log = logging.getLogger("dugout")

HEARTBEAT_INTERVAL_S = 5.0
"""Seconds of silence before a heartbeat; the page reports a lost connection after two and a half."""

RETRY_FRAME = b"retry: 2000\n\n"
"""Milliseconds a browser waits before it connects again."""

FINAL_WRITE_TIMEOUT_S = 0.5
"""Seconds a write may have hung when the stream is to end."""

SEND_BATCH_SIZE = 50
"""Phones served in one go; then the request that brought the change, and other waiting tasks, have their turn."""


@dataclass(frozen=True)
class StreamSnapshot:
    """What one audience sees at one moment: the version that it shows, and its frames.

    `encode` makes all of them. `change` are those that turn the shot before, which has the `number` before, into this
    one; None if there was none.
    """

    number: int
    version: int
    encode: Callable[[], bytes]
    change: bytes | None = None

    @cached_property
    def full_frames(self) -> bytes:
        """All frames, encoded once, and only for a phone that does not have the shot before."""
        return self.encode()


def event_frame(name: str, data: Any, version: int | None = None) -> bytes:
    """Return one event of a stream."""
    head = f"event: {name}\n" + (f"id: {version}\n" if version is not None else "")
    return f"{head}data: {visible_json(data)}\n\n".encode()


class StreamListener:
    """A phone on a stream. While one frame is on its way, only the newest of the following ones waits.

    `hang_up` cuts the connection of a phone that reads nothing; if it is not leaving anyway, `slow` is called first.
    `changes`: it is sent only what changed, whenever it has the shot before.
    """

    def __init__(
        self, send: Send, hang_up: Callable[[], None], slow: Callable[[], None], changes: bool = False
    ) -> None:
        self._send, self._hang_up, self._slow, self._changes = send, hang_up, slow, changes
        self._shown: StreamSnapshot | None = None
        self._next: StreamSnapshot | bytes | None = None
        self._has: int | None = None
        """The number of the shot that was written last."""
        self._over = False
        self._writing: asyncio.Task[None] | None = None
        self._since = 0.0

    def send_snapshot(self, shot: StreamSnapshot) -> None:
        """Send a shot as soon as the phone can take it, unless there is a newer one by then."""
        if shot is not self._shown:
            self._shown = shot
            self._queue_body(shot)

    def send_heartbeat(self, beat: bytes) -> None:
        """Send a heartbeat as soon as the phone can take it, unless a shot waits."""
        self._queue_body(self._next or beat)

    def close_stream(self, last: bytes) -> None:
        """Let the phone go after the frame on its way and the last one."""
        self._queue_body(last, over=True)

    def stop_writing(self) -> None:
        """Stop writing: the phone has gone."""
        if self._writing is not None:
            self._writing.cancel()

    def _queue_body(self, body: StreamSnapshot | bytes, over: bool = False) -> None:
        if self._over:
            return
        self._next, self._over = body, over
        if self._writing is None:
            self._writing = asyncio.create_task(self._write_bodies())
        elif asyncio.get_running_loop().time() > self._since + (FINAL_WRITE_TIMEOUT_S if over else SLOW_STREAM.limit):
            if not over:
                self._slow()
            self._hang_up()

    async def _write_bodies(self) -> None:
        try:
            while (body := self._next) is not None:
                over, self._next, self._since = self._over, None, asyncio.get_running_loop().time()
                await self._send({"type": "http.response.body", "body": self._body_bytes(body), "more_body": not over})
        except OSError:  # how a server may report that the phone has gone
            self._next = None
        finally:
            self._writing = None

    def _body_bytes(self, body: StreamSnapshot | bytes) -> bytes:
        if isinstance(body, bytes):
            return body
        before, self._has = self._has, body.number
        return (
            body.change if self._changes and body.change is not None and before == body.number - 1 else body.full_frames
        )


class StreamHub:
    """What one audience sees. `render` returns it, None for nothing yet; it is called once per change.

    Call everything here on the loop's own thread. `last` is the frame that ended every stream, None before.
    """

    def __init__(
        self, render: Callable[[], Awaitable[StreamSnapshot | None]], beat: float = HEARTBEAT_INTERVAL_S
    ) -> None:
        self._render, self._beat = render, beat
        self._listeners: dict[StreamListener, str] = {}
        self._news = asyncio.Event()
        self._changes, self._rendered = 0, -1
        self._shot: StreamSnapshot | None = None
        self._sending: asyncio.Task[None] | None = None
        self.last: bytes | None = None

    def mark_changed(self) -> None:
        """Note that something changed."""
        self._changes += 1
        self._news.set()

    def add_listener(self, listener: StreamListener, pass_id: str = "") -> None:
        """Send to this one too from now on, beginning with what there is to see now. It came with this pass, if any."""
        if self.last is not None:
            listener.close_stream(self.last)
            return
        if not self._listeners:
            self._sending = asyncio.create_task(self._send_updates())
        self._listeners[listener] = pass_id
        if self._rendered == self._changes and self._shot is not None:
            listener.send_snapshot(self._shot)
        else:
            self._news.set()

    def remove_listener(self, listener: StreamListener) -> None:
        """Send to this one no longer."""
        self._listeners.pop(listener, None)
        if not self._listeners and self._sending is not None:
            self._sending.cancel()

    def close_all(self, last: bytes) -> None:
        """End every stream, and each later one, with a last frame."""
        if self.last is None:
            self.last = last
            for listener in list(self._listeners):
                self.remove_listener(listener)
                listener.close_stream(last)

    def end_streams(self, pass_ids: Collection[str], last: bytes) -> None:
        """End the streams of these passes with a last frame, which may be empty."""
        for listener in [one for one, pass_id in self._listeners.items() if pass_id in pass_ids]:
            self.remove_listener(listener)
            listener.close_stream(last)

    async def _send_updates(self) -> None:
        while True:
            try:
                async with asyncio.timeout(self._beat):
                    await self._news.wait()
            except TimeoutError:
                if self._rendered == self._changes:
                    await self._serve_listeners(
                        event_frame("beat", {"version": self._shot.version if self._shot else 0})
                    )
                    continue
            self._news.clear()
            try:
                if self._rendered != (now := self._changes):
                    self._shot = await self._render()
                    self._rendered = now
            except Exception:  # one bad moment must not end the stream for everybody
                log.exception("Rendering the table failed.")
            else:
                await self._serve_listeners()

    async def _serve_listeners(self, beat: bytes | None = None) -> None:
        for i, listener in enumerate(list(self._listeners), 1):
            if beat is not None:
                listener.send_heartbeat(beat)
            elif self._shot is not None:
                listener.send_snapshot(self._shot)
            if i % SEND_BATCH_SIZE == 0:
                await asyncio.sleep(0)


class StreamResponse(Response):
    """A response that goes on until the phone leaves or the hub closes; the phone is `listening` meanwhile.

    `hang_up` cuts the connection at once, and `slow` is called before that if the phone read too slowly. `pass_id` is
    the pass that the phone came with, if any, and `ended` returns True once that has ended. `changes` as in
    `StreamListener`.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        hub: StreamHub,
        listening: AbstractContextManager[None],
        hang_up: Callable[[], None],
        pass_id: str = "",
        ended: Callable[[], bool] = lambda: False,
        slow: Callable[[], None] = lambda: None,
        changes: bool = False,
    ) -> None:
        self._hub, self._listening, self._hang_up, self._slow = hub, listening, hang_up, slow
        self._changes = changes
        self._pass_id, self._ended = pass_id, ended
        self.status_code, self.background = 200, None
        self.init_headers({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream. Raises TurnedAway if there is no room for one more phone."""
        with self._listening:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": RETRY_FRAME, "more_body": True})
            reader = StreamListener(send, self._hang_up, self._slow, self._changes)
            self._hub.add_listener(reader, self._pass_id)
            if self._ended():  # while the start of the stream was sent
                self._hub.end_streams({self._pass_id}, b"")
            try:
                while (await receive())["type"] != "http.disconnect":
                    pass
            finally:
                self._hub.remove_listener(reader)
                reader.stop_writing()
