"""Random draws that the program makes."""

import logging
import math

from device.storage.store import StoreError
from device.table import automatic_draws
from device.table.live_game import RETRY_DELAY_S
from device.table.session import GameSession
from engine.errors import EngineError
from engine.journal import Source

log = logging.getLogger("dugout")


class AutomaticDraws:
    """Makes the open draws in the game of `session`. They derive from the secret `key`."""

    def __init__(self, session: GameSession, key: str) -> None:
        self._session, self._key, self._retry = session, key, math.inf

    def make_open_draws(self, changed: bool) -> float:
        """Make the open draws if something `changed`. Returns the seconds until a failed one is retried, or inf."""
        now = self._session.game.clock()
        if not changed and now < self._retry:
            return self._retry - now
        self._retry = math.inf
        game = self._session.game
        with game.lock:
            number, drawn = game.number, automatic_draws.open_draws(game.live)
            before = automatic_draws.draw_count(game.live) if drawn else 0
        try:
            for n, draw in drawn.items():
                card = automatic_draws.draw_option(self._key, number, before, draw)
                self._session.seats.answer_ask(draw.seat, n, card, Source.HOUSE)
        except (EngineError, StoreError) as error:
            log.warning("The house could not draw: %s", error)
            self._retry = now + RETRY_DELAY_S
        return self._retry - now
