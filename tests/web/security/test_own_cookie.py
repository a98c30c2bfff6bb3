"""Of a request's cookies only the table's own is read."""

from __future__ import annotations

import pytest

from tests.web.phones import phone, small_ball
from web.app import create_app
from web.security.own_cookie import table_cookie


@pytest.mark.parametrize(
    ("headers", "kept"),
    [
        ([b"dugout=IjEi.abc-_"], b"dugout=IjEi.abc-_"),
        ([b"theme=dark; dugout=IjEi.abc ; lang=en"], b"dugout=IjEi.abc"),
        ([b"theme=dark", b"dugout=IjEi.abc"], b"dugout=IjEi.abc"),
        ([b"dugout=first; dugout=last"], b"dugout=last"),
        ([b'dugout="' + rb"\x" * 8000 + b'"'], b""),
        ([b"dugout=" + b"a" * 129], b""),
        ([b"dugout=; dugout; =IjEi.abc; xdugout=IjEi.abc"], b""),
        ([b";" * 16000], b""),
        ([], b""),
    ],
)
def test_what_is_kept(headers: list[bytes], kept: bytes) -> None:
    """A pass, whatever else is sent beside it; the last of several, as before."""
    assert kept == table_cookie(headers)


def test_a_pass_among_other_cookies() -> None:
    """A browser sends what another program on this host has set; the seat stays its owner's."""
    with phone(create_app(small_ball().port), "away") as client:
        client.cookies.set("other", "x" * 3000)
        assert 200 == client.get("/api/view?seat=away").status_code
