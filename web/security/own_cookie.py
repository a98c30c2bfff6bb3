"""Removal of all cookies but the table's own, which must look like a pass."""

from __future__ import annotations

import re
from collections.abc import Iterable

from starlette.types import ASGIApp, Receive, Scope, Send

from web.security.passes import COOKIE_NAME

PASS_PATTERN = re.compile(rb"[A-Za-z0-9_.-]{1,128}")
"""A signed pass. Those of today have 52 characters."""


class CookieFilter:
    """Middleware around the application. It removes every other cookie before anything parses them.

    Browsers send cookies of any program on this host, on any port. Python before 3.11.10 and 3.12.6 takes quadratic
    time to read a cookie in quotes (CVE-2024-7592): one of 16 kB took 0.8 s.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            kept = [header for header in scope["headers"] if header[0] != b"cookie"]
            if own := table_cookie(value for name, value in scope["headers"] if name == b"cookie"):
                kept.append((b"cookie", own))
            scope["headers"] = kept
        await self._app(scope, receive, send)


def table_cookie(headers: Iterable[bytes]) -> bytes:
    """Return the table's cookie from Cookie headers as `name=value`, b"" if there is none."""
    own = b""
    for header in headers:
        for cookie in header.split(b";"):
            name, _, value = cookie.strip().partition(b"=")
            if name == COOKIE_NAME.encode() and PASS_PATTERN.fullmatch(value):
                own = name + b"=" + value
    return own
