"""Turns: a few at once, and addresses that wait take turns, however much each of them asks for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class RequestTurns:
    """At most `most` turns at once; those who wait longer than `patience` seconds get none.

    The next turn goes to each waiting address in rotation. Call it on the event loop only.
    """

    def __init__(self, most: int, patience: float) -> None:
        self._most, self._patience, self._taken = most, patience, 0
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By address, in the order of their next turn."""

    @asynccontextmanager
    async def hold_turn(self, address: str) -> AsyncIterator[None]:
        """Hold a turn while this lasts. Raises TimeoutError if none came in time."""
        if self._taken >= self._most:
            await self._wait_for_turn(address)
        else:
            self._taken += 1
        try:
            yield
        finally:
            self._pass_turn_on()

    async def _wait_for_turn(self, address: str) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        try:
            async with asyncio.timeout(self._patience):
                await turn
        except BaseException:
            if turn.done() and not turn.cancelled():
                self._pass_turn_on()  # it came at the moment of leaving
            else:
                turn.cancel()
            raise

    def _pass_turn_on(self) -> None:
        """Give a turn that ended to the next address that waits."""
        while self._waiting:
            address, queue = next(iter(self._waiting.items()))
            turn = queue.popleft()
            del self._waiting[address]
            if queue:
                self._waiting[address] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._taken -= 1
