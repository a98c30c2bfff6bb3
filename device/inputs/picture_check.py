"""Check of the dice camera's picture: out of focus before there is a calibration, or under a lamp that flickers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.cameras.frames import Frame
    from vision.tray.motion import TrayState

SHARPNESS_INTERVAL_S = 5.0  # seconds between two measurements of sharpness. On a small Pi one takes half a second
REFOCUS_INTERVAL_S = 60.0  # seconds between two attempts to focus again
MAX_UNREST_S = 6.0  # seconds without rest after which the lamp is to blame. Dice come to rest sooner
RESTING_STATES = ("empty", "settled")

BLUR_ADVICE = (
    "The picture is out of focus: wipe the lens or set its focus. A camera with autofocus focuses again while dice lie "
    "in the tray."
)
FLICKER_ADVICE = (
    "The lamp flickers: rolls may take long to be read, or need the keypad. Calibrate the camera under this lamp, or "
    "use another one; dimmed LED lamps are the worst."
)


class PictureCheck:
    """Checks each frame of one camera since it was opened.

    advice: what to do, or None.
    """

    def __init__(self) -> None:
        self._blur: str | None = None
        self._flicker: str | None = None
        self._measured = self._refocused = -math.inf  # times of the last measurement and attempt
        self._moving_since: float | None = None

    @property
    def advice(self) -> str | None:
        return " ".join(filter(None, (self._blur, self._flicker))) or None

    def process_frame(self, frame: Frame, state: TrayState, lamp_flickers: bool, calibrated: bool) -> bool:
        """Process a frame with the tray's state. Returns True if the camera should focus again, by what is in sight.

        With a calibration, the readings themselves say if dice are blurred.
        """
        self._check_light(frame.when, state, lamp_flickers)
        if calibrated:
            self._blur = None
        elif state.value in RESTING_STATES and not 0 <= frame.when - self._measured < SHARPNESS_INTERVAL_S:
            self._measured = frame.when
            self._check_focus(frame)
            if self._blur and frame.when - self._refocused >= REFOCUS_INTERVAL_S:
                self._refocused = frame.when
                return True
        return False

    def _check_focus(self, frame: Frame) -> None:
        from vision.tray.outline import MIN_CAMERA_SHARPNESS, measure_sharpness

        sharpness = measure_sharpness(frame.full_picture())
        self._blur = BLUR_ADVICE if sharpness is not None and sharpness < MIN_CAMERA_SHARPNESS else None

    def _check_light(self, when: float, state: TrayState, flickers: bool) -> None:
        if state.value in RESTING_STATES:
            self._moving_since = None
        elif self._moving_since is None:
            self._moving_since = when
        if not flickers:
            self._flicker = None
        elif self._moving_since is not None and when - self._moving_since >= MAX_UNREST_S:
            self._flicker = FLICKER_ADVICE
