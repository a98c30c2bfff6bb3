"""Draw dice without pips, each alone in a square with its true labels, and other things."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from unittest import mock

import cv2
import numpy as np
from photos import Picture
from weather import ground, look

from vision.dice.classify_numerals import SHAPES, SIGNS
from vision.drawn import paint, physics, shapes, solids
from vision.drawn.letters import Print
from vision.drawn.paint import COLOURS, Lens, Patch
from vision.drawn.solids import DrawnDie

# Edge of a square in pixels, and width of the die in its middle: a disc of that width covers as many pixels.
SQUARE, WIDE = 112, 64.0

MIDDLE = (SQUARE / 2 - 0.5, SQUARE / 2 - 0.5)

FACETS = 8  # most facets of a die that are labeled

UNKNOWN = -1.0

# How often each kind is drawn; the shares add up to 1.
OFTEN = {
    "d20": 0.21, "d24": 0.1, "tetrakis": 0.05, "d10": 0.13, "d100": 0.05, "d8": 0.09, "d12": 0.03, "numeral": 0.15,
    "pitch": 0.19,
}  # fmt: skip

# The shape of a kind that has another name.
SHAPE = {"numeral": "cube", "pitch": "cube", "d100": "d10", "tetrakis": "d24"}

INKS = [(235, 238, 240), (25, 25, 25), (64, 170, 210)]

SIZE = 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """One square: `picture` (SQUARE, SQUARE, 3) and how much the die covers of it, `cover` (SQUARE, SQUARE), 0 to 255.

    `shape` is an index in `SHAPES`, 0 if there is no such die. `above` is True if the camera looks from so high that
    the square may be rotated. `facets` (FACETS, 6), the top first, are each a middle's x and y, the direction up in the
    picture (right, down; 0, 0 where unknown), the cosine of how far it is turned away, and an index in `SIGNS`; unused
    rows are UNKNOWN throughout. A photographed die has no cover, and only its top is labeled.
    """

    picture: np.ndarray
    cover: np.ndarray
    shape: int
    above: bool
    facets: np.ndarray

    @classmethod
    def none(cls, picture: np.ndarray) -> Alone:
        """Return a square without a die without pips."""
        return cls(picture, np.zeros((SQUARE, SQUARE), np.uint8), 0, True, no_facets())

    @property
    def labeled(self) -> list[np.ndarray]:
        """The labeled facets."""
        return [facet for facet in self.facets if facet[5] != UNKNOWN]


def no_facets() -> np.ndarray:
    return np.full((FACETS, 6), UNKNOWN, np.float32)


def luck(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a random number between two, distributed evenly over octaves."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def mapped(
    at: tuple[float, float], to: tuple[float, float], scale: float, turn: float = 0.0, flip: bool = False,
    stretch: float = 1.0,
) -> np.ndarray:  # fmt: skip
    """Return the map (2, 3) of a picture that moves `at` to `to`, stretched to the side, rotated and scaled."""
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    part = np.array([[cos, -sin], [sin, cos]]) @ np.diag([-stretch if flip else stretch, 1.0])
    return np.column_stack([part, np.array(to) - part @ np.array(at)])


def warped(picture: np.ndarray, way: np.ndarray, side: int) -> np.ndarray:
    """Return a square of a mapped picture, softened before it is shrunk, as the mean of several pixels would be."""
    scale = math.sqrt(abs(np.linalg.det(way[:, :2])))
    if scale < 0.85:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.3 / scale)
    how = cv2.INTER_LINEAR if scale < 1.5 else cv2.INTER_CUBIC
    return cv2.warpAffine(picture, way, (side, side), flags=how, borderMode=cv2.BORDER_REPLICATE)


# --- drawing --------------------------------------------------------------------------------------------------


def any_dye(rng: np.random.Generator) -> tuple[int, ...]:
    hsv = np.uint8([[[rng.integers(180), int(255 * rng.random() ** 0.6), rng.integers(15, 256)]]])
    return tuple(int(v) for v in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])


def bright(colour: Sequence[int]) -> float:
    return 0.11 * colour[0] + 0.59 * colour[1] + 0.3 * colour[2]


def dye(rng: np.random.Generator) -> None:
    """Choose the colours "body" and "ink" so that one is visible on the other."""
    for _ in range(50):
        body = any_dye(rng) if rng.random() < 0.5 else COLOURS[str(rng.choice(list(COLOURS)))]
        ink = INKS[rng.integers(len(INKS))] if rng.random() < 0.75 else any_dye(rng)
        gaudy = max(abs(a - b) for a, b in zip(body, ink, strict=True)) > 110
        if abs(bright(body) - bright(ink)) > 55 or (gaudy and rng.random() < 0.3):
            break
    COLOURS["body"], COLOURS["ink"] = body, ink


class Artist:
    """Draws dice without pips, one `kind` or as often as in `OFTEN`, in `fonts` (files), before the pictures."""

    def __init__(self, rng: np.random.Generator, pictures: list[Picture], fonts: list[str], kind: str | None) -> None:
        self.rng, self.pictures, self.fonts, self.kind = rng, pictures, fonts, kind
        self.prints: list[Print] = []

    def one(self) -> Alone:
        """Draw a die without pips, or something else."""
        return Alone.none(self.none()) if self.rng.random() < 0.12 else self.die()

    def die(self) -> Alone:
        rng = self.rng
        kind = self.kind or str(rng.choice(list(OFTEN), p=list(OFTEN.values())))
        dye(rng)
        made_of = str(rng.choice(["plain", "marbled", "clear", "speckled"], p=[0.5, 0.2, 0.12, 0.18]))
        die = DrawnDie("body", SIZE, "ink", kind, made_of, gloss=rng.uniform(0, 1.3), print=self.style())
        above = bool(rng.random() < 0.45)
        lens, pose = self.pose(kind, above)
        light = rng.normal(0, 0.5, 3)
        light[2] = abs(light[2]) + 0.55
        light = (light / np.linalg.norm(light)).astype(np.float32)
        patch = solids.draw(
            lens, pose, die, fine=1.6, light=light, crisp=luck(rng, 18, 90), swirl=float(rng.uniform(0, 50))
        )
        picture, cover, way = self.cut(patch, self.shade(lens, pose, kind, light))
        shape = SHAPES.index(SHAPE.get(kind, kind))
        return Alone(picture, cover, shape, above, label_facets(lens, pose, die, way, (patch.left, patch.top)))

    def style(self) -> Print:
        """Return one of three styles, which are replaced now and then: printing a sheet takes a while."""
        rng = self.rng
        if not self.prints or rng.random() < 0.14:
            self.prints = [self.new_style() for _ in range(3)]
        return self.prints[rng.integers(3)]

    def new_style(self) -> Print:
        rng = self.rng
        font = self.fonts[rng.integers(len(self.fonts))] if rng.random() < 0.93 else ""
        turn = float(rng.choice([0, 0, 0, 0, math.pi / 2, math.pi, -math.pi / 2])) if rng.random() < 0.25 else 0.0
        bold = float(rng.uniform(0, 0.07)) if rng.random() < 0.5 else 0.0
        return Print(
            font, str(rng.choice(["line", "dot"])), float(rng.uniform(0.75, 1.5)), turn,
            bold=bold, joined=bool(rng.random() < 0.3),
        )  # fmt: skip

    def pose(self, kind: str, above: bool) -> tuple[Lens, physics.Pose]:
        """Return a camera, and the pose of a die before it."""
        rng = self.rng
        height = float(rng.uniform(200, 700))
        tilt = abs(rng.normal(0, 6)) if above else rng.uniform(12, 58)
        edge = 4000
        lens = Lens((edge, edge), edge / (luck(rng, 30, 95) / 22), height, float(tilt))
        away, angle = (0.33 if above else 0.22) * height * math.sqrt(rng.random()), rng.uniform(0, math.tau)
        x, y = away * math.cos(angle), away * math.sin(angle) * (1 if above else 0.7)
        spin = physics.spin(float(rng.uniform(0, math.tau)))
        turn = spin @ shapes.lying(kind, int(rng.integers(1, shapes.faces(kind) + 1)), 0.0)
        return lens, physics.Pose(x, y, shapes.height(kind, SIZE, turn), turn)

    def shade(self, lens: Lens, pose: physics.Pose, kind: str, light: np.ndarray) -> Patch | None:
        """Return the die's shadow, or sometimes none."""
        if self.rng.random() > 0.8:
            return None
        corners = shapes.solid(kind).corners @ pose.turn.T * (SIZE / 2) + (pose.x, pose.y, pose.z)
        # In a drawn tray the lamp never moves; here it does.
        with mock.patch.object(paint, "LIGHT", light):
            return paint.shadow(lens, corners.astype(np.float32))

    def cut(self, patch: Patch, shade: Patch | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the square with the die in its middle, the die's cover, and the map from the patch to the square."""
        cover = 255 - patch.clear
        wide = 2 * math.sqrt(cover[..., 0].sum() / 255 / math.pi)
        rows, columns = (np.nonzero(cover[..., 0].max(axis=axis) > 127)[0] for axis in (1, 0))
        x, y = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
        side = math.ceil(SQUARE / WIDE * wide) + 4
        left, top = int(side / 2 - x), int(side / 2 - y)
        below, alpha = self.ground(side), np.zeros((side, side, 3), np.uint8)
        if shade is not None:
            shade.at(shade.left - patch.left + left, shade.top - patch.top + top).onto(below)
        patch.at(left, top).onto(below)
        Patch(left, top, cover, patch.clear).onto(alpha)
        way = mapped((x + left, y + top), MIDDLE, WIDE / wide)
        square, alpha = (warped(part, way, SQUARE) for part in (below, alpha))
        way[:, 2] += way[:, :2] @ (left, top)
        return square, alpha[..., 0], way

    def none(self) -> np.ndarray:
        """Draw something other than a die without pips: a photographed die with pips, another thing, or nothing."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.6:
            picture = self.pictures[rng.integers(len(self.pictures))]
            x, y, size, _ = picture.dice[rng.integers(len(picture.dice))]
            scale = WIDE / (1.05 * size) * float(np.exp(rng.normal(0, 0.15)))
            view, _ = look(rng, picture, x, y, scale, SQUARE, rng.uniform(0, math.tau), MIDDLE)
            return np.clip(view, 0, 255).astype(np.uint8)
        return self.thing() if kind < 0.75 else self.ground(SQUARE)

    def thing(self) -> np.ndarray:
        """Draw a die with pips or other signs, a lump of sugar or a coin."""
        rng = self.rng
        kind, body = str(rng.choice(["d6", "sign", "sugar", "coin"])), str(rng.choice(["plain", "marbled", "clear"]))
        dye(rng)
        die = DrawnDie("body", SIZE, "ink", kind, body, ring=kind == "d6" and bool(rng.random() < 0.2))
        lens = Lens((4000, 4000), 4000 / (WIDE / 22), 500.0, float(rng.uniform(0, 45)))
        turn = physics.spin(float(rng.uniform(0, math.tau)))
        turn = turn @ shapes.lying(kind, int(rng.integers(1, shapes.faces(kind) + 1)), 0.0)
        pose = physics.Pose(0, 0, shapes.height(kind, SIZE, turn), turn)
        patch = solids.draw(lens, pose, die, swirl=float(rng.uniform(0, 50)))
        below, (tall, wide) = self.ground(SQUARE), patch.clear.shape[:2]
        patch.at((SQUARE - wide) // 2, (SQUARE - tall) // 2).onto(below)
        return below

    def ground(self, side: int) -> np.ndarray:
        """Return a background without dice, (side, side, 3)."""
        return np.clip(ground(self.rng, self.pictures, side), 0, 255).astype(np.uint8)


def label_facets(lens: Lens, pose: physics.Pose, die: DrawnDie, way: np.ndarray, corner: tuple[int, int]) -> np.ndarray:
    """Return the labels of the visible facets, where `way` maps from a patch with this corner; see `Alone`."""
    facets = no_facets()
    top, *rest = solids.visible_facets(lens, pose, die)
    rest = sorted((facet for facet in rest if facet.facing > 0.3), key=lambda facet: -facet.facing)
    for row, facet in zip(facets, [top, *rest], strict=False):
        spot = way @ (facet.x - corner[0], facet.y - corner[1], 1)
        row[:] = *spot, *facet.up, facet.facing, SIGNS.index(shapes.MARKS[die.kind][facet.value - 1])
    return facets
