"""Attacks on the code by guessing: from many addresses, with a dead pass, from one IPv6 network, by a forged header."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress

import httpx
import pytest
from fastapi import FastAPI

from device.service.access import GUESS_WARNING_S
from device.service.server import Server
from tests.device.service.test_server import serving
from tests.web.phones import cookie, phone, small_ball
from tests.web.security.test_code import Clock
from tests.web.web_table import CODE, WebTable
from web.app import create_app
from web.security.guessing import GuessLimit
from web.security.passes import Pass
from web.security.rejected import RequestRejected

MOST = 60
"""Wrong codes that a table checks in a minute, from all phones together."""


def limited() -> tuple[WebTable, FastAPI, Clock]:
    port, clock = small_ball(), Clock()
    return port, create_app(port.port, GuessLimit(clock=clock)), clock


async def _guess(app: FastAPI, addresses: Iterable[str], each: int, cookies: dict[str, str]) -> Counter[int]:
    counted = Counter[int]()
    for address in addresses:
        transport = httpx.ASGITransport(app, client=(address, 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver", cookies=cookies) as client:
            for _ in range(each):
                counted[(await client.post("/table", data={"code": "000000"})).status_code] += 1
    return counted


def guess(app: FastAPI, addresses: Iterable[str], each: int = 5, cookies: dict[str, str] | None = None) -> Counter[int]:
    """Send `each` wrong codes from each address; return how many got which status: 403 is a code that was checked."""
    return asyncio.run(_guess(app, addresses, each, cookies or {}))


def many(count: int) -> list[str]:
    return [f"10.0.{i // 250}.{i % 250}" for i in range(count)]


def test_a_dead_pass_from_many_addresses() -> None:
    """A pass whose seat was freed buys no more guesses than one phone has, wherever it is sent from."""
    port, app, _ = limited()
    with phone(app) as client:
        client.post("/seat", data={"code": CODE, "seat": "away"})
        dead = dict(client.cookies)
    port.access.free_seat("away")
    assert {403: 5, 429: 195} == guess(app, many(40), cookies=dead)


def test_many_passes_from_many_addresses() -> None:
    """However many phones were here before: a minute has sixty wrong codes for all of them together."""
    port, app, clock = limited()
    passes = [dict([cookie(port.access, Pass(seat="away")).split("=", 1)]) for _ in range(30)]
    for _ in range(3):
        checked = sum(guess(app, [address], cookies=held)[403] for address, held in zip(many(30), passes, strict=True))
        assert checked <= MOST
        clock.now += 61


def test_an_hour_of_guessing() -> None:
    """The longer it goes on, the slower it gets: far fewer than sixty a minute."""
    clock = Clock()
    gate = GuessLimit(clock=clock)
    checked = []
    for minute in range(60):
        checked.append(0)
        for address in range(8 * 5):
            with suppress(RequestRejected):
                gate.count_guess(f"10.1.{minute}.{address // 5}")
                checked[-1] += 1
        clock.now += 60
    assert 0 < max(checked) <= MOST
    assert sum(checked[30:]) <= sum(checked[:30])
    assert sum(checked) <= 60 * 8


def test_one_network_of_ipv6_is_one_phone() -> None:
    """A home's /64 has more addresses than there are codes; an IPv4 address written as IPv6 is the same phone."""
    _, app, _ = limited()
    assert {403: 5, 429: 10} == guess(app, [f"2001:db8:0:7::{i:x}" for i in range(1, 16)], each=1)
    _, app, _ = limited()
    assert {403: 5, 429: 5} == guess(app, ["192.0.2.7", "::ffff:192.0.2.7"])


@pytest.mark.parametrize("dual", [False, True])
@pytest.mark.parametrize(
    ("proxies", "checked"),
    [
        ((), 5),
        (("127.0.0.1",), 20),
        (("127.0.0.0/8",), 20),
        (("::ffff:127.0.0.1",), 20),
        (("::ffff:127.0.0.0/104",), 20),
        (("192.0.2.1", "::1"), 5),
    ],
)
def test_a_forged_header_is_no_other_phone(proxies: tuple[str, ...], checked: int, dual: bool) -> None:
    """X-Forwarded-For counts only from the proxies that the settings name, however a socket shows their addresses."""
    server = Server(small_ball().port, proxies=proxies)
    with serving(server, dual) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        got = Counter(
            client.post("/table", data={"code": "000000"}, headers={"X-Forwarded-For": f"203.0.113.{i}"}).status_code
            for i in range(20)
        )
    assert checked == got[403]


def test_somebody_guesses() -> None:
    """The table learns of it when as many codes were wrong as strangers may try, and again while it goes on."""
    port, app, clock = limited()
    guess(app, many(3))
    assert (None, CODE) == (port.access.guess_warning, port.access.sign_in_code)
    guess(app, many(4)[3:])
    assert ("Somebody is guessing the code. It now has 8 digits.", 8) == (
        port.access.guess_warning,
        len(port.access.sign_in_code),
    )
    clock.now += 120
    port.time.now += GUESS_WARNING_S + 1
    assert port.access.guess_warning is None
    guess(app, ["10.9.9.9"], each=1)
    assert port.access.guess_warning
