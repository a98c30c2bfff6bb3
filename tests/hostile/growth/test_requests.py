"""Twice as long a request costs about twice as many steps, wherever a phone can put the length."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.hostile.growth.operations import counted
from tests.hostile.visitors import request_scope
from tests.web.phones import WHO, cookie, small_ball
from web.app import create_app

SHORT, LONG = 1500, 3000
"""Characters of the two requests that are compared."""

GROWTH = 2.3
"""What the long one may cost of the short one, less what both cost at any length."""

APP = create_app(small_ball().port)
API = APP.openapi()

RIGHT = {"seat": "away", "n": 1, "value": 1, "game": "small-ball", "title": "Deck", "version": 0, "kind": "player"}
"""Fields of bodies that are right, beside the one that a test makes long."""

HEADERS = ["accept", "accept-encoding", "content-type", "cookie", "host", "if-modified-since", "if-none-match"]
HEADERS += ["origin", "range", "user-agent"]
BEGINNINGS = {"content-type": "multipart/form-data; boundary=", "cookie": 'dugout="', "range": "bytes="}
PUMPS = ("a", "/", "'/", '\\"', ";", "0-1,", " ")
ADDRESSES = ("/decks/{}/x", "/evidence/{}.webp", "/api/decks/small-ball/{}", "/portrait.svg?name={}", "/tv?{}")


def properties(path: str) -> dict[str, Any]:
    """The fields of the body that an address takes, by the API's own description."""
    content = API["paths"][path].get("post", {}).get("requestBody", {}).get("content", {})
    name = next((one["schema"].get("$ref", "") for one in content.values()), "").rpartition("/")[2]
    found: dict[str, Any] = API["components"]["schemas"].get(name, {}).get("properties", {})
    return found


def fields() -> Iterator[tuple[str, str]]:
    """Each field of a body that takes a text, a list, a table or any value, with its address."""
    for path in API["paths"]:
        for field, shape in properties(path).items():
            if shape.get("type") not in ("integer", "boolean") and "enum" not in shape:
                yield path, field


def values(size: int) -> list[Any]:
    """Values of this size: texts, a name of a field, a list and a table."""
    texts = [pump * (size // len(pump)) for pump in ("a", "'/", "1 ", "\u0301")]
    return [*texts, {"'" + "/" * size: 1}, ["a"] * (size // 5), dict.fromkeys(map(str, range(size // 8)), 1)]


def cost(method: str, address: str, body: bytes = b"", header: tuple[str, str] | None = None) -> int:
    """The operations of a request of the operator's phone that also holds a seat, with one more header."""
    headers = {"host": "localhost", "content-type": "application/json", "content-length": str(len(body))}
    headers["cookie"] = cookie(APP.state.port.access, WHO["both"])
    headers |= dict([header] if header else [])
    scope = request_scope(
        APP, method, address, [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    )
    sends = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def receive() -> Any:
        return next(sends, None) or await asyncio.Event().wait()

    async def send(message: Any) -> None:
        assert message.get("status") != 500

    async def ask() -> None:
        await APP(scope, receive, send)

    with counted() as counter:
        asyncio.run(ask())
    return counter.total


def grows(calm: int, short: int, long: int) -> bool:
    """True if the long request costs too much for the short one; `calm` is what one without the length costs."""
    return long - calm > GROWTH * max(short - calm, 2 * SHORT)


@pytest.mark.parametrize(
    ("path", "field"),
    [
        pytest.param(*one, marks=[] if one == ("/api/decks", "title") else [pytest.mark.slow])
        for one in sorted(fields())
    ],
)
def test_a_field_of_a_body(path: str, field: str) -> None:
    address = path.replace("{game}", "small-ball").replace("{name}", "house").replace("{number}", "1")
    body = {name: value for name, value in RIGHT.items() if name in properties(path)}
    calm = cost("POST", address, json.dumps(body).encode())
    for pair in zip(values(SHORT), values(LONG), strict=True):
        costs = [cost("POST", address, json.dumps(body | {field: value}).encode()) for value in pair]
        assert not grows(calm, *costs), f"{str(pair[0])[:20]}: {calm}, {costs}"


@pytest.mark.slow
@pytest.mark.parametrize("header", HEADERS)
def test_a_header(header: str) -> None:
    for method, address in (("GET", "/static/css/asks.css"), ("POST", "/seat")):
        calm, end = cost(method, address), '"' if header == "cookie" else ""
        for pump in PUMPS:
            texts = [BEGINNINGS.get(header, "") + pump * (size // len(pump)) + end for size in (SHORT, LONG)]
            costs = [cost(method, address, header=(header, text)) for text in texts]
            assert not grows(calm, *costs), f"{method} {address} {pump}: {calm}, {costs}"


@pytest.mark.slow
def test_names_in_addresses() -> None:
    for address in ADDRESSES:
        calm = cost("GET", address.format("a"))
        for pump in ("a", "%41", "&", "a=b&", "/"):
            costs = [cost("GET", address.format(pump * (size // len(pump)))) for size in (SHORT, LONG)]
            assert not grows(calm, *costs), f"{address} {pump}: {calm}, {costs}"


def test_what_grows_too_fast_is_noticed() -> None:
    """A text that is searched again for each letter is offered to the pattern again each time."""
    costs = []
    for size in (SHORT, LONG):
        text = "a" * size
        with counted() as counter:
            while found := re.search("a", text):
                text = text[found.end() :]
        costs.append(counter.total)
    assert grows(0, *costs), costs


def test_the_description_names_the_fields() -> None:
    assert {("/api/answer", "value"), ("/api/decks/import", "text"), ("/api/game", "names")} <= set(fields())
