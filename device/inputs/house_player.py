"""The house's own hand: it draws what chance decides, and chooses for the away seat of a person who plays alone."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence

from device.storage.store import StoreError
from device.table import house_turns
from device.table.session import RETRY, Session
from engine.errors import EngineError
from engine.table import Table

log = logging.getLogger("dugout")


class HousePlayer:
    """Answers in the game that `session` keeps as soon as it is asked. It draws by `key`, which nobody knows; `pick`
    gives one of several."""

    def __init__(self, session: Session, key: str, pick: Callable[[Sequence[str]], str]) -> None:
        self._session, self._key, self._pick, self._again = session, key, pick, math.inf

    def look(self, changed: bool) -> None:
        """Answer where something changed; what was refused or could not be kept, again `RETRY` seconds later."""
        now = self._session.clock()
        if not changed and now < self._again:
            return
        self._again = math.inf
        game, table = self._session.game
        try:
            for n, draw in house_turns.drawn(table).items():
                card = house_turns.deal(self._key, game, house_turns.draws(table), draw)
                self._session.answer(draw.seat, n, card, "house")
            self._choose(table)
        except (EngineError, StoreError) as error:
            log.warning("The house could not answer: %s", error)
            self._again = now + RETRY

    def _choose(self, table: Table) -> None:
        player = house_turns.plays(table)
        if chosen := player and player(table.view("away"), self._pick):
            self._session.answer("away", *chosen, "bot")
