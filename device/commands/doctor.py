"""`dugout doctor`. Checks this machine and its table, and reports problems and fixes.

A running table owns the display, the cameras, the pins and the journal, so the doctor asks it about them. If no table
is running, the parts are tested briefly.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

from device.commands import arguments, files, target
from device.diagnostics import bundle, button_monitor, probes, report, running_table
from device.machine import Machine
from device.settings import Settings

COMMAND_DESCRIPTION = """\
Check this machine and its table, diagnose problems and suggest fixes. The table can be running. With sudo, the doctor
sees most. Exit status: 1 if something is wrong, 2 if the bundle cannot be written."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("doctor", help="diagnose problems and suggest fixes", description=COMMAND_DESCRIPTION)
    target.add_options(parser)
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--bundle",
        type=arguments.path_argument,
        metavar="FILE",
        nargs="?",
        const=files.STANDARD_STREAM,
        help="write a ZIP file without secrets for support (default: to standard output)",
    )
    modes.add_argument("--buttons", action="store_true", help="show each button press live, until Ctrl-C")
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """Run the doctor. Return 0 if all is well, 1 if something is wrong, 2 if the bundle cannot be written."""
    machine, private = bundle.collect_root_facts(Machine())  # before root becomes another user
    facts = report.gather_facts(machine, *target.select_table(args, machine, Settings()))
    out, where = sys.stdout, args.bundle and args.bundle.absolute()
    if args.bundle == files.STANDARD_STREAM:
        out, where = sys.stderr, "standard output"
    with (
        nullcontext() if args.bundle is None else files.open_for_writing(args.bundle, "dugout doctor --bundle") as file
    ):
        table = None
        try:
            table = running_table.find_report(facts)
        except running_table.TableNotAnsweringError as error:
            facts = replace(facts, unreachable=str(error))
        if args.buttons:
            ask = None if table is None else partial(running_table.request_report, facts.data)
            return button_monitor.monitor_buttons(facts.settings, ask, facts.unreachable)
        if table is not None:
            facts = replace(facts, figures=table.figures, running=True)
        elif not facts.unreachable:
            facts = replace(facts, figures=probes.probe_components(facts.settings))
        findings = report.run_checks(facts)
        print(report.report_text(findings), end="", file=out)
        if file is not None:
            file.write(bundle.pack_bundle(facts, findings, table.log if table else [], private))
    if args.bundle is not None:
        print(f"All of this is in {where}, without codes, passwords or phone addresses.", file=out)
        print("Send it to whoever is helping you.", file=out)
    return int(any(one.verdict == "wrong" for one in findings))
