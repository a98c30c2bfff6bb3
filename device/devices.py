"""Inputs, lights, buzzer and announcer of a table, opened from its settings. A missing one is reported."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from device.display.lights_and_buzzer import Buzzer, Lights
from device.display.speech import SpeechAnnouncer
from device.inputs.board_camera import BoardCamera
from device.inputs.button_recovery import ButtonRecovery
from device.inputs.buttons import GpioButtons
from device.inputs.corrections import LearnedCorrections
from device.inputs.dice_camera import DiceCamera
from device.inputs.remote_buttons import RemoteButtons
from device.service import safe_mode
from device.service.watchdog import Watchdog
from device.settings import Settings
from device.shapes import CalibrationCheck, CalibrationReport, Figures, Health
from device.table.session import GameSession
from engine.views import AudienceView
from vision.cameras.sources import CameraChoice

if TYPE_CHECKING:
    from device.simulator.scene import SimulatedDevices

log = logging.getLogger("dugout")

UNCALIBRATED_TEXT = """\
Not calibrated yet: the whole picture counts as the tray. Calibrate the camera on /table, or run `dugout calibrate`."""


LISTED_COMPONENTS = (
    *("safe mode", "code", "camera", "picture", "tray", "board", "buttons", "remote", "display"),
    *("lights", "buzzer", "announcer", "journal"),
)
"""Parts on the machine's page, in this order. Those in `ALWAYS_LISTED` appear even if they are not set up."""

ALWAYS_LISTED = ("camera", "tray", "buttons", "display", "journal")
"""Parts on the machine's page that every table should have."""


class TableComponent(Protocol):
    """A device or helper of a running table. It may fail alone."""

    name: str

    @property
    def missing(self) -> str | None:
        """The fault and its remedy in sentences, None while the part works."""

    def start(self) -> None:
        """Begin to work."""

    def update(self, view: AudienceView, new: bool) -> float:
        """Do what is due and return the seconds until the next update, infinity if only a change makes one due.

        view: what spectators see.
        new: true if the view changed since the last call.
        """

    def stop(self) -> None:
        """End within a few seconds. May be called twice."""


class Devices:
    """Everything wired to one table except its display. A `stage` simulates all of it.

    `settings` and `unsafe` (the reason for safe mode, see `device.service.safe_mode`) are the values in force: holding
    the undo button at the start opens the table in safe mode.
    """

    def __init__(
        self,
        settings: Settings,
        session: GameSession,
        pressed: Callable[[str, float], None],
        trays: Path,
        lessons: LearnedCorrections,
        pulse: Watchdog,
        stage: SimulatedDevices | None = None,
        unsafe: str | None = None,
    ) -> None:
        self.settings, self.unsafe = settings, unsafe
        self._session, self._pressed, self._stage = session, pressed, stage
        self._trays, self._lessons, self._pulse = trays, lessons, pulse
        self._seen_version = -1
        session.game.notices.set_fault("safe mode", unsafe)
        self.buttons = self._open_buttons()
        if self.buttons is not None and safe_mode.SAFE_MODE_BUTTON in self.buttons.stuck_buttons and stage is None:
            self.buttons.stop()
            self.settings, self.unsafe = safe_mode.safe_mode_settings(settings), safe_mode.BUTTON_HELD_TEXT
            session.game.notices.set_fault("safe mode", self.unsafe)
            self.buttons = self._open_buttons()
        if self.unsafe:
            log.error("%s", self.unsafe)
        spoken = self.settings.announcer
        self.speech = SpeechAnnouncer(spoken) if spoken.level != "off" else None
        self._cameras = CameraChoice({"dice": self.settings.camera.source, "board": self.settings.board.camera})
        self.camera = self._open_camera()
        self.board = self._open_board()
        found = (self.buttons, self._open_remote(), self.camera, self.board, *self._open_signals(), self.speech)
        self._parts: list[TableComponent] = [part for part in found if part is not None]

    def start(self) -> None:
        """Start every part, then update it once, so that it takes the present view as its baseline."""
        for part in self._parts:
            part.start()
        self.update_components()

    def stop(self) -> None:
        """Stop every part in reverse order, because the board's camera may share the tray's."""
        for part in reversed(self._parts):
            part.stop()

    def update_components(self) -> float:
        """Update every part and publish its fault. Returns the seconds until the next update, inf if none is due."""
        view, wait = self._session.game.view_for(None), math.inf
        new, self._seen_version = view.version != self._seen_version, view.version
        for part in self._parts:
            wait = min(wait, part.update(view, new))
            self._session.game.notices.set_fault(part.name, part.missing)
        return wait

    @property
    def is_demo(self) -> bool:
        return self._stage is not None

    def camera_jpeg(self) -> bytes | None:
        """The dice camera's newest picture with the reading drawn on it, None if there is none."""
        return None if self.camera is None else self.camera.newest_jpeg()

    def board_jpeg(self) -> bytes | None:
        """The board camera's newest picture with the layout drawn on it, None if there is none."""
        return None if self.board is None else self.board.newest_jpeg()

    def move_button(self, button: str, action: str) -> None:
        """Move a virtual button. Not checked: that this is a demo."""
        assert self._stage is not None
        self._stage.move_button(button, action)

    def simulate_action(self, what: str) -> None:
        """Move virtual dice or pieces. Not checked: that this is a demo."""
        assert self._stage is not None
        self._stage.simulate_action(what, self._session)

    def component_health(self) -> list[Health]:
        missing = self._session.game.notices.current_faults()
        if self._session.game.current_views().public.watching.state == "off":
            missing.setdefault("camera", "No picture yet.")
        if self.camera is not None and self.camera.is_uncalibrated:
            missing.setdefault("tray", UNCALIBRATED_TEXT)
        here = {*ALWAYS_LISTED, *missing, *(part.name for part in self._parts)}
        dice = [] if self.camera is None else self.camera.taught_dice_sentences
        parts = [name for name in LISTED_COMPONENTS if name in here]
        return [
            *(Health(part, part not in missing, missing.get(part, "Works.")) for part in parts),
            Health("learning", True, self._lessons.words),
            *(Health("taught dice", ok, words) for ok, words in dice),
        ]

    def table_figures(self) -> Figures:
        """State of the parts for the doctor, as far as the devices know it."""
        camera = None if self.camera is None else self.camera.camera_figures()
        return Figures(demo=self._stage is not None, health=self.component_health(), camera=camera, unsafe=self.unsafe)

    def run_calibration_step(self, step: str, corners: Sequence[tuple[float, float]] = ()) -> CalibrationReport:
        if self.camera is None:
            return CalibrationReport(step, False, [CalibrationCheck("camera", False, "There is no camera.")])
        return self.camera.run_calibration_step(step, corners)

    def _open_buttons(self) -> ButtonRecovery | None:
        wanted = self.settings.buttons
        if wanted.factory == "none" and self._stage is None:
            self._session.game.notices.set_fault("buttons", "No buttons: answer on a phone.")
            return None
        factory = self._stage.buttons.factory if self._stage else wanted.factory
        return ButtonRecovery(lambda: GpioButtons(self._pressed, factory, wanted.pins))

    def _open_remote(self) -> ButtonRecovery | None:
        wanted = self.settings.remote
        if not wanted.name or self._stage is not None:
            return None
        return ButtonRecovery(
            lambda: RemoteButtons(self._pressed, wanted.name, wanted.key_buttons),
            name="remote",
            without="No remote: use the buttons or a phone.",
            back_off=(1.0,),  # Bluetooth buttons disconnect whenever they sleep
        )

    def _open_signals(self) -> list[Lights | Buzzer]:
        if self._stage is not None or self.unsafe:
            return []
        pins, pin = self.settings.lights.seat_pins, self.settings.buzzer.pin
        lights: list[Lights | Buzzer] = [Lights(pins, time.monotonic)] if pins else []
        return [*lights, Buzzer(pin, time.monotonic)] if pin is not None else lights

    def _open_camera(self) -> DiceCamera | None:
        where = self.settings.camera.source
        if self._stage is not None:
            return self._build_dice_camera(self._stage.open_tray_camera)
        if where == "none":
            self._session.game.notices.set_fault("camera", "No camera: enter the dice with the buttons or a phone.")
            return None
        return self._build_dice_camera(lambda: self._cameras.open_camera("dice"))

    def _build_dice_camera(self, source: Callable[[], Any]) -> DiceCamera:
        return DiceCamera(self._session, source, trays=self._trays, lessons=self._lessons, pulse=self._pulse)

    def _open_board(self) -> BoardCamera | None:
        where, tray = self.settings.board.camera, self.camera
        if self._stage is not None:
            return BoardCamera(self._session, self._stage.open_board_camera, pulse=self._pulse)
        if where == "none":
            return None
        if where != "tray":
            return BoardCamera(self._session, lambda: self._cameras.open_camera("board"), pulse=self._pulse)
        if tray is None:
            self._session.game.notices.set_fault(
                "board", "No board camera: it is set to the tray's, and the tray has none."
            )
            return None
        return BoardCamera(self._session, tray.shared_source, pulse=self._pulse)
