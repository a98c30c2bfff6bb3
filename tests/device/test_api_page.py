"""The commands of docs/develop/api.md do what the page says."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.device.process import PATIENCE, Program

PAGE = (Path(__file__).parents[2] / "docs/develop/api.md").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="The commands need curl.")
def test_each_command_of_the_page(tmp_path: Path) -> None:
    """In order, against a table that has just begun; a shell runs them as a reader would."""
    commands = re.findall(r"^ +(curl .*)$", PAGE, re.MULTILINE)
    said = []
    with Program(tmp_path) as program:
        for command in commands:
            line = f"TABLE={program.url} CODE={program.code}; {command}"
            done = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
            assert done.returncode in (0, 28), (command, done.stderr)  # 28: a stream, ended by --max-time
            said.append(done.stdout)
        program.end()
    look, sat, mine, answered, refused, stream, changes, left = said
    assert '"seat":null' in look
    assert ("", "") == (sat, left)
    assert '"table":{"seat":"away"' in mine
    assert '{"ok":true}' == answered
    assert '{"error":"stale","sentence":"That was answered already."}' == refused
    for told in (stream, changes):
        assert "event: view" in told
        assert "event: panel" in told
