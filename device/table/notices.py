"""What everybody reads beside the game: warnings, which nothing pushes aside, a notice, and what is missing."""

from __future__ import annotations

import math

from device.table.publication import Publication

NOTICE_DURATION_S = 4.0
"""Seconds that an ordinary notice stays, unless it says otherwise."""

WARNING_DURATION_S = 8.0
"""Seconds that a warning stays at least: long enough for three pages of a small display."""

MAX_WARNINGS = 8
"""Warnings at once. Memory and every view stay small, whatever somebody does."""

MORE_WARNINGS_TEXT = "More has changed than fits here: the operator's page shows who is signed in."
"""The warning in place of those beyond `MAX_WARNINGS`."""


class Notices:
    """The warnings that stand, the ordinary notice, and what is missing at the table. Any thread may use them.

    A warning protects somebody who must notice, such as the side whose seat was taken. It stays its whole time. Several
    stay together until the last has had its time, so that a display which shows one after the other shows each of them.
    A warning that is repeated stays longer.

    Of ordinary notices the newest counts. Its time begins once no warning stands, because a small display shows one or
    the other.

    `publication` is of the game that shows them. What is read without a method may be used under its lock only.
    """

    def __init__(self, publication: Publication) -> None:
        self._publication = publication
        self.missing: dict[str, str] = {}
        """What to do instead of using a missing part, by part."""
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
    def current_text(self) -> str | None:
        """What there is to read: the warnings, then the notice; None for nothing."""
        return " ".join([*self._warnings, *filter(None, [self._notice])]) or None

    def show_warning(self, sentence: str) -> None:
        """Show a sentence that somebody must notice. It stays at least `WARNING_DURATION_S`, whatever comes after
        it."""
        with self._publication.publish_change():
            now = self._remove_expired()
            if sentence not in self._warnings:
                if len(self._warnings) >= MAX_WARNINGS:
                    sentence = MORE_WARNINGS_TEXT
                if sentence not in self._warnings:
                    self._warnings.insert(0, sentence)
            self._warned_until = max(self._warned_until, now + WARNING_DURATION_S * len(self._warnings))
            if self._notice_until is not None:
                # Its time goes on where a display stopped showing it.
                self._notice_seconds, self._notice_until = self._notice_until - now, None

    def show_notice(self, sentence: str, seconds: float = NOTICE_DURATION_S) -> None:
        """Show a notice for `seconds` once no warning stands, until the next one, or until a person answers."""
        with self._publication.publish_change():
            now = self._remove_expired()
            self._notice, self._notice_seconds = sentence, seconds
            self._notice_until = None if self._warnings else now + seconds

    def clear_notice(self) -> None:
        """Remove the ordinary notice: it is out of date. Warnings stay. The caller holds the lock and publishes."""
        self._notice = self._notice_until = None

    def expire_notices(self) -> float:
        """Remove what has had its time; return the seconds until the next has, infinity if nothing has a time."""
        with self._publication.lock:
            before = self.current_text
            now = self._remove_expired()
            if self.current_text != before:
                self._publication.publish_again()
            ends = self._warned_until if self._warnings else self._notice_until
            return math.inf if ends is None else ends - now

    def _remove_expired(self) -> float:
        """Remove what has had its time, and return the time."""
        now = self._publication.clock()
        if self._warnings and now >= self._warned_until:
            self._warnings.clear()
            if self._notice is not None:
                self._notice_until = now + self._notice_seconds
        if self._notice_until is not None and now >= self._notice_until:
            self.clear_notice()
        return now

    def set_fault(self, part: str, words: str | None) -> None:
        """Set what to do instead of using a missing part; None: the part is back."""
        with self._publication.lock:
            if self.missing.get(part) != words:
                with self._publication.publish_change():
                    if words is None:
                        del self.missing[part]
                    else:
                        self.missing[part] = words

    def current_faults(self) -> dict[str, str]:
        """Return what is missing, by part."""
        with self._publication.lock:
            return dict(self.missing)
