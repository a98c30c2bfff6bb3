"""A small service manager: it starts the real program as a service, receives its messages, and hangs parts of it."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tests.device.process import SETTINGS, free_port

AGES = 60.0
"""Seconds after which a test gives up."""

QUIET = 1.0
"""Seconds without a ping after which pings have stopped: ten times the interval between two."""

LIMIT = 0.4
"""Watchdog timeout in seconds."""

START = """\
import sys
{plant}
from device.cli import main
raise SystemExit(main(sys.argv[1:]))
"""


class Manager:
    """The program under a manager: `plant` is code to run in it first, `settings` replaces its settings file."""

    def __init__(self, folder: Path, *options: str, command: str = "run", plant: str = "", settings: str = "") -> None:
        self.folder, self.port = folder, free_port()
        self.said: list[str] = []
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind(f"\0dugout-{os.getpid()}-{self.port}")
        file = folder / "dugout.toml"
        file.write_text(settings or SETTINGS.format(port=self.port, show=1))
        arguments = [command, "--settings", str(file), "--data", str(folder), *options]
        self.log = (folder / "log").open("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-c", START.format(plant=plant), *arguments],
            stdout=self.log,
            stderr=self.log,
            env={
                **os.environ,
                "NOTIFY_SOCKET": f"@dugout-{os.getpid()}-{self.port}",
                "WATCHDOG_USEC": str(int(LIMIT * 1e6)),
                "RUNTIME_DIRECTORY": str(folder),
            },
        )

    def hear(self, seconds: float = 0.0) -> str | None:
        """Return the next message, or None after this many seconds."""
        if not select.select([self._line], [], [], seconds)[0]:
            return None
        said = self._line.recv(4096).decode()
        self.said.append(said)
        return said

    def until(self, heard: Callable[[str], bool]) -> str:
        """Listen until `heard` is true of a message; return it."""
        late = time.monotonic() + AGES
        while time.monotonic() < late:
            said = self.hear(0.1)
            if said is not None and heard(said):
                return said
            assert said is not None or self.process.poll() is None, (self.folder / "log").read_text()
        raise AssertionError(f"it was never said; {self.said[-5:]} was")

    def ready(self) -> str:
        return self.until(lambda said: "READY=1" in said.split("\n"))

    def quiet(self) -> bool:
        """Wait for the pings to stop; return True if they did."""
        late = time.monotonic() + AGES
        while time.monotonic() < late and (said := self.hear(QUIET)):
            while said == "WATCHDOG=1" and self.hear() is not None:
                pass
        return time.monotonic() < late

    def end(self) -> int:
        """End the program as a manager does; return its exit status."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(AGES)
        while self.hear() is not None:
            pass
        return status

    def __enter__(self) -> Manager:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait(AGES)
        self.log.close()
        self._line.close()
