"""Compose the frames of a film from panels, and write them as an animated WebP file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont

SIZE = 960, 800
EVERY = 100
"""Milliseconds per frame. Identical frames are merged."""

READABLE = 3.0
"""Minimum time in seconds that a caption is shown."""

CAPTION = 757, 30, 27
"""Top, left and letter height of a caption, in pixels."""

LABEL = 13
"""Letter height of the label below a panel, in pixels."""

QUALITY = 62
PAPER = "#0d1a14"
INK = "#f3f6f1"
SOFT = "#9db0a4"
CASE = "#000000"

Box = tuple[int, int, int, int]
"""Left, top, width and height of a panel, in pixels."""

LAYOUTS: Mapping[str, Mapping[str, Box]] = {
    "tray": {
        "tray": (28, 40, 500, 375),
        "display": (134, 500, 288, 144),
        "phone": (564, 26, 368, 654),
        "tv": (190, 820, 580, 460),
    },
    "tv": {
        "tray": (28, 820, 500, 375),
        "display": (134, 820, 288, 144),
        "phone": (1000, 26, 368, 654),
        "tv": (20, 14, 920, 730),
    },
}
"""Position of each panel. One outside of the frame waits there for its entrance."""

CORNERS = {"tray": 10, "display": 6, "tv": 6, "phone": 20}
LABELS = {"tray": "tray camera", "display": "display on the table"}


def between(one: Box, other: Box, share: float) -> Box:
    """Interpolate between two boxes with ease-in and ease-out. `share` is 0 to 1."""
    eased = share * share * (3 - 2 * share)
    x, y, wide, high = (round(a + (b - a) * eased) for a, b in zip(one, other, strict=True))
    return x, y, wide, high


def places(before: str, layout: str, share: float = 1) -> dict[str, Box]:
    """Return the positions of the panels during a transition between layouts."""
    return {name: between(box, LAYOUTS[layout][name], share) for name, box in LAYOUTS[before].items()}


@cache
def _font(height: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(height)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def fits(caption: str, boxes: Mapping[str, Box]) -> bool:
    """True if a caption has room next to the panels that reach down to it."""
    top, left, height = CAPTION
    right = min((x for x, y, _, high in boxes.values() if y < SIZE[1] and y + high > top), default=SIZE[0])
    return left + _font(height).getlength(caption) <= right - left


@cache
def _mask(wide: int, high: int, corner: int) -> Image.Image:
    large = Image.new("L", (wide * 4, high * 4))
    ImageDraw.Draw(large).rounded_rectangle((0, 0, wide * 4 - 1, high * 4 - 1), corner * 4, fill=255)
    return large.resize((wide, high), Image.Resampling.LANCZOS)


def compose(
    panels: Mapping[str, Image.Image | None],
    boxes: Mapping[str, Box],
    caption: str,
    note: str = "",
) -> Image.Image:
    """Compose one frame: each panel in its box, black if it has no image, and the caption below. `note` is small text
    at the lower right."""
    paper = Image.new("RGB", SIZE, PAPER)
    draw = ImageDraw.Draw(paper)
    for name, (x, y, wide, high) in boxes.items():
        if x >= SIZE[0] or y >= SIZE[1]:
            continue
        edge, corner = (9 if name == "phone" else 5), CORNERS[name]
        case = (wide + 2 * edge, high + 2 * edge)
        paper.paste(CASE, (x - edge, y - edge), _mask(*case, corner + edge))
        if (picture := panels.get(name)) is not None:
            shown = picture.resize((wide, high), Image.Resampling.LANCZOS)
            paper.paste(shown, (x, y), _mask(wide, high, corner))
        if name in LABELS and y + high < CAPTION[0] - LABEL:
            draw.text((x, y + high + edge + 2), LABELS[name], SOFT, _font(LABEL))
    top, left, height = CAPTION
    draw.text((left, top), caption, INK, _font(height))
    if note and fits(f"{caption}  {note}", boxes):
        draw.text((SIZE[0] - left, top + 13), note, SOFT, _font(LABEL), anchor="rm")
    return paper


def moved(one: Image.Image, other: Image.Image, noise: int = 24, share: float = 0.0006) -> bool:
    """True if two camera images differ by more than `noise` gray levels at more than a `share` of pixels."""
    if one.size != other.size:
        return True
    levels = ImageChops.difference(one.convert("L"), other.convert("L")).histogram()
    return sum(levels[noise:]) > share * one.width * one.height


def merged(pictures: Iterable[Image.Image]) -> tuple[list[Image.Image], list[int]]:
    """Merge repeated frames. Return the frames and their durations in milliseconds."""
    kept: list[Image.Image] = []
    shown: list[int] = []
    for picture in pictures:
        if kept and ImageChops.difference(kept[-1], picture).getbbox() is None:
            shown[-1] += EVERY
        else:
            kept.append(picture)
            shown.append(EVERY)
    return kept, shown


def tightened(shown: Sequence[int], most: int) -> list[int]:
    """Shorten the longest durations to a total of `most` milliseconds, none below `EVERY`."""
    longest = max(shown, default=EVERY)
    while longest > EVERY and sum(min(time, longest) for time in shown) > most:
        longest -= EVERY
    return [min(time, longest) for time in shown]


def write(path: Path, pictures: Sequence[Image.Image], shown: Sequence[int]) -> None:
    """Write an animation that plays once."""
    pictures[0].save(
        path, save_all=True, append_images=pictures[1:], duration=list(shown), loop=1, quality=QUALITY, method=4
    )


def seconds(path: Path) -> float:
    """Return the duration of an animation."""
    with Image.open(path) as film:
        total = 0
        for frame in range(getattr(film, "n_frames", 1)):
            film.seek(frame)
            film.load()
            total += film.info["duration"]
    return total / 1000


def sheet(pictures: Sequence[Image.Image], shown: Sequence[int], every: float = 1) -> Image.Image:
    """Return a contact sheet with one frame for each `every` seconds."""
    wide, high, across = SIZE[0] // 2, SIZE[1] // 2, 4
    found: list[Image.Image] = []
    at = 0
    for picture, time in zip(pictures, shown, strict=True):
        while len(found) * every * 1000 < at + time:
            found.append(picture.resize((wide, high), Image.Resampling.LANCZOS))
        at += time
    paper = Image.new("RGB", (across * (wide + 4), -(-len(found) // across) * (high + 4)), "#808080")
    for i, picture in enumerate(found):
        paper.paste(picture, (i % across * (wide + 4), i // across * (high + 4)))
    return paper
