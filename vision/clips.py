"""Clips of throws: the last frames of a camera, kept cheaply, and a throw among them as an animation in slow motion.

The animation is a WebP, which Chromium, Safari and Firefox show in an `img` without a player. Where a pixel changes by
no more than the camera's noise it is left as it was, so that felt costs nothing: a clip has 10 to 20 kB.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.cameras.frames import Image
from vision.tray.outline import Tray

MAX_FRAME_RATE_HZ = 15  # most frames kept per second
MAX_FRAMES = 36  # most frames kept: 2.4 seconds at that rate
# longest edge, and most pixels, of a kept frame
MAX_EDGE_PX = 320
MAX_FRAME_PIXELS = 320 * 240
MAX_BUFFER_BYTES = 4 << 20  # most bytes kept: FRAMES of PIXELS with a byte and a half each
RATE_TOLERANCE_S = 0.005  # seconds by which a frame may come too early and is kept: cameras are not exact

MAX_MOTION_S = 2.0  # most seconds of motion in a clip
# seconds shown before the dice move, and once they lie
LEAD_IN_S = 0.15
LEAD_OUT_S = 0.4
SLOW_MOTION_FACTOR = 3  # times slower than it was
LAST_FRAME_MS = 2000  # milliseconds for which the last frame is shown before the clip starts over

NOISE_THRESHOLD = 10  # change of a color, in levels of 255, up to which a pixel counts as unchanged
DILATION_KERNEL = np.ones((5, 5), np.uint8)  # what has changed, and as much around it, is taken from the new frame
WEBP_QUALITIES = 75, 40  # WebP qualities: the second where the first makes a clip that is too large
MAX_CLIP_BYTES = 256 << 10  # most bytes of an encoded clip

CropShares = tuple[float, float, float, float]  # left, top, right and bottom, as shares of a picture's width and height

_encoding_lock = threading.Lock()  # encoding takes a whole core


class RecentFrames:
    """The last frames of a camera, small, for a clip of the throw that may be among them.

    Holds at most `MAX_FRAMES` frames and `MAX_BUFFER_BYTES` bytes. Nothing is encoded. For one thread.
    """

    def __init__(self) -> None:
        self._frames: deque[tuple[float, MatLike]] = deque(maxlen=MAX_FRAMES)
        self._shape: tuple[int, ...] = ()
        self._part: CropShares = (0.0, 0.0, 1.0, 1.0)

    def crop_to_tray(self, tray: Tray | None) -> None:
        """Keep only the part of the pictures that shows this tray, or all of them. Frames from before are dropped."""
        self._part = (0.0, 0.0, 1.0, 1.0) if tray is None else _tray_crop(tray)
        self.clear_frames()

    def clear_frames(self) -> None:
        """Drop all frames."""
        self._frames.clear()

    def add_frame(self, picture: Image, when: float) -> None:
        """Keep a copy of a picture, gray or blue, green, red, taken at `when` seconds, unless it comes too soon."""
        if self._frames:
            last = self._frames[-1][0]
            if picture.shape != self._shape or when < last:
                self.clear_frames()
            elif when - last < 1 / MAX_FRAME_RATE_HZ - RATE_TOLERANCE_S:
                return
        self._shape = picture.shape
        small = self._crop_and_shrink(picture)
        # Planes of brightness and color take half the bytes, and nobody sees that color has fewer pixels.
        self._frames.append((when, small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2YUV_I420)))

    def _crop_and_shrink(self, picture: Image) -> MatLike:
        tall, wide = picture.shape[:2]
        left, top, right, bottom = self._part
        seen = picture[int(top * tall) : int(bottom * tall), int(left * wide) : int(right * wide)]
        tall, wide = seen.shape[:2]
        scale = min(1.0, MAX_EDGE_PX / max(wide, tall), (MAX_FRAME_PIXELS / (wide * tall)) ** 0.5)
        # The planes of color need even sides. Shrinking by area takes ten times as long where the scale is not whole.
        size = max(2, int(wide * scale) // 2 * 2), max(2, int(tall * scale) // 2 * 2)
        return cv2.resize(seen, size, interpolation=cv2.INTER_LINEAR)

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def total_bytes(self) -> int:
        """The bytes of all frames."""
        return sum(frame.nbytes for _, frame in self._frames)

    def throw_clip(self, start: float, end: float) -> ThrowClip | None:
        """Return the throw that began at `start` and came to rest at `end`, in the frames' seconds.

        Of a long one only the last `MAX_MOTION_S`. None if fewer than two frames are left of it.
        """
        begun, over = max(start - LEAD_IN_S, end - MAX_MOTION_S), end + LEAD_OUT_S
        found = [(when, frame) for when, frame in self._frames if begun <= when <= over]
        return ThrowClip(found, gray=len(self._shape) == 2) if len(found) > 1 else None


class ThrowClip:
    """A throw in slow motion. It is encoded when asked for, once; its frames are then dropped. For any thread.

    `frames` are those of `RecentFrames` with their seconds, `gray` or as planes of brightness and color.
    """

    def __init__(self, frames: Sequence[tuple[float, MatLike]], gray: bool = False) -> None:
        self._frames = list(frames)
        self._back = cv2.COLOR_GRAY2BGR if gray else cv2.COLOR_YUV2BGR_I420
        self._webp: bytes | None = None

    def encode_webp(self) -> bytes | None:
        """Return the clip as an animated WebP of at most `MAX_CLIP_BYTES` bytes; None if it cannot be made that small.

        The first call takes about 2 ms a frame on a fast core; calls for other clips wait meanwhile.
        """
        with _encoding_lock:
            if self._frames:
                whens = [when for when, _ in self._frames]
                lasts = [max(20, round(SLOW_MOTION_FACTOR * 1000 * (b - a))) for a, b in pairwise(whens)]
                pictures = [cv2.cvtColor(frame, self._back) for _, frame in self._frames]
                self._webp = encode_animation(freeze_still_pixels(pictures), [*lasts, LAST_FRAME_MS])
                self._frames = []
        return self._webp


def freeze_still_pixels(pictures: Sequence[MatLike]) -> list[MatLike]:
    """Return pictures in which only what moves differs from the picture before."""
    still = list(pictures[:1])
    for picture in pictures[1:]:
        change = cv2.absdiff(picture, still[-1])
        moved = cv2.dilate(
            cv2.bitwise_not(cv2.inRange(change, np.zeros(3), np.full(3, float(NOISE_THRESHOLD)))), DILATION_KERNEL
        )
        still.append(cv2.copyTo(picture, moved, still[-1].copy()))
    return still


def encode_animation(pictures: Sequence[MatLike], lasts: Sequence[int]) -> bytes | None:
    """Return pictures, (height, width, 3) blue, green, red bytes, as a WebP that starts over at its end.

    `lasts` is how long each is shown, in milliseconds. None if it would be larger than `MAX_CLIP_BYTES`.
    """
    film = cv2.Animation()
    film.frames, film.durations, film.loop_count = list(pictures), list(lasts), 0
    for quality in WEBP_QUALITIES:
        done, data = cv2.imencodeanimation(".webp", film, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if done and data.size <= MAX_CLIP_BYTES:
            return data.tobytes()
    return None


def decode_animation(webp: bytes) -> tuple[list[MatLike], list[int]]:
    """Return the pictures of an animation, blue, green, red, and how long each is shown, in milliseconds.

    Pictures in which nothing moves are one with the picture before. Empty for data that is not an animation.
    """
    try:
        done, film = cv2.imdecodeanimation(np.frombuffer(webp, np.uint8))
    except cv2.error:
        return [], []
    if not done:
        return [], []
    return [np.ascontiguousarray(frame[..., :3]) for frame in film.frames], [int(one) for one in film.durations]


def _tray_crop(tray: Tray) -> CropShares:
    """Return the part of a picture that shows the tray and a little around it."""
    wide, tall = tray.size
    x, y, w, h = cv2.boundingRect(tray.outline)
    edge = 0.03 * max(w, h)
    left, top, right, bottom = (x - edge) / wide, (y - edge) / tall, (x + w + edge) / wide, (y + h + edge) / tall
    return max(0.0, left), max(0.0, top), min(1.0, right), min(1.0, bottom)
