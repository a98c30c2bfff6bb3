"""Start the program from a process that has already imported it.

Most of the second that a start takes is importing. `python -m tests.device.warm_start` imports every module of the
program once and then forks a child for each start asked for: a real process with its own memory, files and signals, as
fresh as any other. Each test process has one such starter. Tests of the start itself use a new interpreter instead.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache

import psutil

ROOMS = ("engine", "managers", "vision", "device", "web")
LAZY = ("uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto")
"""Modules that are imported by name as the program starts."""


class WarmProcess:
    """A started program: the part of `subprocess.Popen` that tests use. Its output can be read from `stdout`."""

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str], stderr: int = 2) -> None:
        reading, writing = os.pipe()
        self.pid = int(_starter().ask({"arguments": arguments, "env": dict(env)}, writing, stderr))
        os.close(writing)
        self.stdout = os.fdopen(reading)
        self.returncode: int | None = None
        self._ended = os.pidfd_open(self.pid)

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the program has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it at once."""
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """Return its exit status, or None while it runs."""
        if self.returncode is None and self._waited(0):
            self.returncode = int(_starter().ask({"ended": self.pid}))
            os.close(self._ended)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, for `timeout` seconds at most. Raises subprocess.TimeoutExpired."""
        if self.returncode is None and not self._waited(timeout):
            raise subprocess.TimeoutExpired("dugout", timeout or 0)
        status = self.poll()
        assert status is not None
        return status

    def _waited(self, seconds: float | None) -> bool:
        return bool(select.select([self._ended], [], [], seconds)[0])


class _Starter:
    """The process that forks, as its client sees it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-m", "tests.device.warm_start", str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()

    def ask(self, what: Mapping[str, object], *files: int) -> str:
        socket.send_fds(self._socket, [json.dumps(what).encode()], files)
        answer = self._socket.recv(1 << 16).decode()
        assert answer, "the process that starts programs has ended"
        return answer

    def close(self) -> None:
        self._socket.close()
        self._process.wait()


@cache
def _starter() -> _Starter:
    starter = _Starter()
    atexit.register(starter.close)
    return starter


def _import_all() -> None:
    for room in ROOMS:
        found = importlib.import_module(room)
        for one in pkgutil.walk_packages(found.__path__, f"{room}."):
            if not one.name.endswith("__main__"):
                importlib.import_module(one.name)
    for name in LAZY:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()


def _serve(line: socket.socket) -> list[str]:
    """Fork for each start asked for; return the arguments in each child. Ends with its client."""
    while True:
        raw, files, _, _ = socket.recv_fds(line, 1 << 20, 2)
        if not raw:
            for child in psutil.Process().children():
                child.kill()
            sys.exit()
        asked = json.loads(raw)
        if "ended" in asked:
            _, status = os.waitpid(asked["ended"], 0)
            line.send(str(os.waitstatus_to_exitcode(status)).encode())
        elif pid := os.fork():
            for file in files:
                os.close(file)
            line.send(str(pid).encode())
        else:
            line.close()
            for number, file in enumerate(files, 1):
                os.dup2(file, number)
                os.close(file)
            os.environ.clear()
            os.environ.update(asked["env"])
            arguments: list[str] = asked["arguments"]
            return arguments


if __name__ == "__main__":
    _import_all()
    from device.cli import main

    raise SystemExit(main(_serve(socket.socket(fileno=int(sys.argv[1])))))
