"""Lights and buzzer: they follow the public view, and their faults never reach the game."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.app import App
from device.display.lights_and_buzzer import BLINK_PERIOD_S, TUNES_BY_EVENT, Buzzer, Lights, light_states, tune_to_play
from device.display.oled import RETRY_DELAYS_S
from device.settings import SettingsError, parse_settings
from engine.journal import Source
from engine.views import AudienceView, json_data
from tests.device.display.views import CHOOSE, SEEN, a_view, changed
from tests.device.stored_games import Clock, seen

DOUBT = SEEN | {"sure": False, "seconds": None}


@pytest.fixture
def factory() -> Iterator[Any]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.close()


def asked(*seats: str, **more: Any) -> AudienceView:
    return a_view(table={"asks": [CHOOSE | {"seat": seat} for seat in seats]}, **more)


def test_lit() -> None:
    """A light is on while its seat is asked, blinks while its roll waits for a person, and is off at the end."""
    assert {"away": "off", "home": "on"} == light_states(asked("home"))
    assert {"away": "on", "home": "on"} == light_states(asked("home", "away"))
    assert {"away": "off", "home": "blink"} == light_states(asked("home", proposal=DOUBT))
    assert {"away": "off", "home": "on"} == light_states(asked("home", proposal=SEEN))
    over = a_view(table={"asks": [CHOOSE], "outcome": {"winner": "home"}})
    assert {"away": "off", "home": "off"} == light_states(over)


def test_lights_blink(factory: Any) -> None:
    """At the pins: steady for the seat that is asked, slowly on and off for one whose roll waits; dark once closed."""
    clock = Clock()
    clock.now = 0.01
    lights = Lights({"away": 16, "home": 26}, clock, factory)
    lights.handle_view(asked("home", "away", proposal=DOUBT))
    seen = []
    for _ in range(8):
        lights.update_pins()
        seen.append((bool(factory.pin(16).state), bool(factory.pin(26).state)))
        clock.now += BLINK_PERIOD_S / 4
    assert [(True, True), (True, True), (True, False), (True, False)] * 2 == seen
    lights.stop()
    assert not factory.pin(16).state


def test_lights_say_when_they_blink_next(factory: Any) -> None:
    """Looked at only when they ask for it, they blink as well; steady ones ask for nothing."""
    clock = Clock()
    clock.now = 0.01
    lights = Lights({"home": 26}, clock, factory)
    view, seen = asked("home", proposal=DOUBT), list[bool]()
    for _ in range(6):
        clock.now += lights.update(view, new=not seen) + 0.001
        seen.append(bool(factory.pin(26).state))
    assert [True, False] * 3 == seen
    assert clock.now < 6 * BLINK_PERIOD_S / 2 + 0.1
    assert math.inf == lights.update(asked("home"), new=True)
    lights.stop()


def test_heard() -> None:
    """A roll that was read, one in doubt, a run and the end are heard, each only at its first view."""
    quiet, read, doubt = asked("home"), asked("home", proposal=SEEN), asked("home", proposal=DOUBT)
    sides = quiet.table.scoreboard.sides
    run = a_view(board={"sides": {**sides, "away": replace(sides["away"], runs=5)}})
    over = a_view(table={"outcome": {"winner": "home"}})
    other = changed(run, game={"key": "rallybird", "title": "RallyBird"})
    steps = [(quiet, read), (read, read), (read, doubt), (doubt, quiet), (quiet, run), (run, quiet), (run, over)]
    steps += [(over, over), (over, quiet), (quiet, other), (changed(read, notice="x"), read)]
    assert ["read", None, "doubt", None, "run", None, "over", None, None, None, None] == [
        tune_to_play(*pair) for pair in steps
    ]


def test_the_buzzer_says_when_its_next_note_begins(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    clock.now = 0.0
    buzzer = Buzzer(12, clock, factory)
    monkeypatch.setattr("device.display.lights_and_buzzer.tune_to_play", lambda before, after: "over")
    assert math.inf == buzzer.update(asked("home"), new=True)
    waits, new = list[float](), True
    while (wait := buzzer.update(asked("away"), new)) < math.inf:
        waits.append(round(wait, 3))
        clock.now, new = clock.now + wait, False
    assert [seconds for _, seconds in TUNES_BY_EVENT["over"]] == waits
    buzzer.stop()


@pytest.mark.parametrize("tune", list(TUNES_BY_EVENT))
def test_tune(factory: Any, tune: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each sound is its notes in turn, and then silence; the first view of all is silent."""
    clock = Clock()
    clock.now = 0.0
    buzzer = Buzzer(12, clock, factory)
    monkeypatch.setattr("device.display.lights_and_buzzer.tune_to_play", lambda before, after: tune)
    buzzer.handle_view(asked("home"))
    buzzer.update_pins()
    pin = factory.pin(12)
    assert not pin.state
    buzzer.handle_view(asked("away"))
    played: list[int] = []
    for _ in range(60):
        buzzer.update_pins()
        hertz = pin.frequency if pin.state else 0
        if not played or played[-1] != hertz:
            played.append(hertz)
        clock.now += 0.02
    assert [*(hertz for hertz, _ in TUNES_BY_EVENT[tune]), 0] == played
    buzzer.stop()


def test_fails_alone(factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pin that fails is reported; it is opened again after a while, and then follows the newest view."""
    clock = Clock()
    clock.now = 0.0
    lights = Lights({"home": 26}, clock, factory)
    lights.handle_view(asked("away"))
    lights.update_pins()

    def fail(self: Any, value: float) -> None:
        raise RuntimeError("the chip is gone")

    with monkeypatch.context() as patch:
        patch.setattr(MockPWMPin, "_set_state", fail)
        lights.handle_view(asked("home"))
        lights.update_pins()
        reported = [lights.missing]
    lights.update_pins()
    reported.append(lights.missing)
    clock.now += RETRY_DELAYS_S[0]
    lights.update_pins()
    reported.append(lights.missing)
    assert [*["The lights cannot be used: the chip is gone."] * 2, None] == reported
    assert factory.pin(26).state
    lights.stop()


def test_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.setenv("LG_WD", ".")
    buzzer = Buzzer(12, Clock())
    buzzer.update_pins()
    assert "lgpio is not installed" in str(buzzer.missing)


def test_wired_by_the_settings(tmp_path: Path, factory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table with lights and buzzer opens them, shows who is asked, and releases them at its end."""
    monkeypatch.setattr("device.display.lights_and_buzzer.open_factory", lambda name, what: factory)
    source = "[lights]\nhome = 26\naway = 16\n[buzzer]\npin = 12\n"
    source += '[display]\ndriver = "none"\n[camera]\nsource = "none"\n[buttons]\nfactory = "none"\n'
    app = App(parse_settings(source, "t.toml").model_copy(update={"data": tmp_path}), demo=False)
    try:
        app._update_components(new=True)
        asks = {ask["seat"] for ask in json_data(app.session.game.view_for(None))["table"]["asks"]}
        assert {"away", "home"} & asks == {seat for seat, pin in (("away", 16), ("home", 26)) if factory.pin(pin).state}
        assert {"lights", "buzzer"} <= {
            json_data(part)["part"] for part in app.devices.component_health() if json_data(part)["ok"]
        }
    finally:
        app.stop()
    assert not next(part for part in app.devices._parts if isinstance(part, Lights))._parts


def test_a_roll_that_counts_by_itself_is_followed(
    tmp_path: Path, factory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts see the view of a proposed roll whose time has run out, though nothing changes after it."""
    shown = list[AudienceView]()
    monkeypatch.setattr("device.display.lights_and_buzzer.open_factory", lambda name, what: factory)
    monkeypatch.setattr(Buzzer, "handle_view", lambda self, view: shown.append(view))
    source = "[buzzer]\npin = 12\n[camera]\nsource = 'none'\nshow = 1\n"
    source += '[display]\ndriver = "none"\n[buttons]\nfactory = "none"\n'
    app = App(parse_settings(source, "t.toml").model_copy(update={"data": tmp_path}), demo=False)
    try:
        clock = Clock()
        monkeypatch.setattr(app.session.game, "clock", clock)
        for n, value in enumerate(("red", "bat")):
            app.session.seats.answer_ask("away", n, value, Source.PHONE)
        app.session.rolls.handle_throw(seen(4, began=clock.now + 1))
        app._update_components(new=True)
        proposed = len(shown)
        clock.now += 5
        app.session.rolls.set_camera_state("settled", "The dice are still.", clock.now)
        for _ in range(3):
            app._update_components()
        assert ([True], [False]) == (
            [view.proposal is not None for view in shown[proposed - 1 : proposed]],
            [view.proposal is not None for view in shown[-1:]],
        )
        assert app.session.game.view_for(None).table.version == shown[-1].table.version == 3
    finally:
        app.stop()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("[lights]\naway = 5\n", "line 2, lights.away: light away and undo share GPIO5; each needs its own."),
        ("[lights]\naway = 16\nhome = 16\n", "line 3, lights.home: light home and light away share GPIO16;"),
        ("[buttons.pins]\nundo = 2\n", "line 2, buttons.pins.undo: undo and display SDA share GPIO2;"),
        ("[display]\nwires = 'spi'\n[buzzer]\npin = 8\n", "line 4, buzzer.pin: buzzer and display CS share GPIO8;"),
        ("[buzzer]\npin = 3\n", "line 2, buzzer.pin: buzzer and display SCL share"),
        ("[lights]\nhome = 12\n[buzzer]\npin = 12\n", "line 4, buzzer.pin: buzzer and light home share GPIO12;"),
        ("[buzzer]\npin = 40\n", "line 2, buzzer.pin: must be 27 or less, not 40."),
    ],
)
def test_settings(source: str, words: str) -> None:
    """A pin that another part uses is refused with its line."""
    with pytest.raises(SettingsError) as caught:
        parse_settings(source, "t.toml")
    assert str(caught.value).startswith(f"t.toml, {words}")
