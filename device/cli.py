"""The `dugout` command line. Each command is one module of `device.commands`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from typing import Any, TextIO, cast

from device.commands.target import CommandError
from device.named_file import error_text, without_long_words
from device.settings import SettingsError
from engine.text.ascii_text import encodable_text
from engine.text.visible_text import printable_text

COMMAND_MODULES = {
    "run": "run",
    "demo": "run",
    "doctor": "doctor",
    "calibrate": "calibrate",
    "wiring": "wiring",
    "code": "code",
    "games": "games",
    "dice": "dice",
    "league": "league",
    "backup": "backup",
    "restore": "backup",
    "sheet": "print_board",
    "read": "read",
    "engine": "engine",
}
"""Each command's module, in the order of `dugout --help`."""


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """Build the parser for `command` if it is known, else for all. Importing all delays the display on a small Pi."""
    top = argparse.ArgumentParser(prog="dugout", description="The table companion for tabletop baseball.")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    if command in COMMAND_MODULES:
        modules = [COMMAND_MODULES[command]]
    else:
        from importlib import metadata

        modules = list(dict.fromkeys(COMMAND_MODULES.values()))
        version = f"dugout {metadata.version('dugout')}"
        top.add_argument("--version", action="version", version=version, help="show the version and exit")
    for module in modules:
        import_module(f"device.commands.{module}").add_parser(commands)
    return top


class SafeTextStream:
    """Text stream that prints no control characters, because names and paths may hold terminal commands.

    A character that the terminal's encoding lacks is spelled in others, or printed as "?". `shorten` cuts the middle of
    very long words.
    """

    def __init__(self, stream: TextIO, shorten: bool = False) -> None:
        self._stream, self._shorten = stream, shorten

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, words: str) -> int:
        shown = printable_text(without_long_words(words) if self._shorten else words)
        self._stream.write(encodable_text(shown, self._stream.encoding or "utf-8"))
        return len(words)


def main(argv: Sequence[str] | None = None) -> int:
    # A closed stream is None and stays None, because `print` then prints nothing.
    out = sys.stdout and cast(TextIO, SafeTextStream(sys.stdout))
    err = sys.stderr and cast(TextIO, SafeTextStream(sys.stderr, shorten=True))
    with redirect_stdout(out), redirect_stderr(err):
        return _run_command(sys.argv[1:] if argv is None else argv)


def _run_command(words: Sequence[str]) -> int:
    args = build_parser(*words[:1]).parse_args(words)
    return _exit_status(lambda: args.run(args))


def _exit_status(work: Callable[[], int]) -> int:
    """Run a command and return its exit status. Errors of the system are printed as one sentence."""
    try:
        return _flush_output(work())
    except (CommandError, SettingsError) as error:
        print(f"dugout: {error}", file=sys.stderr)
        return _flush_output(2)
    except KeyboardInterrupt:
        return _flush_output(130)
    except BrokenPipeError:
        _discard_output()
        return 141
    except OSError as error:
        print(f"dugout: {error_text(error)}", file=sys.stderr)
        return _flush_output(2)
    except (ImportError, LookupError):
        if all(os.access(file, os.R_OK) for file in (__file__, os.__file__)):
            raise
        # The process gave up root's rights (device.commands.privileges), and its new user may not read modules not yet
        # imported.
        print("dugout: the owner of these files cannot read the program: install it for all users.", file=sys.stderr)
        return _flush_output(2)


def _flush_output(status: int) -> int:
    """Flush the output and return `status`, or the status of a failed flush if `status` was 0.

    Python itself would flush at exit and print a traceback.
    """
    try:
        print(end="", flush=True)
    except OSError as error:
        _discard_output()
        if status == 0 and isinstance(error, BrokenPipeError):
            return 141
        if status == 0:
            print(f"dugout: {error_text(error)}", file=sys.stderr)
            return 2
    return status


def _discard_output() -> None:
    """Discard buffered output if its reader is gone or its disk is full, so that Python does not write it at exit."""
    with suppress(OSError, AttributeError, ValueError):  # no output stream
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
