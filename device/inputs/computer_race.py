"""A computer in a race. The table throws its die again and again, at the speed of its strength, until it wins.

The computer sees its die a moment later, as a person does, and calls. All times are drawn. `THROW_TIMES_S` and
`REACTION_TIMES_S` are published in docs/play/managers.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from operator import itemgetter
from random import Random

from device.storage.store import StoreError
from device.table.session import GameSession
from engine.ask_views import CallView
from engine.dice import Face
from engine.errors import EngineError
from engine.journal import Source
from engine.seats import Seat
from vision.tray.tracker import DIE_MOVING, RestingFace, ShownDie

THROW_TIMES_S: Mapping[str, tuple[float, float]] = {"rookie": (2.6, 0.4), "regular": (2.1, 0.3), "all-star": (1.7, 0.2)}
"""Seconds from one throw of a die until it rests, by strength: mean and standard deviation."""

REACTION_TIMES_S: Mapping[str, tuple[float, float]] = {
    "rookie": (0.9, 0.2),
    "regular": (0.6, 0.12),
    "all-star": (0.4, 0.06),
}
"""Seconds from a resting winning die to the call, by strength: mean and standard deviation."""

MIN_ACTION_S = 0.3
"""Shortest throw or reaction, in seconds."""


class ComputerRace:
    """One race of the managed seats from `now`. `calls` are their asks, `strengths` those of their managers."""

    def __init__(self, calls: Sequence[CallView], strengths: Mapping[Seat, str], now: float, chance: Random) -> None:
        self.calls = list(calls)
        plans = [(ask.seat, plan_race(ask, strengths[ask.seat], now, chance)) for ask in calls]
        self._planned_steps = sorted(
            ((when, seat, what) for seat, steps in plans for when, what in steps), key=itemgetter(0)
        )

    def run_due_steps(self, session: GameSession) -> float:
        """Report dice and calls that are due, each with its planned time. Returns the seconds until the next call."""
        while self._planned_steps and self._planned_steps[0][0] <= session.game.clock():
            when, seat, what = self._planned_steps.pop(0)
            if what is not None:
                session.race.record_dice(when, {seat: what}, Source.MANAGER)
                continue
            with suppress(EngineError, StoreError):
                session.race.call_in_race(
                    seat, next(ask.n for ask in self.calls if ask.seat == seat), when, Source.MANAGER
                )
        return max(0.0, self._planned_steps[0][0] - session.game.clock()) if self._planned_steps else MIN_ACTION_S


def plan_race(ask: CallView, strength: str, now: float, chance: Random) -> list[tuple[float, ShownDie | None]]:
    """Plan the states of a computer's die and their times, in a race that begins at `now`. At the end, None is the
    call.

    Each throw moves in its second half, after the previous die has been seen.
    """
    steps, at = list[tuple[float, ShownDie | None]](), now
    face: Face | None = None
    while face not in ask.wins:
        face, takes = chance.choice(ask.die.faces), max(MIN_ACTION_S, chance.gauss(*THROW_TIMES_S[strength]))
        steps += [(at + takes / 2, DIE_MOVING), (at + takes, RestingFace(face, at + takes))]
        at += takes
    call = at + max(MIN_ACTION_S, chance.gauss(*REACTION_TIMES_S[strength]))
    return [*steps, (call, RestingFace(face, at)), (call, None)]
