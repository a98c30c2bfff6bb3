"""A computer in a race: its die is thrown by the table, again and again, as fast as its strength says, until it wins.

It sees its die a moment later, as a person does, and calls. All times are drawn, and `THROW_TIMES_S` and
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
"""Seconds from one throw of a die until it lies still, by strength: their mean and standard deviation."""

REACTION_TIMES_S: Mapping[str, tuple[float, float]] = {
    "rookie": (0.9, 0.2),
    "regular": (0.6, 0.12),
    "all-star": (0.4, 0.06),
}
"""Seconds from a winning die that lies still to the call, in the same way."""

MIN_ACTION_S = 0.3
"""No throw and no reaction takes less, in seconds."""


class ComputerRace:
    """One race of the managed seats: `calls` are their asks, `strengths` those of their managers. Begins at `now`."""

    def __init__(self, calls: Sequence[CallView], strengths: Mapping[Seat, str], now: float, chance: Random) -> None:
        self.calls = list(calls)
        plans = [(ask.seat, plan_race(ask, strengths[ask.seat], now, chance)) for ask in calls]
        self._to_come = sorted(((when, seat, what) for seat, steps in plans for when, what in steps), key=itemgetter(0))

    def run_due_steps(self, session: GameSession) -> float:
        """Show and call what is due, each at its own time, however late this is. Returns after how many seconds to step
        again.
        """
        while self._to_come and self._to_come[0][0] <= session.game.clock():
            when, seat, what = self._to_come.pop(0)
            if what is not None:
                session.race.record_dice(when, {seat: what}, Source.MANAGER)
                continue
            with suppress(EngineError, StoreError):
                session.race.call_in_race(
                    seat, next(ask.n for ask in self.calls if ask.seat == seat), when, Source.MANAGER
                )
        return max(0.0, self._to_come[0][0] - session.game.clock()) if self._to_come else MIN_ACTION_S


def plan_race(ask: CallView, strength: str, now: float, chance: Random) -> list[tuple[float, ShownDie | None]]:
    """Return what a computer's die shows, and when, in a race that begins `now`; None is the call, last of all.

    Each throw moves for its second half, after the die before has been looked at.
    """
    steps, at = list[tuple[float, ShownDie | None]](), now
    face: Face | None = None
    while face not in ask.wins:
        face, takes = chance.choice(ask.die.faces), max(MIN_ACTION_S, chance.gauss(*THROW_TIMES_S[strength]))
        steps += [(at + takes / 2, DIE_MOVING), (at + takes, RestingFace(face, at + takes))]
        at += takes
    call = at + max(MIN_ACTION_S, chance.gauss(*REACTION_TIMES_S[strength]))
    return [*steps, (call, RestingFace(face, at)), (call, None)]
