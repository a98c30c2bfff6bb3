"""Seats that a computer manages, and the coach. A manager decides elsewhere, from its seat's view, and answers here."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import GameChange, LiveGame
from device.table.thinking import ThinkingManagers
from engine.asks import Reroll
from engine.errors import IllegalAnswer, StaleAnswer
from engine.events import spoken_list
from engine.journal import Answer, Source
from engine.seats import Seat, opposite_seat
from engine.text.agreement import name_with_verb
from engine.views import CastMemberView, ManagerView, PlayView
from managers.cast import CAST, CAST_BY_CHOICE
from managers.manager import GameSetup, has_manager

REROLL_NOTICE_S = 8.0
"""Duration of the notice that lists the dice to reroll for a computer, in seconds."""

MANAGER_LOCK = threading.RLock()
"""Held while managers are built, study the cards or weigh answers: those of games with the same setup share results."""

CAST_VIEWS = tuple(CastMemberView(key, one.name, one.strength, one.temper) for key, one in CAST.items())
"""The cast of managers for everybody."""


class ManagedSeats:
    """The managed seats of `game`, with their rerolls set in `entries`. A restart loses their reasons."""

    def __init__(self, game: LiveGame, entries: SeatEntries) -> None:
        self._game, self._entries = game, entries
        self.thinking = ThinkingManagers(game)
        self._reasons: dict[Seat, tuple[int, str]] = {}
        """Number and reason of each seat's last answer."""

    @property
    def game_setup(self) -> GameSetup:
        """Public facts of the game before its first throw."""
        with self._game.lock:
            table = self._game.live
            return GameSetup(table.game.key, table.decks, table.house)

    def assign_manager(self, seat: Seat, choice: str | None) -> None:
        """Assign a computer to a seat, a key of `CAST_BY_CHOICE`, or a person (None). Everybody sees a notice.

        Here and below, an unchanged setting stores, shows and publishes nothing. Raises IllegalAnswer for what this
        game or table does not have, and after the game is over.
        """
        game = self._game
        with game.lock:
            if game.live.outcome:
                raise IllegalAnswer("The game is over.")
            settings = game.settings.with_manager(game.live, seat, choice)
            if settings != game.settings:
                with game.publish_change():
                    game.save_seat_settings(settings)
                    show = game.notices.show_warning if game.live.answers else game.notices.show_notice
                    one = CAST_BY_CHOICE[choice] if choice else None
                    manager = f"{one.name}, computer ({one.strength}, {one.temper})" if one else "a person"
                    show(f"{game.side_name(seat)}: now managed by {manager}.")
                    game.give_automatic_answers()

    def set_pace(self, pace: str) -> None:
        """Set the managers' pace, a key of `device.storage.seat_settings.PACE_DELAYS_S`. Raises IllegalAnswer."""
        with self._game.lock:
            settings = self._game.settings.with_pace(pace)
            if settings != self._game.settings:
                self._game.save_seat_settings(settings)

    def set_table_rolls(self, on: bool) -> None:
        """Set whether the table rolls for the computers. Everybody sees a notice. A roll that is shown still counts."""
        game = self._game
        with game.lock:
            settings = game.settings.with_table_rolls(on)
            if settings != game.settings:
                with game.publish_change():
                    game.save_seat_settings(settings)
                    who = "The table rolls" if on else "People roll"
                    game.notices.show_notice(f"{who} for the computer from now on.")

    def accept_decision(self, seat: Seat, n: int, value: Any, version: int, reason: str) -> None:
        """Accept a manager's answer to ask `n`. For a reroll it is the indexes of the dice to throw again.

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
        """Allow or forbid the coach for a seat. Between two people, both must allow it."""
        game = self._game
        with game.lock:
            settings = game.settings.with_coach(seat, on)
            if settings != game.settings:
                with game.publish_change():
                    game.save_seat_settings(settings)
                    allows = "allows/allow" if on else "doesn't allow/don't allow"
                    game.notices.show_notice(f"{name_with_verb(game.side_name(seat), allows)} the coach.")

    def set_assistance(self, seat: Seat, on: bool) -> None:
        """Set whether the coach answers what hardly matters for a seat (`CoachAssistance`). Everybody sees a notice.

        Raises IllegalAnswer if nobody sits there, or the game has no coach.
        """
        game = self._game
        with game.lock:
            if seat not in game.live.scoreboard().plays:
                raise IllegalAnswer(f"Nobody sits in the {seat} seat in this game.")
            if not has_manager(game.live.game.key):
                raise IllegalAnswer(f"{game.live.game.title} has no coach.")
            settings = game.settings.with_assistance(seat, on)
            if settings != game.settings:
                with game.publish_change():
                    game.save_seat_settings(settings)
                    asked = "asked only what matters" if on else "asked everything"
                    game.notices.show_notice(f"{game.side_name(seat)}: {asked} from now on.")
                    game.give_automatic_answers()

    def record_coach_question(self, seat: Seat, again: bool = False) -> None:
        """Announce that a seat asks the coach, unless it asks the same `again`. Raises IllegalAnswer if it may not."""
        game = self._game
        with game.lock:
            if seat not in self.seats_with_coach():
                raise IllegalAnswer("You can ask the coach only against the computer, or if both sides allow it.")
            if not again:
                alone = len(game.tables[None].scoreboard.plays) < 2
                show = game.notices.show_notice if game.settings.managers or alone else game.notices.show_warning
                show(f"{game.side_name(seat)} asked the coach.")

    def seats_with_coach(self) -> list[Seat]:
        """Seats that may ask the coach. Of two people, both or none. The caller holds the lock."""
        settings, plays = self._game.settings, self._game.tables[None].scoreboard.plays
        if not has_manager(self._game.live.game.key):
            return []
        people = [seat for seat in plays if seat not in settings.managers]
        alone = len(plays) < 2 or opposite_seat(people[0]) in settings.managers if people else False
        return people if alone or set(people) <= set(settings.coached) else []

    # For the game: the caller holds the lock ---------------------------------------------------------------------

    def handle_change(self, change: GameChange) -> None:
        """Delete reasons of undone answers or of another game."""
        if self.thinking.thoughts:
            self.thinking.handle_change(change)
        if change.new:
            self._reasons = {}
        elif self._reasons:
            table = self._game.live
            given = {one.n for one in table.answers} | table.hidden_numbers()
            self._reasons = {seat: one for seat, one in self._reasons.items() if one[0] in given}

    def manager_views(self, plays: Sequence[PlayView]) -> dict[Seat, ManagerView]:
        """Public views of the managers. The reason of a secret appears when the secret is revealed.

        A reason goes when one of these newest `plays` follows that it does not explain, or when the game is over.
        """
        table, managers = self._game.live, self._game.settings.managers
        if not managers:
            return {}
        hidden = table.hidden_numbers()
        rerolls = {ask.seat: n for n, ask in table.open_asks() if isinstance(ask, Reroll)}
        return {
            seat: ManagerView(
                one.strength,
                words if n not in hidden and not table.outcome and _is_last_decided(n, plays) else "",
                self._entries.reroll_indexes(table, rerolls[seat]) if seat in rerolls else None,
                one.key,
                one.name,
                one.temper,
                self.thinking.shown_words(seat),
            )
            for seat, one in ((seat, CAST_BY_CHOICE[choice]) for seat, choice in managers.items())
            for n, words in [self._reasons.get(seat, (-1, ""))]
        }


def _is_last_decided(n: int, plays: Sequence[PlayView]) -> bool:
    """True if no play follows the first one that answer `n`, or a roll after it, decided."""
    decided = next((play.n for play in plays if play.n >= n and play.moment), None)
    return decided is None or plays[-1].n == decided
