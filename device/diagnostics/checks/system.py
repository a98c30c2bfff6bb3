"""Checks of the system around the table: versions, clock, network, service and settings."""

from __future__ import annotations

import platform
import re
import socket
import sys
from importlib import metadata

from device.diagnostics.facts import UNKNOWN, Facts, look, ok, wrong
from device.diagnostics.redaction import public
from device.machine import Machine
from device.service.safe_mode import ENOUGH
from device.settings import Settings
from device.shapes import Finding

LIBRARIES = (
    *("fastapi", "uvicorn", "starlette", "pydantic", "numpy", "opencv-python-headless", "pillow"),
    *("luma.oled", "gpiozero", "lgpio", "smbus2", "picamera2"),
)
"""The libraries that matter most for finding faults."""

LISTENING = "0A"  # the state of a listening socket in /proc/net/tcp


def version(name: str) -> str | None:
    """Return the version of a library, None if it is not installed."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def versions(machine: Machine) -> dict[str, str]:
    """Return the versions of Dugout, Python, the system and the libraries, by name."""
    system = machine.fields("etc/os-release", "=").get("PRETTY_NAME", "unknown")
    kernel = machine.read("proc/sys/kernel/osrelease") or "unknown"
    own = {"dugout": version("dugout") or "unknown", "Python": platform.python_version()}
    own |= {"system": f"{system}, {platform.machine()}", "kernel": kernel}
    return own | {name: version(name) or "none" for name in LIBRARIES}


def software(facts: Facts) -> Finding:
    """Report the versions, and check those known to be broken."""
    found = versions(facts.machine)
    seen = f"{', '.join(f'{name} {number}' for name, number in found.items() if number != 'none')}."
    if (lgpio := found["lgpio"]) != "none" and [int(part) for part in re.findall(r"[0-9]+", lgpio)] < [0, 2, 2]:
        todo = "This lgpio is empty, and no button works with it: pip uninstall lgpio, then install python3-lgpio."
        return wrong(seen, todo)
    if sys.maxsize < 2**32:
        return look(seen, "Use the 64-bit Raspberry Pi OS: the 32-bit libraries are missing.")
    return ok(seen)


def clock(facts: Facts) -> Finding:
    """Check whether the network set the clock. The table does not need it."""
    synchronized = facts.machine.run(["timedatectl", "show", "-p", "NTPSynchronized", "--value"])
    if facts.machine.found("run/systemd/timesync/synchronized") or (synchronized or "").strip() == "yes":
        return ok("The network set the clock.")
    if synchronized is None:
        return ok(UNKNOWN)
    todo = "Nothing, unless the dates of old games matter to you: with internet access it sets itself."
    return ok("The network did not set the clock; the table plays without it.", todo)


def addresses(machine: Machine) -> list[str]:
    """Return this machine's addresses that phones may use, without loopback and link-local ones."""
    found = (machine.run(["hostname", "-I"]) or "").split()
    return [one for one in found if not one.startswith(("127.", "169.254.", "fe80:", "::1"))]


def network(facts: Facts) -> Finding:
    """Check the addresses and the name that phones use."""
    web, figures = facts.settings.web, facts.figures
    if facts.demo:
        return ok("Not checked in a demo.")
    if web.host in ("127.0.0.1", "localhost", "::1") and not (figures is not None and figures.given):
        return look("Only this machine can open the pages.", 'Set host = "0.0.0.0" under [web] to let phones in.')
    found = addresses(facts.machine)
    if not found:
        return wrong("There is no network.", "Join a Wi-Fi with raspi-config, or plug in a cable.")
    name = web.name or f"{socket.gethostname()}.local"
    seen = f"Addresses: {', '.join(found)}."
    fallback = "Until then phones use the numeric address on the display."
    resolved = facts.machine.resolve(name) if name.endswith(".local") else name
    if resolved is None:
        todo = f"Install or start it: sudo apt install avahi-daemon. {fallback}"
        return look(f"{seen} Avahi, which answers for {name}, is not running.", todo)
    if resolved == "":
        todo = f"Set name under [web] to the Pi's own name with .local: nobody answers for this one. {fallback}"
        return look(f"{seen} Name: {name}, unknown to avahi.", todo)
    return ok(f"{seen} Name: {name}.")


def listening(machine: Machine, port: int) -> bool:
    """True if a program listens on this port."""
    rows = [row.split() for table in ("tcp", "tcp6") for row in (machine.read(f"proc/net/{table}") or "").splitlines()]
    return any(len(row) > 3 and row[3] == LISTENING and row[1].endswith(f":{port:04X}") for row in rows)


def port(facts: Facts) -> Finding:
    """Check who uses the port of the pages."""
    number = facts.settings.web.port
    if facts.running and facts.figures is not None:
        return ok(f"The pages are on port {facts.figures.port}.")
    if facts.unreachable:
        return ok(f"Not checked: {facts.unreachable}")
    if listening(facts.machine, number):
        todo = f"Stop the other program (sudo ss -ltnp shows it), or set another port than {number} under [web]."
        return wrong(f"Another program uses port {number}.", todo)
    return ok(f"Port {number} is free.")


def service(facts: Facts) -> Finding:
    """Check the service: whether it runs, is watched, has failed, or is in safe mode and why."""
    output = facts.machine.run(["systemctl", "show", "dugout.service"])
    unit = dict(line.partition("=")[::2] for line in (output or "").splitlines())
    if facts.figures is not None and facts.figures.unsafe:
        return wrong(facts.figures.unsafe, "Fix what it says, then turn the table off and on to leave safe mode.")
    if unit.get("LoadState") != "loaded":
        return ok(f"No service; {'the table was started by hand' if facts.in_use else 'no table is running'}.")
    state, failed = unit.get("ActiveState", "unknown"), len(facts.machine.read("run/dugout/starts") or "")
    limit, restarts = unit.get("WatchdogUSec", "0"), int(unit.get("NRestarts", "0") or 0)
    watched = "not watched" if limit in ("0", "infinity", "") else f"watched every {limit}"
    seen = f"{state[:1].upper()}{state[1:]} ({unit.get('SubState', '')}), {watched}."
    seen += f" Restarted {restarts} times." if restarts else ""
    log = "See why: journalctl -u dugout -b."
    if state == "failed":
        return wrong(f"{seen} Result: {unit.get('Result', '')}.", log)
    if state == "inactive" and not facts.in_use:
        return look(seen, "Start it: sudo systemctl start dugout.socket dugout.service.")
    if failed >= ENOUGH or restarts:
        return look(f"{seen} {failed} starts failed in a row." if failed > 1 else seen, log)
    return ok(seen)


def differing(settings: Settings) -> dict[str, object]:
    """Return the settings that differ from the defaults, by dotted name, without values that are not public."""
    own, default = flat(settings), flat(Settings())
    return public({name: value for name, value in own.items() if value != default.get(name)})


def flat(settings: Settings) -> dict[str, object]:
    """Return all settings by dotted name."""
    found: dict[str, object] = {}
    for key, value in settings.model_dump().items():
        found |= {f"{key}.{name}": one for name, one in value.items()} if isinstance(value, dict) else {key: value}
    return found


def settings(facts: Facts) -> Finding:
    """Check whether the settings file is valid, and report what differs in it."""
    if facts.fault:
        return wrong(facts.fault, "Correct that line; docs/build/settings.md lists every setting.")
    where = str(facts.file) if facts.file else "No file, and none is needed"
    words = ", ".join(f"{name} = {value}" for name, value in differing(facts.settings).items())
    return ok(f"{where}. {f'Changed: {words}' if words else 'All defaults'}.")
