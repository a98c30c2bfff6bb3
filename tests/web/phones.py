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
from engine.journal import Source
from engine.table import Table
from engine.views import RaceView
from tests.web.secret_number_game import PEEK
from tests.web.web_table import WebTable, shipped
from web.app import create_app
from web.port import AccessPort
from web.render.templates import render_panel
from web.security.passes import COOKIE_NAME, Pass, PassCookies

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
    PassCookies(access.cookie_key.encode(), access.pass_list).write_cookie(response, given, agent)
    return response.headers["set-cookie"].partition(";")[0]


def text(html: str) -> str:
    """What a person reads, in one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


@contextmanager
def phone(app: FastAPI, who: str = "spectator") -> Iterator[TestClient]:
    with TestClient(app, follow_redirects=False) as client:
        if who != "spectator":
            client.cookies.set(COOKIE_NAME, cookie(app.state.port.access, WHO[who]).partition("=")[2])
        yield client


def small_ball(demo: bool = True) -> WebTable:
    """Small Ball with the Lanterns about to bat: ask 1 is away's choice. There is no camera."""
    made = WebTable(demo=demo)
    made.seats.answer_ask("away", 0, "red", Source.PHONE)
    made.game.notices.set_fault("camera", "No camera: type the dice on a phone or with the buttons.")
    return made


def peek(away: str | None = None, kind: type[WebTable] = WebTable) -> WebTable:
    """Peek at its secrets: asks 1 (away) and 2 (home) are open, `away` answered if it is named."""
    made = kind(PEEK, [])
    made.seats.answer_ask("away", 0, [4], Source.PHONE)
    if away is not None:
        made.seats.answer_ask("away", 1, away, Source.PHONE)
    return made


def port(table: Table, race: RaceView | None = None, kind: type[WebTable] = WebTable) -> WebTable:
    """This table, behind the ports of the web."""
    made = kind(table=table)
    if race is not None:
        made.show(race=race)
    return made


def play(table: Table, seed: int = 2, most: int = 1000) -> Iterator[Table]:
    """Answer the asks of a table at random, up to `most` answers in all; yield it after each."""
    chance = Random(seed)
    while (asks := table.open_asks()) and len(table.answers) < most:
        n, ask = asks[0]
        table.answer_ask(ask.seat, n, random_player.pick_answer(table.ask_view(n, ask, ask.seat, dealer=True), chance))
        yield table


def begun(key: str = "small-ball") -> Table:
    """A new game with the deck that ships with it."""
    return Table(GAMES[key], [shipped(key)])


def over(key: str = "small-ball", seed: int = 2, most: int = 1000) -> WebTable:
    """Return a table after random answers, at its end unless that takes more than `most`."""
    *_, last = play(begun(key), seed, most)
    return port(last)


def shown(table: Table, name: str = "now") -> str:
    """What a spectator reads in one region."""
    return text(render_panel(port(table).game.view_for(None))[name])


def read(path: str, who: str = "spectator", port: WebTable | None = None) -> str:
    """The text of a page or file, which must be there."""
    with phone(create_app((port or small_ball()).port), who) as client:
        answer = client.get(path)
    assert 200 == answer.status_code
    return str(answer.text)


__all__ = [
    "WHO",
    "TestClient",
    "begun",
    "cookie",
    "over",
    "peek",
    "phone",
    "play",
    "port",
    "read",
    "shown",
    "small_ball",
    "text",
]
