"""Corrections of the last roll that the seats make together: one proposes it, and the other agrees."""

from __future__ import annotations

from typing import Any

from device.table.agreement import Agreement, side_name
from device.table.live_game import Change, LiveGame
from device.table.record import Record
from engine.errors import WrongSeat
from engine.seats import Seat
from engine.views import CorrectionPreview, CorrectionView


class Corrections:
    """At most one proposed correction of the last roll in the `record` of `game`."""

    def __init__(self, game: LiveGame, record: Record) -> None:
        self._game, self._record = game, record
        self._agreement = Agreement()

    def propose(self, seat: Seat, n: int, value: Any, version: int, empty: bool = False) -> None:
        """Propose for a seat that the last roll, `n`, showed `value`. It counts once the other side agrees.

        If the other side has proposed the same, this agrees. If one person plays alone, it counts at once, or after a
        confirmation where people answered since. `empty`: no phone holds the other seat. Raises StaleAnswer unless the
        table is still at `version`, and as `Agreement.propose` does.
        """
        game = self._game
        with game.lock:
            game.check_version(version)
            made = self._agreement.same(game.live, n, value)
            if made is None:
                with game.change():
                    last = next(iter(self._record.rolls(1)), None)
                    made = self._agreement.propose(game.live, last, seat, n, value, empty, game.settings.managers)
                    if made.agrees == seat and not made.roll.after:
                        self.agree(seat, n, value, version)
            elif made.seat != seat:
                self.agree(seat, n, value, version)

    def agree(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Agree for a seat to exactly this proposed correction: it counts. `operator`: the operator agrees for it.

        Raises StaleAnswer if it is not proposed any more, WrongSeat for the seat that proposed it.
        """
        game = self._game
        with game.change():
            one = self._agreement.find(game.live, n, value, version)
            if seat != one.agrees:
                raise WrongSeat("It counts only if the other side agrees.")
            if one.seat == one.agrees:
                game.amend(n, value, seat, version)
                return
            proposer, agreed = side_name(game.live, one.seat), side_name(game.live, seat)
            game.amend(n, value, f"{one.seat}+{'operator' if operator else seat}", version)
            show = game.notices.warn if operator else game.notices.show
            agreed = "the operator" if operator else agreed
            show(f"{proposer} corrected the last roll, and {agreed} agreed: it is {one.words}.")

    def drop(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Refuse exactly this correction, or take it back for the seat that proposed it. Raises StaleAnswer."""
        game = self._game
        with game.change():
            one = self._agreement.find(game.live, n, value, version)
            self._agreement.drop()
            who = "The operator" if operator else side_name(game.live, seat)
            did = "took the correction back" if one.seat == seat and not operator else "did not agree"
            game.notices.show(f"{who} {did}: the roll stays {one.stands}.")

    def part(self) -> None:
        """End any proposed correction: a phone changed sides, or a seat was freed."""
        with self._game.lock:
            if self._agreement.open is not None:
                with self._game.change():
                    self._agreement.drop()

    def preview(self) -> CorrectionPreview | None:
        """Return what the proposed correction would change, as everybody may see it.

        None if none is proposed, or if that would show something hidden.
        """
        with self._game.lock:
            return self._agreement.open.preview if self._agreement.open else None

    # For the game: the caller holds the lock ---------------------------------------------------------------------

    def settle(self, change: Change) -> None:
        """End what was proposed for another version of the table."""
        table = self._game.live
        last = max((one.n for one in table.answers[-2:]), default=-1)  # two asks at most are open together
        self._agreement.settle(len(table.journal), self._game.number, last, change.new)

    def view(self) -> CorrectionView | None:
        """Return the proposed correction."""
        return self._agreement.open.view if self._agreement.open else None
