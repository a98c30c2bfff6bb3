"""The scripts of the pages without a table behind them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route

import web

WEB = Path(web.__file__).parent


@contextmanager
def scripts(browser: Browser) -> Iterator[Page]:
    """Yield a page that can import what lies below /static."""
    context = browser.new_context()

    def serve(route: Route) -> None:
        route.fulfill(path=WEB / urlsplit(route.request.url).path.lstrip("/"))

    context.route("**/*", serve)
    page = context.new_page()
    page.goto("http://dugout.test/static/ball.svg")
    yield page
    context.close()
