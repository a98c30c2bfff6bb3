"""Render the pixels of synthetic scenes: lens, sprites, shadows, felt, a hand, light and noise. Lengths are in mm."""

import math
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Any

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.dice.polyhedra import Floats, Matrix

Image = NDArray[np.uint8]

# BGR colors by name
COLORS_BGR: dict[str, tuple[int, int, int]] = {
    "white": (222, 232, 236),
    "ivory": (176, 214, 232),
    "black": (34, 30, 30),
    "red": (38, 30, 186),
    "orange": (30, 110, 226),
    "yellow": (48, 196, 232),
    "green": (66, 128, 36),
    "blue": (172, 76, 30),
    "purple": (138, 48, 98),
    "pink": (170, 130, 236),
    "grey": (128, 130, 132),
    "brown": (40, 66, 104),
    "gold": (64, 150, 196),
    "silver": (176, 178, 178),
    "copper": (66, 98, 168),
}

LAMP_DIRECTION = np.array([-0.42, -0.46, 0.78], np.float32)  # unit vector to the lamp: left, up in the image, above


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera that looks at the center of the tray.

    size: (width, height) of the image, in pixels.
    view, height: width of the field of view at the center, and distance from it, in mm.
    tilt: tilt in degrees from straight down. A tilted camera is over the tray's lower edge.
    """

    size: tuple[int, int]
    view: float
    height: float
    tilt: float = 0.0

    @property
    def pixels_per_mm(self) -> float:
        return self.size[0] / self.view

    @property
    def camera_position(self) -> Floats:
        return np.asarray(self.camera_axes[2] * -self.height, np.float32)

    @property
    def camera_axes(self) -> Floats:
        """Unit vectors right, down and ahead of the image, as rows."""
        sin, cos = math.sin(math.radians(self.tilt)), math.cos(math.radians(self.tilt))
        return np.array([[1, 0, 0], [0, cos, -sin], [0, -sin, -cos]], np.float32)

    def project_points(self, points: NDArray[np.floating[Any]]) -> Floats:
        """Project points (count, 3) to the image, (count, 2) in pixels."""
        seen = (points - self.camera_position) @ self.camera_axes.T
        middle = (np.array(self.size, np.float32) - 1) / 2
        return np.asarray(middle + seen[:, :2] * (self.pixels_per_mm * self.height / seen[:, 2:]), np.float32)

    def project_point(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        across, along = self.project_points(np.array([[x, y, z]]))[0]
        return float(across), float(along)

    def pixel_rays(self, across: Floats, along: Floats) -> Floats:
        """Return the unit direction vectors (3, pixels) of these columns and rows."""
        focal = self.pixels_per_mm * self.height
        way = np.ones((3, len(across)), np.float32)
        way[0] = (across - (self.size[0] - 1) / 2) / focal
        way[1] = (along - (self.size[1] - 1) / 2) / focal
        way /= np.sqrt(way[0] * way[0] + way[1] * way[1] + 1)
        return self.camera_axes.T @ way

    def felt_homography(self) -> Matrix:
        """Return the homography (3, 3) from millimeters on the felt to pixels."""
        square = np.array([[-50, -50, 0], [50, -50, 0], [50, 50, 0], [-50, 50, 0]], np.float32)
        return np.asarray(cv2.getPerspectiveTransform(square[:, :2].copy(), self.project_points(square)))


@dataclass(frozen=True, slots=True)
class Sprite:
    """An image with transparency. `colour` is premultiplied and `clear` the transmittance, both (h, w, 3), 0 to 255."""

    left: int
    top: int
    colour: Image
    clear: Image

    @classmethod
    def from_cover(cls, left: int, top: int, colour: MatLike, cover: MatLike) -> "Sprite":
        """Build a sprite from premultiplied colors (h, w, 3) and alpha (h, w, 1), both 0 to 1."""
        clear = cv2.convertScaleAbs(1 - cover, alpha=255)
        return cls(left, top, as_uint8(cv2.convertScaleAbs(colour, alpha=255)), as_uint8(cv2.merge([clear] * 3)))

    def moved_to(self, left: int, top: int) -> "Sprite":
        return Sprite(left, top, self.colour, self.clear)

    def paste_onto(self, picture: Image) -> None:
        """Composite the sprite onto `picture`, in place and clipped."""
        tall, wide = self.clear.shape[:2]
        left, top = max(self.left, 0), max(self.top, 0)
        right, bottom = min(self.left + wide, picture.shape[1]), min(self.top + tall, picture.shape[0])
        if left >= right or top >= bottom:
            return
        here = np.s_[top - self.top : bottom - self.top, left - self.left : right - self.left]
        part = picture[top:bottom, left:right]
        part[:] = cv2.add(cv2.multiply(part, self.clear[here], scale=1 / 255), self.colour[here])


def as_uint8(picture: MatLike) -> Image:
    """Cast to uint8. OpenCV's type stubs promise no dtype."""
    return picture.astype(np.uint8, copy=False)


def apply_motion_blur(picture: Floats, x: float, y: float) -> MatLike:
    """Blur an image by motion of `x` and `y` pixels during the exposure."""
    if math.hypot(x, y) < 1:
        return picture
    half = math.ceil(math.hypot(x, y) / 2)
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    ends = [(round((half + side * x / 2) * 16), round((half + side * y / 2) * 16)) for side in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def draw_shadow(lens: Lens, corners: Floats, *, floor: float = 0.0) -> "Sprite":
    """Render the shadow of vertices (count, 3) on a surface `floor` mm high. Higher objects have softer shadows."""
    high = np.maximum(corners[:, 2] - floor, 0)
    size = 1.08 * float(np.ptp(corners, axis=0).max()) / math.sqrt(2)
    ground = np.column_stack(
        [corners[:, :2] - LAMP_DIRECTION[:2] * (high * 0.45)[:, None], np.full(len(corners), floor)]
    )
    hull = cv2.convexHull(lens.project_points(ground))
    low = float(high.min())
    sigma = max(size * 0.075 + low * 0.2, 0.5) * lens.pixels_per_mm
    margin = math.ceil(3 * sigma) + 2
    x, y, wide, tall = cv2.boundingRect(hull)
    left, top = x - margin, y - margin
    # Half the resolution suffices, because a shadow has no sharp edges.
    cover = np.zeros(((tall + 2 * margin) // 2 + 1, (wide + 2 * margin) // 2 + 1), np.float32)
    cv2.fillConvexPoly(cover, np.round((hull - (left, top)) / 2 * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    soft = cv2.resize(cv2.GaussianBlur(cover, (0, 0), sigma / 2), None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    dark = (soft * (0.6 * size / (size + 2 * low)))[..., None]
    return Sprite.from_cover(left, top, np.zeros((*soft.shape, 3), np.float32), dark)


def draw_empty_tray(lens: Lens, colour: tuple[int, int, int], rim: float, rng: np.random.Generator) -> Image:
    """Render the empty tray: felt fibers, a lamp at the upper left, vignetting, and a wooden rim `rim` mm wide."""
    # A tilted lens sees more, so render a margin and warp the result.
    room = lens.size[0] // 2 if lens.tilt else 0
    wide, tall = lens.size[0] + 2 * room, lens.size[1] + 2 * room
    fibre = rng.standard_normal((tall, wide), np.float32)
    cloth = cv2.GaussianBlur(fibre, (0, 0), 0.8) * 0.09 + cv2.GaussianBlur(fibre, (0, 0), 2.5) * 0.12
    cloth += cv2.GaussianBlur(rng.standard_normal((tall, wide), np.float32), (0, 0), 14) * 0.5
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    x, y = ((x - room) / lens.size[0] * 2 - 1, (y - room) / lens.size[1] * 2 - 1)
    lamp = 1.0 + 0.12 * (-0.6 * x - 0.6 * y) - 0.17 * (x * x + y * y)
    picture = np.array(colour, np.float32) * (1 + cloth[..., None])
    edge = round(rim * lens.pixels_per_mm) + room
    if edge > 0:
        inner = np.zeros((tall, wide), np.float32)
        cv2.rectangle(inner, (edge, edge), (wide - 1 - edge, tall - 1 - edge), 1.0, -1)
        grain = cv2.GaussianBlur(rng.standard_normal((tall, wide), np.float32), (0, 0), sigmaX=9, sigmaY=0.8)
        wood = np.array((42, 58, 84), np.float32) * (1 + 0.55 * grain[..., None])
        deep = cv2.GaussianBlur(inner, (0, 0), (edge - room + 1) * 0.8)
        picture *= np.clip(0.35 + 0.85 * deep, 0, 1)[..., None]
        cloth_here = cv2.GaussianBlur(inner, (0, 0), 0.9)[..., None]
        picture = picture * cloth_here + wood * (1 - cloth_here)
    picture = as_uint8(np.clip(picture * np.maximum(lamp, 0.4)[..., None], 0, 255))
    if not lens.tilt:
        return picture
    plan = np.array([[1, 0, -(wide - 1) / 2], [0, 1, -(tall - 1) / 2], [0, 0, lens.pixels_per_mm]]) / lens.pixels_per_mm
    way = lens.felt_homography() @ plan
    flags, border = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return as_uint8(cv2.warpPerspective(picture, way, lens.size, flags=flags, borderMode=border))


@cache
def draw_hand(lens: Lens) -> "Sprite":
    """Render a hand and forearm that reach in from below, fingers at the center. Move the sprite to animate."""
    wide, tall = lens.size[0], round(lens.size[1] * 1.6)
    unit = lens.size[1] / 100
    mask = np.zeros((tall, wide), np.uint8)
    x, y = wide / 2, lens.size[1] * 0.62

    def draw_limb(ends: tuple[tuple[float, float], tuple[float, float]], thick: float) -> None:
        start, end = ((round(x + across * unit), round(y + along * unit)) for across, along in ends)
        cv2.line(mask, start, end, 255, max(1, round(thick * unit)))

    draw_limb(((6, 20), (14, 130)), 36)
    cv2.ellipse(mask, (round(x), round(y)), (round(27 * unit), round(30 * unit)), 8, 0, 360, 255, -1)
    for bend, tip in ((-19, (-24, -38)), (-7, (-9, -47)), (6, (7, -48)), (17, (21, -41)), (-24, (-42, -12))):
        draw_limb(((bend, 0), tip), 12)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32) / 255
    deep = cv2.GaussianBlur(mask, (0, 0), 5 * unit).astype(np.float32) / 255
    rng = np.random.default_rng(5)
    grain = cv2.GaussianBlur(rng.standard_normal(mask.shape, np.float32), (0, 0), 3 * unit) * 2
    tone = np.clip(0.35 + 0.75 * deep + 0.12 * grain, 0, 1.1)[..., None] * np.array((126, 160, 214), np.float32) / 255
    return Sprite.from_cover(0, 0, tone.astype(np.float32) * soft[..., None], soft[..., None])


class LitScene:
    """A scene under a lamp and through a lens. The attributes may be set at any time.

    light: brightness factor of the lamp.
    warmth: color of the lamp, -1 (cold) to 1 (warm).
    uneven: gradient from the upper left (bright) to the lower right, 0 to 1.
    blur: standard deviation of the defocus, in pixels.
    """

    light = 1.0
    warmth = 0.0
    uneven = 0.0
    blur = 0.0

    def apply_light(self, picture: Image) -> Image:
        blue, green, red = (self.light * (1 + much * self.warmth) for much in (-0.35, -0.04, 0.2))
        gains = blue, green, red
        if self.uneven:
            tall, wide = picture.shape[:2]
            picture = as_uint8(
                cv2.multiply(picture, _light_gradient((wide, tall), gains, self.uneven), dtype=cv2.CV_8U)
            )
        elif gains != (1.0, 1.0, 1.0):
            picture = as_uint8(cv2.multiply(picture, np.array([*gains, 0.0])))
        return as_uint8(cv2.GaussianBlur(picture, (0, 0), self.blur)) if self.blur else picture


@lru_cache(2)
def _light_gradient(size: tuple[int, int], gains: tuple[float, float, float], uneven: float) -> Floats:
    """Return the gains of all pixels and channels, (height, width, 3), with the lamp at the upper left."""
    x, y = np.linspace(-1, 1, size[0], dtype=np.float32), np.linspace(-1, 1, size[1], dtype=np.float32)
    away = 0.3 * (x[None, :] + y[:, None]) + 0.15 * (x[None, :] ** 2 + y[:, None] ** 2)
    bright = np.clip(1 - uneven * away, 0, None)[..., None]
    return np.asarray(bright * np.array(gains, np.float32), np.float32)


class CameraNoise:
    """Camera noise, computed once and then shifted randomly. `noise` is its standard deviation in gray levels."""

    def __init__(self, size: tuple[int, int], noise: float, rng: np.random.Generator) -> None:
        self._size = size
        wide, tall = size
        shape = tall + 64, wide + 64
        flat = noise * rng.standard_normal((*shape, 1), np.float32)
        flat = flat + noise / 2 * rng.standard_normal((*shape, 3), np.float32)
        self._more, self._less = (
            as_uint8(cv2.multiply(flat, np.full(4, sign), dtype=cv2.CV_8U)) for sign in (1.0, -1.0)
        )
        self._rng = Random(0)

    def copy_from_start(self) -> "CameraNoise":
        """Return a copy whose sequence of shifts restarts."""
        other = copy(self)
        other._rng = Random(0)
        return other

    def add_noise(self, picture: Image) -> Image:
        x, y = self._rng.randrange(64), self._rng.randrange(64)
        here = np.s_[y : y + self._size[1], x : x + self._size[0]]
        return as_uint8(cv2.subtract(cv2.add(picture, self._more[here]), self._less[here]))
