"""Virtual cameras: poses, and image formation with blur, exposure, noise, sharpening and JPEG."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import cv2
import numpy as np

from scripts.training.studio.dice import Color
from vision.cameras.frames import Image
from vision.dice.polyhedra import Floats
from vision.synthetic.paint import Lens


@dataclass(frozen=True, slots=True)
class Model:
    """A camera model with the ranges of its parameters.

    view: horizontal field of view, in degrees.
    sizes: resolutions.
    blur: defocus, as a share of the image width.
    noise: standard deviation of a mid-gray pixel, 0 to 1.
    sharpen, quality: strength of sharpening, and JPEG quality.
    """

    name: str
    view: tuple[float, float]
    sizes: tuple[tuple[int, int], ...]
    blur: tuple[float, float]
    noise: tuple[float, float]
    sharpen: tuple[float, float]
    quality: tuple[int, int]


MODELS = (
    Model("Pi Camera 2", (50, 62), ((640, 480), (640, 480), (640, 480), (820, 616)), (0.0003, 0.0018),
          (0.004, 0.014), (0.3, 1.2), (85, 96)),
    Model("Pi Camera 3", (54, 66), ((640, 480), (640, 480), (768, 432)), (0.0003, 0.0009), (0.003, 0.012),
          (0.3, 1.0), (85, 96)),
    Model("webcam", (48, 74), ((640, 480), (640, 480), (800, 448), (800, 600)), (0.0008, 0.0026), (0.008, 0.03),
          (0.0, 2.0), (50, 90)),
)  # fmt: skip
GRAIN = 0.4  # standard deviation of the log of neighboring pixels caused by few rays
LEAST = 34  # minimum width in pixels of a 16 mm die in an image


@dataclass(frozen=True, slots=True)
class Camera:
    """One camera at one table, with its lens and image processing.

    blur: defocus in pixels.
    vignette: light lost in the corners, 0 to 1.
    flicker: strength of bands caused by mains-powered lamps, 0 to 1.
    balance: gain of each channel.
    exposure: level of mid-gray.
    """

    model: str
    lens: Lens
    blur: float
    noise: float
    sharpen: float
    quality: int
    exposure: float
    contrast: float
    saturation: float
    balance: Color
    vignette: float
    flicker: float
    smooth: bool


@dataclass(frozen=True, slots=True)
class Locks:
    """Settings that a camera found and may lock: the gains of the channels, and the overall gain."""

    balance: Color
    gain: float


def restored(data: Mapping[str, Any]) -> tuple[Camera, Locks]:
    """Load the camera and its locked settings from the data of a table.json."""
    lens, locks = data["camera"]["lens"], data["locks"]
    red, green, blue = locks["balance"]
    wide, tall = lens["size"]
    camera = Camera(**{**data["camera"], "lens": Lens((wide, tall), lens["view"], lens["height"], lens["tilt"])})
    return camera, Locks((red, green, blue), locks["gain"])


def hang(rng: Random, view: float | None = None) -> Camera:
    """Sample a camera over a table. `view` is the width of its field of view at the table's center in mm."""
    model = rng.choice(MODELS)
    size = rng.choice(model.sizes)
    if view is None:
        view = min(rng.uniform(120, 270), size[0] * 16 / LEAST)
    angle = math.radians(rng.uniform(*model.view))
    tilt = rng.choice((rng.uniform(0, 6), rng.uniform(0, 12), rng.uniform(6, 25), rng.uniform(20, 38)))
    width = size[0]
    return Camera(
        model.name, Lens(size, view, view / 2 / math.tan(angle / 2), tilt), rng.uniform(*model.blur) * width,
        rng.uniform(*model.noise), rng.uniform(*model.sharpen), rng.randint(*model.quality), rng.uniform(0.12, 0.26),
        rng.uniform(0.0, 0.5), rng.uniform(0.8, 1.25),
        (rng.uniform(0.93, 1.07), 1.0, rng.uniform(0.93, 1.07)), rng.uniform(0, 0.35),
        rng.choice((0.0, 0.0, rng.uniform(0.0, 0.12))), model.name == "webcam" or rng.random() < 0.4,
    )  # fmt: skip


def develop(camera: Camera, light: Floats, seed: int, locks: Locks | None = None) -> Image:
    """Develop linear light (rows, columns, 3; RGB) to a photograph (BGR). `locks` are locked settings, or None to
    adjust to this image."""
    return shoot(camera, softened(camera, light), seed, locks)


def softened(camera: Camera, light: Floats) -> Floats:
    """Return the light on the sensor after defocus, denoised."""
    return np.asarray(cv2.GaussianBlur(calmed(light), (0, 0), max(camera.blur, 0.35)), np.float32)


def shoot(camera: Camera, light: Floats, seed: int, locks: Locks | None = None) -> Image:
    """Develop light that `softened` returned. The arguments are as in `develop`."""
    rng = np.random.default_rng(seed)
    tall, wide = light.shape[:2]
    locks = locks or adjusted(camera, light)
    light = np.asarray(light * np.array(locks.balance), np.float32)
    light = light * locks.gain
    row, column = np.mgrid[:tall, :wide].astype(np.float32)
    away = ((row / tall - 0.5) ** 2 + (column / wide - 0.5) ** 2) * 2
    light *= (1 - camera.vignette * away)[..., None]
    if camera.flicker:
        light *= (1 + camera.flicker * np.sin(row / tall * rng.uniform(4, 22) + rng.uniform(0, 6.3)))[..., None]
    # Shot noise grows with the square root of the light, above a floor.
    strong = camera.noise * np.sqrt(np.maximum(light, 0) / 0.2 * 0.85 + 0.15)
    grain = rng.standard_normal(light.shape, dtype=np.float32)
    # A Bayer sensor measures one channel per pixel and interpolates the others.
    grain = grain * 0.6 + cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.2
    light = np.asarray(light + strong * grain, np.float32)
    picture = tone(camera, light)
    if camera.smooth:
        picture = cv2.bilateralFilter(picture, 5, 0.02 + 2.5 * camera.noise, 1.5).astype(np.float32)
    if camera.sharpen:
        picture = picture + camera.sharpen * (picture - cv2.GaussianBlur(picture, (0, 0), 1.2))
    out = np.clip(picture[..., ::-1] * 255 + 0.5, 0, 255).astype(np.uint8)
    _, code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, camera.quality])
    decoded = cv2.imdecode(code, cv2.IMREAD_COLOR)
    assert decoded is not None
    return decoded.astype(np.uint8)


def calmed(light: Floats) -> Floats:
    """Remove most of the Monte Carlo noise, because cameras have their own noise."""
    # A pixel far brighter than all its neighbors is a firefly, caused by a single stray ray.
    around = cv2.medianBlur(light, 3)
    level = around.max(axis=2, keepdims=True)
    light = np.where(light.max(axis=2, keepdims=True) > 1.6 * level + 0.02 * level.mean(), around, light)
    logs = np.log(light + 0.02 * light.mean()).astype(np.float32)
    return np.asarray(np.exp(cv2.bilateralFilter(logs, 5, GRAIN, 1.4)) - 0.02 * light.mean(), np.float32)


def adjusted(camera: Camera, light: Floats) -> Locks:
    """Find automatic white balance and exposure for an image. Most of the color cast is removed."""
    mean = light.reshape(-1, 3).mean(axis=0)
    gains = np.clip((mean.mean() / np.maximum(mean, 1e-6)) ** 0.45, 0.7, 1.5) * np.array(camera.balance)
    light = np.asarray(light * gains, np.float32)
    level = np.maximum(light.mean(axis=2), 1e-6)
    # Metering: limit how much of the image is overexposed.
    gain = camera.exposure / float(np.exp(np.log(level + 0.02 * level.mean()).mean()))
    gain = min(gain, 1.25 / float(np.percentile(light.max(axis=2), 97)))
    red, green, blue = (float(value) for value in gains)
    return Locks((red, green, blue), gain)


def tone(camera: Camera, light: Floats) -> Floats:
    """Apply the tone curve: gamma, contrast and saturation."""
    light = np.clip(light, 0, None)
    # Compress highlights instead of clipping them.
    light = np.where(light > 0.7, 0.7 + 0.3 * np.tanh((light - 0.7) / 0.45), light)
    picture = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)
    bent = picture * picture * (3 - 2 * picture)
    picture = picture + camera.contrast * (bent - picture)
    gray = picture.mean(axis=2, keepdims=True)
    return np.asarray(gray + (picture - gray) * camera.saturation, np.float32)
