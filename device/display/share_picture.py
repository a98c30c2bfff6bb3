"""The result of a game as a picture to share: line score, winner and star, on the green of the scoreboard."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from device.display.lettering import plain_ascii

Shape = Literal["wide", "tall"]
SIZES: dict[Shape, tuple[int, int]] = {"wide": (1200, 630), "tall": (1080, 1350)}
"""Width and height in pixels: what messengers preview, and an upright picture."""

TOP, BOTTOM = (18, 64, 47), (8, 34, 25)
CHALK, SOFT, LAMP, LINE = "#f7f3e6", "#b9cdbf", "#ffc53d", "#3d6352"
COLOURS = {
    "red": "#c8372d",
    "blue": "#2a63b8",
    "green": "#2f8f55",
    "yellow": "#e3b51f",
    "orange": "#df7a1c",
    "purple": "#7c4bb0",
    "black": "#1c1f1e",
    "white": "#f6f6f2",
}
"""The color of each team's disc, as on the pages."""

BOLD = 50
"""Pixels from which on letters are drawn bold."""

INNINGS = 12
"""Innings that fit; of a longer game the last ones are shown."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """One side of a result: as `engine.scoreboard.Side`, and whether it won."""

    name: str
    colour: str
    line: Sequence[int | None]
    runs: int
    hits: int
    won: bool


@dataclass(frozen=True, slots=True)
class Result:
    """What the picture says. `sides` are away and home; `star` is a heading, a name and what was done, or None."""

    game: str
    day: str
    sentence: str
    sides: tuple[SideResult, SideResult]
    first: int
    """The innings before the first one played."""
    star: tuple[str, str, str] | None


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the typeface that comes with Pillow (Aileron, in the public domain) in a size in pixels."""
    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont)
    return found


class _Sheet:
    """A picture being drawn; x and y are pixels from the top left."""

    def __init__(self, shape: Shape) -> None:
        self.width, self.height = SIZES[shape]
        self.image = Image.new("RGB", (self.width, self.height))
        self.draw = ImageDraw.Draw(self.image)
        for y in range(self.height):
            part = y / self.height
            colour = tuple(round(a + (b - a) * part) for a, b in zip(TOP, BOTTOM, strict=True))
            self.draw.line([(0, y), (self.width, y)], fill=colour)

    def write(
        self, x: float, y: float, words: str, size: int, colour: str = CHALK, anchor: str = "ls", most: float = 0
    ) -> float:
        """Write one line on the baseline `y`, smaller or cut where it is wider than `most`; return its width.

        The typeface has no accents and only Latin letters: others are spelled as on the small display.
        """
        words = plain_ascii(words)
        least = size * 6 // 10
        while most and size > least and _font(size).getlength(words) > most:
            size -= 2
        if most and _font(size).getlength(words) > most:
            while words and _font(size).getlength(words + "...") > most:
                words = words[:-1]
            words += "..."
        self.draw.text(
            (x, y), words, fill=colour, font=_font(size), anchor=anchor, stroke_width=2 if size >= BOLD else 0
        )
        return _font(size).getlength(words)

    def disc(self, x: float, y: float, radius: float, colour: str) -> None:
        """Draw a team's disc around a point."""
        self.draw.ellipse((x - radius, y - radius, x + radius, y + radius), COLOURS.get(colour, "#8a8f8c"), "#fff", 4)

    def rule(self, y: float, margin: float) -> None:
        """Draw a thin line across."""
        self.draw.line([(margin, y), (self.width - margin, y)], LINE, 2)


def _line_score(sheet: _Sheet, result: Result, y: float, margin: float, size: int) -> None:
    """Draw the line score with its upper edge at `y`."""
    step = size * 1.75
    innings = max(9 if result.first < 8 else result.first + 1, *(len(side.line) for side in result.sides))
    shown = range(max(result.first, innings - INNINGS), innings)
    sums = sheet.width - margin - size * 1.2
    names = min(sheet.width * 0.3, 300)
    cell = min((sums - size * 2.4 - margin - names) / max(1, len(shown)), size * 2.2)
    left = sums - size * 2.4 - cell * len(shown)
    columns = [left + cell * (i + 0.5) for i in range(len(shown))]
    for x, inning in zip(columns, shown, strict=True):
        sheet.write(x, y + size, str(inning + 1), round(size * 0.72), SOFT, "ms")
    for x, word in ((sums - size * 1.6, "R"), (sums + size * 0.4, "H")):
        sheet.write(x, y + size, word, round(size * 0.72), SOFT, "ms")
    for row, side in enumerate(result.sides):
        base = y + size + step * (row + 1)
        sheet.rule(base - size * 1.2, margin)
        sheet.write(margin, base, side.name, size, most=left - margin - 12)
        for x, inning in zip(columns, shown, strict=True):
            runs = side.line[inning] if inning < len(side.line) else None
            sheet.write(x, base, "" if runs is None else str(runs), size, CHALK if runs else SOFT, "ms")
        sheet.write(sums - size * 1.6, base, str(side.runs), size, LAMP, "ms")
        sheet.write(sums + size * 0.4, base, str(side.hits), size, CHALK, "ms")


def _side(sheet: _Sheet, side: SideResult, y: float, margin: float, size: int) -> None:
    """Draw a side's disc, name and runs on the baseline `y`."""
    sheet.disc(margin + size * 0.34, y - size * 0.36, size * 0.32, side.colour)
    colour = LAMP if side.won else CHALK
    runs = sheet.write(sheet.width - margin, y + size * 0.14, str(side.runs), round(size * 1.4), colour, "rs")
    sheet.write(margin + size, y, side.name, size, colour, most=sheet.width - 2 * margin - size - runs - 30)


def picture(result: Result, shape: Shape) -> bytes:
    """Return the picture of a result as PNG."""
    sheet = _Sheet(shape)
    wide = shape == "wide"
    margin, size = (64, 76) if wide else (72, 92)
    y = 74 if wide else 120
    across = sheet.write(margin, y, "FINAL", 30 if wide else 38, LAMP)
    sheet.write(margin + across + 22, y, result.game, 30 if wide else 38, SOFT, most=sheet.width * 0.5)
    sheet.write(sheet.width - margin, y, result.day, 26 if wide else 30, SOFT, "rs")
    y += 104 if wide else 210
    for side in result.sides:
        _side(sheet, side, y, margin, size)
        y += 106 if wide else 170
    y += -74 if wide else -50
    sheet.write(margin, y + 22, result.sentence, 30 if wide else 40, SOFT, most=sheet.width - 2 * margin)
    y += 44 if wide else 110
    _line_score(sheet, result, y, margin, 28 if wide else 34)
    y += 150 if wide else 300
    if result.star:
        heading, name, words = result.star
        sheet.write(margin, y + 30, heading.upper(), 22 if wide else 28, LAMP, most=sheet.width / 2)
        most = sheet.width * (0.5 if wide else 0.85)
        across = sheet.write(margin, y + (76 if wide else 104), name, 40 if wide else 54, most=most)
        if wide:
            sheet.write(margin + across + 28, y + 76, words, 30, SOFT, most=sheet.width - 2 * margin - across - 28)
        else:
            sheet.write(margin, y + 166, words, 38, SOFT, most=sheet.width - 2 * margin)
    sheet.write(sheet.width - margin, sheet.height - (34 if wide else 60), "Dugout", 26 if wide else 34, SOFT, "rs")
    out = io.BytesIO()
    sheet.image.save(out, "PNG", optimize=True)
    return out.getvalue()
