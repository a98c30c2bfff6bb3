"""The camera: draws a tray, ten pictures a second, into a V4L2 device as a USB camera would give them.

Dice are thrown when `THROW` is there, one to a line: "5 white".
"""

from __future__ import annotations

import fcntl
import os
import struct
import time
from collections import deque
from pathlib import Path

import cv2

from device.simulator.scene import PALE_COLORS
from vision.synthetic.tray import SyntheticDie, SyntheticTray

DEVICE = "/dev/video0"
THROW = Path("/run/bench/throw")
FRAMES = 10
WIDE, HIGH = 640, 480

STILL = 5
"""Pictures of dice at rest, each with a noise of its own, that are shown in turn: drawing takes long where a processor
is only imitated."""

SET_FORMAT = 0xC0D05605
"""VIDIOC_S_FMT: it takes a struct v4l2_format, whose kind is 8 bytes and whose body 200."""
OUTPUT, NO_FIELDS, SRGB = 2, 1, 8


def opened() -> int:
    """The device, told what it will be given: two bytes for each pixel, YUYV."""
    device = os.open(DEVICE, os.O_RDWR)
    shape = (WIDE, HIGH, int.from_bytes(b"YUYV", "little"), NO_FIELDS, 2 * WIDE, 2 * WIDE * HIGH, SRGB, 0)
    fcntl.ioctl(device, SET_FORMAT, struct.pack("Ixxxx8I168x", OUTPUT, *shape))
    return device


def asked() -> tuple[list[SyntheticDie], list[int]] | None:
    """The dice that are to be thrown, and what they are to show."""
    if not THROW.exists():
        return None
    lines = [line.split() for line in THROW.read_text().splitlines()]
    THROW.unlink()
    return [SyntheticDie(colour, pips="black" if colour in PALE_COLORS else "white") for _, colour in lines], [
        int(value) for value, _ in lines
    ]


def watch() -> None:
    device, tray = opened(), SyntheticTray((WIDE, HIGH), seed=7)
    due, still = time.monotonic(), deque[bytes]()
    while True:
        now = time.monotonic()
        if (thrown := asked()) is not None:
            tray.throw_dice(now, *thrown)
        if tray.ground_truth(now) is None:
            still.clear()
        if len(still) < STILL:
            still.append(cv2.cvtColor(tray.render_frame(now), cv2.COLOR_BGR2YUV_YUYV).tobytes())
        os.write(device, still[-1])
        still.rotate()
        due = max(due + 1 / FRAMES, now)
        time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    watch()
