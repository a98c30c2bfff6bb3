"""Render single dice without pips, each centered in a square."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from unittest import mock

import cv2
import numpy as np
from photos import Picture
from weather import ground

from vision.synthetic import paint, physics, shapes, solids
from vision.synthetic.paint import COLORS_BGR, Lens, Sprite
from vision.synthetic.prints import PrintStyle
from vision.synthetic.solids import SyntheticDie

SQUARE = 112  # edge of a square, in pixels
WIDE = 64.0  # width of the die in it: a disc of this diameter has the same area

MIDDLE = (SQUARE / 2 - 0.5, SQUARE / 2 - 0.5)

# share of each kind
OFTEN = {
    "d20": 0.21, "d24": 0.1, "tetrakis": 0.05, "d10": 0.13, "d100": 0.05, "d8": 0.09, "d12": 0.03, "numeral": 0.15,
    "pitch": 0.19,
}  # fmt: skip

INKS = [(235, 238, 240), (25, 25, 25), (64, 170, 210)]

SIZE = 20.0


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """A rendered square: `picture` (SQUARE, SQUARE, 3) in BGR bytes, and the die's mask `cover` (SQUARE, SQUARE), 0 to
    255. `above` is True if the camera is high enough for the square to be rotated."""

    picture: np.ndarray
    cover: np.ndarray
    above: bool


def luck(rng: np.random.Generator, low: float, high: float) -> float:
    """Sample a number log-uniformly."""
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def mapped(at: tuple[float, float], to: tuple[float, float], scale: float, turn: float = 0.0) -> np.ndarray:
    """Return the affine map (2, 3) that moves `at` to `to`, rotated and scaled."""
    cos, sin = scale * math.cos(turn), scale * math.sin(turn)
    part = np.array([[cos, -sin], [sin, cos]])
    return np.column_stack([part, np.array(to) - part @ np.array(at)])


def warped(picture: np.ndarray, way: np.ndarray, side: int) -> np.ndarray:
    """Warp an image to a square, with a low-pass filter before it is reduced."""
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
    """Choose the colors "body" and "ink" with enough contrast."""
    for _ in range(50):
        body = any_dye(rng) if rng.random() < 0.5 else COLORS_BGR[str(rng.choice(list(COLORS_BGR)))]
        ink = INKS[rng.integers(len(INKS))] if rng.random() < 0.75 else any_dye(rng)
        gaudy = max(abs(a - b) for a, b in zip(body, ink, strict=True)) > 110
        if abs(bright(body) - bright(ink)) > 55 or (gaudy and rng.random() < 0.3):
            break
    COLORS_BGR["body"], COLORS_BGR["ink"] = body, ink


class Artist:
    """Renders dice without pips over backgrounds, of one `kind` or as often as in `OFTEN`, in `fonts` (files)."""

    def __init__(self, rng: np.random.Generator, pictures: list[Picture], fonts: list[str], kind: str | None) -> None:
        self.rng, self.pictures, self.fonts, self.kind = rng, pictures, fonts, kind
        self.prints: list[PrintStyle] = []

    def die(self) -> Alone:
        rng = self.rng
        kind = self.kind or str(rng.choice(list(OFTEN), p=list(OFTEN.values())))
        dye(rng)
        made_of = str(rng.choice(["plain", "marbled", "clear", "speckled"], p=[0.5, 0.2, 0.12, 0.18]))
        die = SyntheticDie("body", SIZE, "ink", kind, made_of, gloss=rng.uniform(0, 1.3), print=self.style())
        above = bool(rng.random() < 0.45)
        lens, pose = self.pose(kind, above)
        light = rng.normal(0, 0.5, 3)
        light[2] = abs(light[2]) + 0.55
        light = (light / np.linalg.norm(light)).astype(np.float32)
        patch = solids.draw_die(
            lens, pose, die, fine=1.6, light=light, crisp=luck(rng, 18, 90), swirl=float(rng.uniform(0, 50))
        )
        picture, cover, _ = self.cut(patch, self.shade(lens, pose, kind, light))
        return Alone(picture, cover, above)

    def style(self) -> PrintStyle:
        """Return one of three cached styles, which are replaced now and then, because rendering a sheet takes a
        while."""
        rng = self.rng
        if not self.prints or rng.random() < 0.14:
            self.prints = [self.new_style() for _ in range(3)]
        return self.prints[rng.integers(3)]

    def new_style(self) -> PrintStyle:
        rng = self.rng
        font = self.fonts[rng.integers(len(self.fonts))] if rng.random() < 0.93 else ""
        turn = float(rng.choice([0, 0, 0, 0, math.pi / 2, math.pi, -math.pi / 2])) if rng.random() < 0.25 else 0.0
        bold = float(rng.uniform(0, 0.07)) if rng.random() < 0.5 else 0.0
        return PrintStyle(
            font, str(rng.choice(["line", "dot"])), float(rng.uniform(0.75, 1.5)), turn,
            bold=bold, joined=bool(rng.random() < 0.3),
        )  # fmt: skip

    def pose(self, kind: str, above: bool) -> tuple[Lens, physics.RigidPose]:
        """Sample a camera and the pose of a die in front of it."""
        rng = self.rng
        height = float(rng.uniform(200, 700))
        tilt = abs(rng.normal(0, 6)) if above else rng.uniform(12, 58)
        edge = 4000
        lens = Lens((edge, edge), edge / (luck(rng, 30, 95) / 22), height, float(tilt))
        away, angle = (0.33 if above else 0.22) * height * math.sqrt(rng.random()), rng.uniform(0, math.tau)
        x, y = away * math.cos(angle), away * math.sin(angle) * (1 if above else 0.7)
        spin = physics.vertical_rotation(float(rng.uniform(0, math.tau)))
        turn = spin @ shapes.lying_rotation(kind, int(rng.integers(1, shapes.facet_count(kind) + 1)), 0.0)
        return lens, physics.RigidPose(x, y, shapes.center_height(kind, SIZE, turn), turn)

    def shade(self, lens: Lens, pose: physics.RigidPose, kind: str, light: np.ndarray) -> Sprite | None:
        """Return the die's shadow, or sometimes None."""
        if self.rng.random() > 0.8:
            return None
        corners = shapes.solid_of_kind(kind).corners @ pose.turn.T * (SIZE / 2) + (pose.x, pose.y, pose.z)
        # The lamp of a synthetic tray is fixed, but here it moves.
        with mock.patch.object(paint, "LAMP_DIRECTION", light):
            return paint.draw_shadow(lens, corners.astype(np.float32))

    def cut(self, patch: Sprite, shade: Sprite | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the square with the die at its center, the die's mask, and the map from the sprite to the square."""
        cover = 255 - patch.clear
        wide = 2 * math.sqrt(cover[..., 0].sum() / 255 / math.pi)
        rows, columns = (np.nonzero(cover[..., 0].max(axis=axis) > 127)[0] for axis in (1, 0))
        x, y = (columns[0] + columns[-1]) / 2, (rows[0] + rows[-1]) / 2
        side = math.ceil(SQUARE / WIDE * wide) + 4
        left, top = int(side / 2 - x), int(side / 2 - y)
        below, alpha = self.ground(side), np.zeros((side, side, 3), np.uint8)
        if shade is not None:
            shade.moved_to(shade.left - patch.left + left, shade.top - patch.top + top).paste_onto(below)
        patch.moved_to(left, top).paste_onto(below)
        Sprite(left, top, cover, patch.clear).paste_onto(alpha)
        way = mapped((x + left, y + top), MIDDLE, WIDE / wide)
        square, alpha = (warped(part, way, SQUARE) for part in (below, alpha))
        way[:, 2] += way[:, :2] @ (left, top)
        return square, alpha[..., 0], way

    def ground(self, side: int) -> np.ndarray:
        return np.clip(ground(self.rng, self.pictures, side), 0, 255).astype(np.uint8)
