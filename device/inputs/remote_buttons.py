"""A presenter remote, foot pedal, Bluetooth button or keyboard as buttons.

It reads the kernel's input devices (input/input.rst, "Event interface"). The numbers are those of `linux/input.h` and
`linux/input-event-codes.h`, the same on every machine that Dugout runs on.
"""

from __future__ import annotations

import logging
import os
import struct
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path

from device.inputs.button_recovery import ButtonError
from device.inputs.debounce import HOLD_EVENTS, Debouncer
from device.settings import KEY_CODES

INPUT_FOLDER = Path("/dev/input")

EVENT_FORMAT = struct.Struct("llHHi")
"""An event: seconds and microseconds, type, code and value."""

EV_KEY = 1
"""Type of an event about a key."""

KEY_UP = 0
"""Its value for a released key."""

KEY_DOWN = 1
"""Its value for a pressed key. 2 repeats a held key."""

EVIOCGNAME = 0x81004506
"""Request for a device's name, in at most 256 bytes."""

EVIOCGRAB = 0x40044590
"""Request to get all events of a device exclusively."""

EVIOCSCLOCKID = 0x400445A0
"""Request to set the clock that stamps the events."""

POLL_INTERVAL_S = 0.05
"""Interval between two readings of the keys, in seconds."""

MAX_EVENTS_PER_READ = 64
"""Events read at once."""

log = logging.getLogger("dugout.buttons")


class RemoteButtons:
    """The keys of all devices whose name contains `name` in any case. Calls `pressed` as `GpioButtons` does.

    pressed: gets a button and its time in seconds of `time.monotonic`, from `poll`; its exceptions are logged.
    keys: button of each key, by the names of `device.settings.KEY_CODES`; other keys do nothing.
    folder: the kernel's devices, `event*`.

    While open, all events of the devices go to the table exclusively. Raises ButtonError if no such device can be read.
    """

    def __init__(
        self,
        pressed: Callable[[str, float], None],
        name: str,
        keys: Mapping[str, str],
        folder: Path = INPUT_FOLDER,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pressed, self._clock = pressed, clock
        self._buttons = {
            KEY_CODES[key]: Debouncer(button, HOLD_EVENTS.get(button, ()), 0.0) for key, button in keys.items()
        }
        self._handles: list[int] = []
        others, refused = list[str](), ""
        for path in sorted(folder.glob("event*")):
            try:
                handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            except OSError as error:
                refused = f"{path} cannot be read: {(error.strerror or str(error)).lower()}."
                continue
            called = _device_name(handle)
            if name.casefold() in called.casefold():
                _grab_device(handle)
                self._handles.append(handle)
            else:
                os.close(handle)
                others.append(called)
        if not self._handles:
            there = f"Found: {', '.join(dict.fromkeys(others))}." if others else "None was found."
            raise ButtonError(f"No input device is called {name!r}. {refused or there}")

    @property
    def stuck_buttons(self) -> tuple[str, ...]:
        return tuple(one.name for one in self._buttons.values() if one.fault)

    @property
    def faults(self) -> tuple[str, ...]:
        return ("It is off, or out of range.",) if self.is_lost else ()

    @property
    def is_lost(self) -> bool:
        return not self._handles

    def poll(self) -> float:
        """Read the keys since the last call, and find holds. Returns the seconds until the next call."""
        for handle in tuple(self._handles):
            for when, code, value in self._key_events(handle):
                if code in self._buttons and value in (KEY_UP, KEY_DOWN):
                    self._report_events(self._buttons[code].handle_edge(when, value == KEY_DOWN), when)
        now = self._clock()
        for button in self._buttons.values():
            self._report_events(button.handle_level(now, button.down), now)
        return POLL_INTERVAL_S

    def close(self) -> None:
        while self._handles:
            os.close(self._handles.pop())

    def _key_events(self, handle: int) -> Iterator[tuple[float, int, int]]:
        """Yield time, code and value of each key event. A lost device is removed."""
        try:
            while data := os.read(handle, MAX_EVENTS_PER_READ * EVENT_FORMAT.size):
                for seconds, micros, kind, code, value in EVENT_FORMAT.iter_unpack(data):
                    if kind == EV_KEY:
                        yield seconds + micros / 1e6, code, value
        except BlockingIOError:
            return
        except OSError as error:
            log.info("An input device is gone: %s", error)
        self._handles.remove(handle)
        os.close(handle)

    def _report_events(self, events: tuple[str, ...], when: float) -> None:
        for event in events:
            try:
                self._pressed(event, when)
            except Exception:  # one failed press must not cost the evening the others
                log.exception("The press of %s was lost.", event)


def _device_name(handle: int) -> str:
    name = bytearray(256)
    with suppress(OSError):
        ioctl(handle, EVIOCGNAME, name)
    return name.partition(b"\0")[0].decode(errors="replace")


def _grab_device(handle: int) -> None:
    """Grab a device's events exclusively, and have them stamped by the monotonic clock."""
    for request, value in ((EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC)), (EVIOCGRAB, 1)):
        with suppress(OSError):  # a pipe has neither
            ioctl(handle, request, value)
