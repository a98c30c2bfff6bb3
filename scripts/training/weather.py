"""Augment images of dice with effects of lamps, lenses and tables."""

from __future__ import annotations

import cv2
import numpy as np
from photos import Picture


def any_colour(rng: np.random.Generator) -> np.ndarray:
    hsv = np.uint8([[[rng.integers(180), rng.integers(60, 256), rng.integers(20, 256)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def weather(rng: np.random.Generator, image: np.ndarray, mild: float = 1.0) -> np.ndarray:
    """Vary light and lens of an image (float32 BGR, 0 to 255). Return uint8."""
    if rng.random() < 0.45:
        hsv = cv2.cvtColor(np.clip(image, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int32) + rng.integers(0, 180)) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.6), 0, 255)
        image = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
    if rng.random() < 0.12:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.6:
        image = image * rng.uniform(0.75, 1.25, 3).astype(np.float32)
    if rng.random() < 0.06:
        image = 255 - image
    image = np.clip(image, 0, 255) / 255
    if rng.random() < 0.7:
        image = image ** float(np.exp(rng.normal(0, 0.35)))
    if rng.random() < 0.7:
        image = (image - 0.5) * rng.uniform(0.5, 1.4) + 0.5 + rng.uniform(-0.15, 0.15)
    if rng.random() < 0.2:
        h, w = image.shape[:2]
        light = cv2.resize(rng.uniform(0.5, 1.3, (3, 3)).astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)
        image = image * light[..., None]
    chance = rng.random()
    if chance < 0.35:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.3) * mild)
    elif chance < 0.42:
        kernel = np.zeros((5, 5), np.float32)
        cv2.line(kernel, *[(int(a), int(b)) for a, b in rng.integers(0, 5, (2, 2))], 1)
        image = cv2.filter2D(image, -1, kernel / max(1, kernel.sum()))
    elif chance < 0.52:
        image = image + (image - cv2.GaussianBlur(image, (0, 0), 1.5)) * rng.uniform(0.3, 1)
    if rng.random() < 0.4:
        image = image + rng.standard_normal(image.shape, dtype=np.float32) * rng.uniform(0.005, 0.05)
    out = np.clip(image * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        _, code = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))])
        out = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return out


def look(
    rng: np.random.Generator, picture: Picture, x: float, y: float, scale: float, side: int, turn: float, at: tuple
) -> tuple[np.ndarray, np.ndarray]:
    """Return a square view of an image, rotated and scaled so that (x, y) is at `at`, and the affine map (2, 3)."""
    level = int(np.clip(np.floor(np.log2(1 / max(scale, 1e-6)) + 0.3), 0, len(picture.levels) - 1))
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    flip = -1 if rng.random() < 0.5 else 1
    m = np.array([[c * flip, -s], [s * flip, c]])
    if rng.random() < 0.5:
        m = m @ np.array([[rng.uniform(0.88, 1.12), rng.uniform(-0.08, 0.08)], [0, 1]])
    full = np.concatenate([m, (np.array(at) - m @ np.array([x, y]))[:, None]], 1)
    source = picture.levels[level]
    ratio = source.shape[1] / picture.levels[0].shape[1]
    small = full.copy()
    small[:, :2] /= ratio
    border = cv2.BORDER_REPLICATE if rng.random() < 0.6 else cv2.BORDER_CONSTANT
    view = cv2.warpAffine(
        source, small, (side, side), flags=cv2.INTER_LINEAR, borderMode=border,
        borderValue=[int(v) for v in rng.integers(0, 256, 3)],
    )  # fmt: skip
    return view.astype(np.float32), full


def ground(rng: np.random.Generator, pictures: list[Picture], side: int) -> np.ndarray:
    if rng.random() < 0.5:
        for _ in range(8):
            picture = pictures[rng.integers(len(pictures))]
            h, w = picture.levels[0].shape[:2]
            scale = float(np.exp(rng.uniform(np.log(0.5), np.log(4))))
            reach = side / scale * 0.75
            x, y = rng.uniform(0, w), rng.uniform(0, h)
            if all(abs(d[0] - x) > reach + d[2] or abs(d[1] - y) > reach + d[2] for d in picture.dice):
                return look(rng, picture, x, y, scale, side, rng.uniform(0, 6.3), (side / 2, side / 2))[0]
    image = np.ones((side, side, 3), np.float32) * (any_colour(rng) if rng.random() < 0.5 else rng.uniform(0, 255))
    for _ in range(rng.integers(0, 4)):
        n = int(np.exp(rng.uniform(np.log(2), np.log(side))))
        rough = rng.standard_normal((n, max(2, int(n * rng.uniform(0.2, 1))), 1)).astype(np.float32)
        rough = cv2.resize(rough, (side, side), interpolation=cv2.INTER_LINEAR)[..., None]
        image = image + rough * rng.uniform(2, 25) * rng.uniform(0.5, 1, 3).astype(np.float32)
    for _ in range(rng.integers(0, 5)):
        ink = [float(v) for v in any_colour(rng)] if rng.random() < 0.5 else [float(rng.uniform(0, 255))] * 3
        p, q = rng.integers(-side // 2, side + side // 2, (2, 2))
        kind = rng.random()
        if kind < 0.4:
            cv2.line(image, (int(p[0]), int(p[1])), (int(q[0]), int(q[1])), ink, int(rng.integers(1, 30)))
        elif kind < 0.7:
            thick = -1 if rng.random() < 0.5 else int(rng.integers(1, 20))
            cv2.circle(image, (int(p[0]), int(p[1])), int(rng.uniform(2, side)), ink, thick)
        else:
            cv2.rectangle(image, (int(p[0]), int(p[1])), (int(q[0]), int(q[1])), ink, -1 if rng.random() < 0.5 else 4)
    return image
