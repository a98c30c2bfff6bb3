"""What everybody reads for a while: warnings, which nothing pushes aside, and one ordinary notice. Pure: time comes in,
sentences go out.
"""

from __future__ import annotations

NOTICE_SECONDS = 4.0
"""Seconds that an ordinary notice stays, unless it says otherwise."""

WARNING_SECONDS = 8.0
"""Seconds that a warning stays at least: long enough for three pages of a small display."""

MAX_WARNINGS = 8
"""Warnings at once. Memory and every view stay small, whatever somebody does."""

MORE = "More has changed than fits here: the operator sees who is signed in."
"""The warning in place of those beyond `MAX_WARNINGS`."""


class Notices:
    """The warnings that stand, and the ordinary notice. Times are in seconds of one clock. Not thread-safe.

    A warning protects somebody who must notice, such as the side whose seat was taken. It stays its whole time. Several
    stay together until the last has had its time, so that a display which shows one after the other shows each of them.
    A warning that is repeated stays longer.

    Of ordinary notices the newest counts. Its time begins once no warning stands, because a small display shows one or
    the other.
    """

    def __init__(self) -> None:
        self._warnings: list[str] = []
        """The newest first."""
        self._warned_until = 0.0
        self._notice: str | None = None
        self._notice_seconds = 0.0
        self._notice_until: float | None = None
        """When it ends; None: its time has not begun."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings that stand, the newest first."""
        return tuple(self._warnings)

    @property
    def shown(self) -> str | None:
        """What there is to read: the warnings, then the notice; None for nothing."""
        return " ".join([*self._warnings, *filter(None, [self._notice])]) or None

    def warn(self, sentence: str, now: float) -> None:
        """Add a warning, which stays at least `WARNING_SECONDS`."""
        self.update(now)
        if sentence not in self._warnings:
            if len(self._warnings) >= MAX_WARNINGS:
                sentence = MORE
            if sentence not in self._warnings:
                self._warnings.insert(0, sentence)
        self._warned_until = max(self._warned_until, now + WARNING_SECONDS * len(self._warnings))
        if self._notice_until is not None:
            # Its time goes on where a display stopped showing it.
            self._notice_seconds, self._notice_until = self._notice_until - now, None

    def show(self, sentence: str, now: float, seconds: float = NOTICE_SECONDS) -> None:
        """Show a notice in place of the one before, for `seconds` once no warning stands."""
        self.update(now)
        self._notice, self._notice_seconds = sentence, seconds
        self._notice_until = None if self._warnings else now + seconds

    def clear_notice(self) -> None:
        """Remove the ordinary notice: it is out of date. Warnings stay."""
        self._notice = self._notice_until = None

    def update(self, now: float) -> bool:
        """Remove what has had its time. Return True if something else is to be shown now."""
        before = self.shown
        if self._warnings and now >= self._warned_until:
            self._warnings.clear()
            if self._notice is not None:
                self._notice_until = now + self._notice_seconds
        if self._notice_until is not None and now >= self._notice_until:
            self.clear_notice()
        return self.shown != before
