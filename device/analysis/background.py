"""The background thread for win probabilities: those of the game on the table first, then those of stored games."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from device.analysis.evaluators import StudiedEvaluators
from device.analysis.live_trace import LiveTrace, NotWanted
from device.analysis.parts import NO_ANALYSIS
from device.analysis.stored_games import StoredGameAnalyses
from device.shapes import AnalysisLevel, GameAnalysis
from device.table.past_games import PastGames
from device.table.session import GameSession
from managers.evaluation import Evaluator, build_evaluator
from managers.manager import GameSetup

log = logging.getLogger("dugout")

PLAY_DELAY_S = 0.25
"""Delay before a play is evaluated, in seconds, so that its views reach every phone first."""


class BackgroundAnalysis:
    """Computes the win probability of the game on the table, and analyses of stored games (`web.port.AnalysisPort`).

    build: builds the evaluator of a game.

    With the level "off" there is no thread, and no game has an analysis.
    """

    def __init__(
        self,
        session: GameSession,
        past: PastGames,
        level: AnalysisLevel,
        build: Callable[[GameSetup], Evaluator] = build_evaluator,
    ) -> None:
        self._evaluators = evaluators = StudiedEvaluators(build)
        self._session, self._level = session, level
        self._live = LiveTrace(session, evaluators, level)
        self._stored = StoredGameAnalyses(past, self._live, evaluators, level, session.game.clock)
        self._news, self._done = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run_loop, name="analysis", daemon=True)

    def start(self) -> None:
        if self._level != "off":
            self._session.win.expect()
            self._session.game.subscribe(lambda views: self._news.set())
            self._thread.start()

    def stop(self) -> None:
        """Stop after the current evaluation, which may take a second."""
        self._done.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def game_analysis(self, number: int) -> GameAnalysis | None:
        if self._level == "off":
            return NO_ANALYSIS
        found = self._stored.find_or_request(number)
        if found is None:
            self._news.set()
        return found

    def evaluation_time(self) -> float | None:
        """Return the median seconds of the last evaluations of one position, None before the first."""
        return self._evaluators.median_time_s

    def _run_loop(self) -> None:
        while not self._done.is_set():
            self._news.wait()
            if self._done.wait(PLAY_DELAY_S):
                return
            self.update()

    def update(self) -> None:
        """Compute all that is waiting."""
        try:
            self._news.clear()
            self._live.update(self._raise_if_stopped)
            while self._stored.analyze_next(self._update_live_game):
                pass
        except Exception:  # one failure must not cost the evening every other number
            log.exception("An analysis failed.")

    def _raise_if_stopped(self) -> None:
        if self._done.is_set():
            raise NotWanted

    def _update_live_game(self) -> None:
        """Give way to the game on the table."""
        self._raise_if_stopped()
        if self._news.is_set():
            self._news.clear()
            self._live.update(self._raise_if_stopped)
