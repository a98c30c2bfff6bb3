"""Dice and other small things as solids: where a ray meets them, what is printed there and how it shines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import tumble
from vision.paint import COLOURS, LIGHT, Floats, Lens, Patch, smeared
from vision.tumble import UP, Matrix, Pose

FACE = 64
"""Pixels along one face in a sheet."""

CUBES = ("d6", "sign", "letter", "sugar")
"""Cubes: a die, one with plus and minus signs, one with the letters B, S and C, a lump of sugar."""

KINDS = (*CUBES, "d20", "coin")
"""Everything that can be drawn. Only a d6 has a value: the others are there to be told from it."""

BODIES = ("plain", "marbled", "clear")
"""What a die may be made of: one colour, a swirl of two tones, or coloured glass."""

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
class DrawnDie:
    """What one thing looks like: plain English `colour` and `pips` (see `paint.COLOURS`) and `size`, its edge in mm.

    `kind` is one of `KINDS`; a d20's size is from face to face, a coin's is across. `body` is one of `BODIES`; `ring`
    draws a ring about each pip; `gloss` is how strongly polish shines, 0 to 2. Raises ValueError for anything else
    and for a size outside 5 to 40 mm.
    """

    colour: str = "white"
    size: float = 16.0
    pips: str = "black"
    kind: str = "d6"
    body: str = "plain"
    ring: bool = False
    gloss: float = 0.4

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"A {self.kind} cannot be drawn; there are {', '.join(KINDS)}.")
        if self.body not in BODIES:
            raise ValueError(f"No body is called {self.body!r}; there are {', '.join(BODIES)}.")
        for colour in (self.colour, self.pips):
            if colour not in COLOURS:
                raise ValueError(f"No colour is called {colour!r}; there are {', '.join(COLOURS)}.")
        if not 5 <= self.size <= 40:
            raise ValueError(f"A die of {self.size} mm cannot be drawn; 5 to 40 mm can.")
        if not 0 <= self.gloss <= 2:
            raise ValueError(f"A gloss of {self.gloss} cannot be drawn; 0 to 2 can.")


@dataclass(frozen=True, slots=True)
class Glare:
    """The lamp in a die's top: a spot `wide` by `tall` mm, `x` mm right of and `y` mm below the die's middle.

    It is white through and through at its middle, hides what lies there and fades out softly; `turn` is in radians.
    """

    x: float
    y: float
    wide: float
    tall: float
    turn: float = 0.0

    def at(self, x: Floats | float, y: Floats | float) -> Floats:
        """How bright it is at points in millimetres from the die's middle; from 1 on everything is white."""
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        along = ((x - self.x) * cos + (y - self.y) * sin) / (self.wide / 2)
        across = ((y - self.y) * cos - (x - self.x) * sin) / (self.tall / 2)
        return np.asarray(2.2 * np.exp(-0.8 * (along * along + across * across)), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A convex solid, in halves of its size: its flat facets and what is printed on each.

    `normals` (facets, 3) and `far` (facets) are their planes, `corners` (corners, 3) the solid's. `right` and `down`
    (facets, 3) lead from -1 to 1 over the facet's picture, which is number `tile` of the sheet. `edge` is the radius
    of the rounded edges.
    """

    normals: Floats
    far: Floats
    corners: Floats
    right: Floats
    down: Floats
    tile: NDArray[np.intp]
    edge: float


def _solid(
    normals: Matrix, far: Matrix, corners: Matrix, down: Matrix, span: float, tile: list[int], edge: float
) -> Solid:
    # x right, y down and z up is a left-handed world: hence the order of the product.
    right = np.cross(down, normals)
    return Solid(
        _floats(normals),
        _floats(far),
        _floats(corners),
        _floats(right / span),
        _floats(down / span),
        np.array(tile),
        edge,
    )


def _floats(values: NDArray[np.floating[Any]]) -> Floats:
    return np.ascontiguousarray(values, np.float32)


@cache
def solid(kind: str) -> Solid:
    """The shape of a kind (one of `KINDS`)."""
    if kind == "d20":
        return _icosahedron()
    if kind == "coin":
        return _disc()
    axes = np.eye(3)
    normals = np.array([sign * axes[axis] for axis in range(3) for sign in (1, -1)])
    values = [next(v for v, way in UP.items() if np.array_equal(way, normal)) for normal in normals]
    down = np.array([axes[(axis + 2) % 3] for axis in range(3) for _ in range(2)])
    corners = np.array(list(product((-1, 1), repeat=3)))
    edge = 0.06 if kind == "sugar" else 0.27
    return _solid(normals, np.ones(6), corners, down, 1.0, [value - 1 for value in values], edge)


def _icosahedron() -> Solid:
    long = (1 + math.sqrt(5)) / 2
    corners = np.array([np.roll((0, a, b * long), turn) for a in (-1, 1) for b in (-1, 1) for turn in range(3)], float)
    triples = [
        np.array([one, two, three])
        for i, one in enumerate(corners)
        for j, two in enumerate(corners[:i])
        for three in corners[:j]
        if max(math.dist(one, two), math.dist(two, three), math.dist(one, three)) < 2.1
    ]
    middles = np.array([triple.mean(axis=0) for triple in triples])
    inner = float(np.linalg.norm(middles[0]))
    normals = middles / inner
    down = np.array([middle - triple[0] for middle, triple in zip(middles, triples, strict=True)])
    down /= np.linalg.norm(down, axis=1)[:, None]
    # Opposite faces add up to 21.
    tile = [0] * 20
    for face, number in zip([f for f in range(20) if normals[f] @ (0.3, 0.5, 0.8) > 0], _ORDER, strict=True):
        tile[face] = number - 1
        tile[int(np.argmin(normals @ normals[face]))] = 20 - number
    return _solid(normals, np.ones(20), corners / inner, down, 0.5, tile, 0.0)


_ORDER = (20, 8, 14, 2, 17, 5, 11, 9, 15, 3)
"""Numbers of one half of a d20's faces."""


def _disc(sides: int = 32, thick: float = 0.085) -> Solid:
    around = np.arange(sides) * math.tau / sides
    ring = np.column_stack([np.cos(around), np.sin(around), np.zeros(sides)])
    normals = np.vstack([[[0, 0, 1], [0, 0, -1]], ring])
    far = np.array([thick, thick] + [1.0] * sides)
    corners = np.vstack([ring + np.array([0, 0, side]) for side in (thick, -thick)])
    down = np.vstack([[[0, 1, 0], [0, 1, 0]], [[0, 0, 1]] * sides])
    return _solid(normals, far, corners, down, 1.0, [0, 1] + [2] * sides, 0.0)


def height(kind: str, size: float, turn: Matrix) -> float:
    """How high above the felt, in millimetres, the middle of a thing so turned is when it touches it."""
    return -size / 2 * float((solid(kind).corners @ turn[2]).min())


def faces(kind: str) -> int:
    """How many ways there are for a thing to lie flat."""
    return 20 if kind == "d20" else 2 if kind == "coin" else 6


def lying(kind: str, face: int, yaw: float) -> Matrix:
    """How a thing is turned that lies with its `face` up, 1 to `faces`, spun by `yaw` radians; a d6's is its value."""
    if kind in CUBES:
        return tumble.lying(face, yaw)
    x, y, z = (float(part) for part in solid(kind).normals[face - 1])
    tip = tumble.about((1, 0, 0), 0.0 if z > 0 else math.pi)
    if abs(z) < 1 - 1e-6:
        tip = tumble.about((y, -x, 0), math.acos(z))
    return np.asarray(tumble.about((0, 0, 1), yaw) @ tip)


def pips(value: int, yaw: float, size: float) -> list[tuple[float, float]]:
    """Where the pips on top of a d6 are that lies, in mm right of and below its middle."""
    shape = solid("d6")
    facet = int(np.flatnonzero(shape.tile == value - 1)[0])
    spots = np.array(PIPS[value]) @ np.array([shape.right[facet], shape.down[facet]]) * (size / 2)
    return [(float(x), float(y)) for x, y, _ in spots @ tumble.lying(value, yaw).T]


# What is printed on them ----------------------------------------------------------------------------------------------


@cache
def sheet(kind: str, ring: bool = False) -> Floats:
    """The faces side by side, (64, 64 × faces, 3): cover of ink 0 to 1, and the slope of what is cut, right and down.

    `ring` is for a d6 alone: a dot in a ring for each pip.
    """
    if kind == "d6":
        return np.hstack([_pips(PIPS[value], ring) for value in range(1, 7)])
    if kind == "sign":
        return np.hstack([_cut(_text(sign), 0.35) for sign in "++  --"])
    if kind == "letter":
        return np.hstack([_cut(_text(letter), 0.35) for letter in "BSCCSB"])
    if kind == "sugar":
        return np.hstack([_crystals(face) for face in range(6)])
    if kind == "coin":
        blank = np.zeros((FACE, FACE, 3), np.float32)
        return np.hstack([_cut(_minted("5"), -0.5), _cut(_minted("*"), -0.5), blank])
    return np.hstack([_cut(_text(str(number), 0.62), 0.25) for number in range(1, 21)])


def _pips(spots: tuple[tuple[float, float], ...], ring: bool, radius: float = 0.19) -> Floats:
    """Sunk bowls of `radius` in halves of the face, or a dot in a ring."""
    face = np.zeros((FACE, FACE, 3), np.float32)
    line = (np.arange(FACE, dtype=np.float32) + 0.5) / FACE * 2 - 1
    u, v = np.meshgrid(line, line)
    for pip_u, pip_v in spots:
        away = np.hypot(u - pip_u, v - pip_v) / radius
        if ring:
            marks = np.maximum(0.62 - away, 0.14 - np.abs(away - 1.02))
            face[..., 0] = np.maximum(face[..., 0], np.clip(marks * radius * FACE / 2 + 0.5, 0, 1))
            continue
        inside = np.clip((1 - away) * radius * FACE / 2 + 0.5, 0, 1)
        face[..., 0] = np.maximum(face[..., 0], inside)
        face[..., 1] -= inside * (u - pip_u) / radius * 0.9
        face[..., 2] -= inside * (v - pip_v) / radius * 0.9
    return face


_FINE = 4
"""Signs are drawn this many times larger and made small: OpenCV's letters are rough."""


def _text(text: str, share: float = 1.1) -> NDArray[np.uint8]:
    """A sign of a few letters in the middle of a large face, `share` of half the face high."""
    side = FACE * _FINE
    face = np.zeros((side, side), np.uint8)
    middle, arm, half = side // 2, round(side * 0.3), round(side * 0.075)
    if text in ("+", "-"):
        face[middle - half : middle + half, middle - arm : middle + arm] = 255
    if text == "+":
        face[middle - arm : middle + arm, middle - half : middle + half] = 255
    if text in ("+", "-", " "):
        return face
    # How large and where OpenCV draws letters is not the same in all its versions: only their shape is used.
    board = np.zeros((side, 2 * side), np.uint8)
    cv2.putText(board, text, (side // 4, side * 3 // 4), cv2.FONT_HERSHEY_DUPLEX, 4.0, 255, 10, cv2.LINE_AA)
    if text in ("6", "9"):
        x, y, wide, tall = cv2.boundingRect(board)
        cv2.rectangle(board, (x, y + tall + 12), (x + wide, y + tall + 24), 255, -1)
    x, y, wide, tall = cv2.boundingRect(board)
    high = round(share * side / 2)
    ink = cv2.resize(board[y : y + tall, x : x + wide], (round(wide * high / tall), high), interpolation=cv2.INTER_AREA)
    top, left = (side - high) // 2, (side - ink.shape[1]) // 2
    face[top : top + high, left : left + ink.shape[1]] = ink
    return face


def _minted(text: str) -> NDArray[np.uint8]:
    """A coin's side: a raised rim, a ring of beads and a number or a star."""
    side = FACE * _FINE
    face = _text(text, 0.9) if text != "*" else np.zeros((side, side), np.uint8)
    middle = side // 2
    cv2.circle(face, (middle, middle), round(side * 0.47), 255, round(side * 0.045), cv2.LINE_AA)
    for bead in range(36):
        way = bead * math.tau / 36
        spot = round(middle + side * 0.39 * math.cos(way)), round(middle + side * 0.39 * math.sin(way))
        cv2.circle(face, spot, round(side * 0.014), 255, -1, cv2.LINE_AA)
    if text == "*":
        rays = [(math.tau * k / 10 - math.pi / 2, side * (0.3 if k % 2 == 0 else 0.12)) for k in range(10)]
        star = [(round(middle + r * math.cos(way)), round(middle + r * math.sin(way))) for way, r in rays]
        cv2.fillPoly(face, [np.array(star, np.int32)], 255, cv2.LINE_AA)
    return face


def _cut(sign: NDArray[np.uint8], deep: float) -> Floats:
    """A sign as a face of a sheet, cut in by `deep` (raised, where negative): its walls lean inwards."""
    cover = cv2.resize(sign.astype(np.float32) / 255, (FACE, FACE), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(cover, (0, 0), 1.2)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, dx, 1 - dx, scale=deep) for dx in (1, 0)]
    return np.asarray(np.dstack([cover, *slopes]), np.float32)


def _crystals(face: int) -> Floats:
    """The rough side of a lump of sugar: grains that look every way, with dark gaps between them."""
    rng = np.random.default_rng(face)
    fine, coarse = (
        cv2.GaussianBlur(rng.standard_normal((FACE, FACE, 3), np.float32), (0, 0), s) * s for s in (0.7, 2.2)
    )
    rough = np.asarray(fine * 0.9 + coarse * 0.7, np.float32)
    rough[..., 0] = np.clip(np.abs(rough[..., 0]) * 0.3 - 0.12, 0, 0.4)
    rough[..., 1:] *= 0.4
    return rough


# Seeing them ----------------------------------------------------------------------------------------------------------


def draw(
    lens: Lens,
    pose: Pose,
    die: DrawnDie,
    *,
    fine: float = 2.0,
    smear: tuple[float, float] = (0, 0),
    glare: Glare | None = None,
    swirl: float = 0.0,
) -> Patch:
    """One thing, seen by `lens`.

    `fine` is the rays along a pixel: 2 for a thing that lies, half of one for one in flight. `smear` is how far it
    moves while the shutter is open, in pixels to the right and down. `swirl` is any number: each gives a marbled die
    another pattern.
    """
    shape, half = solid(die.kind), die.size / 2
    turn = pose.turn.astype(np.float32)
    spots = lens.spots(shape.corners @ turn.T * half + (pose.x, pose.y, pose.z))
    margin = math.ceil(math.hypot(*smear) / 2) + 2
    left, top = (math.floor(low) - margin for low in spots.min(axis=0))
    wide, tall = (math.ceil(high) + margin + 1 - low for high, low in zip(spots.max(axis=0), (left, top), strict=True))
    columns, rows = round(wide * fine), round(tall * fine)
    across = left - 0.5 + (np.arange(columns, dtype=np.float32) + 0.5) * (wide / columns)
    along = top - 0.5 + (np.arange(rows, dtype=np.float32) + 0.5) * (tall / rows)
    ray = lens.rays(across, along).reshape(-1, 3) @ turn
    eye = (lens.eye - np.array([pose.x, pose.y, pose.z], np.float32)) / half @ turn
    seen, point, normal = _meet(shape, eye.astype(np.float32), ray)
    cover = np.zeros((rows * columns, 4), np.float32)
    if len(seen):
        colour, shine = _shade(shape, die, point, normal, ray[seen], turn, swirl)
        if glare is not None:
            world = point @ turn.T * half
            flat = np.clip((normal @ turn[2] - 0.7) / 0.25, 0, 1)
            shine += (glare.at(world[:, 0], world[:, 1]) * flat)[:, None]
        cover[seen, :3] = colour + shine
        cover[seen, 3] = 1
    picture = smeared(cover.reshape(rows, columns, 4), smear[0] * fine, smear[1] * fine)
    how = cv2.INTER_AREA if fine > 1 else cv2.INTER_LINEAR
    picture = cv2.resize(picture, (wide, tall), interpolation=how)
    return Patch.of(left, top, picture[..., :3], picture[..., 3:])


def _meet(shape: Solid, eye: Floats, ray: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Which rays from `eye` meet the solid, and there the point and the normal, in the solid's own axes."""
    room = shape.far - shape.normals @ eye
    near = np.full(len(ray), -np.inf, np.float32)
    far = np.full(len(ray), np.inf, np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        for normal, gap in zip(shape.normals, room, strict=True):
            slope = ray @ normal
            reached = gap / slope
            if gap < 0:
                # The facet looks at the eye: a ray that runs along it or away from it never gets in.
                np.maximum(near, np.where(slope < 0, reached, np.inf), out=near)
            else:
                np.minimum(far, np.where(slope > 0, reached, np.inf), out=far)
    seen = np.flatnonzero(near < far)
    ray = ray[seen]
    point = eye + ray * near[seen, None]
    if not shape.edge:
        # Near an edge the normals of both facets mingle, as on any edge that is not a knife's.
        weight = np.exp((point @ shape.normals.T - shape.far) * 60)
        normal = weight @ shape.normals
        return seen, point, normal / np.sqrt(np.einsum("ij,ij->i", normal, normal))[:, None]
    inner = 1 - shape.edge
    bent = np.flatnonzero((np.abs(point) > inner).sum(axis=1) > 1)
    spot, way = point[bent], ray[bent]
    for _ in range(7):
        out = np.maximum(np.abs(spot) - inner, 0)
        spot += way * (np.sqrt(np.einsum("ij,ij->i", out, out)) - shape.edge)[:, None]
    point[bent] = spot
    out = np.maximum(np.abs(point) - inner, 0)
    length = np.sqrt(np.einsum("ij,ij->i", out, out))
    met = np.abs(length - shape.edge) < 0.12 * shape.edge
    out, point, length = out[met], point[met], length[met]
    return seen[met], point, out * np.sign(point) / length[:, None]


def _shade(
    shape: Solid, die: DrawnDie, point: Floats, normal: Floats, ray: Floats, turn: Floats, swirl: float
) -> tuple[Floats, Floats]:
    """The lit colour and the shine at each point of the thing, (points, 3) and (points, 1), 0 to 1."""
    faces = sheet(die.kind, die.ring)
    facet, found = _printed(shape, faces, point)
    body, ink = (_floats(np.array(COLOURS[name]) / 255) for name in (die.colour, die.pips))
    if die.kind == "coin":
        ink = _floats(body * 0.8)
    elif die.kind == "sugar":
        ink = _floats(body * 0.55)
    cover = found[:, :1]
    bowl = normal + shape.right[facet] * found[:, 1:2] + shape.down[facet] * found[:, 2:]
    bowl /= np.sqrt(np.einsum("ij,ij->i", bowl, bowl))[:, None]
    world = bowl @ turn.T
    sun = np.clip(world @ LIGHT, 0, None)[:, None]
    sky = 0.5 + 0.5 * world[:, 2:]
    half = LIGHT + np.array([0, 0, 1], np.float32)
    half /= np.linalg.norm(half)
    shine = np.clip(world @ half, 0, None)[:, None] ** 60 * die.gloss
    if die.body == "marbled":
        body = _marble(point, body, swirl)
    if die.body == "clear":
        body = _glass(shape, faces, point, normal, ray, turn, body, ink)
    colour = body * (1 - cover) + ink * cover
    return (colour * (0.62 * sun + 0.5 * sky)).astype(np.float32), shine.astype(np.float32)


def _printed(shape: Solid, faces: Floats, point: Floats) -> tuple[NDArray[np.intp], Floats]:
    """The facet that each point lies on, and what the sheet of `faces` has there, (points, 3)."""
    facet = np.argmax(point @ shape.normals.T - shape.far, axis=1)
    u = np.einsum("ij,ij->i", point, shape.right[facet])
    v = np.einsum("ij,ij->i", point, shape.down[facet])
    wide = 512
    rows = -(-len(point) // wide)
    maps = np.zeros((2, rows * wide), np.float32)
    maps[0, : len(point)] = ((np.clip(u, -0.98, 0.98) + 1) / 2 + shape.tile[facet]) * FACE - 0.5
    maps[1, : len(point)] = (np.clip(v, -0.98, 0.98) + 1) / 2 * FACE - 0.5
    x, y = maps.reshape(2, rows, wide)
    found = cv2.remap(faces, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return facet, np.asarray(found.reshape(-1, 3)[: len(point)], np.float32)


def _marble(point: Floats, body: Floats, swirl: float) -> Floats:
    """Two tones that were stirred but not mixed."""
    x, y, z = point.T
    bend = np.sin(2.3 * y + 1.7 * z + swirl) + 0.7 * np.sin(4.1 * x - 2.9 * z + 2.3 * swirl)
    veins = np.sin(2.1 * x + 1.3 * y + 1.9 * z + 1.9 * bend + 3.1 * swirl)
    part = np.clip(0.5 + 1.1 * veins, 0, 1)[:, None]
    other = body * 0.45 + 0.5 if body.max() < 0.6 or body.min() < 0.2 else body * 0.55
    return np.asarray(body * part + other * (1 - part), np.float32)


def _glass(
    shape: Solid, faces: Floats, point: Floats, normal: Floats, ray: Floats, turn: Floats, body: Floats, ink: Floats
) -> Floats:
    """Coloured glass: light gathers at the far side, and the pips beneath are seen as ghosts."""
    inside = ray - 0.55 * normal
    with np.errstate(divide="ignore"):
        leave = ((np.sign(inside) - point) / inside).min(axis=1)
    way_out = point + inside * leave[:, None]
    _, beneath = _printed(shape, faces, way_out)
    deep = way_out @ turn.T
    glow = np.clip(0.72 + 0.22 * (deep[:, 0] + deep[:, 1]) - 0.1 * deep[:, 2], 0.35, 1.3)[:, None]
    glass = (body + 0.12) * glow
    ghost = 0.38 * beneath[:, :1]
    return np.asarray(glass * (1 - ghost) + (0.5 * ink + 0.5 * body) * ghost, np.float32)
