"""The buttons of both seats. They move the cursor of a seat's entry, and OK accepts its position."""

from __future__ import annotations

import math
from contextlib import suppress

from device.table.board import Board
from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.seat_entries import SeatEntries, SecretEntry
from device.table.live_game import GameChange, LiveGame
from device.table.race.race import RaceControl
from device.table.rolls import Rolls
from device.table.seats import Seats
from engine.errors import EngineError, IllegalAnswer
from engine.journal import Answer, Source
from engine.scoreboard import seat_label
from engine.seats import Seat

LATE_PRESS_S = 0.5
"""A press this soon after a change still belongs to what was shown before, in seconds."""


class ButtonActions:
    """Button presses in `game`.

    They change `entries`. OK does something else in a `race`, for a roll shown by `rolls`, for a layout on the `board`,
    and for one of `seats` that is asked nothing.
    """

    def __init__(
        self, game: LiveGame, entries: SeatEntries, race: RaceControl, rolls: Rolls, board: Board, seats: Seats
    ) -> None:
        self._game, self._entries = game, entries
        self._race, self._rolls, self._board, self._seats = race, rolls, board, seats
        self._stored = -math.inf
        """Time of the last stored answer."""

    def move_cursor(self, seat: Seat, step: int) -> None:
        """Move a seat's cursor by -1 or 1. A proposed roll then waits for a confirmation.

        Entering a secret changes nothing that others see, not even the version.
        """
        with self._game.lock:
            entry = self._entries.entry_for_seat(self._game.live, seat)
            if step < 0:
                entry.press_previous()
            else:
                entry.press_next()
            if isinstance(entry, SecretEntry) or entry.secret:
                return
            with self._game.publish_change():
                self._entries.shown = entry
                self._rolls.update_from_entry(entry)

    def press_ok(self, seat: Seat, when: float | None = None) -> None:
        """Accept the position under a seat's cursor. In a race OK is a call, made at `when` (None: now)."""
        with self._game.publish_change():
            race = self._race.open
            if race is not None and seat in race.n and race.asking != seat:
                self._race.call_in_race(seat, race.n[seat], when, Source.BUTTONS)
            elif self._seats.may_wait(seat) and all(ask.seat != seat for _, ask in self._game.live.open_asks()):
                self._reopen_answers(seat)
            else:
                entry = self._entries.entry_for_seat(self._game.live, seat)
                if isinstance(entry, SecretEntry):
                    self._reject_late_press()
                    self._accept_secret(entry, seat)
                else:
                    if not entry.touched:
                        self._reject_late_press()
                    self._accept_entry(entry, seat)

    def _reject_late_press(self) -> None:
        """Raise IllegalAnswer for an OK meant for a roll or race that has just ended by itself."""
        if self._game.clock() < self._last_automatic_end + LATE_PRESS_S:
            raise IllegalAnswer("Already counted. Press OK again to answer the new question.")

    @property
    def _last_automatic_end(self) -> float:
        return max(self._race.ended, self._rolls.counted)

    def _accept_entry(self, entry: AnswerEntry, seat: Seat) -> None:
        """Accept the entry, or the roll or layout that a camera sees in its place."""
        race, roll, board = self._race.open, self._rolls.shown, self._board
        shown = roll if roll and roll.n == entry.n else None
        if race is not None and entry.index == 0:
            # A second, impatient OK must not confirm anything.
            raise IllegalAnswer("Turn to what your die shows, then press OK.")
        if shown and shown.due is not None:
            self._rolls.accept_roll(Source.BUTTONS)
        elif board.is_untouched(entry) and board.has_motion:
            # The arm reaching for the button may be moving over the board.
            raise IllegalAnswer("Something is moving over the board. Wait, or turn < > to place by hand.")
        elif (lies := board.certain_answer(entry)) is not None:
            self._seats.answer_ask(seat, entry.n, lies, Source.BUTTONS)
        elif board.is_entry_hidden(entry):
            # The display does not show the entry yet, so OK must not accept a position of it.
            entry.touched = True
        elif entry.kind == "roll" and not entry.touched and not (shown and shown.fit.faces):
            if not self._seats.may_reopen(seat):
                # A double press of OK must not enter a 1.
                raise IllegalAnswer("Roll the dice, or turn to what they show.")
            self._reopen_answers(seat)
        elif (value := entry.press_ok()) is not None:
            self._seats.answer_ask(seat, entry.n, value, Source.BUTTONS)

    def _accept_secret(self, blind: SecretEntry, seat: Seat) -> None:
        """Accept a secret entry. Every fault gives the same rejection, so that it reveals nothing."""
        value = blind.press_ok()
        with suppress(EngineError):
            if value is not None:
                self._game.submit_entry(Answer(seat, blind.n, value), Source.BUTTONS)
                return
        raise IllegalAnswer(f"{seat_label(self._game.live.scoreboard(), seat)}: {blind.again}{blind.how}.")

    def _reopen_answers(self, seat: Seat) -> None:
        """Reopen a seat's automatic answers, unless its OK was meant for the previous question."""
        if self._game.clock() < max(self._stored, self._last_automatic_end) + LATE_PRESS_S:
            raise IllegalAnswer("Already counted. Press OK again to wait.")
        self._seats.reopen_answers(seat, source=Source.BUTTONS)

    def undo_step(self) -> bool:
        """Undo the last step that buttons entered, or a complete secret entry. Returns False if there was none.

        Before the first place of an arrangement it restores the seen layout.
        """
        with self._game.lock:
            entry = self._entries.shown
            if self._entries.clear_secrets():
                self._game.notices.show_notice("Choose again: your unconfirmed choice was discarded.")
            elif entry is None or not (entry.undo_step() or self._board.restore_seen_layout()):
                return False
            self._game.publish_again()
            return True

    def handle_change(self, change: GameChange) -> None:
        game = self._game
        if change.stored:
            self._stored = game.clock()
        self._entries.update_entries(game.live, keep=not change.new, managed=game.settings.managers)
