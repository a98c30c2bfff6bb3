"""One file to send to whoever helps: what the doctor says, and nothing that is nobody's business."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence

from device.diagnostics.checks import system
from device.diagnostics.checks.case import Case, Finding
from device.diagnostics.redaction import Redaction, masked, secrets
from device.machine import Machine

LINES = 500
"""Lines of the log that are sent."""

LOG = ["journalctl", "-u", "dugout.service", "-n", str(LINES), "-q", "--no-pager", "-o", "short-iso"]

README = """\
What the doctor of a Dugout table found, to be sent to whoever helps. Codes, keys, passes, names and passwords of Wi-Fis
and the addresses of phones are taken out. Neither games nor pictures are in it.
"""


def pack(machine: Machine, case: Case, findings: Sequence[Finding], told: str, log: Sequence[str]) -> bytes:
    """The bundle as a ZIP. `told` is what the doctor says of the findings; `log` is the program's own, for where the
    system's may not be read."""
    versions = system.versions(machine)
    # Our own hotspot's name is no secret.
    masks = Redaction(secrets(machine, case.data), {*system.addresses(machine), *versions.values(), "Dugout"})
    settings = masked(system.differing(case.settings))
    said = (
        (machine.run(LOG) or "").splitlines()
        or list(log)
        or ["Nothing was logged, or this user may not read it: sudo may."]
    )
    # Not the presses: a choice may have been made in secret with them.
    figures = {key: value for key, value in (case.figures or {}).items() if key != "presses"}
    files = {
        "README.txt": README,
        "doctor.txt": told,
        "settings.txt": "".join(f"{name} = {value}\n" for name, value in settings.items()) or "All as by themselves.\n",
        "versions.txt": "".join(f"{name}: {number}\n" for name, number in versions.items()),
        # Masked before it is JSON, which writes a quote or an umlaut in a password otherwise.
        "health.json": json.dumps(
            masks.inside({"checks": [one.data for one in findings], "figures": figures}), indent=1
        ),
        "log.txt": "".join(f"{line}\n" for line in said[-LINES:]),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
        for name, text in files.items():
            packed.writestr(name, masks.hide(text))
    return out.getvalue()
