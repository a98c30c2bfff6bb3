"""The newest calls of the table in play."""

from __future__ import annotations

from collections.abc import Sequence

from engine.announcer.calls import Announcement, answer_announcement, correction_announcement, undo_announcement
from engine.announcer.situation import SpokenSituation, scoreboard_situation
from engine.events import Event
from engine.journal import Answer, Correction
from engine.scoreboard import Scoreboard
from engine.table import Table

MAX_KEPT_ANNOUNCEMENTS = 12
"""Calls that are kept, more than there are between two throws."""
MAX_REPLAYED_ENTRIES = 24
"""Journal entries that are replayed for a table that was not announced before."""


class Announcer:
    """The newest calls of a table, from its journal alone. A correction deletes earlier calls. Not thread-safe."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._calls: list[Announcement] = []
        self._now = SpokenSituation()
        self._entries = self._events = 0
        """Entries of the journal and events of the log that were announced."""

    def update_announcements(self, table: Table, board: Scoreboard | None = None) -> Sequence[Announcement]:
        """Return the newest calls, oldest first. `board` is the table's scoreboard, if the caller has it.

        Reads only new events, unless more than one answer came at once or something was undone or corrected.
        """
        if table is not self._table:
            self._table, self._calls, self._entries, self._events = table, [], 0, 0
            self._replay_answers(table, 0)
        elif new := table.journal[self._entries :]:
            if len(new) == 1 and isinstance(new[0], Answer):
                now = scoreboard_situation(board or table.scoreboard(), table.outcome)
                self._announce_answer(table, len(table.journal) - 1, now)
            else:
                self._replay_answers(table, self._entries)
        self._entries, self._events = len(table.journal), len(table.log)
        del self._calls[:-MAX_KEPT_ANNOUNCEMENTS]
        return tuple(self._calls)

    def _announce_answer(self, table: Table, place: int, now: SpokenSituation) -> None:
        """Add the call of the new events, and of changes without an event."""
        n = table.answers[-1].n if table.answers else -1
        events = [one.event for one in table.log[self._events :]]
        call = answer_announcement(place, n, self._now, now, events, table.game.words)
        self._calls += [call] if call else []
        self._now, self._events = now, len(table.log)

    def _replay_answers(self, table: Table, heard: int) -> None:
        """Replay the newest answers and announce each. The first `heard` entries were announced before."""
        since = max(heard, len(table.journal) - MAX_REPLAYED_ENTRIES)
        back = next((p for p in range(len(table.journal) - 1, since - 1, -1) if not _is_answer(table, p)), None)
        first = since if back is None else back + 1
        twins = table.replay_from(first)
        twin, place = next(twins), first - 1
        if back is not None:
            self._announce_change(table, twin, back)
        elif first == 0:
            self._now, self._events = SpokenSituation(), 0
            self._announce_answer(twin, -1, scoreboard_situation(twin.scoreboard(), twin.outcome))
        elif heard == 0:
            self._now, self._events = scoreboard_situation(twin.scoreboard(), twin.outcome), len(twin.log)
        for twin in twins:
            # Answers asked together come in the order of their numbers, and the last of their entries counts.
            place = max(place, twin.answers[-1].entry)
            self._announce_answer(twin, place, scoreboard_situation(twin.scoreboard(), twin.outcome))

    def _announce_change(self, table: Table, twin: Table, place: int) -> None:
        """Delete all calls and announce an undo or a correction. `twin` is the table just after it."""
        entry, now = table.journal[place], scoreboard_situation(twin.scoreboard(), twin.outcome)
        if isinstance(entry, Correction):
            events: list[Event] = [one.event for one in twin.log if one.n == entry.n]
            call = correction_announcement(place, entry.n, now, events, table.game.words)
        else:
            call = undo_announcement(place, entry.n, now)
        self._calls, self._now, self._events = [call], now, len(twin.log)


def _is_answer(table: Table, place: int) -> bool:
    return isinstance(table.journal[place], Answer)
