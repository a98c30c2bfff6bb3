"""Run the real program as a process and drive it over its pages, as the operator's phone does."""

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

from tests.device.warm_start import WarmProcess

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


PATIENCE = 300
"""Seconds that nothing takes, however slow the machine: what takes longer never comes."""

COLD = "from device.cli import main; raise SystemExit(main())"
"""The `start` of a new interpreter, as a person's is."""


def free_port() -> int:
    """Return a port of this machine that nothing listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Program:
    """`dugout run` without hardware, or another command; `client` holds the operator's cookie.

    It is forked from a process that has imported the program already, unless `start` is code for a new interpreter.
    Without a `port` it takes a free one. `more` is appended to its `settings`. `given` are the first arguments. Errors
    are written to `log`. `env` is added to this environment.
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
        start: str | None = None,
        given: tuple[str, ...] = (),
        log: TextIO | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.folder, self.port = folder, port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        file = folder / "dugout.toml"
        file.write_text(settings.format(port=self.port, show=show) + more)
        arguments = [*given, command, "--settings", str(file), "--data", str(folder), *options]
        around = {**os.environ, "PYTHONUNBUFFERED": "1", **(env or {})}
        self.process: subprocess.Popen[str] | WarmProcess
        if start is None:
            self.process = WarmProcess(arguments, around, log.fileno() if log else 2)
        else:
            command_line = [sys.executable, "-c", start, *arguments]
            self.process = subprocess.Popen(command_line, stdout=subprocess.PIPE, stderr=log, text=True, env=around)
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert said.startswith("The table is open"), f"the program said {said!r}"
        self.said = said
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE)
        self.client.post("/table", data={"code": self.code})

    @property
    def code(self) -> str:
        """The operator's code, which the display shows."""
        with closing(sqlite3.connect(self.folder / "journal.db")) as db:
            (code,) = db.execute("select value from meta where key = 'code'").fetchone()
        return str(code)

    def view(self) -> dict[str, Any]:
        """Return what the operator sees."""
        found: dict[str, Any] = self.client.get("/api/view").json()
        return found

    def post(self, path: str, **body: Any) -> httpx.Response:
        """Send a request to the API as the operator."""
        return self.client.post(f"/api/{path}", json=body)

    def undo(self, n: int | None = None) -> httpx.Response:
        """Take back an answer, or the last one, as the operator's page does: of the game as it stands now."""
        return self.post("undo", n=n, version=self.view()["table"]["version"])

    def kill(self) -> None:
        """Kill it with SIGKILL: it can neither say goodbye nor flush."""
        self.process.kill()

    def end(self) -> int:
        """End it with SIGTERM, as a service manager does; return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Program:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        self.process.kill()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
