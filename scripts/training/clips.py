"""Locate the die in a picture that shows one on a plain background."""

from __future__ import annotations

import math

import cv2
import numpy as np


def place(picture: np.ndarray) -> tuple[float, float, float] | None:
    """Return the middle and width of the one thing that is not background, if it is as round as a die; else None."""
    scale = 160 / picture.shape[1]
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    blob = apart(small)
    if blob is None:
        return None
    # Refine its outline by the colours inside and around it.
    mask, (x, y, wide, tall) = np.full(blob.shape, cv2.GC_BGD, np.uint8), cv2.boundingRect(blob)
    mask[max(0, y - 8) : y + tall + 8, max(0, x - 8) : x + wide + 8] = cv2.GC_PR_BGD
    mask[blob > 0] = cv2.GC_PR_FGD
    if (blob > 0).sum() < 50 or not (mask == cv2.GC_BGD).any():
        return None
    cv2.grabCut(small, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 3, cv2.GC_INIT_WITH_MASK)
    body = cv2.morphologyEx((mask % 2 == 1).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5)))
    outlines, _ = cv2.findContours(body, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    outline = max(outlines, key=cv2.contourArea)
    x, y, wide, tall = cv2.boundingRect(outline)
    whole = cv2.contourArea(cv2.convexHull(outline))
    size = 2 * math.sqrt(whole / math.pi)
    if cv2.contourArea(outline) < 0.88 * whole or not 0.75 < wide / tall < 1.33 or not 25 < size < 120:
        return None
    return (x + wide / 2) / scale, (y + tall / 2) / scale, size / scale


def apart(small: np.ndarray) -> np.ndarray | None:
    """Return a mask of the thing that differs most in colour from the picture's rim and is nearest to the middle."""
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    weight = np.float32([0.5, 1.5, 1.5])
    rim = np.concatenate([part.reshape(-1, 3) for part in (lab[:6], lab[-6:], lab[:, :6], lab[:, -6:])])
    usual = np.median(rim, axis=0)
    limit = max(1.1 * float(np.percentile(np.abs(rim - usual) @ weight, 97)), 22.0)
    mask = (np.abs(lab - usual) @ weight > limit).astype(np.uint8)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3)))
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9)))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(mask)
    if count < 2:
        return None
    far = ((middles - np.array(small.shape[1::-1]) / 2) ** 2).sum(axis=1)
    worth = stats[:, 4] * np.exp(-far / (2 * 45**2))
    return (labels == 1 + int(np.argmax(worth[1:]))).astype(np.uint8)
