"""Buttons that are missing at the start, disappear or come back: gpiozero's lgpio factory on a removable fake chip."""

import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gpiozero.pins import local

from device.inputs.button_recovery import RETRY_DELAYS_S, STABLE_AFTER_S, ButtonError, ButtonRecovery
from device.inputs.buttons import HELD_POLL_S, IDLE_POLL_S, PIN_RETRY_S, GpioButtons, MockButtons
from device.pins import close_factory, open_factory
from device.settings import DEFAULT_PINS
from tests.device.stored_games import Clock
from tests.pi import lgpio

PI_4 = 0xC03111


class Bench:
    """Buttons on a chip, and a clock."""

    def __init__(self) -> None:
        self.clock, self.told = Clock(), list[str]()
        self.keys = ButtonRecovery(
            lambda: GpioButtons(lambda name, _: self.told.append(name), clock=self.clock), self.clock
        )

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 20)):
            self.clock.now += 0.05
            self.keys.poll()

    def tap(self, name: str) -> None:
        for level in (0, 1):
            lgpio.chip.move(DEFAULT_PINS[name], level)
            self.wait(0.1)


@pytest.fixture(autouse=True)
def chip(monkeypatch: pytest.MonkeyPatch) -> Iterator[lgpio.Chip]:
    """Provide a Pi's chip; check that nothing holds a line of it at the end."""
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", lgpio)
    monkeypatch.setattr(local, "get_pi_revision", lambda: PI_4)
    monkeypatch.setattr(lgpio, "chip", lgpio.Chip())
    yield lgpio.chip
    sys.modules.pop("gpiozero.pins.lgpio", None)  # nobody else may get one for this chip
    assert lgpio.chip.handles == set()


def test_connected_buttons_work(chip: lgpio.Chip) -> None:
    bench = Bench()
    bench.tap("home-ok")
    assert (["home-ok"], None) == (bench.told, bench.keys.missing)
    bench.keys.stop()


def test_no_chip_at_the_start(chip: lgpio.Chip, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged once, retried at growing intervals, and found without a restart."""
    caplog.set_level(logging.WARNING)
    chip.there = False
    bench = Bench()
    assert "No buttons: answer on a phone. Buttons: the pin factory lgpio cannot be used" in (bench.keys.missing or "")
    bench.wait(200)
    tried = sum(RETRY_DELAYS_S) + RETRY_DELAYS_S[-1]
    assert len(RETRY_DELAYS_S) < chip.opened < len(RETRY_DELAYS_S) + (200 - tried) / RETRY_DELAYS_S[-1] + 3
    assert 1 == len(caplog.records)
    chip.there = True
    bench.wait(RETRY_DELAYS_S[-1] + 1)
    assert bench.keys.missing is None
    bench.tap("away-next")
    assert ["away-next"] == bench.told
    bench.keys.stop()


def test_a_chip_that_disappears(chip: lgpio.Chip) -> None:
    """It is reported, and its buttons work again each time it is back; nothing of the old chip is left open."""
    bench = Bench()
    for evening in range(1, 5):
        bench.tap("undo")
        assert ["undo"] * evening == bench.told
        chip.vanish()
        bench.wait(0.2)
        assert (bench.keys.missing or "").startswith("No buttons: answer on a phone. Button ")
        assert set() == chip.handles
        chip.there = True
        bench.wait(STABLE_AFTER_S + 2)
        assert bench.keys.missing is None
    bench.keys.stop()


def test_buttons_that_fail_at_once_are_not_retried_faster(chip: lgpio.Chip) -> None:
    """Only buttons that worked for a while restart the short intervals."""
    bench, board = Bench(), list[float]()
    for _ in range(len(RETRY_DELAYS_S)):
        chip.vanish()
        bench.wait(0.1)
        chip.there, begun = True, bench.clock.now
        while bench.keys.missing:
            bench.wait(0.05)
        board.append(bench.clock.now - begun)
    assert [pytest.approx(wait, abs=0.2) for wait in RETRY_DELAYS_S] == board
    bench.keys.stop()


def test_a_button_that_is_down_is_named(chip: lgpio.Chip) -> None:
    """At the start and when the chip comes back; it works once it is released."""
    chip.move(DEFAULT_PINS["away-ok"], 0)
    bench = Bench()
    assert ("away-ok",) == bench.keys.stuck_buttons
    bench.wait(0.1)
    assert (bench.keys.missing or "") == "Button away-ok is stuck: check its wiring."
    chip.move(DEFAULT_PINS["away-ok"], 1)
    bench.wait(0.1)
    bench.tap("away-ok")
    assert ["away-ok"] == bench.told
    assert not bench.keys.missing
    bench.keys.stop()


def test_one_unreadable_button_does_not_reopen_the_others(chip: lgpio.Chip) -> None:
    bench = Bench()
    chip.broken.add(DEFAULT_PINS["home-ok"])
    bench.wait(1)
    assert (bench.keys.missing or "").startswith("Button home-ok cannot be read")
    bench.tap("away-ok")
    assert (1, ["away-ok"]) == (chip.opened, bench.told)
    bench.keys.stop()


def test_a_pin_in_use_is_retried(chip: lgpio.Chip) -> None:
    """The other buttons work in the meantime; if they fail, too, all are reopened."""
    chip.lines[DEFAULT_PINS["undo"]] = -1
    bench = Bench()
    bench.tap("away-ok")
    assert "Button undo on GPIO5 cannot be used: 'GPIO busy'." == bench.keys.missing
    del chip.lines[DEFAULT_PINS["undo"]]
    bench.wait(PIN_RETRY_S)
    bench.tap("undo")
    assert (1, ["away-ok", "undo"]) == (chip.opened, bench.told)
    assert not bench.keys.missing
    chip.lines[DEFAULT_PINS["undo"]] = -1
    bench.keys.stop()
    again = Bench()
    chip.vanish()
    again.wait(0.1)
    assert (again.keys.missing or "").startswith("No buttons: answer on a phone. Button undo on GPIO5 cannot be used")
    again.keys.stop()


@pytest.mark.parametrize("close", [close_factory, lambda factory: factory.close()])
def test_closing_other_pins_does_not_affect_the_buttons(chip: lgpio.Chip, close: Callable[[Any], None]) -> None:
    bench = Bench()
    other = open_factory("lgpio")
    other.pin(16)
    close(other)
    bench.tap("home-next")
    assert {17, 27, 22, 23, 24, 25, 5} == chip.alerts
    assert ["home-next"] == bench.told
    bench.keys.stop()


def test_closed_buttons_are_silent() -> None:
    """They can be closed twice; a board that fails while it opens is closed too."""
    board, tries = MockButtons(), list[int]()

    def opens() -> GpioButtons:
        tries.append(1)
        if len(tries) == 1:
            raise ButtonError("Not yet.")
        return GpioButtons(lambda *_: None, board.factory)

    clock = Clock()
    keys = ButtonRecovery(opens, clock)
    assert ("No buttons: answer on a phone. Not yet.", ()) == (keys.missing, keys.stuck_buttons)
    clock.now += RETRY_DELAYS_S[0]
    keys.poll()
    assert keys.missing is None
    keys.stop()
    keys.stop()
    board.close()


def test_it_says_when_to_look_again(chip: lgpio.Chip) -> None:
    """Often while a button is down, rarely while none is, and after a failure once it is worth another try."""
    bench = Bench()
    assert IDLE_POLL_S == bench.keys.poll()
    lgpio.chip.move(DEFAULT_PINS["undo"], 0)
    assert HELD_POLL_S == bench.keys.poll()
    chip.there = False
    while (wait := bench.keys.poll()) in (HELD_POLL_S, IDLE_POLL_S):
        bench.clock.now += wait
    assert RETRY_DELAYS_S[0] == pytest.approx(wait)
    bench.clock.now += wait / 2
    assert RETRY_DELAYS_S[0] / 2 == pytest.approx(bench.keys.poll())
    bench.keys.stop()
