"""The browser of the tests, and its complaints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from playwright._impl._driver import compute_driver_executable
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Response, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""Commands to look for. The first is the same engine without a browser around it: two thirds of the CPU time."""

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
FLAGS += ["--renderer-process-limit=1"]  # a process for each page takes a sixth more CPU time
PATIENCE = 120_000
"""Milliseconds that anything awaited may take on a machine that has much else to do."""


def find() -> str | None:
    """Return the path of Chromium: DUGOUT_CHROMIUM, else the first of its usual names on the path."""
    named = os.environ.get("DUGOUT_CHROMIUM")
    return shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)


def driver_runs() -> bool:
    """Whether the program that speaks with Chromium runs here. On a bare Debian it lacks a library, libatomic1."""
    driver, _ = compute_driver_executable()
    return subprocess.run([driver, "--version"], capture_output=True, check=False).returncode == 0


LARGE = "--blink-settings=defaultFontSize=32,defaultFixedFontSize=26"
"""A phone with letters of twice the usual size."""

BY_NAME = "--host-resolver-rules=MAP dugout.local 127.0.0.1"
"""A phone that finds the table by its name. To browsers, http is secure only from their own machine: they hold back
what they offer to secure pages, such as the phone's own sheet for sharing, the clipboard and the wake lock."""


@contextmanager
def launched(path: str) -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def launched_beside(usual: Browser, flag: str) -> Iterator[Browser]:
    """Run a second Chromium beside the usual one, with one more flag."""
    browser = usual.browser_type.launch(executable_path=find(), args=[*FLAGS, flag])
    yield browser
    browser.close()


class Faults:
    """Complaints of browsers: errors on the console, breaches of the policy, failed scripts, refused and lost requests.

    A test names with `meant` those it causes on purpose.
    """

    def __init__(self) -> None:
        self._found: list[str] = []
        self._meant: list[str] = []

    def meant(self, *patterns: str) -> None:
        self._meant += patterns

    def left(self) -> list[str]:
        return [fault for fault in self._found if not any(re.search(meant, fault) for meant in self._meant)]

    def watch(self, context: BrowserContext) -> None:
        context.on("page", self._page)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._found.append(f"script: {error.error}"))
        context.on("requestfailed", self._lost)
        context.on("response", self._answered)

    def _page(self, page: Page) -> None:
        page.on("crash", lambda _: self._found.append("the page crashed"))

    def _console(self, message: ConsoleMessage) -> None:
        # Failed requests come from _answered and _lost, with their address.
        if message.type in ("error", "warning") and not message.text.startswith("Failed to load resource"):
            self._found.append(f"console: {message.text}")

    def _lost(self, request: Request) -> None:
        # The page itself aborts a stream when it is left, and a picture that a newer one replaces.
        if request.failure != "net::ERR_ABORTED":
            self._found.append(f"lost: {request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self._found.append(f"refused: {response.request.method} {response.url}: {response.status}")
