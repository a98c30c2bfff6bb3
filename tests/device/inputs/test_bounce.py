"""A thousand presses of every kind of switch: each is reported as one press."""

from random import Random

import pytest

from device.inputs.debounce import HOLD_EVENTS, SETTLE_TIME_S, Debouncer
from tests.device.inputs.bounce_traces import SWITCHES, Switch, Trace, press

POLL = 50_000
"""Microseconds between two readings of the pin."""


def heard(button: Debouncer, trace: Trace, lost: frozenset[int] = frozenset()) -> list[str]:
    """Return the events of a trace, polled twenty times a second, without the edges at the indices `lost`."""
    looks = [(us, None) for us in range(7_000, trace[-1][0] + 4 * POLL, POLL)]
    moments = sorted([*looks, *((us, i) for i, (us, _) in enumerate(trace))], key=lambda one: one[0])
    told: list[str] = []
    for us, edge in moments:
        pressed = not next((level for at, level in reversed(trace) if at <= us), 1)
        if edge is None:
            told += button.handle_level(us / 1e6, pressed)
        elif edge not in lost:
            told += button.handle_edge(us / 1e6, pressed)
    return told


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: str(switch.name))
def test_one_press_each(switch: Switch) -> None:
    """The traces do bounce, and for less than the settle time."""
    chance, edges = Random(1), 0
    for _ in range(250):
        trace = press(switch, chance)
        edges += len(trace)
        assert max(switch.closing, switch.opening) / 1000 < SETTLE_TIME_S
        assert ["away-ok"] == heard(Debouncer("away-ok"), trace)
    assert edges > 3 * 250


@pytest.mark.parametrize("switch", SWITCHES, ids=lambda switch: str(switch.name))
@pytest.mark.parametrize(
    ("held", "told"), [(0.05, ["undo"]), (1.9, ["undo"]), (2.1, ["menu"]), (5.9, ["menu"]), (6.1, ["menu", "shutdown"])]
)
def test_short_or_long(switch: Switch, held: float, told: list[str]) -> None:
    """A press is never reported as both short and long, whatever bounces."""
    chance = Random(2)
    for _ in range(8):
        assert told == heard(Debouncer("undo", HOLD_EVENTS["undo"]), press(switch, chance, held))


@pytest.mark.parametrize("name", ["away-ok", "undo"])
def test_lost_edges(name: str) -> None:
    """Any edges may be lost, even the first or the last: it is still one press, and nothing sticks."""
    chance = Random(3)
    for switch in SWITCHES:
        for _ in range(60):
            trace = press(switch, chance)
            lost = frozenset(i for i in range(len(trace)) if chance.random() < 0.5)
            button = Debouncer(name, HOLD_EVENTS.get(name, ()))
            assert [name] == heard(button, trace, lost)
            assert not button.down


def test_down_from_the_start() -> None:
    """It reports nothing until it comes up, with bounces; then it works."""
    chance = Random(4)
    for switch in SWITCHES:
        for _ in range(40):
            button = Debouncer("undo", HOLD_EVENTS["undo"])
            button.set_first_level(-1.0, True)
            faults = [button.fault]
            opening = [(us, level) for us, level in press(switch, chance, 7.0) if us > 6e6]
            assert [] == heard(button, [(0, 0), *opening])
            assert [True, False] == [*faults, button.fault]
            later = [(us + 8_000_000, level) for us, level in press(switch, chance)]
            assert ["undo"] == heard(button, later)
