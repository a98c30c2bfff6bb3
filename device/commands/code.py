"""`dugout code`. Prints the operator's code, for a table without a display."""

from __future__ import annotations

import argparse
import sqlite3
from contextlib import closing
from pathlib import Path

from device.commands import target
from device.machine import Machine
from device.named_file import error_text
from device.storage import backup_switch
from device.storage.database import open_read_only

COMMAND_DESCRIPTION = (
    "Print the code that makes a phone the operator's. You need permission to read the journal (use sudo)."
)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("code", help="print the operator's code", description=COMMAND_DESCRIPTION)
    target.add_options(parser)
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """Print the code. Raises CommandError if it cannot be read."""
    _, data = target.select_table(args, Machine())
    try:
        backup_switch.finish_pending_restore(data)
        print(read_code(data / "journal.db"))
    except (LookupError, OSError, sqlite3.Error) as error:
        raise target.CommandError(f"cannot read a code in {data}: {error_text(error).rstrip('.')}.") from error
    return 0


def read_code(journal: Path) -> str:
    """Read the operator's code from a journal. Raises LookupError, OSError and sqlite3.Error."""
    with closing(open_read_only(journal)) as db:
        row = db.execute("select value from meta where key = 'code'").fetchone()
    if row is None:
        raise LookupError("no table was ever opened here")
    return str(row[0])
