"""A request that may be larger than others: only the operator's is waited for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.phones import WHO, cookie, small_ball
from tests.web.stream_client import alive
from web.app import create_app
from web.security.guard import LARGER


@pytest.mark.parametrize("path", LARGER)
@pytest.mark.parametrize(("who", "status"), [("spectator", 401), ("away", 403)])
def test_a_guest_s_is_refused_unread(path: str, who: str, status: int) -> None:
    """Before any of it arrives: the table holds no body that it would refuse."""
    port = small_ball()
    app, said = create_app(port.port), list[Any]()
    head = [(b"host", b"testserver"), (b"content-length", b"500000"), (b"cookie", cookie(port, WHO[who]).encode())]
    scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b""}

    async def read() -> Any:
        raise AssertionError("the body was read")

    async def send(message: Any) -> None:
        said.append(message)

    async def act() -> None:
        await app({**scope, "root_path": "", "headers": head, "client": ("192.0.2.7", 1234)}, read, send)

    alive(app, act)
    assert status == said[0]["status"]
