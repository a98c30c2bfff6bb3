"""The game in play whose last roll the seats may correct together: one proposes it, and the other agrees."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from device.table.agreement import side_name
from device.table.game_in_play import GameInPlay
from engine.errors import StaleAnswer, WrongSeat
from engine.seats import Seat


class CorrectableGame(GameInPlay):
    """A `GameInPlay` with a correction that a seat proposes. `Session` corrects the roll, with `amend`."""

    @abstractmethod
    def amend(self, n: int, value: Any, source: str = "phone", version: int | None = None) -> None:
        """Correct answer `n`: see `Session.amend`."""

    def propose(self, seat: Seat, n: int, value: Any, version: int, empty: bool = False) -> None:
        """Propose for a seat that the last roll, `n`, showed `value`. It counts once the other side agrees.

        If the other side has proposed the same, this agrees. If one person plays alone, it counts at once, or after a
        confirmation where people answered since. `empty`: no phone holds the other seat. Raises StaleAnswer unless the
        table is still at `version`, and as `Agreement.propose` does.
        """
        with self._lock:
            self._still(version)
            made = self._agreement.same(self._table, n, value)
            if made is None:
                with self._change():
                    last = next(iter(self.rolls(1)), None)
                    made = self._agreement.propose(self._table, last, seat, n, value, empty, self._standing.managers)
                    if made.agrees == seat and not made.roll.after:
                        self.agree(seat, n, value, version)
            elif made.seat != seat:
                self.agree(seat, n, value, version)

    def agree(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Agree for a seat to exactly this proposed correction: it counts. `operator`: the operator agrees for it.

        Raises StaleAnswer if it is not proposed any more, WrongSeat for the seat that proposed it.
        """
        with self._change():
            one = self._agreement.find(self._table, n, value, version)
            if seat != one.agrees:
                raise WrongSeat("It counts only if the other side agrees.")
            if one.seat == one.agrees:
                self.amend(n, value, seat, version)
                return
            proposer, agreed = side_name(self._table, one.seat), side_name(self._table, seat)
            self.amend(n, value, f"{one.seat}+{'operator' if operator else seat}", version)
            show = self.show_warning if operator else self.show_notice
            agreed = "the operator" if operator else agreed
            show(f"{proposer} corrected the last roll, and {agreed} agreed: it is {one.words}.")

    def drop(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Refuse exactly this correction, or take it back for the seat that proposed it. Raises StaleAnswer."""
        with self._change():
            one = self._agreement.find(self._table, n, value, version)
            self._agreement.drop()
            who = "The operator" if operator else side_name(self._table, seat)
            did = "took the correction back" if one.seat == seat and not operator else "did not agree"
            self.show_notice(f"{who} {did}: the roll stays {one.stands}.")

    def part(self) -> None:
        """End any proposed correction: a phone changed sides, or a seat was freed."""
        with self._lock:
            if self._agreement.open is not None:
                with self._change():
                    self._agreement.drop()

    def _still(self, version: int | None) -> None:
        """Raise StaleAnswer unless the table is still at `version`."""
        if version not in (None, len(self._table.journal)):
            raise StaleAnswer("The game went on: look again.")
