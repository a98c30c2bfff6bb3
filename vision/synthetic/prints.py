"""The print on dice: pips, signs, and numerals and letters in any typeface."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.dice.polyhedra import Floats, Solid
from vision.synthetic.shapes import FACE_MARKS, solid_of_kind

FACE_SIDE_PX = 64  # edge of one face in a sheet
NUMERAL_SIDE_PX = 96  # the same for numerals
SIX_MARKS = ("line", "dot", "none")  # distinction of 6 and 9: underlined, followed by a dot, or none

_PIP_OFFSET = 0.5
# positions of the pips on each face, -1 to 1
PIP_POSITIONS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-_PIP_OFFSET, -_PIP_OFFSET), (_PIP_OFFSET, _PIP_OFFSET)),
    3: ((-_PIP_OFFSET, -_PIP_OFFSET), (0, 0), (_PIP_OFFSET, _PIP_OFFSET)),
    4: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
    5: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (0, 0),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
    6: (
        (-_PIP_OFFSET, -_PIP_OFFSET),
        (-_PIP_OFFSET, 0),
        (-_PIP_OFFSET, _PIP_OFFSET),
        (_PIP_OFFSET, -_PIP_OFFSET),
        (_PIP_OFFSET, 0),
        (_PIP_OFFSET, _PIP_OFFSET),
    ),
}


@dataclass(frozen=True, slots=True)
class PrintStyle:
    """The style of printed numerals and letters.

    font: path of a TrueType or OpenType file. "" for OpenCV's font.
    mark: one of `SIX_MARKS`, used if the kind has both 6 and 9.
    high: height relative to the usual one, 0.3 to 2. Text that doesn't fit its facet is narrowed, then scaled down.
    turn: clockwise rotation on the facets, in radians.
    texts: replacement for the kind's `FACE_MARKS`, by value, as on custom dice.
    bold: extra stroke width on either side, in digit heights, 0 to 0.2. Needs a `font`.
    joined: True to join the two counters of a B, as in some round typefaces.
    Raises ValueError for other values. Doesn't check that `font` exists and contains the texts.
    """

    font: str = ""
    mark: str = "line"
    high: float = 1.0
    turn: float = 0.0
    texts: tuple[str, ...] = ()
    bold: float = 0.0
    joined: bool = False

    def __post_init__(self) -> None:
        if self.mark not in SIX_MARKS:
            raise ValueError(f"No mark of a 6 is called {self.mark!r}; there are {', '.join(SIX_MARKS)}.")
        if not 0.3 <= self.high <= 2:
            raise ValueError(f"Numerals {self.high} times as high as usual cannot be drawn; 0.3 to 2 can.")
        if not math.isfinite(self.turn):
            raise ValueError(f"Numerals cannot be turned by {self.turn} radians.")
        if not 0 <= self.bold <= 0.2:
            raise ValueError(f"Strokes cannot be widened by {self.bold} of a digit's height; by 0 to 0.2 they can.")


DEFAULT_PRINT_STYLE = PrintStyle()


@lru_cache(maxsize=32)
def face_sheet(kind: str, ring: bool = False, style: PrintStyle = DEFAULT_PRINT_STYLE) -> Floats:
    """Render the faces side by side, (side, side × faces, 3): ink coverage 0 to 1, and the slopes of engraving, right
    and down. `side` is `FACE_SIDE_PX`, or `NUMERAL_SIDE_PX` for a kind in `FACE_MARKS`. `style` applies to those, and
    `ring` to a d6: each pip is a dot in a ring. Raises OSError if the font can't be read."""
    if kind in FACE_MARKS:
        return _numeral_faces(kind, style)
    if kind == "d6":
        return np.hstack([_draw_pips(PIP_POSITIONS[value], ring) for value in range(1, 7)])
    if kind == "sign":
        return np.hstack([_engrave_sign(_draw_sign(sign), 0.35) for sign in "++  --"])
    if kind == "sugar":
        return np.hstack([_draw_sugar_side(face) for face in range(6)])
    blank = np.zeros((FACE_SIDE_PX, FACE_SIDE_PX, 3), np.float32)
    return np.hstack([_engrave_sign(_draw_coin_side("5"), -0.5), _engrave_sign(_draw_coin_side("*"), -0.5), blank])


# Numerals and letters -------------------------------------------------------------------------------------------------

NUMERAL_HEIGHT_RATIO = 1.15  # usual height of numerals, relative to the radius of the facet's incircle
MIN_WIDTH_SHARE = 0.78  # Two digits are narrowed down to this share before they are scaled down.


def _numeral_faces(kind: str, style: PrintStyle) -> Floats:
    row = numeral_sheet(kind, style)
    cover = cv2.resize(row, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    return _add_slopes(cover, 0.45)


def numeral_sheet(kind: str, style: PrintStyle = DEFAULT_PRINT_STYLE) -> NDArray[np.uint8]:
    """Render the ink of a kind in `FACE_MARKS` on its faces side by side, at twice the resolution of `face_sheet`, 0 to
    255. Raises OSError if the font can't be read."""
    texts = style.texts or FACE_MARKS[kind]
    mark = style.mark if {"6", "9"} <= set(texts) else "none"
    shape = solid_of_kind(kind)
    side = 2 * NUMERAL_SIDE_PX
    row = np.zeros((side, side * len(texts)), np.uint8)
    for tile, text in enumerate(texts):
        ink = _text_ink(text, style.font, mark if text in ("6", "9") else "none", style.bold)
        if style.joined and text == "B":
            ink = _join_counters(ink)
        row[:, tile * side : (tile + 1) * side] = _fit_text(ink, len(text), shape, style)
    return row


def _fit_text(ink: NDArray[np.uint8], digits: int, shape: Solid, style: PrintStyle) -> NDArray[np.uint8]:
    """Fit the ink to a facet, at twice the sheet's resolution and as large as requested if possible."""
    side = 2 * NUMERAL_SIDE_PX
    tall, wide = ink.shape
    high = style.high * NUMERAL_HEIGHT_RATIO * shape.reach * side / 2
    cos, sin = math.cos(style.turn), math.sin(style.turn)
    # In the text's axes, a corner of its box must be inside each side of the facet.
    across, along = np.abs(shape.sides @ np.array([[cos, -sin], [sin, cos]])).T
    room = 0.97 * shape.reach * side
    box = wide * high / DIGIT_HEIGHT_PX, tall * high / DIGIT_HEIGHT_PX
    narrow = min((room - along * box[1]) / np.maximum(across * box[0], 1e-6))
    narrow = min(max(narrow, MIN_WIDTH_SHARE), 1.0) if digits > 1 else 1.0
    much = min(1.0, float((room / (across * box[0] * narrow + along * box[1])).min()))
    size = max(1, round(box[0] * narrow * much)), max(1, round(box[1] * much))
    ink = cv2.resize(ink, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    shift = (side - 1) / 2
    x, y = (size[0] - 1) / 2, (size[1] - 1) / 2
    way = np.array([[cos, -sin, shift - cos * x + sin * y], [sin, cos, shift - sin * x - cos * y]])
    return cv2.warpAffine(ink, way, (side, side), flags=cv2.INTER_LINEAR).astype(np.uint8)


DIGIT_HEIGHT_PX = 128  # approximate height at which a digit is rendered before it is scaled down


@lru_cache(maxsize=512)
def _text_ink(text: str, font: str, mark: str = "none", bold: float = 0.0) -> NDArray[np.uint8]:
    """Render a text, cropped to digits `DIGIT_HEIGHT_PX` high, with the mark of a 6 or 9."""
    ink = _draw_font_text(text, font, round(bold * DIGIT_HEIGHT_PX)) if font else _draw_opencv_text(text)
    rows, columns = np.flatnonzero(ink.max(axis=1) > 40), np.flatnonzero(ink.max(axis=0) > 40)
    if not len(rows):
        raise OSError(f"The font {font} has no {text}.")
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    wide = max(1, round(ink.shape[1] * DIGIT_HEIGHT_PX / ink.shape[0]))
    ink = cv2.resize(ink, (wide, DIGIT_HEIGHT_PX), interpolation=cv2.INTER_AREA).astype(np.uint8)
    if mark == "line":
        ink = np.pad(ink, ((0, 28), (0, 0)))
        ink[-15:] = 255
    elif mark == "dot":
        ink = np.pad(ink, ((0, 0), (0, 38)))
        cv2.circle(ink, (wide + 23, DIGIT_HEIGHT_PX - 14), 13, 255, -1, cv2.LINE_AA)
    return ink


def _join_counters(ink: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Join the two counters of a B along the stem, if there are two."""
    _, _, stats, _ = cv2.connectedComponentsWithStats((np.pad(ink, 1) < 128).astype(np.uint8))
    # The first component is the ink, the second the surrounding paper. The others are counters.
    counters = sorted((int(y) - 1, int(x) - 1, int(high), int(wide)) for x, y, wide, high, _ in stats[2:])
    if len(counters) != 2:
        return ink
    (top, left, high, wide), (low, start, _, broad) = counters
    left, right = max(left, start), min(left + wide, start + broad)
    ink = ink.copy()
    ink[top + high - 1 : low + 1, left : left + (right - left + 1) // 2] = 0
    return ink


def _draw_font_text(text: str, font: str, stroke: int) -> NDArray[np.uint8]:
    face = ImageFont.truetype(font, 170)
    left, top, right, bottom = face.getbbox(text, stroke_width=stroke)
    board = Image.new("L", (math.ceil(right - left) + 8, math.ceil(bottom - top) + 8))
    ImageDraw.Draw(board).text((4 - left, 4 - top), text, fill=255, font=face, stroke_width=stroke)
    return np.asarray(board)


def _draw_opencv_text(text: str) -> NDArray[np.uint8]:
    # The size and position of OpenCV's font differ between versions, so use only the shape.
    board = np.zeros((256, 512), np.uint8)
    cv2.putText(board, text, (64, 192), cv2.FONT_HERSHEY_DUPLEX, 4.0, 255, 11, cv2.LINE_AA)
    return board


# Pips, signs and coins ------------------------------------------------------------------------------------------------


def _draw_pips(spots: tuple[tuple[float, float], ...], ring: bool, radius: float = 0.19) -> Floats:
    """Render pips as bowls or, if `ring`, as dots in rings. `spots` and `radius` are in half faces."""
    face = np.zeros((FACE_SIDE_PX, FACE_SIDE_PX, 3), np.float32)
    line = (np.arange(FACE_SIDE_PX, dtype=np.float32) + 0.5) / FACE_SIDE_PX * 2 - 1
    u, v = np.meshgrid(line, line)
    for pip_u, pip_v in spots:
        away = np.hypot(u - pip_u, v - pip_v) / radius
        if ring:
            marks = np.maximum(0.62 - away, 0.14 - np.abs(away - 1.02))
            face[..., 0] = np.maximum(face[..., 0], np.clip(marks * radius * FACE_SIDE_PX / 2 + 0.5, 0, 1))
            continue
        inside = np.clip((1 - away) * radius * FACE_SIDE_PX / 2 + 0.5, 0, 1)
        face[..., 0] = np.maximum(face[..., 0], inside)
        face[..., 1] -= inside * (u - pip_u) / radius * 0.9
        face[..., 2] -= inside * (v - pip_v) / radius * 0.9
    return face


_SIGN_SIDE_PX = 4 * FACE_SIDE_PX  # signs are rendered at this size and scaled down


def _draw_sign(sign: str) -> NDArray[np.uint8]:
    """Render a plus, a minus or a blank."""
    face = np.zeros((_SIGN_SIDE_PX, _SIGN_SIDE_PX), np.uint8)
    middle, arm, half = _SIGN_SIDE_PX // 2, round(_SIGN_SIDE_PX * 0.3), round(_SIGN_SIDE_PX * 0.075)
    if sign in ("+", "-"):
        face[middle - half : middle + half, middle - arm : middle + arm] = 255
    if sign == "+":
        face[middle - arm : middle + arm, middle - half : middle + half] = 255
    return face


def _draw_coin_side(text: str) -> NDArray[np.uint8]:
    """Render a side of a coin: a raised rim, a ring of beads and a number or a star."""
    face = np.zeros((_SIGN_SIDE_PX, _SIGN_SIDE_PX), np.uint8)
    middle = _SIGN_SIDE_PX // 2
    cv2.circle(face, (middle, middle), round(_SIGN_SIDE_PX * 0.47), 255, round(_SIGN_SIDE_PX * 0.045), cv2.LINE_AA)
    for bead in range(36):
        way = bead * math.tau / 36
        spot = (
            round(middle + _SIGN_SIDE_PX * 0.39 * math.cos(way)),
            round(middle + _SIGN_SIDE_PX * 0.39 * math.sin(way)),
        )
        cv2.circle(face, spot, round(_SIGN_SIDE_PX * 0.014), 255, -1, cv2.LINE_AA)
    if text == "*":
        rays = [(math.tau * k / 10 - math.pi / 2, _SIGN_SIDE_PX * (0.3 if k % 2 == 0 else 0.12)) for k in range(10)]
        star = [(round(middle + r * math.cos(way)), round(middle + r * math.sin(way))) for way, r in rays]
        cv2.fillPoly(face, [np.array(star, np.int32)], 255, cv2.LINE_AA)
        return face
    ink = _text_ink(text, "")
    top, left = middle - ink.shape[0] // 2, middle - ink.shape[1] // 2
    face[top : top + ink.shape[0], left : left + ink.shape[1]] = ink
    return face


def _engrave_sign(sign: NDArray[np.uint8], deep: float) -> Floats:
    """Convert a sign to a face of a sheet, engraved by `deep` (embossed if negative)."""
    return _add_slopes(
        cv2.resize(sign.astype(np.float32) / 255, (FACE_SIDE_PX, FACE_SIDE_PX), interpolation=cv2.INTER_AREA), deep
    )


def _add_slopes(cover: cv2.typing.MatLike, deep: float) -> Floats:
    """Add the slopes of inclined walls to ink coverage."""
    soft = cv2.GaussianBlur(cover, (0, 0), 1.2)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=deep) for dx in (1, 0)]
    return np.asarray(np.dstack([cover, *slopes]), np.float32)


def _draw_sugar_side(face: int) -> Floats:
    """Render the rough side of a sugar cube: grains at random slopes with dark gaps."""
    rng = np.random.default_rng(face)
    fine, coarse = (
        cv2.GaussianBlur(rng.standard_normal((FACE_SIDE_PX, FACE_SIDE_PX, 3), np.float32), (0, 0), s) * s
        for s in (0.7, 2.2)
    )
    rough = np.asarray(fine * 0.9 + coarse * 0.7, np.float32)
    rough[..., 0] = np.clip(np.abs(rough[..., 0]) * 0.3 - 0.12, 0, 0.4)
    rough[..., 1:] *= 0.4
    return rough
