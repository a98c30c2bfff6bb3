"""The wires of a table, from its settings: which pin of the header each goes to, a drawing of each part, what to buy.

What the header's pins are is gpiozero's: all models with 40 pins have them alike.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gpiozero import pi_info

from device.commands import wiring_drawing
from device.settings import DisplaySettings, Settings, SettingsError, load

HEADER = pi_info("c03111").headers["J8"].pins
"""The pins of the header by number, from 1, with name, row and column."""

GROUNDS = [number for number, pin in HEADER.items() if pin.name == "GND"]

BUSES = {0: (0, 1), 1: (2, 3)}
"""SDA and SCL, BCM, of the I²C buses that have the same pins whatever the overlays."""

SCLK, MOSI, CHIPS = 11, 10, (8, 7)
"""The first SPI bus, BCM; chip selects CE0 and CE1."""

NAMES = {"3V3": "3.3 V", "GND": "ground"}
"""The header's names for what is no GPIO, as people say them."""


@dataclass(frozen=True, slots=True)
class Wire:
    """From a part's terminal to a pin of the header, by number from 1. `pin` None: no setting tells which it is."""

    terminal: str
    pin: int | None

    @property
    def name(self) -> str:
        """What the pin is called."""
        if self.pin is None:
            return "as its overlay says"
        name: str = HEADER[self.pin].name
        return NAMES.get(name, name)


@dataclass(frozen=True, slots=True)
class WiredPart:
    """What is wired as one. `kind` is what is between its terminals and the last of them, which is ground: one of
    display, button, light, buzzer."""

    name: str
    kind: str
    wires: tuple[Wire, ...]


def parts(settings: Settings) -> list[WiredPart]:
    """What is wired to the header, each part with the nearest ground that no other has, while there is one.

    The buttons choose theirs first, so that they keep them whatever else is wired.
    """
    free, found, signals = list(GROUNDS), dict[str, WiredPart](), list(_signals(settings))
    for name, kind, wires in sorted(signals, key=lambda one: one[1] != "button"):
        rows = [HEADER[wire.pin].row for wire in wires if wire.pin is not None]
        middle = sum(rows) / len(rows)
        ground = min(free or GROUNDS, key=lambda pin: abs(HEADER[pin].row - middle))
        if ground in free:
            free.remove(ground)
        found[name] = WiredPart(name, kind, (*wires, Wire("GND" if kind == "display" else "ground", ground)))
    return [found[name] for name, _, _ in signals]


def _signals(settings: Settings) -> Iterator[tuple[str, str, list[Wire]]]:
    shown, buttons = settings.display, settings.buttons
    if shown.driver != "none":
        yield "display", "display", [Wire("VCC", 1), *_display(shown)]
    if buttons.factory != "none":
        for seat in ("away", "home"):
            own = {name.removeprefix(f"{seat}-"): bcm for name, bcm in buttons.pins.items() if name.startswith(seat)}
            yield f"{seat} buttons", "button", [Wire(name.replace("ok", "OK"), _pin(bcm)) for name, bcm in own.items()]
        yield "undo button", "button", [Wire("undo", _pin(buttons.pins["undo"]))]
    for seat, bcm in settings.lights.pins.items():
        yield f"{seat} light", "light", [Wire("light", _pin(bcm))]
    if settings.buzzer.pin is not None:
        yield "buzzer", "buzzer", [Wire("buzzer", _pin(settings.buzzer.pin))]


def _display(shown: DisplaySettings) -> list[Wire]:
    if shown.wires == "i2c":
        known = BUSES.get(shown.bus)
        return [Wire(name, _pin(known[i]) if known else None) for i, name in enumerate(("SDA", "SCL"))]
    lines = {"D0 (CLK)": SCLK, "D1 (MOSI)": MOSI, "CS": CHIPS[shown.chip], "D/C": shown.dc, "RES": shown.reset}
    return [Wire(name, _pin(bcm)) for name, bcm in lines.items()]


def _pin(bcm: int) -> int:
    """The pin of the header, from 1, with a BCM number from 0 to 27."""
    numbers: dict[str, int] = {pin.name: number for number, pin in HEADER.items()}
    return numbers[f"GPIO{bcm}"]


def shopping(settings: Settings) -> list[tuple[int, str, str]]:
    """What to buy for this table: how many, what, and what to look for."""
    shown, wired = settings.display, parts(settings)
    found = [
        (1, "Raspberry Pi", "5, 4 or Zero 2 W; with a header of 40 pins soldered on"),
        (1, "its own power supply", "a weak one costs an evening: the doctor tells of undervoltage"),
        (1, "microSD card", "16 GB or more, of a kind made for being written often (high endurance)"),
    ]
    if settings.camera.source != "none":
        found.append((1, "camera for the tray", "Camera Module 3, with the cable for your Pi, or a USB camera"))
    if settings.board.camera not in ("none", "tray"):
        found.append((1, "camera for the board", "only for a game with pieces on a board; a USB camera"))
    if shown.driver != "none":
        lines = "four pins: VCC, GND, SCL, SDA" if shown.wires == "i2c" else "seven pins, by SPI"
        found.append((1, f"OLED display, {shown.driver.upper()}", f"128 × {shown.height}; {lines}; for 3.3 V"))
    count = {kind: sum(len(part.wires) - 1 for part in wired if part.kind == kind) for kind in ("button", "light")}
    if count["button"]:
        found.append(
            (count["button"], "push buttons", "momentary, normally open; two of them for OK in another colour")
        )
    if count["light"]:
        found.append((count["light"], "LEDs, each with a resistor", "any colour; 330 to 1000 Ω"))
    if any(part.kind == "buzzer" for part in wired):
        found.append((1, "buzzer", "passive (piezo), for 3.3 V"))
    wires = sum(len(part.wires) for part in wired)
    return [*found, (wires, "jumper wires", "female to female, or as your parts want them")]


def table(settings: Settings) -> str:
    """Every wire, a row for each part, as Markdown."""
    lines = ["| part | its terminals to pins of the header |", "| --- | --- |"]
    for part in parts(settings):
        wires = (f"{wire.terminal} to {wire.pin or 'the pin'} ({wire.name})" for wire in part.wires)
        lines.append(f"| {part.name} | {', '.join(wires)} |")
    return "\n".join(lines) + "\n"


def buys(settings: Settings) -> str:
    """What to buy, as Markdown."""
    lines = ["| buy | what | look for |", "| --- | --- | --- |"]
    lines += [f"| {count} | {what} | {note} |" for count, what, note in shopping(settings)]
    return "\n".join(lines) + "\n"


def file(part: WiredPart) -> str:
    """The file of a part's drawing."""
    return f"{part.name.replace(' ', '-')}.svg"


def draw(part: WiredPart) -> str:
    """A part, the header, and the wires between them, as SVG."""
    ends = [(wire.terminal, wire.pin, wire.name) for wire in part.wires]
    pins = {number: (pin.row - 1, pin.col - 1, NAMES.get(pin.name, pin.name)) for number, pin in HEADER.items()}
    return wiring_drawing.draw(part.name, part.kind, ends, pins)


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command `dugout wiring`."""
    wiring = commands.add_parser("wiring", help="tell and draw what goes to which pin, and what to buy")
    wiring.add_argument("--settings", metavar="FILE", type=Path, help="a settings file (docs/settings.md)")
    wiring.add_argument("--out", metavar="DIR", type=Path, help="a folder for a drawing of each part, as SVG")
    wiring.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    try:
        settings = load(args.settings)
        print(f"{table(settings)}\n{buys(settings)}", end="")
        if args.out is not None:
            args.out.mkdir(parents=True, exist_ok=True)
            for part in parts(settings):
                (args.out / file(part)).write_text(draw(part), "utf-8")
    except (SettingsError, OSError) as error:
        print(f"dugout: {error}", file=sys.stderr)
        return 2
    return 0
