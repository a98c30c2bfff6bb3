"""The tray in the image: its outline, reference image and scale, and measures of sharpness and brightness."""

import math
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.cameras.frames import LockedSettings
from vision.dice.floor import CameraPose, Wall
from vision.dice.known_table import KnownTable
from vision.dice.sizes import KnownSizes
from vision.reading import PixelBox, Reading

Image = NDArray[np.uint8]
Outline = NDArray[np.int32]  # corners of a polygon in order, (n, 2), in pixels of the full frame
MAX_REFERENCE_WIDTH_PX = 640  # maximum width of the stored reference image
MIN_INSIDE_SHARE = 0.7  # A die is in the tray if at least this share of its box is inside the outline.
MIN_RELEVANT_SHARE = 0.3  # Below this share it is ignored.
DIE_SIZE_RANGE_MM = (8.0, 35.0)  # Minimum and maximum width of a die. The maximum leaves room for a rotated one.
# Margin around the outline that stays visible, as a share of the frame width, because dice may straddle the outline.
OUTLINE_MARGIN_SHARE = 0.04
# Height of an outline above the felt and the uncertainty of the wall's foot, both in mm: of a detected outline, and of
# one that a person tapped.
FOUND_OUTLINE_MM = (20.0, 5.0)
TAPPED_OUTLINE_MM = (0.0, 1.0)
MIN_CAMERA_SHARPNESS = 0.02  # Below this `measure_sharpness`, the camera's lens needs focusing.
TILE_EDGE_PX = 16  # edge of a tile in which sharpness is measured
MIN_EDGE_DEVIATION = 9.0  # smallest standard deviation of a tile with an edge, in gray levels
MIN_DICE_SHARPNESS = 0.003  # Dice are blurred if none reaches this.


class TrayError(ValueError):
    """The tray can't be found, measured, stored or used. The message says what to do."""


@dataclass(frozen=True, eq=False)
class Tray:
    """The calibration of one tray under one camera.

    camera: name of the frame source.
    size: (width, height) of its full frames, in pixels.
    outline: the tray's polygon.
    empty: reference image of the empty tray, BGR or gray bytes, at most `MAX_REFERENCE_WIDTH_PX` wide.
    light: brightness of the felt, 0 to 255.
    scale: pixels per millimeter on the felt, or None if not measured.
    focus: result of `measure_sharpness`, or None.
    doubt: "no-tray" if no edge was found and the full frame counts as the tray, else None.
    locks: camera settings to lock again, or None if unknown.
    place: camera pose over the felt, or None if not measured.
    tapped: True if a person tapped the corners of the felt. A detected outline may follow the top of the wall instead.
    sizes: sizes of the dice seen in this tray.
    """

    camera: str
    size: tuple[int, int]
    outline: Outline
    empty: Image
    light: float
    scale: float | None = None
    focus: float | None = None
    doubt: str | None = None
    locks: LockedSettings | None = None
    place: CameraPose | None = None
    tapped: bool = False
    sizes: KnownSizes = field(default_factory=dict)

    @property
    def known_table(self) -> KnownTable:
        corners, known = self.outline.astype(float), TAPPED_OUTLINE_MM if self.tapped else FOUND_OUTLINE_MM
        return KnownTable(self.place, None if self.is_full_frame else Wall(corners, *known), self.empty, self.sizes)

    @cached_property
    def is_full_frame(self) -> bool:
        return self.doubt is not None

    @cached_property
    def tray_mask(self) -> Image:
        """Mask of the tray in the frame's size, (height, width): 255 inside the outline, 0 outside."""
        found = np.zeros(self.size[::-1], np.uint8)
        cv2.fillPoly(found, [self.outline], 255)
        return found

    @cached_property
    def _surroundings_mask(self) -> Image:
        reach = round(OUTLINE_MARGIN_SHARE * self.size[0])
        grown = cv2.distanceTransform(255 - self.tray_mask, cv2.DIST_L2, 3) > reach
        return grown.astype(np.uint8) * 255

    def validate_size(self, frame: MatLike) -> None:
        """Raise TrayError if `frame` has another size than the calibration."""
        size = frame.shape[1], frame.shape[0]
        if size != self.size:
            raise TrayError(wrong_size_message(self.size, size))

    def share_inside(self, box: PixelBox) -> float:
        """Return the share of a box, clipped to the frame, that is inside the tray, 0 to 1."""
        x, y, wide, tall = box
        part = self.tray_mask[max(y, 0) : y + tall, max(x, 0) : x + wide]
        return float(part.mean()) / 255 if part.size else 0.0

    def is_box_inside(self, box: PixelBox) -> bool:
        """True if a die with this box is in the tray and not across its edge."""
        return self.share_inside(box) >= MIN_INSIDE_SHARE

    def paint_surroundings(self, frame: Image) -> Image:
        """Paint everything but the tray and a margin in the felt's color. Raises TrayError as `validate_size` does."""
        self.validate_size(frame)
        if self.is_full_frame:
            return frame
        painted = frame.copy()
        painted[self._surroundings_mask > 0] = self._felt_color(frame)
        return painted

    def _felt_color(self, frame: Image) -> NDArray[np.float64]:
        return np.asarray(np.median(frame[::8, ::8][self.tray_mask[::8, ::8] > 0], axis=0))

    def draw_outline(self, picture: Image) -> Image:
        """Draw the outline on a copy of an image of any size."""
        drawn = picture.copy()
        scale = picture.shape[1] / self.size[0], picture.shape[0] / self.size[1]
        points = np.round(self.outline * scale).astype(np.int32)
        cv2.polylines(drawn, [points], True, (230, 200, 60), max(1, picture.shape[1] // 320), cv2.LINE_AA)
        return drawn


@dataclass(frozen=True, slots=True, eq=False)
class FoundTray:
    """A detected outline. `doubt` is a key of `reading.DOUBT_ADVICE` if it is only the full frame, else None."""

    outline: Outline
    doubt: str | None


# Finding ------------------------------------------------------------------------------------------------------------


def find_tray(empty: MatLike) -> FoundTray:
    """Detect the outline of the tray in an image without dice. The felt must cover the center of the image. It may have
    any color, and the tray any convex shape, cut off by the image edge or not. If no edge is found, the full frame is
    returned with the doubt "no-tray"."""
    tall, wide = empty.shape[:2]
    times = max(wide / 216, 1.0)
    less = cv2.resize(empty, (round(wide / times), round(tall / times)), interpolation=cv2.INTER_AREA)
    if less.ndim == 2:
        less = cv2.cvtColor(less, cv2.COLOR_GRAY2BGR)
    lab = cv2.cvtColor(cv2.medianBlur(less, 5).astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    best, most = None, 0.0
    for mask in _felt_candidates(lab):
        hull, contrast = _hull_and_contrast(mask, lab)
        if hull is not None and contrast > most:
            best, most = hull, contrast
    if best is None:
        corners = np.array([(0, 0), (wide - 1, 0), (wide - 1, tall - 1), (0, tall - 1)], np.int32)
        return FoundTray(corners, "no-tray")
    few = cv2.approxPolyDP(best, 0.004 * cv2.arcLength(best, True), True)[:, 0]
    full = (few + 0.5) * (wide / lab.shape[1], tall / lab.shape[0])
    return FoundTray(np.clip(np.round(full), 0, (wide - 1, tall - 1)).astype(np.int32), None)


def _felt_candidates(lab: MatLike) -> list[Image]:
    """Segment candidate regions for the felt: similar to the center (thresholds), and connected to it (flood fill)."""
    tall, wide = lab.shape[:2]
    core = np.s_[round(0.4 * tall) : round(0.6 * tall), round(0.4 * wide) : round(0.6 * wide)]
    felt = np.median(lab[core].reshape(-1, 3), axis=0)
    gap = np.sqrt((((lab - felt) * (0.6, 1, 1)) ** 2).sum(axis=2))
    found = []
    for much in (5, 7, 9, 12, 15, 19, 24, 30, 38, 48):
        found.append(_central_region((gap < much).astype(np.uint8)))
    for step in (0.8, 1.2, 1.8, 2.7, 4.0):
        flown = np.zeros((tall + 2, wide + 2), np.uint8)
        for y in range(core[0].start, core[0].stop, 6):
            for x in range(core[1].start, core[1].stop, 6):
                if flown[y + 1, x + 1] == 0:
                    how = 4 | cv2.FLOODFILL_MASK_ONLY | (1 << 8)
                    cv2.floodFill(lab, flown, (x, y), 0, (step,) * 3, (step,) * 3, how)
        found.append(_central_region(flown[1:-1, 1:-1]))
    return found


def _central_region(mask: Image) -> Image:
    """Return the largest connected component at the center, with its holes filled."""
    solid = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    tall, wide = mask.shape
    count, labels, _, _ = cv2.connectedComponentsWithStats(solid)
    inner = labels[round(0.4 * tall) : round(0.6 * tall), round(0.4 * wide) : round(0.6 * wide)]
    here = np.bincount(inner.ravel(), minlength=count)
    here[0] = 0
    piece = (labels == int(here.argmax())).astype(np.uint8) if here.any() else np.zeros_like(mask)
    outer, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(filled, outer, -1, 1, cv2.FILLED)
    # Cut thin bridges to similar areas beyond the rim.
    return np.asarray(cv2.morphologyEx(filled, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))))


def _hull_and_contrast(mask: Image, lab: MatLike) -> tuple[MatLike | None, float]:
    """Return the convex hull of a region and the contrast along it, or None if it can't be a tray."""
    tall, wide = mask.shape
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None, 0.0
    shape = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(shape)
    area = cv2.contourArea(hull)
    if not 0.1 < area / (tall * wide) < 0.97 or cv2.contourArea(shape) < 0.88 * area:
        return None, 0.0
    solid = np.zeros(mask.shape, np.uint8)
    cv2.fillPoly(solid, [hull], 1)
    # The image edge is not an edge of the tray, so it doesn't count.
    frame = np.s_[4:-4, 4:-4]
    within = cv2.erode(solid, np.ones((3, 3), np.uint8), iterations=2, borderValue=1)
    beyond = cv2.dilate(solid, np.ones((3, 3), np.uint8), iterations=2)
    ring_in, ring_out = (solid - within)[frame] > 0, (beyond - solid)[frame] > 0
    if ring_out.sum() < 0.6 * (tall + wide):
        return None, 0.0
    way = cv2.GaussianBlur(lab, (0, 0), 1.0)
    across = np.sqrt(sum(cv2.Sobel(way, cv2.CV_32F, dx, dy, ksize=3, scale=1 / 8) ** 2 for dx, dy in ((1, 0), (0, 1))))
    steep = across.sum(axis=2)[frame]
    # The 30th percentile decides, because a tray has an edge all around.
    line = cv2.dilate(steep, np.ones((3, 3), np.uint8))[ring_in | ring_out]
    weak = float(np.percentile(line, 30))
    plain = float(np.median(cv2.dilate(steep, np.ones((3, 3), np.uint8))[within[frame] > 0]))
    return (hull, weak) if weak > max(1.2, 2.2 * plain) else (None, 0.0)


# Measuring ----------------------------------------------------------------------------------------------------------


def measure_sharpness(frame: MatLike, box: PixelBox | None = None) -> float | None:
    """Measure the sharpness of an image, or of the part in `box`, as Laplacian variance over image variance.

    Measured where contrast is highest, at a frame width of 640 pixels, and independent of brightness. Camera noise,
    estimated in the smoothest tiles, is subtracted. A sharp image has 0.04 or more, one with edges 4 pixels wide about
    0.006. Returns None if there are no edges.
    """
    scale, part = min(640 / frame.shape[1], 1.0), frame
    if box is not None:
        x, y, wide, tall = box
        reach = round(8 / scale)
        part = frame[max(y - reach, 0) : y + tall + reach, max(x - reach, 0) : x + wide + reach]
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY) if part.ndim == 3 else part
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.7)
    # Drop the edges that the crop itself made.
    bend, grey = cv2.Laplacian(grey, cv2.CV_32F)[4:-4, 4:-4], grey[4:-4, 4:-4]
    if min(grey.shape) < TILE_EDGE_PX:
        return None
    spread, bent = _tile_deviations(grey), _tile_deviations(bend)
    # In a normal distribution a quarter of the values is within 0.3186 standard deviations.
    noise = float((np.percentile(np.abs(bend), 25) / 0.3186) ** 2)
    has_edge = spread > MIN_EDGE_DEVIATION
    spread, bent = spread[has_edge], bent[has_edge]
    scores = sorted(zip(spread, np.maximum(bent**2 - noise, 0) / spread**2, strict=True), reverse=True)
    if not scores:
        return None
    return float(np.median([sharp for _, sharp in scores[: max(len(scores) // 10, 4)]]))


def _tile_deviations(picture: MatLike) -> NDArray[np.float64]:
    """Return the standard deviation of each tile. Tiles overlap by half."""
    size, half = (TILE_EDGE_PX, TILE_EDGE_PX), TILE_EDGE_PX // 2
    means, squares = (cv2.boxFilter(one, cv2.CV_64F, size) for one in (picture, cv2.multiply(picture, picture)))
    # A filtered pixel has the tile around it.
    inside = np.s_[half : picture.shape[0] - half + 1 : half, half : picture.shape[1] - half + 1 : half]
    return np.asarray(np.sqrt(np.maximum(squares - means**2, 0))[inside].ravel(), np.float64)


def measure_brightness(frame: MatLike, mask: Image) -> tuple[float, float]:
    """Return the felt's median gray level, 0 to 255, and the overexposed share of it, 0 to 1."""
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY) if frame.ndim == 3 else frame
    inside = grey[mask > 0]
    return float(np.median(inside)), float((inside >= 250).mean())


def scale_from_die(frame: Image, reading: Reading, mm: float = 16.0) -> float:
    """Measure pixels per millimeter with one flat die, of `mm` along its edge, in the center of the tray. Raises
    TrayError unless there is exactly one die and it stands out from the felt. The upper face is nearer to the camera
    than the felt, so the scale is a few percent too large. This is not corrected."""
    if len(reading.dice) != 1:
        raise TrayError(f"{len(reading.dice) or 'No'} dice found: put one die in the middle of the tray.")
    x, y, wide, tall = reading.dice[0].box
    reach = round(0.45 * max(wide, tall))
    left, top = max(x - reach, 0), max(y - reach, 0)
    crop = frame[top : y + tall + reach, left : x + wide + reach]
    lab = cv2.cvtColor(crop.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    rim = np.concatenate([lab[:3].reshape(-1, 3), lab[-3:].reshape(-1, 3), lab[:, :3].reshape(-1, 3)])
    gap = np.sqrt(((lab - np.median(rim, axis=0)) ** 2).sum(axis=2))
    level, _ = cv2.threshold(cv2.convertScaleAbs(gap, alpha=2), 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    thing = cv2.morphologyEx((gap * 2 > level).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(thing, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    middle = float(x - left + wide / 2), float(y - top + tall / 2)
    around = [one for one in contours if cv2.pointPolygonTest(cv2.convexHull(one), middle, False) >= 0]
    if around:
        _, sides, _ = cv2.minAreaRect(max(around, key=cv2.contourArea))
        side, long = sorted(sides)
        if 0.5 * max(wide, tall) < side and long < 1.5 * side:
            return math.sqrt(side * long) / mm
    raise TrayError("The die blends in with the felt: use one of another color, away from the wall.")


def wrong_size_message(was: tuple[int, int], now: tuple[int, int]) -> str:
    return (
        f"The tray was calibrated at {was[0]}x{was[1]} pixels and the camera now gives {now[0]}x{now[1]}: "
        "calibrate again."
    )
