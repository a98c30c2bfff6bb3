"""A correction of the last roll that one seat proposes, until the other side agrees or it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import Any

from device.table import house_turns, play_log
from engine.asks import Thrown
from engine.dice import Face
from engine.errors import IllegalAnswer, StaleAnswer, WrongSeat
from engine.seats import Seat, other
from engine.table import Given, Table
from engine.views import CorrectionPreview, CorrectionView, StandingReroll, StandingRoll

MOST = 12
"""Corrections that one seat may propose before the game goes on, those included that counted: enough for each die of a
pool, too few to pester, or to fill the journal."""


@dataclass(frozen=True, slots=True)
class OpenCorrection:
    """A proposed correction, and what it would change; None if that would show something hidden."""

    view: CorrectionView
    preview: CorrectionPreview | None


class Agreement:
    """At most one open correction. It ends with the version of the table that it is for. Not thread-safe.

    It is kept in memory alone: nothing has counted, and proposing it again after a restart takes two taps.
    """

    def __init__(self) -> None:
        self.open: OpenCorrection | None = None
        self._proposed = Counter[Seat]()
        self._version: int | None = None
        self._furthest = (0, -1)
        """The number of the game, and of the last answer that stood in it so far."""

    def settle(self, version: int, game: int, answer: int, new: bool = False) -> None:
        """End what was proposed for another version of the table, or with `new` for another game.

        `answer` is the last one that stands, -1 for none. Each seat may propose again once that is a new one: an answer
        that was corrected, or given again after it was taken back, is none.
        """
        if new or version != self._version:
            self.open = None
        self._version = version
        if game != self._furthest[0] or answer > self._furthest[1]:
            self._proposed.clear()
            self._furthest = game, answer

    def drop(self) -> None:
        """End the open correction, if there is one."""
        self.open = None

    def propose(
        self,
        table: Table,
        last: StandingRoll | StandingReroll | None,
        seat: Seat,
        n: int,
        value: Any,
        empty: bool,
        managed: Container[Seat] = (),
    ) -> CorrectionView:
        """Open a correction of roll `n`, in place of one that this seat proposed; `last` is the last roll that stands.

        `empty` as in `CorrectionView`; `managed` are a computer's seats, which never object. Raises StaleAnswer if `n`
        is not the last roll, or if the other seat has proposed something; WrongSeat for a seat that nobody plays;
        InvalidAnswer or IllegalAnswer for a value that the roll cannot have or has already, and after `MOST`
        corrections.
        """
        plays, solo = table.scoreboard().plays, house_turns.plays(table) is not None
        if seat not in plays or seat in managed or (solo and seat == "away"):
            raise WrongSeat("Nobody plays that seat in this game.")
        if last is None or last.n != n:
            raise StaleAnswer("That is not the last roll any more: only the operator corrects older ones.")
        if self.open is not None and self.open.view.seat != seat:
            raise StaleAnswer("The other side has proposed a correction: agree, or refuse it first.")
        one = _given(table, n)
        checked = _faces(one, value)
        if checked == one.value:
            raise IllegalAnswer("That is how it stands.")
        if self._proposed[seat] >= MOST:
            raise IllegalAnswer("You have proposed enough about this roll: ask the operator.")
        alone = len(plays) < 2 or solo or other(seat) in managed
        preview = None if table.preview(n, checked).reveals else play_log.correction_preview(table, n, checked)
        agrees = seat if alone else other(seat)
        now, stood = (play_log.words(table, replace(one, value=each)) for each in (checked, one.value))
        names = {each: side_name(table, each) for each in plays}
        needs = "That is not confirmed yet." if alone else f"{names[agrees]} must agree."
        sentence = f"{names[seat]}: the last roll was {now}, not {stood}. {needs}"
        view = CorrectionView(
            n, seat, agrees, empty and not alone, len(table.journal), last, checked, now, stood, sentence
        )
        self._proposed[seat] += 1
        self.open = OpenCorrection(view, preview)
        return view

    def same(self, table: Table, n: int, value: Any) -> CorrectionView | None:
        """Return the open correction if it gives roll `n` this value. Raises InvalidAnswer and IllegalAnswer."""
        view = self.open.view if self.open else None
        if view is None or view.n != n or _faces(_given(table, n), value) != tuple(view.value):
            return None
        return view

    def find(self, table: Table, n: int, value: Any, version: int) -> CorrectionView:
        """Return the open correction if it is exactly this one. Raises StaleAnswer if not, and as `same` does."""
        if self.open is None or (self.open.view.n, self.open.view.version) != (n, version):
            raise StaleAnswer("That correction is not proposed any more.")
        if found := self.same(table, n, value):
            return found
        raise StaleAnswer(f"By now the correction is {self.open.view.words}: look again.")


def side_name(table: Table, seat: Seat) -> str:
    """Return the name of the side that a seat plays."""
    board = table.scoreboard()
    side = board.plays.get(seat)
    return board.sides[side].name if side else seat.capitalize()


def _given(table: Table, n: int) -> Given:
    return next(one for one in table.answers if one.n == n)


def _faces(roll: Given, value: Any) -> tuple[Face | None, ...]:
    """Return a value of a roll as the rules take it. Raises InvalidAnswer and IllegalAnswer."""
    assert isinstance(roll.ask, Thrown)
    return roll.ask.check(value)
