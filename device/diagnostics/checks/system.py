"""Checks of the system around the table: versions, clock, service and settings."""

from __future__ import annotations

import platform
import re
import sys
from importlib import metadata

from device.diagnostics.facts import UNKNOWN_HERE, DoctorFacts, look_finding, ok_finding, wrong_finding
from device.diagnostics.redaction import public_settings
from device.machine import Machine
from device.service.safe_mode import MAX_FAILED_STARTS
from device.settings import Settings
from device.shapes import Finding

REPORTED_LIBRARIES = (
    *("fastapi", "uvicorn", "starlette", "pydantic", "numpy", "opencv-python-headless", "pillow"),
    *("luma.oled", "gpiozero", "lgpio", "smbus2", "picamera2"),
)
"""Libraries that matter most for finding faults."""


def library_version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def software_versions(machine: Machine) -> dict[str, str]:
    """Versions of Dugout, Python, the system and the libraries, by name."""
    system = machine.read_fields("etc/os-release", "=").get("PRETTY_NAME", "unknown")
    kernel = machine.read_text("proc/sys/kernel/osrelease") or "unknown"
    own = {"dugout": library_version("dugout") or "unknown", "Python": platform.python_version()}
    own |= {"system": f"{system}, {platform.machine()}", "kernel": kernel}
    return own | {name: library_version(name) or "none" for name in REPORTED_LIBRARIES}


def check_software(facts: DoctorFacts) -> Finding:
    """Report the versions, and check for those known to be broken."""
    found = software_versions(facts.machine)
    seen = f"{', '.join(f'{name} {number}' for name, number in found.items() if number != 'none')}."
    if (lgpio := found["lgpio"]) != "none" and [int(part) for part in re.findall(r"[0-9]+", lgpio)] < [0, 2, 2]:
        todo = "This lgpio is empty, and no button works with it: pip uninstall lgpio, then install python3-lgpio."
        return wrong_finding(seen, todo)
    if sys.maxsize < 2**32:
        return look_finding(seen, "Use the 64-bit Raspberry Pi OS: the 32-bit libraries are missing.")
    return ok_finding(seen)


def check_clock(facts: DoctorFacts) -> Finding:
    """Check whether the network set the clock. The table does not need it."""
    synchronized = facts.machine.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    if facts.machine.find_files("run/systemd/timesync/synchronized") or (synchronized or "").strip() == "yes":
        return ok_finding("The network set the clock.")
    if synchronized is None:
        return ok_finding(UNKNOWN_HERE)
    todo = "Nothing, unless the dates of old games matter to you: with internet access it sets itself."
    return ok_finding("The network did not set the clock; the table plays without it.", todo)


def check_service(facts: DoctorFacts) -> Finding:
    """Check whether the service runs, is watched, has failed, or is in safe mode and why."""
    output = facts.machine.run(["systemctl", "show", "dugout.service"])
    unit = dict(line.partition("=")[::2] for line in (output or "").splitlines())
    if facts.figures is not None and facts.figures.unsafe:
        return wrong_finding(
            facts.figures.unsafe, "Fix what it says, then turn the table off and on to leave safe mode."
        )
    if unit.get("LoadState") != "loaded":
        return ok_finding(
            f"No service; {'the table was started by hand' if facts.is_table_running else 'no table is running'}."
        )
    state, failed = unit.get("ActiveState", "unknown"), len(facts.machine.read_text("run/dugout/starts") or "")
    limit, restarts = unit.get("WatchdogUSec", "0"), int(unit.get("NRestarts", "0") or 0)
    watched = "not watched" if limit in ("0", "infinity", "") else f"watched every {limit}"
    seen = f"{state[:1].upper()}{state[1:]} ({unit.get('SubState', '')}), {watched}."
    seen += f" Restarted {restarts} times." if restarts else ""
    log = "See why: journalctl -u dugout -b."
    if state == "failed":
        return wrong_finding(f"{seen} Result: {unit.get('Result', '')}.", log)
    if state == "inactive" and not facts.is_table_running:
        return look_finding(seen, "Start it: sudo systemctl start dugout.socket dugout.service.")
    if failed >= MAX_FAILED_STARTS or restarts:
        return look_finding(f"{seen} {failed} starts failed in a row." if failed > 1 else seen, log)
    return ok_finding(seen)


def changed_settings(settings: Settings) -> dict[str, object]:
    """Settings that differ from the defaults, by dotted name. Values that are not public are hidden."""
    own, default = flat_settings(settings), flat_settings(Settings())
    return public_settings({name: value for name, value in own.items() if value != default.get(name)})


def flat_settings(settings: Settings) -> dict[str, object]:
    """All settings by dotted name."""
    found: dict[str, object] = {}
    for key, value in settings.model_dump().items():
        found |= {f"{key}.{name}": one for name, one in value.items()} if isinstance(value, dict) else {key: value}
    return found


def check_settings(facts: DoctorFacts) -> Finding:
    """Check whether the settings file is valid. Report settings that differ from the defaults."""
    if facts.fault:
        return wrong_finding(facts.fault, "Correct that line; docs/build/settings.md lists every setting.")
    where = str(facts.file) if facts.file else "No file, and none is needed"
    words = ", ".join(f"{name} = {value}" for name, value in changed_settings(facts.settings).items())
    return ok_finding(f"{where}. {f'Changed: {words}' if words else 'All defaults'}.")
