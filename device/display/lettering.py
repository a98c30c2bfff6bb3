"""Text for a small one-bit display, measured before it is drawn, and clipped to its box."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal

from luma.core.legacy.font import LCD_FONT, proportional
from PIL import Image, ImageDraw

from engine.text.ascii_text import ASCII_SPELLINGS

Font = Literal["plain", "bold", "large"]  # `plain` and `bold` are 8 pixels high with their descenders, `large` is 16

FONT_HEIGHTS_PX: dict[Font, int] = {"plain": 8, "bold": 8, "large": 16}

_GLYPH_COLUMNS = proportional(LCD_FONT)

_DESCENDER_GLYPHS = {
    ",": (0x80, 0x60),
    "g": (0x18, 0xA4, 0xA4, 0xA4, 0x7C),
    "j": (0x80, 0x80, 0x7D),
    "p": (0xFC, 0x24, 0x24, 0x24, 0x18),
    "q": (0x18, 0x24, 0x24, 0x24, 0xFC),
    "y": (0x1C, 0xA0, 0xA0, 0xA0, 0x7C),
}
"""Letters with descenders by columns, lowest bit on top. The LCD font moves them above the line, where p looks like P.
"""

_BOLD = {
    "M": (0x7F, 0x7F, 0x06, 0x0C, 0x06, 0x7F, 0x7F),
    "W": (0x3F, 0x7F, 0x60, 0x38, 0x60, 0x7F, 0x3F),
    "m": (0x7C, 0x7C, 0x04, 0x7C, 0x7C, 0x04, 0x7C, 0x78),
    "w": (0x3C, 0x7C, 0x40, 0x78, 0x78, 0x40, 0x7C, 0x3C),
}
"""Bold letters by columns. All others are drawn twice, one pixel apart, which would fill these."""


def capped_number(value: float | None, digits: int) -> str:
    """Number in at most `digits` digits. A larger one becomes 9s."""
    return str(min(int(value or 0), 10**digits - 1))


@lru_cache(1024)
def ascii_text(words: str) -> str:
    """Text in the characters of the fonts: no accents, single spaces, the rest as `?`."""
    letters = unicodedata.normalize("NFKD", words.translate(ASCII_SPELLINGS))
    shown = (char if " " <= char <= "~" else " " if char.isspace() else "?" for char in letters if _is_visible(char))
    return " ".join("".join(shown).split())


def _is_visible(char: str) -> bool:
    return not unicodedata.combining(char) and (char.isspace() or unicodedata.category(char) not in {"Cf", "Cc"})


@cache
def glyph_image(char: str, font: Font) -> Image.Image:
    """Pixels of a printable ASCII character, including the gap after it."""
    columns = [column & 0xFF for column in _GLYPH_COLUMNS[ord(char)]]
    if char in _DESCENDER_GLYPHS:
        columns = [*_DESCENDER_GLYPHS[char], 0]
    if char == "0":
        # The font's zero has a slash and looks like an 8 at arm's length.
        columns = [0x3E, 0x41, 0x41, 0x41, 0x3E, 0]
    if font == "bold" and char in _BOLD:
        columns = [*_BOLD[char], 0]
    elif font == "bold":
        columns = [left | right for left, right in zip([0, *columns], [*columns, 0], strict=True)]
    image = Image.new("1", (len(columns), 8))
    for x, column in enumerate(columns):
        for y in range(8):
            if column >> y & 1:
                image.putpixel((x, y), 1)
    return double_size_image(image) if font == "large" else image


def double_size_image(small: Image.Image) -> Image.Image:
    """Double the size of an image and smooth its diagonals (the EPX rule).

    A corner of a pixel takes the color that its two neighbors at that corner share, if the other two differ.
    """
    width, height = small.size

    def is_lit(x: int, y: int) -> bool:
        return 0 <= x < width and 0 <= y < height and bool(small.getpixel((x, y)))

    image = Image.new("1", (width * 2, height * 2))
    for y in range(height):
        for x in range(width):
            own, up, right, left, down = (
                is_lit(x, y),
                is_lit(x, y - 1),
                is_lit(x + 1, y),
                is_lit(x - 1, y),
                is_lit(x, y + 1),
            )
            corners = (
                up if left == up and left != down and up != right else own,
                right if up == right and up != left and right != down else own,
                left if down == left and down != right and left != up else own,
                down if right == down and right != up and down != left else own,
            )
            for i, lit in enumerate(corners):
                image.putpixel((2 * x + i % 2, 2 * y + i // 2), int(lit))
    return image


@lru_cache(1024)
def text_width(words: str, font: Font = "plain") -> int:
    """Width of a line of text in pixels, without the gap after the last letter."""
    gap = 2 if font == "large" else 1
    return max(0, sum(glyph_image(char, font).width for char in ascii_text(words)) - gap)


def truncated_text(words: str, room: int, font: Font = "plain") -> str:
    """Text cut to `room` pixels, with a period at the cut."""
    words = ascii_text(words)
    if text_width(words, font) <= room:
        return words
    words = words[: room + 1]  # each letter takes at least a pixel
    while words and text_width(words + ".", font) > room:
        words = words[:-1].rstrip(" .,:;-")
    return words + "." if words else ""


def boldest_font(room: int, *words: str) -> Font:
    """Select "bold" if each of `words` fits into `room` pixels in bold letters, else "plain"."""
    return "bold" if all(text_width(one, "bold") <= room for one in words) else "plain"


def wrapped_lines(words: str, room: int, lines: int, font: Font = "plain", indent: int = 0) -> list[str]:
    """Wrap a text in at most `lines` lines of `room` pixels. The rest is cut.

    The first line leaves `indent` pixels free. It is "" if the first word does not fit there.
    """
    if indent:
        first = _fitting_words(ascii_text(words).split(), room - indent, font)
        if first == ascii_text(words):
            return [first]
        return [first, *wrapped_lines(ascii_text(words)[len(first) :], room, lines - 1, font)]
    wrapped: list[str] = []
    line = ""
    left = ascii_text(words).split()
    while left and len(wrapped) < lines - 1:
        longer = f"{line} {left[0]}".lstrip()
        if text_width(longer, font) <= room:
            line = longer
            left.pop(0)
        elif line:
            wrapped.append(line)
            line = ""
        else:
            whole = left.pop(0)
            part = whole[
                : room + 1
            ]  # each letter takes at least a pixel, and cutting letter by letter is slow for a long word
            while text_width(part, font) > room:
                part = part[:-1]
            if not part:
                return wrapped
            wrapped.append(part)
            if whole[len(part) :]:
                left.insert(0, whole[len(part) :])
    rest = " ".join([line, *left]).strip()
    if rest:
        wrapped.append(truncated_text(rest, room, font))
    return wrapped[:lines]


def _fitting_words(words: Sequence[str], room: int, font: Font) -> str:
    """First words of `words` that fit into `room` pixels."""
    return next(
        (part for many in range(len(words), 0, -1) if text_width(part := " ".join(words[:many]), font) <= room), ""
    )


def draw_text(image: Image.Image, x: int, y: int, words: str, font: Font = "plain", ink: int = 1) -> int:
    """Draw text with its top left at (x, y), lit (`ink` 1) or dark (0). Return the x after it."""
    draw = ImageDraw.Draw(image)
    for char in ascii_text(words):
        letter = glyph_image(char, font)
        draw.bitmap((x, y), letter, fill=ink)
        x += letter.width
    return x


def draw_centered_text(
    image: Image.Image, left: int, right: int, y: int, words: str, font: Font = "plain", ink: int = 1
) -> None:
    """Draw text centered between `left` and `right` (both included), cut to fit."""
    words = truncated_text(words, right - left + 1, font)
    draw_text(image, left + (right - left + 1 - text_width(words, font)) // 2, y, words, font, ink)


def can_fit(words: str, room: int, lines: int) -> bool:
    """True if a text fits into `lines` lines of `room` pixels without a cut."""
    shown = wrapped_lines(words, room, lines)
    return "".join("".join(shown).split()) == "".join(ascii_text(words).split())
