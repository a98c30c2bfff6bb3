"""Appearance of the studio's dice: kind, size, typeface, finish and colors, with their surfaces and print."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random
from zlib import crc32

import cv2
import numpy as np

from scripts.training.studio.bodies import Body, facet_mesh, polygons, rounded
from vision.dice.polyhedra import Floats, Matrix, Solid
from vision.reading import Face
from vision.synthetic.prints import DEFAULT_PRINT_STYLE, PIP_POSITIONS, PrintStyle, numeral_sheet
from vision.synthetic.shapes import FACE_MARKS, solid_of_kind

Color = tuple[float, float, float]  # linear RGB, 0 to 1

KINDS = ("d6", "numeral", "d8", "d10", "d100", "d20", "d24", "tetrakis", "pitch")
READ_AS = {"numeral": "d6", "d100": "d10", "tetrakis": "d24"}  # the rulebooks' names of these kinds
# usual size from face to face in mm, and its relative variation
SIZES = {"d6": (16, 0.16), "numeral": (16.5, 0.14), "pitch": (16, 0.1), "d8": (15, 0.1), "d10": (16, 0.1),
         "d100": (16, 0.1), "d20": (20, 0.1), "d24": (23, 0.08), "tetrakis": (24, 0.08)}  # fmt: skip
FINISHES = ("plain", "pearlescent", "translucent", "metal", "marbled", "speckled")
OFTEN = (9, 4, 4, 2, 4, 2)  # relative frequency of each finish

BODIES: dict[str, tuple[int, int, int]] = {
    "white": (236, 234, 228), "ivory": (232, 218, 186), "black": (24, 24, 27), "charcoal": (58, 58, 62),
    "red": (184, 26, 32), "burgundy": (92, 14, 30), "orange": (232, 104, 22), "yellow": (238, 198, 38),
    "lime": (138, 190, 46), "green": (28, 110, 52), "teal": (16, 120, 124), "sky": (84, 160, 214),
    "blue": (26, 66, 168), "navy": (20, 30, 84), "purple": (92, 40, 136), "violet": (150, 104, 190),
    "pink": (230, 124, 164), "brown": (98, 60, 34), "grey": (134, 136, 140), "mint": (158, 214, 190),
}  # fmt: skip
METALS: dict[str, tuple[int, int, int]] = {
    "steel": (178, 178, 180), "gold": (214, 172, 92), "copper": (200, 128, 98), "gunmetal": (84, 86, 92)
}  # fmt: skip
INKS: dict[str, tuple[int, int, int]] = {
    "white": (240, 240, 236), "black": (18, 18, 20), "gold": (208, 166, 84), "silver": (190, 190, 194),
    "red": (190, 28, 34), "blue": (30, 60, 170), "yellow": (240, 206, 60), "green": (24, 110, 60),
}  # fmt: skip
# Minimum difference in lightness between a body and its ink, 0 to 1, as in most dice sold. It is legible at arm's
# length.
CONTRAST = 0.48
HARSH = 0.3  # the same for dice with harsh colors
CLEAR = 0.7  # factor for the apparent lightness of translucent bodies
TILE = 192  # edge of one facet in a sheet, as in `numeral_sheet`


def linear(rgb: Sequence[float]) -> Color:
    """Convert sRGB bytes to linear light."""
    red, green, blue = (value / 255 for value in rgb)
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue))  # type: ignore[return-value]


def lightness(color: Color) -> float:
    """Return the perceived lightness of a linear color, 0 to 1."""
    return float((0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]) ** (1 / 2.4))


def held_out(name: str) -> bool:
    """True if a typeface, finish or ground of this name is held out for evaluation, about one in four."""
    return crc32(name.encode()) % 4 == 0


@dataclass(frozen=True)
class StudioDie:
    """The appearance of one die. Lengths are in mm.

    size, edge, cut: size from face to face, radius of rounded edges, and depth of engraving (0 if printed).
    round_off: radius of the sphere that cuts off the corners, in half sizes.
    finish: one of `FINISHES`.
    colors, ink: the two tones of the body, and the color of the print.
    metallic: True for shiny ink.
    rough: roughness of the body, 0 to 1.
    values: value of each facet.
    print: style for kinds in `FACE_MARKS`.
    pips: spread and radius of pips, and the radius of the one's pip, in half faces.
    logo, art: value replaced by a maker's logo (0 for none), and its shape, of `ARTS` or `HELD_ARTS`.
    """

    kind: str
    size: float
    edge: float
    round_off: float
    cut: float
    finish: str
    colors: tuple[Color, Color]
    ink: Color
    metallic: bool
    rough: float
    values: tuple[int, ...]
    print: PrintStyle
    pips: tuple[float, float, float]
    swirl: int
    name: str
    logo: int = 0
    art: str = "star"

    @cached_property
    def shape(self) -> Solid:
        """The solid with sharp edges, in half sizes."""
        return solid_of_kind(self.kind)

    @cached_property
    def body(self) -> Body:
        """The die as a body for placement."""
        return self._made[0]

    @cached_property
    def _made(self) -> tuple[Body, list[Matrix]]:
        half, shape = self.size / 2, self.shape
        facets = polygons(shape.normals.astype(float), shape.far.astype(float), shape.corners.astype(float))
        facets = [around * half for around in facets]
        return rounded(
            shape.normals, shape.far * half, self.edge, self.round_off * half, facet_mesh(facets, 4).points
        ), facets

    @property
    def facets(self) -> list[Matrix]:
        """The vertices of each facet of the sharp solid, in mm."""
        return self._made[1]

    def face(self, facet: int) -> Face:
        """Return the face of a facet in the rulebooks' terms."""
        value = self.values[facet]
        return FACE_MARKS["pitch"][value - 1] if self.kind == "pitch" else value


def invent(
    rng: Random,
    kind: str,
    fonts: Sequence[str],
    held: bool | None,
    contrast: float = CONTRAST,
    finishes: Sequence[str] = FINISHES,
) -> StudioDie:
    """Sample a die of a kind. `held` selects held-out finishes, only others, or all if None. `contrast` is the minimum
    difference in lightness between body and ink, and `finishes` are allowed."""
    usual, vary = SIZES[kind]
    size = usual * (1 + rng.uniform(-vary, vary) if rng.random() < 0.6 else 1)
    while True:
        finish = rng.choices(FINISHES, OFTEN)[0]
        if finish not in finishes:
            continue
        palette = METALS if finish == "metal" else BODIES
        body, ink = rng.choice(list(palette)), rng.choice(["white"] * 6 + ["black"] * 5 + ["gold"] * 2 + list(INKS))
        tones = linear(palette[body]), linear(INKS[ink])
        second = linear(palette[rng.choice(list(palette))]) if finish in ("marbled", "speckled") else tones[0]
        dim = CLEAR if finish == "translucent" else 1
        apart = [dim * lightness(tone) - lightness(tones[1]) for tone in (tones[0], second)]
        # Both tones are lighter than the ink, or both are darker.
        clear = min(map(abs, apart)) > contrast and apart[0] * apart[1] > 0
        if clear and held in (None, held_out(f"{finish} {body}")):
            break
    sharp = rng.random() < (0.25 if kind == "d6" else 0.5)
    edge = (
        rng.uniform(0.25, 0.5)
        if sharp
        else rng.uniform(0.9, 2.6)
        if size > 13 and kind in SQUARE
        else rng.uniform(0.5, 0.9)
    )
    round_off = rng.uniform(1.28, 1.45) if kind in SQUARE and not sharp and rng.random() < 0.6 else 3.0
    rough = rng.uniform(0.08, 0.3) if finish != "plain" else rng.choice((rng.uniform(0.08, 0.2), rng.uniform(0.2, 0.5)))
    printed = rng.random() < (0.1 if kind == "d6" else 0.2)
    one = rng.uniform(0.14, 0.22)
    return StudioDie(
        kind, size, edge, round_off, 0.0 if printed else size * rng.uniform(0.012, 0.03), finish, (tones[0], second),
        tones[1], ink in ("gold", "silver"), rough, layout(rng, kind), typeface(rng, kind, fonts),
        (rng.uniform(0.44, 0.56), one, one * rng.choice((1, 1, 1, rng.uniform(1.2, 1.7)))), rng.randrange(1 << 16),
        f"{finish} {body}, {ink} ink",
    )  # fmt: skip


SQUARE = ("d6", "numeral", "pitch")


def typeface(rng: Random, kind: str, fonts: Sequence[str]) -> PrintStyle:
    if kind == "d6" or not fonts:
        return DEFAULT_PRINT_STYLE
    turns = {"d8": (0, 0, math.tau / 3), "d10": (0, 0, math.pi), "d100": (0, 0, math.pi), "d24": (0, math.pi, 0)}
    turn = rng.choice(turns.get(kind, (0,))) + rng.choice((0.0, 0.0, rng.uniform(-0.06, 0.06)))
    return PrintStyle(
        rng.choice(fonts), rng.choice(("line", "line", "dot")), rng.uniform(0.72, 1.12), turn,
        bold=rng.choice((0.0, 0.0, 0.0, rng.uniform(0.0, 0.05))), joined=rng.random() < 0.1,
    )  # fmt: skip


def layout(rng: Random, kind: str) -> tuple[int, ...]:
    """Sample a numbering, as values by facet: mostly standard, else mirrored or, on dice without a standard, with the
    same sums of opposite facets."""
    shape = solid_of_kind(kind)
    values = [int(tile) + 1 for tile in shape.tile]
    if kind in SQUARE and rng.random() < 0.3:
        swap = {values[0]: values[1], values[1]: values[0]}
        return tuple(swap.get(value, value) for value in values)
    if (kind in ("d24", "tetrakis") and rng.random() < 0.6) or (kind in ("d20", "d8") and rng.random() < 0.15):
        ways = shape.normals @ shape.normals.T
        pairs = [(n, int(row.argmin())) for n, row in enumerate(ways) if n < int(row.argmin())]
        found = list(values)
        for (one, other), (a, b) in zip(pairs, rng.sample(pairs, len(pairs)), strict=True):
            found[one], found[other] = rng.sample((values[a], values[b]), 2)
        return tuple(found)
    return tuple(values)


# Surface and print ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def pip_sheet(spread: float, radius: float, one: float) -> Floats:
    """Return the depth of pips, 0 to 1, on a d6's faces side by side: bowls with soft rims."""
    line = (np.arange(TILE, dtype=np.float32) + 0.5) / TILE * 2 - 1
    u, v = np.meshgrid(line, line)
    faces = []
    for value in range(1, 7):
        face = np.zeros((TILE, TILE), np.float32)
        wide = one if value == 1 else radius
        for x, y in PIP_POSITIONS[value]:
            away = np.hypot(u - x / 0.5 * spread, v - y / 0.5 * spread) / wide
            face = np.maximum(face, 1 - away * away)
        faces.append(face)
    return np.asarray(np.hstack(faces), np.float32)


ARTS = ("crown", "cross", "drop", "wheel")  # shapes of logos for training
HELD_ARTS = ("star", "shield", "bolt")  # held-out shapes for evaluation
OUTLINES = {
    "shield": [(-0.7, -0.8), (0, -0.95), (0.7, -0.8), (0.7, 0.1), (0, 1), (-0.7, 0.1)],
    "bolt": [(0.25, -1), (-0.55, 0.15), (-0.05, 0.15), (-0.25, 1), (0.55, -0.2), (0.05, -0.2)],
    "crown": [(-0.9, 0.6), (-0.9, -0.5), (-0.4, 0), (0, -0.8), (0.4, 0), (0.9, -0.5), (0.9, 0.6)],
    "cross": [(-0.3, -1), (0.3, -1), (0.3, -0.3), (1, -0.3), (1, 0.3), (0.3, 0.3), (0.3, 1), (-0.3, 1), (-0.3, 0.3),
              (-1, 0.3), (-1, -0.3), (-0.3, -0.3)],
    "drop": [(0, -1), (0.45, -0.2), (0.6, 0.3), (0.4, 0.8), (0, 1), (-0.4, 0.8), (-0.6, 0.3), (-0.45, -0.2)],
}  # fmt: skip


def logo(art: str, seed: int, reach: float) -> Floats:
    """Return the ink coverage, 0 to 1, of a random logo on one tile: outlined or filled, sometimes in a ring. `reach`
    is its share of the tile."""
    rng, middle, size = Random(f"logo {seed}"), TILE / 2, reach * TILE / 2
    ring = rng.random() < 0.5
    wide = size * (0.7 if ring else 1)
    many, deep = rng.randint(4, 8), rng.uniform(0.35, 0.6) if art == "star" else 0.85
    ends = [(math.pi * n / many, deep if n % 2 else 1.0) for n in range(2 * many)]
    shape = OUTLINES.get(art) or [(r * math.sin(way), -r * math.cos(way)) for way, r in ends]
    ink = np.zeros((TILE, TILE), np.uint8)
    around = np.round([(middle + x * wide, middle + y * wide) for x, y in shape]).astype(np.int32)
    if art != "wheel" and rng.random() < 0.6:
        cv2.fillPoly(ink, [around], 255, cv2.LINE_AA)
    else:
        cv2.polylines(ink, [around], True, 255, TILE // 20, cv2.LINE_AA)
    if art == "wheel":
        for x, y in around[::2].tolist():
            cv2.line(ink, (TILE // 2, TILE // 2), (x, y), 255, TILE // 24, cv2.LINE_AA)
    if ring:
        cv2.circle(ink, (TILE // 2, TILE // 2), round(size), 255, TILE // 24, cv2.LINE_AA)
    return np.asarray(ink / np.float32(255), np.float32)


def with_logo(die: StudioDie, sheet: Floats, deep: float = 1.0) -> Floats:
    """Replace a sign by the die's logo in a sheet."""
    if not die.logo:
        return sheet
    left, made = (die.logo - 1) * TILE, logo(die.art, die.swirl, 0.8 * die.shape.reach) * np.float32(deep)
    return np.hstack([sheet[:, :left], made, sheet[:, left + TILE :]])


def ink_sheet(die: StudioDie) -> Floats:
    """Return the ink coverage, 0 to 1, of a die's tiles side by side, by value."""
    if die.kind == "d6":
        bowls = pip_sheet(*die.pips)
        soft = 2 / die.pips[1] * 2 / TILE  # depth gained within a pixel of the rim
        return with_logo(die, np.asarray(np.clip(bowls / soft + 0.5 * (bowls > 0), 0, 1), np.float32))
    return with_logo(die, np.asarray(numeral_sheet(die.kind, die.print) / 255, np.float32))


def cut_sheet(die: StudioDie) -> Floats:
    """Return the depth of engraving in mm, of the tiles side by side."""
    if die.kind == "d6":
        return with_logo(die, np.asarray(np.maximum(pip_sheet(*die.pips), 0) * (die.cut * 2), np.float32), die.cut)
    cover = with_logo(die, np.asarray(numeral_sheet(die.kind, die.print) / 255, np.float32))
    return np.asarray(cv2.GaussianBlur(cover, (0, 0), 2.0) * die.cut, np.float32)


def waves(rng: np.random.Generator, points: Matrix, pace: float) -> Matrix:
    """Return smooth noise at points, about -2 to 2, with about `pace` radians per unit."""
    ways = rng.normal(size=(14, 3)) * pace
    return np.asarray(np.cos(points @ ways.T + rng.uniform(0, math.tau, 14)).sum(axis=1) / math.sqrt(7))
