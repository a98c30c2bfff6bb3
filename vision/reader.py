"""Read the dice in a camera frame."""

import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.color import measure_tint
from vision.dice.color_names import color_name
from vision.dice.detect import Candidate
from vision.dice.evidence import doubt_evidence
from vision.dice.floor import CameraPose
from vision.dice.known_table import KnownTable
from vision.dice.sizes import KnownSizes
from vision.dice.taught_dice import FaceBank, Glimpse, ShownFace
from vision.fitted_reader import FittedReader
from vision.reading import READABLE_KINDS, DieReading, Face, PixelBox, Reading

MIN_EDGE_PX = 32  # A frame with a shorter edge is rejected, because no die is legible in it.
MAX_EDGE_PX = 1280  # Larger frames are scaled down to this longer edge. More pixels show no more of a die.

CandidateFilter = Callable[[list[Candidate]], list[Candidate]]


class FrameError(ValueError):
    """The frame is not an image in which dice can be read."""


class Reader:
    """Reads the dice of a still frame by fitting polyhedra to line segments.

    Cheap to construct: the networks are loaded by the first `read_dice`. Not thread-safe. `kinds`, `taught` and `table`
    may change between readings.

    kinds: the kinds of dice to look for, of `reading.READABLE_KINDS`.
    taught: embeddings of the dice that this table was taught.
    table: known geometry of the table, in pixels of the frame.
    glimpse: appearance of the dice in the last reading, for corrections.
    """

    def __init__(self, kinds: frozenset[str] = READABLE_KINDS) -> None:
        self.kinds = kinds
        self.taught: tuple[FaceBank, ...] = ()
        self.table = KnownTable()
        self.glimpse = Glimpse((), ())
        self._fitted_reader = FittedReader()

    def read_dice(self, frame: NDArray[np.uint8], inside: Callable[[PixelBox], bool] | None = None) -> Reading:
        """Read the dice in a frame. Whether they are at rest is not checked (see `vision.tray.motion`).

        frame: uint8, (height, width, 3) BGR or (height, width) gray, at least 32 pixels along each edge.
        inside: filter for boxes. A rejected box is ignored and raises no doubt. None accepts all.
        Raises FrameError for any other frame.
        """
        begin = time.perf_counter()
        picture, scale, keep = _prepare_frame(frame, inside)
        wall, table = self.table.wall, self.table
        if wall is not None:
            table = table._replace(wall=wall._replace(corners=wall.corners * scale))
        self._fitted_reader.fitter.taught = [bank for bank in self.taught if bank.die_kind in self.kinds]
        faces, doubts, doubt, hides = self._fitted_reader.read_dice(picture, self.kinds, table, keep)
        read = []
        for one, own in sorted(zip(faces, doubts, strict=True), key=lambda pair: _center_x(pair[0].die.outline)):
            body = measure_tint(picture, Candidate(one.top[0], one.top[1], one.die.width_px, one.die.worth))
            key = None if own is None else own.key
            box, foot = (
                _box_in_frame(_enclosing_square(outline), frame.shape, scale) for outline in (one.die.outline, one.foot)
            )
            # Most of the chance of its face is that of the taught die's face.
            name = one.die.taught_name if 2 * one.die.taught.get((one.kind, one.value), 0.0) > one.chance else None
            about = (box, one.chance, body, one.likely, key, foot, name)
            read.append(DieReading(one.kind, one.value, color_name(body), *about))
        faces.sort(key=lambda one: _center_x(one.die.outline))
        looks = [(one.kind, ShownFace(one.value, 0, *one.die.look)) for one in faces if one.die.look is not None]
        self.glimpse = Glimpse(tuple(one.value for one in faces), tuple(looks))
        evidence = None if doubt is None else doubt_evidence(doubt, faces, read, scale)
        ms = (time.perf_counter() - begin) * 1000
        return Reading(tuple(read), None if doubt is None else doubt.key, ms, evidence, hides)

    def camera_pose_from_die(
        self, frame: NDArray[np.uint8], inside: Callable[[PixelBox], bool] | None = None
    ) -> CameraPose | None:
        """Estimate the camera pose from a flat 16 mm d6, or return None unless there is exactly one. `frame` and
        `inside` are as in `read_dice`. Raises FrameError."""
        picture, _, keep = _prepare_frame(frame, inside)
        return self._fitted_reader.camera_pose_from_die(picture, keep)

    @property
    def learned_geometry(self) -> tuple[CameraPose, KnownSizes] | None:
        """Camera pose and dice sizes, or None until enough dice were read."""
        return self._fitted_reader.learned_geometry

    def learn_floor(self) -> None:
        """Refine the floor estimate with the dice of the last reading."""
        self._fitted_reader.learn_floor()

    def capture_face(
        self, frame: NDArray[np.uint8], kind: str, face: Face, go: int, inside: Callable[[PixelBox], bool] | None = None
    ) -> ShownFace:
        """Capture the only die in `frame` as a training example of `kind` with `face` on top, in round `go`. `frame`
        and `inside` are as in `read_dice`. Raises TaughtDieError unless there is exactly one die, and FrameError."""
        picture, _, keep = _prepare_frame(frame, inside)
        return self._fitted_reader.capture_face(picture, kind, face, go, self.table, keep)


def as_bgr(frame: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Convert the frame to BGR. Raises FrameError if it is not an image or too small to hold a die."""
    if not isinstance(frame, np.ndarray):
        raise FrameError(f"A frame is an array of pixels, not {type(frame).__name__}: was the picture opened?")
    if frame.dtype != np.uint8:
        raise FrameError(f"A frame's pixels are bytes (uint8), not {frame.dtype}.")
    if not (frame.ndim == 2 or (frame.ndim == 3 and frame.shape[2] == 3)):
        raise FrameError(f"A frame is height x width (gray) or height x width x 3 (BGR), not {frame.shape}.")
    if min(frame.shape[:2]) < MIN_EDGE_PX:
        raise FrameError(f"A frame of {frame.shape[1]}x{frame.shape[0]} pixels is too small to read dice in.")
    if frame.ndim == 2:
        return cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR).astype(np.uint8, copy=False)
    return frame


def _prepare_frame(
    frame: NDArray[np.uint8], inside: Callable[[PixelBox], bool] | None
) -> tuple[NDArray[np.uint8], float, CandidateFilter]:
    """Return the frame in BGR at the networks' size, its scale, and a filter for candidates."""
    picture = as_bgr(frame)
    scale = min(1.0, MAX_EDGE_PX / max(picture.shape[:2]))
    if scale < 1:
        size = [max(MIN_EDGE_PX, round(edge * scale)) for edge in picture.shape[1::-1]]
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)

    def keep_inside(places: list[Candidate]) -> list[Candidate]:
        return [one for one in places if inside is None or inside(_box_in_frame(one, frame.shape, scale))]

    return picture, scale, keep_inside


def _center_x(outline: NDArray[np.float64]) -> float:
    return float(outline[:, 0].mean())


def _enclosing_square(outline: NDArray[np.float64]) -> Candidate:
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    return Candidate((left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top), 1.0)


def _box_in_frame(where: Candidate, shape: tuple[int, ...], scale: float) -> PixelBox:
    """Convert a candidate, found at `scale`, to a box in a frame of this shape, clipped to the frame."""
    x, y, half = where.x / scale, where.y / scale, where.size / scale / 2
    left, top = max(0, round(x - half)), max(0, round(y - half))
    right, bottom = min(shape[1], round(x + half)), min(shape[0], round(y + half))
    return left, top, max(1, right - left), max(1, bottom - top)
