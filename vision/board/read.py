"""Read which piece lies in each area of the printed board, and which side is up.

Each area has its own ArUco marker, large enough that any piece in the area occludes part of it. A visible area marker
means the area is empty, and a visible sticker means that piece lies there. If neither is visible, something else covers
the area.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.board.sheets import (
    AREA_CENTERS_MM,
    AREA_EDGE_MM,
    BOARD_MARKERS_MM,
    FIRST_PIECE_MARKER,
    MARKER_DICTIONARY,
    MAX_PIECES,
    STICKER_EDGE_MM,
    STICKER_MARKER_EDGE_MM,
)
from vision.tray.calibration_sheet import PAGE_CORNERS_MM, PAGE_SIZE_MM, square_corners
from vision.tray.motion import GrayImage, motion_px, small_gray_image

Points = NDArray[np.float32]

# A piece is in an area if the offset between their centers is at most this, in x and in y.
MAX_CENTER_OFFSET_MM = (AREA_EDGE_MM - STICKER_EDGE_MM) / 2
MAX_CORNER_ERROR_MM = 3.0  # maximum reprojection error of a marker corner, because paper bends a little
# Minimum spread of the visible board markers. A single row is not enough to locate the board.
MIN_MARKER_SPREAD_MM = 30.0
MIN_STICKER_SCALE = 0.75  # A sticker that looks smaller than this factor doesn't lie flat on the board.
MAX_STICKER_SCALE = 1.35  # Nor does one that looks larger than this factor.
# The board is at rest if nothing on it moves by more than this share of the image width between frames.
MAX_MOTION_SHARE = 0.003
# Window in which an edge's sharpness is measured, at an image width of 640 pixels.
SHARPNESS_KERNEL = np.ones((15, 15), np.uint8)
MIN_EDGE_CONTRAST = 40  # Edges with less contrast than this, in gray levels, are ignored.
MIN_EDGE_STEEPNESS = 0.4  # Below this ratio of gradient within three pixels to contrast, an edge counts as blurred.

# Every doubt about a board, with its advice to people. The last three depend on the wanted pieces.
BOARD_DOUBT_ADVICE = {
    "no-board": "No board found: lay it flat under the camera, with its four black corner squares in view.",
    "blur": "The picture is blurred: wipe the lens or set the focus.",
    "covered": "Area {areas} is covered: remove what hides it, or turn the token sticker side up.",
    "doubled": "Something is there twice ({areas}; {pieces}): leave one token in each area, and each token only once.",
    "between": "A token is outside every area ({pieces}): move it well inside one, and lay it flat.",
    "strange": "A sticker on the board belongs to no token of this game: remove it.",
    "missing": "Not on the board: {pieces}. Place it in its area, sticker up.",
    "side": "The wrong side is up in {areas} ({pieces}): turn the token over.",
    "extra": "On the board, but out of play: {pieces}. Remove it.",
}


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece in an area, by its number from 0. `back` is True if its back is up."""

    piece: int
    back: bool


@dataclass(frozen=True, slots=True)
class BoardDoubt:
    """Why a layout needs confirmation: a key of `BOARD_DOUBT_ADVICE`, and the areas and pieces concerned."""

    code: str
    areas: tuple[str, ...] = ()
    pieces: tuple[int, ...] = ()

    def advice(self, names: Sequence[str] = ()) -> str:
        """Format the advice. `names` are the pieces' names by number; a piece without one is numbered."""
        called = [names[piece] if piece < len(names) else f"token {piece + 1}" for piece in self.pieces]
        return BOARD_DOUBT_ADVICE[self.code].format(areas=", ".join(self.areas) or "outside", pieces=", ".join(called))


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """The pieces on the board. Two layouts are equal wherever the board lies.

    areas: the piece in each area. None if the area is empty or doubted. All are None with "no-board" or "blur".
    doubts: why the layout needs confirmation. "no-board" and "blur" exclude all others.
    outline: corners of the page in pixels, or None without a board.
    """

    areas: Mapping[str, PlacedPiece | None]
    doubts: tuple[BoardDoubt, ...]
    outline: tuple[tuple[float, float], ...] | None = field(default=None, compare=False)

    @property
    def is_sure(self) -> bool:
        """True if there is no doubt. Whether it is the wanted layout is decided by `find_doubts`."""
        return not self.doubts


def read_board(frame: MatLike, pieces: int) -> BoardLayout:
    """Read the board in one image, (height, width) gray or (height, width, 3) BGR bytes. Objects outside the page are
    ignored. Motion is not checked (see `BoardWatcher`). Raises ValueError for more than
    `vision.board.sheets.MAX_PIECES` pieces."""
    if not 0 <= pieces <= MAX_PIECES:
        raise ValueError(f"There are markers for 0 to {MAX_PIECES} pieces, not for {pieces}.")
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) if frame.ndim == 3 else frame
    marks = _detect_markers(grey)
    layout = _layout_from_markers(marks, pieces)
    if not layout.is_sure:
        # Sharpening reveals more markers in an image out of focus.
        plain, known = cv2.GaussianBlur(grey, (3, 3), 0), {number for number, _ in marks}
        sharp = cv2.addWeighted(plain, 4, cv2.GaussianBlur(plain, (0, 0), 2.5), -3, 0)
        layout = _layout_from_markers(marks + [mark for mark in _detect_markers(sharp) if mark[0] not in known], pieces)
    if layout.outline is None and _is_blurred(grey):
        return BoardLayout(layout.areas, (BoardDoubt("blur"),))
    return layout


def find_doubts(layout: BoardLayout, wanted: Mapping[int, bool]) -> tuple[BoardDoubt, ...]:
    """Compare a layout with the wanted pieces and return all doubts. `wanted` maps each piece to whether its back must
    be up; its area doesn't matter. A piece is missing only if no area is covered, because it may lie there. A piece out
    of play need not lie flat."""
    if layout.outline is None:
        return layout.doubts
    doubts = [
        BoardDoubt("extra", doubt.areas, doubt.pieces)
        if doubt.code == "between" and doubt.pieces[0] not in wanted
        else doubt
        for doubt in layout.doubts
    ]
    lying = [(area, laid) for area, laid in layout.areas.items() if laid is not None]
    found = {laid.piece for _, laid in lying} | {piece for doubt in doubts for piece in doubt.pieces}
    missing = tuple(piece for piece in sorted(wanted) if piece not in found)
    if missing and not any(doubt.code == "covered" for doubt in doubts):
        doubts.append(BoardDoubt("missing", (), missing))
    turned = [(area, laid) for area, laid in lying if laid.piece in wanted and wanted[laid.piece] != laid.back]
    doubts += [BoardDoubt("side", (area,), (laid.piece,)) for area, laid in turned]
    doubts += [BoardDoubt("extra", (area,), (laid.piece,)) for area, laid in lying if laid.piece not in wanted]
    return tuple(doubts)


class BoardWatcher:
    """Reports each new layout of a board once, when it has come to rest. A layout is at rest after at least three equal
    readings over `still` seconds without motion over the board. A board that was covered or removed is reported
    again."""

    def __init__(self, pieces: int, still: float = 0.7) -> None:
        self._pieces, self._rest_s = pieces, still
        self._last_image: GrayImage | None = None
        self._last_layout: BoardLayout | None = None
        self._reported: BoardLayout | None = None
        self._since, self._count, self._is_at_rest = 0.0, 0, False

    @property
    def last_layout(self) -> BoardLayout | None:
        return self._last_layout

    @property
    def resting_layout(self) -> BoardLayout | None:
        """The layout at rest, or None during motion or changes."""
        return self._last_layout if self._is_at_rest else None

    def process_frame(self, frame: MatLike, now: float) -> BoardLayout | None:
        """Read the next frame and return the layout that came to rest with it, or None. `frame` is as in `read_board`,
        and `now`, in seconds, must increase. Frames may be skipped."""
        layout, grey = read_board(frame, self._pieces), small_gray_image(frame)
        if layout != self._last_layout or self._has_motion(grey, layout, frame.shape[1]):
            self._since, self._count = now, 0
        self._last_image, self._last_layout = grey, layout
        self._count += 1
        # Half a millisecond of tolerance absorbs rounding errors in multiples of 0.1 s.
        self._is_at_rest = self._count >= 3 and now - self._since >= self._rest_s - 0.0005
        if not self._is_at_rest or layout == self._reported:
            return None
        self._reported = layout
        return layout

    def _has_motion(self, grey: GrayImage, layout: BoardLayout, wide: int) -> bool:
        """True if anything moved since the last frame, on the board, or anywhere if there is none."""
        before = self._last_image
        if before is None or before.shape != grey.shape:
            return True
        here = np.s_[:, :]
        if layout.outline is not None:
            spots = np.array(layout.outline) * (grey.shape[1] / wide)
            left, top = np.clip(spots.min(axis=0), 0, None).astype(int)
            right, low = np.ceil(spots.max(axis=0)).astype(int)
            here = np.s_[top : max(low, top + 8), left : max(right, left + 8)]
        return bool(motion_px(before[here], grey[here]) > MAX_MOTION_SHARE * grey.shape[1])


# Markers -------------------------------------------------------------------------------------------------------------


def _marker_detector() -> cv2.aruco.ArucoDetector:
    rules = cv2.aruco.DetectorParameters()
    # Correct at most one misread square: asking costs less than a wrong piece.
    rules.errorCorrectionRate, rules.maxErroneousBitsInBorderRate = 0.34, 0.05
    rules.minMarkerPerimeterRate = 0.06
    # Tuned on synthetic images out of focus: threshold windows as wide as a few squares, and only the center of each
    # square.
    rules.adaptiveThreshWinSizeMin, rules.adaptiveThreshWinSizeMax, rules.adaptiveThreshWinSizeStep = 11, 25, 14
    rules.perspectiveRemovePixelPerCell, rules.perspectiveRemoveIgnoredMarginPerCell = 8, 0.25
    return cv2.aruco.ArucoDetector(MARKER_DICTIONARY, rules)


def _detect_markers(grey: MatLike) -> list[tuple[int, Points]]:
    """Detect markers in a gray image. Return (number, corners) pairs, corners (4, 2) in pixels."""
    corners, numbers, _ = _marker_detector().detectMarkers(grey)
    known = [] if numbers is None else [int(number) for number in numbers.ravel()]
    return [(number, one.reshape(4, 2).astype(np.float32)) for number, one in zip(known, corners, strict=True)]


def _is_blurred(grey: MatLike) -> bool:
    """True if even the strongest edges are soft. An image without edges is not blurred."""
    wide = min(grey.shape[1], 640)
    less = cv2.resize(grey, (wide, round(wide * grey.shape[0] / grey.shape[1])), interpolation=cv2.INTER_AREA)
    less = cv2.GaussianBlur(less, (3, 3), 0)
    contrast = cv2.morphologyEx(less, cv2.MORPH_GRADIENT, SHARPNESS_KERNEL)
    most = int(contrast.max())
    if most < MIN_EDGE_CONTRAST:
        return False
    steepest = cv2.dilate(cv2.morphologyEx(less, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)), SHARPNESS_KERNEL)
    strong = contrast > 0.6 * most
    return bool(np.median(steepest[strong] / contrast[strong]) < MIN_EDGE_STEEPNESS)


def _page_homography(marks: Sequence[tuple[int, Points]]) -> MatLike | None:
    """Estimate the homography (3, 3) from pixels to mm on the page, or return None if too few markers agree."""
    if len(marks) < 3:
        return None
    seen = np.concatenate([corners for _, corners in marks])
    true = np.concatenate([square_corners(*BOARD_MARKERS_MM[number]) for number, _ in marks])
    ground, _ = cv2.findHomography(seen, true, cv2.RANSAC, MAX_CORNER_ERROR_MM)
    good = [
        ground is not None and _is_in_place(number, _transform_points(ground, corners)) for number, corners in marks
    ]
    if sum(good) < max(3, 0.8 * len(marks)):
        return None
    middles = true.reshape(-1, 4, 2)[good].mean(axis=1)
    return ground if min(cv2.minAreaRect(middles)[1]) >= MIN_MARKER_SPREAD_MM else None


def _is_in_place(number: int, corners: Points) -> bool:
    """True if a board marker, corners (4, 2) in mm on the page, is where it was printed."""
    return bool(np.hypot(*(corners - square_corners(*BOARD_MARKERS_MM[number])).T).max() < MAX_CORNER_ERROR_MM)


def _transform_points(ground: MatLike, points: Points) -> Points:
    return np.asarray(cv2.perspectiveTransform(points.reshape(1, -1, 2), ground)[0], np.float32)


def _page_outline(ground: MatLike) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in _transform_points(np.linalg.inv(ground), PAGE_CORNERS_MM))


# Areas ---------------------------------------------------------------------------------------------------------------


def _layout_from_markers(marks: Sequence[tuple[int, Points]], pieces: int) -> BoardLayout:
    """Build the layout from detected markers, corners in pixels."""
    ground = _page_homography([(number, corners) for number, corners in marks if number < FIRST_PIECE_MARKER])
    if ground is None:
        return BoardLayout(dict.fromkeys(AREA_CENTERS_MM), (BoardDoubt("no-board"),))
    bare, strange = set[str](), set[tuple[str, ...]]()
    seen: list[tuple[PlacedPiece, str | None, tuple[str, ...]]] = []
    for number, spots in marks:
        corners = _transform_points(ground, spots)
        middle = corners.mean(axis=0)
        if number < FIRST_PIECE_MARKER:
            # Ignore markers on scraps of another board.
            if _is_in_place(number, corners):
                bare |= {name for name, at in AREA_CENTERS_MM.items() if BOARD_MARKERS_MM[number][:2] == at}
        elif all(0 <= at <= edge for at, edge in zip(middle, PAGE_SIZE_MM, strict=True)):
            laid = PlacedPiece((number - FIRST_PIECE_MARKER) // 2, bool((number - FIRST_PIECE_MARKER) % 2))
            if laid.piece < pieces:
                seen.append((laid, _area_of_sticker(corners), _touched_areas(middle)))
            else:
                strange.add(_touched_areas(middle))
    crowds = Counter(area for _, area, _ in seen if area)
    copies = Counter(laid.piece for laid, _, _ in seen)
    twice = [one for one in seen if copies[one[0].piece] > 1 or (one[1] and crowds[one[1]] > 1)]
    areas: dict[str, PlacedPiece | None] = dict.fromkeys(AREA_CENTERS_MM)
    areas |= {area: laid for laid, area, near in seen if area and (laid, area, near) not in twice}
    explained = bare | set(crowds) | {area for near in strange for area in near}
    explained |= {name for _, area, near in seen if area is None for name in near}
    doubts = [BoardDoubt("covered", (area,)) for area in AREA_CENTERS_MM if area not in explained]
    if twice:
        pieces_twice = {laid.piece for laid, _, _ in twice}
        doubts.append(BoardDoubt("doubled", tuple(sorted({a for _, a, _ in twice if a})), tuple(sorted(pieces_twice))))
    astray = [(laid.piece, near) for laid, area, near in seen if area is None and copies[laid.piece] == 1]
    doubts += [BoardDoubt("between", near, (piece,)) for piece, near in sorted(astray)]
    doubts += [BoardDoubt("strange", near) for near in sorted(strange)]
    return BoardLayout(areas, tuple(doubts), _page_outline(ground))


def _area_of_sticker(corners: Points) -> str | None:
    """Return the area in which a sticker lies flat and well inside, or None. `corners` are in mm on the page."""
    edge = float(np.hypot(*(corners - np.roll(corners, 1, axis=0)).T).mean())
    if not MIN_STICKER_SCALE < edge / STICKER_MARKER_EDGE_MM < MAX_STICKER_SCALE:
        return None
    x, y = corners.mean(axis=0)
    return next(
        (name for name, at in AREA_CENTERS_MM.items() if max(abs(x - at[0]), abs(y - at[1])) <= MAX_CENTER_OFFSET_MM),
        None,
    )


def _touched_areas(middle: Points) -> tuple[str, ...]:
    """Return the areas that a sticker centered here may overlap."""
    x, y = middle
    reach = (AREA_EDGE_MM + STICKER_EDGE_MM) / 2
    return tuple(name for name, at in AREA_CENTERS_MM.items() if max(abs(x - at[0]), abs(y - at[1])) < reach)
