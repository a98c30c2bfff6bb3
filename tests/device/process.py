"""The real program as a process, driven over its pages as the operator's phone does."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

import httpx

SETTINGS = """\
[camera]
source = "none"
show = {show}
[display]
driver = "none"
[buttons]
factory = "none"
[web]
host = "127.0.0.1"
port = {port}
"""


START = "from device.cli import main; raise SystemExit(main())"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Program:
    """`dugout run` without hardware, or another command; `client` holds the operator's cookie.

    Without a `port` it takes a free one; `more` is put behind its `settings`. `start` is the code that starts it, with
    `given` as its first arguments; `log` is where it says what went wrong; `env` is added to this environment.
    """

    def __init__(
        self,
        folder: Path,
        *options: str,
        command: str = "run",
        show: float = 0.3,
        port: int = 0,
        more: str = "",
        settings: str = SETTINGS,
        start: str = START,
        given: tuple[str, ...] = (),
        log: TextIO | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.port = folder, port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        file = folder / "dugout.toml"
        file.write_text(settings.format(port=self.port, show=show) + more)
        arguments = [*given, command, "--settings", str(file), "--data", str(folder), *options]
        self.process = subprocess.Popen(
            [sys.executable, "-c", start, *arguments],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})},
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said.startswith("The table is open"), f"the program said {said!r}"
        self.said = said
        self.client = httpx.Client(base_url=self.url, timeout=20)
        self.client.post("/table", data={"code": self.code})

    @property
    def code(self) -> str:
        """The code that the display shows."""
        with closing(sqlite3.connect(self.folder / "journal.db")) as db:
            (code,) = db.execute("select value from meta where key = 'code'").fetchone()
        return str(code)

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get("/api/view").json()
        return found

    def post(self, path: str, **body: Any) -> httpx.Response:
        return self.client.post(f"/api/{path}", json=body)

    def kill(self) -> None:
        """Kill -9: no goodbye, no flush."""
        self.process.kill()

    def end(self) -> int:
        """SIGTERM, as a service manager does; gives the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        self.process.kill()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()
