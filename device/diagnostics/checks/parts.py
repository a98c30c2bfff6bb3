"""Checks of the table's parts: display, buttons, the header's pins and buses, cameras, the announcer."""

from __future__ import annotations

import re

from device.diagnostics.facts import UNKNOWN, Facts, look, ok, wrong
from device.display.speech import SPEAKER
from device.machine import Machine
from device.settings import Settings
from device.shapes import Finding

KNOWN = (0x3C, 0x3D)  # the usual addresses of displays on an I²C bus
SLOW = 0.06  # seconds for one picture from which the display looks sluggish; a bus at 100 kHz takes 0.09
OURS = "lg"  # lgpio's name as the holder of a line
INTERNAL = re.compile(r"bcm2835-|pispbe|rpi|rp1-cfe|unicam")  # names of a Pi's video devices that are not USB cameras
SENSORS = re.compile(r"imx[0-9]+|ov[0-9]+|gc[0-9]+|arducam.*")  # names of drivers for cameras on a ribbon cable
FEW = 8.0  # pictures a second below which dice are read late

FASTER = "For faster pictures, write dtparam=i2c_arm_baudrate=400000 into /boot/firmware/config.txt and restart."


def display(facts: Facts) -> Finding:
    """Check whether the display shows pictures, and how long one takes."""
    wanted, figures = facts.settings.display, facts.figures
    if wanted.driver == "none":
        return ok("None is set; the phones show everything.")
    if facts.demo:
        return ok("Simulated, on the pages.")
    spi = wanted.wires == "spi"
    device = f"dev/spidev0.{wanted.chip}" if spi else f"dev/i2c-{wanted.bus}"
    if not facts.machine.found(device):
        bus, switch = ("SPI", "do_spi") if spi else ("I²C", "do_i2c")
        return wrong(
            f"There is no /{device}.", f"Enable {bus}: sudo raspi-config nonint {switch} 0, then restart the Pi."
        )
    if figures is None:
        return ok(f"Not tried: {facts.unreachable}")
    if fault := figures.fault("display"):
        for address in () if spi else KNOWN:
            if address != wanted.address and facts.machine.probe(wanted.bus, address):
                found = f"0x{address:02X}"
                return wrong(fault, f"It answers at {found}: set address = {found} under [display] in the settings.")
        wires = "seven" if spi else "four"
        return wrong(fault, f"Check the {wires} wires of the display (README, Wiring), and driver in the settings.")
    if figures.display is None:
        return ok("It works; no picture has been timed yet.")
    seen = f"It works: {figures.display * 1000:.0f} ms per picture."
    return look(seen, FASTER) if figures.display > SLOW and not spi else ok(seen)


def buses(facts: Facts) -> Finding:
    """Check the I²C buses, and what answers at the addresses of displays. A working display's bus is not probed."""
    found = [int(path.name.removeprefix("i2c-")) for path in facts.machine.found("dev/i2c-[0-9]*")]
    wanted = facts.settings.display
    if not found:
        return ok("There is no I²C bus.")
    seen = f"Buses {', '.join(map(str, sorted(found)))}."
    uses = facts.running and not facts.demo and facts.figures is not None and not facts.figures.fault("display")
    if uses and wanted.driver != "none" and wanted.wires == "i2c":
        return ok(f"{seen} The table's display is at 0x{wanted.address:02X} on bus {wanted.bus}.")
    if facts.unreachable:
        return ok(f"{seen} Not probed: {facts.unreachable}")
    bus = wanted.bus if wanted.wires == "i2c" else 1
    if bus not in found:
        todo = f"Set bus under [display] in the settings to one of these; a Pi's header has bus 1, not {bus}."
        return look(f"{seen} There is no bus {bus}.", todo)
    answers = {address: facts.machine.probe(bus, address) for address in sorted({*KNOWN, wanted.address})}
    if None in answers.values():
        todo = "Run the doctor with sudo, or add yourself to the group i2c: sudo usermod -aG i2c $USER."
        return look(f"{seen} No permission to open bus {bus}.", todo)
    there = [f"0x{address:02X}" for address, answered in answers.items() if answered]
    return ok(f"{seen} On bus {bus} {', '.join(there) or 'no display'} answers.")


def used_pins(settings: Settings) -> dict[str, int]:
    """Return the BCM numbers of the single pins in the settings, by what is wired to them."""
    pins = dict(settings.buttons.pins) if settings.buttons.factory != "none" else {}
    pins |= {f"light {seat}": pin for seat, pin in settings.lights.pins.items()}
    if settings.buzzer.pin is not None:
        pins["buzzer"] = settings.buzzer.pin
    if settings.display.driver != "none" and settings.display.wires == "spi":
        pins |= {"display D/C": settings.display.dc, "display RES": settings.display.reset}
    return pins


def bus_pins(machine: Machine) -> dict[int, str]:
    """Return the pins of the buses that are enabled, with the bus of each."""
    pins = {0: "the HAT's memory", 1: "the HAT's memory"}
    if machine.found("dev/i2c-1"):
        pins |= dict.fromkeys((2, 3), "I²C")
    if machine.found("dev/spidev0.*"):
        pins |= dict.fromkeys((7, 8, 9, 10, 11), "SPI")
    console = machine.read("proc/cmdline") or ""
    if any(f"console={name}" in console for name in ("serial0", "ttyAMA", "ttyS")):
        pins |= dict.fromkeys((14, 15), "the serial console")
    return pins


def pins(facts: Facts) -> Finding:
    """Check that every pin in the settings is free."""
    if facts.demo:
        return ok("Simulated: no pin is used.")
    used, taken, held = used_pins(facts.settings), bus_pins(facts.machine), facts.machine.lines()
    for name, pin in used.items():
        if pin in taken:
            todo = f"Wire it to another pin and change the settings, or disable {taken[pin]} (raspi-config)."
            return wrong(f"GPIO{pin} ({name}) belongs to {taken[pin]}.", todo)
    for name, pin in used.items():
        holder = (held or {}).get(pin)
        if holder is not None and not (holder == OURS and facts.in_use):
            todo = "Stop the program that holds it, or remove its line from /boot/firmware/config.txt and restart."
            return wrong(f"GPIO{pin} ({name}) is held by {holder!r}.", todo)
    if not used:
        return ok("No single pin is set.")
    if held is None:
        return ok(f"{len(used)} pins, none used twice. Who holds them: {UNKNOWN.lower()}")
    state = "held by the table" if any(pin in held for pin in used.values()) else "free"
    return ok(f"{len(used)} pins, none used twice; they are {state}.")


def buttons(facts: Facts) -> Finding:
    """Check whether the buttons work."""
    if facts.settings.buttons.factory == "none":
        return ok("None are set; the phones answer.")
    if facts.demo:
        return ok("Simulated, on the pages.")
    if facts.figures is None:
        return ok(f"Not tried: {facts.unreachable}")
    if fault := facts.figures.fault("buttons"):
        return wrong(fault, "Fix that. To see each press, stop the table and run dugout doctor --buttons.")
    return ok("They work." if facts.running else "None is stuck. To see each press: dugout doctor --buttons.")


def connected(machine: Machine) -> list[str]:
    """Return the cameras that the kernel knows."""
    ribbon = {
        f"{path.parent.name} on the ribbon cable"
        for path in machine.found("sys/bus/i2c/drivers/*/*-00*")
        if SENSORS.fullmatch(path.parent.name)
    }
    usb = []
    for path in machine.found("sys/class/video4linux/video*/name"):
        name, index = machine.beside(path, "name"), machine.beside(path, "index")
        # A camera may have a second device, which gives no pictures.
        if name and not INTERNAL.match(name) and index == "0":
            usb.append(f"{name} at /dev/{path.parent.name}")
    return [*sorted(ribbon), *usb]


def camera(facts: Facts) -> Finding:
    """Check the camera over the tray."""
    source, figures = facts.settings.camera.source, facts.figures
    if facts.demo:
        return ok("Simulated.")
    found = connected(facts.machine)
    seen = f"Connected: {'; '.join(found)}. " if found else "No camera detected. "
    if source == "none":
        return ok(f"{seen}None is set: you enter the dice.")
    seen += f"Set: {source}. "
    if figures is None:
        return ok(f"{seen}Not tried: {facts.unreachable}")
    if fault := figures.fault("camera"):
        todo = "Set source under [camera] to a connected one, and close other programs that use it."
        cable = "Plug it in, or with the Pi off push its ribbon cable in at both ends; then start the Pi."
        return wrong(seen + fault, todo if found else cable)
    if figures.camera is None or figures.camera.fps is None:
        return look(f"{seen}No picture yet.", "Wait half a minute and check again.")
    fps, locks = figures.camera.fps, figures.camera.locks
    seen += f"{fps:.0f} pictures per second."
    if locks is None:
        seen += " It is still adjusting to the light."
    for words, held in (("Locked", True), ("Not locked", False)):
        names = [name for name, values in (locks or {}).items() if (values is not None) == held]
        seen += f" {words}: {', '.join(names)}." if names else ""
    todo = "Give it more light, and stop other programs on this machine."
    return look(seen, todo) if fps < FEW else ok(seen)


def outputs(machine: Machine) -> list[str]:
    """Return the sound cards that can play, by their names in ALSA."""
    cards = sorted({path.parent.name for path in machine.found("proc/asound/card*/pcm*p")})
    return [name for card in cards if (name := machine.read(f"proc/asound/{card}/id"))]


def announcer(facts: Facts) -> Finding:
    """Check whether the announcer on the table itself can be heard."""
    if facts.settings.announcer.level == "off":
        return ok("Off on the table itself; a phone or the television can announce the plays.")
    cards = outputs(facts.machine)
    seen = f"Sound cards: {', '.join(cards)}. " if cards else "No sound card detected. "
    if facts.figures is None:
        return ok(f"{seen}Not tried: {facts.unreachable}")
    if fault := facts.figures.fault("announcer"):
        if not fault.endswith(SPEAKER):
            return wrong(seen + fault, "Follow this message; the table tries again at least twice a minute.")
        if not cards:
            return wrong(seen + fault, "Connect a speaker.")
        named = f'device = "default:CARD={cards[-1]}"'
        return wrong(seen + fault, f"Connect a speaker, or set its card under [announcer] in the settings: {named}.")
    if all(one.part != "announcer" for one in facts.figures.health):
        return look(f"{seen}The running table does not use it.", "Turn the table off and on.")
    return ok(f"{seen}espeak-ng speaks.")


OWN_CHECK = ("safe mode", "display", "buttons", "camera", "announcer", "journal")
"""Parts of the running table with a check of their own."""


def others(facts: Facts) -> Finding:
    """Check the other parts of the running table: lights, buzzer, tray, board camera, old games."""
    if not facts.running or facts.figures is None:
        return ok("Checked only while the table is running.")
    faults = [one.words for one in facts.figures.health if not one.ok and one.part not in OWN_CHECK]
    if faults:
        return look(" ".join(faults), "Follow these messages; the table plays in the meantime.")
    return ok("They work.")
