"""What a table says besides its game: a notice for a moment, what is missing, and what the dice camera is doing."""

from __future__ import annotations

from engine.views import Watching


class Notices:
    """The notice that is shown, and what is missing by part. Not thread-safe; times are in seconds of one clock.

    Every method that changes something returns True if there is anything new to show.
    """

    def __init__(self) -> None:
        self.notice: str | None = None
        self.missing: dict[str, str] = {}
        self.watching = Watching("off", "No camera.")
        self._until = 0.0

    def show(self, notice: str, until: float) -> bool:
        """Show a sentence until then."""
        self.notice, self._until = notice, until
        return True

    def clear(self) -> None:
        """Take the notice away."""
        self.notice = None

    def expire(self, now: float) -> bool:
        """Take the notice away once its time is over."""
        if self.notice is None or now < self._until:
            return False
        self.notice = None
        return True

    def miss(self, part: str, words: str | None) -> bool:
        """Note that a part is missing and what to do instead; None: it is there again."""
        if self.missing.get(part) == words:
            return False
        if words is None:
            del self.missing[part]
        else:
            self.missing[part] = words
        return True

    def watch(self, state: str, words: str) -> bool:
        """Note what the dice camera is doing."""
        if self.watching.state == state:
            return False
        self.watching = Watching(state, words)
        return True
