"""Pixels of drawn things: a die with round edges and sunk pips, felt, a hand; lengths are in millimetres."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from random import Random

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.tumble import UP, Pose

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

COLOURS: dict[str, tuple[int, int, int]] = {
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
}
"""Colours by their plain word, as blue, green, red from 0 to 255."""

FACE = 64
"""Pixels along one face in the pip sheet."""

LIGHT = np.array([-0.42, -0.46, 0.78], np.float32)
"""Where the lamp is: left, up the picture, above; of length one, near enough."""

_D = 0.5
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-_D, -_D), (_D, _D)),
    3: ((-_D, -_D), (0, 0), (_D, _D)),
    4: ((-_D, -_D), (-_D, _D), (_D, -_D), (_D, _D)),
    5: ((-_D, -_D), (-_D, _D), (0, 0), (_D, -_D), (_D, _D)),
    6: ((-_D, -_D), (-_D, 0), (-_D, _D), (_D, -_D), (_D, 0), (_D, _D)),
}
"""Where the pips of each face are, from -1 to 1 along the face."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera straight above the tray's middle.

    `size` is the picture's in pixels, `view` the width it sees at the felt and `height` how high it hangs, in mm.
    """

    size: tuple[int, int]
    view: float
    height: float

    @property
    def scale(self) -> float:
        """Pixels a millimetre on the felt."""
        return self.size[0] / self.view

    def spot(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Where in the picture, in pixels, a point of the tray is seen."""
        near = self.scale * self.height / (self.height - z)
        return (self.size[0] - 1) / 2 + x * near, (self.size[1] - 1) / 2 + y * near


@dataclass(frozen=True, slots=True)
class Patch:
    """A piece of picture: its corner, its colours where it covers, and how much shows through; (h, w, 3), 0 to 255."""

    left: int
    top: int
    colour: Image
    clear: Image

    @classmethod
    def of(cls, left: int, top: int, colour: MatLike, cover: MatLike) -> Patch:
        """A patch from colours (h, w, 3) already times cover, and cover (h, w, 1), both 0 to 1."""
        clear = cv2.convertScaleAbs(1 - cover, alpha=255)
        return cls(left, top, _bytes(cv2.convertScaleAbs(colour, alpha=255)), _bytes(cv2.merge([clear] * 3)))

    def at(self, left: int, top: int) -> Patch:
        """The same patch in another place."""
        return Patch(left, top, self.colour, self.clear)

    def onto(self, picture: Image) -> None:
        """Lay the patch over `picture`, in place; what hangs over the edge is cut."""
        tall, wide = self.clear.shape[:2]
        left, top = max(self.left, 0), max(self.top, 0)
        right, bottom = min(self.left + wide, picture.shape[1]), min(self.top + tall, picture.shape[0])
        if left >= right or top >= bottom:
            return
        here = np.s_[top - self.top : bottom - self.top, left - self.left : right - self.left]
        part = picture[top:bottom, left:right]
        part[:] = cv2.add(cv2.multiply(part, self.clear[here], scale=1 / 255), self.colour[here])


def _bytes(picture: MatLike) -> Image:
    """The picture as bytes, for the type checker too: OpenCV promises no type."""
    return picture.astype(np.uint8, copy=False)


@cache
def pip_sheet(radius: float = 0.19) -> Floats:
    """The six faces side by side, (64, 384, 3): pip cover 0 to 1, and the slope of the bowl along u and v."""
    sheet = np.zeros((FACE, 6 * FACE, 3), np.float32)
    line = (np.arange(FACE, dtype=np.float32) + 0.5) / FACE * 2 - 1
    u, v = np.meshgrid(line, line)
    for value, spots in PIPS.items():
        face = sheet[:, (value - 1) * FACE : value * FACE]
        for pip_u, pip_v in spots:
            away = np.hypot(u - pip_u, v - pip_v) / radius
            inside = np.clip((1 - away) * radius * FACE / 2 + 0.5, 0, 1)
            face[..., 0] = np.maximum(face[..., 0], inside)
            face[..., 1] -= inside * (u - pip_u) / radius * 0.9
            face[..., 2] -= inside * (v - pip_v) / radius * 0.9
    return sheet


# For each of +x -x +y -y +z -z: the value of that face.
_VALUES = np.array(
    [next(v for v, way in UP.items() if way[axis] == sign) for axis in range(3) for sign in (1, -1)], np.float32
)


def die(
    lens: Lens, pose: Pose, size: float, body: str, pips: str, *, fine: float = 2.0, smear: tuple[float, float] = (0, 0)
) -> Patch:
    """One d6 of `size` millimetres, seen by `lens`; `body` and `pips` are names of `COLOURS`.

    `fine` is the rays along a pixel: 2 for a die that lies, half of one for one in flight. `smear` is how far it moves
    while the shutter is open, in pixels to the right and down.
    """
    edge = 0.2 * size / 2 * 1.35
    reach = size * 0.84
    x, y = lens.spot(pose.x, pose.y, pose.z)
    near = lens.scale * lens.height / (lens.height - pose.z - reach)
    pixels = math.ceil(reach * near * 0.97 + math.hypot(*smear) / 2) + 2
    left, top = round(x) - pixels, round(y) - pixels
    count = round((2 * pixels + 1) * fine)
    line = (np.arange(count, dtype=np.float32) + 0.5) / fine - 0.5
    rays_x = ((left + line) - (lens.size[0] - 1) / 2) / lens.scale
    rays_y = ((top + line) - (lens.size[1] - 1) / 2) / lens.scale
    way = np.empty((count, count, 3), np.float32)
    way[..., 0], way[..., 1], way[..., 2] = rays_x[None, :], rays_y[:, None], -lens.height
    rays = way.reshape(-1, 3)
    rays /= np.sqrt(np.einsum("ij,ij->i", rays, rays))[:, None]
    turn = pose.turn.astype(np.float32)
    eye = np.array([0, 0, lens.height], np.float32) - np.array([pose.x, pose.y, pose.z], np.float32)
    start = (lens.height - pose.z - reach) / -rays[:, 2]
    ray = rays @ turn
    point = (eye @ turn)[None, :] + ray * start[:, None]
    seen, normal, point = _march(point, ray, size / 2 - edge, edge, 9 if fine > 1 else 6)
    shade, light = _shade(point, normal, turn, size, np.array(COLOURS[body]) / 255, np.array(COLOURS[pips]) / 255)
    cover = np.zeros((count * count, 4), np.float32)
    cover[seen, :3] = shade + light
    cover[seen, 3] = 1
    target = 2 * pixels + 1
    how = cv2.INTER_AREA if fine > 1 else cv2.INTER_LINEAR
    picture = _smeared(cover.reshape(count, count, 4), smear[0] * fine, smear[1] * fine)
    picture = cv2.resize(picture, (target, target), interpolation=how)
    return Patch.of(left, top, picture[..., :3], picture[..., 3:])


def _march(point: Floats, ray: Floats, half: float, edge: float, steps: int) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Which rays meet the rounded cube, and there the normal and the point, in the die's own axes."""
    live = np.arange(len(point))
    for _ in range(steps):
        out = np.maximum(np.abs(point) - half, 0)
        gap = np.sqrt(np.einsum("ij,ij->i", out, out)) - edge
        keep = gap < 2.2 * half
        if not keep.all():
            live, point, ray, gap = live[keep], point[keep], ray[keep], gap[keep]
        point = point + ray * gap[:, None]
    out = np.maximum(np.abs(point) - half, 0)
    length = np.sqrt(np.einsum("ij,ij->i", out, out))
    met = np.abs(length - edge) < 0.12 * edge
    out, point, length = out[met], point[met], length[met]
    return live[met], out * np.sign(point) / length[:, None], point


def _shade(
    point: Floats, normal: Floats, turn: Floats, size: float, body: NDArray[np.float64], pips: NDArray[np.float64]
) -> tuple[Floats, Floats]:
    """The lit colour and the shine at each point of the die, (points, 3) and (points, 1), 0 to 1."""
    size_of = np.abs(point)
    axis = np.argmax(size_of, axis=1)
    face = axis * 2 + (np.take_along_axis(point, axis[:, None], 1)[:, 0] < 0)
    u_axis, v_axis = (axis + 1) % 3, (axis + 2) % 3
    u = np.take_along_axis(point, u_axis[:, None], 1)[:, 0] / (size / 2)
    v = np.take_along_axis(point, v_axis[:, None], 1)[:, 0] / (size / 2)
    sheet_x = ((np.clip(u, -0.99, 0.99) + 1) / 2 + _VALUES[face] - 1) * FACE - 0.5
    sheet_y = (v + 1) / 2 * FACE - 0.5
    if len(point) == 0:
        return np.zeros((0, 3), np.float32), np.zeros((0, 1), np.float32)
    wide = 512
    rows = -(-len(point) // wide)
    maps = np.zeros((2, rows * wide), np.float32)
    maps[0, : len(point)], maps[1, : len(point)] = sheet_x, sheet_y
    found = cv2.remap(
        pip_sheet(),
        maps[0].reshape(rows, wide),
        maps[1].reshape(rows, wide),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).reshape(-1, 3)[: len(point)]
    pip = found[:, :1]
    bowl = normal.copy()
    row = np.arange(len(point))
    bowl[row, u_axis] += found[:, 1]
    bowl[row, v_axis] += found[:, 2]
    bowl /= np.sqrt(np.einsum("ij,ij->i", bowl, bowl))[:, None]
    world = bowl @ turn.T
    sun = np.clip(world @ LIGHT, 0, None)[:, None]
    sky = 0.5 + 0.5 * world[:, 2:]
    half = LIGHT + np.array([0, 0, 1], np.float32)
    half /= np.linalg.norm(half)
    shine = np.clip(world @ half, 0, None)[:, None] ** 60 * 0.4
    colour = body * (1 - pip) + pips * pip
    return (colour * (0.62 * sun + 0.5 * sky)).astype(np.float32), shine.astype(np.float32)


def _smeared(picture: Floats, x: float, y: float) -> MatLike:
    """The picture as a shutter sees it that stays open while the thing moves by `x` and `y` pixels."""
    if math.hypot(x, y) < 1:
        return picture
    half = math.ceil(math.hypot(x, y) / 2)
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    ends = [(round((half + side * x / 2) * 16), round((half + side * y / 2) * 16)) for side in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(picture, -1, kernel / kernel.sum())


def shadow(lens: Lens, pose: Pose, size: float, *, softness: float = 1.0) -> Patch:
    """What the die keeps from the felt of the lamp's light: wider and softer the higher the die is."""
    corners = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) * (size * 0.46)
    spots = corners @ pose.turn.T + np.array([pose.x, pose.y, pose.z])
    fall = np.maximum(spots[:, 2], 0) * 0.45
    ground = [lens.spot(x - LIGHT[0] * d, y - LIGHT[1] * d) for (x, y, _), d in zip(spots, fall, strict=True)]
    hull = cv2.convexHull(np.array(ground, np.float32))
    low = max(float(spots[:, 2].min()), 0)
    sigma = (size * 0.075 + low * 0.2) * lens.scale * softness
    margin = math.ceil(3 * sigma) + 2
    x, y, wide, tall = cv2.boundingRect(hull)
    left, top = x - margin, y - margin
    # Drawn at half size: a shadow has no sharp edge to lose.
    cover = np.zeros(((tall + 2 * margin) // 2 + 1, (wide + 2 * margin) // 2 + 1), np.float32)
    cv2.fillConvexPoly(cover, np.round((hull - (left, top)) / 2 * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)
    soft = cv2.resize(cv2.GaussianBlur(cover, (0, 0), sigma / 2), None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    dark = (soft * (0.6 * size / (size + 2 * low)))[..., None]
    return Patch.of(left, top, np.zeros((*soft.shape, 3), np.float32), dark)


def felt(lens: Lens, colour: tuple[int, int, int], rim: float, rng: np.random.Generator) -> Image:
    """The empty tray: fibres, a lamp to the upper left, darker corners, and a rim of dark wood `rim` mm wide."""
    wide, tall = lens.size
    fibre = rng.standard_normal((tall, wide), np.float32)
    cloth = cv2.GaussianBlur(fibre, (0, 0), 0.8) * 0.09 + cv2.GaussianBlur(fibre, (0, 0), 2.5) * 0.12
    cloth += cv2.GaussianBlur(rng.standard_normal((tall, wide), np.float32), (0, 0), 14) * 0.5
    y, x = np.mgrid[0:tall, 0:wide].astype(np.float32)
    x, y = x / wide * 2 - 1, y / tall * 2 - 1
    lamp = 1.0 + 0.12 * (-0.6 * x - 0.6 * y) - 0.17 * (x * x + y * y)
    picture = np.array(colour, np.float32) * (1 + cloth[..., None])
    edge = round(rim * lens.scale)
    if edge > 0:
        inner = np.zeros((tall, wide), np.float32)
        cv2.rectangle(inner, (edge, edge), (wide - 1 - edge, tall - 1 - edge), 1.0, -1)
        grain = cv2.GaussianBlur(rng.standard_normal((tall, wide), np.float32), (0, 0), sigmaX=9, sigmaY=0.8)
        wood = np.array((42, 58, 84), np.float32) * (1 + 0.55 * grain[..., None])
        deep = cv2.GaussianBlur(inner, (0, 0), edge * 0.8)
        picture *= np.clip(0.35 + 0.85 * deep, 0, 1)[..., None]
        cloth_here = cv2.GaussianBlur(inner, (0, 0), 0.9)[..., None]
        picture = picture * cloth_here + wood * (1 - cloth_here)
    return _bytes(np.clip(picture * lamp[..., None], 0, 255))


@cache
def hand(lens: Lens) -> Patch:
    """A hand and forearm reaching in from below, its fingers at the tray's middle; shift the patch to move it."""
    wide, tall = lens.size[0], round(lens.size[1] * 1.6)
    unit = lens.size[1] / 100
    mask = np.zeros((tall, wide), np.uint8)
    x, y = wide / 2, lens.size[1] * 0.62

    def limb(ends: tuple[tuple[float, float], tuple[float, float]], thick: float) -> None:
        (ax, ay), (bx, by) = ends
        cv2.line(
            mask,
            (round(x + ax * unit), round(y + ay * unit)),
            (round(x + bx * unit), round(y + by * unit)),
            255,
            max(1, round(thick * unit)),
        )

    limb(((6, 20), (14, 130)), 36)
    cv2.ellipse(mask, (round(x), round(y)), (round(27 * unit), round(30 * unit)), 8, 0, 360, 255, -1)
    for bend, tip in ((-19, (-24, -38)), (-7, (-9, -47)), (6, (7, -48)), (17, (21, -41)), (-24, (-42, -12))):
        limb(((bend, 0), tip), 12)
    soft = cv2.GaussianBlur(mask, (0, 0), 1.2).astype(np.float32) / 255
    deep = cv2.GaussianBlur(mask, (0, 0), 5 * unit).astype(np.float32) / 255
    rng = np.random.default_rng(5)
    grain = cv2.GaussianBlur(rng.standard_normal(mask.shape, np.float32), (0, 0), 3 * unit) * 2
    tone = np.clip(0.35 + 0.75 * deep + 0.12 * grain, 0, 1.1)[..., None] * np.array((126, 160, 214), np.float32) / 255
    return Patch.of(0, 0, tone.astype(np.float32) * soft[..., None], soft[..., None])


class Grain:
    """The noise of a camera, made once and shifted about: `noise` is its spread in grey levels."""

    def __init__(self, size: tuple[int, int], noise: float, rng: np.random.Generator) -> None:
        self._size = size
        wide, tall = size
        shape = tall + 64, wide + 64
        flat = noise * rng.standard_normal((*shape, 1), np.float32)
        flat = flat + noise / 2 * rng.standard_normal((*shape, 3), np.float32)
        self._more = np.clip(np.round(flat), 0, 255).astype(np.uint8)
        self._less = np.clip(np.round(-flat), 0, 255).astype(np.uint8)
        self._rng = Random(0)

    def over(self, picture: Image, light: float) -> Image:
        """The picture at `light` times its brightness, with fresh noise."""
        x, y = self._rng.randrange(64), self._rng.randrange(64)
        here = np.s_[y : y + self._size[1], x : x + self._size[0]]
        if light != 1.0:
            picture = _bytes(cv2.convertScaleAbs(picture, alpha=light))
        return _bytes(cv2.subtract(cv2.add(picture, self._more[here]), self._less[here]))
