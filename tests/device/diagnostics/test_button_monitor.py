"""`dugout doctor --buttons`: each press at the pins is reported once; or what a running table hears."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from gpiozero import DigitalInputDevice

from device.diagnostics import button_monitor
from device.diagnostics.recent import PressLog
from device.diagnostics.running_table import TableReport
from device.inputs.buttons import MockButtons
from device.settings import ButtonSettings, parse_settings
from device.shapes import Figures, RecentPress
from engine.ask_views import AskView
from tests.device.inputs.bounce_traces import SWITCHES, Trace, press
from tests.device.stored_games import Clock


class Bench:
    """A board, a monitor and a clock; plays traces into real gpiozero devices."""

    def __init__(self) -> None:
        self.board, self.clock, self.said = MockButtons(), Clock(), list[str]()
        self.monitor = self.open()

    def open(self) -> button_monitor.ButtonMonitor:
        return button_monitor.ButtonMonitor(self.said.append, ButtonSettings(), self.board.factory, self.clock)

    def play(self, name: str, trace: Trace) -> None:
        """Play the edges of a trace, poll between them as the command does, and let it rest."""
        start, tick = self.clock.now, button_monitor.PIN_POLL_INTERVAL_S
        edges = [(start + us / 1e6, level) for us, level in trace]
        polls = [(start + i * tick, -1) for i in range(1, int(trace[-1][0] / 1e6 / tick) + 9)]
        for moment, level in sorted([*edges, *polls]):
            self.clock.now = moment
            if level >= 0:
                (self.board.release_button if level else self.board.push_button)(name)
            else:
                self.monitor.poll()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.monitor.close()
    bench.board.close()


def test_a_press_is_reported_with_pin_kind_and_bounces(bench: Bench) -> None:
    """Once it is over: short or long, never both."""
    bench.play("away-ok", [(0, 0), (120_000, 1)])
    bench.play("home-next", [(0, 0), (180, 1), (420, 0), (150_000, 1), (150_300, 0), (150_500, 1)])
    bench.play("away-ok", [(0, 0), (1_500_000, 1)])
    assert [
        "away-ok        GPIO22  short  0.12 s  0 bounces",
        "home-next      GPIO24  short  0.15 s  4 bounces",
        "away-ok        GPIO22  long   1.50 s  0 bounces",
    ] == bench.said


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: switch.name)
def test_each_press_of_any_switch_is_reported_once(bench: Bench, switch: Any) -> None:
    """However its contacts bounce; the number of bounces is right."""
    chance = Random(7)
    for _ in range(30):
        trace = press(switch, chance)
        bench.said.clear()
        bench.play("undo", trace)
        (line,) = bench.said
        bounces = len(trace) - 2
        assert line.endswith(f"{bounces} bounce{'' if bounces == 1 else 's'}")
        assert "short" in line


def test_two_quick_presses_are_two(bench: Bench) -> None:
    bench.play("away-next", [(0, 0), (40_000, 1), (80_000, 0), (120_000, 1)])
    assert ["away-next      GPIO27  short  0.04 s  0 bounces"] * 2 == bench.said


def test_a_hold_is_reported_while_it_lasts(bench: Bench) -> None:
    """First what it means at the table, and afterwards as a long press."""
    bench.play("undo", [(0, 0), (6_500_000, 1)])
    assert [f"{'':14} held: menu", f"{'':14} held: shutdown"] == bench.said[:2]
    assert ["undo           GPIO5   long   6.50 s  0 bounces"] == bench.said[2:]


def test_a_stuck_button_is_named_once(bench: Bench) -> None:
    """At the first reading."""
    bench.monitor.close()
    bench.board.push_button("away-ok")
    bench.monitor = bench.open()
    for _ in range(50):
        bench.clock.now += button_monitor.PIN_POLL_INTERVAL_S
        bench.monitor.poll()
    assert ["Button away-ok is stuck: check its wiring."] == bench.said


def test_a_button_whose_pin_is_taken_is_named_once(bench: Bench) -> None:
    """The other six work."""
    bench.monitor.close()
    held = DigitalInputDevice(5, pin_factory=bench.board.factory)
    bench.monitor = bench.open()
    bench.play("home-ok", [(0, 0), (12_000_000, 1)])
    assert "Button undo on GPIO5 cannot be used: another part uses this pin." == bench.said[0]
    assert ["home-ok"] == [words.split()[0] for words in bench.said if "GPIO25" in words]
    assert 1 == sum("GPIO5 " in words for words in bench.said)
    held.close()


@pytest.mark.parametrize(
    ("untouched", "words"),
    [
        ("home-ok", "\nNever pressed: home-ok (GPIO25). Check their wires to the pin and to ground."),
        ("", "\nAll buttons work."),
    ],
)
def test_buttons_never_pressed_are_listed(untouched: str, words: str) -> None:
    """With their pins, when Ctrl-C ends it; the pins are released."""
    board, clock, said = MockButtons(), Clock(), list[str]()
    names = [*(name for name in board.wiring if name != untouched), ""]

    def sleep(seconds: float) -> None:
        if not names:
            raise KeyboardInterrupt
        if name := names.pop(0):
            board.push_button(name)
            clock.now += 0.1
            board.release_button(name)
            clock.now += 1

    status = button_monitor.watch_pins(parse_settings("", "dugout.toml"), said.append, board.factory, clock, sleep)
    assert (int(bool(untouched)), words) == (status, said[-1])
    board.close()


def test_no_buttons_are_set() -> None:
    """The command says what to write in the settings."""
    said = list[str]()
    assert 1 == button_monitor.watch_pins(parse_settings("[buttons]\nfactory = 'none'", "x"), said.append)
    assert "factory" in said[0]


def test_a_running_table_is_followed() -> None:
    """It is asked again and again; one press more is heard each time, until it ends."""
    events, said = ["undo", "away-ok", "menu"], list[str]()
    all_presses = [RecentPress(n, event, 0.0) for n, event in enumerate(events, 1)]
    reports = iter([TableReport(Figures(presses=all_presses[:n]), []) for n in (1, 2, 3)])

    def ask() -> TableReport:
        for report in reports:
            return report
        raise OSError("it ended")

    assert 1 == button_monitor.watch_table(ask, said.append, lambda seconds: None)
    assert ["away-ok", "menu", "The table no longer answers (it ended)."] == said[1:]


def test_a_table_that_cannot_be_asked_has_to_be_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    """It owns the pins, so the command only says how to stop it."""
    assert 1 == button_monitor.monitor_buttons(parse_settings("", "x"), None, "a table runs and does not answer.")
    assert "sudo systemctl stop dugout.socket dugout.service" in capsys.readouterr().err


def test_presses_are_not_logged_during_a_secret_choice() -> None:
    """They would reveal it."""
    asks = [AskView(0, "away", "choose", False, False, "", "", "")]
    clock = Clock()
    heard = PressLog(lambda: asks, clock)
    heard.record_press("undo")
    asks.append(replace(asks[0], secret=True))
    heard.record_press("away-next")
    asks.clear()
    clock.now += 2
    heard.record_press("home-ok")
    assert [RecentPress(1, "undo", 2.0), RecentPress(2, "home-ok", 0.0)] == heard.recent_presses()
