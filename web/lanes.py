"""Lanes for slow reads. Strangers, each seat's phones and the operator each wait in lanes of their own."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from anyio import CancelScope, CapacityLimiter, to_thread
from anyio.from_thread import check_cancelled
from starlette.requests import Request

from engine.seats import SEATS
from web.security import admission
from web.security.admission import Gate
from web.security.passes import Pass
from web.security.rejected import PhoneRejected, RequestRejected

REJECTION_PAUSE_S = 0.25
"""Delay before a seat's phone is rejected, in seconds. Hundreds of rejections a second would block the event loop."""

MAX_PRIORITY_THREADS = 20
"""Threads for the table's own work, more than strangers, seats (`web.request_limits`) and a calibration step use."""

MAX_READER_THREADS = 20
"""Threads for quick requests. Many more would only slow down each other and the table."""

T = TypeVar("T")


class Lane:
    """Runs slow reads one at a time. The total and, by the gate `each`, those of one address are limited.

    A rejection comes after `pause` seconds, in which its phone keeps its turn. Only for the event loop.
    """

    def __init__(self, each: Gate = admission.READS_PER_ADDRESS, pause: float = 0.0) -> None:
        self._each, self._pause = each, pause
        self._thread = CapacityLimiter(1)
        self._here: Counter[str] = Counter()

    async def run_read(self, request: Request, address: str, read: Callable[[], T]) -> T:
        """Return the result of `read`, which runs in a thread.

        If the client leaves, a waiting read never starts, and a running one ends at its next `raise_if_canceled`.
        Raises PhoneRejected if there is no room, and RequestRejected if the client has left.
        """
        try:
            self._enter_lane(address)
        except PhoneRejected:
            await asyncio.sleep(self._pause)
            raise
        with self._leave_on_exit(address), CancelScope() as scope:
            if (end_turn := request.scope.get("state", {}).get("end_turn")) is not None:
                await end_turn()  # others need not wait for this read (web.request_limits)
            watch = asyncio.create_task(_cancel_on_disconnect(request, scope))
            try:
                return await to_thread.run_sync(read, limiter=self._thread)
            finally:
                watch.cancel()
        raise RequestRejected(400)  # the client has left

    def _enter_lane(self, address: str) -> None:
        if self._here[address] >= self._each.limit:
            raise PhoneRejected(self._each)
        if self._here.total() >= admission.TOTAL_READS.limit:
            raise PhoneRejected(admission.TOTAL_READS)
        self._here[address] += 1

    @contextmanager
    def _leave_on_exit(self, address: str) -> Iterator[None]:
        try:
            yield
        finally:
            self._here -= Counter([address])  # drops an address at zero


async def _cancel_on_disconnect(request: Request, scope: CancelScope) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def raise_if_canceled() -> None:
    """Raise an error that ends this read if its client has left. Only in a thread of a lane."""
    check_cancelled()


class Lanes:
    """The lanes of one table.

    games, decks: for strangers.
    operator, seats: for every read of their phones.
    coach: one read for each seat, which counts as an address.
    photographs: pictures of the dice, one for each seat and the operator, who count as addresses.
    first: limits threads for the table's own work, such as answers, which reads cannot use.
    """

    def __init__(self) -> None:
        self.games, self.decks, self.operator = Lane(), Lane(), Lane()
        self.seats = {seat: Lane(pause=REJECTION_PAUSE_S) for seat in SEATS}
        self.coach = Lane(admission.BUSY_COACH, REJECTION_PAUSE_S)
        self.photographs = Lane(admission.BUSY_PHOTOGRAPH)
        self.first = CapacityLimiter(MAX_PRIORITY_THREADS)

    def lane_for(self, held: Pass, strangers: Lane) -> Lane:
        if held.operator:
            return self.operator
        return self.seats[held.seat] if held.seat else strangers
