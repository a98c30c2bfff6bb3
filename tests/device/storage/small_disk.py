"""A real file system of a few megabytes, which is soon full."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def on_a_small_disk(disk: Path, size: str, script: str) -> subprocess.CompletedProcess[str]:
    """Run a Python script with the path of a new disk of this size; "mounted" is the first line of its output.

    The size may be followed by other limits of tmpfs, such as `,nr_inodes=20`.

    Skips the test where no disk can be made.
    """
    disk.mkdir()
    inner = f'mount -t tmpfs -o size={size} tmpfs "{disk}" && echo mounted && exec "$@"'
    own = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", inner, "sh"]
    if shutil.which("unshare") is None or "mounted" not in run([*own, "true"]).stdout:
        pytest.skip("no small file system can be made here")
    return run([*own, sys.executable, "-c", script, str(disk)])


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
