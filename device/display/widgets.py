"""Parts of the screens, placed by `screens_64` and `screens_32`: dice, bases, the choice of the buttons, short names.

Nothing is drawn on the outermost ring of pixels, so that a picture can be shifted by one pixel against burn-in without
losing any of it. Letters are at least 8 pixels high: 1.4 mm on a 0.96" panel, readable from 60 cm.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display import lettering
from device.display.lettering import bold_if, centred, fit, text, width, wrap
from device.display.pages import Pages, split
from engine.ask_views import RerollView
from engine.scoreboard import Scoreboard
from engine.views import EntryView, View

WIDE = 128
LEFT, TOP, RIGHT = 1, 1, 126
"""The box that may be drawn on, both ends included; it ends two pixels above the height of the screen."""

ROOM = RIGHT - LEFT + 1

ENTRY = 104  # the room between the arrows beside a choice, in pixels

PIPS: dict[Any, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of each face are, in steps of 0.29 of the die from its middle."""


def blank(height: int) -> Image.Image:
    """Return a dark screen."""
    return Image.new("1", (WIDE, height))


def bases(image: Image.Image, spots: Iterable[tuple[int, int]], size: int, runners: Sequence[Any]) -> None:
    """Draw first, second and third base with their middles at `spots`, those with a runner lit."""
    for runner, (x, y) in zip(runners, spots, strict=False):
        corners = [(x, y - size), (x + size, y), (x, y + size), (x - size, y)]
        ImageDraw.Draw(image).polygon(corners, outline=1, fill=int(runner is not None))


def inning(image: Image.Image, x: int, y: int, marker: str, half: Any, down: int) -> None:
    """Draw the inning at (x, y), with ▲ for its top, and ▼ for its bottom `down` pixels lower."""
    if half in ("top", "bottom"):
        at, step = (y + 5, -1) if half == "top" else (y + down, 1)
        for i in range(4):
            ImageDraw.Draw(image).line((x + i, at + step * i, x + 6 - i, at + step * i), fill=1)
    text(image, x + 9, y, marker, "bold")


def diamond(image: Image.Image, board: Scoreboard) -> None:
    """Draw the bases at the right end of 64 lines, and under them the inning."""
    bases(image, ((121, 14), (114, 7), (107, 14)), 5, board.bases)
    shown = fit(board.marker, 16, "bold")
    inning(image, 114 - (width(shown, "bold") + 9) // 2, 24, shown, board.half, 1)


def dots(image: Image.Image, x: int, y: int, lit: int, of: int = 3, size: int = 5, down: bool = False) -> None:
    """Draw a row of `of` dots, or a column if `down`, with the first `lit` filled: the outs, mostly."""
    for i in range(of):
        left, top = (x, y + 10 * i) if down else (x + (8 if size > 3 else 5) * i, y)
        ImageDraw.Draw(image).ellipse((left, top, left + size, top + size), outline=1, fill=int(i < lit))


# The first of 32 lines -----------------------------------------------------------------------------------------------

BASES, OUTS = 17, 14  # the width of the bases and of the outs in the first of 32 lines, in pixels


def line_bases(image: Image.Image, board: Scoreboard) -> None:
    """Draw the bases at the right end of the first of 32 lines."""
    x = RIGHT + 1 - BASES
    bases(image, ((x + 13, 6), (x + 8, 4), (x + 3, 6)), 3, board.bases)


def line_inning(image: Image.Image, right: int, board: Scoreboard) -> int:
    """Draw the inning in the first of 32 lines, up to the x `right`. Return the x where it begins."""
    shown = fit(board.marker, 16, "bold")
    x = right - width(shown, "bold") - 8
    inning(image, x, TOP + 1, shown, board.half, 2)
    return x


def line_name(image: Image.Image, x: int, words: str, lit: bool) -> int:
    """Draw a few words in the first of 32 lines, dark on light if `lit`. Return the x behind them."""
    wide = width(words)
    if lit and wide:
        ImageDraw.Draw(image).rectangle((x, TOP, x + wide + 1, TOP + 8), fill=1)
    text(image, x + 1, TOP + 1, words, ink=int(not lit))
    return x + wide + 2


# What is drawn alike on both heights ---------------------------------------------------------------------------------


def choice(
    image: Image.Image,
    entry: EntryView,
    pages: Pages,
    top: int,
    middle: int,
    rows: Sequence[int],
    bar: int | None = None,
) -> None:
    """Draw what OK would give from the y `top` down, between the arrows of the other two buttons at the y `middle`.

    The letters stand at the y of each of `rows`, one or two. A slider on a dotted line at the y `bar` shows where in
    the list it is.
    """
    paint, label, count = ImageDraw.Draw(image), entry.label, entry.count or 1
    paint.rectangle((LEFT, top, RIGHT, image.height - 2), fill=1)
    if count > 1:
        for x, step in ((4, 1), (123, -1)):
            for i in range(5):
                paint.line((x + step * i, middle - i, x + step * i, middle + i), fill=0)
        if bar is not None:
            left, wide = LEFT + 4, ROOM - 8
            paint.point([(x, bar) for x in range(left, left + wide, 2)], fill=0)
            at = left + (wide - max(4, wide // count)) * (entry.index or 0) // (count - 1)
            paint.rectangle((at, bar - 1, at + max(4, wide // count) - 1, bar), fill=0)
    font = bold_if(ENTRY, label) if len(rows) == 1 else "plain"
    for y, part in zip(rows, pages.text(label, ENTRY, len(rows), font), strict=False):
        centred(image, 12, 115, y, part, font, ink=0)


def boxed(image: Image.Image, view: View, pages: Pages, top: int = TOP) -> None:
    """Draw the warnings, or else the notice, dark on light, in up to three lines, from the y `top` down."""
    bottom, room = image.height - 2, ROOM - 6
    many = min(3, (bottom + 1 - top) // 9)
    lines = pages.warning(view.warnings, room, many) if view.warnings else pages.text(view.notice or "", room, many)
    ImageDraw.Draw(image).rectangle((LEFT, top, RIGHT, bottom), fill=1)
    first = (top + bottom + 1) // 2 - (9 * len(lines) - 1) // 2
    for i, part in enumerate(lines):
        centred(image, LEFT + 3, RIGHT - 3, first + 9 * i, part, ink=0)


def headed(image: Image.Image, tag: str, lines: Sequence[str], x: int, y: int) -> None:
    """Draw who must decide, dark on light, and what, 9 pixels a line, from (x, y) on."""
    if tag:
        ImageDraw.Draw(image).rectangle((x, y - 1, x + width(tag) + 1, y + 7), fill=1)
        text(image, x + 1, y, tag, ink=0)
    for i, part in enumerate(lines):
        text(image, x + (width(tag) + 5 if tag and not i else 0), y + 9 * i, part)


def titled(image: Image.Image, words: str, high: int) -> None:
    """Draw a title, dark on light, in a bar of `high` pixels."""
    ImageDraw.Draw(image).rectangle((LEFT, TOP, RIGHT, TOP + high - 1), fill=1)
    centred(image, LEFT + 2, RIGHT - 2, TOP + (high - 7) // 2, words, bold_if(ROOM - 4, words), ink=0)


def seat_parts(names: Sequence[str], words: Sequence[str]) -> tuple[str, lettering.Font, list[str]]:
    """Return the first of `names` that leaves room for `words` in a line, its font, and `words` in parts that fit."""
    fonts: tuple[lettering.Font, ...] = ("bold", "plain")
    ways = [(name, font) for name in names for font in fonts]
    widest = max(map(width, words))
    name, font = next((one for one in ways if width(*one) + widest <= ROOM - 8), ways[-1])
    room = ROOM - 5 - width(name, font)
    return name, font, [" ".join(part) for one in words for part in split(one, room, 1)]


def seat_line(image: Image.Image, y: int, high: int, name: str, font: lettering.Font, part: str, lit: bool) -> None:
    """Draw what a seat does while somebody chooses in secret, in a line of `high` pixels; dark on light if `lit`."""
    top = y + (high - 8) // 2
    if lit:
        ImageDraw.Draw(image).rectangle((LEFT, y, RIGHT, y + high - 1), fill=1)
    text(image, LEFT + 1, top, name, font, int(not lit))
    text(image, RIGHT - width(part), top, part, ink=int(not lit))


def menu(image: Image.Image, items: Sequence[str], index: int, pitch: int, pages: Pages) -> Image.Image:
    """Draw as many lines of a list of choices as fit, `pitch` pixels apart, the one at `index` dark on light.

    What has no room in that one follows in turn.
    """
    paint, bottom = ImageDraw.Draw(image), image.height - 2
    seen = bottom // pitch
    font = bold_if(ROOM - 14, *items)
    first = min(max(0, index - seen // 2), max(0, len(items) - seen))
    for row, item in enumerate(items[first : first + seen]):
        y, here = TOP + pitch * row, first + row == index
        if here:
            paint.rectangle((LEFT, y, RIGHT - 5, y + pitch - 1), fill=1)
        words = "".join(pages.text(item, ROOM - 14, 1, font)) if here else fit(item, ROOM - 14, font)
        text(image, LEFT + 4, y + (pitch - 8) // 2, words, font, int(not here))
    if len(items) > seen:
        height = max(6, (bottom - TOP) * seen // len(items))
        y = TOP + (bottom - TOP - height) * first // (len(items) - seen)
        paint.rectangle((RIGHT - 1, y, RIGHT, y + height), fill=1)
    return image


def sleep(image: Image.Image, tick: int, step: int) -> Image.Image:
    """Draw one dot of two by two pixels on black, `step` pixels lower at each `tick`, and round again."""
    x, y = LEFT + tick * 47 % (ROOM - 1), TOP + tick * step % (image.height - 3)
    ImageDraw.Draw(image).rectangle((x, y, x + 1, y + 1), fill=1)
    return image


def bye(image: Image.Image, words: str, most: int) -> Image.Image:
    """Draw the last picture, which the panel keeps until the power is cut, in at most `most` lines."""
    lines = wrap(words, ROOM - 8, most, "bold")
    ImageDraw.Draw(image).rectangle((LEFT, TOP, RIGHT, image.height - 2), outline=1)
    top = image.height * 17 // 32 - 6 * len(lines)
    for i, part in enumerate(lines):
        centred(image, LEFT + 4, RIGHT - 4, top + 12 * i, part, "bold")
    return image


# Dice ----------------------------------------------------------------------------------------------------------------


def breadth(face: Any, size: int) -> int:
    """Return the width of a die of `size` pixels: a small one with a number of two digits is wider than high."""
    return max(size, width(str(face)) + 2) if len(str(face or 0)) > 1 else size


def die(image: Image.Image, x: int, y: int, size: int, face: Any, wide: int = 0) -> None:
    """Draw a die of `size` by `size` pixels, or `wide` pixels wide.

    It has pips if they fit, else the number or letter; `?` for None.
    """
    paint, wide = ImageDraw.Draw(image), wide or size
    paint.rounded_rectangle((x, y, x + wide - 1, y + size - 1), radius=max(1, size // 7), fill=1)
    if face in PIPS and isinstance(face, int) and size >= 9:
        radius = max(1, round(size / 5)) if size >= 10 else 1
        middle_, step = (size - radius) / 2, size * 0.29
        for across, down in PIPS[face]:
            left, top = x + round(middle_ + across * step), y + round(middle_ + down * step)
            if radius > 3:
                paint.ellipse((left, top, left + radius - 1, top + radius - 1), fill=0)
            else:
                paint.rectangle((left, top, left + radius - 1, top + radius - 1), fill=0)
        return
    words = "?" if face is None else str(face)
    font: lettering.Font = "large" if size >= 20 and width(words, "large") <= size - 4 else "bold"
    if width(words, font) > wide - 2:
        font = "plain"
    words = fit(words, wide - 2, font)
    top = y + math.ceil((size - lettering.HEIGHT[font] + 1) / 2)
    text(image, x + (wide - width(words, font)) // 2, top, words, font, ink=0)


def small_dice(image: Image.Image, faces: Sequence[Any], y: int, size: int, right: int = RIGHT) -> int:
    """Draw small dice up to the x `right`. Return the last free x left of them."""
    for face in reversed(faces):
        wide = breadth(face, size)
        right -= wide + 2
        die(image, right + 3, y, size, face, wide)
    return right


def marked(image: Image.Image, x: int, y: int, size: int, face: Any, mark: bool, thick: int = 1) -> None:
    """Draw a die, with a line below it if `mark`: it was thrown again, or may be."""
    die(image, x, y, size, face)
    if mark:
        ImageDraw.Draw(image).rectangle((x, y + size + 1, x + size - 1, y + size + thick), fill=1)


def lying(image: Image.Image, ask: RerollView, y: int, most: int, thick: int) -> None:
    """Draw up to twelve dice of up to `most` pixels, with those marked that may be thrown again."""
    faces = ask.faces
    gap = 1 if len(faces) > 8 else 2
    size = min(most, (ROOM + gap) // len(faces) - gap)
    for place, face in enumerate(faces):
        marked(image, LEFT + place * (size + gap), y, size, face, place in ask.free, thick)
