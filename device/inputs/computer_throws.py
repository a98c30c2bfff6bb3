"""Dice that the table rolls for computers: in a game without people, or if people leave it to the table.

In a game without people they are entered as typed. The demo throws them into its tray, and its camera reads them. In a
game with people everybody sees them for a moment before they count.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from random import Random

from device.storage.seat_settings import PACE_DELAYS_S
from device.storage.store import StoreError
from device.table.live_game import RETRY_DELAY_S
from device.table.session import GameSession
from engine.ask_views import RerollView, RollView
from engine.dice import Face, die_sides
from engine.errors import EngineError, IllegalAnswer
from engine.journal import Source
from engine.views import AudienceView

log = logging.getLogger("dugout")

POLL_INTERVAL_S = 0.5
"""Interval between two checks of a game with managers while nothing is published, in seconds."""

CAMERA_TIMEOUT_S = 6.0
"""Timeout for the demo's camera to read its dice before they are thrown again, in seconds."""


class ComputerThrows:
    """Throws dice at the table of `session`, by `chance`.

    For a game with people the dice of an ask are drawn once: undoing them and rolling again changes nothing.

    `tray` throws the dice of the open ask into the demo's tray. It raises IllegalAnswer for a kind that the demo lacks,
    and such dice are entered as typed.
    """

    def __init__(self, session: GameSession, chance: Random, tray: Callable[[], None] | None = None) -> None:
        self._session, self._chance, self._tray = session, chance, tray
        self._asked: tuple[int, int, int] | None = None
        """Game, version of the table, and ask of the last throw."""
        self._due = 0.0
        self._seed = chance.random()

    def throw_if_asked(self, view: AudienceView) -> float:
        """Throw if dice are asked for, at the managers' pace. Returns the seconds until the next call."""
        if view.proposal and view.proposal.source == Source.MANAGER:
            return POLL_INTERVAL_S
        for ask in view.table.asks:
            if _has_people(view) and ask.seat not in view.managers:
                continue
            again = view.managers[ask.seat].again if isinstance(ask, RerollView) else None
            if isinstance(ask, RollView) or (isinstance(ask, RerollView) and again is not None):
                return self._answer_roll(view, ask, again)
        return POLL_INTERVAL_S

    def _answer_roll(self, view: AudienceView, ask: RollView | RerollView, again: Sequence[int] | None) -> float:
        key, now = (view.number, view.table.version, ask.n), self._session.game.clock()
        if self._asked != key:
            self._asked, self._due = key, now + PACE_DELAYS_S.get(view.pace, 0.0)
        if now < self._due:
            return self._due - now
        people = _has_people(view)
        chance = Random(f"{self._seed} {view.number} {ask.n}") if people else self._chance
        try:
            if not people and self._tray is not None and self._throw_dice(view, self._tray):
                return POLL_INTERVAL_S
            house = self._session.managed.game_setup.house
            faces: list[Face | None] = [
                chance.choice(die_sides(die.kind, house)) if again is None or place in again else None
                for place, die in enumerate(ask.dice)
            ]
            if people:
                self._session.rolls.propose_table_roll(ask.seat, ask.n, faces, view.table.version)
            else:
                self._session.seats.answer_ask(ask.seat, ask.n, faces, Source.MANAGER)
        except (EngineError, StoreError) as error:
            log.warning("The table could not throw for the computer: %s", error)
            self._due = now + RETRY_DELAY_S
            return RETRY_DELAY_S
        return 0.0

    def _throw_dice(self, view: AudienceView, tray: Callable[[], None]) -> bool:
        """Throw into the tray, unless its camera is off, sees motion or has read the dice. False if the demo has none.

        Dice in doubt are thrown again, as people do.
        """
        if view.watching.state not in ("off", "moving", "hand") and not (view.proposal and view.proposal.sure):
            try:
                tray()
            except IllegalAnswer:
                return False
            self._due = self._session.game.clock() + CAMERA_TIMEOUT_S
        return True


def _has_people(view: AudienceView) -> bool:
    """True if the table rolls for the computer of one side, and a person plays the other."""
    return view.table_rolls and not set(view.table.scoreboard.plays) <= set(view.managers)
