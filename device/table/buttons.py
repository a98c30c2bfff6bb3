"""The buttons of both seats: they move the cursor of a seat's entry, and OK takes what it points at."""

from __future__ import annotations

import math
from contextlib import suppress

from device.table.board import Board
from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.seat_entries import SeatEntries, SecretEntry
from device.table.live_game import Change, LiveGame
from device.table.race.race import Race
from device.table.rolls import Rolls
from device.table.seats import Seats
from engine.errors import EngineError, IllegalAnswer
from engine.journal import Answer, Source
from engine.scoreboard import seat_words
from engine.seats import Seat

LATE = 0.5
"""Seconds after a change in which a press still belongs to what was shown before it."""


class Buttons:
    """What the buttons do in `game`, on `entries`. OK means something else in a `race`, for a roll that `rolls` shows,
    for a layout on the `board`, and for `seats` that are asked nothing.
    """

    def __init__(
        self, game: LiveGame, entries: SeatEntries, race: Race, rolls: Rolls, board: Board, seats: Seats
    ) -> None:
        self._game, self._entries = game, entries
        self._race, self._rolls, self._board, self._seats = race, rolls, board, seats
        self._stored = -math.inf
        """When the last answer was stored."""

    def turn(self, seat: Seat, step: int) -> None:
        """Move a seat's cursor by `step` (-1 or 1). A proposed roll stays and waits for a confirmation.

        Entering a secret changes nothing that anybody sees, not even the version.
        """
        with self._game.lock:
            entry = self._entries.of(self._game.live, seat)
            if step < 0:
                entry.previous()
            else:
                entry.next()
            if isinstance(entry, SecretEntry) or entry.secret:
                return
            with self._game.change():
                self._entries.shown = entry
                self._rolls.turn(entry)

    def press(self, seat: Seat, when: float | None = None) -> None:
        """Press a seat's OK: take what its cursor points at. In a race it is the call, made at `when` (None: now)."""
        with self._game.change():
            race = self._race.open
            if race is not None and seat in race.n and race.asking != seat:
                self._race.call(seat, race.n[seat], when, Source.BUTTONS)
            elif self._seats.may_wait(seat) and all(ask.seat != seat for _, ask in self._game.live.asks()):
                self._wait(seat)
            else:
                entry = self._entries.of(self._game.live, seat)
                if isinstance(entry, SecretEntry):
                    self._check_late()
                    self._enter_secret(entry, seat)
                else:
                    if not entry.touched:
                        self._check_late()
                    self._enter(entry, seat)

    def _check_late(self) -> None:
        """Raise IllegalAnswer for an OK that was for a roll or race which just ended by itself."""
        if self._game.clock() < self._ended + LATE:
            raise IllegalAnswer("Already counted. Press OK again to answer the new question.")

    @property
    def _ended(self) -> float:
        """When a race or roll last ended by itself."""
        return max(self._race.ended, self._rolls.counted)

    def _enter(self, entry: AnswerEntry, seat: Seat) -> None:
        """Take what is entered, or what a camera sees in its place."""
        race, roll, board = self._race.open, self._rolls.shown, self._board
        shown = roll if roll and roll.n == entry.n else None
        if race is not None and entry.index == 0:
            # A second, impatient OK must not confirm anything.
            raise IllegalAnswer("Turn to what your die shows, then press OK.")
        if shown and shown.due is not None:
            self._rolls.accept(Source.BUTTONS)
        elif board.unmoved(entry) and board.moves:
            # The arm reaching for the button may be moving over the board.
            raise IllegalAnswer("Something is moving over the board. Wait, or turn < > to place by hand.")
        elif (lies := board.sure(entry)) is not None:
            self._seats.answer(seat, entry.n, lies, Source.BUTTONS)
        elif board.doubtful(entry):
            # The display does not show the entry yet, so OK must not take a place of it.
            entry.touched = True
        elif entry.kind == "roll" and not entry.touched and not (shown and shown.fit.faces):
            if not self._seats.may_reopen(seat):
                # OK pressed twice must not enter a 1.
                raise IllegalAnswer("Roll the dice, or turn to what they show.")
            self._wait(seat)
        elif (value := entry.ok()) is not None:
            self._seats.answer(seat, entry.n, value, Source.BUTTONS)

    def _enter_secret(self, blind: SecretEntry, seat: Seat) -> None:
        """Take a secret entry. Whatever is wrong with it, everybody sees the same refusal."""
        value = blind.ok()
        with suppress(EngineError):
            if value is not None:
                self._game.write(Answer(seat, blind.n, value), Source.BUTTONS)
                return
        raise IllegalAnswer(f"{seat_words(self._game.live.scoreboard(), seat)}: {blind.again}{blind.how}.")

    def _wait(self, seat: Seat) -> None:
        """Wait for a seat, unless its OK was still for what was asked before."""
        if self._game.clock() < max(self._stored, self._ended) + LATE:
            raise IllegalAnswer("Already counted. Press OK again to wait.")
        self._seats.wait(seat, source=Source.BUTTONS)

    def back(self) -> bool:
        """Take back the last step that buttons entered, or a whole secret entry; before the first place of an
        arrangement, go back to what a camera sees. Returns False if there was nothing to take back."""
        with self._game.lock:
            entry = self._entries.shown
            if self._entries.blank():
                self._game.notices.show("Choose again: what you hadn't confirmed is gone.")
            elif entry is None or not (entry.back() or self._board.lay_again()):
                return False
            self._game.touch()
            return True

    def settle(self, change: Change) -> None:
        """Begin the entries of what is asked now."""
        game = self._game
        if change.stored:
            self._stored = game.clock()
        self._entries.settle(game.live, keep=not change.new, managed=game.settings.managers)
