"""Lanes for what takes long: strangers, each seat's phones and the operator's wait among themselves, not for others."""

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
"""Seconds until a seat's phone is refused. Hundreds of refusals a second would keep the event loop from others."""

MAX_PRIORITY_THREADS = 20
"""Threads for the table's own work: more than strangers and seats have at once (`web.request_limits`), so that the
operator finds one, though one step of a calibration takes seconds."""

MAX_READER_THREADS = 20
"""The same for quick requests. Many more would only slow each other, and the table, down."""

T = TypeVar("T")


class Lane:
    """Runs slow reads one at a time: those that wait or run are limited, and those from one address by the gate `each`.

    A refusal comes after `pause` seconds, in which its phone keeps its turn. Use it on the event loop only.
    """

    def __init__(self, each: Gate = admission.READS_PER_ADDRESS, pause: float = 0.0) -> None:
        self._each, self._pause = each, pause
        self._thread = CapacityLimiter(1)
        self._here: Counter[str] = Counter()

    async def run_read(self, request: Request, address: str, read: Callable[[], T]) -> T:
        """Return what `read` returns, run in a thread of its own.

        If the client leaves, a waiting read never starts, and a running one ends at its next `raise_if_canceled`.
        Raises TurnedAway if there is no room, and Refused if nobody is left to answer.
        """
        try:
            self._enter_lane(address)
        except PhoneRejected:
            await asyncio.sleep(self._pause)
            raise
        with self._leave_on_exit(address), CancelScope() as scope:
            if (end_turn := request.scope.get("state", {}).get("end_turn")) is not None:
                await end_turn()  # see web.request_limits: others need not wait with this one
            watch = asyncio.create_task(_cancel_on_disconnect(request, scope))
            try:
                return await to_thread.run_sync(read, limiter=self._thread)
            finally:
                watch.cancel()
        raise RequestRejected(400)  # nobody receives it

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
    """Cancel a scope once the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


def raise_if_canceled() -> None:
    """End this read if its client has left: raises what ends the thread's work. Call it in a lane only."""
    check_cancelled()


class Lanes:
    """The lanes of one table.

    `games` and `decks` are for strangers. Each seat and the operator have one for whatever their phones read. `coach`
    has a place for each seat, as if that were an address. `first` has the threads for the table's own work, such as
    answers: no reading may take them.
    """

    def __init__(self) -> None:
        self.games, self.decks, self.operator = Lane(), Lane(), Lane()
        self.seats = {seat: Lane(pause=REJECTION_PAUSE_S) for seat in SEATS}
        self.coach = Lane(admission.BUSY_COACH, REJECTION_PAUSE_S)
        self.first = CapacityLimiter(MAX_PRIORITY_THREADS)

    def lane_for(self, held: Pass, strangers: Lane) -> Lane:
        """Return the lane of a phone with this pass, or that of `strangers`."""
        if held.operator:
            return self.operator
        return self.seats[held.seat] if held.seat else strangers
