"""Buttons: one press is reported as one press, however the contacts bounce.

The traces are (µs, level) with level 0 for a closed contact, as a logic analyzer records them at the pin. None was
recorded: they are written by hand after oscilloscope pictures of tactile switches: closing bounces over 3 ms, opening
chatter, spikes. `tests.device.inputs.bounce_traces` generates many more.
"""

import time
from collections.abc import Iterator

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.pins.pi import PiPin

from device.inputs.button_recovery import ButtonError
from device.inputs.buttons import PIN_RETRY_S, GpioButtons, MockButtons
from device.inputs.debounce import HOLD_EVENTS, SETTLE_TIME_S, STUCK_AFTER_S, Debouncer
from device.settings import DEFAULT_PINS

CLEAN = [(0, 0), (120_000, 1)]
BOUNCES = [
    *[(0, 0), (180, 1), (420, 0), (700, 1), (1_150, 0), (1_300, 1), (1_900, 0), (2_200, 1), (2_600, 0), (2_850, 1)],
    *[(3_000, 0), (95_000, 1)],
]
CHATTER = [(0, 0), (90_000, 1), (90_250, 0), (90_400, 1), (91_100, 0), (91_300, 1), (93_500, 0), (93_900, 1)]
BOTH = [*BOUNCES[:-1], *[(110_000 + us, level) for us, level in CHATTER[1:]]]
WORN = [(0, 0), (900, 1), (4_000, 0), (9_500, 1), (12_000, 0), (140_000, 1), (149_000, 0), (151_000, 1)]
HASTY = [(0, 0), (6_000, 1)]
SPIKE = [(0, 0), (40, 1)]
SPIKES = [(0, 0), (15, 1), (60, 0), (95, 1), (150, 0), (170, 1)]
LATE = 0.0002
"""Seconds from an edge to its callback, as with lgpio on a small Pi."""


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Bench:
    """A mock board, buttons and a clock; it plays traces into real gpiozero devices."""

    def __init__(self) -> None:
        self.board, self.clock = MockButtons(), Clock()
        self.told: list[str] = []
        self.times: list[float] = []
        self.hand = GpioButtons(self.heard, self.board.factory, clock=self.clock)

    def heard(self, name: str, when: float) -> None:
        self.told.append(name)
        self.times.append(when)

    def play(self, name: str, trace: list[tuple[int, int]], late: float = LATE) -> None:
        start = self.clock.now
        edges = [start + us / 1e6 + late for us, _ in trace]
        polls = [start + i / 20 for i in range(1, int((edges[-1] - start) * 20) + 3)]
        for moment in sorted([*edges, *polls]):
            self.clock.now = moment
            level = next((level for us, level in reversed(trace) if start + us / 1e6 <= moment), 1)
            # Set the pin's level; gpiozero calls back if that is a change.
            (self.board.release_button if level else self.board.push_button)(name)
            if moment in polls:
                self.hand.poll()
        self.wait(0.1)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 20)):
            self.clock.now += 0.05
            self.hand.poll()


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.hand.close()
    bench.board.close()


def run(press: Debouncer, trace: list[tuple[int, int]]) -> list[tuple[int, str]]:
    """Feed every edge of a trace and a reading after it; return the events with the µs of their edges."""
    told = [(us, event) for us, level in trace for event in press.handle_edge(us / 1e6, not level)]
    us, level = trace[-1]
    return [*told, *((us, event) for event in press.handle_level(us / 1e6 + SETTLE_TIME_S, not level))]


@pytest.mark.parametrize("trace", [CLEAN, BOUNCES, CHATTER, BOTH, WORN, HASTY])
def test_one_press(trace: list[tuple[int, int]]) -> None:
    """Five bounces over 3 ms, chatter on release or a worn contact are one press, reported at the first edge."""
    assert [(0, "away-ok")] == run(Debouncer("away-ok"), trace)


@pytest.mark.parametrize("name", ["home-next", "undo"])
@pytest.mark.parametrize("trace", [CLEAN, BOUNCES, CHATTER, BOTH, WORN, HASTY])
def test_one_press_at_the_pins(bench: Bench, trace: list[tuple[int, int]], name: str) -> None:
    """Even a button with hold actions reports a short press once, when it comes up."""
    bench.play(name, trace)
    assert [name] == bench.told


@pytest.mark.parametrize("trace", [SPIKE, SPIKES])
def test_spike(bench: Bench, trace: list[tuple[int, int]]) -> None:
    """A spike that is over when its callback runs is not a press, although both edges are reported."""
    pin = bench.board.factory.pin(DEFAULT_PINS["away-next"])
    for us, level in trace:
        bench.clock.now += us / 1e6
        # lgpio reports the level after the edge, when the pin already reads high again.
        PiPin._call_when_changed(pin, bench.clock.now, level)
    bench.wait(0.1)
    assert [] == bench.told


@pytest.mark.parametrize(
    ("name", "trace", "times"),
    [
        ("away-next", [(0, 0), (90_000, 1)], [0.0]),
        ("away-next", [(0, 0), (300, 1), (500, 0), (80_000, 1), (80_200, 0), (80_400, 1)], [0.0005]),
        ("away-next", [(0, 0), (60_000, 1), (140_000, 0), (200_000, 1)], [0.0, 0.14]),
        ("undo", [(0, 0), (150_000, 1)], [0.0]),
        ("away-next", [(0, 0), (15_000, 1)], []),
    ],
)
def test_a_press_that_is_over_before_its_edges_arrive(
    bench: Bench, name: str, trace: list[tuple[int, int]], times: list[float]
) -> None:
    """On a busy machine every edge arrives late: the kernel's times show that it was a press, not a spike, and when."""
    pin, start = bench.board.factory.pin(DEFAULT_PINS[name]), bench.clock.now
    bench.clock.now += 0.4
    for us, level in trace:
        PiPin._call_when_changed(pin, start + us / 1e6, level)
    bench.wait(0.1)
    assert [name] * len(times) == bench.told
    assert [pytest.approx(start + when) for when in times] == bench.times


@pytest.mark.parametrize(("offset", "when"), [(0.0, 100.0), (1.7e9, 100.0), (-5000.0, 100.03), (50.0, 100.03)])
def test_the_time_of_a_press(bench: Bench, offset: float, when: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's time of the edge, since boot or since 1970; an implausible one is ignored."""
    monkeypatch.setattr(time, "time", lambda: 1.7e9 + bench.clock.now)
    pin = bench.board.factory.pin(DEFAULT_PINS["away-ok"])
    pin.when_changed, told = None, pin.when_changed
    bench.board.push_button("away-ok")
    pin.when_changed = told
    bench.clock.now = 100.03
    PiPin._call_when_changed(pin, offset + 100.0, 0)
    assert ["away-ok"] == bench.told
    assert [pytest.approx(when, abs=1e-5)] == bench.times


def test_a_missed_edge_counts_from_when_it_is_found(bench: Bench) -> None:
    pin = bench.board.factory.pin(DEFAULT_PINS["away-ok"])
    pin.when_changed = None
    bench.board.push_button("away-ok")
    assert [] == bench.told
    bench.wait(0.05)
    assert (["away-ok"], [bench.clock.now]) == (bench.told, bench.times)


def test_two_presses(bench: Bench) -> None:
    bench.play("away-next", [(0, 0), (40_000, 1), (80_000, 0), (120_000, 1)])
    assert ["away-next"] * 2 == bench.told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.3, ["undo"]), (1.8, ["undo"]), (2.2, ["menu"]), (5.8, ["menu"]), (6.3, ["menu", "shutdown"])],
)
def test_holds(bench: Bench, seconds: float, told: list[str]) -> None:
    """Undo held opens the menu after 2 s and shuts down after 6 s, while still held; it is never also a short press."""
    bench.play("undo", [(0, 0), (180, 1), (420, 0), (int(seconds * 1e6), 1), (int(seconds * 1e6) + 300, 0)][:4])
    assert told == bench.told


def test_the_menu_opens_while_undo_is_held(bench: Bench) -> None:
    """At two seconds, not only when the button comes up."""
    bench.board.push_button("undo")
    bench.wait(1.9)
    assert [] == bench.told
    bench.wait(0.2)
    assert ["menu"] == bench.told


def test_held_again(bench: Bench) -> None:
    for trace in ([(0, 0), (2_500_000, 1)], [(0, 0), (2_500_000, 1)], CLEAN):
        bench.play("undo", trace)
    assert ["menu", "menu", "undo"] == bench.told


def test_missed_readings() -> None:
    # While the button counts as pressed, edges from a loose contact belong to the same press.
    press = Debouncer("away-ok")
    assert ("away-ok",) == press.handle_edge(0.0, True)
    assert () == press.handle_past_press(0.101, 0.2)
    assert press.down
    # If the last edge is lost, the next reading finds the button up: a short press, not a hold.
    press = Debouncer("undo", HOLD_EVENTS["undo"])
    press.handle_edge(0.0, True)
    told = [event for i in range(1, 200) for event in press.handle_level(i / 20, level=i < 4)]
    assert ["undo"] == told
    # A gap in the readings ends a hold, so a missed release and a missed new press cannot shut down.
    press = Debouncer("undo", HOLD_EVENTS["undo"])
    press.handle_edge(0.0, True)
    press.handle_level(0.05, True)
    assert () == press.handle_level(7.0, True)
    assert ("undo",) == press.handle_edge(7.2, False)
    # A hold that ends before a reading confirmed it does nothing: it may have been short or long.
    press = Debouncer("undo", HOLD_EVENTS["undo"])
    press.handle_edge(0.0, True)
    assert () == press.handle_edge(3.0, False)


def test_stuck_at_start() -> None:
    """A button that is down at the start is reported by name and silent until it comes up; then it works."""
    board, clock, told = MockButtons(), Clock(), list[str]()
    board.push_button("away-ok")
    hand = GpioButtons(lambda name, _: told.append(name), board.factory, clock=clock)
    clock.now += 60
    hand.poll()
    assert ("Button away-ok is stuck: check its wiring.",) == hand.faults
    board.release_button("away-ok")
    assert [] == [*told, *hand.faults]
    clock.now += 1
    board.push_button("away-ok")
    assert ["away-ok"] == told
    hand.close()


def test_undo_held_at_start() -> None:
    """Undo held at the start, or stuck, does not open the menu or shut down."""
    board, clock, told = MockButtons(), Clock(), list[str]()
    board.push_button("undo")
    hand = GpioButtons(lambda name, _: told.append(name), board.factory, clock=clock)
    for _ in range(200):
        clock.now += 0.05
        hand.poll()
    board.release_button("undo")
    assert [] == told
    hand.close()


def test_stuck_later(bench: Bench) -> None:
    """A button that stays down for half a minute is reported too, until it comes up."""
    bench.board.push_button("home-ok")
    bench.wait(STUCK_AFTER_S + 0.1)
    assert ("Button home-ok is stuck: check its wiring.",) == bench.hand.faults
    bench.board.release_button("home-ok")
    assert not list(bench.hand.faults)


def test_unreadable_pin(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported, the other buttons work, and it may come back."""
    pin = bench.board.factory.pin(DEFAULT_PINS["home-ok"])

    def fail() -> bool:
        raise OSError("the chip is gone")

    with monkeypatch.context() as patch:
        patch.setattr(pin, "_get_state", fail)
        bench.wait(0.05)
        assert ("Button home-ok cannot be read: the chip is gone.",) == bench.hand.faults
        bench.board.tap_button("away-ok")
        assert ["away-ok"] == bench.told
    bench.wait(0.05)
    assert not list(bench.hand.faults)


def test_listener_that_fails(caplog: pytest.LogCaptureFixture) -> None:
    board, told = MockButtons(), list[str]()

    def pressed(name: str, when: float) -> None:
        told.append(name)
        raise RuntimeError("listener")

    hand = GpioButtons(pressed, board.factory)
    board.push_button("away-ok")
    board.push_button("home-ok")
    assert ["away-ok", "home-ok"] == told
    assert "The press of away-ok was lost." in caplog.text
    hand.close()


@pytest.mark.parametrize(
    ("factory", "words"),
    [
        ("lgpio", "Buttons: the pin factory lgpio cannot be used: lgpio is not installed"),
        ("rpi", "Buttons: there is no pin factory 'rpi'; choose one of lgpio."),
    ],
)
def test_missing_factory(factory: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "lgpio", None)
    monkeypatch.delitem(__import__("sys").modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setenv("LG_WD", ".")
    with pytest.raises(ButtonError) as caught:
        GpioButtons(print, factory)
    assert str(caught.value).startswith(words)


def test_bad_wiring() -> None:
    """The error names button and pin, and all pins are released."""
    board = MockButtons()
    with pytest.raises(ButtonError) as caught:
        GpioButtons(print, board.factory, {"undo": 77, "away-ok": 78})
    assert "Button undo on GPIO77 cannot be used: there is no such pin. Button away-ok on GPIO78 " in str(caught.value)
    GpioButtons(print, board.factory, {"undo": 5}).close()


def test_a_pin_in_use_affects_only_its_button() -> None:
    """It is reported and retried, but not at every poll; the others work in the meantime."""
    board, clock, told = MockButtons(), Clock(), list[str]()
    held = DigitalInputDevice(5, pin_factory=board.factory)
    hand = GpioButtons(lambda name, when: told.append(name), board.factory, clock=clock)
    assert ("Button undo on GPIO5 cannot be used: another part uses this pin.",) == hand.faults
    board.tap_button("home-ok")
    held.close()
    hand.poll()
    assert (1, False) == (len(hand.faults), hand.is_lost)
    clock.now += PIN_RETRY_S
    hand.poll()
    clock.now += 1
    board.tap_button("undo")
    clock.now += 1
    hand.poll()
    assert ["home-ok", "undo"] == told
    assert not list(hand.faults)
    hand.close()
    board.close()


def test_default_wiring() -> None:
    """No default pin belongs to I²C, SPI, UART, HAT identity or sound, and none is used twice."""
    taken = {0, 1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21}
    assert not taken & set(DEFAULT_PINS.values())
    assert len(DEFAULT_PINS) == len(set(DEFAULT_PINS.values())) == 7
