"""The clip of a throw as a GIF to save, with the score and the play below it.

Phones save a GIF with their photos, and every messaging app plays it. It takes about 150 kB.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from device.shapes import ThrowCaption
from device.table import play_log
from engine.innings import Half
from engine.scoreboard import Scoreboard, redacted_scoreboard
from engine.seats import Seat
from engine.table import Table

if TYPE_CHECKING:
    from cv2.typing import MatLike

MAX_GIF_COLORS = 256
"""Colors of a GIF, shared by all its frames."""

STRIP_COLOR_BGR = (47, 64, 18)
"""Blue, green and red of the strip below the clip, the color of a chalkboard."""

TEXT_COLOR_BGR = (255, 255, 255)
"""Blue, green and red of its text."""

FONT_SIZE_PX = 15
"""Height of the text, in pixels of a clip 320 pixels wide."""

LINE_HEIGHT_PX = 21
"""Height of a line, in the same pixels."""

MARGIN_PX = 8
"""Margin of the strip, in the same pixels."""

BOLD_WEIGHT = 700
"""Font weight of the score."""

NORMAL_WEIGHT = 400
"""Font weight of the play."""

MAX_PLAY_LINES = 4
"""Lines of the play. A longer one is cut."""


def clip_caption(table: Table, n: int) -> ThrowCaption | None:
    """Caption of the clip of answer `n`, including the results of later choices. None if it had no result.

    If other games followed in the same journal, the score is unknown, because the teams may be others.
    """
    log = [line for line in play_log.play_views(table, {n: "clip"}) if line.sentence]
    mine = [line for line in log if line.evidence]
    if not mine:
        return None
    last = mine[-1]
    where = _half_text(last.inning, last.half)
    if last.game == log[-1].game:
        board = redacted_scoreboard(table.scoreboard(), None)
        later = [line for line in log if line.n > last.n]
        runs = {seat: side.runs for seat, side in board.sides.items()}
        for line in later:
            if line.seat in runs:
                runs[line.seat] -= line.scored
        where = f"{_score_text(board, runs)} · {where}"
    return ThrowCaption(where, " ".join(line.sentence for line in mine))


def _score_text(board: Scoreboard, runs: Mapping[Seat, int]) -> str:
    return ", ".join(f"{side.name} {runs[seat]}" for seat, side in board.sides.items())


def _half_text(inning: int, half: Half) -> str:
    tail = "th" if inning % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(inning % 10, "th")
    return f"{'Top' if half == 'top' else 'Bottom'} of the {inning}{tail}"


def encode_captioned_gif(webp: bytes, words: ThrowCaption) -> bytes | None:
    """Encode a clip (animated WebP) and its caption as a GIF, in about 0.1 s on a fast core. None if it is damaged."""
    import cv2
    from PIL import Image

    from vision.clips import decode_animation

    frames, lasts = decode_animation(webp)
    if not frames:
        return None
    below = _draw_strip(words, frames[0].shape[1])
    pictures = [Image.fromarray(cv2.cvtColor(cv2.vconcat([one, below]), cv2.COLOR_BGR2RGB)) for one in frames]
    # Colors of the first, middle and last frame, because each die is in one of them.
    sample = Image.new("RGB", (pictures[0].width, 3 * pictures[0].height))
    for place, one in enumerate((pictures[0], pictures[len(pictures) // 2], pictures[-1])):
        sample.paste(one, (0, place * one.height))
    # Other methods spend all colors on the felt, and turn a small blue die gray.
    colors = sample.quantize(MAX_GIF_COLORS, method=Image.Quantize.FASTOCTREE)
    first, *others = [one.quantize(palette=colors, dither=Image.Dither.NONE) for one in pictures]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=others, duration=lasts, loop=0, optimize=False)
    return out.getvalue()


def _draw_strip(words: ThrowCaption, wide: int) -> MatLike:
    import cv2
    import numpy as np

    lines = [(line, BOLD_WEIGHT) for line in _wrap_lines(words.score, BOLD_WEIGHT, wide, 2)]
    lines += [(line, NORMAL_WEIGHT) for line in _wrap_lines(words.play, NORMAL_WEIGHT, wide, MAX_PLAY_LINES)]
    strip = np.full((2 * MARGIN_PX + LINE_HEIGHT_PX * len(lines), wide, 3), STRIP_COLOR_BGR, np.uint8)
    for row, (line, weight) in enumerate(lines):
        cv2.putText(
            strip,
            line,
            (MARGIN_PX, MARGIN_PX + LINE_HEIGHT_PX * row + FONT_SIZE_PX),
            TEXT_COLOR_BGR,
            cv2.FontFace("sans"),
            FONT_SIZE_PX,
            weight,
        )
    return strip


def _wrap_lines(words: str, weight: int, wide: int, most: int) -> list[str]:
    """Wrap words into at most `most` lines that fit the strip. An ellipsis marks a cut."""
    lines: list[str] = []
    for word in words.split():
        if lines and _text_width(f"{lines[-1]} {word}", weight) <= wide - 2 * MARGIN_PX:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1]}…"]
    return [_shorten_line(line, weight, wide) for line in lines]


def _shorten_line(line: str, weight: int, wide: int) -> str:
    while _text_width(line, weight) > wide - 2 * MARGIN_PX and len(line) > 2:
        line = f"{line[:-2]}…"
    return line


def _text_width(line: str, weight: int) -> int:
    import cv2

    _, _, wide, _ = cv2.getTextSize((0, 0), line, (0, 0), cv2.FontFace("sans"), FONT_SIZE_PX, weight)
    return int(wide)
