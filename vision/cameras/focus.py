"""When a lens with autofocus may be locked, and what is tried if it finds no focus."""

from collections import deque
from typing import TypedDict

import cv2
import numpy as np

from vision.cameras.frames import Image

# picamera2's `AfMode`: the lens stays, it focuses once when triggered, or whenever the picture changes.
AF_MODE_MANUAL = 0
AF_MODE_AUTO = 1
AF_MODE_CONTINUOUS = 2
AF_TRIGGER_START = 0  # picamera2's `AfTrigger`: start a scan, in mode auto
# picamera2's `AfState`. It is 0 before the first scan.
AF_STATE_SCANNING = 1
AF_STATE_FOCUSED = 2
AF_STATE_FAILED = 3

CONTINUOUS_TIMEOUT_S = 1.0  # time for continuous autofocus after the exposure is found
SCAN_TIMEOUT_S = 10.0  # time for one scan. Through the whole range it takes about 90 frames, else a few
STALE_STATE_S = 1.0  # Frames this long after the trigger may still report the state before it.
HUNTING_TIMEOUT_S = 5.0  # time after which a lens that never rests is held
DEFAULT_DISTANCE_CM = 40  # recommended distance of the camera; a Camera Module 3 is then sharp from 34 to 48 cm

NO_FOCUS_ADVICE = (
    f"The lens finds nothing to focus on and is set to {DEFAULT_DISTANCE_CM} cm: lay something printed beside the "
    "tray, in view of the camera, and calibrate."
)
HUNTING_ADVICE = (
    "The lens keeps searching for focus, so it stays where the picture was sharpest: lay something printed beside the "
    "tray, in view of the camera, and calibrate."
)


class FocusMetadata(TypedDict, total=False):
    """The part of picamera2's frame metadata that is about the lens."""

    LensPosition: float
    AfState: int


class FocusSearch:
    """One search for the focus of a Pi camera, from the moment when its exposure is found.

    Continuous autofocus may scan forever above plain felt, or stay near after a hand left. So if it has not focused in
    `CONTINUOUS_TIMEOUT_S`, one scan is triggered, which always ends. If that fails, the lens is set to
    `DEFAULT_DISTANCE_CM`. Lens positions are in dioptres, 1 / m.

    position: where to lock the lens, None while it is searched for, and at the end if the driver never says.
    is_over: True once the lens may be locked.
    advice: what to do if no focus was found, else None.
    """

    def __init__(self) -> None:
        self.position: float | None = None
        self.is_over = False
        self.advice: str | None = None
        self._begin: float | None = None
        self._scan_begin: float | None = None
        self._scanning = False  # True once the triggered scan was reported

    def process_metadata(self, seen: FocusMetadata, when: float, farthest: float, nearest: float) -> bool:
        """Process the metadata of a frame taken at `when` seconds. Returns True if a scan is to be triggered now.

        farthest, nearest: range of the lens in dioptres.
        """
        self._begin = when if self._begin is None else self._begin
        # A driver without this state focuses unobserved.
        state, found = seen.get("AfState", AF_STATE_FOCUSED), seen.get("LensPosition")
        if self._scan_begin is None:
            if state == AF_STATE_FOCUSED:
                self._finish(found)
            elif state == AF_STATE_FAILED or when - self._begin >= CONTINUOUS_TIMEOUT_S:
                self._scan_begin = when
                return True
            return False
        self._scanning |= state == AF_STATE_SCANNING
        if not self._scanning and when - self._scan_begin < STALE_STATE_S:
            return False
        if state == AF_STATE_FOCUSED:
            self._finish(found)
        elif state == AF_STATE_FAILED or when - self._scan_begin >= SCAN_TIMEOUT_S:
            self._finish(min(max(100 / DEFAULT_DISTANCE_CM, farthest), nearest))
            self.advice = NO_FOCUS_ADVICE
        return False

    def _finish(self, position: float | None) -> None:
        self.position, self.is_over = None if position is None else float(position), True


class FocusObserver:
    """Watches the autofocus of a camera that does not say when it has focused, such as any USB camera.

    The lens is at rest if neither its position nor the sharpness of the picture changes for `REST_S`.

    advice: what to do if it never rests, else None.
    """

    REST_S = 1.0  # time without a change; a hunting lens turns around more often
    MAX_SHARPNESS_RATIO = 1.3  # largest ratio of two sharpnesses of a lens at rest; noise alone changes it

    def __init__(self) -> None:
        self.advice: str | None = None
        self._recent: deque[tuple[float, float, float]] = deque()  # time, sharpness and lens position
        self._begin: float | None = None
        self._best = (-1.0, -1.0)  # highest sharpness and its lens position

    def process_frame(self, picture: Image, position: float, when: float) -> None:
        """Process a frame. `position` is the lens position that the driver reports, in its own unit, or -1."""
        self._begin = when if self._begin is None else self._begin
        sharpness = _sharpness(picture)
        self._best = max(self._best, (sharpness, position))
        self._recent.append((when, sharpness, position))
        while self._recent and when - self._recent[0][0] > self.REST_S:
            self._recent.popleft()

    def position_to_lock(self) -> tuple[float, ...] | None:
        """Return the lens position to lock, () for the present one, or None while the lens moves and there is time."""
        if self._begin is None or not self._recent:
            return ()
        when, sharpness, positions = (np.array(column) for column in zip(*self._recent, strict=True))
        at_rest = sharpness.max() <= self.MAX_SHARPNESS_RATIO * sharpness.min() and np.ptp(positions) == 0
        if at_rest and when[-1] - self._begin >= self.REST_S:
            return ()
        if when[-1] - self._begin < HUNTING_TIMEOUT_S:
            return None
        self.advice = HUNTING_ADVICE
        return self._best[1:] if self._best[1] >= 0 else ()


def _sharpness(picture: Image) -> float:
    """Variance of the Laplacian at a quarter of the size, where noise is small."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    small = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(cv2.GaussianBlur(small, (3, 3), 0), cv2.CV_32F).var()) + 1.0
