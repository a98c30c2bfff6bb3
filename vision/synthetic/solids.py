"""Ray-trace dice and other small objects: intersections, print and shading."""

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.dice.polyhedra import Floats, Solid
from vision.synthetic.paint import COLORS_BGR, LAMP_DIRECTION, Lens, Sprite, apply_motion_blur
from vision.synthetic.physics import RigidPose
from vision.synthetic.prints import DEFAULT_PRINT_STYLE, PIP_POSITIONS, PrintStyle, face_sheet
from vision.synthetic.shapes import FACE_MARKS, SYNTHETIC_KINDS, lying_rotation, solid_of_kind

# body materials: one color, marbled with a second tone, colored glass, or speckled with a second tone
BODY_MATERIALS = ("plain", "marbled", "clear", "speckled")
EDGE_SHARPNESS = 60.0  # sharpness of the edges of polyhedra; twice the value halves their radius


@dataclass(frozen=True, slots=True)
class SyntheticDie:
    """The appearance of one object.

    colour, pips: colors of body and ink, keys of `paint.COLORS_BGR`.
    size: size in mm from face to face, or a coin's diameter, 5 to 40.
    kind: one of `SYNTHETIC_KINDS`.
    body: one of `BODY_MATERIALS`.
    ring: True to render pips as a dot in a ring.
    gloss: strength of specular highlights, 0 to 2.
    print: style for kinds in `FACE_MARKS`.
    Raises ValueError for other values.
    """

    colour: str = "white"
    size: float = 16.0
    pips: str = "black"
    kind: str = "d6"
    body: str = "plain"
    ring: bool = False
    gloss: float = 0.4
    print: PrintStyle = DEFAULT_PRINT_STYLE

    def __post_init__(self) -> None:
        if self.kind not in SYNTHETIC_KINDS:
            raise ValueError(f"A {self.kind} cannot be drawn; there are {', '.join(SYNTHETIC_KINDS)}.")
        if self.body not in BODY_MATERIALS:
            raise ValueError(f"No body is called {self.body!r}; there are {', '.join(BODY_MATERIALS)}.")
        for colour in (self.colour, self.pips):
            if colour not in COLORS_BGR:
                raise ValueError(f"No color is called {colour!r}; there are {', '.join(COLORS_BGR)}.")
        if self.print.texts and len(self.print.texts) != len(FACE_MARKS.get(self.kind, ())):
            raise ValueError(f"{len(self.print.texts)} texts do not fit a {self.kind}.")
        if not 5 <= self.size <= 40:
            raise ValueError(f"A die of {self.size} mm cannot be drawn; 5 to 40 mm can.")
        if not 0 <= self.gloss <= 2:
            raise ValueError(f"A gloss of {self.gloss} cannot be drawn; 0 to 2 can.")


@dataclass(frozen=True, slots=True)
class GlareSpot:
    """The lamp's reflection on a die's top, with a pure white center and a soft edge. `x` and `y` are its offset from
    the die's center and `wide` and `tall` its size, in mm. `turn` is in radians."""

    x: float
    y: float
    wide: float
    tall: float
    turn: float = 0.0

    def brightness_at(self, x: Floats | float, y: Floats | float) -> Floats:
        """Return the brightness at offsets in mm from the die's center. 1 and more is overexposed."""
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        along = ((x - self.x) * cos + (y - self.y) * sin) / (self.wide / 2)
        across = ((y - self.y) * cos - (x - self.x) * sin) / (self.tall / 2)
        return np.asarray(2.2 * np.exp(-0.8 * (along * along + across * across)), np.float32)


def mark_positions(kind: str, value: int, yaw: float, size: float) -> list[tuple[float, float]]:
    """Return the positions of the pips, or of the numeral, on top of a flat die: mm right of and below its center."""
    shape = solid_of_kind(kind)
    facet = shape.tile.tolist().index(value - 1)
    spots = np.array(PIP_POSITIONS[value] if kind == "d6" else [(0, 0)])
    there = spots @ np.array([shape.right[facet], shape.down[facet]]) + shape.middle[facet]
    return [(float(x), float(y)) for x, y, _ in there @ lying_rotation(kind, value, yaw).T * (size / 2)]


# Views of a solid -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class VisibleFacet:
    """A facet that faces the camera.

    x, y: center of its numeral, in pixels.
    up: unit vector to the numeral's top, (right, down) in the image.
    facing: cosine between its normal and the direction to the camera, 0 to 1.
    """

    value: int
    x: float
    y: float
    up: tuple[float, float]
    facing: float


def visible_facets(lens: Lens, pose: RigidPose, die: SyntheticDie) -> list[VisibleFacet]:
    """Return the facets that face the camera, uppermost first. Occlusion is not checked."""
    shape, half = solid_of_kind(die.kind), die.size / 2
    place = np.array([pose.x, pose.y, pose.z])
    normals = shape.normals @ pose.turn.T
    middles = shape.middle @ pose.turn.T * half + place
    way = lens.camera_position - middles
    facing = np.einsum("ij,ij->i", normals, way) / np.linalg.norm(way, axis=1)
    up = (math.sin(die.print.turn) * shape.right - math.cos(die.print.turn) * shape.down) @ pose.turn.T
    spots, tops = lens.project_points(middles), lens.project_points(middles + up * (half * 0.1))
    ways = (tops - spots) / np.linalg.norm(tops - spots, axis=1)[:, None]
    facets = zip(shape.tile, spots, ways, facing, strict=True)
    found = [
        VisibleFacet(int(tile) + 1, float(x), float(y), (float(right), float(down)), float(much))
        for tile, (x, y), (right, down), much in facets
    ]
    return [found[facet] for facet in np.argsort(-normals[:, 2]) if found[facet].facing > 0]


def draw_die(
    lens: Lens,
    pose: RigidPose,
    die: SyntheticDie,
    *,
    fine: float = 2.0,
    smear: tuple[float, float] = (0, 0),
    glare: GlareSpot | None = None,
    swirl: float = 0.0,
    light: Floats = LAMP_DIRECTION,
    crisp: float = EDGE_SHARPNESS,
) -> Sprite:
    """Render one object.

    fine: rays per pixel along an axis. 2 for an object at rest, 0.5 in flight.
    smear: motion during the exposure, right and down, in pixels.
    swirl: seed of the pattern of a marbled or speckled die.
    light: unit vector to the lamp, (3).
    crisp: sharpness of the edges of polyhedra, as `EDGE_SHARPNESS`.
    """
    shape, half = solid_of_kind(die.kind), die.size / 2
    turn = pose.turn.astype(np.float32)
    spots = lens.project_points(shape.corners @ turn.T * half + (pose.x, pose.y, pose.z))
    margin = math.ceil(math.hypot(*smear) / 2) + 2
    left, top = (math.floor(low) - margin for low in spots.min(axis=0))
    wide, tall = (math.ceil(high) + margin + 1 - low for high, low in zip(spots.max(axis=0), (left, top), strict=True))
    columns, rows = round(wide * fine), round(tall * fine)
    hull = cv2.convexHull(((spots - (left - 0.5, top - 0.5)) * (columns / wide, rows / tall) - 0.5).astype(np.float32))
    within = np.zeros((rows, columns), np.uint8)
    cv2.fillConvexPoly(within, np.round(hull * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    inside = np.flatnonzero(cv2.dilate(within, np.ones((3, 3), np.uint8)))
    row, column = np.divmod(inside.astype(np.int32), np.int32(columns))
    across = (column.astype(np.float32) + 0.5) * (wide / columns) + (left - 0.5)
    along = (row.astype(np.float32) + 0.5) * (tall / rows) + (top - 0.5)
    eye = turn.T @ ((lens.camera_position - np.array([pose.x, pose.y, pose.z], np.float32)) / half)
    met, hit = _intersect_rays(shape, eye, turn.T @ lens.pixel_rays(across, along), crisp)
    cover = np.zeros((4, rows * columns), np.float32)
    if met.size:
        colour, shine = _shade_points(shape, die, hit, turn, swirl, light)
        if glare is not None:
            x, y, _ = turn @ hit.point * half
            shine += glare.brightness_at(x, y) * np.clip((turn[2] @ hit.normal - 0.7) / 0.25, 0, 1)
        cover[:3, inside[met]] = colour + shine
        cover[3, inside[met]] = 1
    picture = cv2.merge(list(cover.reshape(4, rows, columns)))
    picture = apply_motion_blur(picture, smear[0] * fine, smear[1] * fine)
    how = cv2.INTER_AREA if fine > 1 else cv2.INTER_LINEAR
    picture = cv2.resize(picture, (wide, tall), interpolation=how)
    return Sprite.from_cover(left, top, picture[..., :3], picture[..., 3:])


@dataclass(frozen=True, slots=True, eq=False)
class _RayHits:
    """Intersections of rays with a solid, in its axes: facets (points), `point`, `normal` and `ray` (3, points)."""

    facet: NDArray[np.intp]
    point: Floats
    normal: Floats
    ray: Floats


def _intersect_rays(shape: Solid, eye: Floats, ray: Floats, crisp: float) -> tuple[NDArray[np.intp], _RayHits]:
    """Intersect rays (3, rays) from `eye` with a solid. Return the indices of rays that hit, and the hits."""
    room = shape.far - shape.normals @ eye
    front, back = np.flatnonzero(room < 0), np.flatnonzero(room >= 0)
    # A ray enters through the last of the planes that face the eye, which has the smallest share.
    share = ((shape.normals[front] / room[front, None]) @ ray).min(axis=0)
    point = eye[:, None] + ray / np.maximum(share, 1e-6)
    met = np.flatnonzero((shape.normals[back] @ point - shape.far[back, None]).max(axis=0) < 0)
    ray, point = ray.take(met, axis=1), point.take(met, axis=1)
    if shape.edge:
        curved, point, normal = _intersect_rounded_cube(shape.edge, point, ray)
        met, ray = met[curved], ray.take(curved, axis=1)
    deep = shape.normals[front] @ point - shape.far[front, None]
    top = deep.max(axis=0)
    facet = front[((deep == top) * np.arange(len(front), dtype=np.uint8)[:, None]).max(axis=0)]
    if not shape.edge:
        # Near an edge, blend the normals of both facets to round it.
        normal = _normalize_vectors(shape.normals[front].T @ np.exp(np.maximum((deep - top) * crisp, -20)))
    return met, _RayHits(facet, point, normal, ray)


def _normalize_vectors(ways: Floats) -> Floats:
    return np.asarray(ways / np.sqrt(_dot_product(ways, ways)), np.float32)


def _dot_product(ways: Floats, others: Floats) -> Floats:
    return np.asarray(ways[0] * others[0] + ways[1] * others[1] + ways[2] * others[2], np.float32)


def _intersect_rounded_cube(edge: float, point: Floats, ray: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Intersect rays that hit a sharp cube with a rounded one. Return indices of hits, points and normals."""
    inner = 1 - edge
    bent = np.flatnonzero((np.abs(point) > inner).sum(axis=0) > 1)
    spot, way = point.take(bent, axis=1), ray.take(bent, axis=1)
    for _ in range(7):
        out = np.maximum(np.abs(spot) - inner, 0)
        spot += way * (np.sqrt(_dot_product(out, out)) - edge)
    point[:, bent] = spot
    out = np.maximum(np.abs(point) - inner, 0)
    length = np.sqrt(_dot_product(out, out))
    met = np.flatnonzero(np.abs(length - edge) < 0.12 * edge)
    point = point.take(met, axis=1)
    return met, point, np.copysign(out.take(met, axis=1) / length[met], point)


def _shade_points(
    shape: Solid, die: SyntheticDie, hit: _RayHits, turn: Floats, swirl: float, light: Floats
) -> tuple[Floats, Floats]:
    """Return the diffuse color (3, points) and the specular highlight (points), 0 to 1."""
    inks = face_sheet(die.kind, die.ring, die.print)
    right, down = shape.right.T.take(hit.facet, axis=1), shape.down.T.take(hit.facet, axis=1)
    u, v = _facet_coordinates(shape, hit.facet, hit.point, right, down)
    cover, aside, along = _sample_sheet(inks, shape.tile[hit.facet], u, v)
    body, ink = (_color_tone(name) for name in (die.colour, die.pips))
    if die.kind == "coin":
        ink = body * 0.8
    elif die.kind == "sugar":
        ink = body * 0.55
    bowl = _normalize_vectors(hit.normal + right * aside + down * along)
    between = light + np.array([0, 0, 1], np.float32)
    between /= np.linalg.norm(between)
    sun, sky, gleam = np.array([light, (0, 0, 1), between], np.float32) @ turn @ bowl
    shine = _sixtieth_power(np.maximum(gleam, 0)) * die.gloss
    if die.body == "marbled":
        body = _marble_color(hit.point, body, swirl)
    elif die.body == "clear":
        body = _glass_color(shape, inks, hit, turn, body, ink)
    elif die.body == "speckled":
        body = _speckle_color(hit.facet, u, v, body, swirl)
    colour = body + (ink - body) * cover
    return np.asarray(colour * (0.62 * np.maximum(sun, 0) + (0.25 + 0.25 * sky)), np.float32), shine


def _color_tone(name: str) -> Floats:
    return np.asarray(np.array(COLORS_BGR[name], np.float32)[:, None] / 255, np.float32)


def _sixtieth_power(gleam: Floats) -> Floats:
    """Return the 60th power, faster than `**`."""
    fourth = (gleam * gleam) * (gleam * gleam)
    sixteenth = (fourth * fourth) * (fourth * fourth)
    return np.asarray(sixteenth * sixteenth * sixteenth * (fourth * fourth * fourth), np.float32)


def _facet_coordinates(
    shape: Solid, facet: NDArray[np.intp], point: Floats, right: Floats, down: Floats
) -> tuple[Floats, Floats]:
    """Return the coordinates of points on the print of their facets, right and down, -1 to 1."""
    x, y = np.einsum("ij,ij->i", shape.middle, shape.right), np.einsum("ij,ij->i", shape.middle, shape.down)
    return _dot_product(right, point) - x[facet], _dot_product(down, point) - y[facet]


def _sample_sheet(inks: Floats, tile: NDArray[np.intp], u: Floats, v: Floats) -> Floats:
    """Sample a sheet at positions on tiles, (3, points)."""
    side = inks.shape[0]
    x, y = (np.minimum(np.maximum(way, -0.98), 0.98) * (side / 2) + (side / 2 - 0.5) for way in (u, v))
    return _sample_picture(inks, x + (tile * side).astype(np.float32), y, cv2.BORDER_REPLICATE)


def _sample_picture(picture: Floats, x: Floats, y: Floats, beyond: int) -> Floats:
    """Sample an image at columns and rows, (channels, points)."""
    wide = 512
    rows = -(-len(x) // wide)
    maps = np.zeros((2, rows * wide), np.float32)
    maps[0, : len(x)], maps[1, : len(x)] = x, y
    across, along = maps.reshape(2, rows, wide)
    found = cv2.remap(picture, across, along, cv2.INTER_LINEAR, borderMode=beyond)
    return np.array(cv2.split(found), np.float32).reshape(-1, rows * wide)[:, : len(x)]


def _marble_color(point: Floats, body: Floats, swirl: float) -> Floats:
    x, y, z = point
    bend = np.sin(2.3 * y + 1.7 * z + swirl) + 0.7 * np.sin(4.1 * x - 2.9 * z + 2.3 * swirl)
    veins = np.sin(2.1 * x + 1.3 * y + 1.9 * z + 1.9 * bend + 3.1 * swirl)
    other = _second_tone(body)
    return np.asarray(other + (body - other) * np.clip(0.5 + 1.1 * veins, 0, 1), np.float32)


def _second_tone(body: Floats) -> Floats:
    return body * 0.45 + 0.5 if body.max() < 0.6 or body.min() < 0.2 else body * 0.55


DOT_PATTERN_PX = 256  # period of the speckle pattern


@cache
def _dot_pattern() -> Floats:
    rng = np.random.default_rng(3)
    picture = np.zeros((DOT_PATTERN_PX, DOT_PATTERN_PX), np.uint8)
    for x, y, radius in zip(*rng.integers(0, DOT_PATTERN_PX * 16, (2, 1800)), rng.gamma(3.0, 6.0, 1800), strict=True):
        cv2.circle(picture, (int(x), int(y)), int(radius), int(rng.integers(90, 256)), -1, cv2.LINE_AA, 4)
    return np.asarray(picture.astype(np.float32) / 255)


def _speckle_color(facet: NDArray[np.intp], u: Floats, v: Floats, body: Floats, swirl: float) -> Floats:
    """Return a color speckled with small dots of a second tone."""
    x, y = ((way * 60 + facet * step + swirl * 50) % (DOT_PATTERN_PX - 1) for way, step in ((u, 71), (v, 113)))
    return body + (_second_tone(body) - body) * _sample_picture(_dot_pattern(), x, y, cv2.BORDER_WRAP)


def _glass_color(shape: Solid, inks: Floats, hit: _RayHits, turn: Floats, body: Floats, ink: Floats) -> Floats:
    """Return the color of glass. Light gathers at the far side, and print on the bottom shines through."""
    inside = hit.ray - 0.55 * hit.normal
    slope = shape.normals @ inside
    room = shape.far[:, None] - shape.normals @ hit.point
    leave = np.where(slope > 1e-6, room / np.maximum(slope, 1e-6), np.inf)
    facet = leave.argmin(axis=0)
    out = hit.point + inside * leave.min(axis=0)
    right, down = shape.right.T.take(facet, axis=1), shape.down.T.take(facet, axis=1)
    beneath, _, _ = _sample_sheet(inks, shape.tile[facet], *_facet_coordinates(shape, facet, out, right, down))
    x, y, z = turn @ out
    glass = (body + 0.12) * np.clip(0.72 + 0.22 * (x + y) - 0.1 * z, 0.35, 1.3)
    return np.asarray(glass + (0.5 * ink + 0.5 * body - glass) * (0.38 * beneath), np.float32)
