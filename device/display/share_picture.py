"""The result of a game as a picture to share: line score, winner and star, on the green of the scoreboard."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from device.display.lettering import ascii_text

PictureShape = Literal["wide", "tall"]
RESULT_PICTURE_SIZES_PX: dict[PictureShape, tuple[int, int]] = {"wide": (1200, 630), "tall": (1080, 1350)}
"""Width and height: the preview of messengers, and an upright picture."""

TOP_COLOR = (18, 64, 47)
BOTTOM_COLOR = (8, 34, 25)
TEXT_COLOR = "#f7f3e6"
MUTED_COLOR = "#b9cdbf"
HIGHLIGHT_COLOR = "#ffc53d"
LINE_COLOR = "#3d6352"
TEAM_COLORS = {
    "red": "#c8372d",
    "blue": "#2a63b8",
    "green": "#2f8f55",
    "yellow": "#e3b51f",
    "orange": "#df7a1c",
    "purple": "#7c4bb0",
    "black": "#1c1f1e",
    "white": "#f6f6f2",
}
"""Color of each team's disc, as on the pages."""

MIN_BOLD_SIZE_PX = 50  # minimum text size for bold letters

MAX_INNINGS = 12
"""Maximum innings that fit. A longer game shows the last ones."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """Result of one side: fields of `engine.scoreboard.SideScore`, and whether it won."""

    name: str
    colour: str
    line: Sequence[int | None]
    runs: int
    hits: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameResult:
    """Content of the picture. `sides` are away and home. `star` is a heading, a name and a performance, or None."""

    game: str
    day: str
    sentence: str
    sides: tuple[SideResult, SideResult]
    first: int  # number of innings before the first one played
    regulation: int  # last inning unless the score is tied
    star: tuple[str, str, str] | None


@cache
def _font_of_size(size: int) -> ImageFont.FreeTypeFont:
    """Typeface of Pillow (Aileron, in the public domain) in a size in pixels."""
    found = ImageFont.load_default(size)
    assert isinstance(found, ImageFont.FreeTypeFont)
    return found


class _Canvas:
    """Picture under construction. x and y are pixels from the top left."""

    def __init__(self, shape: PictureShape) -> None:
        self.width, self.height = RESULT_PICTURE_SIZES_PX[shape]
        self.image = Image.new("RGB", (self.width, self.height))
        self.draw = ImageDraw.Draw(self.image)
        for y in range(self.height):
            part = y / self.height
            colour = tuple(round(a + (b - a) * part) for a, b in zip(TOP_COLOR, BOTTOM_COLOR, strict=True))
            self.draw.line([(0, y), (self.width, y)], fill=colour)

    def draw_text(
        self, x: float, y: float, words: str, size: int, colour: str = TEXT_COLOR, anchor: str = "ls", most: float = 0
    ) -> float:
        """Draw one line on the baseline `y`, smaller or cut if wider than `most`. Return its width.

        The typeface has no accents and only Latin letters. Others are spelled as on the small display.
        """
        words = ascii_text(words)
        least = size * 6 // 10
        while most and size > least and _font_of_size(size).getlength(words) > most:
            size -= 2
        if most and _font_of_size(size).getlength(words) > most:
            while words and _font_of_size(size).getlength(words + "...") > most:
                words = words[:-1]
            words += "..."
        self.draw.text(
            (x, y),
            words,
            fill=colour,
            font=_font_of_size(size),
            anchor=anchor,
            stroke_width=2 if size >= MIN_BOLD_SIZE_PX else 0,
        )
        return _font_of_size(size).getlength(words)

    def draw_disc(self, x: float, y: float, radius: float, colour: str) -> None:
        self.draw.ellipse(
            (x - radius, y - radius, x + radius, y + radius), TEAM_COLORS.get(colour, "#8a8f8c"), "#fff", 4
        )

    def draw_rule(self, y: float, margin: float) -> None:
        self.draw.line([(margin, y), (self.width - margin, y)], LINE_COLOR, 2)


def _draw_line_score(sheet: _Canvas, result: GameResult, y: float, margin: float, size: int) -> None:
    """Draw the line score with its upper edge at `y`."""
    step = size * 1.75
    innings = max(result.regulation, *(len(side.line) for side in result.sides))
    shown = range(max(result.first, innings - MAX_INNINGS), innings)
    sums = sheet.width - margin - size * 1.2
    names = min(sheet.width * 0.3, 300)
    cell = min((sums - size * 2.4 - margin - names) / max(1, len(shown)), size * 2.2)
    left = sums - size * 2.4 - cell * len(shown)
    columns = [left + cell * (i + 0.5) for i in range(len(shown))]
    for x, inning in zip(columns, shown, strict=True):
        sheet.draw_text(x, y + size, str(inning + 1), round(size * 0.72), MUTED_COLOR, "ms")
    for x, word in ((sums - size * 1.6, "R"), (sums + size * 0.4, "H")):
        sheet.draw_text(x, y + size, word, round(size * 0.72), MUTED_COLOR, "ms")
    for row, side in enumerate(result.sides):
        base = y + size + step * (row + 1)
        sheet.draw_rule(base - size * 1.2, margin)
        sheet.draw_text(margin, base, side.name, size, most=left - margin - 12)
        for x, inning in zip(columns, shown, strict=True):
            runs = side.line[inning] if inning < len(side.line) else None
            sheet.draw_text(x, base, "" if runs is None else str(runs), size, TEXT_COLOR if runs else MUTED_COLOR, "ms")
        sheet.draw_text(sums - size * 1.6, base, str(side.runs), size, HIGHLIGHT_COLOR, "ms")
        sheet.draw_text(sums + size * 0.4, base, str(side.hits), size, TEXT_COLOR, "ms")


def _draw_side(sheet: _Canvas, side: SideResult, y: float, margin: float, size: int) -> None:
    """Draw a side's disc, name and runs on the baseline `y`."""
    sheet.draw_disc(margin + size * 0.34, y - size * 0.36, size * 0.32, side.colour)
    colour = HIGHLIGHT_COLOR if side.won else TEXT_COLOR
    runs = sheet.draw_text(sheet.width - margin, y + size * 0.14, str(side.runs), round(size * 1.4), colour, "rs")
    sheet.draw_text(margin + size, y, side.name, size, colour, most=sheet.width - 2 * margin - size - runs - 30)


def result_png(result: GameResult, shape: PictureShape) -> bytes:
    sheet = _Canvas(shape)
    wide = shape == "wide"
    margin, size = (64, 76) if wide else (72, 92)
    y = 74 if wide else 120
    across = sheet.draw_text(margin, y, "FINAL", 30 if wide else 38, HIGHLIGHT_COLOR)
    sheet.draw_text(margin + across + 22, y, result.game, 30 if wide else 38, MUTED_COLOR, most=sheet.width * 0.5)
    sheet.draw_text(sheet.width - margin, y, result.day, 26 if wide else 30, MUTED_COLOR, "rs")
    y += 104 if wide else 210
    for side in result.sides:
        _draw_side(sheet, side, y, margin, size)
        y += 106 if wide else 170
    y += -74 if wide else -50
    sheet.draw_text(margin, y + 22, result.sentence, 30 if wide else 40, MUTED_COLOR, most=sheet.width - 2 * margin)
    y += 44 if wide else 110
    _draw_line_score(sheet, result, y, margin, 28 if wide else 34)
    y += 150 if wide else 300
    if result.star:
        heading, name, words = result.star
        sheet.draw_text(margin, y + 30, heading.upper(), 22 if wide else 28, HIGHLIGHT_COLOR, most=sheet.width / 2)
        most = sheet.width * (0.5 if wide else 0.85)
        across = sheet.draw_text(margin, y + (76 if wide else 104), name, 40 if wide else 54, most=most)
        if wide:
            sheet.draw_text(
                margin + across + 28, y + 76, words, 30, MUTED_COLOR, most=sheet.width - 2 * margin - across - 28
            )
        else:
            sheet.draw_text(margin, y + 166, words, 38, MUTED_COLOR, most=sheet.width - 2 * margin)
    sheet.draw_text(
        sheet.width - margin, sheet.height - (34 if wide else 60), "Dugout", 26 if wide else 34, MUTED_COLOR, "rs"
    )
    out = io.BytesIO()
    sheet.image.save(out, "PNG", optimize=True)
    return out.getvalue()
