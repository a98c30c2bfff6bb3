"""The life of one push-button, from raw edges and a clock to presses. Pure: time comes in, names go out."""

from __future__ import annotations

from collections.abc import Sequence

SETTLE = 0.02
"""Seconds for which edges are bounces after an edge was believed. Push-buttons bounce for 0.2 to 6 ms."""

GAP = 0.5
"""Seconds without a look at the pin after which a hold is no longer trusted and starts anew."""

STUCK = 30.0
"""Seconds after which a button held down is taken for a faulty one."""


class Debounce:
    """One button: `name` is told when it goes down, or when it comes up where `holds` give it longer meanings too.

    `holds` are (seconds, event), the shortest first. A press that reached a hold is never told as a short one.
    The first edge is believed at once, so a press costs no delay; edges are then ignored for `settle` seconds. `down`
    says whether the button counts as pressed; `fault` whether it was down at the first look, or for longer than
    `STUCK` seconds: it is then silent until it comes up.

    A spike shorter than `settle` never counts if the level given to `edge` is read anew there. Not checked: longer
    spikes; against those a capacitor helps, not software.
    """

    def __init__(self, name: str, holds: Sequence[tuple[float, str]] = (), settle: float = SETTLE) -> None:
        self.name = name
        self.holds = tuple(holds)
        self.settle = settle
        self.down = False
        self.fault = False
        self._deaf_until = float("-inf")
        self._since = self._seen = 0.0
        self._reached = 0

    def begin(self, now: float, level: bool) -> None:
        """The first look at the pin (`level`: pressed). A button that is down already is at fault until it comes up."""
        self.down = self.fault = level
        self._since = self._seen = now

    def edge(self, now: float, level: bool) -> tuple[str, ...]:
        """The pin moved, and reads `level` (True: pressed) at `now`, in seconds of a clock that never goes back."""
        if level == self.down or now < self._deaf_until:
            return ()
        return self._turn(now, level)

    def past(self, since: float, until: float) -> tuple[str, ...]:
        """The pin was down from `since` to `until`, without an edge between: a press, also where a machine with much to
        do looked only when it was over."""
        if self.down or until - since < self.settle or since < self._deaf_until:
            return ()
        return self._turn(since, True) + self._turn(until, False)

    def poll(self, now: float, level: bool) -> tuple[str, ...]:
        """A look at the pin, some twenty times a second: finds holds, and edges that were missed."""
        if now >= self._deaf_until and level != self.down:
            return self._turn(now, level)
        if not self.down or self.fault or not level:
            return ()
        if now - self._seen > GAP:
            self._since, self._reached = now, 0
        self._seen = now
        held = now - self._since
        if held >= STUCK:
            self.fault = True
        if self._reached < len(self.holds) and held >= self.holds[self._reached][0]:
            self._reached += 1
            return (self.holds[self._reached - 1][1],)
        return ()

    def _turn(self, now: float, level: bool) -> tuple[str, ...]:
        """Believe the new level, and what it means."""
        self.down = level
        self._deaf_until = now + self.settle
        if level:
            self._since = self._seen = now
            self._reached = 0
            return () if self.holds else (self.name,)
        if self.fault:
            self.fault = False
            return ()
        if not self.holds or now - self._since >= self.holds[0][0]:
            # Told already. A hold that no poll confirmed did not happen; nor was it a short press.
            return ()
        return (self.name,)
