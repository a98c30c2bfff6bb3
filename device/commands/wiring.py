"""`dugout wiring`: the wires of a table from its settings, a drawing of each part, and a shopping list.

The pins of the header come from gpiozero; they are the same on all models with 40 pins. Drawings are SVG; their lengths
are in user units, about a pixel.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from gpiozero import pi_info

from device.commands import arguments, rights
from device.commands.target import CommandError
from device.named_file import reason
from device.settings import DisplaySettings, Settings, SettingsError, load

HEADER = pi_info("c03111").headers["J8"].pins  # the header's pins by number, from 1, with name, row and column

GROUNDS = [number for number, pin in HEADER.items() if pin.name == "GND"]

BUSES = {0: (0, 1), 1: (2, 3)}  # BCM numbers of SDA and SCL, for the I²C buses whose pins no overlay moves
SCLK, MOSI, CHIPS = 11, 10, (8, 7)  # BCM numbers of the first SPI bus; its chip selects are CE0 and CE1
NAMES = {"3V3": "3.3 V", "GND": "ground"}  # plain words for the header's names of supply pins


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire from a part's terminal to a pin of the header, numbered from 1; `pin` is None if an overlay decides it."""

    terminal: str
    pin: int | None

    @property
    def name(self) -> str:
        """The pin's name."""
        if self.pin is None:
            return "see its overlay"
        name: str = HEADER[self.pin].name
        return NAMES.get(name, name)


@dataclass(frozen=True, slots=True)
class WiredPart:
    """A part with its wires, ground last. `kind` is display, button, light or buzzer."""

    name: str
    kind: str
    wires: tuple[Wire, ...]


def parts(settings: Settings) -> list[WiredPart]:
    """Return the parts wired to the header, each with the nearest free ground pin while there is one.

    The buttons choose their ground first, so that adding other parts never moves their wires.
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
    """Return the header pin, from 1, of a BCM number from 0 to 27."""
    numbers: dict[str, int] = {pin.name: number for number, pin in HEADER.items()}
    return numbers[f"GPIO{bcm}"]


def shopping(settings: Settings) -> list[tuple[int, str, str]]:
    """Return the shopping list of this table: how many, what, and what to look for."""
    shown, wired = settings.display, parts(settings)
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


def table(settings: Settings) -> str:
    """Return every wire as a Markdown table, one row for each part."""
    lines = ["| part | terminals and header pins |", "| --- | --- |"]
    for part in parts(settings):
        wires = (f"{wire.terminal} to {wire.pin or 'the pin'} ({wire.name})" for wire in part.wires)
        lines.append(f"| {part.name} | {', '.join(wires)} |")
    return "\n".join(lines) + "\n"


def buys(settings: Settings) -> str:
    """Return the shopping list as a Markdown table."""
    lines = ["| buy | what | look for |", "| --- | --- | --- |"]
    lines += [f"| {count} | {what} | {note} |" for count, what, note in shopping(settings)]
    return "\n".join(lines) + "\n"


def file(part: WiredPart) -> str:
    """Return the file name of a part's drawing."""
    return f"{part.name.replace(' ', '-')}.svg"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `wiring` to the command line."""
    about = "Print the wiring table and the shopping list for these settings, or for the default ones."
    parser = commands.add_parser("wiring", help="print the wiring and a shopping list", description=about)
    parser.add_argument("--settings", metavar="FILE", type=arguments.path, help="the settings file (docs/settings.md)")
    parser.add_argument("--out", metavar="DIR", type=arguments.path, help="also draw each part as SVG into this folder")
    parser.set_defaults(run=run, place=place)


def place(args: argparse.Namespace) -> Path | None:
    """Return what somebody else owns of the settings and the folder for drawings."""
    return rights.place_of(one for one in (args.settings, args.out) if one is not None)


def run(args: argparse.Namespace) -> int:
    """Print table and shopping list. Raises CommandError if settings are wrong or a file cannot be written."""
    try:
        settings = load(args.settings)
        print(f"{table(settings)}\n{buys(settings)}", end="")
        if args.out is not None:
            args.out.mkdir(parents=True, exist_ok=True)
            for part in parts(settings):
                (args.out / file(part)).write_text(draw(part), "utf-8")
    except (SettingsError, OSError) as error:
        raise CommandError(reason(error)) from error
    return 0


# The drawing ---------------------------------------------------------------------------------------------------------

PITCH = 22.0  # distance between two pins
LEFT, TOP = 132.0, 62.0  # position of pin 1

BEND, PART, WIDTH = 292.0, 420.0, 640.0
"""X of the wires' bend, of the part's left edge, and of the drawing's right edge."""

COLORS = {"3.3 V": "#c62828", "ground": "#212121"}  # colors of supply wires
SIGNALS = ("#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f", "#ad1457")  # colors that signal wires take in turn

STYLE = """\
text { font: 12px sans-serif; fill: #222 } .small { font-size: 10px; fill: #777 } .name { font: bold 15px sans-serif }
.screen { fill: #80deea }
.edge { stroke: #607d8b } .wire { fill: none; stroke-width: 3 } .line { fill: none; stroke: #444; stroke-width: 2 }"""


def draw(part: WiredPart) -> str:
    """Draw a part, the header, and the wires between them, as SVG."""
    wires = part.wires
    high = TOP + max(pin.row for pin in HEADER.values()) * PITCH + 12
    # Each wire has its own color; red and black are reserved for supplies.
    turns = iter(SIGNALS)
    colors = [COLORS.get(wire.name) or next(turns) for wire in wires]
    # With terminals in the order of the header's rows no wires cross.
    order = sorted(range(len(wires)), key=lambda i: _lane(wires[i].pin))
    space = max(34.0, min(56.0, 240 / len(wires)))
    first = min(max(_lane(wires[order[0]].pin), TOP + 34), high - 40 - space * len(wires))
    at = {i: first + place * space for place, i in enumerate(order)}
    used = {wire.pin: color for wire, color in zip(wires, colors, strict=True)}
    drawn = [*_header(used, high), *_part(part, at)]
    drawn += [_wire(wire.pin, at[i], colors[i]) for i, wire in enumerate(wires)]
    ends = "; ".join(f"{one.terminal} to pin {one.pin}, {one.name}" if one.pin else one.terminal for one in wires)
    box, words = f'viewBox="0 0 {WIDTH:.0f} {high:.0f}"', escape(f"The wires of the {part.name}: {ends}")
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{words}">',
            f"<style>{STYLE}</style>",
            '<rect width="100%" height="100%" rx="8" fill="#fafafa"/>',
            *drawn,
            "</svg>\n",
        )
    )


def _lane(pin: int | None) -> float:
    """Return the y at which a wire leaves the header; wires of the outer column pass between the rows."""
    if pin is None:
        return TOP - 40
    x, y = _place(pin)
    return y + (PITCH / 2 if x == LEFT else 0)


def _place(pin: int) -> tuple[float, float]:
    return LEFT + (HEADER[pin].col - 1) * PITCH, TOP + (HEADER[pin].row - 1) * PITCH


def _header(used: Mapping[int | None, str], high: float) -> list[str]:
    """Draw the pins, with names beside those in use and numbers at the corners."""
    drawn = [
        _text(16, 26, "Pi", "name"),
        _text(44, 26, "SD card end on top", "small"),
        _box(LEFT - 14, TOP - 14, PITCH + 28, high - TOP - 8, "#b0bec5"),
    ]
    for number in HEADER:
        x, y = _place(number)
        drawn.append(_dot(x, y, 6.5, used.get(number, "#eceff1")))
        beside, anchor = (x - 22, "end") if x == LEFT else (x + 22, "start")
        if number in used:
            drawn.append(_text(beside, y + 4, f"{number}  {Wire('', number).name}", anchor=anchor))
        elif number in (1, 2, len(HEADER) - 1, len(HEADER)):
            drawn.append(_text(beside, y + 4, str(number), "small", anchor))
    return drawn


def _wire(pin: int | None, end: float, color: str) -> str:
    if pin is None:
        path, dashes = f"M {PART - 60} {end} H {PART}", ' stroke-dasharray="5 4"'
    else:
        (x, y), lane = _place(pin), _lane(pin)
        # A wire of the inner column continues behind its pin's name.
        begin = f"M {x} {y} L {x + PITCH / 2} {lane}" if x == LEFT else f"M {x} {y} H {x + 16} M {x + 90} {y}"
        middle = (BEND + PART) / 2
        path, dashes = f"{begin} H {BEND} C {middle} {lane} {middle} {end} {PART} {end}", ""
    return f'<path class="wire" stroke="{color}"{dashes} d="{path}"/>'


def _part(part: WiredPart, at: Mapping[int, float]) -> list[str]:
    """Draw the part's box, its terminals, and the symbols between them."""
    low, high = min(at.values()) - 30, max(at.values()) + 26
    drawn = [
        _text(PART, low - 8, part.name.capitalize(), "name"),
        _box(PART, low, WIDTH - PART - 16, high - low, "#fff"),
    ]
    for i, wire in enumerate(part.wires):
        drawn += [_dot(PART, at[i], 4, "#444"), _text(PART + 10, at[i] - 6, wire.terminal)]
    if part.kind == "display":
        middle = (low + high) / 2
        screen = _box(WIDTH - 120, middle - 34, 92, 68, "#102027")
        return [*drawn, screen, _text(WIDTH - 74, middle + 5, "OLED", "screen", "middle")]
    *signals, ground = (at[i] for i in range(len(at)))
    rail = WIDTH - 40
    drawn.append(_line(f"M {PART} {ground} H {rail} V {min(signals)} M {rail} {ground} V {max(signals)}"))
    for y in signals:
        drawn += SYMBOLS[part.kind](y, rail)
    return drawn


def _button(y: float, rail: float) -> list[str]:
    x = PART + 90
    return [
        _line(f"M {PART} {y} H {x} M {x + 40} {y} H {rail}"),
        _dot(x, y, 3.5, "#fff"),
        _dot(x + 40, y, 3.5, "#fff"),
        _line(f"M {x - 4} {y - 9} H {x + 44} M {x + 20} {y - 9} V {y - 18} M {x + 10} {y - 18} H {x + 30}"),
    ]


def _light(y: float, rail: float) -> list[str]:
    """Draw a resistor and an LED."""
    x = PART + 104
    return [
        _line(f"M {PART} {y} H {PART + 50} M {PART + 84} {y} H {x} M {x + 20} {y} H {rail}"),
        _box(PART + 50, y - 6, 34, 12, "#fff"),
        f'<path fill="#ffca28" stroke="#444" stroke-width="2" d="M {x} {y - 10} V {y + 10} L {x + 20} {y} Z"/>',
        _line(f"M {x + 20} {y - 10} V {y + 10}"),
        _text(PART + 34, y + 22, "330 to 1000 Ω, then the long leg", "small"),
    ]


def _buzzer(y: float, rail: float) -> list[str]:
    x = PART + 110
    return [_line(f"M {PART} {y} H {rail}"), _dot(x, y, 20, "#fff"), _dot(x, y, 4, "#444")]


SYMBOLS: Mapping[str, Callable[[float, float], list[str]]] = {"button": _button, "light": _light, "buzzer": _buzzer}
"""Draws what lies between a terminal and the ground rail, given the terminal's y and the rail's x."""


def _line(path: str) -> str:
    return f'<path class="line" d="{path}"/>'


def _dot(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle class="edge" cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>'


def _box(x: float, y: float, width: float, height: float, fill: str) -> str:
    return f'<rect class="edge" x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="{fill}"/>'


def _text(x: float, y: float, words: str, style: str = "", anchor: str = "start") -> str:
    return f'<text class="{style}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
