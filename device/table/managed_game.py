"""The game in play whose seats a computer may manage. It decides elsewhere, from its seat's view, and answers here."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from device.table.agreement import side_name
from device.table.correctable_game import CorrectableGame
from device.table.house_turns import MANAGER
from device.table.managed_seats import may_ask_coach
from device.table.standing_answers import StandingSettings
from engine.asks import Reroll
from engine.errors import IllegalAnswer, StaleAnswer
from engine.events import spoken
from engine.journal import Answer, Entry
from engine.seats import Seat
from managers.manager import Setup

AGAIN = 8.0
"""Seconds for which everybody sees which dice are to be thrown again for a computer."""


class ManagedGame(CorrectableGame):
    """A `CorrectableGame` with computer managers. `Session` stores what is answered and set."""

    @abstractmethod
    def _write(self, entry: Entry, source: str) -> None:
        """Store an entry: see `Session`."""

    @abstractmethod
    def _keep(self, settings: StandingSettings) -> None:
        """Store the settings of the seats."""

    @abstractmethod
    def _answer_by_itself(self) -> None:
        """Give every answer that needs no person, then settle."""

    @property
    def setup(self) -> Setup:
        """What everybody knows before the first throw of the game on the table."""
        with self._lock:
            return Setup(self._table.game.key, self._table.decks, self._table.house)

    def manage(self, seat: Seat, strength: str | None) -> None:
        """Have a computer of this strength manage a seat, or with None a person again. Everybody reads it.

        Here and below nothing is stored, shown or published if it is as it was.

        Raises IllegalAnswer for what this game or table does not have, and once the game is over.
        """
        with self._lock:
            if self._table.outcome:
                raise IllegalAnswer("The game is over.")
            settings = self._standing.managed(self._table, seat, strength)
            if settings != self._standing:
                with self._change():
                    self._keep(settings)
                    name = side_name(self._table, seat)
                    show = self.show_warning if self._table.answers else self.show_notice
                    show(f"{name}: now managed by {f'the computer ({strength})' if strength else 'a person'}.")
                    self._answer_by_itself()

    def set_pace(self, pace: str) -> None:
        """Set how soon managers answer: a key of `device.storage.standing_settings.PACES`. Raises IllegalAnswer."""
        with self._lock:
            settings = self._standing.paced(pace)
            if settings != self._standing:
                with self._change():
                    self._keep(settings)

    def let_coach(self, seat: Seat, on: bool) -> None:
        """Allow asking the coach, or not, for a seat. Between two people it may be asked once both allow it."""
        with self._lock:
            settings = self._standing.coaching(seat, on)
            if settings != self._standing:
                with self._change():
                    self._keep(settings)
                    allows = "allows" if on else "does not allow"
                    self.show_notice(f"{side_name(self._table, seat)}: {allows} the coach.")

    def ask_coach(self, seat: Seat, again: bool = False) -> None:
        """Note that a seat asks the coach: everybody reads it, unless it asks the same `again`.

        Raises IllegalAnswer if it may not.
        """
        with self._lock:
            if seat not in may_ask_coach(self._table, self._standing, self._table.scoreboard().plays):
                raise IllegalAnswer("The coach may be asked against the computer, or if both sides allow it.")
            if not again:
                show = self.show_notice if self._standing.managers else self.show_warning
                show(f"{side_name(self._table, seat)} asked the coach.")

    def decide(self, seat: Seat, n: int, value: Any, version: int, reason: str) -> None:
        """Take the answer of a seat's manager to ask `n`; for a reroll, the places of the dice to throw again.

        Raises StaleAnswer unless the table is still at `version` and the seat is managed, and as the rules do.
        """
        with self._change():
            self._still(version)
            if seat not in self._standing.managers:
                raise StaleAnswer("A person manages that side now.")
            ask = dict(self._table.asks()).get(n)
            if isinstance(ask, Reroll):
                self._managed.throw_again(self._table, n, ask, value)
                self._entries.lay(self._table, ask.seat)
                dice = spoken(f"the {ask.faces[place]}" for place in sorted(value))
                self.show_notice(f"{side_name(self._table, seat)}: throw {dice} again.", AGAIN)
            else:
                self._managed.explain(seat, n, reason)
                self._write(Answer(seat, n, value), MANAGER)
