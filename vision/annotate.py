"""Annotate pictures with their readings, for people to check."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.read import BoardDoubt, BoardLayout
from vision.board.sheets import AREA_CENTERS_MM, AREA_EDGE_MM
from vision.reader import as_bgr
from vision.reading import Reading
from vision.tray.calibration_sheet import PAGE_CORNERS_MM, square_corners

# BGR colors: sure, doubted, the outline of the doubt's evidence, an empty area, text.
_SURE_COLOR = (60, 200, 60)
_DOUBT_COLOR = (40, 120, 255)
_DOUBT_OUTLINE_COLOR = (40, 40, 255)
_EMPTY_AREA_COLOR = (150, 150, 150)
_TEXT_COLOR = (255, 255, 255)


def annotate_reading(frame: NDArray[np.uint8], reading: Reading) -> NDArray[np.uint8]:
    """Draw each die's box, value and confidence in percent, the outline of what is doubted, and the doubt at the top.
    Return a BGR copy. Lines and letters scale with the frame. Raises FrameError as `Reader.read_dice` does."""
    picture, scale, line = _annotation_canvas(frame)
    # The confidence needed for a sure die differs between tables, so the reading decides.
    ink = _SURE_COLOR if reading.is_sure else _DOUBT_COLOR
    for die in reading.dice:
        x, y, w, h = die.box
        cv2.rectangle(picture, (x, y), (x + w, y + h), ink, line)
        shown = "?" if die.value is None else str(die.value)
        _draw_label(
            picture, f"{shown} {die.confidence:.0%}", x, y - line if y > 20 * scale else y + h, 0.5 * scale, ink
        )
    if reading.evidence is not None and reading.evidence.outline:
        cv2.polylines(
            picture, [np.array(reading.evidence.outline, np.int32)], True, _DOUBT_OUTLINE_COLOR, line, cv2.LINE_AA
        )
    words = "sure" if reading.is_sure else f"{reading.doubt}: {reading.advice}"
    _draw_label(picture, words, line, round(20 * scale), 0.55 * scale, ink)
    return picture


def crop_dice(frame: NDArray[np.uint8], reading: Reading, longest: int = 260) -> NDArray[np.uint8]:
    """Crop the frame to its dice, without annotations, to at most `longest` pixels along the longer edge. Returns BGR,
    and the full frame if there are no dice. Raises FrameError as `Reader.read_dice` does."""
    picture = as_bgr(frame)
    if reading.dice:
        boxes = np.array([die.box for die in reading.dice])
        room = int(boxes[:, 2:].max() * 0.7)
        left, top = np.maximum(boxes[:, :2].min(axis=0) - room, 0)
        right, bottom = (boxes[:, :2] + boxes[:, 2:]).max(axis=0) + room
        picture = picture[top:bottom, left:right]
    scale = longest / max(picture.shape[:2])
    if scale >= 1:
        return picture
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def annotate_layout(
    frame: NDArray[np.uint8], layout: BoardLayout, names: Sequence[str], doubts: Sequence[BoardDoubt]
) -> NDArray[np.uint8]:
    """Outline and label each board area, and write the first doubt at the top. `names` are the pieces' names by number.
    `doubts` may include more than the layout's own (`vision.board.read.find_doubts`). Returns a BGR copy."""
    picture, scale, line = _annotation_canvas(frame)
    if layout.outline is not None:
        way = cv2.getPerspectiveTransform(PAGE_CORNERS_MM, np.array(layout.outline, np.float32))
        doubted = {area for doubt in doubts for area in doubt.areas}
        for area, (x, y) in AREA_CENTERS_MM.items():
            spots = cv2.perspectiveTransform(square_corners(x, y, AREA_EDGE_MM)[None], way)[0]
            laid = layout.areas[area]
            ink = _DOUBT_COLOR if area in doubted else _EMPTY_AREA_COLOR if laid is None else _SURE_COLOR
            cv2.polylines(picture, [np.round(spots).astype(np.int32)], True, ink, line, cv2.LINE_AA)
            words = f"{area} {names[laid.piece]}{' back' if laid.back else ''}" if laid else area
            left, low = np.round(spots[(spots[:, 1] - spots[:, 0]).argmax()]).astype(int)
            _draw_label(picture, words, int(left), int(low) - line, 0.5 * scale, ink)
    words = doubts[0].advice(names) if doubts else "sure"
    _draw_label(picture, words, line, round(20 * scale), 0.5 * scale, _DOUBT_COLOR if doubts else _SURE_COLOR)
    return picture


def _annotation_canvas(frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float, int]:
    """Return a BGR copy of the frame, the scale of letters, and the line width in pixels."""
    picture = as_bgr(frame).copy()
    scale = max(picture.shape[:2]) / 640
    return picture, scale, max(1, round(2 * scale))


def _draw_label(
    picture: NDArray[np.uint8], words: str, x: int, y: int, size: float, ground: tuple[int, int, int]
) -> None:
    """Write white text on a colored box, legible on any picture. (x, y) is the lower left of the text."""
    thick = max(1, round(2 * size))
    (width, height), below = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    cv2.rectangle(picture, (x, y - height - below), (x + width, y + below), ground, cv2.FILLED)
    cv2.putText(picture, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, _TEXT_COLOR, thick, cv2.LINE_AA)
