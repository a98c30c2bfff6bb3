"""Checks of the network: the addresses and names that phones use, the hotspot, and the port of the pages."""

from __future__ import annotations

import socket

from device.diagnostics.facts import DoctorFacts, look_finding, ok_finding, wrong_finding
from device.machine import Machine
from device.shapes import Finding

LISTENING_STATE = "0A"  # state of a listening socket in /proc/net/tcp

QR_CODES_ADVICE = "QR codes have the address, so they still lead here."

OWN_NAME_TIMEOUT_S = 1.0  # timeout of avahi, which knows the names of its own machine, in seconds

HOTSPOT_NAME = "dugout-hotspot"  # of the connection in NetworkManager (`device.install.hotspot`)

HOTSPOT_COMMAND = [
    *("nmcli", "-t", "-f", "connection.autoconnect,802-11-wireless-security.pmf,GENERAL.STATE"),
    *("connection", "show", HOTSPOT_NAME),
]
"""Prints a line with name and value for each field. It fails without such a connection."""

SET_UP_HOTSPOT_ADVICE = "Set it up again: sudo scripts/install --hotspot."


def phone_addresses(machine: Machine) -> list[str]:
    """This machine's addresses for phones, without loopback and link-local ones."""
    found = (machine.run(["hostname", "-I"]) or "").split()
    return [one for one in found if not one.startswith(("127.", "169.254.", "fe80:", "::1"))]


def check_network(facts: DoctorFacts) -> Finding:
    """Check the addresses that phones use."""
    web, figures = facts.settings.web, facts.figures
    if facts.is_demo:
        return ok_finding("Not checked in a demo.")
    if web.host in ("127.0.0.1", "localhost", "::1") and not (figures is not None and figures.given):
        if web.name:
            return ok_finding(f"Phones reach the pages through a proxy, as {web.name}.")
        return look_finding(
            "Only this machine can open the pages.", 'Set host = "0.0.0.0" under [web] to let phones in.'
        )
    found = phone_addresses(facts.machine)
    if not found:
        return wrong_finding("There is no network.", "Join a Wi-Fi network with raspi-config, or plug in Ethernet.")
    return ok_finding(f"Addresses: {', '.join(found)}.")


def check_name(facts: DoctorFacts) -> Finding:
    """Check that the name for phones leads to this machine, and to its table if that runs."""
    machine, name = facts.machine, facts.settings.web.name or f"{socket.gethostname()}.local"
    found = phone_addresses(machine)
    if facts.is_demo or not found:
        return ok_finding("Not checked in a demo." if facts.is_demo else "Not checked without a network.")
    address = machine.resolve_name(name) if name.endswith(".local") else machine.resolve_host(name)
    if address is None:
        todo = f"Install or start it: sudo apt install avahi-daemon. {QR_CODES_ADVICE}"
        return look_finding(f"Avahi, which answers for {name}, is not running.", todo)
    own = _own_names(machine, found)
    if not address:
        called = f"; this machine is called {own[0]}" if own else ""
        todo = f"Set name under [web] to a name of this machine, or leave it empty. {QR_CODES_ADVICE}"
        return look_finding(f"{name} is unknown in the network{called}.", todo)
    if address not in found and own and name not in own and name.endswith(".local"):
        todo = (
            f"Give this machine a name of its own, then restart it: sudo raspi-config nonint do_hostname NAME. "
            f"{QR_CODES_ADVICE}"
        )
        return look_finding(f"{name} is the machine at {address}; this machine is called {own[0]}.", todo)
    return _check_table_at(facts, name, address, address in found)


def _own_names(machine: Machine, addresses: list[str]) -> list[str]:
    """Names that avahi gives this machine."""
    answers = (machine.ask_avahi(f"RESOLVE-ADDRESS {one}", OWN_NAME_TIMEOUT_S) for one in addresses if ":" not in one)
    return [one for one in answers if one]


def _check_table_at(facts: DoctorFacts, name: str, address: str, is_here: bool) -> Finding:
    """Check that the table that answers at `name` is the running one. Without one, the address decides."""
    figures, web = facts.figures, facts.settings.web
    own = figures.table_id if figures is not None else ""
    is_local = web.host in ("127.0.0.1", "localhost", "::1") and not (figures is not None and figures.given)
    port = (
        80
        if web.name and (is_local or web.proxies)
        else figures.port
        if figures is not None and figures.port
        else web.port
    )
    there = facts.machine.table_at(address, port, name) if own else None
    if own and there == own:
        return ok_finding(f"{name} leads to this table.")
    if there:
        return wrong_finding(
            f"{name} leads to another table, at {address}.",
            "Turn that table off, or give this machine another name: sudo raspi-config nonint do_hostname NAME.",
        )
    if not is_here:
        todo = "Correct it where it is set: in the router, in the proxy, or as name under [web]."
        seen = f"{name} leads to {address}, which is not this machine"
        return wrong_finding(f"{seen}, and no table answers there.", todo) if own else look_finding(f"{seen}.", todo)
    if own:
        return look_finding(
            f"{name} leads to this machine, but no table answers at port {port}.",
            "A firewall may close it, or the proxy may not be running.",
        )
    return ok_finding(f"{name} leads to this machine.")


def check_hotspot(facts: DoctorFacts) -> Finding:
    """Check whether the table's own Wi-Fi can open, if it is set up."""
    text = facts.machine.run(HOTSPOT_COMMAND)
    if text is None:
        return ok_finding("None is set up, or NetworkManager cannot be asked.")
    fields = dict(line.partition(":")[::2] for line in text.splitlines())
    if fields.get("GENERAL.STATE", ""):
        return ok_finding("It is open.")
    if fields.get("connection.autoconnect") != "yes":
        return wrong_finding("It did not open when it was set up, and stays off.", SET_UP_HOTSPOT_ADVICE)
    if not fields.get("802-11-wireless-security.pmf", "").startswith(("1", "disable")):
        seen = "It protects management frames, with which some Pi radios do not open it, or let no phone in."
        return look_finding(seen, SET_UP_HOTSPOT_ADVICE)
    return ok_finding("It opens if no known Wi-Fi is in reach when the Pi starts.")


def is_port_in_use(machine: Machine, port: int) -> bool:
    rows = [
        row.split() for table in ("tcp", "tcp6") for row in (machine.read_text(f"proc/net/{table}") or "").splitlines()
    ]
    return any(len(row) > 3 and row[3] == LISTENING_STATE and row[1].endswith(f":{port:04X}") for row in rows)


def check_port(facts: DoctorFacts) -> Finding:
    """Check which program uses the port of the pages."""
    number = facts.settings.web.port
    if facts.running and facts.figures is not None:
        return ok_finding(f"The pages are on port {facts.figures.port}.")
    if facts.unreachable:
        return ok_finding(f"Not checked: {facts.unreachable}")
    if is_port_in_use(facts.machine, number):
        todo = f"Stop the other program (sudo ss -ltnp shows it), or set another port than {number} under [web]."
        return wrong_finding(f"Another program uses port {number}.", todo)
    return ok_finding(f"Port {number} is free.")
