"""What is wired to the header: the display, the buttons, and the pins of both."""

from __future__ import annotations

from device.diagnostics.checks.case import LOOK, OK, UNTOLD, WRONG, Case, Finding
from device.machine import Machine

KNOWN = (0x3C, 0x3D)
"""Where displays answer on an I²C bus."""

SLOW = 0.06
"""Seconds for one picture from which on the display looks sluggish: a bus at 100 kHz takes 0.09."""

OURS = "lg"
"""How lgpio names itself to the kernel as the holder of a line."""

RAISE = "To show pictures sooner, write dtparam=i2c_arm_baudrate=400000 into /boot/firmware/config.txt and restart."


def display(machine: Machine, case: Case) -> Finding:
    """Whether the display shows what it is told, and how long a picture takes."""
    wanted, figures = case.settings.display, case.figures
    if wanted.driver == "none":
        return Finding("display", OK, "None is set; the phones show everything.")
    if case.demo:
        return Finding("display", OK, "Simulated, on the pages.")
    device = f"dev/spidev0.{wanted.chip}" if wanted.wires == "spi" else f"dev/i2c-{wanted.bus}"
    if not machine.found(device):
        what, switch = ("SPI", "do_spi") if wanted.wires == "spi" else ("I²C", "do_i2c")
        todo = f"Switch {what} on: sudo raspi-config nonint {switch} 0, then restart the Pi."
        return Finding("display", WRONG, f"There is no /{device}.", todo)
    if figures is None:
        return case.tried("display")
    good, words = case.health("display") or (True, "")
    if not good:
        return Finding("display", WRONG, words, _elsewhere(machine, case) or _check(wanted.wires))
    return paced(figures["display"], wanted.wires)


def paced(pace: float | None, wires: str) -> Finding:
    """How fast a display that works is; `pace` in seconds, None while it is not known."""
    if pace is None:
        return Finding("display", OK, "It works; nothing was shown yet to take its time by.")
    slow = pace > SLOW and wires == "i2c"
    seen = f"It works: {pace * 1000:.0f} ms for a picture."
    return Finding("display", LOOK, seen, RAISE) if slow else Finding("display", OK, seen)


def _check(wires: str) -> str:
    lines = "the seven" if wires == "spi" else "the four"
    return f"Check {lines} wires of the display (README, Wiring), and its kind in the settings."


def _elsewhere(machine: Machine, case: Case) -> str:
    """What to do where the display answers at another address than it is looked for."""
    wanted = case.settings.display
    if wanted.wires != "i2c":
        return ""
    for address in KNOWN:
        if address != wanted.address and machine.probe(wanted.bus, address):
            return f"It answers at 0x{address:02X}: set address = 0x{address:02X} under [display] in the settings."
    return ""


def buses(machine: Machine, case: Case) -> Finding:
    """Which I²C buses there are, and what answers where displays do. Nothing is asked beside a display that works."""
    found = [int(path.name.removeprefix("i2c-")) for path in machine.found("dev/i2c-[0-9]*")]
    wanted = case.settings.display
    if not found:
        return Finding("I²C", OK, "There is no I²C bus.")
    seen = f"Buses {', '.join(map(str, sorted(found)))}."
    used = case.figures is not None and not case.demo and (case.health("display") or (True, ""))[0]
    if used and wanted.driver != "none" and wanted.wires == "i2c":
        return Finding("I²C", OK, f"{seen} The table's display is at 0x{wanted.address:02X} on bus {wanted.bus}.")
    if case.held:
        return Finding("I²C", OK, f"{seen} Not asked: {case.held}")
    bus = wanted.bus if wanted.wires == "i2c" else 1
    if bus not in found:
        todo = f"Set bus under [display] in the settings to one of them; a Pi's header has bus 1, not {bus}."
        return Finding("I²C", LOOK, f"{seen} There is no bus {bus}.", todo)
    heard = {address: machine.probe(bus, address) for address in sorted({*KNOWN, wanted.address})}
    if None in heard.values():
        todo = "Run the doctor with sudo, or add yourself to the group i2c: sudo usermod -aG i2c $USER."
        return Finding("I²C", LOOK, f"{seen} Bus {bus} may not be opened.", todo)
    there = [f"0x{address:02X}" for address, answered in heard.items() if answered]
    return Finding("I²C", OK, f"{seen} On bus {bus} {', '.join(there) or 'no display'} answers.")


def parts(case: Case) -> dict[str, int]:
    """The BCM numbers of single pins that the settings name, by what is on them."""
    wanted = case.settings
    pins = dict(wanted.buttons.pins) if wanted.buttons.factory != "none" else {}
    pins |= {f"light {seat}": pin for seat, pin in wanted.lights.pins.items()}
    if wanted.buzzer.pin is not None:
        pins["buzzer"] = wanted.buzzer.pin
    if wanted.display.driver != "none" and wanted.display.wires == "spi":
        pins |= {"display D/C": wanted.display.dc, "display RES": wanted.display.reset}
    return pins


def taken(machine: Machine) -> dict[int, str]:
    """The pins that belong to a bus which is switched on, and to which."""
    pins = {0: "the HAT's memory", 1: "the HAT's memory"}
    if machine.found("dev/i2c-1"):
        pins |= dict.fromkeys((2, 3), "I²C")
    if machine.found("dev/spidev0.*"):
        pins |= dict.fromkeys((7, 8, 9, 10, 11), "SPI")
    console = machine.read("proc/cmdline") or ""
    if any(f"console={name}" in console for name in ("serial0", "ttyAMA", "ttyS")):
        pins |= dict.fromkeys((14, 15), "the serial console")
    return pins


def pins(machine: Machine, case: Case) -> Finding:
    """Whether every pin that the settings name is free for it."""
    if case.demo:
        return Finding("pins", OK, "Simulated: none is used.")
    wanted, buses_, held = parts(case), taken(machine), machine.lines()
    for name, pin in wanted.items():
        if pin in buses_:
            todo = f"Wire it to another pin and set that in the settings, or switch {buses_[pin]} off (raspi-config)."
            return Finding("pins", WRONG, f"GPIO{pin} ({name}) belongs to {buses_[pin]}.", todo)
    for name, pin in wanted.items():
        holder = (held or {}).get(pin)
        ours = holder == OURS and (case.figures is not None or bool(case.held))
        if holder is not None and not ours:
            todo = "End the program that holds it, or take its line out of /boot/firmware/config.txt and restart."
            return Finding("pins", WRONG, f"GPIO{pin} ({name}) is held by {holder!r}.", todo)
    if not wanted:
        return Finding("pins", OK, "No single pin is set.")
    if held is None:
        return Finding("pins", OK, f"{len(wanted)} are set, none twice. Who holds them: {UNTOLD.lower()}")
    state = "held by the table" if any(pin in held for pin in wanted.values()) else "free"
    return Finding("pins", OK, f"{len(wanted)} are set, none twice; they are {state}.")


def buttons(machine: Machine, case: Case) -> Finding:
    """Whether the buttons can be heard."""
    if case.settings.buttons.factory == "none":
        return Finding("buttons", OK, "None are set; the phones answer.")
    if case.demo:
        return Finding("buttons", OK, "Simulated, on the pages.")
    if case.figures is None:
        return case.tried("buttons")
    return told("buttons", case.health("buttons"))


TOLD = ("safe mode", "display", "buttons", "camera", "journal")
"""Parts of the running table that have a finding of their own."""


def others(machine: Machine, case: Case) -> Finding:
    """What else the running table says of its parts: lights, buzzer, the camera over the board, the tray, old games."""
    figures = case.figures
    if figures is None:
        return Finding("other parts", OK, "They are looked at while the table runs.")
    ill = [one["words"] for one in figures["health"] if not one["ok"] and one["part"] not in TOLD]
    if ill:
        return Finding("other parts", LOOK, " ".join(ill), "Do what it says; the table plays meanwhile.")
    return Finding("other parts", OK, "Nothing is wrong with them.")


def told(part: str, health: tuple[bool, str] | None) -> Finding:
    """What the running table says of a part, as a finding."""
    good, words = health or (True, "Works.")
    todo = "Put that right. To see each press, stop the table and run dugout doctor --buttons."
    return Finding(part, OK if good else WRONG, words, "" if good else todo)
