"""A drawn tray under a camera without delays, and a reader that knows what lies in it."""

from collections.abc import Callable

from vision.cameras.frames import Frame, Image
from vision.dice.floor import CameraPose
from vision.dice.known_table import KnownTable
from vision.dice.sizes import KnownSizes
from vision.dice.taught_dice import FaceBank
from vision.reading import PixelBox, Reading
from vision.synthetic.tray import SyntheticDie, SyntheticTray

WHITE = SyntheticDie()


class StandIn:
    """A reader that learns nothing."""

    learned_geometry: tuple[CameraPose, KnownSizes] | None = None
    taught: tuple[FaceBank, ...] = ()
    table = KnownTable()

    def camera_pose_from_die(self, frame: Image, inside: Callable[[PixelBox], bool] | None = None) -> None:
        return None

    def learn_floor(self) -> None:
        return None


class Knowing(StandIn):
    """A reader that knows what lies in the drawn tray."""

    def __init__(self, scene: SyntheticTray) -> None:
        self.scene, self.now = scene, 0.0

    def read_dice(self, frame: Image, inside: Callable[[PixelBox], bool] | None = None) -> Reading:
        dice = self.scene.ground_truth(self.now) or ()
        return Reading(dice, None if dice else "none", 1.0)


class Filmed:
    """A drawn tray as a camera without delays; `acts` run at their frame numbers. It ends after frame `last`."""

    def __init__(self, scene: SyntheticTray, last: int = 10**6, pace: float = 0.04) -> None:
        self.scene, self.last, self.pace, self.number = scene, last, pace, 0
        self.acts: dict[int, Callable[[], object]] = {}
        self.closed = False

    def throw(self, frame: int, value: int) -> "Filmed":
        """Throw a die with this value at that frame; return the camera."""
        self.acts[frame] = lambda: self.scene.throw_dice(frame * self.pace, [WHITE], [value])
        return self

    def read_frame(self) -> Frame | None:
        if self.number >= self.last:
            return None
        self.acts.get(self.number, lambda: None)()
        frame = Frame(self.scene.render_frame(self.number * self.pace), self.number * self.pace, self.number, "drawn")
        self.number += 1
        return frame

    def close(self) -> None:
        self.closed = True


def shots(scene: SyntheticTray, count: int = 8) -> list[Image]:
    return [scene.render_frame(0.0) for _ in range(count)]
