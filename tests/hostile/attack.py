"""Run `dugout` on hostile input, with bounds on what it may use."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

SECONDS, MEMORY = 5, 400
"""Processor time and megabytes that a command may use. Not the clock: a busy machine takes its time."""

PATIENCE = 60
"""Seconds by the clock, after which a command hangs."""

START = """\
import os, re, sys
from device.cli import main
try:
    status = main()
finally:
    peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]
    os.write(int(os.environ["DUGOUT_PEAK"]), peak.encode())
raise SystemExit(status)
"""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended; `peak` is the memory it used at most, in megabytes."""

    status: int
    out: str
    err: str
    peak: float


def dugout(*words: object, given: bytes = b"", env: Mapping[str, str] | None = None) -> Ended:
    """Run a command. Raises AssertionError if it used too much, hung, or printed a traceback."""
    read, write = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-c", START, *map(str, words)],
            input=given,
            capture_output=True,
            check=False,
            timeout=PATIENCE,
            env={**os.environ, **(env or {}), "DUGOUT_PEAK": str(write)},
            pass_fds=[write],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1)),
        )
    except subprocess.TimeoutExpired:
        raise AssertionError(f"It hung: {words}") from None
    finally:
        os.close(write)
        with os.fdopen(read) as pipe:
            told = pipe.read()
    err = done.stderr.decode()
    assert told, f"It was killed ({done.returncode}): {err[-500:]}"
    assert "Traceback" not in err, err[-2000:]
    ended = Ended(done.returncode, done.stdout.decode(), err, int(told) / 1000)
    assert ended.peak < MEMORY
    return ended


def refused(*words: object) -> str:
    """Run a command that must be refused; return the one line that says why."""
    ended = dugout(*words)
    (line,) = (ended.err or ended.out).splitlines()
    assert (2, "") == (ended.status, ended.out if ended.err else "")
    return line
