"""Firefox, driven through Marionette, the protocol inside it: geckodriver is neither in Debian nor on PyPI."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path
from typing import Any

from tests.browser.chromium import PATIENCE
from tests.browser.engines.tab import wait_for
from tests.browser.engines.webdriver import tap_actions

SETTINGS = """
user_pref("marionette.port", 0);
user_pref("dom.w3c_touch_events.enabled", 1);
user_pref("dom.ipc.processCount", 1);
user_pref("dom.ipc.processPrelaunch.enabled", false);
"""


class Firefox:
    """A Firefox with a profile of its own in `folder`, and one tab."""

    def __init__(self, folder: Path) -> None:
        (folder / "user.js").write_text(SETTINGS)
        with (folder / "firefox.log").open("w") as log:
            self._process = subprocess.Popen(
                ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(folder)],
                stdout=log,
                stderr=log,
            )
        chosen = folder / "MarionetteActivePort"
        port = wait_for(lambda: chosen.exists() and chosen.read_text(), lambda: "Firefox does not start")
        self._socket = socket.create_connection(("127.0.0.1", int(port)), PATIENCE / 1000)
        self._replies, self._sent = self._socket.makefile("rb"), 0
        self._next()  # its greeting
        self._call("WebDriver:NewSession", capabilities={})

    def _next(self) -> Any:
        """Wait for the next message: its length, a colon and JSON."""
        length = b""
        while (one := self._replies.read(1)) != b":":
            assert one, "Firefox has ended"
            length += one
        return json.loads(self._replies.read(int(length)))

    def _call(self, command: str, **parameters: Any) -> Any:
        self._sent += 1
        message = json.dumps([0, self._sent, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._next()
        assert error is None, f"{command}: {error}"
        return result

    def open(self, url: str) -> None:
        self._call("WebDriver:Navigate", url=url)

    def resize(self, width: int, height: int) -> None:
        self._call("WebDriver:SetWindowRect", width=width, height=height)  # at least 500 wide

    def run(self, script: str) -> Any:
        return self._call("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def tap(self, x: float, y: float) -> None:
        self._call("WebDriver:PerformActions", actions=tap_actions(x, y))

    def end(self) -> None:
        self._replies.close()
        self._socket.close()
        self._process.terminate()
        self._process.wait()
