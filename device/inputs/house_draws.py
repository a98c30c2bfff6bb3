"""The house draws what chance decides."""

import logging
import math

from device.storage.store import StoreError
from device.table import house_turns
from device.table.live_game import RETRY
from device.table.session import Session
from engine.errors import EngineError
from engine.journal import Source

log = logging.getLogger("dugout")


class HouseDraws:
    """Makes the open draws in the game of `session`; they derive from the secret `key`."""

    def __init__(self, session: Session, key: str) -> None:
        self._session, self._key, self._retry = session, key, math.inf

    def look(self, changed: bool) -> float:
        """Draw if something `changed`; return after how many seconds to retry what was refused or could not be stored,
        infinity if nothing was.
        """
        now = self._session.game.clock()
        if not changed and now < self._retry:
            return self._retry - now
        self._retry = math.inf
        game = self._session.game
        with game.lock:
            number, drawn = game.number, house_turns.drawn(game.live)
            before = house_turns.draws(game.live) if drawn else 0
        try:
            for n, draw in drawn.items():
                card = house_turns.deal(self._key, number, before, draw)
                self._session.seats.answer(draw.seat, n, card, Source.HOUSE)
        except (EngineError, StoreError) as error:
            log.warning("The house could not draw: %s", error)
            self._retry = now + RETRY
        return self._retry - now
