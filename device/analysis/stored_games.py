"""Analyses of stored games: who waits for which, and a cache of those found."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace

from device.analysis.evaluators import StudiedEvaluators, public_setup
from device.analysis.live_trace import LiveTrace, NotWanted
from device.analysis.parts import NO_ANALYSIS, review_decisions, told_analysis
from device.analysis.win_trace import trace_game
from device.shapes import AbortCheck, AnalysisLevel, GameAnalysis
from device.table.past_games import PastGames
from managers.manager import has_manager

log = logging.getLogger("dugout")

MAX_WAITING = 8
"""Games that wait to be analyzed. The page of one that is left out asks again."""

MAX_CACHED = 16
"""Analyses in memory, of some ten kB each."""

ASK_TIMEOUT_S = 10.0
"""How long after the last request for a game somebody still waits for it, in seconds. Pages ask each second or two."""

Fingerprint = tuple[object, ...]


class StoredGameAnalyses:
    """Analyses of the games in `past`. Any thread may ask for one, and one thread analyzes.

    clock: returns monotonic seconds.
    """

    def __init__(
        self,
        past: PastGames,
        live: LiveTrace,
        evaluators: StudiedEvaluators,
        level: AnalysisLevel,
        clock: Callable[[], float],
    ) -> None:
        self._past, self._live, self._evaluators, self._level = past, live, evaluators, level
        self._clock, self._lock = clock, threading.Lock()
        self._asked = dict[int, float]()
        """When somebody last asked for each waiting game, the one that waits longest first."""
        self._cache = OrderedDict[Fingerprint, GameAnalysis]()

    def find_or_request(self, number: int) -> GameAnalysis | None:
        """Return the analysis of a game, or None and request it. A game that is missing or damaged has none."""
        if (shown := self._live.shown_analysis(number)) is not None:
            return shown
        key = self._past.game_fingerprint(number)
        if key is None:
            return NO_ANALYSIS
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return self._cache[key]
            if number in self._asked or len(self._asked) < MAX_WAITING:
                self._asked[number] = self._clock()
        return None

    def analyze_next(self, wanted: AbortCheck) -> bool:
        """Analyze the game that waits longest. Return False if none does. `wanted` is called before each step."""
        with self._lock:
            number = next(iter(self._asked), None)
        if number is None:
            return False

        def still_wanted() -> None:
            wanted()
            if self._clock() > self._asked[number] + ASK_TIMEOUT_S:
                raise NotWanted

        try:
            still_wanted()
            key, found = self._past.game_fingerprint(number), NO_ANALYSIS
            try:
                found = self._analyze(number, still_wanted)
            except NotWanted:
                raise
            except Exception:  # any stored game can break anything
                log.exception("The analysis of game %d failed.", number)
            if key is not None:
                with self._lock:
                    self._cache[key] = found
                    if len(self._cache) > MAX_CACHED:
                        self._cache.popitem(last=False)
        except NotWanted:
            pass
        finally:
            with self._lock:
                self._asked.pop(number, None)
        return True

    def _analyze(self, number: int, wanted: AbortCheck) -> GameAnalysis:
        if (shown := self._live.shown_analysis(number)) is not None:
            return shown
        on_table = self._live.finished_game(number)
        table = on_table[0] if on_table else self._past.game_table(number, wanted)
        if table is None or not has_manager(table.game.key):
            return NO_ANALYSIS
        evaluator = self._evaluators.evaluator_for(public_setup(table), wanted)
        trace = on_table[1] if on_table else trace_game(table, evaluator, wanted)
        found = told_analysis(table, dict(trace), evaluator.margin, self._level)
        if self._level != "full" or not table.outcome or not trace:
            return found
        return replace(found, review=review_decisions(table, evaluator, wanted))
