"""Notices beside the game: a short message, which parts are missing, and what the dice camera is doing."""

from __future__ import annotations

from engine.views import Watching


class Notices:
    """The current notice, and the missing parts. Not thread-safe; times are in seconds of one clock.

    Every method that changes something returns True if there is anything new to show.
    """

    def __init__(self) -> None:
        self.notice: str | None = None
        self.missing: dict[str, str] = {}
        self.watching = Watching("off", "No camera.")
        self._until = 0.0

    def show(self, notice: str, until: float) -> bool:
        """Show a sentence until that time."""
        self.notice, self._until = notice, until
        return True

    def clear(self) -> None:
        """Remove the notice."""
        self.notice = None

    def expire(self, now: float) -> bool:
        """Remove the notice once its time is over."""
        if self.notice is None or now < self._until:
            return False
        self.notice = None
        return True

    def miss(self, part: str, words: str | None) -> bool:
        """Set what to do instead of using a missing part; None: the part is back."""
        if self.missing.get(part) == words:
            return False
        if words is None:
            del self.missing[part]
        else:
            self.missing[part] = words
        return True

    def watch(self, state: str, words: str) -> bool:
        """Set what the dice camera is doing."""
        if self.watching.state == state:
            return False
        self.watching = Watching(state, words)
        return True
