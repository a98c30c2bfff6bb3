"""Checks of the table's parts: display, buttons, the header's pins and buses, cameras, the announcer."""

from __future__ import annotations

import re

from device.diagnostics.facts import UNKNOWN_HERE, DoctorFacts, look_finding, ok_finding, wrong_finding
from device.display.speech import SPEAKER_ADVICE
from device.machine import Machine
from device.settings import Settings
from device.shapes import Finding

USUAL_I2C_ADDRESSES = (0x3C, 0x3D)  # usual addresses of displays on an I²C bus
SLOW_FRAME_S = 0.06  # seconds per picture of a sluggish display. A bus at 100 kHz takes 0.09
OWN_LINE_HOLDER = "lg"  # lgpio's name as the holder of a line
INTERNAL_VIDEO_PATTERN = re.compile(r"bcm2835-|pispbe|rpi|rp1-cfe|unicam")
"""Names of a Pi's video devices that are not USB cameras."""

RIBBON_CAMERA_PATTERN = re.compile(r"imx[0-9]+|ov[0-9]+|gc[0-9]+|arducam.*")
"""Names of drivers for cameras on a ribbon cable."""

MIN_FRAME_RATE_HZ = 8.0  # frames per second below which dice are read late

FASTER_BUS_ADVICE = (
    "For faster pictures, write dtparam=i2c_arm_baudrate=400000 into /boot/firmware/config.txt and restart."
)


def check_display(facts: DoctorFacts) -> Finding:
    """Check whether the display shows pictures, and the time for each."""
    wanted, figures = facts.settings.display, facts.figures
    if wanted.driver == "none":
        return ok_finding("None is set; the phones show everything.")
    if facts.is_demo:
        return ok_finding("Simulated, on the pages.")
    spi = wanted.wires == "spi"
    device = f"dev/spidev0.{wanted.chip}" if spi else f"dev/i2c-{wanted.bus}"
    if not facts.machine.find_files(device):
        bus, switch = ("SPI", "do_spi") if spi else ("I²C", "do_i2c")
        return wrong_finding(
            f"There is no /{device}.", f"Enable {bus}: sudo raspi-config nonint {switch} 0, then restart the Pi."
        )
    if figures is None:
        return ok_finding(f"Not tried: {facts.unreachable}")
    if fault := figures.component_fault("display"):
        for address in () if spi else USUAL_I2C_ADDRESSES:
            if address != wanted.address and facts.machine.probe(wanted.bus, address):
                found = f"0x{address:02X}"
                return wrong_finding(
                    fault, f"It answers at {found}: set address = {found} under [display] in the settings."
                )
        wires = "seven" if spi else "four"
        return wrong_finding(fault, f"Check the display's {wires} wires (README, Wiring), and driver in the settings.")
    if figures.display is None:
        return ok_finding("It works; no picture has been timed yet.")
    turned = " It is turned upside down." if wanted.upside_down else ""
    seen = f"It works: {figures.display * 1000:.0f} ms per picture.{turned}"
    return look_finding(seen, FASTER_BUS_ADVICE) if figures.display > SLOW_FRAME_S and not spi else ok_finding(seen)


def check_i2c_buses(facts: DoctorFacts) -> Finding:
    """Check which I²C buses exist and which display addresses answer. A working display's bus is not probed."""
    found = [int(path.name.removeprefix("i2c-")) for path in facts.machine.find_files("dev/i2c-[0-9]*")]
    wanted = facts.settings.display
    if not found:
        return ok_finding("There is no I²C bus.")
    seen = f"Buses {', '.join(map(str, sorted(found)))}."
    uses = (
        facts.running
        and not facts.is_demo
        and facts.figures is not None
        and not facts.figures.component_fault("display")
    )
    if uses and wanted.driver != "none" and wanted.wires == "i2c":
        return ok_finding(f"{seen} The table's display is at 0x{wanted.address:02X} on bus {wanted.bus}.")
    if facts.unreachable:
        return ok_finding(f"{seen} Not probed: {facts.unreachable}")
    bus = wanted.bus if wanted.wires == "i2c" else 1
    if bus not in found:
        todo = f"Set bus under [display] in the settings to one of these; a Pi's header has bus 1, not {bus}."
        return look_finding(f"{seen} There is no bus {bus}.", todo)
    answers = {address: facts.machine.probe(bus, address) for address in sorted({*USUAL_I2C_ADDRESSES, wanted.address})}
    if None in answers.values():
        todo = "Run the doctor with sudo, or add yourself to the group i2c: sudo usermod -aG i2c $USER."
        return look_finding(f"{seen} No permission to open bus {bus}.", todo)
    there = [f"0x{address:02X}" for address, answered in answers.items() if answered]
    return ok_finding(f"{seen} On bus {bus} {', '.join(there) or 'no display'} answers.")


def used_pins(settings: Settings) -> dict[str, int]:
    """BCM numbers of the single pins in the settings, by the part wired to them."""
    pins = dict(settings.buttons.pins) if settings.buttons.factory != "none" else {}
    pins |= {f"light {seat}": pin for seat, pin in settings.lights.seat_pins.items()}
    if settings.buzzer.pin is not None:
        pins["buzzer"] = settings.buzzer.pin
    if settings.display.driver != "none" and settings.display.wires == "spi":
        pins |= {"display D/C": settings.display.dc, "display RES": settings.display.reset}
    return pins


def bus_pins(machine: Machine) -> dict[int, str]:
    """Pins of the enabled buses, with the bus of each."""
    pins = {0: "the HAT's memory", 1: "the HAT's memory"}
    if machine.find_files("dev/i2c-1"):
        pins |= dict.fromkeys((2, 3), "I²C")
    if machine.find_files("dev/spidev0.*"):
        pins |= dict.fromkeys((7, 8, 9, 10, 11), "SPI")
    console = machine.read_text("proc/cmdline") or ""
    if any(f"console={name}" in console for name in ("serial0", "ttyAMA", "ttyS")):
        pins |= dict.fromkeys((14, 15), "the serial console")
    return pins


def check_pins(facts: DoctorFacts) -> Finding:
    """Check that every pin in the settings is free."""
    if facts.is_demo:
        return ok_finding("Simulated: no pin is used.")
    used, taken, held = used_pins(facts.settings), bus_pins(facts.machine), facts.machine.lines()
    for name, pin in used.items():
        if pin in taken:
            todo = f"Wire it to another pin and change the settings, or disable {taken[pin]} (raspi-config)."
            return wrong_finding(f"GPIO{pin} ({name}) belongs to {taken[pin]}.", todo)
    for name, pin in used.items():
        holder = (held or {}).get(pin)
        if holder is not None and not (holder == OWN_LINE_HOLDER and facts.is_table_running):
            todo = "Stop the program that holds it, or remove its line from /boot/firmware/config.txt and restart."
            return wrong_finding(f"GPIO{pin} ({name}) is held by {holder!r}.", todo)
    if not used:
        return ok_finding("No pins are set.")
    if held is None:
        return ok_finding(f"{len(used)} pins, none used twice. In use by: {UNKNOWN_HERE.lower()}")
    state = "held by the table" if any(pin in held for pin in used.values()) else "free"
    return ok_finding(f"{len(used)} pins, none used twice; they are {state}.")


def check_buttons(facts: DoctorFacts) -> Finding:
    if facts.settings.buttons.factory == "none":
        return ok_finding("None are set; the phones answer.")
    if facts.is_demo:
        return ok_finding("Simulated, on the pages.")
    if facts.figures is None:
        return ok_finding(f"Not tried: {facts.unreachable}")
    if fault := facts.figures.component_fault("buttons"):
        return wrong_finding(fault, "Fix that. To see each press, stop the table and run dugout doctor --buttons.")
    return ok_finding("They work." if facts.running else "None is stuck. To see each press: dugout doctor --buttons.")


def connected_cameras(machine: Machine) -> list[str]:
    ribbon = {
        f"{path.parent.name} on the ribbon cable"
        for path in machine.find_files("sys/bus/i2c/drivers/*/*-00*")
        if RIBBON_CAMERA_PATTERN.fullmatch(path.parent.name)
    }
    usb = []
    for path in machine.find_files("sys/class/video4linux/video*/name"):
        name, index = machine.neighboring_text(path, "name"), machine.neighboring_text(path, "index")
        # A camera may have a second device, which gives no pictures.
        if name and not INTERNAL_VIDEO_PATTERN.match(name) and index == "0":
            usb.append(f"{name} at /dev/{path.parent.name}")
    return [*sorted(ribbon), *usb]


def check_camera(facts: DoctorFacts) -> Finding:
    source, figures = facts.settings.camera.source, facts.figures
    if facts.is_demo:
        return ok_finding("Simulated.")
    found = connected_cameras(facts.machine)
    seen = f"Connected: {'; '.join(found)}. " if found else "No camera detected. "
    if len({name.partition(" at ")[0] for name in found}) < len(found):
        seen += "Two are of one make: name them by their sockets, in /dev/v4l/by-path. "
    if source == "none":
        return ok_finding(f"{seen}None is set: you enter the dice.")
    seen += f"Set: {source}. "
    if figures is None:
        return ok_finding(f"{seen}Not tried: {facts.unreachable}")
    if fault := figures.component_fault("camera"):
        todo = "Set source under [camera] to a connected one, and close other programs that use it."
        cable = "Plug it in, or with the Pi off push its ribbon cable in at both ends; then start the Pi."
        return wrong_finding(seen + fault, todo if found else cable)
    if figures.camera is None or figures.camera.fps is None:
        return look_finding(f"{seen}No picture yet.", "Wait half a minute and check again.")
    fps, locks = figures.camera.fps, figures.camera.locks
    seen += f"{fps:.0f} pictures per second."
    if locks is None:
        seen += " It is still adjusting to the light."
    for words, held in (("Locked", True), ("Not locked", False)):
        names = [name for name, values in (locks or {}).items() if (values is not None) == held]
        seen += f" {words}: {', '.join(names)}." if names else ""
    if figures.camera.damaged:
        seen += f" Damaged pictures since it was opened: {figures.camera.damaged}."
    todo = "Give it more light, and stop other programs on this machine."
    return look_finding(seen, todo) if fps < MIN_FRAME_RATE_HZ else ok_finding(seen)


def sound_outputs(machine: Machine) -> list[str]:
    """Sound cards that can play, by their names in ALSA."""
    cards = sorted({path.parent.name for path in machine.find_files("proc/asound/card*/pcm*p")})
    return [name for card in cards if (name := machine.read_text(f"proc/asound/{card}/id"))]


def check_announcer(facts: DoctorFacts) -> Finding:
    """Check whether the announcer on the table itself can be heard."""
    if facts.settings.announcer.level == "off":
        return ok_finding("Off on the table itself; a phone or the television can announce the plays.")
    cards = sound_outputs(facts.machine)
    seen = f"Sound cards: {', '.join(cards)}. " if cards else "No sound card detected. "
    if facts.figures is None:
        return ok_finding(f"{seen}Not tried: {facts.unreachable}")
    if fault := facts.figures.component_fault("announcer"):
        if not fault.endswith(SPEAKER_ADVICE):
            return wrong_finding(seen + fault, "Follow this message; the table tries again at least twice a minute.")
        if not cards:
            return wrong_finding(seen + fault, "Connect a speaker.")
        named = f'device = "default:CARD={cards[-1]}"'
        return wrong_finding(
            seen + fault, f"Connect a speaker, or set its card under [announcer] in the settings: {named}."
        )
    if all(one.part != "announcer" for one in facts.figures.health):
        return look_finding(f"{seen}The running table does not use it.", "Turn the table off and on.")
    return ok_finding(f"{seen}espeak-ng speaks.")


COMPONENTS_WITH_OWN_CHECK = ("safe mode", "display", "buttons", "camera", "announcer", "journal")
"""Parts of the running table that other checks cover."""


def check_other_components(facts: DoctorFacts) -> Finding:
    """Check the other parts of the running table: lights, buzzer, tray, board camera, old games."""
    if not facts.running or facts.figures is None:
        return ok_finding("Checked only while the table is running.")
    faults = [one.words for one in facts.figures.health if not one.ok and one.part not in COMPONENTS_WITH_OWN_CHECK]
    if faults:
        return look_finding(" ".join(faults), "Follow these messages; the table plays in the meantime.")
    return ok_finding("They work.")
