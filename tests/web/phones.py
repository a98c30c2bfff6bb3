"""Phones of different people."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from random import Random

from fastapi import FastAPI, Response

from device.inputs import random_player
from engine.games import GAMES
from engine.table import Table
from engine.views import RaceView
from tests.web.fake_table import FakePort
from tests.web.secret_number_game import PEEK
from web.app import create_app
from web.port import AccessPort
from web.render.templates import panel
from web.security.passes import COOKIE, Pass, Passes

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


def cookie(access: AccessPort, given: Pass, agent: str = "") -> str:
    """The Cookie header of a phone with this pass and User-Agent."""
    response = Response()
    Passes(access.key.encode(), access.passes).write(response, given, agent)
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


def port(table: Table, race: RaceView | None = None, kind: type[FakePort] = FakePort) -> FakePort:
    """This table, behind the ports of the web."""
    made = kind(GAMES[table.game.key])
    made.table, made.race, made.missing = table, race, []
    return made


def answered(made: FakePort, seed: int = 2, most: int = 1000) -> Iterator[FakePort]:
    """Answer the asks of a table at random, up to `most` answers in all; yield it after each."""
    chance = Random(seed)
    while (asks := made.table.asks()) and len(made.table.answers) < most:
        n, ask = asks[0]
        value = random_player.pick(made.table.ask_view(n, ask, ask.seat, dealer=True), chance)
        made.answer(ask.seat, n, value, "test")
        yield made


def over(made: FakePort | None = None, seed: int = 2, most: int = 1000) -> FakePort:
    """Return a table after random answers, at its end unless that takes more than `most`."""
    *_, last = answered(made or FakePort(), seed, most)
    return last


def shown(table: Table, name: str = "now") -> str:
    """What a spectator reads in one region."""
    return text(panel(port(table).view(None))[name])


def read(path: str, who: str = "spectator", port: FakePort | None = None) -> str:
    """The text of a page or file, which must be there."""
    with phone(create_app((port or small_ball()).port), who) as client:
        answer = client.get(path)
    assert 200 == answer.status_code
    return str(answer.text)


__all__ = [
    "WHO",
    "TestClient",
    "answered",
    "cookie",
    "over",
    "peek",
    "phone",
    "port",
    "read",
    "shown",
    "small_ball",
    "text",
]
