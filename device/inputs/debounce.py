"""Debouncing of one button: raw edges and a clock in, press events out. Pure function of time."""

from collections.abc import Mapping, Sequence

# Hold events by button name: (seconds, event).
HOLD_EVENTS: Mapping[str, tuple[tuple[float, str], ...]] = {"undo": ((2.0, "menu"), (6.0, "shutdown"))}
SETTLE_TIME_S = 0.02
"""Seconds after an accepted edge in which further edges are bounces. Push buttons bounce for 0.2 to 6 ms."""

MAX_READING_GAP_S = 0.5  # seconds without a reading of the pin after which a hold restarts
STUCK_AFTER_S = 30.0  # seconds after which a button that stays down counts as faulty


class Debouncer:
    """One button. Its event `name` fires when it goes down, or when it comes up if it has `holds`.

    holds: (seconds, event), shortest first; a press that reached a hold is not reported as a short one.
    settle: seconds for which edges are ignored after an accepted one.
    down: True while the button counts as pressed.
    fault: True if it was down at the first reading, or longer than `STUCK_AFTER_S`; it then reports nothing until it
        comes up.

    The first edge is accepted at once, so a press has no delay. A spike shorter than `settle` never counts if the
    caller of `handle_edge` reads the level after the edge. Not checked: longer spikes, which need a capacitor.
    """

    def __init__(self, name: str, holds: Sequence[tuple[float, str]] = (), settle: float = SETTLE_TIME_S) -> None:
        self.name = name
        self.holds = tuple(holds)
        self.settle = settle
        self.down = False
        self.fault = False
        self._ignore_until = float("-inf")
        self._since = self._last_reading = 0.0
        self._reached_holds = 0

    def set_first_level(self, now: float, level: bool) -> None:
        """Set the first reading. A button that is already down is faulty until it comes up."""
        self.down = self.fault = level
        self._since = self._last_reading = now

    def handle_edge(self, now: float, level: bool) -> tuple[str, ...]:
        """Handle an edge. The pin reads `level` (True: pressed) at `now`, in seconds. Returns the events."""
        if level == self.down or now < self._ignore_until:
            return ()
        return self._change_level(now, level)

    def handle_past_press(self, since: float, until: float) -> tuple[str, ...]:
        """Handle a press that a busy machine noticed only after it was over. Returns the events."""
        if self.down or until - since < self.settle or since < self._ignore_until:
            return ()
        return self._change_level(since, True) + self._change_level(until, False)

    def handle_level(self, now: float, level: bool) -> tuple[str, ...]:
        """Handle a reading, to find holds and missed edges, 20 a second while it is down. Returns the events."""
        if now >= self._ignore_until and level != self.down:
            return self._change_level(now, level)
        if not self.down or self.fault or not level:
            return ()
        if now - self._last_reading > MAX_READING_GAP_S:
            self._since, self._reached_holds = now, 0
        self._last_reading = now
        held = now - self._since
        if held >= STUCK_AFTER_S:
            self.fault = True
        if self._reached_holds < len(self.holds) and held >= self.holds[self._reached_holds][0]:
            self._reached_holds += 1
            return (self.holds[self._reached_holds - 1][1],)
        return ()

    def _change_level(self, now: float, level: bool) -> tuple[str, ...]:
        self.down = level
        self._ignore_until = now + self.settle
        if level:
            self._since = self._last_reading = now
            self._reached_holds = 0
            return () if self.holds else (self.name,)
        if self.fault:
            self.fault = False
            return ()
        if not self.holds or now - self._since >= self.holds[0][0]:
            # Already reported. A hold that no poll confirmed counts neither as a hold nor as a short press.
            return ()
        return (self.name,)
