"""Run `dugout` on hostile input, with bounds on what it may use."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass

from tests.device.warm_start import WarmProcess

SECONDS, MEMORY = 5, 400
"""Processor time and megabytes that a command may use. Not the clock: a busy machine takes its time."""

PATIENCE = 300
"""Seconds by the clock, after which a command hangs."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str


def dugout(
    *words: object,
    given: bytes = b"",
    env: Mapping[str, str] | None = None,
    folder: str = ".",
    user: int | None = None,
) -> Ended:
    """Run a command. Raises AssertionError if it used too much, hung, or printed a traceback."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(given)
        source.seek(0)
        files = source.fileno(), out.fileno(), err.fileno()
        around = {**os.environ, **(env or {})}
        process = WarmProcess([*map(str, words)], around, files=files, folder=folder, user=user, seconds=SECONDS)
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"It hung: {words}") from None
        finally:
            process.stdout.close()
        for file in (out, err):
            file.seek(0)
        ended = Ended(status, out.read().decode(), err.read().decode())
    assert status >= 0, f"It was killed ({status}): {ended.err[-500:]}"
    assert "Traceback" not in ended.err, ended.err[-2000:]
    assert process.peak < MEMORY
    return ended


def refused(*words: object) -> str:
    """Run a command that must be refused; return the one line that says why."""
    ended = dugout(*words)
    (line,) = (ended.err or ended.out).splitlines()
    assert (2, "") == (ended.status, ended.out if ended.err else "")
    return line
