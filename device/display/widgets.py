"""Parts of the screens, placed by `screens_64` and `screens_32`: dice, bases, the choice of the buttons, short names.

The outermost ring of pixels stays dark, so that a picture can be shifted by one pixel against burn-in. Letters are at
least 8 pixels high: 1.4 mm on a 0.96" panel, readable from 60 cm. Highlighted text is dark on light.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display import lettering
from device.display.lettering import (
    boldest_font,
    draw_centered_text,
    draw_text,
    text_width,
    truncated_text,
    wrapped_lines,
)
from device.display.pages import PageRotation, text_pages
from engine.ask_views import RerollView
from engine.scoreboard import Scoreboard
from engine.views import AudienceView, ButtonEntryView

SCREEN_WIDTH_PX = 128
LEFT_X = 1  # first usable column
TOP_Y = 1  # first usable row. The last is two above the screen's height
RIGHT_X = 126  # last usable column
USABLE_WIDTH_PX = RIGHT_X - LEFT_X + 1

SLEEP_ROW_HEIGHT_PX = 10

ENTRY_WIDTH_PX = 104  # space between the arrows of a choice

PIP_POSITIONS: dict[Any, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Centers of the pips of each face, in steps of 0.29 of the die's size from its center."""


def blank_screen(height: int) -> Image.Image:
    return Image.new("1", (SCREEN_WIDTH_PX, height))


def draw_bases(image: Image.Image, spots: Iterable[tuple[int, int]], size: int, runners: Sequence[Any]) -> None:
    """Draw first, second and third base with their centers at `spots`, those with a runner filled."""
    for runner, (x, y) in zip(runners, spots, strict=False):
        corners = [(x, y - size), (x + size, y), (x, y + size), (x - size, y)]
        ImageDraw.Draw(image).polygon(corners, outline=1, fill=int(runner is not None))


def draw_inning(image: Image.Image, x: int, y: int, marker: str, half: Any, down: int) -> None:
    """Draw the inning at (x, y): ▲ for its top or ▼ for its bottom, then `marker`. ▼ begins `down` pixels below `y`."""
    if half in ("top", "bottom"):
        at, step = (y + 5, -1) if half == "top" else (y + down, 1)
        for i in range(4):
            ImageDraw.Draw(image).line((x + i, at + step * i, x + 6 - i, at + step * i), fill=1)
    draw_text(image, x + 9, y, marker, "bold")


def draw_diamond(image: Image.Image, board: Scoreboard) -> None:
    """Draw the bases at the right end of 64 lines, and the inning below."""
    draw_bases(image, ((121, 14), (114, 7), (107, 14)), 5, board.bases)
    shown = truncated_text(board.marker, 16, "bold")
    draw_inning(image, 114 - (text_width(shown, "bold") + 9) // 2, 24, shown, board.half, 1)


def draw_dots(image: Image.Image, x: int, y: int, lit: int, of: int = 3, size: int = 5, down: bool = False) -> None:
    """Draw a row of `of` dots, or a column if `down`, with the first `lit` filled. Used mostly for the outs."""
    for i in range(of):
        left, top = (x, y + 10 * i) if down else (x + (8 if size > 3 else 5) * i, y)
        ImageDraw.Draw(image).ellipse((left, top, left + size, top + size), outline=1, fill=int(i < lit))


# The first of 32 lines -----------------------------------------------------------------------------------------------

BASES_WIDTH_PX = 17  # width of the bases in the first of 32 lines
OUTS_WIDTH_PX = 14  # width of the outs in the first of 32 lines


def draw_line_bases(image: Image.Image, board: Scoreboard) -> None:
    """Draw the bases at the right end of the first of 32 lines."""
    x = RIGHT_X + 1 - BASES_WIDTH_PX
    draw_bases(image, ((x + 13, 6), (x + 8, 4), (x + 3, 6)), 3, board.bases)


def draw_line_inning(image: Image.Image, right: int, board: Scoreboard) -> int:
    """Draw the inning in the first of 32 lines, up to the x `right`. Return the x where it begins."""
    shown = truncated_text(board.marker, 16, "bold")
    x = right - text_width(shown, "bold") - 8
    draw_inning(image, x, TOP_Y + 1, shown, board.half, 2)
    return x


def draw_line_name(image: Image.Image, x: int, words: str, lit: bool) -> int:
    """Draw a few words in the first of 32 lines, highlighted if `lit`. Return the x after them."""
    wide = text_width(words)
    if lit and wide:
        ImageDraw.Draw(image).rectangle((x, TOP_Y, x + wide + 1, TOP_Y + 8), fill=1)
    draw_text(image, x + 1, TOP_Y + 1, words, ink=int(not lit))
    return x + wide + 2


# What is drawn alike on both heights ---------------------------------------------------------------------------------


def draw_choice(
    image: Image.Image,
    entry: ButtonEntryView,
    pages: PageRotation,
    top: int,
    middle: int,
    rows: Sequence[int],
    bar: int | None = None,
) -> None:
    """Draw the choice of OK from the y `top` down, between the arrows of the other two buttons at the y `middle`.

    `rows` has the y of one or two lines of text. A slider on a dotted line at the y `bar` shows the position.
    """
    paint, label, count = ImageDraw.Draw(image), entry.label, entry.count or 1
    paint.rectangle((LEFT_X, top, RIGHT_X, image.height - 2), fill=1)
    if count > 1:
        for x, step in ((4, 1), (123, -1)):
            for i in range(5):
                paint.line((x + step * i, middle - i, x + step * i, middle + i), fill=0)
        if bar is not None:
            left, wide = LEFT_X + 4, USABLE_WIDTH_PX - 8
            paint.point([(x, bar) for x in range(left, left + wide, 2)], fill=0)
            at = left + (wide - max(4, wide // count)) * (entry.index or 0) // (count - 1)
            paint.rectangle((at, bar - 1, at + max(4, wide // count) - 1, bar), fill=0)
    font = boldest_font(ENTRY_WIDTH_PX, label) if len(rows) == 1 else "plain"
    for y, part in zip(rows, pages.text_page(label, ENTRY_WIDTH_PX, len(rows), font), strict=False):
        draw_centered_text(image, 12, 115, y, part, font, ink=0)


def draw_notice_box(image: Image.Image, view: AudienceView, pages: PageRotation, top: int = TOP_Y) -> None:
    """Draw the warnings, or else the notice, highlighted, in up to three lines from the y `top` down."""
    bottom, room = image.height - 2, USABLE_WIDTH_PX - 6
    many = min(3, (bottom + 1 - top) // 9)
    lines = (
        pages.warning_page(view.warnings, room, many)
        if view.warnings
        else pages.text_page(view.notice or "", room, many)
    )
    ImageDraw.Draw(image).rectangle((LEFT_X, top, RIGHT_X, bottom), fill=1)
    first = (top + bottom + 1) // 2 - (9 * len(lines) - 1) // 2
    for i, part in enumerate(lines):
        draw_centered_text(image, LEFT_X + 3, RIGHT_X - 3, first + 9 * i, part, ink=0)


def draw_heading(image: Image.Image, tag: str, lines: Sequence[str], x: int, y: int) -> None:
    """Draw the tag, highlighted, and the title, 9 pixels a line, from (x, y)."""
    if tag:
        ImageDraw.Draw(image).rectangle((x, y - 1, x + text_width(tag) + 1, y + 7), fill=1)
        draw_text(image, x + 1, y, tag, ink=0)
    for i, part in enumerate(lines):
        draw_text(image, x + (text_width(tag) + 5 if tag and not i else 0), y + 9 * i, part)


def draw_title(image: Image.Image, words: str, high: int) -> None:
    """Draw a title, highlighted, in a bar of `high` pixels."""
    ImageDraw.Draw(image).rectangle((LEFT_X, TOP_Y, RIGHT_X, TOP_Y + high - 1), fill=1)
    draw_centered_text(
        image, LEFT_X + 2, RIGHT_X - 2, TOP_Y + (high - 7) // 2, words, boldest_font(USABLE_WIDTH_PX - 4, words), ink=0
    )


def seat_line_parts(names: Sequence[str], words: Sequence[str]) -> tuple[str, lettering.Font, list[str]]:
    """First of `names` that fits with `words` in a line, its font, and `words` split into parts that fit."""
    fonts: tuple[lettering.Font, ...] = ("bold", "plain")
    ways = [(name, font) for name in names for font in fonts]
    widest = max(map(text_width, words))
    name, font = next((one for one in ways if text_width(*one) + widest <= USABLE_WIDTH_PX - 8), ways[-1])
    room = USABLE_WIDTH_PX - 5 - text_width(name, font)
    return name, font, [" ".join(part) for one in words for part in text_pages(one, room, 1)]


def draw_seat_line(
    image: Image.Image, y: int, high: int, name: str, font: lettering.Font, part: str, lit: bool
) -> None:
    """Draw the status of a seat during a secret choice in a line of `high` pixels, highlighted if `lit`."""
    top = y + (high - 8) // 2
    if lit:
        ImageDraw.Draw(image).rectangle((LEFT_X, y, RIGHT_X, y + high - 1), fill=1)
    draw_text(image, LEFT_X + 1, top, name, font, int(not lit))
    draw_text(image, RIGHT_X - text_width(part), top, part, ink=int(not lit))


def draw_menu_items(
    image: Image.Image, items: Sequence[str], index: int, pitch: int, pages: PageRotation
) -> Image.Image:
    """Draw as many lines of a menu as fit, `pitch` pixels apart, the one at `index` highlighted.

    A selected line that does not fit is shown in parts that take turns.
    """
    paint, bottom = ImageDraw.Draw(image), image.height - 2
    seen = bottom // pitch
    font = boldest_font(USABLE_WIDTH_PX - 14, *items)
    first = min(max(0, index - seen // 2), max(0, len(items) - seen))
    for row, item in enumerate(items[first : first + seen]):
        y, here = TOP_Y + pitch * row, first + row == index
        if here:
            paint.rectangle((LEFT_X, y, RIGHT_X - 5, y + pitch - 1), fill=1)
        words = (
            "".join(pages.text_page(item, USABLE_WIDTH_PX - 14, 1, font))
            if here
            else truncated_text(item, USABLE_WIDTH_PX - 14, font)
        )
        draw_text(image, LEFT_X + 4, y + (pitch - 8) // 2, words, font, int(not here))
    if len(items) > seen:
        height = max(6, (bottom - TOP_Y) * seen // len(items))
        y = TOP_Y + (bottom - TOP_Y - height) * first // (len(items) - seen)
        paint.rectangle((RIGHT_X - 1, y, RIGHT_X, y + height), fill=1)
    return image


def draw_sleep_dot(image: Image.Image, tick: int, step: int) -> Image.Image:
    """Draw one dot of two by two pixels on black, `step` pixels lower at each `tick`, and back to the top."""
    x, y = LEFT_X + tick * 47 % (USABLE_WIDTH_PX - 1), TOP_Y + tick * step % (image.height - 3)
    ImageDraw.Draw(image).rectangle((x, y, x + 1, y + 1), fill=1)
    return image


def draw_sleep_rows(image: Image.Image, tick: int, step: int, rows: Sequence[str]) -> Image.Image:
    """Draw rows of text on at most half of the display, at another place for each `tick`, and others if not all fit."""
    most = image.height // 2 // SLEEP_ROW_HEIGHT_PX
    shown = rows if len(rows) <= most else [rows[(tick + i) % len(rows)] for i in range(most)]
    texts = [truncated_text(row, USABLE_WIDTH_PX) for row in shown]
    x = LEFT_X + tick * 47 % (USABLE_WIDTH_PX - max(map(text_width, texts)) + 1)
    y = TOP_Y + tick * step % (image.height - 2 - SLEEP_ROW_HEIGHT_PX * len(texts))
    for i, text in enumerate(texts):
        draw_text(image, x, y + SLEEP_ROW_HEIGHT_PX * i, text)
    return image


def draw_framed_text(image: Image.Image, words: str, most: int) -> Image.Image:
    """Draw the last picture before power-off, in at most `most` lines."""
    lines = wrapped_lines(words, USABLE_WIDTH_PX - 8, most, "bold")
    ImageDraw.Draw(image).rectangle((LEFT_X, TOP_Y, RIGHT_X, image.height - 2), outline=1)
    top = image.height * 17 // 32 - 6 * len(lines)
    for i, part in enumerate(lines):
        draw_centered_text(image, LEFT_X + 4, RIGHT_X - 4, top + 12 * i, part, "bold")
    return image


# Dice ----------------------------------------------------------------------------------------------------------------


def die_width(face: Any, size: int) -> int:
    """Width of a die of `size` pixels. A small one with a number of two digits is wider than high."""
    return max(size, text_width(str(face)) + 2) if len(str(face or 0)) > 1 else size


def draw_die(image: Image.Image, x: int, y: int, size: int, face: Any, wide: int = 0) -> None:
    """Draw a die of `size` by `size` pixels, or `wide` pixels wide.

    It has pips if they fit, else the number or letter. None is `?`.
    """
    paint, wide = ImageDraw.Draw(image), wide or size
    paint.rounded_rectangle((x, y, x + wide - 1, y + size - 1), radius=max(1, size // 7), fill=1)
    if face in PIP_POSITIONS and isinstance(face, int) and size >= 9:
        radius = max(1, round(size / 5)) if size >= 10 else 1
        middle_, step = (size - radius) / 2, size * 0.29
        for across, down in PIP_POSITIONS[face]:
            left, top = x + round(middle_ + across * step), y + round(middle_ + down * step)
            if radius > 3:
                paint.ellipse((left, top, left + radius - 1, top + radius - 1), fill=0)
            else:
                paint.rectangle((left, top, left + radius - 1, top + radius - 1), fill=0)
        return
    words = "?" if face is None else str(face)
    font: lettering.Font = "large" if size >= 20 and text_width(words, "large") <= size - 4 else "bold"
    if text_width(words, font) > wide - 2:
        font = "plain"
    words = truncated_text(words, wide - 2, font)
    top = y + math.ceil((size - lettering.FONT_HEIGHTS_PX[font] + 1) / 2)
    draw_text(image, x + (wide - text_width(words, font)) // 2, top, words, font, ink=0)


def draw_small_dice(image: Image.Image, faces: Sequence[Any], y: int, size: int, right: int = RIGHT_X) -> int:
    """Draw small dice up to the x `right`. Return the last free x to their left."""
    for face in reversed(faces):
        wide = die_width(face, size)
        right -= wide + 2
        draw_die(image, right + 3, y, size, face, wide)
    return right


def draw_marked_die(image: Image.Image, x: int, y: int, size: int, face: Any, mark: bool, thick: int = 1) -> None:
    """Draw a die. `mark` underlines one that was rerolled or that may be rerolled."""
    draw_die(image, x, y, size, face)
    if mark:
        ImageDraw.Draw(image).rectangle((x, y + size + 1, x + size - 1, y + size + thick), fill=1)


def draw_reroll_dice(image: Image.Image, ask: RerollView, y: int, most: int, thick: int) -> None:
    """Draw up to twelve dice of up to `most` pixels, with those marked that may be rerolled."""
    faces = ask.faces
    gap = 1 if len(faces) > 8 else 2
    size = min(most, (USABLE_WIDTH_PX + gap) // len(faces) - gap)
    for place, face in enumerate(faces):
        draw_marked_die(image, LEFT_X + place * (size + gap), y, size, face, place in ask.free, thick)
