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
import resource
import select
import signal
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NoReturn

import psutil

LAZY = (
    *("uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto"),
    "numpy.ma",
)
"""Modules of libraries that are imported by name, or when they are first used."""


class WarmProcess:
    """A started program: the part of `subprocess.Popen` that tests use.

    Its output can be read from `stdout`, unless `files` are given for its input, output and errors. It runs in `folder`
    as `user`, by default where the tests run, as who runs them, and has `seconds` of processor time, by default as many
    as it likes. With `files` it ends without the interpreter's own clean-up, which takes longer than most commands.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        env: Mapping[str, str],
        stderr: int = 2,
        *,
        files: tuple[int, int, int] | None = None,
        folder: str = ".",
        user: int | None = None,
        seconds: int | None = None,
    ) -> None:
        asked = {"arguments": arguments, "env": dict(env), "folder": os.path.abspath(folder), "quick": bool(files)}
        asked |= {"user": user, "seconds": seconds}
        reading, writing = os.pipe()
        with open(os.devnull) as nothing:
            self.pid = int(_starter().ask(asked, *(files or (nothing.fileno(), writing, stderr))))
        os.close(writing)
        self.stdout = os.fdopen(reading)
        self.returncode: int | None = None
        self.peak = 0.0  # megabytes of memory that it used at most, once it has ended
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
            self.returncode, peak = map(int, _starter().ask({"ended": self.pid}).split())
            self.peak = peak / 1000
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


@cache
def import_all() -> None:
    """Import what the program may import later; also what nobody but root could read then."""
    packages = ("device", "engine", "managers", "vision", "web", "encodings", "importlib", "concurrent")
    for package in map(importlib.import_module, packages):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            with suppress(ImportError):  # of a library that only a Pi has, or only Windows
                importlib.import_module(module.name)
    for name in LAZY:
        importlib.import_module(name)
    importlib.import_module("PIL.Image").init()  # its file formats


def forked(work: Callable[[], int]) -> int:
    """Do this in a process of its own, which may become another user; return its exit status, 99 after a traceback."""
    import_all()
    child = os.fork()
    if child == 0:
        status = 99
        try:
            status = work()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _prepare() -> None:
    import_all()
    gc.collect()
    gc.freeze()


def _serve(line: socket.socket) -> dict[str, Any]:
    """Fork for each start asked for; return what was asked in each child. Ends with its client."""
    while True:
        raw, files, _, _ = socket.recv_fds(line, 1 << 20, 3)
        if not raw:
            for child in psutil.Process().children():
                child.kill()
            sys.exit()
        asked: dict[str, Any] = json.loads(raw)
        if "ended" in asked:
            _, status, used = os.wait4(asked["ended"], 0)
            line.send(f"{os.waitstatus_to_exitcode(status)} {used.ru_maxrss}".encode())
        elif pid := os.fork():
            for file in files:
                os.close(file)
            line.send(str(pid).encode())
        else:
            line.close()
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            _become(asked)
            return asked


def _become(asked: Mapping[str, Any]) -> None:
    """Take on the environment, folder, limits and user that were asked for."""
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["folder"])
    encoding, _, errors = asked["env"].get("PYTHONIOENCODING", "utf-8").partition(":")
    sys.stdin = os.fdopen(0, encoding=encoding, errors=errors or None, closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding=encoding, errors=errors or None, closefd=False)
    if asked["seconds"] is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"] + 1))
    if (user := asked["user"]) is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def _end_quickly(arguments: Sequence[str]) -> NoReturn:
    """Run the program, and end without the interpreter's own clean-up."""
    from device.cli import main

    status = 1
    try:
        status = main(arguments)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


if __name__ == "__main__":
    _prepare()
    from device.cli import main

    told = _serve(socket.socket(fileno=int(sys.argv[1])))
    if told["quick"]:
        _end_quickly(told["arguments"])
    raise SystemExit(main(told["arguments"]))
