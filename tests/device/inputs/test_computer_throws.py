"""The dice that computers throw: into the demo's tray, until its camera has read them, or typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from device.inputs.computer_throws import CAMERA_TIMEOUT_S, ComputerThrows
from device.simulator.scene import SimulatedDevices
from device.storage.store import Store
from device.table.live_game import RETRY_DELAY_S
from device.table.session import GameSession
from engine.dice import Die, Face
from engine.errors import IllegalAnswer
from engine.seats import Seat
from engine.views import ManagerView
from tests.device.stored_games import Clock, duel
from tests.device.throws import thrown
from tests.engine.sample_games import duel_game, pool_game
from tests.vision.tints import die

PACE = 2.0


class Tray:
    """A tray that counts the throws; its camera sees nothing until the test says so."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.session, self.clock, self.throws = duel(store, clock), clock, 0
        self.session.rolls.set_camera_state("empty", "The tray is empty.")
        self.computer = ComputerThrows(self.session, Random(3), self._throw)

    def _throw(self) -> None:
        self.throws += 1

    def wait(self, seconds: float) -> None:
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.computer.throw_if_asked(self.session.game.view_for(None))
            self.clock.now += 0.1
            if self.session.rolls.watching.state == "settled":
                self.session.rolls.set_camera_state("settled", "The dice are still.", self.clock.now)
            self.session.tick()

    @property
    def rolled(self) -> bool:
        return len(self.session.game.table.answers) > 5


@pytest.fixture
def tray(store: Store, clock: Clock) -> Tray:
    return Tray(store, clock)


def test_it_throws_once_and_the_camera_reads(tray: Tray) -> None:
    """Not before its pace is over; what is read for sure counts by itself and is not typed."""
    tray.wait(PACE - 0.2)
    assert 0 == tray.throws
    tray.wait(1.0)
    assert 1 == tray.throws
    faces = [die.faces[0] for die in duel_game.DICE]
    dice = tuple(
        die(face, one.colour or "white", x=60 * i, kind=one.kind)
        for i, (face, one) in enumerate(zip(faces, duel_game.DICE, strict=True))
    )
    tray.session.rolls.handle_throw(thrown(dice, tray.clock.now))
    tray.session.rolls.set_camera_state("settled", "The dice are still.", tray.clock.now)
    tray.wait(CAMERA_TIMEOUT_S + 1)
    assert tray.session.game.table.answers[5].value == tuple(faces)
    assert tray.session.game.sources[-1].value == "camera"


@pytest.mark.parametrize("doubt", ["unclear", None])
def test_what_is_not_read_for_sure_is_thrown_once_more(tray: Tray, doubt: str | None) -> None:
    """The camera doubts the dice, or sees none: nobody types what they may show."""
    tray.wait(PACE + 0.5)
    if doubt:
        tray.session.rolls.handle_throw(thrown([die(3, "red")], tray.clock.now, doubt))
    tray.wait(CAMERA_TIMEOUT_S - 1)
    assert 1 == tray.throws
    tray.wait(2)
    assert (2, False) == (tray.throws, tray.rolled)


@pytest.mark.parametrize("state", ["off", "moving", "hand"])
def test_it_waits_while_the_camera_does_not_look(tray: Tray, state: str) -> None:
    tray.session.rolls.set_camera_state(state, "Not now.")
    tray.wait(30)
    assert (0, False) == (tray.throws, tray.rolled)


def test_dice_that_the_demo_does_not_have_are_typed(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal asks a person to type them, and the computer does so."""
    monkeypatch.setattr(duel_game, "DICE", (Die("d16"),))
    session, stage = duel(store, clock), SimulatedDevices({}, seed=3)
    session.rolls.set_camera_state("empty", "The tray is empty.")
    with pytest.raises(IllegalAnswer, match=r"The demo has no d16: enter what it shows\."):
        stage.simulate_action("throw", session)
    computer = ComputerThrows(session, Random(3), lambda: stage.simulate_action("throw", session))
    computer.throw_if_asked(session.game.view_for(None))
    clock.now += PACE
    assert 0.0 == computer.throw_if_asked(session.game.view_for(None))
    assert 6 == session.game.table.answers[-1].n


def test_what_is_refused_is_tried_again_later(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    session = duel(store, clock)
    computer, view = ComputerThrows(session, Random(3)), session.game.view_for(None)
    computer.throw_if_asked(view)
    clock.now += PACE
    with monkeypatch.context() as patch:
        patch.setattr(session.seats, "answer_ask", lambda *_: session.game.check_version(-1))
        assert [RETRY_DELAY_S, RETRY_DELAY_S] == [computer.throw_if_asked(view), computer.throw_if_asked(view)]
    clock.now += RETRY_DELAY_S
    assert 0.0 == computer.throw_if_asked(view)


@pytest.mark.parametrize("again", [(0, 2), (1,)])
def test_it_throws_again_what_the_manager_chose(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch, again: Sequence[int]
) -> None:
    """Typed, and in the demo's tray. While the manager thinks, nothing is thrown."""
    session = GameSession(store, lambda: pool_game.new([1, 2, 3, 4, 5, 6], "go"), clock=clock)
    view = session.game.view_for(None)
    (ask,) = view.table.asks

    def managed(places: Sequence[int] | None) -> dict[Seat, ManagerView]:
        return {ask.seat: ManagerView("regular", "", places)}

    stage = SimulatedDevices({}, seed=3)
    monkeypatch.setattr(session.managed, "manager_views", lambda plays: managed(again))
    session.game.publish_again()
    rerolled: list[list[int]] = []
    monkeypatch.setattr(stage.tray, "reroll_dice", lambda ask, value: rerolled.append(chosen(value)))
    stage.simulate_action("throw", session)
    assert [list(again)] == rerolled

    computer = ComputerThrows(session, Random(3))
    for places in (None, again):
        for _ in range(2):
            computer.throw_if_asked(replace(view, managers=managed(places)))
            clock.now += PACE
        assert (places is not None) == (len(session.game.table.answers) > 2)
    assert list(again) == chosen(session.game.table.answers[2].value)


def chosen(value: Sequence[Face | None]) -> list[int]:
    """Return the places of the dice that are thrown again."""
    return [place for place, face in enumerate(value) if face is not None]
