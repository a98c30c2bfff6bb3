"""The drawing of one part wired to the header of a Pi, as SVG. Lengths are the drawing's own units, about a pixel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

Ends = Sequence[tuple[str, int | None, str]]
"""A part's terminals, ground last: what it is called, the header's pin, and that one's name."""

Pins = Mapping[int, tuple[int, int, str]]
"""The header's pins by number, from 1: row and column from 0, and name."""

PITCH = 22.0
"""Between two pins."""

LEFT, TOP = 132.0, 62.0
"""Where pin 1 is."""

TURN, EDGE, WIDE = 292.0, 420.0, 640.0
"""Where wires leave the header's rows, where the part begins, and where the drawing ends."""

COLOURS = {"3.3 V": "#c62828", "ground": "#212121"}
"""Of supplies; signals take turns."""

SIGNALS = ("#1565c0", "#2e7d32", "#ef6c00", "#6a1b9a", "#00838f", "#ad1457")

STYLE = """\
text { font: 12px sans-serif; fill: #222 } .small { font-size: 10px; fill: #777 } .name { font: bold 15px sans-serif }
.screen { fill: #80deea }
.edge { stroke: #607d8b } .wire { fill: none; stroke-width: 3 } .line { fill: none; stroke: #444; stroke-width: 2 }"""


def draw(name: str, kind: str, ends: Ends, pins: Pins) -> str:
    """A part and its wires; `kind` as `device.commands.wiring.Part` has it."""
    high = TOP + (max(row for row, _, _ in pins.values()) + 1) * PITCH + 12
    colours = _colours(ends)
    used = {pin: colour for (_, pin, _), colour in zip(ends, colours, strict=True) if pin is not None}
    # Terminals in the order of the header's rows: no wire crosses another.
    order = sorted(range(len(ends)), key=lambda i: _lane(pins, ends[i][1]))
    space = max(34.0, min(56.0, 240 / len(ends)))
    first = min(max(_lane(pins, ends[order[0]][1]), TOP + 34), high - 40 - space * len(ends))
    at = {i: first + place * space for place, i in enumerate(order)}
    drawn = [*_header(pins, used, high), *_part(name, kind, ends, at)]
    drawn += [_wire(pins, pin, at[i], colours[i]) for i, (_, pin, _) in enumerate(ends)]
    box, said = f'viewBox="0 0 {WIDE:.0f} {high:.0f}"', escape(_said(name, ends))
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" aria-label="{said}">',
            f"<style>{STYLE}</style>",
            '<rect width="100%" height="100%" rx="8" fill="#fafafa"/>',
            *drawn,
            "</svg>\n",
        )
    )


def _said(name: str, ends: Ends) -> str:
    """The same in words, for who cannot see it."""
    wires = "; ".join(f"{terminal} to pin {pin}, {which}" if pin else terminal for terminal, pin, which in ends)
    return f"The wires of the {name}: {wires}"


def _colours(ends: Ends) -> list[str]:
    """Each wire's colour: red and black are for supplies alone."""
    turns = iter(SIGNALS)
    return [COLOURS.get(which) or next(turns) for _, _, which in ends]


def _lane(pins: Pins, pin: int | None) -> float:
    """The height at which a wire leaves the header: those of the outer column pass between the rows."""
    if pin is None:
        return TOP - 40
    row, column, _ = pins[pin]
    return TOP + row * PITCH + (PITCH / 2 if column == 0 else 0)


def _header(pins: Pins, used: Mapping[int, str], high: float) -> list[str]:
    """The pins, what those are that are used, and their corners' numbers."""
    drawn = [
        _text(16, 26, "Pi", "name"),
        _text(44, 26, "the end of its SD card above", "small"),
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


def _wire(pins: Pins, pin: int | None, end: float, colour: str) -> str:
    if pin is None:
        path, dashes = f"M {EDGE - 60} {end} H {EDGE}", ' stroke-dasharray="5 4"'
    else:
        row, column, _ = pins[pin]
        x, y, lane = LEFT + column * PITCH, TOP + row * PITCH, _lane(pins, pin)
        # A wire of the inner column goes on behind its pin's name.
        begin = f"M {x} {y} L {x + PITCH / 2} {lane}" if column == 0 else f"M {x} {y} H {x + 16} M {x + 90} {y}"
        middle = (TURN + EDGE) / 2
        path, dashes = f"{begin} H {TURN} C {middle} {lane} {middle} {end} {EDGE} {end}", ""
    return f'<path class="wire" stroke="{colour}"{dashes} d="{path}"/>'


def _part(name: str, kind: str, ends: Ends, at: Mapping[int, float]) -> list[str]:
    """Its box and terminals, and what is between them."""
    low, high = min(at.values()) - 30, max(at.values()) + 26
    drawn = [
        _text(EDGE, low - 8, name.capitalize(), "name"),
        _box(EDGE, low, WIDE - EDGE - 16, high - low, "#fff"),
    ]
    for i, (terminal, _, _) in enumerate(ends):
        drawn += [_dot(EDGE, at[i], 4, "#444"), _text(EDGE + 10, at[i] - 6, terminal)]
    if kind == "display":
        middle = (low + high) / 2
        screen = _box(WIDE - 120, middle - 34, 92, 68, "#102027")
        return [*drawn, screen, _text(WIDE - 74, middle + 5, "OLED", "screen", "middle")]
    *signals, ground = (at[i] for i in range(len(ends)))
    rail = WIDE - 40
    drawn.append(_line(f"M {EDGE} {ground} H {rail} V {min(signals)} M {rail} {ground} V {max(signals)}"))
    for y in signals:
        drawn += SYMBOLS[kind](y, rail)
    return drawn


def _button(y: float, rail: float) -> list[str]:
    x = EDGE + 90
    return [
        _line(f"M {EDGE} {y} H {x} M {x + 40} {y} H {rail}"),
        _dot(x, y, 3.5, "#fff"),
        _dot(x + 40, y, 3.5, "#fff"),
        _line(f"M {x - 4} {y - 9} H {x + 44} M {x + 20} {y - 9} V {y - 18} M {x + 10} {y - 18} H {x + 30}"),
    ]


def _light(y: float, rail: float) -> list[str]:
    """A resistor, then an LED."""
    x = EDGE + 104
    return [
        _line(f"M {EDGE} {y} H {EDGE + 50} M {EDGE + 84} {y} H {x} M {x + 20} {y} H {rail}"),
        _box(EDGE + 50, y - 6, 34, 12, "#fff"),
        f'<path fill="#ffca28" stroke="#444" stroke-width="2" d="M {x} {y - 10} V {y + 10} L {x + 20} {y} Z"/>',
        _line(f"M {x + 20} {y - 10} V {y + 10}"),
        _text(EDGE + 34, y + 22, "330 to 1000 Ω, then the long leg", "small"),
    ]


def _buzzer(y: float, rail: float) -> list[str]:
    x = EDGE + 110
    return [_line(f"M {EDGE} {y} H {rail}"), _dot(x, y, 20, "#fff"), _dot(x, y, 4, "#444")]


SYMBOLS: Mapping[str, Callable[[float, float], list[str]]] = {"button": _button, "light": _light, "buzzer": _buzzer}
"""What is between a terminal and the rail that goes to ground: by its height, and where the rail is."""


def _line(path: str) -> str:
    return f'<path class="line" d="{path}"/>'


def _dot(x: float, y: float, radius: float, fill: str) -> str:
    return f'<circle class="edge" cx="{x}" cy="{y}" r="{radius}" fill="{fill}"/>'


def _box(x: float, y: float, wide: float, high: float, fill: str) -> str:
    return f'<rect class="edge" x="{x}" y="{y}" width="{wide}" height="{high}" rx="4" fill="{fill}"/>'


def _text(x: float, y: float, words: str, look: str = "", anchor: str = "start") -> str:
    return f'<text class="{look}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
