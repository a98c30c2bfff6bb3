"""Phones of different people."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

from fastapi import FastAPI, Response

from tests.web.fake_table import FakePort
from tests.web.secret_number_game import PEEK
from web.port import AccessPort
from web.security.auth import COOKIE, Pass, Passes

with warnings.catch_warnings():
    # Starlette prefers httpx2, which no other part of the lock needs.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

WHO = {
    "spectator": Pass(),
    "away": Pass(seat="away"),
    "home": Pass(seat="home"),
    "operator": Pass(operator=True),
    "both": Pass(operator=True, seat="away"),
}


def cookie(access: AccessPort, given: Pass) -> str:
    """The Cookie header of a phone with this pass."""
    response = Response()
    Passes(access.key.encode(), age=access.age).write(response, given)
    return response.headers["set-cookie"].partition(";")[0]


def text(html: str) -> str:
    """What a person reads, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@contextmanager
def phone(app: FastAPI, who: str = "spectator") -> Iterator[TestClient]:
    with TestClient(app, follow_redirects=False) as client:
        if who != "spectator":
            client.cookies.set(COOKIE, cookie(app.state.port.access, WHO[who]).partition("=")[2])
        yield client


def small_ball() -> FakePort:
    """Small Ball with the Lanterns about to bat: ask 1 is away's choice."""
    port = FakePort()
    port.answer("away", 0, "red", "test")
    return port


def peek(away: str | None = None) -> FakePort:
    """Peek at its secrets: asks 1 (away) and 2 (home) are open, `away` answered if it is named."""
    port = FakePort(PEEK, [])
    port.answer("away", 0, 4, "test")
    if away is not None:
        port.answer("away", 1, away, "test")
    return port


__all__ = ["WHO", "TestClient", "cookie", "peek", "phone", "small_ball", "text"]
