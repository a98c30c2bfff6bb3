"""Corrections of the last roll that the seats make together. One proposes, the other agrees."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from device.table import play_log
from device.table.game_history import GameHistory
from device.table.live_game import GameChange, LiveGame
from engine.asks import DiceAsk
from engine.dice import Face
from engine.errors import IllegalAnswer, StaleAnswer, WrongSeat
from engine.journal import Source
from engine.seats import Seat, opposite_seat
from engine.table import CurrentAnswer, Table
from engine.views import CorrectionPreview, CorrectionView

MAX_PROPOSALS = 12
"""Corrections that one seat may propose before the game goes on, including accepted ones. It is enough for each die of
a pool, and too few to pester or to fill the journal.
"""


@dataclass(frozen=True, slots=True)
class OpenCorrection:
    """A proposed correction and its preview. The preview is None if it would reveal a secret."""

    view: CorrectionView
    preview: CorrectionPreview | None


class CorrectionProposals:
    """At most one open correction of the last roll in `record`, for one version of the table.

    It is kept in memory only. Nothing has counted yet, and proposing it again after a restart takes two taps.
    """

    def __init__(self, game: LiveGame, record: GameHistory) -> None:
        self._game, self._record = game, record
        self.open: OpenCorrection | None = None
        """The open correction. Needs the game's lock."""
        self._proposed = Counter[Seat]()
        self._version: int | None = None
        self._last_answer = (0, -1)
        """Number of the game, and of its last answer so far."""

    def propose_correction(self, seat: Seat, n: int, value: Any, version: int, empty: bool = False) -> None:
        """Propose that the last roll, `n`, showed `value`. It counts when the other side agrees.

        It replaces the seat's earlier proposal. Proposing the same as the other side agrees to it. If one person plays
        alone, it counts at once, or after a confirmation if people have answered since.

        version: the table's version that the seat saw.
        empty: True if no phone holds the other seat.

        Raises StaleAnswer for another version, if `n` is not the last roll, or if the other seat has proposed something
        else. Raises WrongSeat for a seat that no person plays. Raises InvalidAnswer or IllegalAnswer for a value that
        the roll cannot have or already has, and after `MAX_PROPOSALS` corrections.
        """
        game = self._game
        with game.lock:
            game.check_version(version)
            made = self._matching_correction(n, value)
            if made is None:
                with game.publish_change():
                    made = self._open_correction(seat, n, value, empty)
                    if made.agrees == seat and not made.roll.after:
                        self.agree_to_correction(seat, n, value, version)
            elif made.seat != seat:
                self.agree_to_correction(seat, n, value, version)

    def _open_correction(self, seat: Seat, n: int, value: Any, empty: bool) -> CorrectionView:
        table, managed = self._game.live, self._game.settings.managers
        plays = table.scoreboard().plays
        if seat not in plays or seat in managed:
            raise WrongSeat("Nobody plays that seat in this game.")
        last = next(iter(self._record.current_rolls(1)), None)
        if last is None or last.n != n:
            raise StaleAnswer("That is no longer the last roll: only the operator can correct older ones.")
        if self.open is not None and self.open.view.seat != seat:
            raise StaleAnswer("The other side has proposed a correction: agree to it or refuse it first.")
        one = _given_answer(table, n)
        checked = _validated_faces(one, value)
        if checked == one.value:
            raise IllegalAnswer("The roll already says that.")
        if self._proposed[seat] >= MAX_PROPOSALS:
            raise IllegalAnswer("You've proposed too many corrections to this roll: ask the operator.")
        alone = len(plays) < 2 or opposite_seat(seat) in managed
        preview = (
            None if table.preview_correction(n, checked).reveals else play_log.correction_preview(table, n, checked)
        )
        agrees = seat if alone else opposite_seat(seat)
        now, stood = (play_log.answer_text(table, replace(one, value=each)) for each in (checked, one.value))
        names = {each: self._game.side_name(each) for each in plays}
        needs = "It isn't confirmed yet." if alone else f"{names[agrees]} must agree."
        sentence = f"{names[seat]}: the last roll was {now}, not {stood}. {needs}"
        view = CorrectionView(
            n, seat, agrees, empty and not alone, len(table.journal), last, checked, now, stood, sentence
        )
        self._proposed[seat] += 1
        self.open = OpenCorrection(view, preview)
        return view

    def agree_to_correction(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Agree to exactly this proposed correction, so that it counts. `operator` agrees in place of the seat.

        Raises StaleAnswer if it is no longer proposed, WrongSeat for the seat that proposed it.
        """
        game = self._game
        with game.publish_change():
            one = self._require_correction(n, value, version)
            if seat != one.agrees:
                raise WrongSeat("It counts only if the other side agrees.")
            if one.seat == one.agrees:
                game.correct_roll(n, value, Source(seat), version)
                return
            proposer, agreed = (game.side_name(each) for each in (one.seat, seat))
            game.correct_roll(n, value, Source(f"{one.seat}+{'operator' if operator else seat}"), version)
            show = game.notices.show_warning if operator else game.notices.show_notice
            agreed = "the operator" if operator else agreed
            show(f"{proposer} corrected the last roll, and {agreed} agreed: it's {one.words}.")

    def end_correction(self, seat: Seat, n: int, value: Any, version: int, operator: bool = False) -> None:
        """Reject exactly this correction, or withdraw it for the seat that proposed it. Raises StaleAnswer."""
        game = self._game
        with game.publish_change():
            one = self._require_correction(n, value, version)
            self.open = None
            who = "The operator" if operator else game.side_name(seat)
            did = "withdrew the correction" if one.seat == seat and not operator else "didn't agree"
            game.notices.show_notice(f"{who} {did}: the roll stays {one.stands}.")

    def end_any_correction(self) -> None:
        """Withdraw any open correction, because a phone changed sides or a seat was freed."""
        with self._game.lock:
            if self.open is not None:
                with self._game.publish_change():
                    self.open = None

    def preview_proposed_correction(self) -> CorrectionPreview | None:
        """Public preview of the open correction. None if there is none or it would reveal a secret."""
        with self._game.lock:
            return self.open.preview if self.open else None

    def handle_change(self, change: GameChange) -> None:
        """Withdraw a correction proposed for another version of the table.

        The count of proposals restarts with a new answer, not with a corrected one or one repeated after an undo.
        """
        table = self._game.live
        if change.new or len(table.journal) != self._version:
            self.open = None
        self._version = len(table.journal)
        # At most two asks are open together.
        last = max((one.n for one in table.answers[-2:]), default=-1)
        if self._game.number != self._last_answer[0] or last > self._last_answer[1]:
            self._proposed.clear()
            self._last_answer = self._game.number, last

    def _matching_correction(self, n: int, value: Any) -> CorrectionView | None:
        """The open correction if it gives roll `n` this value. Raises InvalidAnswer and IllegalAnswer."""
        view = self.open.view if self.open else None
        if (
            view is None
            or view.n != n
            or _validated_faces(_given_answer(self._game.live, n), value) != tuple(view.value)
        ):
            return None
        return view

    def _require_correction(self, n: int, value: Any, version: int) -> CorrectionView:
        """The open correction if it is this one. Raises StaleAnswer if not, and as `_matching_correction` does."""
        if self.open is None or (self.open.view.n, self.open.view.version) != (n, version):
            raise StaleAnswer("That correction is no longer open.")
        if found := self._matching_correction(n, value):
            return found
        raise StaleAnswer(f"The correction is now {self.open.view.words}: check it again.")


def _given_answer(table: Table, n: int) -> CurrentAnswer:
    return next(one for one in table.answers if one.n == n)


def _validated_faces(roll: CurrentAnswer, value: Any) -> tuple[Face | None, ...]:
    assert isinstance(roll.ask, DiceAsk)
    return roll.ask.validate_answer(value)
