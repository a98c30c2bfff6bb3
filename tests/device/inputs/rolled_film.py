"""A drawn tray in front of the real dice camera and a real game: what the table shows in each frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from device.inputs.dice_camera import DiceCamera, _FrameFeed
from device.inputs.tray_view import TrayReader
from device.storage.store import Store
from device.table.session import GameSession
from engine.dice import Face
from engine.journal import Source
from engine.views import AudienceView
from tests.device.inputs.scenes import WHITE, Filmed, StandIn
from tests.device.stored_games import table
from tests.vision.spins import SpinningCamera
from vision.cameras.frames import Frame, Image
from vision.reading import DieReading, PixelBox, Reading
from vision.synthetic.tray import SyntheticTray


class Film(Protocol):
    """A source of frames that knows what its dice show."""

    number: int

    def read_frame(self) -> Frame | None: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Moment:
    """One frame, and what the table showed after it was processed."""

    when: float
    picture: Image
    view: AudienceView

    @property
    def counted(self) -> list[Face]:
        """The dice of the last roll that counted."""
        return list(self.view.table.scoreboard.dice)

    @property
    def proposed(self) -> Sequence[Face] | None:
        return None if self.view.proposal is None else self.view.proposal.faces

    @property
    def words(self) -> str:
        """What the table says about the proposed roll, or its notice."""
        said = self.view.proposal.advice if self.view.proposal else None
        return said or self.view.notice or ""


def moments(
    film: Film, fps: float, dice_at: Callable[[float], Sequence[DieReading] | None], folder: Path, show: float = 1.5
) -> list[Moment]:
    """Play a film to a game whose batter rolls one die. `dice_at` is what a reader sees at a time, in seconds."""
    store, seen = Store(folder / "film.db"), list[Moment]()
    session = GameSession(store, table, clock=lambda: film.number / fps, show=show)
    session.seats.answer_ask("away", 0, "bat", Source.PHONE)
    plain, last = film.read_frame, list[Frame]()

    def read_frame() -> Frame | None:
        if last:
            session.tick()
            seen.append(Moment(last[0].when, last[0].picture, session.game.view_for(None)))
        last[:] = [frame for frame in [plain()] if frame is not None]
        return last[0] if last else None

    def read_dice(frame: Image, inside: Callable[[PixelBox], bool] | None = None) -> Reading:
        dice = tuple(dice_at((film.number - 1) / fps) or ())
        return Reading(dice, None if dice else "none", 1.0)

    film.read_frame = read_frame  # type: ignore[method-assign]
    camera = DiceCamera(session, lambda: film)
    view = TrayReader(type("Reads", (StandIn,), {"read_dice": staticmethod(read_dice)})(), None, lambda words: None)
    camera._view = view
    try:
        camera._watch_tray(_FrameFeed(film, camera), view)
    finally:
        store.close()
    return seen


def moved_die(scene: SyntheticTray, now: float, value: int, right: float = 14.0) -> None:
    """Let the only die lie on another side, some mm to the right."""
    (thing,) = scene._things
    pose = thing.track.pose_after(np.inf)
    scene.clear_tray()
    scene.place_die(now, WHITE, value, pose.x + right, pose.y, turn=0.5)


@dataclass
class Tray:
    """A film of a die that is thrown as a 3 and rests after about 1.7 seconds, and of what `acts` do then."""

    acts: dict[float, Callable[[SyntheticTray, float], object]]
    seconds: float = 6.0
    after: Callable[[Image, float], Image] = lambda picture, now: picture
    fps: float = 25.0

    def moments(self, folder: Path, show: float = 1.5) -> list[Moment]:
        scene = SyntheticTray((432, 324), seed=4)
        film = Filmed(scene, round(self.seconds * self.fps), 1 / self.fps).throw(round(0.6 * self.fps), 3)
        for when, act in self.acts.items():
            film.acts[round(when * self.fps)] = lambda when=when, act=act: act(scene, when)  # type: ignore[misc]
        drawn = scene.render_frame
        scene.render_frame = lambda now: self.after(drawn(now), now)  # type: ignore[method-assign]
        return moments(film, self.fps, scene.ground_truth, folder, show)


def spin_moments(camera: SpinningCamera, folder: Path, show: float = 1.5) -> list[Moment]:
    """Play the film of a spinning die, of which a reader sees the pip in the middle: a certain 1."""
    return moments(camera, camera.spin.fps, camera.dice_at, folder, show)
