"""Record throws as slow-motion clips: a ring buffer of recent frames, and WebP animations cut from it.

Chromium, Safari and Firefox show an animated WebP in an `img` without a player. Pixels that change by no more than
camera noise are left as they were, so felt costs nothing and a clip takes 10 to 20 kB.
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

MAX_FRAME_RATE_HZ = 15  # Faster cameras are subsampled to save memory.
MAX_FRAMES = 36  # capacity of the buffer: 2.4 seconds at the maximum rate
MAX_EDGE_PX = 320  # longest edge of a buffered frame
MAX_FRAME_PIXELS = 320 * 240  # maximum area of a buffered frame, in pixels
MAX_BUFFER_BYTES = 4 << 20  # capacity in bytes: `MAX_FRAMES` of `MAX_FRAME_PIXELS` at 1.5 bytes each (YUV 4:2:0)
RATE_TOLERANCE_S = 0.005  # A frame may come this much early and is still buffered, because camera clocks jitter.

MAX_MOTION_S = 2.0  # maximum motion shown in a clip
LEAD_IN_S = 0.15  # shown before the dice move
LEAD_OUT_S = 0.4  # shown after they come to rest
SLOW_MOTION_FACTOR = 3  # how many times slower than real time a clip plays
LAST_FRAME_MS = 2000  # how long the last frame is shown before the clip repeats

# A pixel that changes by no more than this many of 255 levels in every channel counts as unchanged.
NOISE_THRESHOLD = 10
# Changed pixels grow by this kernel, so that moving edges are copied with a margin.
DILATION_KERNEL = np.ones((5, 5), np.uint8)
WEBP_QUALITIES = 75, 40  # WebP qualities in percent. The second is a fallback when the first exceeds `MAX_CLIP_BYTES`.
MAX_CLIP_BYTES = 256 << 10  # maximum size of an encoded clip

CropShares = tuple[float, float, float, float]  # left, top, right and bottom, as shares of the width and height

_encoding_lock = threading.Lock()  # One clip at a time, because encoding saturates a core.


class RecentFrames:
    """A ring buffer of recent camera frames, reduced in size, from which a throw is cut. Holds at most `MAX_FRAMES`
    frames and `MAX_BUFFER_BYTES` bytes, not encoded. Not thread-safe."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, MatLike]] = deque(maxlen=MAX_FRAMES)
        self._shape: tuple[int, ...] = ()
        self._crop: CropShares = (0.0, 0.0, 1.0, 1.0)

    def crop_to_tray(self, tray: Tray | None) -> None:
        """Crop later frames to this tray, or not at all if None. Clears the buffer."""
        self._crop = (0.0, 0.0, 1.0, 1.0) if tray is None else _tray_crop(tray)
        self.clear_frames()

    def clear_frames(self) -> None:
        self._frames.clear()

    def add_frame(self, picture: Image, when: float) -> None:
        """Buffer a copy of a frame, gray or BGR, taken at `when` seconds. Frames that come too soon are skipped."""
        if self._frames:
            last = self._frames[-1][0]
            if picture.shape != self._shape or when < last:
                self.clear_frames()
            elif when - last < 1 / MAX_FRAME_RATE_HZ - RATE_TOLERANCE_S:
                return
        self._shape = picture.shape
        small = self._crop_and_shrink(picture)
        # YUV 4:2:0 takes half the bytes, and the lower color resolution is not visible.
        self._frames.append((when, small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2YUV_I420)))

    def _crop_and_shrink(self, picture: Image) -> MatLike:
        tall, wide = picture.shape[:2]
        left, top, right, bottom = self._crop
        seen = picture[int(top * tall) : int(bottom * tall), int(left * wide) : int(right * wide)]
        tall, wide = seen.shape[:2]
        scale = min(1.0, MAX_EDGE_PX / max(wide, tall), (MAX_FRAME_PIXELS / (wide * tall)) ** 0.5)
        # YUV 4:2:0 needs even sides. INTER_AREA takes ten times as long at fractional scales.
        size = max(2, int(wide * scale) // 2 * 2), max(2, int(tall * scale) // 2 * 2)
        return cv2.resize(seen, size, interpolation=cv2.INTER_LINEAR)

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def total_bytes(self) -> int:
        return sum(frame.nbytes for _, frame in self._frames)

    def throw_clip(self, start: float, end: float) -> ThrowClip | None:
        """Return the throw between `start` and `end`, in the frames' seconds, or None if fewer than two frames remain.
        A long throw is cut to its last `MAX_MOTION_S`."""
        begun, over = max(start - LEAD_IN_S, end - MAX_MOTION_S), end + LEAD_OUT_S
        found = [(when, frame) for when, frame in self._frames if begun <= when <= over]
        return ThrowClip(found, gray=len(self._shape) == 2) if len(found) > 1 else None


class ThrowClip:
    """A throw in slow motion, from the `frames` of `RecentFrames` and their seconds. `gray` means gray frames, and
    otherwise they are YUV 4:2:0. Encoded once, on first request, then the frames are released. Thread-safe."""

    def __init__(self, frames: Sequence[tuple[float, MatLike]], gray: bool = False) -> None:
        self._frames = list(frames)
        self._to_bgr = cv2.COLOR_GRAY2BGR if gray else cv2.COLOR_YUV2BGR_I420
        self._webp: bytes | None = None

    def encode_webp(self) -> bytes | None:
        """Return the clip as an animated WebP of at most `MAX_CLIP_BYTES` bytes, or None if it doesn't fit. The first
        call takes about 2 ms a frame on a fast core. Calls for other clips wait meanwhile."""
        with _encoding_lock:
            if self._frames:
                whens = [when for when, _ in self._frames]
                lasts = [max(20, round(SLOW_MOTION_FACTOR * 1000 * (b - a))) for a, b in pairwise(whens)]
                pictures = [cv2.cvtColor(frame, self._to_bgr) for _, frame in self._frames]
                self._webp = encode_animation(freeze_still_pixels(pictures), [*lasts, LAST_FRAME_MS])
                self._frames = []
        return self._webp


def freeze_still_pixels(pictures: Sequence[MatLike]) -> list[MatLike]:
    """Copy only the moving pixels of each picture onto the one before it, so that still areas compress to nothing."""
    still = list(pictures[:1])
    for picture in pictures[1:]:
        change = cv2.absdiff(picture, still[-1])
        moved = cv2.dilate(
            cv2.bitwise_not(cv2.inRange(change, np.zeros(3), np.full(3, float(NOISE_THRESHOLD)))), DILATION_KERNEL
        )
        still.append(cv2.copyTo(picture, moved, still[-1].copy()))
    return still


def encode_animation(pictures: Sequence[MatLike], lasts: Sequence[int]) -> bytes | None:
    """Encode BGR pictures, (height, width, 3) bytes, as a looping WebP. `lasts` are their durations in milliseconds.
    Returns None if the file would exceed `MAX_CLIP_BYTES`."""
    film = cv2.Animation()
    film.frames, film.durations, film.loop_count = list(pictures), list(lasts), 0
    for quality in WEBP_QUALITIES:
        done, data = cv2.imencodeanimation(".webp", film, [cv2.IMWRITE_WEBP_QUALITY, quality])
        if done and data.size <= MAX_CLIP_BYTES:
            return data.tobytes()
    return None


def decode_animation(webp: bytes) -> tuple[list[MatLike], list[int]]:
    """Return the BGR pictures of an animation and their durations in milliseconds. Consecutive identical pictures are
    merged. Returns empty lists if the data is not an animation."""
    try:
        done, film = cv2.imdecodeanimation(np.frombuffer(webp, np.uint8))
    except cv2.error:
        return [], []
    if not done:
        return [], []
    return [np.ascontiguousarray(frame[..., :3]) for frame in film.frames], [int(one) for one in film.durations]


def _tray_crop(tray: Tray) -> CropShares:
    """Return the crop that contains the tray and a margin of 3 %."""
    wide, tall = tray.size
    x, y, w, h = cv2.boundingRect(tray.outline)
    edge = 0.03 * max(w, h)
    left, top, right, bottom = (x - edge) / wide, (y - edge) / tall, (x + w + edge) / wide, (y + h + edge) / tall
    return max(0.0, left), max(0.0, top), min(1.0, right), min(1.0, bottom)
