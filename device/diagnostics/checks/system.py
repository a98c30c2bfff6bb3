"""The system around the table: its versions, clock, network, service and settings."""

from __future__ import annotations

import platform
import re
import socket
import sys
from importlib import metadata
from typing import Any

from device.diagnostics.checks.case import LOOK, OK, UNTOLD, WRONG, Case, Finding
from device.diagnostics.redaction import masked
from device.machine import Machine
from device.service.safe_mode import ENOUGH
from device.settings import Settings

LIBRARIES = (
    *("fastapi", "uvicorn", "starlette", "pydantic", "numpy", "opencv-python-headless", "pillow"),
    *("luma.oled", "gpiozero", "lgpio", "smbus2", "picamera2"),
)
"""Those that matter most where something is wrong."""

LISTENS = "0A"
"""How /proc/net/tcp marks a socket that is listened on."""


def version(name: str) -> str | None:
    """The version of a library, None where it is not there."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def versions(machine: Machine) -> dict[str, str]:
    """Everything's version, by name."""
    system = machine.fields("etc/os-release", "=").get("PRETTY_NAME", "unknown")
    kernel = machine.read("proc/sys/kernel/osrelease") or "unknown"
    own = {"dugout": version("dugout") or "unknown", "Python": platform.python_version()}
    own |= {"system": f"{system}, {platform.machine()}", "kernel": kernel}
    return own | {name: version(name) or "none" for name in LIBRARIES}


def software(machine: Machine, case: Case) -> Finding:
    """What runs here, in which version."""
    found = versions(machine)
    seen = f"{', '.join(f'{name} {number}' for name, number in found.items() if number != 'none')}."
    if (lgpio := found["lgpio"]) != "none" and [int(part) for part in re.findall(r"\d+", lgpio)] < [0, 2, 2]:
        todo = "Remove it (pip uninstall lgpio) and install python3-lgpio: this one is empty, no button works with it."
        return Finding("versions", WRONG, seen, todo)
    if sys.maxsize < 2**32:
        return Finding("versions", LOOK, seen, "Take the 64 bit Raspberry Pi OS: libraries for 32 bit are missing.")
    return Finding("versions", OK, seen)


def clock(machine: Machine, case: Case) -> Finding:
    """Whether the time of day is right. The table does not need it."""
    said = machine.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    if machine.found("run/systemd/timesync/synchronized") or (said or "").strip() == "yes":
        return Finding("clock", OK, "It was set by the network.")
    if said is None:
        return Finding("clock", OK, UNTOLD)
    todo = "Nothing, unless the days beside old games matter to you: with internet it sets itself."
    return Finding("clock", OK, "It was not set by the network; the table plays without.", todo)


def addresses(machine: Machine) -> list[str]:
    """This machine's addresses that phones may use; the ways to itself are not among them."""
    found = (machine.run(["hostname", "-I"]) or "").split()
    return [one for one in found if not one.startswith(("127.", "169.254.", "fe80:", "::1"))]


def network(machine: Machine, case: Case) -> Finding:
    """Which names and addresses phones can use."""
    web = case.settings.web
    if case.demo:
        return Finding("network", OK, "Not looked at in a demo.")
    if web.host in ("127.0.0.1", "localhost", "::1") and not (case.figures or {}).get("given"):
        todo = 'Set host = "0.0.0.0" under [web] in the settings, so that phones can come.'
        return Finding("network", LOOK, "Served to this machine alone.", todo)
    found = addresses(machine)
    if not found:
        return Finding("network", WRONG, "There is no network.", "Join a Wi-Fi with raspi-config, or plug in a cable.")
    name = web.name or f"{socket.gethostname()}.local"
    seen = f"Addresses: {', '.join(found)}."
    numbers = "Until then phones use the numbers, as the display shows them."
    if not name.endswith(".local"):
        return Finding("network", OK, f"{seen} Name: {name}.")
    heard = machine.resolve(name)
    if heard is None:
        todo = f"Install it, or start it: sudo apt install avahi-daemon. {numbers}"
        return Finding("network", LOOK, f"{seen} Avahi, which answers for {name}, does not run.", todo)
    if heard == "":
        todo = f"Nobody answers for this name: set name under [web] to the Pi's own, with .local. {numbers}"
        return Finding("network", LOOK, f"{seen} Name: {name}, unknown to avahi.", todo)
    return Finding("network", OK, f"{seen} Name: {name}.")


def listened(machine: Machine, port: int) -> bool:
    """Whether somebody listens on a port."""
    rows = [row.split() for table in ("tcp", "tcp6") for row in (machine.read(f"proc/net/{table}") or "").splitlines()]
    return any(len(row) > 3 and row[3] == LISTENS and row[1].endswith(f":{port:04X}") for row in rows)


def port(machine: Machine, case: Case) -> Finding:
    """Whether the port of the pages is the table's."""
    figures, wanted = case.figures, case.settings.web.port
    if figures is not None:
        return Finding("port", OK, f"The pages are on port {figures['port']}.")
    if case.held:
        return Finding("port", OK, f"Not asked: {case.held}")
    if listened(machine, wanted):
        todo = f"End the other program (sudo ss -ltnp shows it), or set another port than {wanted} under [web]."
        return Finding("port", WRONG, f"Another program has port {wanted}.", todo)
    return Finding("port", OK, f"Port {wanted} is free.")


def service(machine: Machine, case: Case) -> Finding:
    """How the service is: whether it runs, is watched, and why it is in safe mode."""
    kept = machine.run(["systemctl", "show", "dugout.service"])
    unit = dict(line.partition("=")[::2] for line in (kept or "").splitlines())
    unsafe = str((case.figures or {}).get("unsafe") or "")
    if unsafe:
        todo = "Put right what it says, then switch the table off and on: it starts whole again."
        return Finding("service", WRONG, unsafe, todo)
    runs = case.figures is not None or bool(case.held)
    if unit.get("LoadState") != "loaded":
        return Finding("service", OK, f"No service; {'the table runs by hand' if runs else 'no table runs'}.")
    state, failed = unit.get("ActiveState", "unknown"), len(machine.read("run/dugout/starts") or "")
    watch = unit.get("WatchdogUSec", "0")
    seen = f"{state[:1].upper()}{state[1:]} ({unit.get('SubState', '')}), {_watched(watch)}."
    again = int(unit.get("NRestarts", "0") or 0)
    seen += f" Started again by itself {again} times." if again else ""
    log = "See why: journalctl -u dugout -b."
    if state == "failed":
        return Finding("service", WRONG, f"{seen} Result: {unit.get('Result', '')}.", log)
    if state == "inactive" and not runs:
        return Finding("service", LOOK, seen, "Start it: sudo systemctl start dugout.socket dugout.service.")
    if failed >= ENOUGH or again:
        return Finding("service", LOOK, f"{seen} {failed} starts failed in a row." if failed > 1 else seen, log)
    return Finding("service", OK, seen)


def _watched(limit: str) -> str:
    return "not watched" if limit in ("0", "infinity", "") else f"watched every {limit}"


def differing(settings: Settings) -> dict[str, Any]:
    """The settings that are not as they are by themselves, by their dotted name."""
    own, plain = settings.model_dump(), Settings().model_dump()
    flat: dict[str, Any] = {}
    for key, value in own.items():
        if isinstance(value, dict):
            flat |= {f"{key}.{name}": one for name, one in value.items() if one != plain[key].get(name)}
        elif value != plain[key]:
            flat[key] = value
    return flat


def settings(machine: Machine, case: Case) -> Finding:
    """Where the settings are, whether they can be used, and what differs in them."""
    if case.fault:
        return Finding("settings", WRONG, case.fault, "Put that line right; docs/settings.md shows every setting.")
    where = str(case.file) if case.file else "No file, and none is needed"
    found = masked(differing(case.settings))
    words = ", ".join(f"{name} = {value}" for name, value in found.items())
    return Finding("settings", OK, f"{where}. {f'Different: {words}' if words else 'All as they are by themselves'}.")
