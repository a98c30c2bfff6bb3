"""Answers of the seats, and their preferences for automatic answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from device.table import automatic_draws, play_log, preset_answers
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import LiveGame
from device.table.race.race import RaceControl
from device.table.rolls import Rolls
from engine.asks import Secret
from engine.errors import IllegalAnswer
from engine.journal import Answer, Source, Undo
from engine.scoreboard import seat_label
from engine.seats import SEATS, Seat
from engine.table import CurrentAnswer
from engine.views import AutomaticAnswerView, SeatSettingsView, TopicView


class Seats:
    """The seats of `game`. Confirmations of a call go to `race`. If `rolls` has thrown dice, it is too late to wait."""

    def __init__(self, game: LiveGame, entries: SeatEntries, race: RaceControl, rolls: Rolls) -> None:
        self._game, self._entries, self._race, self._rolls = game, entries, race, rolls

    def answer_ask(self, seat: Seat, n: int, value: Any, source: Source) -> None:
        """Answer ask `n` for `seat`. Managers answer through `ManagedSeats`.

        A call in a race is confirmed here, as in `RaceControl.confirm_call`. Raises IllegalAnswer for a draw unless the
        program makes it.
        """
        game = self._game
        with game.publish_change():
            if source is not Source.HOUSE and n in automatic_draws.open_draws(game.live):
                raise IllegalAnswer("Nobody chooses that: it is drawn at random.")
            if self._race.is_call_ask(seat, n):
                self._race.confirm_call(seat, value, operator=source is Source.OPERATOR)
                return
            if source.is_person:
                self._entries.check_reroll(game.live, game.settings.managers, n, value)
            game.submit_entry(Answer(seat, n, value), source)

    # Preferences -------------------------------------------------------------------------------------------------

    def set_ask_preference(self, seat: Seat, topic: str, when: str) -> None:
        """Set when a seat is asked about a topic, by a key of `engine.game.ASK_PREFERENCE_LABELS`.

        An unchanged setting stores, shows and publishes nothing. Raises IllegalAnswer for what this game does not have.
        """
        game = self._game
        with game.lock:
            settings = game.settings.with_ask_preference(game.live, seat, topic, when)
            if settings != game.settings:
                with game.publish_change():
                    game.save_seat_settings(settings)
                    game.give_automatic_answers()

    def reopen_answers(self, seat: Seat, n: int | None = None, source: Source = Source.PHONE) -> None:
        """Reopen a seat's automatic answers since the last throw or person's answer.

        The seat is asked everything until the next throw. `n` is one of the answers, if the input knows one. Raises
        IllegalAnswer if nothing is asked or it is too late.
        """
        game = self._game
        with game.lock:
            table = game.live
            given = [one.n for one in preset_answers.automatic_since_throw(table, game.sources, seat)]
            if not table.open_asks() and not given:
                raise IllegalAnswer("There's nothing to decide right now.")
            if n is not None and n not in given:
                raise IllegalAnswer("Too late to wait: the game has moved on.")
            if self._rolls.has_thrown_dice:
                raise IllegalAnswer("Too late to wait: the dice are rolled.")
            if given and not preset_answers.is_automatic_from(table, game.sources, given[0]):
                raise IllegalAnswer("Too late to wait: that was revealed.")
            first = given[0] if given else table.open_asks()[0][0]
            settings = game.settings.with_wait(seat, first)
            if not given and settings == game.settings:
                return
            with game.publish_change():
                # Stored first, so that a power cut in between has no effect but that the seat is asked.
                game.save_seat_settings(settings)
                if given:
                    game.submit_entry(Undo(first), source)
                else:
                    game.give_automatic_answers()
                game.notices.show_notice(
                    f"{seat_label(table.scoreboard(), seat)}: you'll get every question until the next roll."
                )

    def may_wait(self, seat: Seat) -> bool:
        """True if "Wait" would reopen an answer of this seat, or ask it what would be answered automatically."""
        table, settings = self._game.live, self._game.settings
        ahead = (
            bool(table.open_asks())
            and not self._rolls.has_thrown_dice
            and not preset_answers.is_waiting(table, settings, seat)
        )
        return (ahead and settings.has_ask_preferences(table, seat)) or self.may_reopen(seat)

    def may_reopen(self, seat: Seat) -> bool:
        """True if "Wait" would reopen an answer of this seat."""
        return self._can_reopen(self.automatic_answers(), seat)

    def _can_reopen(self, given: Sequence[CurrentAnswer], seat: Seat) -> bool:
        """True if this seat's first answer among `given` can be undone without undoing a person's."""
        first = next((one.n for one in given if one.ask.seat == seat), None)
        if first is None or self._rolls.has_thrown_dice:
            return False
        return preset_answers.is_automatic_from(self._game.live, self._game.sources, first)

    # Views: the caller holds the lock ----------------------------------------------------------------------------

    def settings_views(self) -> dict[Seat, SeatSettingsView]:
        table, settings = self._game.live, self._game.settings
        topics, plays = preset_answers.game_topics(table), self._game.tables[None].scoreboard.plays
        return {
            seat: SeatSettingsView(
                [TopicView(one.key, one.title, one.means, settings.ask_preference(seat, one.key)) for one in topics],
                preset_answers.is_waiting(table, settings, seat),
                seat in settings.assisted,
            )
            for seat in SEATS
            if seat in plays
        }

    def automatic_answers(self) -> list[CurrentAnswer]:
        return preset_answers.automatic_since_throw(self._game.live, self._game.sources)

    def seats_that_can_wait(self, given: Sequence[CurrentAnswer]) -> dict[Seat | None, list[Seat]]:
        """Seats for which "Wait" would reopen an answer that each audience may know of (None: spectators)."""
        known = [one for one in given if not self._is_coach_secret(one)]
        public = [seat for seat in SEATS if self._can_reopen(known, seat)]
        found: dict[Seat | None, list[Seat]] = {None: public}
        for seat in SEATS:
            found[seat] = [one for one in SEATS if one in public or (one == seat and self._can_reopen(given, one))]
        return found

    def _is_coach_secret(self, one: CurrentAnswer) -> bool:
        """True if another person must not know that the coach gave this answer, because it depends on a hand."""
        secret = isinstance(one.ask, Secret) and self._game.sources[one.entry] is Source.COACH
        return secret and self._game.settings.has_rival(self._game.live, one.ask.seat)

    def automatic_views(self, given: Sequence[CurrentAnswer], seat: Seat | None) -> list[AutomaticAnswerView]:
        """Views of the automatic answers `given`, as `seat` may see them (None: spectators)."""
        table, found = self._game.live, list[AutomaticAnswerView]()
        for one in given:
            if not isinstance(one.ask, Secret) or one.ask.seat == seat:
                topic = preset_answers.topic_for(table, one.ask)
                source = self._game.sources[one.entry]
                usual = topic if source is not Source.MOOT else None
                words = usual.means if usual else play_log.answer_text(table, one)
                found.append(AutomaticAnswerView(one.n, one.ask.seat, words, source is Source.COACH))
        return found
