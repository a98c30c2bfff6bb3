"""Readings drawn onto their pictures, for people to check."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.read import Doubt, Layout
from vision.board.sheets import AREAS, CELL
from vision.reader import as_bgr
from vision.reading import Reading
from vision.tray.calibration_sheet import PAGE_CORNERS, square

# BGR colors: believed, in doubt, what the doubt is about, an empty area, and lettering.
_GOOD, _BAD, _ASKED, _BARE, _INK = (60, 200, 60), (40, 120, 255), (40, 40, 255), (150, 150, 150), (255, 255, 255)


def annotate(frame: NDArray[np.uint8], reading: Reading) -> NDArray[np.uint8]:
    """Return a BGR copy of the frame with every die's box, value and confidence in percent, the outline of what is
    in doubt, and the doubt along the top. Lines and letters grow with the picture. Raises FrameError as
    `Reader.read`."""
    picture, scale, line = _canvas(frame)
    # The confidence from which a die is believed differs from table to table; the reading knows.
    ink = _GOOD if reading.sure else _BAD
    for die in reading.dice:
        x, y, w, h = die.box
        cv2.rectangle(picture, (x, y), (x + w, y + h), ink, line)
        shown = "?" if die.value is None else str(die.value)
        _write(picture, f"{shown} {die.confidence:.0%}", x, y - line if y > 20 * scale else y + h, 0.5 * scale, ink)
    if reading.evidence is not None and reading.evidence.outline:
        cv2.polylines(picture, [np.array(reading.evidence.outline, np.int32)], True, _ASKED, line, cv2.LINE_AA)
    words = "sure" if reading.sure else f"{reading.doubt}: {reading.advice}"
    _write(picture, words, line, round(20 * scale), 0.55 * scale, ink)
    return picture


def snapshot(frame: NDArray[np.uint8], reading: Reading, longest: int = 260) -> NDArray[np.uint8]:
    """Return a BGR cutout of the dice as they lie, with nothing drawn on; its longer edge has at most `longest` pixels.
    Without dice it shows the whole frame. Raises FrameError as `Reader.read`."""
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


def chart(frame: NDArray[np.uint8], layout: Layout, names: Sequence[str], doubts: Sequence[Doubt]) -> NDArray[np.uint8]:
    """Return a BGR copy of the frame with each board area outlined and labeled, and the first doubt along the top.
    `names` are the pieces' names in order. `doubts` may include more than the layout's own (`vision.board.read`)."""
    picture, scale, line = _canvas(frame)
    if layout.outline is not None:
        way = cv2.getPerspectiveTransform(PAGE_CORNERS, np.array(layout.outline, np.float32))
        doubted = {area for doubt in doubts for area in doubt.areas}
        for area, (x, y) in AREAS.items():
            spots = cv2.perspectiveTransform(square(x, y, CELL)[None], way)[0]
            laid = layout.areas[area]
            ink = _BAD if area in doubted else _BARE if laid is None else _GOOD
            cv2.polylines(picture, [np.round(spots).astype(np.int32)], True, ink, line, cv2.LINE_AA)
            words = f"{area} {names[laid.piece]}{' back' if laid.back else ''}" if laid else area
            left, low = np.round(spots[(spots[:, 1] - spots[:, 0]).argmax()]).astype(int)
            _write(picture, words, int(left), int(low) - line, 0.5 * scale, ink)
    words = doubts[0].advice(names) if doubts else "sure"
    _write(picture, words, line, round(20 * scale), 0.5 * scale, _BAD if doubts else _GOOD)
    return picture


def _canvas(frame: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], float, int]:
    """Return a BGR copy of the frame, its scale for lines and letters, and the width of a line."""
    picture = as_bgr(frame).copy()
    scale = max(picture.shape[:2]) / 640
    return picture, scale, max(1, round(2 * scale))


def _write(picture: NDArray[np.uint8], words: str, x: int, y: int, size: float, ground: tuple[int, int, int]) -> None:
    """Write white letters on a colored ground, readable on any picture. (x, y) is their lower left."""
    thick = max(1, round(2 * size))
    (width, height), below = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    cv2.rectangle(picture, (x, y - height - below), (x + width, y + below), ground, cv2.FILLED)
    cv2.putText(picture, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, _INK, thick, cv2.LINE_AA)
