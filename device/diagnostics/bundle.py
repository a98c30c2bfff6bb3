"""Support bundle: one file with everything a helper needs and nothing private.

It contains only what is listed here. Redaction then removes secrets from its free text.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace

from device.diagnostics import report
from device.diagnostics.checks import network, system
from device.diagnostics.checks.disk import DMESG_COMMAND, KERNEL_LOG_COMMAND
from device.diagnostics.facts import DoctorFacts
from device.diagnostics.redaction import Redaction, readable_secrets, wifi_secrets
from device.machine import Machine
from device.shapes import Finding

MAX_LOG_LINES = 500  # maximum log lines in the bundle

LOG_COMMAND = ["journalctl", "-u", "dugout.service", "-n", str(MAX_LOG_LINES), "-q", "--no-pager", "-o", "short-iso"]

BUNDLED_FIGURES = ("demo", "health", "display", "camera", "journal", "unsafe", "port", "given", "refusals")
"""Figures in the bundle. Button presses are left out because they may reveal a secret choice."""

README_TEXT = """\
What the doctor of a Dugout table found, to send to a helper. Codes, keys, passes, names and passwords of Wi-Fi networks
and the addresses of phones are removed; of a phone that was turned away, the last number of its address is left. There
are no games and no pictures in it.
"""


def collect_root_facts(machine: Machine) -> tuple[Machine, set[str]]:
    """Read the facts for which root is needed. Return a machine that caches them, and its secrets.

    The caller can then give up root.
    """
    known = {tuple(words): machine.run(words) for words in (DMESG_COMMAND, KERNEL_LOG_COMMAND, LOG_COMMAND)}
    return replace(machine, run=lambda words: known.get(tuple(words)) or machine.run(words)), wifi_secrets(machine)


def pack_bundle(
    facts: DoctorFacts, findings: Sequence[Finding], own_log: Sequence[str], private: Collection[str] = ()
) -> bytes:
    """Build the support bundle as a ZIP file.

    own_log: the program's own log, used if the system's cannot be read.
    private: secrets to remove that can no longer be read.
    """
    machine = facts.machine
    versions = system.software_versions(machine)
    # The default name of the hotspot is not secret.
    public = {*network.phone_addresses(machine), *versions.values(), "Dugout"}
    redact = Redaction({*readable_secrets(machine, facts.data), *private}, public)
    settings = "".join(f"{name} = {value}\n" for name, value in system.changed_settings(facts.settings).items())
    log = (
        (machine.run(LOG_COMMAND) or "").splitlines()
        or list(own_log)
        or ["No log, or no permission to read it: use sudo."]
    )
    figures = {} if facts.figures is None else asdict(facts.figures)
    shown = {name: value for name, value in figures.items() if name in BUNDLED_FIGURES}
    health = {"checks": [asdict(one) for one in findings], "figures": shown}
    files = {
        "README.txt": README_TEXT,
        "doctor.txt": report.report_text(findings),
        "settings.txt": settings or "All defaults.\n",
        "versions.txt": "".join(f"{name}: {number}\n" for name, number in versions.items()),
        # Redacted before JSON escapes a quote or an umlaut in a password.
        "health.json": json.dumps(redact.redacted_data(health), indent=1),
        "log.txt": "".join(f"{line}\n" for line in log[-MAX_LOG_LINES:]),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
        for name, text in files.items():
            # A path may have bytes that are not text in this locale.
            packed.writestr(name, redact.redacted_text(text).encode("utf-8", "replace"))
    return out.getvalue()
