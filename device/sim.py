"""The demo's tray: drawn dice thrown under a drawn camera, read by the real reader."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from engine.dice import Die
from vision.drawn import DrawnDie, DrawnTray
from vision.paint import COLOURS
from vision.sources import Image

HELD = 2.5
"""Seconds a hand covers the tray when asked to."""

PALE = ("white", "ivory", "yellow", "orange", "pink", "grey")
"""The colours of dice that have black pips; others have white ones."""

THINGS = ("pick-up", "cock", "stack", "hand", "unplug", "plug")
"""What can be done to the tray besides throwing."""


class Simulator:
    """A drawn tray that a page can throw into; safe to use from any thread. `seed` None: other throws each time."""

    def __init__(self, seed: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tray = DrawnTray(seed=seed)

    def throw(self, dice: Sequence[Die]) -> None:
        """Throw these dice, or one where none is named; whatever lay in the tray is gone."""
        colours = [die.colour if die.colour in COLOURS else "white" for die in dice]
        drawn = [DrawnDie(colour, pips="black" if colour in PALE else "white") for colour in colours]
        with self._lock:
            self._tray.throw(self._clock(), drawn or [DrawnDie()])

    def do(self, what: str) -> None:
        """Do one of THINGS. Raises ValueError for anything else."""
        now = self._clock()
        with self._lock:
            match what:
                case "pick-up":
                    self._tray.pick_up(now)
                case "cock":
                    self._tray.cock(self._tray.fling(now, [DrawnDie()] * 2))
                case "stack":
                    self._tray.stack(self._tray.throw(now, [DrawnDie()] * 2))
                case "hand":
                    self._tray.hand(now, HELD)
                case "unplug":
                    self._tray.unplug()
                case "plug":
                    self._tray.plug()
                case _:
                    raise ValueError(f"The demo cannot do {what!r}; it can {', '.join(THINGS)}.")

    def truth(self) -> tuple[int, ...] | None:
        """What the dice really show, left to right; None while they move or when nobody could say."""
        with self._lock:
            dice = self._tray.truth(self._clock())
        if dice is None or any(die.value is None for die in dice):
            return None
        return tuple(die.value for die in dice if die.value is not None)

    def frame(self, now: float) -> Image:
        """What the camera sees. Raises CameraError while it is unplugged."""
        with self._lock:
            return self._tray.frame(now)
