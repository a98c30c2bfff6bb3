"""WebKit, driven through W3C WebDriver: WebKitGTK, which is current, and WPE, in Debian 12 that of Safari 16.0.

WPE draws into memory. WebKitGTK needs an X server: Xvfb.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from tests.browser.chromium import PATIENCE
from tests.browser.engines.tab import wait_for
from tests.device.process import free_port


def tap_actions(x: float, y: float) -> list[dict[str, Any]]:
    """Return what WebDriver calls the actions of a finger that taps."""
    at = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
    tap = [at, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
    return [{"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": tap}]


class WebKit:
    """A WebKit with one tab. `driver` is the command that drives it; it starts the browser that `options` name."""

    def __init__(self, driver: str, options: dict[str, Any], folder: Path, **env: str) -> None:
        port = free_port()
        with (folder / "webkit.log").open("w") as log:
            self._process = subprocess.Popen(
                [driver, f"--port={port}"], env=os.environ | env, stdout=log, stderr=log, start_new_session=True
            )
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE / 1000, verify=False)
        wait_for(self._listens, lambda: f"{driver} does not start")
        self._session = "/session"
        session = self._call("", capabilities={"alwaysMatch": options})
        self._session = f"/session/{session['sessionId']}"

    def _listens(self) -> bool:
        try:
            return self._client.get("/status").is_success
        except httpx.TransportError:
            return False

    def _call(self, command: str, **parameters: Any) -> Any:
        reply = self._client.post(f"{self._session}{command}", json=parameters)
        assert reply.is_success, f"{command}: {reply.text}"
        return reply.json()["value"]

    def open(self, url: str) -> None:
        self._call("/url", url=url)

    def resize(self, width: int, height: int) -> None:
        self._call("/window/rect", width=width, height=height)

    def run(self, script: str) -> Any:
        return self._call("/execute/sync", script=script, args=[])

    def tap(self, x: float, y: float) -> None:
        self._call("/actions", actions=tap_actions(x, y))

    def end(self) -> None:
        with suppress(httpx.HTTPError):
            self._client.delete(self._session)
        self._client.close()
        # The browser too, should its driver have lost it.
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait()


class Wpe(WebKit):
    """WPE in cog, which draws into memory."""

    def __init__(self, folder: Path) -> None:
        args = ["--platform=headless", "--automation"]
        super().__init__("WPEWebDriver", {"wpe:browserOptions": {"binary": shutil.which("cog"), "args": args}}, folder)


class WebKitGtk(WebKit):
    """WebKitGTK in its MiniBrowser, on an X server of its own."""

    def __init__(self, folder: Path) -> None:
        shown, told = os.pipe()
        # Without access control: it listens only at a socket of this machine.
        screen = ["Xvfb", "-displayfd", str(told), "-screen", "0", "1920x1200x24", "-nolisten", "tcp", "-ac"]
        with (folder / "screen.log").open("w") as log:
            self._screen = subprocess.Popen(screen, pass_fds=[told], stdout=log, stderr=log)
        os.close(told)
        with os.fdopen(shown) as number:
            display = f":{number.readline().strip()}"
        super().__init__("WebKitWebDriver", {}, folder, DISPLAY=display)

    def end(self) -> None:
        super().end()
        self._screen.terminate()
        self._screen.wait()
