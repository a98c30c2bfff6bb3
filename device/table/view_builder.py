"""Builds what every audience sees from the parts of a session. Pure reading: nothing here changes the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from device.table import play_log
from device.table.board_layout import BoardLayout
from device.table.notices import Notices
from device.table.publisher import Views
from device.table.race import OpenRace
from device.table.roll_evidence import RollEvidence
from device.table.seat_entries import SeatEntries
from device.table.tray_roll import TrayRoll
from engine.asks import Thrown
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import GameName, PlayView, ProposalView, TableView, View

TableViews = Mapping[Seat | None, TableView]
"""What every audience sees of the table."""


class ViewBuilder:
    """Makes the views of one session. Not thread-safe: the session's lock guards it."""

    def __init__(
        self,
        clock: Callable[[], float],
        notices: Notices,
        tray: TrayRoll,
        entries: SeatEntries,
        layout: BoardLayout,
        evidence: RollEvidence,
    ) -> None:
        self._clock, self._notices, self._tray = clock, notices, tray
        self._entries, self._layout, self._evidence = entries, layout, evidence
        self._tables: TableViews = {}

    def table_changed(self, views: TableViews) -> None:
        """Take the views of the table as it is now, for spectators and both seats; they are used until it changes."""
        self._tables = views

    def build(self, version: int, game: int, table: Table, race: OpenRace | None) -> Views:
        """Return the views of all audiences; `game` is the table's number in the store."""
        log, shown = table.log.read(), self._tray.shown
        public = View(
            game=GameName(table.game.key, table.game.title),
            table=self._tables[None],
            undone=table.undone,
            plays=self.lines(game, table, max(*log.halves[-1:], *log.games[-1:], 0, 0)),
            proposal=self._proposal(game, table),
            dial=self._entries.view(),
            race=race.shown if race else None,
            layout=self._layout.view(self._entries.shown),
            version=version,
            watching=self._notices.watching,
            missing=list(self._notices.missing.values()),
            notice=self._notices.notice,
        )
        away, home = (replace(public, table=self._tables[seat]) for seat in SEATS)
        return Views(public, away, home, shown.due if shown else None, self._clock)

    def lines(self, game: int, table: Table, start: int = 0) -> list[PlayView]:
        """Return the play log from its event `start` on."""
        first = table.log[start].n if start < len(table.log) else 0
        return play_log.lines(table, self._evidence.names(game, table, first), self._evidence.typed, start)

    def _proposal(self, game: int, table: Table) -> ProposalView | None:
        shown = self._tray.shown
        if shown is None:
            return None
        roll = next(ask for n, ask in table.asks() if n == shown.n and isinstance(ask, Thrown))
        return shown.view(self._clock(), roll, self._evidence.coming(game, table, shown))
