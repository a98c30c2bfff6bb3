"""`dugout dice`. Prints the dice report. A table may run."""

from __future__ import annotations

import argparse
import sqlite3

from device.analysis.dice_report import DiceReports
from device.commands import target
from device.machine import Machine
from device.named_file import error_text
from device.shapes import DiceReport, DieReport

ORIGIN_WORDS = {"camera": "read by the camera", "person": "entered or confirmed", "taught": "by stored readings"}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "count the faces of all dice in the stored games, and test whether they look fair"
    parser = commands.add_parser("dice", help=about, description=about[0].upper() + about[1:] + ".")
    target.add_options(parser)
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """Print the dice report. Raises CommandError."""
    _, data = target.select_table(args, Machine())
    try:
        target.check_readable(data)
        journal = data / "journal.db"
        if not journal.is_file():
            raise LookupError(f"there are no games in {data}")
        print("\n".join(report_lines(DiceReports(journal, data / "evidence").count_games())))
    except (LookupError, OSError, sqlite3.Error) as error:
        raise target.CommandError(f"{error_text(error).rstrip('.')}.") from error
    return 0


def report_lines(report: DiceReport) -> list[str]:
    """Format the report, with a paragraph for each die and a line for each game left out."""
    lines = [line for one in report.dice for line in (*_die_lines(one), "")]
    lines += [f"Left out: game {one.number}. {one.reason}" for one in report.skipped]
    return [*lines, f"Games counted: {report.games}. Explained on a table's page /dice."]


def _die_lines(one: DieReport) -> list[str]:
    counts = "  ".join(f"{face.face}: {face.count}" for face in one.faces)
    return [f"{one.title}, {ORIGIN_WORDS[one.origin]}, rolled {one.rolls} times", f"  {counts}", f"  {one.sentence}"]
