"""The `dugout` command line: the list of its commands, one module of `device.commands` each."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import Any, TextIO, cast

from device.commands import rights
from device.commands.target import CommandError
from engine.text.visible_text import cleaned

COMMANDS = {
    "run": "run",
    "demo": "run",
    "doctor": "doctor",
    "calibrate": "calibrate",
    "wiring": "wiring",
    "code": "code",
    "games": "games",
    "backup": "backup",
    "restore": "backup",
    "sheet": "print_board",
    "read": "read",
    "engine": "engine",
    "update": "update",
}
"""Each command's module, in the order of `dugout --help`."""


def parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser for one command, or for all of them if `command` is none.

    Only the modules that are needed are imported: on a small Pi, importing them all would delay the table's display.
    """
    top = argparse.ArgumentParser(prog="dugout", description="The table companion for tabletop baseball.")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    if command in COMMANDS:
        modules = [COMMANDS[command]]
    else:
        from importlib import metadata

        modules = list(dict.fromkeys(COMMANDS.values()))
        version = f"dugout {metadata.version('dugout')}"
        top.add_argument("--version", action="version", version=version, help="show the version and exit")
    for module in modules:
        import_module(f"device.commands.{module}").add(commands)
    return top


class Terminal:
    """A text stream that prints no control characters: names and paths may hold commands to a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, words: str) -> int:
        """Print words, without what `cleaned` removes."""
        self._stream.write(cleaned(words))
        return len(words)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    # A stream that is closed is None, and stays so: `print` then prints nothing.
    out, err = (one and cast(TextIO, Terminal(one)) for one in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        return _run(sys.argv[1:] if argv is None else argv)


def _run(words: Sequence[str]) -> int:
    args = parser(*words[:1]).parse_args(words)
    return _ended(lambda: rights.carry_out(args, lambda: _ended(lambda: args.run(args))))


def _ended(work: Callable[[], int]) -> int:
    """Return the exit status of a command."""
    try:
        return work()
    except CommandError as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output is gone. Keep Python from writing to it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
