"""The first of 32 lines: bases, outs and inning in nine pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display.lettering import fit, plain_ascii, text, width
from engine.scoreboard import Side
from engine.seats import SEATS, Seat

TOP = 1
"""Y of the line; its letters begin a pixel below."""

BASES, OUTS = 17, 14
"""The width of the bases and of the outs, in pixels."""


def bases(image: Image.Image, x: int, runners: Sequence[Any]) -> None:
    """Draw first, second and third base from the right, those with a runner lit."""
    for runner, (across, down) in zip(runners, ((13, 6), (8, 4), (3, 6)), strict=False):
        at, y = x + across, TOP - 1 + down
        corners = [(at, y - 3), (at + 3, y), (at, y + 3), (at - 3, y)]
        ImageDraw.Draw(image).polygon(corners, outline=1, fill=int(runner is not None))


def outs(image: Image.Image, x: int, many: int, top: int = TOP) -> None:
    """Draw three dots, one lit for each out."""
    for out in range(3):
        at = (x + 5 * out, top + 3, x + 5 * out + 3, top + 6)
        ImageDraw.Draw(image).ellipse(at, outline=1, fill=int(out < many))


def turn(image: Image.Image, right: int, marker: str, half: Any) -> int:
    """Draw the inning with ▲ for its top and ▼ for its bottom, up to the x `right`. Return the x where it begins."""
    shown = fit(marker, 16, "bold")
    x = right - width(shown, "bold") - 8
    if half in ("top", "bottom"):
        y, step = (TOP + 6, -1) if half == "top" else (TOP + 3, 1)
        for i in range(4):
            ImageDraw.Draw(image).line((x + i, y + step * i, x + 6 - i, y + step * i), fill=1)
    text(image, x + 9, TOP + 1, shown, "bold")
    return x


def name(image: Image.Image, x: int, words: str, lit: bool) -> int:
    """Draw a few words, dark on light if `lit`. Return the x behind them."""
    wide = width(words)
    if lit and wide:
        ImageDraw.Draw(image).rectangle((x, TOP, x + wide + 1, TOP + 8), fill=1)
    text(image, x + 1, TOP + 1, words, ink=int(not lit))
    return x + wide + 2


def scores(sides: Mapping[Seat, Side], runs: Mapping[Seat, str], room: int) -> dict[Seat, str]:
    """Return both teams with their runs, each name in at most `room` pixels."""
    return {seat: f"{short} {runs[seat]}".lstrip() for seat, short in stubs(sides, room).items()}


def stubs(sides: Mapping[Seat, Side], room: int) -> dict[Seat, str]:
    """Return the first letters of the teams' names that fit into `room` pixels; A and H if they are the same."""
    found = {seat: plain_ascii(sides[seat].name).split() for seat in SEATS}
    words = {seat: parts[-1] if parts else "" for seat, parts in found.items()}
    for seat, word in words.items():
        while width(words[seat]) > room:
            words[seat] = words[seat][:-1]
        if words[seat] != word:
            words[seat] = words[seat].rstrip("-.,:;'")
    return words if len({*words.values(), ""}) == 3 else {"away": "A", "home": "H"}
