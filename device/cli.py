"""`dugout`: the one command, and its many."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

TABLE = {"run": "play at the table, with what hardware there is", "demo": "the same, all simulated"}
"""The commands that open a table, and what they do."""


def parser(command: str = "") -> argparse.ArgumentParser:
    """The command line of `dugout`; where `command` is `run` or `demo`, with nothing but those."""
    top = argparse.ArgumentParser(prog="dugout", description="The table companion for tabletop baseball.")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    if command not in TABLE:
        # Else not even loaded: the table's display comes first.
        from device.commands import backup, code, engine, games, print_board, read, wiring
        from device.diagnostics import report
        from device.inputs import calibration

        for other in (engine, read, calibration, print_board, backup, games, code, report, wiring):
            other.add(commands)
    for name, about in TABLE.items():
        program = commands.add_parser(name, help=about)
        program.add_argument("--settings", metavar="FILE", help="a settings file (docs/settings.md)")
        program.add_argument(
            "--game", metavar="KEY", help="the game to play, or to play on; another one on the table is put aside"
        )
        program.add_argument("--data", metavar="DIR", help="where the journal lives")
        program.add_argument("--host", help="the address to serve the pages on")
        program.add_argument("--port", type=_port, metavar="NUMBER", help="the port to serve the pages on")
        program.add_argument("--autoplay", type=int, metavar="SEED", help="let the table play by itself")
        if name == "demo":
            program.add_argument("--seed", type=int, metavar="NUMBER", help="have the drawn dice fall alike each time")
        program.set_defaults(run=_table, demo=name == "demo")
    return top


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"wants a number from 1 to 65535, not {text!r}")
    return int(text)


def _table(args: argparse.Namespace) -> int:
    from device.commands import run  # imported late: the small commands need no web, no display

    status: int = run.run(args)
    return status


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status."""
    given = sys.argv[1:] if argv is None else argv
    args = parser(*given[:1]).parse_args(given)
    try:
        status: int = args.run(args)
        return status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has gone: nothing is left to say, and Python must not try at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
