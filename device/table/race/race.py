"""The race that is open at the table, if any: calls, what cameras and computers see of its dice, and its verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from device.storage.store import StoreError
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import RETRY, Change, LiveGame
from device.table.race.open_race import OpenRace
from engine.errors import EngineError, IllegalAnswer, StaleAnswer, WrongSeat
from engine.journal import Answer, Source
from engine.seats import Seat
from vision.matching import Wanted
from vision.tray.tracker import ShownDie


class Race:
    """At most one open race of `game`. What the table must confirm is put into `entries`."""

    def __init__(self, game: LiveGame, entries: SeatEntries) -> None:
        self._game, self._entries = game, entries
        self.open: OpenRace | None = None
        """The open race; to be used under the game's lock only."""
        self.ended = -math.inf
        """When the last one ended."""

    @property
    def wanted(self) -> Mapping[Seat, Wanted] | None:
        """The dice of the open race by seat, a new object for each race; None while there is none."""
        race = self.open
        return None if race is None else race.wanted

    @property
    def called(self) -> bool:
        """True if somebody has called in the open race."""
        return self.open is not None and bool(self.open.sources)

    def asks(self, seat: Seat, n: int) -> bool:
        """True if ask `n` is the call of this seat in the open race."""
        return self.open is not None and self.open.n.get(seat) == n

    def call(self, seat: Seat, n: int, when: float | None, source: Source) -> None:
        """Call for a seat in the race that ask `n` is open for, at `when` seconds of the game's clock (None: now).

        Raises StaleAnswer if that race is over, WrongSeat for the other side's call.
        """
        with self._game.change():
            race = self.open
            if race is None or n not in race.n.values():
                raise StaleAnswer("No race is on.")
            if race.n.get(seat) != n or (source is Source.MANAGER) != (seat in self._game.settings.managers):
                raise WrongSeat("That is for the other side to call.")
            race.call(seat, self._game.clock() if when is None else when, source)
            self.judge()

    def confirm(self, seat: Seat, value: Any, operator: bool = False) -> None:
        """Confirm what the die of a seat in the open race showed at its call: a face of it, or `FALSE`.

        Raises IllegalAnswer unless the table asks that; the operator may confirm it at any time.
        """
        with self._game.change():
            assert self.open is not None
            if self.open.asking != seat and not operator:
                raise IllegalAnswer("Call it: what the die shows is asked only where the camera is not sure.")
            self.open.confirm(seat, value, self._game.clock())
            self.judge()

    def follow(self, when: float, shown: Mapping[Seat, ShownDie], source: Source = Source.CAMERA) -> None:
        """Take what the dice of the race show, as a camera saw it at `when` seconds of the game's clock.

        Nobody throws the die of a seat that a computer manages: what that one shows comes from its manager, `source`.
        """
        with self._game.lock:
            if self.open is None:
                return
            managed = self._game.settings.managers.keys()
            theirs = self.open.n.keys() & (managed if source is Source.MANAGER else self.open.n.keys() - managed)
            for seat in theirs & shown.keys():
                self.open.referee.see(seat, when, shown[seat])
            self.judge()

    def judge(self) -> None:
        """Count a verdict, or publish how the race stands if that changed. Call it about ten times a second."""
        with self._game.lock:
            race, now = self.open, self._game.clock()
            if race is None:
                return
            verdict = race.referee.verdict(now)
            if verdict is not None and now >= race.hold:
                race.hold = now + RETRY
                with self._game.change():
                    try:
                        answer = Answer(verdict.seat, race.n[verdict.seat], verdict.face)
                        self._game.write(answer, race.sources.get(verdict.seat, Source.CAMERA))
                    except (EngineError, StoreError) as error:
                        self._game.notices.show(str(error), RETRY)
            elif race.update(now):
                with self._game.change():
                    if race.entry is not self._entries.shown:
                        self._entries.put(race.asking, race.entry)

    def settle(self, change: Change) -> None:
        """End a race whose calls are not asked any more, and open a new one."""
        asks, now = dict(self._game.live.asks()), self._game.clock()
        if self.open is not None and (change.new or not asks.keys() & self.open.n.values()):
            self.open, self.ended = None, now
        if self.open is None:
            self.open = OpenRace.of(asks.items(), self._game.live.house, now)
