"""Computer managers at a table: a thread that decides for the managed seats and answers as a phone would.

It reads only the published views of a seat and computes without any lock, so pages, buttons and display never wait. A
decision holds for one version of the table. If it changed meanwhile, the manager decides again.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from device.inputs.computer_race import ComputerRace
from device.inputs.computer_throws import POLL_INTERVAL_S, ComputerThrows
from device.shapes import Advice
from device.storage.seat_settings import PACE_DELAYS_S
from device.storage.store import StoreError
from device.table.answer_text import answer_text
from device.table.live_game import RETRY_DELAY_S
from device.table.managed_seats import MANAGER_LOCK
from device.table.session import GameSession
from engine.ask_views import AnyAskView, CallView, RerollView
from engine.errors import EngineError, StaleAnswer
from engine.seats import SEATS, Seat
from engine.text.numbers import chance_text
from engine.views import AudienceView, ManagerView, TableView
from managers.cast import CAST_BY_CHOICE, TemperedManager
from managers.manager import (
    STRENGTHS,
    GameSetup,
    Manager,
    ManagerDecision,
    build_unstudied_manager,
    cautious_answer,
    next_decision,
    next_manager_ask,
)

log = logging.getLogger("dugout")

MAX_COACH_STUDY_S = 8.0
"""How long the coach studies the cards before it advises with what it knows, in seconds."""

SECRET_DELAY_STEP_S = 0.5
"""A secret answer is delayed to a multiple of this, in seconds, so that the delay does not reveal what was weighed."""

REPLY_TIMES_S = (0.8, 2.0)
"""Range of the delay after which the coach answers a secret for a person, in seconds, as a quick person would."""

DecisionKey = tuple[int, int, int, str]
"""Number of the game, version of the table, number of the ask, and key of the manager."""


@dataclass(slots=True)
class PendingDecision:
    """A manager's decision on one ask.

    `seen`, `thought` and `retry` are when it saw the ask, when it had decided, and when to retry, in the session's
    seconds.
    """

    decision: ManagerDecision
    seen: float
    thought: float
    retry: float = 0.0
    done: bool = False

    def due_time(self, pace: str) -> float:
        due = self.seen + PACE_DELAYS_S.get(pace, 0.0)
        if self.decision.secret:
            due += SECRET_DELAY_STEP_S * max(1, math.ceil((self.thought - due) / SECRET_DELAY_STEP_S))
        return max(due, self.retry)


class ComputerManagers:
    """The managers of all managed seats of `session`, and the coach (`web.port.CoachPort`).

    chance: mixes their choices.
    make: builds a manager from public facts, once for each game and strength. It may take seconds.
    tray: throws dice, if a computer manages every side (`ComputerThrows`).
    """

    def __init__(
        self,
        session: GameSession,
        chance: Random,
        make: Callable[[GameSetup, Any], Manager] = build_unstudied_manager,
        tray: Callable[[], None] | None = None,
    ) -> None:
        self._session, self._chance, self._make = session, chance, make
        self._news, self._done = threading.Event(), threading.Event()
        self._managers: dict[str, Manager] = {}
        self._managers_setup: GameSetup | None = None
        self._decisions: dict[Seat, tuple[DecisionKey, PendingDecision]] = {}
        self._advice: dict[Seat, tuple[DecisionKey, list[Advice] | None]] = {}
        """Each seat's last question to the coach and its advice, None until computed."""
        self._race: tuple[object, ComputerRace] | None = None
        """The open race and the plan for it."""
        self._throws = ComputerThrows(session, chance, tray)
        self._thread = threading.Thread(target=self._run_loop, name="managers", daemon=True)

    def start(self) -> None:
        self._session.game.subscribe(lambda views: self._news.set())
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current decision, which may take a second."""
        self._done.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(2)

    def _run_loop(self) -> None:
        wait = POLL_INTERVAL_S
        while not self._done.is_set():
            self._news.wait(wait if wait < math.inf else None)
            self._news.clear()
            try:
                wait = self.answer_due_asks()
            except Exception:  # one failed decision must not cost the evening its opponent
                log.exception("A manager failed.")
                wait = RETRY_DELAY_S

    def answer_due_asks(self) -> float:
        """Answer what is due and decide the open asks. Returns the seconds until the next call, or inf."""
        self._assist_people()
        views, game = self._session.game.current_views(), self._session.game.number
        managed = views.public.managers
        assisted = any(one.assisted for one in views.public.standing.values())
        studying = assisted and self._studies_on(STRENGTHS[-1], views.public.table)
        if not managed:
            self._decisions.clear()
            return 0.0 if studying else math.inf
        self._prepare_managers(managed)
        waits = [POLL_INTERVAL_S, self._run_race(views.public)]
        for seat in SEATS:
            if seat in managed:
                waits.append(self._answer_ask(seat, views.view_for(seat), game))
        if views.public.table_rolls or set(managed) >= set(views.public.table.scoreboard.plays):
            waits.append(self._throws.throw_if_asked(views.public))
        return 0.0 if self._study_cards(views.public) or studying else min(waits)

    # Answering ---------------------------------------------------------------------------------------------------

    def _answer_ask(self, seat: Seat, view: AudienceView, game: int) -> float:
        ask = next_manager_ask(view.table)
        if ask is None:
            return POLL_INTERVAL_S
        manager = view.managers[seat].key
        key, known = (game, view.table.version, ask.n, manager), self._decisions.get(seat)
        if known is None or known[0] != key:
            seen, thinking = self._session.game.clock(), self._session.managed.thinking
            thinking.begin_thought(seat, ask.n)
            decision = self._manager_decision(seat, view.table, ask, manager)
            free = thinking.end_thought(seat, ask.n)
            decided = max(free, self._session.game.clock())
            self._decisions[seat] = known = key, PendingDecision(decision, seen, decided, retry=free)
        thought, now = known[1], self._session.game.clock()
        if thought.done:
            return POLL_INTERVAL_S
        if now < (due := thought.due_time(view.pace)):
            return due - now
        try:
            given = thought.decision
            self._session.managed.accept_decision(seat, given.n, given.value, view.table.version, given.reason)
            thought.done = True
        except StaleAnswer:
            self._decisions.pop(seat)
        except (EngineError, StoreError) as error:
            log.warning("A manager could not answer: %s", error)
            thought.retry = now + RETRY_DELAY_S
            return RETRY_DELAY_S
        return 0.0

    def _manager_decision(self, seat: Seat, view: TableView, ask: AnyAskView, manager: str) -> ManagerDecision:
        """The manager's decision. If it fails, it is any legal answer, and a fault is shown."""
        try:
            with MANAGER_LOCK:
                found = next_decision(self._cast_manager(manager), view, self._chance)
            assert found is not None
            self._session.game.notices.set_fault("manager", None)
            return found
        except Exception:
            log.exception("The manager of the %s seat failed.", seat)
            self._session.game.notices.set_fault(
                "manager", "The computer manager failed on this question and answered at random."
            )
            if isinstance(ask, RerollView):
                return ManagerDecision(ask.n, list(ask.free[:1]), "", ask.secret)
            return ManagerDecision(ask.n, ask.random_answer(self._chance), "", ask.secret)

    def _prepare_managers(self, managed: Mapping[Seat, ManagerView]) -> None:
        """Build the managers before anything is asked. A failure shows at the first ask."""
        for seat, one in managed.items():
            if one.strength not in self._managers or self._managers_setup != self._session.managed.game_setup:
                self._session.managed.thinking.begin_thought(seat)
            with suppress(Exception):
                self._cast_manager(one.key)

    def _study_cards(self, view: AudienceView) -> bool:
        """Let one manager, or at last the coach, study the cards for a moment. Return False if all have."""
        for seat, one in view.managers.items():
            if self._studies_on(one.strength, view.table):
                return True
            self._session.managed.thinking.end_thought(seat)
        return bool(view.coached) and self._studies_on(STRENGTHS[-1], view.table)

    def _studies_on(self, strength: str, view: TableView) -> bool:
        with suppress(Exception), MANAGER_LOCK:
            return self._manager_for(strength).study_cards(view)
        return False

    def _cast_manager(self, key: str) -> Manager:
        one = CAST_BY_CHOICE[key]
        return TemperedManager(self._manager_for(one.strength), one.temper)

    def _manager_for(self, strength: str) -> Manager:
        setup = self._session.managed.game_setup
        with MANAGER_LOCK:
            if self._managers_setup != setup:
                self._managers_setup, self._managers = setup, {}
            if strength not in self._managers:
                self._managers[strength] = self._make(setup, strength)
            return self._managers[strength]

    # Races -------------------------------------------------------------------------------------------------------

    def _run_race(self, view: AudienceView) -> float:
        calls = [ask for ask in view.table.asks if isinstance(ask, CallView) and ask.seat in view.managers]
        racing = self._session.race.wanted_dice
        if racing is None or view.race is None or not calls:
            self._race = None
            return POLL_INTERVAL_S
        # After a correction another race may have the same numbers.
        if self._race is None or self._race[0] is not racing or self._race[1].calls != calls:
            strengths = {ask.seat: view.managers[ask.seat].strength for ask in calls}
            self._race = racing, ComputerRace(calls, strengths, self._session.game.clock(), self._chance)
        return self._race[1].run_due_steps(self._session)

    # The coach ---------------------------------------------------------------------------------------------------

    def _assist_people(self) -> None:
        """Answer what hardly matters for assisted seats, one question after the other, and leave the rest to them."""
        assistance = self._session.assistance
        while asks := assistance.undecided_asks():
            for ask in asks:
                value = None
                while self._studies_on(STRENGTHS[-1], ask.view):
                    pass
                with suppress(Exception), MANAGER_LOCK:  # a failed coach leaves the question to its seat
                    coach, open_ask = self._manager_for(STRENGTHS[-1]), next_manager_ask(ask.view)
                    if open_ask is not None and open_ask.n == ask.n:
                        found = cautious_answer(coach, ask.view, open_ask, ask.usual)
                        value = found and found.value
                assistance.decide(ask, value, self._chance.uniform(*REPLY_TIMES_S))

    def coach_advice(self, seat: Seat, n: int) -> list[Advice]:
        """Rate the answers to ask `n` of a seat as an all-star, best first.

        Everybody sees that the seat asked. Asking again before the game goes on returns the same, without a notice. It
        may take a second, at the first question of a game longer. Raises StaleAnswer if the seat is not asked that,
        IllegalAnswer if it may not ask the coach.
        """
        view = self._session.game.view_for(seat)
        ask = next_manager_ask(view.table)
        if ask is None or ask.n != n:
            raise StaleAnswer("That question is no longer open.")
        key = view.number, view.table.version, n, STRENGTHS[-1]
        known, advice = self._advice.get(seat, (None, None))
        self._session.managed.record_coach_question(seat, again=known == key)
        if known != key or advice is None:
            self._advice[seat] = key, None
            until = self._session.game.clock() + MAX_COACH_STUDY_S
            while self._session.game.clock() < until and self._studies_on(STRENGTHS[-1], view.table):
                pass
            with MANAGER_LOCK:
                weighed = self._manager_for(STRENGTHS[-1]).weigh_answers(view.table, ask)
            found = sorted(weighed, key=lambda one: (-one.win, -one.share))
            advice = [
                Advice(
                    one.value,
                    answer_text(ask, one.value),
                    one.win,
                    one.share,
                    one.reason,
                    chance_text(one.win),
                    chance_text(one.share),
                )
                for one in found
            ]
            self._advice[seat] = key, advice
        return advice
