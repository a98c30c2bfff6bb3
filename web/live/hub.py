"""Hubs, which send the view of one audience to its listeners, each as fast as that phone reads.

A hub renders once per change, and a single task sends the result. So a listening phone costs nothing without changes,
and a phone that reads nothing delays nobody.
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
"""Seconds of silence before a heartbeat. The page reports a lost connection after two and a half of these intervals."""

RETRY_FRAME = b"retry: 2000\n\n"
"""The retry delay of browsers, in milliseconds."""

FINAL_WRITE_TIMEOUT_S = 0.5
"""How long a write may have been blocked when the stream ends, in seconds."""

SEND_BATCH_SIZE = 50
"""Phones served before other tasks get a turn, such as the request that made the change."""


@dataclass(frozen=True)
class StreamSnapshot:
    """The view of one audience at one moment, as frames.

    number: counts the snapshots.
    version: of the view.
    encode: returns all frames.
    change: the frames that turn the previous snapshot into this one; None if there was none.
    """

    number: int
    version: int
    encode: Callable[[], bytes]
    change: bytes | None = None

    @cached_property
    def full_frames(self) -> bytes:
        """All frames, encoded once, and only if a phone does not have the previous snapshot."""
        return self.encode()


def event_frame(name: str, data: Any, version: int | None = None) -> bytes:
    head = f"event: {name}\n" + (f"id: {version}\n" if version is not None else "")
    return f"{head}data: {visible_json(data)}\n\n".encode()


class StreamListener:
    """A phone on a stream. While one frame is being sent, only the newest of the following ones waits.

    hang_up: cuts the connection of a phone that reads nothing.
    slow: called before that, unless the stream is ending.
    changes: send only the changes if the phone has the previous snapshot.
    """

    def __init__(
        self, send: Send, hang_up: Callable[[], None], slow: Callable[[], None], changes: bool = False
    ) -> None:
        self._send, self._hang_up, self._slow, self._changes = send, hang_up, slow, changes
        self._shown: StreamSnapshot | None = None
        self._next: StreamSnapshot | bytes | None = None
        self._sent_number: int | None = None
        """The number of the last snapshot that was written."""
        self._over = False
        self._writing: asyncio.Task[None] | None = None
        self._since = 0.0

    def send_snapshot(self, shot: StreamSnapshot) -> None:
        """Send a snapshot as soon as the phone can take it, unless there is a newer one by then."""
        if shot is not self._shown:
            self._shown = shot
            self._queue_body(shot)

    def send_heartbeat(self, beat: bytes) -> None:
        """Send a heartbeat as soon as the phone can take it, unless a snapshot is waiting."""
        self._queue_body(self._next or beat)

    def close_stream(self, last: bytes) -> None:
        """End the stream after the frame being sent and a last one."""
        self._queue_body(last, over=True)

    def stop_writing(self) -> None:
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
        except OSError:  # a server may raise it when the phone has gone
            self._next = None
        finally:
            self._writing = None

    def _body_bytes(self, body: StreamSnapshot | bytes) -> bytes:
        if isinstance(body, bytes):
            return body
        before, self._sent_number = self._sent_number, body.number
        return (
            body.change if self._changes and body.change is not None and before == body.number - 1 else body.full_frames
        )


class StreamHub:
    """The stream of one audience. Not thread-safe, so only for the event loop.

    render: returns the snapshot, or None if there is nothing yet. Called once per change.
    beat: interval between heartbeats, in seconds.
    last: the frame that ended every stream, None before.
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
        self._changes += 1
        self._news.set()

    def add_listener(self, listener: StreamListener, pass_id: str = "") -> None:
        """Send to this listener, beginning with the current snapshot. `pass_id` is the pass of its phone, if any."""
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
        self._listeners.pop(listener, None)
        if not self._listeners and self._sending is not None:
            self._sending.cancel()

    def close_all(self, last: bytes) -> None:
        """End every stream, and any later one, with a last frame."""
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
            except Exception:  # one failed rendering must not end the stream for everybody
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
    """A response that lasts until the phone leaves or the hub closes.

    listening: context that counts the phone as listening.
    hang_up: cuts the connection at once.
    pass_id: the pass of the phone, if any.
    ended: returns True if that has ended.
    slow, changes: as in `StreamListener`.
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
        """Send the stream. Raises PhoneRejected if there is no room for another phone."""
        with self._listening:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": RETRY_FRAME, "more_body": True})
            reader = StreamListener(send, self._hang_up, self._slow, self._changes)
            self._hub.add_listener(reader, self._pass_id)
            if self._ended():  # the pass may have ended while the headers were sent
                self._hub.end_streams({self._pass_id}, b"")
            try:
                while (await receive())["type"] != "http.disconnect":
                    pass
            finally:
                self._hub.remove_listener(reader)
                reader.stop_writing()
