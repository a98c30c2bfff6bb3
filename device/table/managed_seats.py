"""The seats that a computer manages. It decides elsewhere, from its seat's view, and answers here; and the coach."""

from __future__ import annotations

from typing import Any

from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import GameChange, LiveGame
from engine.asks import Reroll
from engine.errors import IllegalAnswer, StaleAnswer
from engine.events import spoken_list
from engine.journal import Answer, Source
from engine.seats import Seat, opposite_seat
from engine.views import ManagerView
from managers.manager import GameSetup, has_manager

REROLL_NOTICE_S = 8.0
"""Seconds for which everybody sees which dice are to be thrown again for a computer."""


class ManagedSeats:
    """The managed seats of `game`. The dice that are thrown again for one are put into `entries`.

    Reasons are kept in memory alone: a manager thinks again after a restart.
    """

    def __init__(self, game: LiveGame, entries: SeatEntries) -> None:
        self._game, self._entries = game, entries
        self._reasons: dict[Seat, tuple[int, str]] = {}
        """The number of the last answer of a seat, and its reason."""

    @property
    def game_setup(self) -> GameSetup:
        """What everybody knows before the first throw of the game on the table."""
        with self._game.lock:
            table = self._game.live
            return GameSetup(table.game.key, table.decks, table.house)

    def assign_manager(self, seat: Seat, strength: str | None) -> None:
        """Have a computer of this strength manage a seat, or with None a person again. Everybody reads it.

        Here and below nothing is stored, shown or published if it is as it was.

        Raises IllegalAnswer for what this game or table does not have, and once the game is over.
        """
        game = self._game
        with game.lock:
            if game.live.outcome:
                raise IllegalAnswer("The game is over.")
            settings = game.settings.with_manager(game.live, seat, strength)
            if settings != game.settings:
                with game.publish_change():
                    game.save_seat_settings(settings)
                    show = game.notices.show_warning if game.live.answers else game.notices.show_notice
                    manager = f"the computer ({strength})" if strength else "a person"
                    show(f"{game.side_name(seat)}: now managed by {manager}.")
                    game.give_automatic_answers()

    def set_pace(self, pace: str) -> None:
        """Set how soon managers answer: a key of `preset_answers.PACES`. Raises IllegalAnswer."""
        with self._game.lock:
            settings = self._game.settings.with_pace(pace)
            if settings != self._game.settings:
                self._game.save_seat_settings(settings)

    def accept_decision(self, seat: Seat, n: int, value: Any, version: int, reason: str) -> None:
        """Take the answer of a seat's manager to ask `n`; for a reroll, the places of the dice to throw again.

        Raises StaleAnswer unless the table is still at `version` and the seat is managed, and as the rules do.
        """
        game = self._game
        with game.publish_change():
            game.check_version(version)
            if seat not in game.settings.managers:
                raise StaleAnswer("A person manages that side now.")
            ask = dict(game.live.open_asks()).get(n)
            if isinstance(ask, Reroll):
                self._entries.set_reroll_indexes(game.live, n, ask, value)
                dice = spoken_list(f"the {ask.faces[place]}" for place in sorted(value))
                game.notices.show_notice(f"{game.side_name(seat)}: reroll {dice}.", REROLL_NOTICE_S)
            else:
                self._reasons[seat] = n, reason
                game.submit_entry(Answer(seat, n, value), Source.MANAGER)

    # The coach ---------------------------------------------------------------------------------------------------

    def allow_coach(self, seat: Seat, on: bool) -> None:
        """Allow asking the coach, or not, for a seat. Between two people it may be asked once both allow it."""
        game = self._game
        with game.lock:
            settings = game.settings.with_coach(seat, on)
            if settings != game.settings:
                with game.publish_change():
                    game.save_seat_settings(settings)
                    allows = "allows" if on else "does not allow"
                    game.notices.show_notice(f"{game.side_name(seat)}: {allows} the coach.")

    def record_coach_question(self, seat: Seat, again: bool = False) -> None:
        """Note that a seat asks the coach: everybody reads it, unless it asks the same `again`.

        Raises IllegalAnswer if it may not.
        """
        game = self._game
        with game.lock:
            if seat not in self.seats_with_coach():
                raise IllegalAnswer("You can ask the coach only against the computer, or if both sides allow it.")
            if not again:
                show = game.notices.show_notice if game.settings.managers else game.notices.show_warning
                show(f"{game.side_name(seat)} asked the coach.")

    def seats_with_coach(self) -> list[Seat]:
        """Return which seats may ask the coach: a person's against a computer or alone; of two people both or none.

        The caller holds the lock.
        """
        settings, plays = self._game.settings, self._game.tables[None].scoreboard.plays
        if not has_manager(self._game.live.game.key):
            return []
        people = [seat for seat in plays if seat not in settings.managers]
        alone = len(plays) < 2 or opposite_seat(people[0]) in settings.managers if people else False
        return people if alone or set(people) <= set(settings.coached) else []

    # For the game: the caller holds the lock ---------------------------------------------------------------------

    def handle_change(self, change: GameChange) -> None:
        """Forget what concerns answers that were taken back, or another game."""
        if change.new:
            self._reasons = {}
        elif self._reasons:
            table = self._game.live
            given = {one.n for one in table.answers} | table.hidden_numbers()
            self._reasons = {seat: one for seat, one in self._reasons.items() if one[0] in given}

    def manager_views(self) -> dict[Seat, ManagerView]:
        """Return the managers, as everybody may see them: a reason of a secret only once that is open."""
        table, managers = self._game.live, self._game.settings.managers
        if not managers:
            return {}
        hidden = table.hidden_numbers()
        rerolls = {ask.seat: n for n, ask in table.open_asks() if isinstance(ask, Reroll)}
        return {
            seat: ManagerView(
                strength,
                next((words for n, words in [self._reasons.get(seat, (-1, ""))] if n not in hidden), ""),
                self._entries.reroll_indexes(table, rerolls[seat]) if seat in rerolls else None,
            )
            for seat, strength in managers.items()
        }
