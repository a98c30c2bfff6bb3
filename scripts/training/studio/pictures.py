"""Generate photographs with ground truth from seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from scripts.training.studio import cameras, grounds, lights, render, scenes, things, truth
from scripts.training.studio.bodies import Mesh
from scripts.training.studio.dice import linear
from scripts.training.studio.lights import Lamp, Light
from scripts.training.studio.placing import Scene, Tray
from scripts.training.studio.surfaces import Surface, flat_surface
from scripts.training.studio.things import Limb
from vision.cameras.frames import Image
from vision.synthetic.physics import RigidPose

STEPS = 5  # poses of a moving die during the exposure
SKIN = ((222, 172, 142), (198, 140, 108), (150, 98, 70), (104, 66, 46), (236, 192, 168))


def take(
    name: str, number: int, seed: int, kinds: Sequence[str], fonts: Sequence[str], held: bool, logos: bool = False
) -> tuple[Image, dict[str, Any]]:
    """Return the photograph (BGR) of a scene and its ground truth. Deterministic for given arguments."""
    rng = Random(f"{seed} {name} {number} {' '.join(kinds)}")
    scene = scenes.build(rng, name, number, kinds, fonts, held, logos)
    still, light, words = furnish(rng, scene, held)
    steps = STEPS if scene.motion else 1
    total = np.zeros((scene.lens.size[1], scene.lens.size[0], 3), np.float32)
    for step in range(steps):
        moved = [shifted(one.pose, scene.motion[n] if scene.motion else (0, 0), step / max(1, steps - 1))
                 for n, one in enumerate(scene.dice)]  # fmt: skip
        stage = render.Stage(
            scene.lens, [(one.die, pose) for one, pose in zip(scene.dice, moved, strict=True)], still, light
        )
        owner, facet = stage.owners()
        if step == steps // 2:
            owners, facets = owner, facet
        total += stage.render(render.around(owner), rng.randrange(1 << 30), 1 / steps) / steps
    picture = cameras.develop(scene.camera, total, rng.randrange(1 << 30))
    return picture, truth.truth_of(scene, owners, facets, picture) | words


def shifted(pose: RigidPose, way: tuple[float, float], share: float) -> RigidPose:
    """Return the pose of a moving die at a share of the exposure. Its own pose is at one half."""
    return RigidPose(pose.x + way[0] * (share - 0.5), pose.y + way[1] * (share - 0.5), pose.z, pose.turn)


def furnish(rng: Random, scene: Scene, held: bool) -> tuple[list[Surface], Light, dict[str, str]]:
    """Return all surfaces except the dice, the light, and the names of ground and light for the ground truth."""
    still, words = lay_table(rng, scene.tray, held)
    still += [thing.surface(pose) for thing, pose in scene.things]
    if scene.hand:
        still += hand_surfaces(rng, scene.hand)
    light = lights.shine(rng)
    if scene.lamp_at:
        strong = rng.uniform(100, 300)
        lamp = Lamp(scene.lamp_at, rng.uniform(18, 45), (strong, strong * 0.85, strong * 0.65))
        light = replace(light, lamps=(lamp, *light.lamps[1:]))
    return still, light, words | {"light": light.name}


def lay_table(rng: Random, tray: Tray | None, held: bool) -> tuple[list[Surface], dict[str, str]]:
    """Sample a ground and materials of the tray, if any. Return their surfaces and names."""
    recipe = grounds.choose(rng, held)
    below = grounds.lay(rng, *recipe)
    reach = 900.0
    corners = np.array([(-reach, -reach, 0.0), (reach, -reach, 0), (reach, reach, 0), (-reach, reach, 0)])
    if tray is None:
        return [flat_surface(corners, below, rng.uniform(0, math.tau))], {"ground": below.name}
    still = [flat_surface(corners - (0, 0, tray.thick / 2 + 1), below, rng.uniform(0, math.tau))]
    inside = grounds.lay(rng, *grounds.choose(rng, held, ("felt", "felt", "leather", "cloth", "plastic")))
    lined = rng.random() < 0.5
    wall = inside if lined else grounds.lay(rng, *grounds.choose(rng, held, ("wood", "leather", "plastic")))
    still += tray_surfaces(tray, inside, wall, rng.uniform(0, math.tau))
    return still, {"ground": inside.name, "around": below.name}


def hand_surfaces(rng: Random, hand: tuple[list[Limb], list[Limb]]) -> list[Surface]:
    """Return the surfaces of a hand and its sleeve, in random colors."""
    skin, sleeve = hand
    made = [
        things.limbs_surface(skin, linear(rng.choice(SKIN)), 0.45, rng.randrange(1 << 30)),
        things.limbs_surface(sleeve, linear([rng.uniform(15, 210) for _ in range(3)]), 0.95, rng.randrange(1 << 30)),
    ]
    return [one for one in made if one is not None]


def tray_surfaces(tray: Tray, inside: grounds.Ground, wall: grounds.Ground, turn: float) -> list[Surface]:
    """Return the surfaces of a tray's floor and walls."""
    corners = np.array([(x, y, 0.0) for x, y in tray.corners])
    out = 1 + tray.slant / np.linalg.norm(corners[:, :2], axis=1).mean()
    top, outer = corners * [out, out, 0] + [0, 0, tray.high], tray.rim
    foot = outer * [1, 1, 0] - [0, 0, tray.thick / 2 + 1]
    parts = [flat_surface(corners, inside, turn)]
    for low, high in ((corners, top), (top, outer), (outer, foot)):
        for n in range(len(corners)):
            m = (n + 1) % len(corners)
            along = corners[m] - corners[n]
            ways = np.array([along / np.linalg.norm(along), (0, 0, 1.0)])
            if low is top:
                ways[1] = (*np.array([along[1], -along[0]]) / np.linalg.norm(along), 0)
            parts.append(flat_surface(np.array([low[m], low[n], high[n], high[m]]), wall, 0.0, ways))
    return [parts[0], merged(parts[1:])]


def merged(parts: Sequence[Surface]) -> Surface:
    """Merge surfaces of the same material."""
    sizes = np.cumsum([0] + [len(part.mesh.points) for part in parts])
    mesh = Mesh(
        np.vstack([part.mesh.points for part in parts]), np.vstack([part.mesh.normals for part in parts]),
        np.concatenate([part.mesh.facet for part in parts]),
        np.vstack([part.mesh.triangles + start for part, start in zip(parts, sizes, strict=False)]),
    )  # fmt: skip
    return replace(parts[0], mesh=mesh, spots=np.vstack([part.spots for part in parts]))
