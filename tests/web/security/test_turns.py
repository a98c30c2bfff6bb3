"""Whose turn is next."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.stream_client import looped
from web.security.turns import RequestTurns


@looped
async def test_addresses_take_turns() -> None:
    """However much one asks for, another waits for one of its turns at most."""
    turns, order = RequestTurns(1, 10), list[str]()

    async def ask(address: str) -> None:
        async with turns.hold_turn(address):
            order.append(address)
            await asyncio.sleep(0)

    await asyncio.gather(*(ask(one) for one in "aaaabbac"))
    assert "aabcabaa" == "".join(order)


@looped
async def test_impatience_costs_no_turn() -> None:
    """Who stops waiting leaves no trace: all turns are there again afterward."""
    turns, go = RequestTurns(2, 0.05), asyncio.Event()

    async def hold() -> None:
        async with turns.hold_turn("a"):
            await go.wait()

    holders = [asyncio.create_task(hold()) for _ in range(2)]
    await asyncio.sleep(0)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            async with turns.hold_turn("b"):
                pass
    leaver = asyncio.create_task(hold())
    await asyncio.sleep(0)
    go.set()
    await holders[0]
    leaver.cancel()  # at the moment its turn comes
    await asyncio.gather(*holders, leaver, return_exceptions=True)
    async with asyncio.timeout(100), turns.hold_turn("c"), turns.hold_turn("d"):
        pass


@looped
async def test_a_few_at_once() -> None:
    turns, now, most = RequestTurns(3, 10), 0, 0

    async def ask(address: str) -> None:
        nonlocal now, most
        async with turns.hold_turn(address):
            now += 1
            most = max(most, now)
            await asyncio.sleep(0.001)
            now -= 1

    await asyncio.gather(*(ask(one) for one in "abcdefgh" * 5))
    assert (0, 3) == (now, most)
