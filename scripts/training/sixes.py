"""Render dice with pips, and paste them, or photographed ones, into images."""

from __future__ import annotations

import cv2
import numpy as np
from photos import Picture
from weather import any_colour, look, weather

SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}


def draw_die(rng: np.random.Generator, size: float) -> tuple[np.ndarray, np.ndarray]:
    """Render a die from above. Return image and mask (0 to 1), with the top face at the center."""
    value = int(rng.integers(1, 7))
    k = 3
    side = int(2.2 * size * k)
    kind = rng.random()
    if kind < 0.35:
        body = np.float32([255, 255, 255]) * rng.uniform(0.75, 1) * rng.uniform((0.75, 0.9, 0.95), 1)
    elif kind < 0.45:
        body = np.float32([40, 40, 40]) * rng.uniform(0.2, 1.2)
    else:
        body = any_colour(rng)
    pip = np.float32([20, 20, 20]) * rng.uniform(0, 2)
    if body.mean() < 128 or rng.random() < 0.15:
        pip = np.float32([255, 255, 255]) * rng.uniform(0.75, 1)
    if rng.random() < 0.2:
        pip = any_colour(rng)
    if np.abs(pip - body).max() < 70:
        pip = 255.0 - body if np.abs(255 - 2 * body).max() > 90 else np.float32([0, 0, 0])
    yaw, lean, way = rng.uniform(0, 2 * np.pi), min(abs(rng.normal(0, 0.28)), 0.6), rng.uniform(0, 2 * np.pi)

    def turn(angle: float, axis: int) -> np.ndarray:
        c, s = np.cos(angle), np.sin(angle)
        i, j = [a for a in range(3) if a != axis]
        m = np.eye(3)
        m[i, i], m[i, j], m[j, i], m[j, j] = c, -s, s, c
        return m

    pose = turn(way, 2) @ turn(lean, 0) @ turn(yaw - way, 2)
    far = rng.uniform(5, 14)

    def project(points: np.ndarray) -> np.ndarray:
        p = points @ pose.T
        scale = (far - 1) / (far - p[:, 2:3])
        return p[:, :2] * scale

    middle = project(np.float64([[0, 0, 1]]))[0]
    to_pixel = size * k / 2.3

    def pixels(points: np.ndarray) -> np.ndarray:
        return np.round((project(points) - middle) * to_pixel + side / 2).astype(np.int32)

    corner = rng.uniform(0.08, 0.45)
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], 1)
    outline = ring * corner + np.sign(ring) * (1 - corner) * np.minimum(1, np.abs(ring) * 8)
    image = np.zeros((side, side, 3), np.float32)
    mask = np.zeros((side, side), np.float32)
    faces = []
    for axis in range(3):
        for sign in (-1, 1):
            normal = np.zeros(3)
            normal[axis] = sign
            if (pose @ normal)[2] > 0.02:
                faces.append((axis, sign, float((pose @ normal)[2])))
    faces.sort(key=lambda f: f[2])

    def lift(flat: np.ndarray, axis: int, sign: int) -> np.ndarray:
        out = np.zeros((len(flat), 3))
        out[:, [a for a in range(3) if a != axis]] = flat
        out[:, axis] = sign
        return out

    hull = cv2.convexHull(np.concatenate([pixels(lift(outline * 0.97, a, s)) for a, s, _ in faces]))
    cv2.fillConvexPoly(mask, hull, 1.0)
    dim = rng.uniform(0.45, 1.0)
    cv2.fillConvexPoly(image, hull, [float(c) for c in body * (dim + 1) / 2])
    gap, radius = rng.uniform(0.42, 0.62), rng.uniform(0.13, 0.24)
    squeeze, across, red = (rng.uniform(0.75, 1) if value == 2 else 1.0), 1.0, 0.2
    eastern = rng.random() < 0.25  # East Asian style: narrow two, large one, red one and four
    if eastern:
        gap, red = rng.uniform(0.36, 0.52), 0.6
        squeeze = rng.uniform(0.5, 0.9) if value == 2 else squeeze
    if value == 6 and rng.random() < 0.3:  # rows of three close together
        across = rng.uniform(0.6, 1)
    for axis, sign, facing in faces:
        top = axis == 2 and sign == 1
        shade = 1.0 if top else dim + (1 - dim) * facing
        cv2.fillPoly(image, [pixels(lift(outline * (1 - corner * 0.25), axis, sign))], [float(c) for c in body * shade])
        number = value if top else int(rng.integers(1, 7))
        wide = radius * (rng.uniform(1.0, 2.2 if eastern else 1.8) if number == 1 else 1.0)
        reddish = number == 1 or (eastern and number == 4)
        ink = np.float32([30, 30, 200]) if reddish and body.mean() > 150 and rng.random() < red else pip
        flip = rng.random() < 0.5
        for a, b in [(0, -1), (0, 1)] if eastern and number == 2 else SPOTS[number]:
            at = np.float64([b if flip else a, -a if flip else b]) * gap * (squeeze if top else 1)
            if number == 6:
                at[int(not flip)] *= across
            cv2.fillPoly(image, [pixels(lift(at + ring * wide, axis, sign))], [float(c) for c in ink * shade])
            if top and rng.random() < 0.25:
                shine = at + ring * wide * rng.uniform(0.15, 0.45) + rng.uniform(-0.4, 0.4, 2) * wide
                cv2.fillPoly(image, [pixels(lift(shine, axis, sign))], [float(c) for c in (ink + body) / 2])
    if rng.random() < 0.3:  # marbled
        blot = cv2.resize(rng.random((5, 5)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)[..., None]
        image = np.clip(image + (blot - 0.5) * any_colour(rng) * rng.uniform(0.2, 0.8), 0, 255)
    out = (side // k, side // k)
    return cv2.resize(image, out, interpolation=cv2.INTER_AREA), cv2.resize(mask, out, interpolation=cv2.INTER_AREA)


def paste(
    rng: np.random.Generator, canvas: np.ndarray, pictures: list[Picture], x: float, y: float, size: float
) -> None:
    """Paste one die (rendered, or cut from an image) onto the canvas with its center at (x, y)."""
    if rng.random() < 0.6:
        die, mask = draw_die(rng, size)
    else:
        while True:
            picture = pictures[rng.integers(len(pictures))]
            dx, dy, ds, _ = picture.dice[rng.integers(len(picture.dice))]
            if picture.source != "rsandrini":
                break
        side = int(1.3 * size)
        die, _ = look(rng, picture, dx, dy, size / ds, side, rng.uniform(0, 6.3), (side / 2, side / 2))
        if rng.random() < 0.5:
            die = weather(rng, die).astype(np.float32)
        mask = np.zeros((side, side), np.float32)
        round_mask = 0.40 if picture.source == "n3vers4ydie-PXL" else 0.46
        cv2.circle(mask, (side // 2, side // 2), int(size * round_mask * rng.uniform(0.95, 1.2)), 1.0, -1, cv2.LINE_AA)
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.4, size * 0.02))
    h, w = mask.shape
    x0, y0 = round(x - w / 2), round(y - h / 2)
    a, b, c, d = max(0, x0), max(0, y0), min(canvas.shape[1], x0 + w), min(canvas.shape[0], y0 + h)
    if c > a and d > b:
        if rng.random() < 0.5:  # its shadow
            shade = cv2.GaussianBlur(mask, (0, 0), max(0.5, size * 0.08))
            shade = np.roll(shade, tuple(int(v) for v in rng.normal(0, size * 0.12, 2)), (0, 1))
            canvas[b:d, a:c] *= 1 - rng.uniform(0.2, 0.7) * shade[b - y0 : d - y0, a - x0 : c - x0, None]
        m = mask[b - y0 : d - y0, a - x0 : c - x0, None]
        canvas[b:d, a:c] = canvas[b:d, a:c] * (1 - m) + die[b - y0 : d - y0, a - x0 : c - x0] * m
