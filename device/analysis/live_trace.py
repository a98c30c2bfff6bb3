"""The win probability of the game on the table, after each play."""

from __future__ import annotations

import logging

from device.analysis.evaluators import StudiedEvaluators, public_setup
from device.analysis.parts import NO_ANALYSIS, told_analysis
from device.analysis.win_trace import update_trace
from device.shapes import AbortCheck, AnalysisLevel, GameAnalysis
from device.table.session import GameSession
from engine.journal import JournalEntry
from engine.table import Table
from managers.manager import has_manager

log = logging.getLogger("dugout")


class NotWanted(Exception):
    """Nobody waits for this analysis anymore."""


class LiveTrace:
    """The trace of the game on the table of `session`, computed on a copy. For one thread, but for `shown_analysis`.

    Only the new entries of the journal are read under the game's lock. If an evaluator fails, this game has no win
    probability from then on.
    """

    def __init__(self, session: GameSession, evaluators: StudiedEvaluators, level: AnalysisLevel) -> None:
        self._session, self._evaluators, self._level = session, evaluators, level
        self._number = 0
        self._table: Table | None = None
        """The copy of game `_number`. None before the first game, and of one that failed or has no evaluator."""
        self._trace = dict[int, float]()
        self._shown = (0, NO_ANALYSIS, True)
        """A game, its analysis, and whether it is over: replaced together, because other threads read them."""

    def shown_analysis(self, number: int) -> GameAnalysis | None:
        """Return the analysis so far of the game on the table. None for any other, and after its end."""
        shown, found, over = self._shown
        return found if shown == number and not over else None

    def finished_game(self, number: int) -> tuple[Table, dict[int, float]] | None:
        """Return game `number` and its trace if it is the one on the table, and over."""
        table = self._table
        return (table, self._trace) if table and table.outcome and number == self._number else None

    def update(self, wanted: AbortCheck) -> None:
        """Update the trace for the new entries of the journal, if there are any, and show it.

        `wanted` is called before each step. If it raises `NotWanted`, the next update begins at the start.
        """
        game = self._session.game
        with game.lock:
            number, live = game.number, game.live
            another = number != self._number
            place = 0 if another or self._table is None else len(self._table.journal)
            entries = live.journal[place:] if another or self._table else []
        if not another and not entries:
            return

        def still_wanted() -> None:
            wanted()
            if game.number != number:
                raise NotWanted

        try:
            found = self._analyze(number, live, entries, place, still_wanted)
        except NotWanted:
            self._number = 0
            return
        except Exception:  # one failed evaluation must not cost the evening its game
            log.exception("The win probability of game %d failed.", number)
            self._table, found = None, NO_ANALYSIS
        self._shown = number, found, bool(self._table and self._table.outcome)
        self._session.win.show(number, found.win, found.story)

    def _analyze(
        self, number: int, live: Table, entries: list[JournalEntry], place: int, wanted: AbortCheck
    ) -> GameAnalysis:
        """Bring the copy up to date with `entries`, the journal from index `place` on. Of `live`, only reads facts."""
        if number != self._number:
            self._number, self._table, self._trace = number, None, {}
            if not has_manager(live.game.key):
                return NO_ANALYSIS
            self._table = Table(live.game, live.decks, live.house, entries, live.names)
        else:
            assert self._table is not None
            for entry in entries:
                self._table.apply_entry(entry)
        evaluator = self._evaluators.evaluator_for(public_setup(self._table), wanted)
        update_trace(self._trace, self._table, place, evaluator, wanted)
        return told_analysis(self._table, dict(self._trace), evaluator.margin, self._level)
