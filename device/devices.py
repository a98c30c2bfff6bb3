"""The inputs, lights, buzzer and announcer of a table, opened from its settings.

A missing one is reported, and the rest works.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from device.display.lights_and_buzzer import Buzzer, Lights
from device.display.speech import Speech
from device.inputs.board_camera import BoardCamera
from device.inputs.button_recovery import ButtonRecovery
from device.inputs.buttons import Buttons
from device.inputs.corrections import Corrections
from device.inputs.dice_camera import DiceCamera
from device.inputs.remote_buttons import RemoteButtons
from device.service import safe_mode
from device.service.watchdog import Watchdog
from device.settings import Settings
from device.shapes import CalibrationCheck, CalibrationReport, Figures, Health
from device.table.session import Session
from engine.views import View
from vision.cameras.sources import open_source

if TYPE_CHECKING:
    from device.simulator.scene import SimulatedDevices

log = logging.getLogger("dugout")

UNCALIBRATED = """\
Not calibrated yet: the whole picture counts as the tray. Calibrate the camera on /table, or run `dugout calibrate`."""


HEALTH = (
    *("safe mode", "code", "camera", "tray", "board", "buttons", "remote", "display"),
    *("lights", "buzzer", "announcer", "journal"),
)
"""The parts that the page of the machine lists, in this order; those in `ALWAYS` even where none is wanted."""

ALWAYS = ("camera", "tray", "buttons", "display", "journal")


class Part(Protocol):
    """A device or helper of a running table, which may fail alone."""

    name: str

    @property
    def missing(self) -> str | None:
        """What is wrong and what to do, in sentences; None while it works."""

    def start(self) -> None:
        """Begin to work."""

    def look(self, view: View, new: bool) -> float:
        """Do what is due; `view` is what everybody sees, `new` since the last time. Return after how many seconds to
        look again, infinity if not before something changes.
        """

    def stop(self) -> None:
        """End, in a few seconds at most. May be called again."""


class Devices:
    """Everything wired to one table except its display. A `stage` simulates all of it.

    `settings` and `unsafe` (the reason for safe mode, `device.service.safe_mode`) are the values to use from now on: if
    the undo button is held down at the start, the table opens in safe mode.
    """

    def __init__(
        self,
        settings: Settings,
        session: Session,
        pressed: Callable[[str, float], None],
        trays: Path,
        lessons: Corrections,
        pulse: Watchdog,
        stage: SimulatedDevices | None = None,
        unsafe: str | None = None,
    ) -> None:
        self.settings, self.unsafe = settings, unsafe
        self._session, self._pressed, self._stage = session, pressed, stage
        self._trays, self._lessons, self._pulse = trays, lessons, pulse
        self._shown = -1
        session.game.notices.miss("safe mode", unsafe)
        self.buttons = self._open_buttons()
        if self.buttons is not None and safe_mode.BUTTON in self.buttons.stuck and stage is None:
            self.buttons.stop()
            self.settings, self.unsafe = safe_mode.modest(settings), safe_mode.HELD
            session.game.notices.miss("safe mode", self.unsafe)
            self.buttons = self._open_buttons()
        if self.unsafe:
            log.error("%s", self.unsafe)
        spoken = self.settings.announcer
        self.speech = Speech(spoken) if spoken.level != "off" else None
        self.camera = self._open_camera()
        self.board = self._open_board()
        found = (self.buttons, self._open_remote(), self.camera, self.board, *self._open_signals(), self.speech)
        self._parts: list[Part] = [part for part in found if part is not None]

    def start(self) -> None:
        """Start every part, and show it the table as it is: what comes from now on is news."""
        for part in self._parts:
            part.start()
        self.look_after()

    def stop(self) -> None:
        """Stop every part, in the other order: the board's camera may look through the tray's."""
        for part in reversed(self._parts):
            part.stop()

    def look_after(self) -> float:
        """Have every part do what is due, and report those that are missing. Return after how many seconds to do so
        again, infinity if not before something changes.
        """
        view, wait = self._session.game.view(None), math.inf
        new, self._shown = view.version != self._shown, view.version
        for part in self._parts:
            wait = min(wait, part.look(view, new))
            self._session.game.notices.miss(part.name, part.missing)
        return wait

    @property
    def demo(self) -> bool:
        """True if every device is simulated."""
        return self._stage is not None

    def camera_jpeg(self) -> bytes | None:
        """Return the dice camera's picture with the reading drawn on; None while there is none."""
        return None if self.camera is None else self.camera.jpeg()

    def board_jpeg(self) -> bytes | None:
        """Return the board camera's picture with the layout drawn on; None while there is none."""
        return None if self.board is None else self.board.jpeg()

    def press(self, button: str, action: str) -> None:
        """Move a virtual button. Not checked: that this is a demo."""
        assert self._stage is not None
        self._stage.press(button, action)

    def simulate(self, what: str) -> None:
        """Move virtual dice or pieces. Not checked: that this is a demo."""
        assert self._stage is not None
        self._stage.simulate(what, self._session)

    def health(self) -> list[Health]:
        """Return the state of each part."""
        missing = self._session.game.notices.health()
        if self._session.game.views().public.watching.state == "off":
            missing.setdefault("camera", "No picture yet.")
        if self.camera is not None and self.camera.uncalibrated:
            missing.setdefault("tray", UNCALIBRATED)
        here = {*ALWAYS, *missing, *(part.name for part in self._parts)}
        dice = [] if self.camera is None else self.camera.dice
        parts = [name for name in HEALTH if name in here]
        return [
            *(Health(part, part not in missing, missing.get(part, "Works.")) for part in parts),
            Health("learning", True, self._lessons.words),
            *(Health("taught dice", ok, words) for ok, words in dice),
        ]

    def figures(self) -> Figures:
        """Return the state of the parts for the doctor, as far as it is known here."""
        camera = None if self.camera is None else self.camera.figures()
        return Figures(demo=self._stage is not None, health=self.health(), camera=camera, unsafe=self.unsafe)

    def calibrate(self, step: str, corners: Sequence[tuple[float, float]] = ()) -> CalibrationReport:
        """Do a calibration step of the dice camera."""
        if self.camera is None:
            return CalibrationReport(step, False, [CalibrationCheck("camera", False, "There is no camera.")])
        return self.camera.calibrate(step, corners)

    def _open_buttons(self) -> ButtonRecovery | None:
        wanted = self.settings.buttons
        if wanted.factory == "none" and self._stage is None:
            self._session.game.notices.miss("buttons", "No buttons: answer on a phone.")
            return None
        factory = self._stage.buttons.factory if self._stage else wanted.factory
        return ButtonRecovery(lambda: Buttons(self._pressed, factory, wanted.pins))

    def _open_remote(self) -> ButtonRecovery | None:
        wanted = self.settings.remote
        if not wanted.name or self._stage is not None:
            return None
        return ButtonRecovery(
            lambda: RemoteButtons(self._pressed, wanted.name, wanted.buttons),
            name="remote",
            without="No remote: use the buttons or a phone.",
            back_off=(1.0,),  # Bluetooth buttons vanish whenever they sleep
        )

    def _open_signals(self) -> list[Lights | Buzzer]:
        if self._stage is not None or self.unsafe:
            return []
        pins, pin = self.settings.lights.pins, self.settings.buzzer.pin
        lights: list[Lights | Buzzer] = [Lights(pins, time.monotonic)] if pins else []
        return [*lights, Buzzer(pin, time.monotonic)] if pin is not None else lights

    def _open_camera(self) -> DiceCamera | None:
        where = self.settings.camera.source
        if self._stage is not None:
            return self._watching(self._stage.over_tray)
        if where == "none":
            self._session.game.notices.miss("camera", "No camera: enter the dice with the buttons or a phone.")
            return None
        return self._watching(lambda: open_source(where))

    def _watching(self, source: Callable[[], Any]) -> DiceCamera:
        return DiceCamera(self._session, source, trays=self._trays, lessons=self._lessons, pulse=self._pulse)

    def _open_board(self) -> BoardCamera | None:
        where, tray = self.settings.board.camera, self.camera
        if self._stage is not None:
            return BoardCamera(self._session, self._stage.over_board, pulse=self._pulse)
        if where == "none":
            return None
        if where != "tray":
            return BoardCamera(self._session, lambda: open_source(where), pulse=self._pulse)
        if tray is None:
            self._session.game.notices.miss("board", "No board camera: it is set to the tray's, and the tray has none.")
            return None
        return BoardCamera(self._session, tray.beside, pulse=self._pulse)
