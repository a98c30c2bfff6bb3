"""`dugout doctor`: checks this machine and its table, and says what is wrong and what to do.

A running table owns the display, the cameras, the pins and the journal, so it is asked for what only it can know. If no
table is running, the parts are tried briefly.
"""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from device.commands import arguments, target
from device.commands.files import Destination
from device.commands.rights import Errand
from device.diagnostics import bundle, button_monitor, probes, report, running_table
from device.machine import Machine
from device.settings import Settings

ABOUT = """\
Check this machine and its table, and say what is wrong and what to do. The table may be running. With sudo the doctor
sees most. Exit status: 1 if something is wrong, 2 if the bundle cannot be written."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `doctor` to the command line."""
    parser = commands.add_parser("doctor", help="say what is wrong and what to do", description=ABOUT)
    target.add_options(parser)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--bundle",
        type=arguments.path_text,
        metavar="FILE",
        nargs="?",
        const="",
        help="write a ZIP file without secrets, to send to a helper",
    )
    modes.add_argument("--buttons", action="store_true", help="show each button press live, until Ctrl-C")
    parser.set_defaults(run=run, place=place, prepare=prepare)


def place(args: argparse.Namespace) -> Path:
    """Return the data folder; that of the default settings if those of the table are not valid."""
    return target.place(args, Settings())


def prepare(args: argparse.Namespace, opened: ExitStack) -> dict[str, Errand]:
    """Open the bundle, and ask the machine what only root may know."""
    args.machine, args.private = bundle.asked(Machine())
    if args.bundle is None:
        return {}
    # Absolute now, because a library may change the working directory.
    args.bundle = Path(os.path.abspath(args.bundle or f"dugout-doctor-{datetime.now():%Y%m%d-%H%M%S}.zip"))
    try:
        args.destination = opened.enter_context(closing(Destination(args.bundle)))
    except OSError as error:
        raise target.CommandError(f"cannot write {args.bundle}: {error.strerror or error}.") from error
    return {"place": args.destination.place}


def run(args: argparse.Namespace) -> int:
    """Do what `args` say; return 0 if all is well, 1 if something is wrong, 2 if the bundle cannot be written."""
    facts, table = report.gather(args.machine, *target.resolve(args, args.machine)), None
    try:
        table = running_table.find(facts)
    except running_table.NotAnswering as error:
        facts = replace(facts, unreachable=str(error))
    if args.buttons:
        ask = None if table is None else partial(running_table.ask, facts.data)
        return button_monitor.run(facts.settings, ask, facts.unreachable)
    log = [] if table is None else table.log
    if table is not None:
        facts = replace(facts, figures=table.figures, running=True)
    elif not facts.unreachable:
        facts = replace(facts, figures=probes.try_parts(facts.settings))
    findings = report.examine(facts)
    print(report.as_text(findings), end="")
    if args.bundle is not None:
        try:
            args.destination.file.write(bundle.pack(facts, findings, log, args.private))
            args.destination.file.flush()
            args.errands.do("place")
        except OSError as error:
            raise target.CommandError(f"cannot write {args.bundle}: {error.strerror or error}.") from error
        print(f"All of this is in {args.bundle}, without codes, passwords and phones' addresses.")
        print("Send it to your helper.")
    return int(any(one.verdict == "wrong" for one in findings))
