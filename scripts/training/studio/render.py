"""The path tracer: from surfaces and light to a picture in linear light, and which die each pixel shows.

Needs mitsuba (the `train` extra) and, without a GPU, LLVM 16 or newer (Debian: libllvm19).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import drjit
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from scripts.training.studio.bodies import Mesh
from scripts.training.studio.lights import Light
from scripts.training.studio.surfaces import NOBODY, Ink, Material, Surface
from vision.dice.polyhedra import Floats
from vision.drawn.paint import Lens

MIRROR = np.array([1.0, -1.0, 1.0])  # the path tracer's world is right-handed, ours is not


def start(threads: int = 1) -> str:
    """Choose a GPU if there is one, else this many threads of the processor; return the name of what renders."""
    if not drjit.has_backend(drjit.JitBackend.CUDA):
        found = sorted(Path("/usr/lib").glob("*/libLLVM.so.*"), key=lambda one: int(one.name.split(".")[2]))
        if found:
            # By itself it may take an older version, which cannot compile everything.
            os.environ.setdefault("DRJIT_LIBLLVM_PATH", str(found[-1]))
    variant = "cuda_ad_rgb" if drjit.has_backend(drjit.JitBackend.CUDA) else "llvm_ad_rgb"
    mi.set_variant(variant)
    drjit.set_thread_count(threads)
    mi.set_log_level(mi.LogLevel.Error)
    return variant


class Stage:
    """A scene in the path tracer. Make it with `surfaces`, `light` and `lens`; then `render` and `owners`."""

    def __init__(self, surfaces: Sequence[Surface], light: Light, lens: Lens) -> None:
        self.lens, self._surfaces = lens, filled(surfaces)
        parts: dict[str, Any] = {"type": "scene", "integrator": {"type": "path", "max_depth": 6, "rr_depth": 3}}
        parts["sensor"] = sensor(lens)
        parts["around"] = {
            "type": "envmap", "bitmap": mi.Bitmap(np.ascontiguousarray(light.around)),
            "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),
        }  # fmt: skip
        for n, lamp in enumerate(light.lamps):
            place = list(np.array(lamp.place) * MIRROR)
            up = [0, 1, 0] if math.hypot(*place[:2]) < 1 else [0, 0, 1]
            parts[f"lamp{n}"] = {
                "type": "disk",
                "to_world": mi.ScalarTransform4f().look_at(place, [0, 0, 0], up).scale(lamp.radius),
                "emitter": {"type": "area", "radiance": {"type": "rgb", "value": list(lamp.light)}},
            }
        parts |= {f"part{n:03}": mesh(surface, f"part{n:03}") for n, surface in enumerate(self._surfaces)}
        self._scene = mi.load_dict(parts)

    def render(self, samples: int, seed: int) -> Floats:
        """Return the picture, (rows, columns, 3), red first, linear; `samples` rays a pixel."""
        return np.asarray(mi.render(self._scene, spp=samples, seed=seed), np.float32)

    def owners(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return for each pixel the number of the die it shows, or `surfaces.NOBODY`, and the facet of that die."""
        wide, tall = self.lens.size
        column, row = np.meshgrid(np.arange(wide, dtype=np.float32), np.arange(tall, dtype=np.float32))
        way = self.lens.rays(column.ravel(), row.ravel()) * MIRROR[:, None]
        eye = mi.Point3f([float(v) for v in self.lens.eye * MIRROR])
        hit = self._scene.ray_intersect_preliminary(mi.Ray3f(eye, mi.Vector3f(np.ascontiguousarray(way, np.float32))))
        shape = np.asarray(drjit.reinterpret_array(mi.UInt32, hit.shape))
        triangle = np.asarray(hit.prim_index).astype(np.int64)
        owner, facet = np.full((2, wide * tall), NOBODY, np.int32)
        shapes = {one.id(): mi.ShapePtr(one) for one in self._scene.shapes()}
        for n, surface in enumerate(self._surfaces):
            if surface.owner != NOBODY:
                number = np.asarray(drjit.reinterpret_array(mi.UInt32, shapes[f"part{n:03}"]))[0]
                mine = np.flatnonzero(shape == number)
                owner[mine] = surface.owner
                facet[mine] = surface.mesh.facet[surface.mesh.triangles[triangle[mine], 0]]
        return owner.reshape(tall, wide), facet.reshape(tall, wide)


def sensor(lens: Lens) -> dict[str, Any]:
    """Return the camera."""
    wide, tall = lens.size
    eye = np.array(lens.eye, float) * MIRROR
    tilt = math.radians(lens.tilt)
    return {
        "type": "perspective", "fov_axis": "x", "fov": math.degrees(2 * math.atan(lens.view / 2 / lens.height)),
        "near_clip": 1.0, "far_clip": 10000.0,
        "to_world": mi.ScalarTransform4f().look_at(list(eye), [0, 0, 0], [0, math.cos(tilt), math.sin(tilt)]),
        "film": {"type": "hdrfilm", "width": wide, "height": tall, "pixel_format": "rgb", "component_format": "float32",
                 "rfilter": {"type": "box"}},
        "sampler": {"type": "multijitter"},
    }  # fmt: skip


def mesh(surface: Surface, name: str) -> Any:
    """Return a surface as the path tracer's mesh."""
    part, material = surface.mesh, surface.material
    properties = mi.Properties()
    properties["mesh_bsdf"] = mi.load_dict(bsdf(material))
    made = mi.Mesh(name, len(part.points), len(part.triangles), has_vertex_normals=True, has_vertex_texcoords=True,
                   props=properties)  # fmt: skip
    color = np.asarray(material.color, np.float32)
    if color.ndim < 3:
        made.add_attribute("vertex_color", 3, np.ascontiguousarray(np.broadcast_to(color, part.points.shape)).ravel())
    values = mi.traverse(made)
    values["vertex_positions"] = np.ascontiguousarray(part.points * MIRROR, np.float32).ravel()
    values["vertex_normals"] = np.ascontiguousarray(part.normals * MIRROR, np.float32).ravel()
    values["vertex_texcoords"] = np.ascontiguousarray(surface.spots, np.float32).ravel()
    values["faces"] = np.ascontiguousarray(part.triangles[:, ::-1], np.uint32).ravel()
    values.update()
    made.set_id(name)
    return made


def picture(values: Floats) -> dict[str, Any]:
    """Return a texture that repeats."""
    bitmap = mi.Bitmap(np.ascontiguousarray(values if values.ndim == 3 else values[..., None], np.float32))
    return {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "repeat"}


def principled(color: dict[str, Any], material: Material) -> dict[str, Any]:
    """Return an opaque material. None of its parts is ever missing, so that all scenes share one compiled program."""
    return {
        "type": "principled", "base_color": color, "roughness": material.rough, "specular": material.gloss,
        "metallic": max(material.metal, 1e-3), "clearcoat": max(material.coat, 1e-3), "clearcoat_gloss": 0.9,
        "sheen": max(material.sheen, 1e-3),
    }  # fmt: skip


def bsdf(material: Material) -> dict[str, Any]:
    """Return how a material scatters light: one of four kinds, each of them in every scene (see `SAMPLES`)."""
    if material.relief is not None:
        assert not isinstance(material.color, tuple)
        below = principled(picture(material.color), material)
        return {"type": "bumpmap", "relief": picture(material.relief), "scale": 1.0, "below": below}
    vertex = {"type": "mesh_attribute", "name": "vertex_color"}
    body = principled(vertex, material)
    if material.ink is None:
        return body
    color = {"type": "rgb", "value": list(material.ink.color)}
    paint = principled(color, Material(material.ink.color, 0.35, 0.4, 0.8 if material.ink.metallic else 0.0))
    if material.clear:
        assert not isinstance(material.color, tuple)
        tint = [float(v) ** 0.3 for v in material.color.mean(axis=0)]
        glass = {"type": "dielectric", "int_ior": 1.45, "specular_transmittance": {"type": "rgb", "value": tint}}
        milky = {"type": "twosided", "b": {"type": "diffuse", "reflectance": vertex}}
        body = {"type": "blendbsdf", "weight": material.milk, "clear": glass, "milk": milky}
        paint = {"type": "twosided", "b": paint}
    return {"type": "blendbsdf", "weight": picture(material.ink.cover), "body": body, "paint": paint}


def filled(surfaces: Sequence[Surface]) -> list[Surface]:
    """Return the surfaces by kind of material, with hidden ones up to `MANY` of each: the program that is compiled for
    a scene depends on their number and order, and one that was compiled before serves again."""
    found: list[Surface] = []
    for sample, many in MANY:
        alike = [one for one in surfaces if type_of(one.material) == type_of(sample)]
        found += alike + [hidden(sample)] * (many - len(alike))
    return found


def type_of(material: Material) -> tuple[bool, bool, bool]:
    """Return what decides which plugins a material needs."""
    return material.relief is not None, material.ink is not None, material.clear


def hidden(material: Material) -> Surface:
    """Return a tiny triangle of a material far below the table."""
    points = np.array([(0.0, 0, -900), (1, 0, -900), (0, 1, -900)])
    mesh = Mesh(points, np.tile([0.0, 0, 1], (3, 1)), np.zeros(3, int), np.array([[0, 1, 2]]))
    return Surface(mesh, np.zeros((3, 2), np.float32), material)


BLANK = np.full((2, 2), 0.5, np.float32)
GRAY = (0.5, 0.5, 0.5)
MANY = (
    (Material(np.ones((2, 2, 3), np.float32), 0.5, relief=BLANK), 3),
    (Material(GRAY, 0.5), 8),
    (Material(GRAY, 0.5, ink=Ink(BLANK, GRAY, False)), 8),
    (Material(np.ones((3, 3), np.float32), 0.5, clear=True, milk=0.5, ink=Ink(BLANK, GRAY, False)), 6),
)
