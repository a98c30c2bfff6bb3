"""The board camera: it watches drawn boards only while Gloves are to be laid."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np
import pytest

from device.inputs import camera_thread
from device.inputs.board_camera import BoardCamera
from device.storage.store import Store
from device.table.session import GameSession
from engine.journal import Source
from engine.views import json_data
from tests.device.gloves_game import WELL, lay, session, shown
from tests.device.process import PATIENCE
from tests.device.stored_games import Clock
from vision.cameras.frames import CameraError, Frame
from vision.synthetic.tokens import SyntheticBoard

PACE = 0.1
"""Seconds between two frames of a film."""


class Film:
    """A camera over the drawn board that moves the clock: `acts` run at their frames; `read_frame` raises the last
    fault."""

    def __init__(self, drawn: SyntheticBoard, clock: Clock, many: int = 10**6) -> None:
        self.drawn, self.clock, self.many = drawn, clock, many
        self.acts: dict[int, Callable[[], object]] = {}
        self.faults: list[Exception] = []
        self.number, self.closed = -1, 0
        self.opened: list[int] = []
        """The number of the last picture before each time."""

    def open(self) -> Film:
        self.opened.append(self.number)
        return self

    def read_frame(self) -> Frame | None:
        self.number += 1
        if self.number >= self.many:
            return None
        self.clock.now += PACE
        self.acts.pop(self.number, lambda: None)()
        if self.faults:
            raise self.faults[-1]
        return Frame(self.drawn.render_frame(), self.clock.now, self.number, "film")

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def kept(store: Store, clock: Clock) -> GameSession:
    return session(store, clock)


@pytest.fixture
def film(clock: Clock) -> Film:
    drawn = SyntheticBoard((320, 240), seed=3, share=0.75)
    lay(drawn, WELL)
    return Film(drawn, clock)


@pytest.fixture
def running(kept: GameSession, film: Film, monkeypatch: pytest.MonkeyPatch) -> Iterator[BoardCamera]:
    monkeypatch.setattr(camera_thread, "FIRST_RETRY_DELAY_S", 0.01)
    monkeypatch.setattr(camera_thread, "IDLE_POLL_S", 0.01)
    hand = BoardCamera(kept, film.open, patience=0.02)
    hand.start()
    yield hand
    hand.stop()
    assert not hand.is_alive()


def watch(kept: GameSession, film: Film, many: int) -> BoardCamera:
    film.many = many
    hand = BoardCamera(kept, film.open)
    with pytest.raises(OSError, match="The video has ended"):
        hand._use_camera()
    return hand


def until(true: Callable[[], object]) -> None:
    last = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < last, "it never came"
        time.sleep(0.005)


def test_a_layout_at_rest_is_offered(kept: GameSession, film: Film) -> None:
    """Not at the first picture, and then with every Glove; the live picture shows it too."""
    film.acts[5] = lambda: told.append(json_data(kept.game.view_for(None))["layout"])
    told: list[object] = []
    hand = watch(kept, film, 12)
    assert [None] == told
    assert (True, WELL) == (shown(kept)["sure"], shown(kept)["value"])
    jpeg = hand.newest_jpeg()
    assert jpeg is not None
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert (240, 320, 3) == picture.shape
    green = np.abs(picture.astype(int) - (60, 200, 60)).max(axis=2) < 40
    assert green.sum() > 500, "the areas are outlined"


def test_a_hand_over_the_board_withdraws_the_offer(kept: GameSession, film: Film) -> None:
    """Nothing can be confirmed by mistake while it is there; the layout after that is offered."""
    told: list[object] = []
    other = WELL | {"A": "3/2", "B": "5/4"}

    def reach() -> None:
        told.append(json_data(kept.game.view_for(None))["layout"])
        film.drawn.hand = (0.0, 0.1)

    def go() -> None:
        told.append(json_data(kept.game.view_for(None))["layout"])
        lay(film.drawn, other)
        film.drawn.hand = None

    film.acts = {12: reach, 15: go}
    watch(kept, film, 28)
    assert [True, False] == [one is not None for one in told]
    assert (True, other) == (shown(kept)["sure"], shown(kept)["value"])


def test_the_camera_counts_until_it_fails(kept: GameSession, film: Film) -> None:
    """No Glove to take flashes up while it is being opened; without it the buttons lay the Gloves at once."""
    hand = BoardCamera(kept, film.open)
    assert kept.game.view_for(None).dial is None
    hand._handle_loss("It is gone.")
    assert kept.game.view_for(None).dial is not None


def test_only_pictures_taken_after_the_ask_count(kept: GameSession, film: Film, clock: Clock) -> None:
    """A picture from before the ask that still waits in the camera is skipped."""
    assert kept.board.laying is not None
    hand = BoardCamera(kept, film.open)
    for _ in range(20):
        frame = film.read_frame()
        assert frame is not None
        hand._read_frame(Frame(frame.picture, kept.board.laying.since - 0.01, 0, "film"), kept.board.laying)
    assert hand.newest_jpeg() is None
    assert json_data(kept.game.view_for(None))["layout"] is None


def test_after_an_undo_the_board_is_read_again(kept: GameSession, film: Film) -> None:
    """The old layout is offered again only after a new picture shows it."""
    told: list[object] = []

    def again() -> None:
        kept.buttons.press_ok("home")
        kept.game.undo_answers(1)

    film.acts = {12: again, 15: lambda: told.append(json_data(kept.game.view_for(None))["layout"])}
    watch(kept, film, 26)
    assert [None] == told
    assert shown(kept)["sure"]


def test_the_camera_is_open_only_while_gloves_are_to_be_laid(
    kept: GameSession, film: Film, running: BoardCamera
) -> None:
    until(lambda: json_data(kept.game.view_for(None))["layout"])
    kept.buttons.press_ok("home")
    until(lambda: film.closed)
    number = film.number
    kept.game.notices.show_notice("Nothing to lay.")
    kept.seats.answer_ask("away", 2, "ready", Source.PHONE)
    until(lambda: len(film.opened) == 2)
    assert [-1, number] == film.opened
    until(lambda: json_data(kept.game.view_for(None))["layout"])


def test_a_lost_camera_is_reported_and_comes_back(kept: GameSession, film: Film, running: BoardCamera) -> None:
    """Its layout is withdrawn; the table says what to do, and continues by itself when the camera is back."""
    until(lambda: json_data(kept.game.view_for(None))["layout"])
    film.faults.append(CameraError("The camera stopped answering: check its plug."))
    until(lambda: kept.game.notices.current_faults())
    words = kept.game.notices.current_faults()["board"]
    assert words.startswith("No board camera: place the pieces on a phone or with the buttons.")
    assert words.endswith("check its plug.")
    assert json_data(kept.game.view_for(None))["layout"] is None
    assert running.newest_jpeg() is None
    film.faults.clear()
    until(lambda: not kept.game.notices.current_faults())
    until(lambda: json_data(kept.game.view_for(None))["layout"])


def test_after_any_error_the_game_continues(kept: GameSession, film: Film, running: BoardCamera) -> None:
    """An unexpected error is logged and reported, and the board is watched again."""
    until(lambda: json_data(kept.game.view_for(None))["layout"])
    film.faults.append(RuntimeError("boom"))
    until(lambda: kept.game.notices.current_faults())
    assert kept.game.notices.current_faults()["board"].endswith("Reading the board failed; the log says why.")
    film.faults.clear()
    until(lambda: json_data(kept.game.view_for(None))["layout"])


def test_a_silent_camera_is_reported_before_its_driver_times_out(kept: GameSession, film: Film) -> None:
    """The layout is withdrawn; after the next picture the report is withdrawn too."""
    now = [0.0]
    film.many = 30
    hand = BoardCamera(kept, film.open, clock=lambda: now[0])

    def late() -> None:
        assert json_data(kept.game.view_for(None))["layout"] is not None
        hand.update()
        assert not kept.game.notices.current_faults(), "not at once"
        now[0] += 2.1
        hand.update()
        hand.update()
        told.append(kept.game.notices.current_faults()["board"])
        assert json_data(kept.game.view_for(None))["layout"] is None

    told: list[str] = []
    film.acts = {20: late, 22: lambda: told.append(kept.game.notices.current_faults().get("board", ""))}
    with pytest.raises(OSError, match="The video has ended"):
        hand._use_camera()
    assert [BoardCamera.silent_advice, ""] == told
    now[0] += 9
    hand.update()
    assert not kept.game.notices.current_faults(), "no picture is waited for any more"
