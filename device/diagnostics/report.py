"""`dugout doctor`: what is wrong with this machine, and what to do, in plain words; also with its table running.

A running table has the display, the cameras, the pins and the journal. So it is asked over its own pages for what only
it can know; the rest is looked at here. While none runs the parts are tried, briefly.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from device.diagnostics import bundle
from device.diagnostics.checks import camera, disk, power, system, wiring
from device.diagnostics.checks.case import LOOK, OK, WRONG, Case, Finding
from device.machine import Machine
from device.settings import Settings, SettingsError, load

log = logging.getLogger("dugout.doctor")

CHECKS: tuple[Callable[[Machine, Case], Finding], ...] = (
    system.settings,
    system.service,
    power.power,
    power.slowed,
    power.temperature,
    power.model,
    wiring.display,
    wiring.buses,
    wiring.buttons,
    wiring.pins,
    camera.camera,
    wiring.others,
    disk.disk,
    disk.card,
    disk.space,
    disk.journal,
    system.network,
    system.port,
    system.clock,
    system.software,
)
"""All there is to look at, in the order in which it is told."""

MARKS = {WRONG: "✗ wrong", LOOK: "? look", OK: "✓ ok"}
ORDER = (WRONG, LOOK, OK)


def examine(machine: Machine, case: Case) -> list[Finding]:
    """Every finding, the worst first. A check that breaks is a finding itself, and keeps no other from being told."""
    found = [_look(check, machine, case) for check in CHECKS]
    return sorted(found, key=lambda one: ORDER.index(one.verdict))


def _look(check: Callable[[Machine, Case], Finding], machine: Machine, case: Case) -> Finding:
    try:
        return check(machine, case)
    except Exception as error:  # a machine may be odd in more ways than anybody thinks of
        log.exception("The check %s broke.", check.__name__)
        todo = "Send us the bundle, please: dugout doctor --bundle."
        return Finding(check.__name__, LOOK, f"This check broke: {type(error).__name__}.", todo)


def case(file: Path | None, data: Path | None, figures: Mapping[str, Any] | None = None, held: str = "") -> Case:
    """The table with these settings, read anew; those that cannot be used are told, and the defaults stand for them.

    `data` wins over what the settings say.
    """
    file = file or (Path(named) if (named := os.environ.get("DUGOUT_SETTINGS")) else None)
    try:
        settings, fault = load(file), ""
    except SettingsError as error:
        settings, fault = Settings(), str(error)
    return Case(settings, file, fault, (data or settings.data).expanduser(), figures, held)


def told(findings: Iterable[Finding]) -> str:
    """Findings as lines for a terminal, and how many want something done."""
    findings = list(findings)
    lines = []
    for one in findings:
        lines.append(f"{MARKS[one.verdict]:8}{one.name:12} {one.seen}".replace("\n", "\n" + " " * 21))
        lines += [f"{'':21}→ {one.todo}"] if one.todo else []
    wrong, look = (sum(one.verdict == verdict for one in findings) for verdict in (WRONG, LOOK))
    counts = [f"{wrong} wrong"] * bool(wrong) + [f"{look} worth a look"] * bool(look)
    lines.append(f"\n{', '.join(counts) if counts else 'All is well'}.")
    return "\n".join(lines) + "\n"


def packed(machine: Machine, seen: Case, own: Sequence[str]) -> bytes:
    """The file to send, a ZIP; `own` is the program's own log, for where the system's may not be read."""
    findings = examine(machine, seen)
    return bundle.pack(machine, seen, findings, told(findings), own)
