"""List of checks, their findings, and the report as text."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from device.diagnostics.checks import analysis, disk, leagues, network, parts, phones, power, system
from device.diagnostics.facts import DoctorFacts, look_finding
from device.machine import Machine
from device.named_file import error_text
from device.settings import Settings, SettingsError, expand_path, load_settings
from device.shapes import Finding

log = logging.getLogger("dugout.doctor")

CheckFunction = Callable[[DoctorFacts], Finding]

CHECKS_BY_NAME: Mapping[str, CheckFunction] = {
    "settings": system.check_settings,
    "service": system.check_service,
    "power": power.check_power,
    "speed": power.check_speed,
    "temperature": power.check_temperature,
    "machine": power.check_model,
    "display": parts.check_display,
    "I²C": parts.check_i2c_buses,
    "buttons": parts.check_buttons,
    "pins": parts.check_pins,
    "camera": parts.check_camera,
    "announcer": parts.check_announcer,
    "analysis": analysis.check_analysis,
    "other parts": parts.check_other_components,
    "disk": disk.check_disk_space,
    "card": disk.check_card,
    "kept": disk.check_stored_size,
    "journal": disk.check_journal,
    "games": disk.check_games,
    "leagues": leagues.check_leagues,
    "network": network.check_network,
    "name": network.check_name,
    "hotspot": network.check_hotspot,
    "port": network.check_port,
    "phones": phones.check_phones,
    "clock": system.check_clock,
    "versions": system.check_software,
}
"""All checks by name, in the order of the report."""

VERDICT_MARKS = {"wrong": "✗ wrong", "look": "? look", "ok": "✓ ok"}  # by verdict, the worst first
COUNTED_VERDICTS = {"wrong": "wrong", "look": "worth a look"}  # verdicts counted in the last line


def gather_facts(machine: Machine, file: Path | None, data: Path | None) -> DoctorFacts:
    """Collect the facts that need none of the table's parts.

    The settings are read from `file`, or found by `device.settings.load_settings`. If they are not valid the defaults
    are used. `data` takes precedence over the settings.
    """
    file = file or (Path(named) if (named := os.environ.get("DUGOUT_SETTINGS")) else None)
    try:
        settings, fault = load_settings(file), ""
    except SettingsError as error:
        settings, fault = Settings(), str(error)
    return DoctorFacts(machine, settings, file, fault, expand_path(data or settings.data))


def run_checks(facts: DoctorFacts) -> list[Finding]:
    """Run every check and return the findings, worst first. A check that raises becomes a finding itself."""
    found = []
    for name, check in CHECKS_BY_NAME.items():
        try:
            finding = check(facts)
        except OSError as error:
            finding = look_finding(f"This check failed. {error_text(error)}", "Check the name, or run this with sudo.")
        except Exception as error:  # a machine may be odd in ways that no check expects
            log.exception("The check %s failed.", name)
            finding = look_finding(
                f"This check failed: {type(error).__name__}.", "Send us the file: sudo dugout doctor --bundle > FILE."
            )
        found.append(replace(finding, name=name))
    return sorted(found, key=lambda one: list(VERDICT_MARKS).index(one.verdict))


def report_text(findings: Iterable[Finding]) -> str:
    """Format the findings as lines for a terminal, with a summary at the end."""
    findings = list(findings)
    lines = []
    for one in findings:
        lines.append(f"{VERDICT_MARKS[one.verdict]:8}{one.name:12} {one.seen}".replace("\n", "\n" + " " * 21))
        lines += [f"{'':21}→ {one.todo}"] if one.todo else []
    counts = Counter[str](one.verdict for one in findings)
    words = [f"{counts[verdict]} {name}" for verdict, name in COUNTED_VERDICTS.items() if counts[verdict]]
    lines.append(f"\n{', '.join(words) or 'All is well'}.")
    return "\n".join(lines) + "\n"
