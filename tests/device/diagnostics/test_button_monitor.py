"""`dugout doctor --buttons`: each press at the pins is told once, with what it was; or what a running table hears."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from gpiozero import DigitalInputDevice

from device.diagnostics import button_monitor
from device.diagnostics.press_log import PressLog
from device.diagnostics.running_table import RunningTable
from device.inputs.buttons import MockBoard
from device.settings import parse
from tests.device.inputs.bounce_traces import SWITCHES, Trace, press
from tests.device.stored_games import Clock


class Bench:
    """A board, a watch and a clock; plays traces into real gpiozero devices."""

    def __init__(self) -> None:
        self.board, self.clock, self.said = MockBoard(), Clock(), list[str]()
        self.watch = button_monitor.ButtonMonitor(
            self.said.append, self.board.factory, self.board.wiring, clock=self.clock
        )

    def play(self, name: str, trace: Trace) -> None:
        """Play the edges of a trace, looked at between them as the command does, and let it rest."""
        start = self.clock.now
        edges = [(start + us / 1e6, level) for us, level in trace]
        looks = [
            start + i * button_monitor.TICK for i in range(1, int((edges[-1][0] - start) / button_monitor.TICK) + 9)
        ]
        for moment, level in sorted([*edges, *((look, -1) for look in looks)]):
            self.clock.now = moment
            if level >= 0:
                (self.board.up if level else self.board.down)(name)
            else:
                self.watch.poll()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.watch.close()
    bench.board.close()


def test_a_press_is_told_with_its_pin_its_kind_and_its_bounces(bench: Bench) -> None:
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
def test_every_switch_is_heard_once_a_press(bench: Bench, switch: Any) -> None:
    """However its contacts chatter; the bounces that are told are those that there were."""
    chance = Random(7)
    for _ in range(30):
        trace = press(switch, chance)
        bench.said.clear()
        bench.play("undo", trace)
        (told,) = bench.said
        bounces = len(trace) - 2
        assert told.endswith(f"{bounces} bounce{'' if bounces == 1 else 's'}")
        assert "short" in told


def test_two_quick_presses_are_two(bench: Bench) -> None:
    """Each is told, the first before its time to rest is over."""
    bench.play("away-next", [(0, 0), (40_000, 1), (80_000, 0), (120_000, 1)])
    assert ["away-next      GPIO27  short  0.04 s  0 bounces"] * 2 == bench.said


def test_a_hold_is_told_while_it_lasts(bench: Bench) -> None:
    """What it means at the table, and afterwards that it was long."""
    bench.play("undo", [(0, 0), (6_500_000, 1)])
    assert [f"{'':14} held: menu", f"{'':14} held: shutdown"] == bench.said[:2]
    assert ["undo           GPIO5   long   6.50 s  0 bounces"] == bench.said[2:]


def test_a_stuck_button_is_named_once() -> None:
    """At the first look."""
    board, clock, said = MockBoard(), Clock(), list[str]()
    board.down("away-ok")
    watch = button_monitor.ButtonMonitor(said.append, board.factory, board.wiring, clock=clock)
    for _ in range(50):
        clock.now += button_monitor.TICK
        watch.poll()
    watch.close()
    board.close()
    assert ["Button away-ok is stuck: check its wiring."] == said


def test_a_button_whose_pin_is_taken_is_named_once(bench: Bench) -> None:
    """Its other six are heard."""
    bench.watch.close()
    held = DigitalInputDevice(5, pin_factory=bench.board.factory)
    bench.watch = button_monitor.ButtonMonitor(
        bench.said.append, bench.board.factory, bench.board.wiring, clock=bench.clock
    )
    bench.play("home-ok", [(0, 0), (12_000_000, 1)])
    assert "Button undo on GPIO5 cannot be used: another part uses this pin." == bench.said[0]
    assert ["home-ok"] == [words.split()[0] for words in bench.said if "GPIO25" in words]
    assert 1 == sum("GPIO5 " in words for words in bench.said)
    held.close()


class Ended:
    """A sleep that somebody ends with Ctrl-C; before that it does something."""

    def __init__(self, *acts: Any) -> None:
        self._acts = list(acts)

    def __call__(self, seconds: float) -> None:
        if not self._acts:
            raise KeyboardInterrupt
        self._acts.pop(0)()


def test_buttons_that_were_never_heard_are_named() -> None:
    """With their pins, when Ctrl-C ends it; the pins are let go."""
    board, clock, said = MockBoard(), Clock(), list[str]()

    def tap(name: str) -> None:
        board.down(name)
        clock.now += 0.1
        board.up(name)
        clock.now += 1

    others = [name for name in board.wiring if name != "home-ok"]
    acts = [lambda name=name: tap(name) for name in others]
    settings = parse("", "dugout.toml")
    assert 1 == button_monitor.watch(settings, said.append, board.factory, clock, Ended(*acts, lambda: None))
    assert "\nNot heard: home-ok (GPIO25). Check their wires, to the pin and to ground." == said[-1]
    acts = [lambda name=name: tap(name) for name in board.wiring]
    assert 0 == button_monitor.watch(settings, said.append, board.factory, clock, Ended(*acts, lambda: None))
    assert "\nAll were heard." == said[-1]
    board.close()


def test_no_buttons_are_set() -> None:
    """What to write is said."""
    said = list[str]()
    assert 1 == button_monitor.watch(parse("[buttons]\nfactory = 'none'", "x"), said.append)
    assert "factory" in said[0]


class Running(RunningTable):
    """A table that heard these presses, one more at each question."""

    def __init__(self, *presses_: dict[str, Any]) -> None:
        super().__init__("nowhere")
        self._all, self._asked = presses_, 0

    def figures(self) -> dict[str, Any]:
        self._asked += 1
        if self._asked > len(self._all):
            raise OSError("it ended")
        return {"presses": list(self._all[: self._asked])}


def test_what_a_running_table_hears_is_followed() -> None:
    """From now on, each press once; when the table ends that is said."""
    said = list[str]()
    table = Running(*({"n": n, "event": event} for n, event in enumerate(["undo", "away-ok", "menu"], 1)))
    assert 1 == button_monitor.follow(table, said.append, lambda seconds: None)
    assert ["away-ok", "menu", "The table answers no more (it ended)."] == said[1:]


def test_a_table_that_cannot_be_asked_is_to_be_stopped(capsys: pytest.CaptureFixture[str]) -> None:
    """It holds the pins; how to stop it is said, and nothing is taken from it."""
    assert 1 == button_monitor.run(parse("", "x"), None, "a table runs and does not answer.")
    assert "sudo systemctl stop dugout.socket dugout.service" in capsys.readouterr().err


def test_presses_are_not_kept_while_something_is_chosen_in_secret() -> None:
    """They would tell what."""
    asks: list[dict[str, Any]] = [{"secret": False}]
    clock = Clock()
    heard = PressLog(lambda: {"table": {"asks": asks}}, clock)
    heard.note("undo")
    asks.append({"secret": True})
    heard.note("away-next")
    asks.clear()
    clock.now += 2
    heard.note("home-ok")
    assert [(1, "undo", 2.0), (2, "home-ok", 0.0)] == [(one["n"], one["event"], one["ago"]) for one in heard.told()]
