"""The list of checks, their findings, and the report in words."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from device.diagnostics.checks import camera, disk, power, system, wiring
from device.diagnostics.facts import LOOK, OK, WRONG, Facts, Finding
from device.machine import Machine
from device.settings import Settings, SettingsError, load

log = logging.getLogger("dugout.doctor")

Check = Callable[[Facts], Finding]

CHECKS: Mapping[str, Check] = {
    "settings": system.settings,
    "service": system.service,
    "power": power.power,
    "speed": power.slowed,
    "temperature": power.temperature,
    "machine": power.model,
    "display": wiring.display,
    "I²C": wiring.buses,
    "buttons": wiring.buttons,
    "pins": wiring.pins,
    "camera": camera.camera,
    "other parts": wiring.others,
    "disk": disk.disk,
    "card": disk.card,
    "kept": disk.space,
    "journal": disk.journal,
    "network": system.network,
    "port": system.port,
    "clock": system.clock,
    "versions": system.software,
}
"""All checks by name, in the order of the report."""

MARKS = {WRONG: "✗ wrong", LOOK: "? look", OK: "✓ ok"}
ORDER = (WRONG, LOOK, OK)


def gather(machine: Machine, file: Path | None, data: Path | None) -> Facts:
    """Return the facts that can be known without the table's parts.

    The settings are read from `file`, or as `device.settings.load` finds them; if they are not valid the defaults take
    their place. `data` takes precedence over the settings.
    """
    file = file or (Path(named) if (named := os.environ.get("DUGOUT_SETTINGS")) else None)
    try:
        settings, fault = load(file), ""
    except SettingsError as error:
        settings, fault = Settings(), str(error)
    return Facts(machine, settings, file, fault, (data or settings.data).expanduser())


def examine(facts: Facts) -> list[Finding]:
    """Run every check and return the findings, worst first. A check that raises becomes a finding itself."""
    found = [replace(_run(name, check, facts), name=name) for name, check in CHECKS.items()]
    return sorted(found, key=lambda one: ORDER.index(one.verdict))


def _run(name: str, check: Check, facts: Facts) -> Finding:
    try:
        return check(facts)
    except Exception as error:  # a machine may be odd in ways that no check expects
        log.exception("The check %s failed.", name)
        return Finding(name, LOOK, f"This check failed: {type(error).__name__}.", "Send us: dugout doctor --bundle.")


def as_text(findings: Iterable[Finding]) -> str:
    """Return the findings as lines for a terminal, with a summary at the end."""
    findings = list(findings)
    lines = []
    for one in findings:
        lines.append(f"{MARKS[one.verdict]:8}{one.name:12} {one.seen}".replace("\n", "\n" + " " * 21))
        lines += [f"{'':21}→ {one.todo}"] if one.todo else []
    bad, odd = (sum(one.verdict == verdict for one in findings) for verdict in (WRONG, LOOK))
    counts = [f"{bad} wrong"] * bool(bad) + [f"{odd} worth a look"] * bool(odd)
    lines.append(f"\n{', '.join(counts) if counts else 'All is well'}.")
    return "\n".join(lines) + "\n"
