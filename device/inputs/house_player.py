"""Answers for the table itself: draws what chance decides, and plays the away seat against a person alone."""

import logging
import math
from collections.abc import Callable, Sequence

from device.storage.store import StoreError
from device.table import house_turns
from device.table.live_game import RETRY
from device.table.session import Session
from engine.errors import EngineError
from engine.journal import Source
from engine.table import Table

log = logging.getLogger("dugout")


class HousePlayer:
    """Answers open asks in the game of `session`. Draws derive from the secret `key`; `pick` chooses one of several."""

    def __init__(self, session: Session, key: str, pick: Callable[[Sequence[str]], str]) -> None:
        self._session, self._key, self._pick, self._retry = session, key, pick, math.inf

    def look(self, changed: bool) -> None:
        """Answer if something `changed`; retry after `RETRY` seconds what was refused or could not be stored."""
        now = self._session.game.clock()
        if not changed and now < self._retry:
            return
        self._retry = math.inf
        game, table = self._session.game.numbered
        try:
            for n, draw in house_turns.drawn(table).items():
                card = house_turns.deal(self._key, game, house_turns.draws(table), draw)
                self._session.seats.answer(draw.seat, n, card, Source.HOUSE)
            self._choose(table)
        except (EngineError, StoreError) as error:
            log.warning("The house could not answer: %s", error)
            self._retry = now + RETRY

    def _choose(self, table: Table) -> None:
        player = house_turns.plays(table)
        if chosen := player and player(table.view("away"), self._pick):
            self._session.seats.answer("away", *chosen, Source.BOT)
