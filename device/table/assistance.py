"""Answers of the coach for people, where they hardly matter. The coach decides elsewhere, from the seat's view."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.table import preset_answers
from device.table.live_game import GameChange, LiveGame
from engine.asks import Ask, Choose, Secret
from engine.errors import EngineError
from engine.journal import Answer, Source
from engine.seats import Seat
from engine.views import TableView
from managers.manager import has_manager

MAX_HOLD_S = 0.4
"""Longest time that a question waits for the coach before its seat is asked, in seconds."""

MAX_STUDY_S = 5.0
"""The same for the question that a seat sees when it turns the coach's help on. The coach may study the cards first."""


@dataclass(frozen=True, slots=True)
class AssistedAsk:
    """An open ask of an assisted seat that the coach has not looked at, with the seat's view of the table.

    usual: the answer that changes nothing, None if it has none.
    since, deadline: when it was asked, and when its seat is asked at the latest, in the session's seconds.
    rival: true if it is secret from another person, who must not see how soon it is answered.
    """

    n: int
    seat: Seat
    view: TableView
    usual: Any
    since: float
    deadline: float
    rival: bool


class CoachAssistance:
    """The assisted seats of `game`.

    While the coach looks at a question, nothing is published, so that no page shows it for a moment. A secret between
    two people is published at once, but only its own seat's page leaves it out, until the coach has decided.
    """

    def __init__(self, game: LiveGame) -> None:
        self._game = game
        self._open: dict[Seat, AssistedAsk] = {}
        self._answers: dict[Seat, tuple[Any, float]] = {}
        """Answers to secrets of `_open`, and when each is due."""
        self._asked: set[int] = set()
        """Numbers of the asks that the coach leaves to people."""

    # For the coach's thread --------------------------------------------------------------------------------------

    def undecided_asks(self) -> Sequence[AssistedAsk]:
        with self._game.lock:
            return [ask for seat, ask in self._open.items() if seat not in self._answers]

    def decide(self, ask: AssistedAsk, value: Any, delay_s: float) -> None:
        """Answer an ask, or leave it to its seat if `value` is None. One that is no longer open is ignored.

        The answer to a secret from another person comes `delay_s` seconds after the question.
        """
        with self._game.lock:
            if self._open.get(ask.seat) is not ask:
                return
            if value is None:
                self._leave(ask)
            elif ask.rival:
                self._answers[ask.seat] = value, ask.since + delay_s
            else:
                self._answer(ask, value)

    def answer_due_asks(self) -> float:
        """Give due answers, and leave to its seat what the coach has not decided in time. Returns the seconds until
        the next call, or inf."""
        with self._game.lock:
            now, waits = self._game.clock(), [math.inf]
            for ask in list(self._open.values()):
                value, due = self._answers.get(ask.seat, (None, ask.deadline))
                if now < due:
                    waits.append(due - now)
                elif value is None:
                    self._leave(ask)
                else:
                    self._answer(ask, value)
            return min(waits)

    def _answer(self, ask: AssistedAsk, value: Any) -> None:
        try:
            self._game.submit_entry(Answer(ask.seat, ask.n, value), Source.COACH)
        except (EngineError, OSError):
            self._leave(ask)

    def _leave(self, ask: AssistedAsk) -> None:
        with self._game.publish_change():
            self._asked.add(ask.n)
            self._update_open_asks(MAX_HOLD_S)

    # For the game: the caller holds the lock ---------------------------------------------------------------------

    def handle_change(self, change: GameChange) -> None:
        if change.new:
            self._asked.clear()
            self._open.clear()
        # Without a stored entry only settings have changed, and the question is on the pages already.
        self._update_open_asks(MAX_HOLD_S if change.stored else MAX_STUDY_S)

    def _update_open_asks(self, limit_s: float) -> None:
        """Find the asks that the coach should look at, and hold back the views while there are new ones."""
        game, known = self._game, self._open
        self._open = {}
        for n, ask in game.live.open_asks() if game.settings.assisted else ():
            if n not in self._asked and self._can_answer(n, ask):
                old = known.get(ask.seat)
                self._open[ask.seat] = old if old and old.n == n else self._assisted_ask(n, ask, limit_s)
        self._answers = {
            seat: found for seat, found in self._answers.items() if self._open.get(seat) is known.get(seat)
        }
        held = [ask.deadline for ask in self._open.values() if not ask.rival and ask.deadline <= ask.since + MAX_HOLD_S]
        game.held_until = max(held, default=0.0)

    def _can_answer(self, n: int, ask: Ask) -> bool:
        table, settings = self._game.live, self._game.settings
        if ask.seat not in settings.assisted or ask.seat in settings.managers or not has_manager(table.game.key):
            return False
        if not isinstance(ask, Choose) and preset_answers.usual_answer(table, ask) is None:
            return False
        return not (
            preset_answers.is_waiting(table, settings, ask.seat)
            or preset_answers.is_reopened(table, self._game.sources, n)
        )

    def _assisted_ask(self, n: int, ask: Ask, limit_s: float) -> AssistedAsk:
        game, usual = self._game, preset_answers.usual_answer(self._game.live, ask)
        rival = isinstance(ask, Secret) and game.settings.has_rival(game.live, ask.seat)
        now = game.clock()
        return AssistedAsk(n, ask.seat, game.tables[ask.seat], usual, now, now + limit_s, rival)

    def seat_tables(self) -> Mapping[Seat | None, TableView]:
        """Views of the table, those of the seats without a secret question that the coach may answer."""
        hidden = {seat: ask.n for seat, ask in self._open.items() if ask.rival}
        if not hidden:
            return self._game.tables
        return {
            seat: replace(view, asks=[one for one in view.asks if seat not in hidden or one.n != hidden[seat]])
            for seat, view in self._game.tables.items()
        }
