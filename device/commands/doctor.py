"""`dugout doctor`: checks this machine and its table, and says what is wrong and what to do.

A running table holds the display, the cameras, the pins and the journal, so it is asked over its own pages for what
only it can know. If none runs, the parts are tried briefly.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from device.commands import target
from device.diagnostics import bundle, button_monitor, report, running_table
from device.diagnostics.checks.case import WRONG, Case
from device.machine import Machine
from device.storage import atomic_file

ABOUT = "Check this machine and its table, and say what is wrong and what to do. The table may be running."
NOTE = "Exit status: 1 if something is wrong. With sudo it sees the most."


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `doctor` to the command line."""
    about = "say what is wrong with this machine and what to do"
    parser = commands.add_parser("doctor", help=about, description=f"{ABOUT} {NOTE}")
    target.add_options(parser)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--bundle", metavar="FILE", nargs="?", const="", help="write a ZIP file without secrets, to send to a helper"
    )
    modes.add_argument("--buttons", action="store_true", help="show each button press live, until Ctrl-C")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Do what `args` say; return 0 if all is well, 1 if something is wrong, 2 if the bundle cannot be written."""
    machine = Machine()
    # Absolute before any library may change the folder.
    name = Path(args.bundle or f"dugout-doctor-{datetime.now():%Y%m%d-%H%M%S}.zip").resolve()
    file, data = target.meant(args, machine)
    seen = report.case(file, data)
    table, held = None, ""
    try:
        table = running_table.find(machine, seen.settings.web, seen.data)
    except running_table.NotAnswering as error:
        held = str(error)
    if args.buttons:
        return button_monitor.run(seen.settings, table, held)
    own: list[str] = []
    figures = None
    try:
        if table is not None:
            figures, own = table.figures(), table.log() if args.bundle is not None else []
    except OSError as error:
        held = f"the table did not answer ({error}). Run the doctor again."
    seen = report.case(file, data, figures, held)
    if table is None and not held:
        seen = _trying(seen)
    findings = report.examine(machine, seen)
    print(report.told(findings), end="")
    if args.bundle is not None:
        try:
            atomic_file.write(name, bundle.pack(machine, seen, findings, report.told(findings), own))
        except OSError as error:
            print(f"dugout: cannot write {name}: {error.strerror or error}.", file=sys.stderr)
            return 2
        print(f"All of this is in {name}, without codes, passwords and phones' addresses. Send it to your helper.")
    return int(any(one.verdict == WRONG for one in findings))


def _trying(seen: Case) -> Case:
    """The same, with its parts to be tried: nobody has them."""
    from device.diagnostics.probes import tries

    return replace(seen, tries=tries(seen.settings))
