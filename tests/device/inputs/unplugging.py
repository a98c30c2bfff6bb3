"""Unplug a camera at each call of its driver in turn, and plug it in again when the table reports it missing.

    python -m tests.device.inputs.unplugging

The film: an empty tray is calibrated, a five is thrown and picked up, and a six is thrown.
"""

import sys
import threading
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import pytest

from device.inputs import camera_thread
from device.inputs.dice_camera import DiceCamera, _CalibrationTask
from tests.device.inputs.scenes import WHITE, StandIn
from tests.pi import picamera2
from tests.pi.picamera2 import Ribbon
from tests.pi.webcam import Plug
from vision.cameras import picamera, v4l2
from vision.cameras.frames import FrameSource, Image
from vision.reading import Reading
from vision.synthetic.tray import SyntheticTray

KINDS = ("ribbon", "usb")
SIZE = (320, 240)
PACE = 0.1
CALIBRATES, FIVE, PICKS, SIX, ENDS = 4, 26, 48, 60, 84
"""When things happen, in frames."""

AGES = 300.0
"""Seconds after which a call counts as hung."""


@cache
def film() -> list[tuple[Image, Reading]]:
    """Return the frames, each with the reading of its dice."""
    tray = SyntheticTray(SIZE, seed=4)
    acts = {FIVE: lambda now: tray.throw_dice(now, [WHITE], [5]), PICKS: tray.pick_up_dice}
    acts[SIX] = lambda now: tray.throw_dice(now, [WHITE], [6])
    frames = []
    for number in range(ENDS + 1):
        acts.get(number, lambda now: None)(number * PACE)
        dice = tray.ground_truth(number * PACE) or ()
        frames.append((tray.render_frame(number * PACE), Reading(dice, None if dice else "none", 1.0)))
    return frames


class Knows(StandIn):
    """A reader that knows the dice in frame `at`."""

    at = 0

    def read_dice(self, frame: Image, inside: Any = None) -> Reading:
        return film()[self.at][1]


@dataclass
class Outcome:
    """The result of one evening."""

    calls: list[str]
    values: list[list[int | str | None]]
    lost: list[str]
    missing: str | None
    left: list[str] = field(default_factory=list)
    """What was left open, held, running or waiting."""


class FakeSession:
    """Records the camera's readings, and plugs the camera in again as soon as it is reported missing."""

    wanted_dice = None
    kinds = frozenset({"d6"})

    def __init__(self, plug: Ribbon | Plug) -> None:
        self._plug = plug
        self.game = self.notices = self.rolls = self.race = self
        self.lost: list[str] = []
        self.missing: str | None = None
        self.values: list[list[int | str | None]] = []

    def set_fault(self, part: str, words: str | None) -> None:
        if part == "camera":
            self.missing = words
            if words:
                self.lost.append(words)
                self._plug.plug()

    def set_resting_dice(self, dice: Any) -> None:
        pass

    def handle_resting_dice(self, reading: Any) -> None:
        pass

    def handle_throw(self, seen: Any) -> None:
        if not seen.touched:
            self.values.append([die.value for die in seen.reading.dice])

    def set_camera_state(self, state: str, words: str, when: float = 0.0) -> None:
        """Ignore the state of the tray."""


def evening(kind: str, dies: int | None, home: Path) -> Outcome:
    """Show the film to the dice camera, with a camera of this kind that is unplugged at call number `dies`."""
    plug: Any = Ribbon() if kind == "ribbon" else Plug()
    plug.dies = dies
    session, reader, over = FakeSession(plug), Knows(), threading.Event()
    now, task = [0.0], _CalibrationTask("empty")
    asked = [task]

    def go(seconds: float = PACE) -> None:
        now[0] += seconds

    def opened() -> FrameSource:
        if kind == "ribbon":
            return picamera.PiCamera(SIZE, SIZE, clock=lambda: now[0])
        return v4l2.V4l2Camera("/dev/null", SIZE, clock=lambda: now[0])

    def seen(_: float = 0) -> Image:
        number = round(now[0] / PACE)
        reader.at = min(number, ENDS)
        if number >= CALIBRATES and asked:
            hand._task = asked.pop()
        if number >= ENDS + 10:
            over.set()
        return film()[reader.at][0]

    plug.picture, plug.tick, plug.sleep, plug.clock = seen, go, go, lambda: now[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "picamera2", picamera2)
        patch.setattr(picamera2, "ribbon", plug)
        patch.setattr(cv2, "VideoCapture", getattr(plug, "capture", None))
        patch.setattr("vision.reader.Reader", lambda: reader)
        patch.setattr(camera_thread, "FIRST_RETRY_DELAY_S", 0.001)
        for module in (picamera, v4l2):
            patch.setattr(module, "WARM_UP_S", 0.3)
        hand = DiceCamera(session, opened, patience=0.002, trays=home)  # type: ignore[arg-type]
        hand.start()
        left = [] if over.wait(AGES) else ["the film did not end"]
        hand.stop()
        hand.join(AGES)
    left += [*getattr(plug, "wrong", ()), *(["something is open"] if plug.open else [])]
    left += ["a request was kept"] if getattr(plug, "kept", ()) else []
    left += ["the thread runs"] if hand.is_alive() else []
    left += [] if task.result else ["the calibration waits"]
    return Outcome(plug.calls, session.values, session.lost, session.missing, left)


def wrong(kind: str, dies: int | None) -> str | None:
    """Return what goes wrong if the camera is unplugged at that call, or None."""
    with TemporaryDirectory() as home:
        outcome = evening(kind, dies, Path(home))
    if outcome.left or outcome.missing or [6] not in outcome.values:
        return f"{kind}, off at call {dies}: {outcome}"
    if any(values not in ([5], [6]) for values in outcome.values):
        return f"{kind}, off at call {dies}: read {outcome.values}"
    return None


def calls(kind: str) -> list[str]:
    with TemporaryDirectory() as home:
        all_ = evening(kind, None, Path(home)).calls
    return all_[: len(all_) * (SIX - 6) // (ENDS + 10)]


def main() -> int:
    failed = 0
    for kind in KINDS:
        many = len(calls(kind))
        found = [said for dies in range(many) if (said := wrong(kind, dies))]
        print(f"{kind}: off at each of {many} calls, {len(found)} times it went wrong.", flush=True)
        print(*found[:10], sep="\n")
        failed += len(found)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
