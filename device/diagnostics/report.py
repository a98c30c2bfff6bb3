"""The list of checks, their findings, and the report in words."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from device.diagnostics.checks import disk, parts, phones, power, system
from device.diagnostics.facts import Facts, look
from device.machine import Machine
from device.named_file import reason
from device.settings import Settings, SettingsError, expanded, load
from device.shapes import Finding

log = logging.getLogger("dugout.doctor")

Check = Callable[[Facts], Finding]

CHECKS: Mapping[str, Check] = {
    "settings": system.settings,
    "service": system.service,
    "power": power.power,
    "speed": power.slowed,
    "temperature": power.temperature,
    "machine": power.model,
    "display": parts.display,
    "I²C": parts.buses,
    "buttons": parts.buttons,
    "pins": parts.pins,
    "camera": parts.camera,
    "announcer": parts.announcer,
    "other parts": parts.others,
    "disk": disk.disk,
    "card": disk.card,
    "kept": disk.space,
    "journal": disk.journal,
    "games": disk.games,
    "network": system.network,
    "port": system.port,
    "phones": phones.refused,
    "clock": system.clock,
    "versions": system.software,
}
"""All checks by name, in the order of the report."""

MARKS = {"wrong": "✗ wrong", "look": "? look", "ok": "✓ ok"}  # each verdict in the report, the worst first
COUNTED = {"wrong": "wrong", "look": "worth a look"}  # the verdicts that the last line counts


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
    return Facts(machine, settings, file, fault, expanded(data or settings.data))


def examine(facts: Facts) -> list[Finding]:
    """Run every check and return the findings, worst first. A check that raises becomes a finding itself."""
    found = []
    for name, check in CHECKS.items():
        try:
            finding = check(facts)
        except OSError as error:
            finding = look(f"This check failed. {reason(error)}", "Check the name, or run this with sudo.")
        except Exception as error:  # a machine may be odd in ways that no check expects
            log.exception("The check %s failed.", name)
            finding = look(
                f"This check failed: {type(error).__name__}.", "Send us the file: sudo dugout doctor --bundle > FILE."
            )
        found.append(replace(finding, name=name))
    return sorted(found, key=lambda one: list(MARKS).index(one.verdict))


def as_text(findings: Iterable[Finding]) -> str:
    """Return the findings as lines for a terminal, with a summary at the end."""
    findings = list(findings)
    lines = []
    for one in findings:
        lines.append(f"{MARKS[one.verdict]:8}{one.name:12} {one.seen}".replace("\n", "\n" + " " * 21))
        lines += [f"{'':21}→ {one.todo}"] if one.todo else []
    counts = Counter[str](one.verdict for one in findings)
    words = [f"{counts[verdict]} {name}" for verdict, name in COUNTED.items() if counts[verdict]]
    lines.append(f"\n{', '.join(words) or 'All is well'}.")
    return "\n".join(lines) + "\n"
