"""What every answer carries, whatever it is: the policy that keeps foreign scripts out. No secret is in any address."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.web.phones import WHO, TestClient, cookie, phone, small_ball
from tests.web.roles import rows
from tests.web.stream_client import Listener, alive, looped
from tests.web.web_table import CODE, JPEG
from web.app import create_app
from web.errors import SECURITY_HEADERS
from web.guard import UPLOAD_PATHS
from web.security import admission

READS = [row.url for row in rows() if row.method == "GET" and not row.path.startswith("/stream")]
ODD: dict[str, tuple[str, str, dict[str, Any], int]] = {
    "unknown page": ("GET", "/nothing", {}, 404),
    "unknown to a program": ("GET", "/api/nothing", {}, 404),
    "no such file": ("GET", "/static/nothing.js", {}, 404),
    "wrong method": ("POST", "/api/view", {}, 405),
    "head": ("HEAD", "/static/js/live.js", {}, 200),
    "no pass": ("POST", "/api/undo", {"json": {}}, 401),
    "another site": ("POST", "/api/undo", {"json": {}, "headers": {"Origin": "http://elsewhere.example"}}, 403),
    "too large": ("POST", "/api/undo", {"content": b"x" * (admission.LARGE_BODY.limit * 1024 + 1)}, 413),
    "led on": ("POST", "/leave", {}, 303),
    "a wrong code": ("POST", "/table", {"data": {"code": "0"}}, 403),
    "a wrong form": ("POST", "/seat", {"data": {"seat": "none"}}, 422),
    "a refused stream": ("GET", "/stream?seat=away", {}, 401),
    "a wrong stream": ("GET", "/stream?page=x", {}, 422),
}


def safe(headers: Any) -> bool:
    return all(headers.get(name) == value for name, value in SECURITY_HEADERS.items())


@pytest.mark.parametrize("who", ["spectator", "operator"])
def test_every_read_has_them(who: str) -> None:
    """Pages, pictures, files and JSON, given or refused."""
    with phone(create_app(small_ball().port), who) as client:
        assert [] == [url for url in READS if not safe(client.get(url).headers)]


@pytest.mark.parametrize("what", ODD)
def test_what_is_odd_has_them(what: str) -> None:
    """Refusals of every kind, redirects, and missing pages."""
    method, url, more, status = ODD[what]
    with phone(create_app(small_ball().port)) as client:
        answer = client.request(method, url, **more)
    assert (status, True) == (answer.status_code, safe(answer.headers))


@pytest.mark.parametrize("path", ["/broken", "/api/broken"])
def test_a_fault_inside_has_them(path: str) -> None:
    """With a sentence that reveals nothing of the inside."""
    app = create_app(small_ball().port)

    def broken() -> None:
        raise RuntimeError("a secret")

    app.get(path)(broken)
    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get(path)
    assert (500, True) == (answer.status_code, safe(answer.headers))
    assert "secret" not in answer.text
    assert "Something went wrong." in answer.text


@looped
async def test_streams_have_them() -> None:
    app = create_app(small_ball().port)
    async with app.router.lifespan_context(app), Listener(app) as listener:
        assert 200 == await listener.answered()
        heard = {name.lower(): value for name, value in listener.headers.items()}
        assert "content-encoding" not in heard
        assert {name.lower(): value for name, value in SECURITY_HEADERS.items()}.items() <= heard.items()


def test_what_can_be_packed_is_packed() -> None:
    """Except pictures, which are compressed already."""
    port = small_ball()
    port.pictures.store_picture(1, 1, JPEG * 40)
    with phone(create_app(port.port)) as client:
        urls = ("/", "/static/js/live.js", "/api/view")
        packed = {url: "content-encoding" in client.get(url).headers for url in urls}
        assert not {"content-encoding"} & set(client.get("/evidence/1-1.jpg").headers)
    assert dict.fromkeys(urls, True) == packed


def test_no_address_tells_a_secret() -> None:
    """Neither code nor pass is in any link or redirect."""
    port = small_ball()
    app = create_app(port.port)
    passes = {who: cookie(port.access, given).partition("=")[2] for who, given in WHO.items() if who != "spectator"}
    for who in WHO:
        with phone(app, who) as client:
            for url in READS:
                found = re.findall(r'(?:href|src|action|content)="([^"]*)"', client.get(url).text)
                assert not [one for one in found if CODE in one or any(pass_ in one for pass_ in passes.values())]
            for path, form in (("/table", {"code": CODE}), ("/seat", {"code": CODE, "seat": "home"})):
                led = client.post(path, data=form)
                assert (303, path) == (led.status_code, led.headers["location"])


@pytest.mark.parametrize("path", sorted(UPLOAD_PATHS))
@pytest.mark.parametrize(("who", "status"), [("spectator", 401), ("away", 403)])
def test_a_guest_s_is_refused_unread(path: str, who: str, status: int) -> None:
    """Before any of it arrives: the table holds no body that it would refuse."""
    port = small_ball()
    app, said = create_app(port.port), list[Any]()
    head = [
        (b"host", b"testserver"),
        (b"content-length", b"500000"),
        (b"cookie", cookie(port.access, WHO[who]).encode()),
    ]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}

    async def read() -> Any:
        raise AssertionError("the body was read")

    async def send(message: Any) -> None:
        said.append(message)

    async def act() -> None:
        await app({**scope, "root_path": "", "headers": head, "client": ("192.0.2.7", 1234)}, read, send)

    alive(app, act)
    assert status == said[0]["status"]
