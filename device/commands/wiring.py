"""`dugout wiring`. Prints the wires of a table, from its settings, and a shopping list.

The pins of the header come from gpiozero. They are the same on all models with 40 pins.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from gpiozero import pi_info

from device.commands import arguments, privileges
from device.commands.target import CommandError
from device.named_file import error_text
from device.settings import DisplaySettings, Settings, SettingsError, load_settings

HEADER_PINS = pi_info("c03111").headers["J8"].pins  # pins of the header by number, from 1, with name, row and column

GROUND_PINS = [number for number, pin in HEADER_PINS.items() if pin.name == "GND"]

I2C_BUS_PINS = {0: (0, 1), 1: (2, 3)}  # BCM numbers of SDA and SCL of the I²C buses with fixed pins
SCLK_PIN = 11  # BCM number of the clock of SPI bus 0
MOSI_PIN = 10  # BCM number of its data line
CHIP_SELECT_PINS = (8, 7)  # BCM numbers of its chip selects CE0 and CE1
SUPPLY_PIN_NAMES = {"3V3": "3.3 V", "GND": "ground"}  # words for supply pins of the header


@dataclass(frozen=True, slots=True)
class Wire:
    """Wire from a part's terminal to a pin of the header, numbered from 1, or None if an overlay decides it."""

    terminal: str
    pin: int | None

    @property
    def pin_name(self) -> str:
        if self.pin is None:
            return "see its overlay"
        name: str = HEADER_PINS[self.pin].name
        return SUPPLY_PIN_NAMES.get(name, name)


@dataclass(frozen=True, slots=True)
class WiredComponent:
    """Part with its wires, ground last. `kind` is display, button, light or buzzer."""

    name: str
    kind: str
    wires: tuple[Wire, ...]


def wired_components(settings: Settings) -> list[WiredComponent]:
    """Parts wired to the header, each with the nearest free ground pin if any is left.

    The buttons choose their ground first, so that adding other parts never moves their wires.
    """
    free, found, signals = list(GROUND_PINS), dict[str, WiredComponent](), list(_components_without_ground(settings))
    for name, kind, wires in sorted(signals, key=lambda one: one[1] != "button"):
        rows = [HEADER_PINS[wire.pin].row for wire in wires if wire.pin is not None]
        middle = sum(rows) / len(rows)
        ground = min(free or GROUND_PINS, key=lambda pin: abs(HEADER_PINS[pin].row - middle))
        if ground in free:
            free.remove(ground)
        found[name] = WiredComponent(name, kind, (*wires, Wire("GND" if kind == "display" else "ground", ground)))
    return [found[name] for name, _, _ in signals]


def _components_without_ground(settings: Settings) -> Iterator[tuple[str, str, list[Wire]]]:
    shown, buttons = settings.display, settings.buttons
    if shown.driver != "none":
        yield "display", "display", [Wire("VCC", 1), *_display_wires(shown)]
    if buttons.factory != "none":
        for seat in ("away", "home"):
            own = {name.removeprefix(f"{seat}-"): bcm for name, bcm in buttons.pins.items() if name.startswith(seat)}
            yield (
                f"{seat} buttons",
                "button",
                [Wire(name.replace("ok", "OK"), _header_pin(bcm)) for name, bcm in own.items()],
            )
        yield "undo button", "button", [Wire("undo", _header_pin(buttons.pins["undo"]))]
    for seat, bcm in settings.lights.seat_pins.items():
        yield f"{seat} light", "light", [Wire("light", _header_pin(bcm))]
    if settings.buzzer.pin is not None:
        yield "buzzer", "buzzer", [Wire("buzzer", _header_pin(settings.buzzer.pin))]


def _display_wires(shown: DisplaySettings) -> list[Wire]:
    if shown.wires == "i2c":
        known = I2C_BUS_PINS.get(shown.bus)
        return [Wire(name, _header_pin(known[i]) if known else None) for i, name in enumerate(("SDA", "SCL"))]
    lines = {
        "D0 (CLK)": SCLK_PIN,
        "D1 (MOSI)": MOSI_PIN,
        "CS": CHIP_SELECT_PINS[shown.chip],
        "D/C": shown.dc,
        "RES": shown.reset,
    }
    return [Wire(name, _header_pin(bcm)) for name, bcm in lines.items()]


def _header_pin(bcm: int) -> int:
    """Header pin, from 1, of a BCM number from 0 to 27."""
    numbers: dict[str, int] = {pin.name: number for number, pin in HEADER_PINS.items()}
    return numbers[f"GPIO{bcm}"]


def shopping_list(settings: Settings) -> list[tuple[int, str, str]]:
    """Shopping list of this table: quantity, part, note."""
    shown, wired = settings.display, wired_components(settings)
    found = [
        (1, "Raspberry Pi", "5, 4 or Zero 2 W, with a soldered 40-pin header"),
        (1, "its own power supply", "a weak one will spoil the evening; `dugout doctor` reports undervoltage"),
        (1, "microSD card", "16 GB or more, high endurance (made for frequent writing)"),
    ]
    if settings.camera.source != "none":
        found.append((1, "camera for the tray", "Camera Module 3, with the cable for your Pi, or a USB camera"))
    if settings.board.camera not in ("none", "tray"):
        found.append((1, "camera for the board", "only for a game with pieces on a board; USB"))
    if shown.driver != "none":
        lines = "four pins: VCC, GND, SCL, SDA" if shown.wires == "i2c" else "seven pins, by SPI"
        found.append((1, f"OLED display, {shown.driver.upper()}", f"128 × {shown.height}; {lines}; for 3.3 V"))
    count = {kind: sum(len(part.wires) - 1 for part in wired if part.kind == kind) for kind in ("button", "light")}
    if count["button"]:
        found.append((count["button"], "push buttons", "momentary, normally open; two (for OK) in another color"))
    if count["light"]:
        found.append((count["light"], "LEDs, each with a resistor", "any color; 330 to 1000 Ω"))
    if any(part.kind == "buzzer" for part in wired):
        found.append((1, "buzzer", "passive (piezo), for 3.3 V"))
    wires = sum(len(part.wires) for part in wired)
    return [*found, (wires, "jumper wires", "female to female, or whatever fits your parts")]


def wiring_table(settings: Settings) -> str:
    """Markdown table of all wires, one row for each part."""
    lines = ["| part | terminals and header pins |", "| --- | --- |"]
    for part in wired_components(settings):
        wires = (f"{wire.terminal} to {wire.pin or 'the pin'} ({wire.pin_name})" for wire in part.wires)
        lines.append(f"| {part.name} | {', '.join(wires)} |")
    return "\n".join(lines) + "\n"


def shopping_table(settings: Settings) -> str:
    lines = ["| buy | what | look for |", "| --- | --- | --- |"]
    lines += [f"| {count} | {what} | {note} |" for count, what, note in shopping_list(settings)]
    return "\n".join(lines) + "\n"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    about = "Print the wiring table and the shopping list for these settings, or for the default ones."
    parser = commands.add_parser("wiring", help="print the wiring and a shopping list", description=about)
    parser.add_argument(
        "--settings", metavar="FILE", type=arguments.path_argument, help="the settings (docs/build/settings.md)"
    )
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """Print table and shopping list. Raises CommandError if settings are wrong or cannot be read."""
    try:
        privileges.drop_privileges(*filter(None, [args.settings]))
        settings = load_settings(args.settings)
        print(f"{wiring_table(settings)}\n{shopping_table(settings)}", end="")
    except (SettingsError, OSError) as error:
        raise CommandError(error_text(error)) from error
    return 0
