"""`dugout doctor`: checks this machine and its table, and says what is wrong and what to do.

A running table owns the display, the cameras, the pins and the journal, so it is asked over its own pages for what only
it can know. If no table is running, the parts are tried briefly.
"""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from device.commands import arguments, target
from device.commands.files import Destination
from device.commands.rights import Errand
from device.diagnostics import bundle, button_monitor, probes, report, running_table
from device.diagnostics.facts import Facts
from device.diagnostics.running_table import RunningTable
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
    facts = report.gather(args.machine, *target.resolve(args, args.machine))
    table = None
    with _ended_in_order():
        try:
            try:
                table = running_table.find(facts)
            except running_table.NotAnswering as error:
                facts = replace(facts, unreachable=str(error))
            return _examine(args, facts, table)
        finally:
            if table is not None:
                table.leave()


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let a command end as by Ctrl-C when its terminal is closed, or by SIGTERM."""
    before = {one: signal.signal(one, signal.default_int_handler) for one in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _examine(args: argparse.Namespace, facts: Facts, table: RunningTable | None) -> int:
    log = list[str]()
    if args.buttons:
        return button_monitor.run(facts.settings, table, facts.unreachable)
    if table is not None:
        try:
            figures, log = table.figures(), table.log() if args.bundle is not None else []
            facts = replace(facts, figures=figures, running=True)
        except OSError as error:
            facts = replace(facts, unreachable=f"the table did not answer ({error}). Run the doctor again.")
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
