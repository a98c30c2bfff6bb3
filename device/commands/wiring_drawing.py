"""Draws one part wired to the header of a Pi, as SVG. Lengths are in SVG user units, about a pixel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

Ends = Sequence[tuple[str, int | None, str]]
"""A part's terminals, ground last: its name, the header pin, and that pin's name."""

Pins = Mapping[int, tuple[int, int, str]]
"""The header's pins by number from 1: row and column from 0, and name."""

PITCH = 22.0
"""Distance between two pins."""

LEFT, TOP = 132.0, 62.0
"""Position of pin 1."""

BEND, PART, WIDTH = 292.0, 420.0, 640.0
"""X of the wires' bend, of the part's left edge, and of the drawing's right edge."""

COLORS = {"3.3 V": "#c62828", "ground": "#212121"}
"""Colors of supply wires."""

SIGNALS = ("#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f", "#ad1457")
"""Colors that signal wires take in turn."""

STYLE = """\
text { font: 12px sans-serif; fill: #222 } .small { font-size: 10px; fill: #777 } .name { font: bold 15px sans-serif }
.screen { fill: #80deea }
.edge { stroke: #607d8b } .wire { fill: none; stroke-width: 3 } .line { fill: none; stroke: #444; stroke-width: 2 }"""


def draw(name: str, kind: str, ends: Ends, pins: Pins) -> str:
    """Draw a part and its wires; `kind` is that of `device.commands.wiring.WiredPart`."""
    high = TOP + (max(row for row, _, _ in pins.values()) + 1) * PITCH + 12
    colors = _colors(ends)
    used = {pin: color for (_, pin, _), color in zip(ends, colors, strict=True) if pin is not None}
    # With terminals in the order of the header's rows no wires cross.
    order = sorted(range(len(ends)), key=lambda i: _lane(pins, ends[i][1]))
    space = max(34.0, min(56.0, 240 / len(ends)))
    first = min(max(_lane(pins, ends[order[0]][1]), TOP + 34), high - 40 - space * len(ends))
    at = {i: first + place * space for place, i in enumerate(order)}
    drawn = [*_header(pins, used, high), *_part(name, kind, ends, at)]
    drawn += [_wire(pins, pin, at[i], colors[i]) for i, (_, pin, _) in enumerate(ends)]
    box, words = f'viewBox="0 0 {WIDTH:.0f} {high:.0f}"', escape(_description(name, ends))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{words}">',
            f"<style>{STYLE}</style>",
            '<rect width="100%" height="100%" rx="8" fill="#fafafa"/>',
            *drawn,
            "</svg>\n",
        )
    )


def _description(name: str, ends: Ends) -> str:
    """Return the drawing in words, for screen readers."""
    wires = "; ".join(f"{terminal} to pin {pin}, {which}" if pin else terminal for terminal, pin, which in ends)
    return f"The wires of the {name}: {wires}"


def _colors(ends: Ends) -> list[str]:
    """Return each wire's color; red and black are reserved for supplies."""
    turns = iter(SIGNALS)
    return [COLORS.get(which) or next(turns) for _, _, which in ends]


def _lane(pins: Pins, pin: int | None) -> float:
    """Return the y at which a wire leaves the header; wires of the outer column pass between the rows."""
    if pin is None:
        return TOP - 40
    row, column, _ = pins[pin]
    return TOP + row * PITCH + (PITCH / 2 if column == 0 else 0)


def _header(pins: Pins, used: Mapping[int, str], high: float) -> list[str]:
    """Draw the pins, with names beside those in use and numbers at the corners."""
    drawn = [
        _text(16, 26, "Pi", "name"),
        _text(44, 26, "SD card end on top", "small"),
        _box(LEFT - 14, TOP - 14, PITCH + 28, high - TOP - 8, "#b0bec5"),
    ]
    for number, (row, column, name) in pins.items():
        x, y = LEFT + column * PITCH, TOP + row * PITCH
        drawn.append(_dot(x, y, 6.5, used.get(number, "#eceff1")))
        beside, anchor = (x - 22, "end") if column == 0 else (x + 22, "start")
        if number in used:
            drawn.append(_text(beside, y + 4, f"{number}  {name}", anchor=anchor))
        elif number in (1, 2, len(pins) - 1, len(pins)):
            drawn.append(_text(beside, y + 4, str(number), "small", anchor))
    return drawn


def _wire(pins: Pins, pin: int | None, end: float, color: str) -> str:
    if pin is None:
        path, dashes = f"M {PART - 60} {end} H {PART}", ' stroke-dasharray="5 4"'
    else:
        row, column, _ = pins[pin]
        x, y, lane = LEFT + column * PITCH, TOP + row * PITCH, _lane(pins, pin)
        # A wire of the inner column continues behind its pin's name.
        begin = f"M {x} {y} L {x + PITCH / 2} {lane}" if column == 0 else f"M {x} {y} H {x + 16} M {x + 90} {y}"
        middle = (BEND + PART) / 2
        path, dashes = f"{begin} H {BEND} C {middle} {lane} {middle} {end} {PART} {end}", ""
    return f'<path class="wire" stroke="{color}"{dashes} d="{path}"/>'


def _part(name: str, kind: str, ends: Ends, at: Mapping[int, float]) -> list[str]:
    """Draw the part's box, its terminals, and the symbols between them."""
    low, high = min(at.values()) - 30, max(at.values()) + 26
    drawn = [
        _text(PART, low - 8, name.capitalize(), "name"),
        _box(PART, low, WIDTH - PART - 16, high - low, "#fff"),
    ]
    for i, (terminal, _, _) in enumerate(ends):
        drawn += [_dot(PART, at[i], 4, "#444"), _text(PART + 10, at[i] - 6, terminal)]
    if kind == "display":
        middle = (low + high) / 2
        screen = _box(WIDTH - 120, middle - 34, 92, 68, "#102027")
        return [*drawn, screen, _text(WIDTH - 74, middle + 5, "OLED", "screen", "middle")]
    *signals, ground = (at[i] for i in range(len(ends)))
    rail = WIDTH - 40
    drawn.append(_line(f"M {PART} {ground} H {rail} V {min(signals)} M {rail} {ground} V {max(signals)}"))
    for y in signals:
        drawn += SYMBOLS[kind](y, rail)
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
