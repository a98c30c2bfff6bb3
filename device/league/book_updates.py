"""The background thread that keeps the record book up to date."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from device.league.book import RecordBook
from device.league.record_pages import RecordPages
from device.table.publication import AudienceViews
from device.table.session import GameSession

log = logging.getLogger("dugout.league")

READING_NICENESS = 10
"""`nice` value of the thread, so that the table goes first."""

PLAY_DELAY_S = 0.25
"""Delay before a game is folded, in seconds, so that its views reach every phone first."""

RETRY_DELAY_S = 60.0
"""Delay after a failure, such as a full disk, in seconds."""


class StopUpdate(Exception):
    """The table stops."""


class BookUpdates:
    """Keeps `book` up to date with the game of `session`, and with other stored games after `notify`.

    records: computes the records of large books after each update.
    """

    def __init__(self, book: RecordBook, session: GameSession, records: RecordPages | None = None) -> None:
        self._book, self._session, self._records = book, session, records
        self._news, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run_loop, name="record book", daemon=True)
        self._unsubscribe: Callable[[], None] = lambda: None
        self._seen: tuple[object, ...] = ()
        """What matters to the book of the game on the table. Only the subscription uses it, under the game's lock."""

    def start(self) -> None:
        """Start with all games that have changed while the table was off."""
        self._unsubscribe = self._session.game.subscribe(self._handle_views)
        self._news.set()
        self._thread.start()

    def stop(self) -> None:
        """Stop after the game that is being folded."""
        self._unsubscribe()
        self._done.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def notify(self) -> None:
        """Have games folded that were stored, assigned or deleted in another way. Any thread may call."""
        self._news.set()

    @property
    def waiting(self) -> int:
        """Games that are still to be folded, as far as is known."""
        return max(self._book.waiting, int(self._news.is_set()))

    def _handle_views(self, views: AudienceViews) -> None:
        public = views.public
        # An answer matters only after a game. Before, only the end of a game of a series does, and what changes one:
        # corrections and undos are the entries that are no answers.
        live = self._session.game.live
        entries = len(live.journal) if live.outcome else len(live.journal) - len(live.answers)
        seen = (public.number, public.table.outcome, public.plays[-1].game if public.plays else 0, entries)
        if seen != self._seen:
            self._seen = seen
            self._news.set()

    def _run_loop(self) -> None:
        with suppress(OSError, AttributeError):  # only on Linux do threads have their own priority
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), READING_NICENESS)
        retry = None
        while not self._done.is_set():
            self._news.wait(retry)
            if self._done.wait(PLAY_DELAY_S):
                return
            retry = None if self.update() else RETRY_DELAY_S

    def update(self) -> bool:
        """Fold what has changed. Return False if that failed."""
        self._news.clear()
        try:
            self._book.update(self._raise_if_stopped)
            if self._records:
                self._records.refresh()
            if self._session.game.table.outcome:
                self._session.game.publish_again()  # between games the television shows the book
        except StopUpdate:
            pass
        except Exception:  # a failure must not cost the book all later games
            log.exception("The record book cannot be updated.")
            return False
        return True

    def _raise_if_stopped(self) -> None:
        if self._done.is_set():
            raise StopUpdate
