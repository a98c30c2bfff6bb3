"""Turns for a few requests at once, which waiting addresses get in rotation."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class RequestTurns:
    """At most `most` turns at once. A request that waits longer than `patience` seconds gets none.

    The next turn goes to each waiting address in rotation. Not thread-safe; only for the event loop.
    """

    def __init__(self, most: int, patience: float) -> None:
        self._most, self._patience, self._taken = most, patience, 0
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By address, in the order of their next turn."""

    @asynccontextmanager
    async def hold_turn(self, address: str) -> AsyncIterator[None]:
        """Hold a turn in this context. Raises TimeoutError after the wait."""
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
                self._pass_turn_on()  # the turn arrived together with the timeout
            else:
                turn.cancel()
            raise

    def _pass_turn_on(self) -> None:
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
