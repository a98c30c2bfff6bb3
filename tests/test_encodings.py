"""The program reads and writes text as UTF-8, whatever the locale says."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
FOLDERS = ("device", "engine", "managers", "vision", "web")
PROCESS_CALLS = {"run", "Popen", "check_output", "call", "check_call"}


def follows_locale(call: ast.Call) -> bool:
    """True for a call that would use the locale's encoding for a file or a process."""
    named = {word.arg: word.value for word in call.keywords}
    if "encoding" in named:
        return False
    owner, _, name = ast.unparse(call.func).rpartition(".")
    if owner and name in ("read_text", "write_text"):
        return len(call.args) < (1 if name == "read_text" else 2)
    if name == "fdopen" or (name == "open" and owner != "os"):
        modes = call.args[0 if owner not in ("", "io", "os") else 1 :][:1]
        mode = named.get("mode") or (modes[0] if modes else ast.Constant("r"))
        return isinstance(mode, ast.Constant) and set(str(mode.value)) <= set("rwxat+")
    return name in PROCESS_CALLS and bool({"text", "universal_newlines", "errors"} & set(named))


def calls_that_follow_locale(source: str) -> list[int]:
    """Lines of these calls."""
    return [one.lineno for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call) and follows_locale(one)]


@pytest.mark.parametrize(
    "line",
    [
        "file.read_text()",
        'Path(name).read_text(errors="replace")',
        "file.write_text(words)",
        "open(name)",
        'open(name, "w")',
        "path.open()",
        'path.open("a", newline="")',
        'os.fdopen(handle, "r")',
        "subprocess.run(command, text=True)",
        'check_output(command, errors="replace")',
    ],
)
def test_a_call_that_follows_the_locale_is_found(line: str) -> None:
    assert [1] == calls_that_follow_locale(line)


@pytest.mark.parametrize(
    "line",
    [
        'file.read_text("utf-8")',
        'machine.read_text("proc/cmdline")',
        'file.write_text(words, "utf-8")',
        'open(name, "rb")',
        'path.open("wb")',
        "os.open(name, os.O_RDONLY)",
        "zip.open(member)",
        'subprocess.run(command, encoding="utf-8", errors="replace")',
        "subprocess.run(command, capture_output=True)",
    ],
)
def test_a_call_that_names_its_encoding_is_not(line: str) -> None:
    assert [] == calls_that_follow_locale(line)


def test_no_call_follows_the_locale() -> None:
    """Every text file and every process of the program names its encoding."""
    assert [] == [
        f"{file.relative_to(PROJECT)}:{line}"
        for folder in FOLDERS
        for file in (PROJECT / folder).rglob("*.py")
        for line in calls_that_follow_locale(file.read_text("utf-8"))
    ]
