"""Path tracer: render dice, surfaces and light to linear light, and find the die at each pixel.

`tracer.c` does the work. The C compiler `cc` compiles it at the first import.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scripts.training.studio.dice import StudioDie, cut_sheet, ink_sheet
from scripts.training.studio.lights import Light
from scripts.training.studio.surfaces import Surface
from vision.dice.polyhedra import Floats
from vision.synthetic.paint import Lens
from vision.synthetic.physics import RigidPose

NEAR = 20  # rays per pixel on or near a die 40 pixels wide
FAR = 2  # rays per pixel elsewhere, at one pixel in four
AROUND = 13  # margin around a die that counts as near, in pixels
CLIP = 3.0  # Indirect radiance after two bounces is clipped to this value.

Float = ctypes.c_float
Int = ctypes.c_int32
Address = ctypes.c_void_p
F3 = Float * 3


def _fields(*parts: tuple[Any, str]) -> list[tuple[str, Any]]:
    """Return the fields of a structure in `tracer.c`, from types and space-separated names."""
    return [(name, kind) for kind, names in parts for name in names.split()]


class _Body(ctypes.Structure):
    _fields_ = _fields(
        (F3, "place"), (Float * 9, "turn"), (Float, "bound sharp ball half cut"), (Int, "planes first material owner"),
        (Address, "cover depth"), (Int, "rows columns"),
    )  # fmt: skip


class _Material(ctypes.Structure):
    _fields_ = _fields(
        (F3, "color second"), (Int, "pattern"), (Float, "rough gloss metal coat clear milk"), (F3, "ink"),
        (Float, "ink_metal"), (Address, "waves picture relief"), (Int, "rows columns"), (Float, "wide"),
    )  # fmt: skip


class _Lamp(ctypes.Structure):
    _fields_ = _fields((F3, "place way"), (Float, "radius"), (F3, "light"))


class _World(ctypes.Structure):
    _fields_ = _fields(
        (Address, "bodies planes"), (Int, "body_count"), (Address, "materials points triangles"),
        (Int, "triangle_count"), (Address, "tree around"), (Int, "around_rows around_columns"), (Address, "summed"),
        (Float, "sum"), (_Lamp * 2, "lamps"), (F3, "eye"), (F3 * 3, "axes"), (Float, "focal"), (Int, "wide tall"),
        (Float, "clip"),
    )  # fmt: skip


@lru_cache(maxsize=1)
def _tracer() -> ctypes.CDLL:
    source = Path(__file__).with_name("tracer.c")
    made = source.with_suffix(".so")
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        # GCC 12 is ten times slower with newer architectures or more vectorization. The library is linked separately,
        # because linking with fast math changes floating-point arithmetic in the entire process.
        with TemporaryDirectory(dir=source.parent) as work:  # Several processes may compile at the same time.
            compiled, fresh = Path(work) / "tracer.o", Path(work) / "tracer.so"
            options = ["-O2", "-ffast-math", "-fno-finite-math-only", "-fPIC"]
            subprocess.run(["cc", *options, "-c", "-o", str(compiled), str(source)], check=True)
            subprocess.run(["cc", "-shared", "-o", str(fresh), str(compiled), "-lm"], check=True)
            fresh.rename(made)
    found = ctypes.CDLL(str(made))
    found.render.argtypes = [Address, Address, ctypes.c_uint64, *[Address] * 4]
    found.owners.argtypes = [Address] * 3
    found.prepare.argtypes = [Address]
    return found


class Stage:
    """A scene in the path tracer: posed dice, other surfaces, light and lens."""

    def __init__(
        self, lens: Lens, dice: Sequence[tuple[StudioDie, RigidPose]], still: Sequence[Surface], light: Light
    ) -> None:
        self._lens, self._kept = lens, list[Any]()
        bodies, planes = [], [np.zeros((0, 14), np.float32)]
        materials = []
        for number, (die, pose) in enumerate(dice):
            bodies.append(self._body(die, pose, number, sum(map(len, planes))))
            planes.append(_planes(die))
            materials.append(self._finish(die))
        points, triangles, count = [], [], 0
        for part in still:
            rows, corners = _points(part), part.mesh.points[part.mesh.triangles]
            made = np.zeros(len(corners), np.dtype([("corners", np.float32, 9), ("points", np.int32, 4)]))
            made["corners"] = np.hstack([corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]])
            made["points"] = np.column_stack([part.mesh.triangles + count, np.full(len(corners), len(materials))])
            points.append(rows)
            triangles.append(made)
            materials.append(self._covering(part))
            count += len(rows)
        every = np.concatenate(triangles)
        around = cv2.resize(np.asarray(light.around, np.float32), None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
        world = self._world = _World()
        world.body_count, world.triangle_count = len(bodies), len(every)
        self._bodies, self._materials = (_Body * max(1, len(bodies)))(*bodies), (_Material * len(materials))(*materials)
        world.bodies, world.materials = ctypes.addressof(self._bodies), ctypes.addressof(self._materials)
        world.planes, world.points, world.triangles = map(self._keep, (np.vstack(planes), np.vstack(points), every))
        world.tree = self._keep(np.zeros((2 * len(every) + 2, 8), np.float32))
        world.around, (world.around_rows, world.around_columns) = self._keep(around), around.shape[:2]
        world.summed = self._keep(np.zeros(around.shape[:2], np.float32))
        for number, lamp in enumerate(light.lamps):
            way = -np.array(lamp.place) / np.linalg.norm(lamp.place)
            world.lamps[number] = _Lamp(F3(*lamp.place), F3(*way), lamp.radius, F3(*lamp.light))
        world.eye = F3(*map(float, lens.camera_position))
        for number, axis in enumerate(lens.camera_axes):
            world.axes[number] = F3(*map(float, axis))
        world.focal, (world.wide, world.tall), world.clip = lens.pixels_per_mm * lens.height, lens.size, CLIP
        _tracer().prepare(ctypes.byref(world))

    def _keep(self, array: NDArray[Any]) -> int:
        """Keep an array alive with this stage, and return its address."""
        self._kept.append(np.ascontiguousarray(array))
        return int(self._kept[-1].ctypes.data)

    def _body(self, die: StudioDie, pose: RigidPose, owner: int, first: int) -> _Body:
        body, made = die.body, _Body()
        made.place, made.turn = F3(pose.x, pose.y, pose.z), (Float * 9)(*np.asarray(pose.turn, float).ravel())
        made.bound = float(np.linalg.norm(body.points, axis=1).max()) * 1.03
        made.sharp, made.ball, made.half, made.cut = body.sharp, min(body.ball, 1e3), die.size / 2, die.cut
        made.planes, made.first, made.material, made.owner = len(die.shape.normals), first, owner, owner
        cover = _halved(ink_sheet(die))
        made.cover, made.rows, made.columns = self._keep(cover), *cover.shape
        if die.cut:
            made.depth = self._keep(_halved(cut_sheet(die)))
        return made

    def _finish(self, die: StudioDie) -> _Material:
        """Return the material of a die."""
        made, (one, two) = _Material(), die.colors
        made.rough, made.gloss = die.rough, 0.5
        match die.finish:
            case "pearlescent":
                made.pattern, made.rough, made.gloss, made.metal, made.coat = 1, die.rough + 0.1, 0.6, 0.45, 0.6
            case "marbled":
                made.pattern, made.coat = 2, 0.3
            case "speckled":
                made.pattern = 3
            case "metal":
                made.metal = 1.0
            case "translucent":
                made.clear, made.milk = 1.0, 0.12 + (die.swirl % 40) / 100
                two = tuple(max(tone, 1e-3) ** 0.15 for tone in one)  # remaining light after each pass through the body
        made.color, made.second = F3(*one), F3(*two)
        made.ink, made.ink_metal = F3(*die.ink), 0.8 * die.metallic
        rng = np.random.default_rng(die.swirl)
        paces = 2.5, 2.5, 2.5, (1.0, 5.0, 2.6, 16.0)[made.pattern]
        waves = [np.column_stack([rng.normal(size=(14, 3)) * pace, rng.uniform(0, 6.283185, 14)]) for pace in paces]
        made.waves = self._keep(np.vstack(waves).astype(np.float32))
        return made

    def _covering(self, part: Surface) -> _Material:
        """Return the material of a surface."""
        made, given = _Material(), part.material
        made.rough, made.gloss, made.metal, made.coat = given.rough, given.gloss, given.metal, given.coat
        if given.relief is not None:
            picture = np.asarray(given.color, np.float32)
            made.picture, made.rows, made.columns = self._keep(picture), *picture.shape[:2]
            made.relief, made.wide = self._keep(np.asarray(given.relief, np.float32)), given.wide
        return made

    def render(self, near: NDArray[np.bool_], seed: int, share: float = 1.0) -> Floats:
        """Render linear RGB, (rows, columns, 3). `near` is the mask of dice and their motion, and `share` scales the
        number of rays, 0 to 1."""
        rays = np.zeros(near.shape, np.uint8)
        rays[::2, ::2] = FAR
        usual = (2.5 / self._lens.pixels_per_mm) ** 2  # the larger the dice, the fewer rays per pixel are needed
        rays[near] = max(2, round(NEAR * min(1.5, max(0.25, usual)) * share))
        dice, own, light = (np.zeros((*near.shape, 3), np.float32) for _ in range(3))
        count = np.zeros(near.shape, np.float32)
        addresses = (part.ctypes.data for part in (dice, own, light, count))
        _tracer().render(ctypes.byref(self._world), rays.ctypes.data, seed, *addresses)
        return np.asarray(dice + (own + 0.01) * smoothed(light, count, near), np.float32)

    def owners(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the index of the visible die at each pixel, or -1, and of its facet."""
        wide, tall = self._lens.size
        owner, facet = np.full((2, tall, wide), -1, np.int32)
        _tracer().owners(ctypes.byref(self._world), owner.ctypes.data, facet.ctypes.data)
        return owner, facet


def around(owner: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return the mask of pixels on or near dice, for `render`."""
    return np.asarray(cv2.dilate((owner >= 0).astype(np.uint8), np.ones((2 * AROUND + 1,) * 2, np.uint8)) > 0)


def smoothed(light: Floats, count: Floats, near: NDArray[np.bool_]) -> Floats:
    """Denoise the light on the ground, without its color. It is smoothed little near dice, where shadows are sharp and
    rays are many, and more elsewhere. `light` is the sum of `count` rays."""
    tall, wide = count.shape
    blocks = [np.asarray(part[: tall // 2 * 2, : wide // 2 * 2], np.float32) for part in (light, count[..., None])]
    total, many = (part[::2, ::2] + part[1::2, ::2] + part[::2, 1::2] + part[1::2, 1::2] for part in blocks)
    known = many > 0
    found = np.where(known, total / np.maximum(many, 1), 0).astype(np.float32)
    weight = known.astype(np.float32)
    fill = [cv2.GaussianBlur(part, (0, 0), 3) for part in (found, weight)]
    found = np.where(known, found, fill[0] / np.maximum(fill[1], 1e-3).reshape(*weight.shape[:2], 1))
    logs = np.log(found + 1e-3).astype(np.float32)
    calm = cv2.bilateralFilter(cv2.GaussianBlur(cv2.medianBlur(logs, 5), (0, 0), 0.8), 11, 0.5, 3.5)
    fine = cv2.bilateralFilter(cv2.medianBlur(logs, 3), 5, 0.35, 1.0)
    inner = cv2.erode(near.astype(np.uint8), np.ones((7, 7), np.uint8)).astype(np.float32)
    blend = cv2.resize(cv2.GaussianBlur(inner, (0, 0), 3), logs.shape[1::-1], interpolation=cv2.INTER_AREA)[..., None]
    even = np.exp(fine * blend + calm * (1 - blend)) - 1e-3
    return np.asarray(cv2.resize(np.maximum(even, 0), (wide, tall), interpolation=cv2.INTER_LINEAR), np.float32)


def _halved(sheet: Floats) -> Floats:
    return np.asarray(cv2.resize(sheet, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _planes(die: StudioDie) -> Floats:
    """Return a die's facets: normal, distance, right, down, center and tile."""
    shape, half = die.shape, die.size / 2
    tiles = np.array(die.values)[:, None] - 1
    parts = [shape.normals, shape.far[:, None] * half, shape.right, shape.down, shape.middle, tiles]
    return np.hstack(parts).astype(np.float32)


def _points(part: Surface) -> Floats:
    """Return a surface's points: position, normal, color and texture coordinates."""
    color = np.asarray(part.material.color, np.float32)
    shown = np.zeros_like(part.mesh.points) if color.ndim == 3 else np.broadcast_to(color, part.mesh.points.shape)
    return np.hstack([part.mesh.points, part.mesh.normals, shown, part.spots]).astype(np.float32)
