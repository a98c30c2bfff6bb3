"""A remote: keys of input devices, which pipes stand in for. What only the kernel answers is answered here."""

from __future__ import annotations

import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.inputs import remote_buttons
from device.inputs.button_recovery import ButtonError, ButtonRecovery
from device.inputs.remote_buttons import EVENT_FORMAT, EVIOCGNAME, EVIOCGRAB, EVIOCSCLOCKID, RemoteButtons
from device.settings import DEFAULT_KEY_BUTTONS, KEY_CODES, SettingsError, parse_settings
from tests.device.stored_games import Clock


class Plugged:
    """Devices in a folder, by the names that they give themselves, and what the table asked them for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, str] = {}
        self.asked: list[tuple[str, int, Any]] = []
        self._writers: dict[str, int] = {}

    def plug(self, file: str, name: str) -> None:
        os.mkfifo(self.folder / file)
        self._writers[file] = os.open(self.folder / file, os.O_RDWR)
        self.names[file] = name

    def unplug(self, file: str) -> None:
        """As the kernel does: the file is gone, and who had it open reads nothing more."""
        (self.folder / file).unlink()
        os.close(self._writers.pop(file))

    def move(self, file: str, code: int, value: int, when: float, kind: int = 1) -> None:
        whole = int(when)
        os.write(self._writers[file], EVENT_FORMAT.pack(whole, round((when - whole) * 1e6), kind, code, value))

    def ioctl(self, handle: int, request: int, given: Any) -> int:
        file = Path(os.readlink(f"/proc/self/fd/{handle}")).name
        if request == EVIOCGNAME:
            given[: len(self.names[file])] = self.names[file].encode()
        else:
            self.asked.append((file, request, given))
        return 0

    def close(self) -> None:
        for file in tuple(self._writers):
            self.unplug(file)


@pytest.fixture
def plugged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugged]:
    made = Plugged(tmp_path)
    monkeypatch.setattr(remote_buttons, "ioctl", made.ioctl)
    yield made
    made.close()


class Hand:
    """A remote that is open, and what it told."""

    def __init__(self, plugged: Plugged, name: str = "logi", keys: dict[str, str] | None = None) -> None:
        self.clock, self.told = Clock(), list[tuple[str, float]]()
        self.buttons = RemoteButtons(
            lambda name, when: self.told.append((name, when)),
            name,
            keys or dict(DEFAULT_KEY_BUTTONS),
            plugged.folder,
            self.clock,
        )


def test_keys_are_buttons(plugged: Plugged) -> None:
    """With the time at which the kernel saw them; other keys, repeats and other events are none."""
    plugged.plug("event0", "Power Button")
    plugged.plug("event1", "Logitech USB Receiver")
    hand = Hand(plugged)
    plugged.move("event1", KEY_CODES["pagedown"], 1, 100.25)
    plugged.move("event1", KEY_CODES["pagedown"], 2, 100.5)
    plugged.move("event1", KEY_CODES["pagedown"], 0, 100.75, kind=4)
    plugged.move("event1", KEY_CODES["pagedown"], 0, 100.75)
    plugged.move("event1", 30 + 400, 1, 100.8)
    plugged.move("event1", KEY_CODES["b"], 1, 101)
    plugged.move("event0", KEY_CODES["b"], 1, 101)
    hand.buttons.poll()
    assert [("next", 100.25), ("ok", 101)] == hand.told
    hand.buttons.close()
    hand.buttons.close()


def test_a_key_that_is_held(plugged: Plugged) -> None:
    """As with a button on the header: undo tells when it comes up, and the menu opens after two seconds."""
    plugged.plug("event0", "logi")
    hand = Hand(plugged)
    for code, held in ((KEY_CODES["f5"], 0.3), (KEY_CODES["esc"], 2.4)):
        plugged.move("event0", code, 1, hand.clock.now)
        for _ in range(round(held * 20)):
            hand.buttons.poll()
            hand.clock.now += 0.05
        plugged.move("event0", code, 0, hand.clock.now)
        hand.buttons.poll()
        hand.clock.now += 1
    assert ["undo", "menu"] == [event for event, _ in hand.told]
    hand.buttons.close()


def test_its_events_go_to_the_table_alone(plugged: Plugged) -> None:
    """Stamped by the clock that a race is judged by. A remote may be several devices."""
    for file in ("event3", "event4"):
        plugged.plug(file, "LOGI Presenter")
    hand = Hand(plugged)
    clock = struct.pack("i", time.CLOCK_MONOTONIC)
    assert [(file, *asked) for file in ("event3", "event4") for asked in ((EVIOCSCLOCKID, clock), (EVIOCGRAB, 1))] == (
        plugged.asked
    )
    hand.buttons.close()


def test_the_names_that_are_there_are_told(plugged: Plugged) -> None:
    with pytest.raises(ButtonError, match=r"No input device is called 'logi'. None was found."):
        Hand(plugged)
    for file, name in (("event0", "Power Button"), ("event1", "Genius Pedal"), ("event2", "Genius Pedal")):
        plugged.plug(file, name)
    with pytest.raises(ButtonError, match=r"called 'logi'. Found: Power Button, Genius Pedal."):
        Hand(plugged)


def test_one_that_may_not_be_read_is_told(plugged: Plugged, monkeypatch: pytest.MonkeyPatch) -> None:
    plugged.plug("event0", "logi")

    def refuse(*_: Any) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(ButtonError, match=r"event0 cannot be read: permission denied."):
        Hand(plugged)


def test_it_comes_back(plugged: Plugged) -> None:
    """Switched off, or out of reach, it is missing in words, and found again."""
    clock, told = Clock(), list[str]()
    keys = ButtonRecovery(
        lambda: RemoteButtons(lambda name, _: told.append(name), "logi", DEFAULT_KEY_BUTTONS, plugged.folder, clock),
        clock,
        "remote",
        "No remote: use the buttons or a phone.",
        (1.0,),
    )
    assert (keys.missing or "").startswith("No remote: use the buttons or a phone. No input device")
    for _ in range(2):
        plugged.plug("event7", "logi")
        clock.now += 1.0
        keys.poll()
        assert keys.missing is None
        plugged.move("event7", KEY_CODES["enter"], 1, clock.now)
        keys.poll()
        plugged.unplug("event7")
        keys.poll()
        assert keys.missing == "No remote: use the buttons or a phone. It is off, or out of range."
    assert ["ok", "ok"] == told


def test_a_press_that_fails_costs_no_other(plugged: Plugged, caplog: pytest.LogCaptureFixture) -> None:
    plugged.plug("event0", "logi")
    heard: list[str] = []

    def pressed(name: str, when: float) -> None:
        heard.append(name)
        raise ValueError(name)

    buttons = RemoteButtons(pressed, "logi", DEFAULT_KEY_BUTTONS, plugged.folder)
    for code in ("left", "right"):
        plugged.move("event0", KEY_CODES[code], 1, 1)
    buttons.poll()
    buttons.close()
    assert (["previous", "next"], 2) == (heard, caplog.text.count("was lost"))


@pytest.mark.parametrize(
    ("seat", "expected"), [("", ("previous", "ok", "undo")), ("home", ("home-previous", "home-ok", "undo"))]
)
def test_whose_buttons_it_has(seat: str, expected: tuple[str, ...]) -> None:
    """Those of its seat, or of the seat that is asked; keys that are not named stay as they are."""
    remote = parse_settings(
        f'[remote]\nname = "x"\nseat = "{seat}"\n[remote.keys]\nspace = "previous"\n', "t.toml"
    ).remote
    assert expected == tuple(remote.key_buttons[key] for key in ("space", "dot", "esc"))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('name = "x"\nseat = "left"', "must be '', 'away' or 'home', not 'left'"),
        ('keys = { banana = "ok" }', "no key is called banana; choose from esc, "),
        ('keys = { b = "jump" }', "b can be previous, next, ok, undo"),
    ],
)
def test_settings(line: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        parse_settings(f"[remote]\n{line}\n", "t.toml")
