"""The dice of a game in which a computer manages every side: nobody else throws them.

At a table they are drawn by chance and typed. The demo throws them into its tray, and its camera reads them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from random import Random

from device.storage.standing_settings import PACES
from device.storage.store import StoreError
from device.table.live_game import RETRY
from device.table.session import Session
from engine.ask_views import RerollView, RollView
from engine.dice import Face, sides
from engine.errors import EngineError, IllegalAnswer
from engine.journal import Source
from engine.views import View

log = logging.getLogger("dugout")

LOOK = 0.5
"""Seconds between two looks at a game with managers while nothing is published."""

PATIENCE = 6.0
"""Seconds that the demo's camera has for its dice before they are thrown again."""


class ComputerThrows:
    """Throws at the table of `session`, by `chance`. `tray` throws the dice that are asked for into the demo's tray; it
    raises IllegalAnswer for a kind that the demo does not have, and those are typed.
    """

    def __init__(self, session: Session, chance: Random, tray: Callable[[], None] | None = None) -> None:
        self._session, self._chance, self._tray = session, chance, tray
        self._asked: tuple[int, int, int] | None = None
        """The game, the version of the table and the ask that the last throw was for."""
        self._due = 0.0

    def step(self, view: View) -> float:
        """Throw if dice are asked for, at the pace of the managers. Returns after how many seconds to step again."""
        for ask in view.table.asks:
            again = view.managers[ask.seat].again if isinstance(ask, RerollView) else None
            if isinstance(ask, RollView) or (isinstance(ask, RerollView) and again is not None):
                return self._answer(view, ask, again)
        return LOOK

    def _answer(self, view: View, ask: RollView | RerollView, again: Sequence[int] | None) -> float:
        key, now = (view.number, view.table.version, ask.n), self._session.game.clock()
        if self._asked != key:
            self._asked, self._due = key, now + PACES.get(view.pace, 0.0)
        if now < self._due:
            return self._due - now
        try:
            if self._tray is not None and self._throw(view, self._tray):
                return LOOK
            house = self._session.managed.setup.house
            faces: list[Face | None] = [
                self._chance.choice(sides(die.kind, house)) if again is None or place in again else None
                for place, die in enumerate(ask.dice)
            ]
            self._session.seats.answer(ask.seat, ask.n, faces, Source.MANAGER)
        except (EngineError, StoreError) as error:
            log.warning("The table could not throw for the computer: %s", error)
            self._due = now + RETRY
            return RETRY
        return 0.0

    def _throw(self, view: View, tray: Callable[[], None]) -> bool:
        """Throw into the tray, unless its camera does not look now or has read these dice; False if they are not there.

        Dice in doubt are thrown again, as people do.
        """
        if view.watching.state not in ("off", "moving", "hand") and not (view.proposal and view.proposal.sure):
            try:
                tray()
            except IllegalAnswer:
                return False
            self._due = self._session.game.clock() + PATIENCE
        return True
