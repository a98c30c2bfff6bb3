"""Parts of the screens: dice, bases, the choice of the buttons, short names.

Nothing is drawn on the outermost ring of pixels, so that a picture can be shifted by one pixel against burn-in without
losing any of it. Letters are at least 8 pixels high: 1.4 mm on a 0.96" panel, readable from 60 cm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display import lettering
from device.display.games import GameScreens, screens
from device.display.lettering import centred, fit, text, width, wrap
from engine.ask_views import AskView, RerollView
from engine.scoreboard import Scoreboard, Side
from engine.seats import SEATS, Seat
from engine.views import EntryView

SIZE = (128, 64)
LEFT, TOP, RIGHT, BOTTOM = 1, 1, 126, 62
"""The box that may be drawn on, both ends included."""

ROOM = RIGHT - LEFT + 1

THROWS = ("roll", "reroll")
"""The kinds of asks that are answered with dice."""

FEW = 4
"""The most dice to show beside what is asked."""

PIPS: dict[Any, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of each face are, in steps of 0.29 of the die from its middle."""


def blank() -> Image.Image:
    """Return a dark screen."""
    return Image.new("1", SIZE)


def diamond(image: Image.Image, bases: Sequence[Any], marker: str, half: Any) -> None:
    """Draw the bases, those with a runner lit, and under them the inning with ▲ for its top and ▼ for its bottom."""
    paint = ImageDraw.Draw(image)
    for runner, (x, y) in zip(bases, ((121, 14), (114, 7), (107, 14)), strict=False):
        paint.polygon([(x, y - 5), (x + 5, y), (x, y + 5), (x - 5, y)], outline=1, fill=int(runner is not None))
    shown = fit(marker, 16, "bold")
    x = 114 - (width(shown, "bold") + 9) // 2
    if half in ("top", "bottom"):
        y, step = (29, -1) if half == "top" else (25, 1)
        for i in range(4):
            paint.line((x + i, y + step * i, x + 6 - i, y + step * i), fill=1)
    text(image, x + 9, 24, shown, "bold")


def choice(image: Image.Image, dial: EntryView, lines: int = 1) -> None:
    """Draw what OK would give, in up to `lines` (1 or 2) lines, between the arrows of the other two buttons.

    A bar below shows where in the list it is.
    """
    paint = ImageDraw.Draw(image)
    label, count = dial.label, dial.count or 1
    two = lines > 1 and width(label) > 104
    paint.rectangle((LEFT, 47 if two else 50, RIGHT, BOTTOM), fill=1)
    if count > 1:
        for x, step in ((4, 1), (123, -1)):
            for i in range(5):
                paint.line((x + step * i, 56 - i, x + step * i, 56 + i), fill=0)
    if two:
        for i, part in enumerate(wrap(label, 104, 2)):
            centred(image, 12, 115, 47 + 8 * i, part, ink=0)
        return
    centred(image, 12, 115, 51, label, "bold" if width(label, "bold") <= 104 else "plain", ink=0)
    if count > 1:
        at = LEFT + (ROOM - 8) * (dial.index or 0) // count
        paint.line((at + 2, 61, at + 2 + max(4, (ROOM - 8) // count), 61), fill=0)


def boxed(image: Image.Image, words: str) -> None:
    """Draw an urgent sentence, dark on light, in up to three lines."""
    lines = wrap(words, ROOM - 6, 3)
    ImageDraw.Draw(image).rectangle((LEFT, 35, RIGHT, BOTTOM), fill=1)
    top = 49 - (9 * len(lines) - 1) // 2
    for i, part in enumerate(lines):
        centred(image, LEFT + 3, RIGHT - 3, top + 9 * i, part, ink=0)


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


def own(board: Scoreboard) -> GameScreens:
    """Return what the game of this scoreboard draws in its own way."""
    return screens(board.game)


def recent(board: Scoreboard, asks: Sequence[AskView]) -> Sequence[Any]:
    """Return the last dice, if they are few; none while some may be thrown again, since those are shown larger."""
    dice: Sequence[Any] = board.dice
    if own(board).numerals:
        dice = [str(face) for face in dice]
    return () if len(dice) > FEW or any(ask.kind == "reroll" for ask in asks) else dice


def number(value: Any, digits: int) -> str:
    """Return a count in at most `digits` digits; a larger one becomes 9s."""
    return str(min(int(value or 0), 10**digits - 1))


def short_names(sides: Mapping[Seat, Side], room: int) -> dict[Seat, str]:
    """Return the teams' names in at most `room` pixels of plain letters: whole, or the last word if those differ."""
    whole = {seat: lettering.plain_ascii(side.name) or seat.title() for seat, side in sides.items()}
    last = {seat: name.split()[-1] for seat, name in whole.items()}
    apart = len(set(last.values())) == len(last)
    return {seat: fit(name if width(name) <= room or not apart else last[seat], room) for seat, name in whole.items()}


def played(board: Scoreboard, seat: Seat | None) -> Seat | None:
    """Return the side that a seat plays; None if it plays none."""
    return None if seat is None else board.plays.get(seat)


def seated(board: Scoreboard, names: Mapping[Seat, str]) -> dict[Seat, str]:
    """Return the names of the sides by the seats that play them."""
    return {seat: names[side] for seat in SEATS if (side := played(board, seat))}
