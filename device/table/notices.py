"""Warnings, a notice and faults, shown to everybody along with the game."""

from __future__ import annotations

import math

from device.table.publication import ViewPublisher

NOTICE_DURATION_S = 4.0
"""Default duration of a notice, in seconds."""

WARNING_DURATION_S = 8.0
"""Shortest duration of a warning, in seconds. A small display shows three pages in it."""

MAX_WARNINGS = 8
"""Warnings shown at once. The limit keeps memory and views small, whatever somebody does."""

MORE_WARNINGS_TEXT = "More has changed than fits here: the operator's page shows who is signed in."
"""Warning in place of those beyond `MAX_WARNINGS`."""


class Notices:
    """The current warnings, notice and faults of the table. Any thread may use them.

    A warning protects somebody who must notice, such as the side whose seat was taken, so nothing shortens it. Several
    stay until the last expires, because a rotating display must show each. A repeated warning stays longer. A new
    notice replaces the old one. Its time begins after the last warning, because a small display shows only one of them.

    `publication` belongs to the game. Attributes and properties need its lock.
    """

    def __init__(self, publication: ViewPublisher) -> None:
        self._publication = publication
        self.missing: dict[str, str] = {}
        """Remedy for each faulty part, by part."""
        self._warnings: list[str] = []
        """Newest first."""
        self._warned_until = 0.0
        self._notice: str | None = None
        self._notice_seconds = 0.0
        self._notice_until: float | None = None
        """End of the notice, None while its time has not begun."""

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(self._warnings)

    @property
    def current_text(self) -> str | None:
        """The warnings, then the notice, or None."""
        return " ".join([*self._warnings, *filter(None, [self._notice])]) or None

    def show_warning(self, sentence: str) -> None:
        """Show a sentence that somebody must notice, for at least `WARNING_DURATION_S`."""
        with self._publication.publish_change():
            now = self._remove_expired()
            if sentence not in self._warnings:
                if len(self._warnings) >= MAX_WARNINGS:
                    sentence = MORE_WARNINGS_TEXT
                if sentence not in self._warnings:
                    self._warnings.insert(0, sentence)
            self._warned_until = max(self._warned_until, now + WARNING_DURATION_S * len(self._warnings))
            if self._notice_until is not None:
                # Its remaining time resumes after the warning.
                self._notice_seconds, self._notice_until = self._notice_until - now, None

    def show_notice(self, sentence: str, seconds: float = NOTICE_DURATION_S) -> None:
        """Show a notice for `seconds` after the last warning, until the next notice or a person's answer."""
        with self._publication.publish_change():
            now = self._remove_expired()
            self._notice, self._notice_seconds = sentence, seconds
            self._notice_until = None if self._warnings else now + seconds

    def clear_notice(self) -> None:
        """Remove the outdated notice. Warnings stay. The caller holds the lock and publishes."""
        self._notice = self._notice_until = None

    def expire_notices(self) -> float:
        """Remove expired texts. Returns the seconds until the next expires, infinity if none will."""
        with self._publication.lock:
            before = self.current_text
            now = self._remove_expired()
            if self.current_text != before:
                self._publication.publish_again()
            ends = self._warned_until if self._warnings else self._notice_until
            return math.inf if ends is None else ends - now

    def _remove_expired(self) -> float:
        """Remove expired texts and return the time."""
        now = self._publication.clock()
        if self._warnings and now >= self._warned_until:
            self._warnings.clear()
            if self._notice is not None:
                self._notice_until = now + self._notice_seconds
        if self._notice_until is not None and now >= self._notice_until:
            self.clear_notice()
        return now

    def set_fault(self, part: str, words: str | None) -> None:
        """Set the remedy for a faulty part. None clears the fault."""
        with self._publication.lock:
            if self.missing.get(part) != words:
                with self._publication.publish_change():
                    if words is None:
                        del self.missing[part]
                    else:
                        self.missing[part] = words

    def current_faults(self) -> dict[str, str]:
        with self._publication.lock:
            return dict(self.missing)
