"""`dugout code`: the operator's code, for a table without a display. Who may read the journal may know it."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

from device.commands.target import meant
from device.machine import Machine
from device.settings import SettingsError, load
from device.storage.read_only import glance


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add it to the `dugout` command line."""
    about = "the code that makes a phone the operator's"
    parser = commands.add_parser("code", help=about, description=about[0].upper() + about[1:] + ".")
    parser.add_argument("--settings", metavar="FILE", help="a settings file (docs/settings.md)")
    parser.add_argument("--data", metavar="DIR", help="where the journal lives")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the code: 0 when there is one, 2 when not."""
    file, data = meant(args, Machine())
    try:
        data = data or load(file).data
        print(read(data.expanduser() / "journal.db"))
    except SettingsError as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    except (LookupError, OSError, sqlite3.Error) as error:
        print(f"dugout: there is no code to be read in {data}: {error}.", file=sys.stderr)
        return 2
    return 0


def read(journal: Path) -> str:
    """The code of the table that this journal belongs to. Raises LookupError, OSError and sqlite3.Error."""
    with closing(glance(journal)) as db:
        row = db.execute("select value from meta where key = 'code'").fetchone()
    if row is None:
        raise LookupError("no table was ever open here")
    return str(row[0])
