"""The watchdog: which threads have missed their heartbeat, with a clock that the test moves."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PIL import Image

from device.display import oled, panel, screens_64
from device.display.oled import Oled
from device.inputs import camera_thread
from device.inputs.board_camera import BoardCamera
from device.inputs.dice_camera import DiceCamera
from device.service.watchdog import Watchdog
from device.table.board import Board, LayoutAsk
from device.table.session import GameSession
from tests.device.stored_games import Clock
from vision.cameras.frames import Frame

AGES = 300
"""Seconds after which a test gives up."""


@pytest.fixture
def pulse(clock: Clock) -> Watchdog:
    return Watchdog(clock)


class Stuck:
    """A device whose driver does not answer: `hung` is set once it is called, and `free` releases it."""

    def __init__(self) -> None:
        self.hung, self.free = threading.Event(), threading.Event()

    def hang(self) -> None:
        self.hung.set()
        assert self.free.wait(AGES)


class Screen(panel.DummyPanel, Stuck):
    """A display that hangs in the middle of a picture."""

    def __init__(self) -> None:
        panel.DummyPanel.__init__(self)
        Stuck.__init__(self)

    def display(self, image: Image.Image) -> None:
        self.hang()


class Film(Stuck):
    """A camera that hangs at its first frame and is gone after that."""

    def read_frame(self) -> Frame:
        self.hang()
        raise OSError("Gone.")

    def close(self) -> None:
        pass


def test_a_part_is_late_after_its_own_limit(pulse: Watchdog, clock: Clock) -> None:
    """Each part has its own limit; one that moves again is not late any more, and a resting one may take its time."""
    pulse.beat("camera", 30)
    pulse.beat("display", 15)
    clock.now += 15
    assert () == pulse.late_parts()
    clock.now += 0.1
    assert ("display",) == pulse.late_parts()
    clock.now += 15
    assert ("camera", "display") == pulse.late_parts()
    pulse.beat("display", 15)
    pulse.suspend("camera")
    assert () == pulse.late_parts()
    pulse.suspend("camera")


def test_a_display_that_hangs_is_late(pulse: Watchdog, clock: Clock) -> None:
    """A part that fails or is missing does not hang; one that does not answer hangs until it does."""
    screen = Screen()
    face = Oled(lambda: screen, clock=clock, pulse=pulse, draw=screens_64)
    face.start()
    assert screen.hung.wait(AGES)
    clock.now += oled.HANG_TIMEOUT_S + 1
    assert ("display",) == pulse.late_parts()
    screen.free.set()
    face.stop(timeout=AGES)
    assert () == pulse.late_parts()


def test_a_camera_that_hangs_is_late_and_a_missing_one_is_not(
    session: GameSession, pulse: Watchdog, clock: Clock
) -> None:
    """It gets time to open; one that failed rests until it is tried again."""
    film = Film()
    hand = DiceCamera(session, lambda: film, patience=AGES, pulse=pulse)
    hand.start()
    assert film.hung.wait(AGES)
    clock.now += camera_thread.OPEN_TIMEOUT_S - 1
    assert () == pulse.late_parts()
    clock.now += 2
    assert ("camera",) == pulse.late_parts()
    film.free.set()
    hand.stop()
    hand.join(AGES)
    assert () == pulse.late_parts()


def test_each_frame_is_a_beat(session: GameSession, pulse: Watchdog, clock: Clock, tmp_path: Path) -> None:
    """A camera that stops between two frames is late sooner than one that opens."""
    import numpy as np

    class Third(Film):
        """A camera that hangs at its third frame."""

        def __init__(self) -> None:
            super().__init__()
            self.frames = 0

        def read_frame(self) -> Frame:
            self.frames += 1
            return (
                super().read_frame()
                if self.frames == 3
                else Frame(np.zeros((240, 320, 3), np.uint8), 0.1 * self.frames, self.frames, "film")
            )

    film = Third()
    hand = DiceCamera(session, lambda: film, patience=AGES, pulse=pulse)
    hand.start()
    assert film.hung.wait(AGES)
    clock.now += camera_thread.HANG_TIMEOUT_S + 1
    assert ("camera",) == pulse.late_parts()
    film.free.set()
    hand.stop()
    hand.join(AGES)


def test_a_board_camera_is_watched_only_while_it_is_needed(
    session: GameSession, pulse: Watchdog, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It rests while there is nothing to lay."""
    wanted: list[LayoutAsk | None] = [None]
    looked = threading.Event()

    def laying(self: Board) -> LayoutAsk | None:
        looked.set()
        return wanted[0]

    monkeypatch.setattr(Board, "laying", property(laying), raising=False)
    monkeypatch.setattr(Board, "set_layout", lambda *_: None)
    film = Film()
    hand = BoardCamera(session, lambda: film, patience=AGES, pulse=pulse)
    hand.start()
    assert looked.wait(AGES)
    clock.now += camera_thread.OPEN_TIMEOUT_S + 1
    assert () == pulse.late_parts()
    wanted[0] = LayoutAsk(0, "home", (), (), {}, 0, clock.now)
    assert film.hung.wait(AGES)
    clock.now += camera_thread.OPEN_TIMEOUT_S + 1
    assert ("board camera",) == pulse.late_parts()
    wanted[0] = None
    film.free.set()
    hand.stop()
    hand.join(AGES)
    assert () == pulse.late_parts()
