"""The house's own player, for an evening alone: it chooses for the away seat as soon as it is asked."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence

from device import solo
from device.keeper import RETRY, Keeper
from device.store import StoreError
from engine.errors import EngineError

log = logging.getLogger("dugout")


class Solo:
    """Plays in the game that `keeper` keeps, where its house rules say so. `pick` gives one of several."""

    def __init__(self, keeper: Keeper, pick: Callable[[Sequence[str]], str]) -> None:
        self._keeper, self._pick, self._again = keeper, pick, math.inf

    def look(self, changed: bool) -> None:
        """Choose where something changed; what was refused or could not be kept, again `RETRY` seconds later."""
        now = self._keeper.clock()
        if not changed and now < self._again:
            return
        self._again = math.inf
        table = self._keeper.table
        player = solo.house(table)
        chosen = player and player(table.view("away"), self._pick)
        if chosen:
            try:
                self._keeper.answer("away", *chosen, "bot")
            except (EngineError, StoreError) as error:
                log.warning("The house could not choose: %s", error)
                self._again = now + RETRY
