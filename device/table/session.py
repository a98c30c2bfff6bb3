"""A table's session: the live game and the parts that act on it. Inputs and phones call these parts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from device.storage.roll_pictures import RollPictures
from device.storage.store import Store
from device.table.assistance import CoachAssistance
from device.table.board import Board
from device.table.buttons import ButtonActions
from device.table.corrections import CorrectionProposals
from device.table.entry.seat_entries import SeatEntries
from device.table.game_history import GameHistory
from device.table.live_game import LiveGame
from device.table.managed_seats import CAST_VIEWS, ManagedSeats
from device.table.play_log import RollEvidence, RollLearner
from device.table.preset_answers import SeatSettings
from device.table.publication import AudienceViews
from device.table.race.race import RaceControl
from device.table.rolls import Rolls
from device.table.seats import Seats
from device.table.win_probability import WinProbability
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.text.paths import text_without_paths
from engine.views import AudienceView, GameName
from managers.manager import has_manager

RACE_POLL_S = 0.05
"""Interval between polls of an open race, in seconds."""

MAX_EARLIER_PLAYS = 6
"""Plays of the previous half-inning shown with a new one. One throw causes fewer."""


class GameSession:
    """The game on the table and its parts, safe to use from any thread.

    begin: makes a new game if the store has none.
    show: seconds for which a certain roll is shown before it counts, 0 for at once.
    clock: returns monotonic seconds.
    evidence: pictures of rolls.
    lessons: learns from rolls.
    league_labels: names of the people by seat and a line about the league, for these settings.

    Methods that change the game raise engine.errors.EngineError if the rules reject the change and StoreError if the
    disk fails. In both cases nothing has changed.
    """

    def __init__(
        self,
        store: Store,
        begin: Callable[[], Table],
        *,
        show: float = 1.5,
        clock: Callable[[], float] = time.monotonic,
        evidence: RollPictures | None = None,
        lessons: RollLearner | None = None,
        league_labels: Callable[[SeatSettings], tuple[Mapping[Seat, str], str]] = lambda settings: ({}, ""),
    ) -> None:
        self._league_labels = league_labels
        self._entries = entries = SeatEntries()
        self.game = LiveGame(store, begin, clock, self.build_views)
        self.race = RaceControl(self.game, entries)
        self.rolls = Rolls(self.game, self.race, entries, show, RollEvidence(evidence, lessons))
        self.board = Board(self.game, entries)
        self.seats = Seats(self.game, entries, self.race, self.rolls)
        self.managed = ManagedSeats(self.game, entries)
        self.assistance = CoachAssistance(self.game)
        self.buttons = ButtonActions(self.game, entries, self.race, self.rolls, self.board, self.seats)
        self.record = GameHistory(self.game, self.rolls)
        self.corrections = CorrectionProposals(self.game, self.record)
        self.win = WinProbability(self.game)
        self.game.attach_components(
            (self.buttons, self.rolls, self.board, self.corrections, self.managed, self.race, self.assistance, self.win)
        )

    def tick(self) -> float:
        """Judge a race, expire notices, count a certain roll, show long thoughts and give the coach's due answers.

        Returns the seconds until the next call, or inf.
        """
        with self.game.lock:
            racing = self.race.poll_verdict()
            return min(
                RACE_POLL_S if racing else math.inf,
                self.game.notices.expire_notices(),
                self.rolls.accept_due_roll(),
                self.managed.thinking.show_long_thoughts() if self.game.settings.managers else math.inf,
                self.assistance.answer_due_asks(),
            )

    def build_views(self, version: int) -> AudienceViews:
        """Build the views of all audiences for this version of the game. The caller holds the lock."""
        game = self.game
        table, public, notices, entry = game.live, game.tables[None], game.notices, self._entries.shown
        log, given = table.log.read_new_events(), self.seats.automatic_answers()
        waits = self.seats.seats_that_can_wait(given)
        people, league = self._league_labels(game.settings)
        begun = max(*log.halves[-1:], *log.games[-1:], 0, 0)
        lines = self.record.play_views(max(0, begun - MAX_EARLIER_PLAYS))
        everybody = AudienceView(
            game=GameName(table.game.key, table.game.title),
            table=public,
            undone=table.undone,
            plays=lines[min(begun, MAX_EARLIER_PLAYS) :],
            proposal=self.rolls.proposal_view(),
            dial=entry.entry_view() if entry and not self.board.is_looking_for_layout(entry) else None,
            race=self.race.open.shown if self.race.open else None,
            layout=self.board.layout_view(entry),
            version=version,
            watching=self.rolls.watching,
            missing=[text_without_paths(words) for words in notices.missing.values()],
            notice=(notice := notices.current_text) and text_without_paths(notice),
            standing=self.seats.settings_views(),
            automatic=self.seats.automatic_views(given, None),
            waits=waits[None],
            before=lines[: min(begun, MAX_EARLIER_PLAYS)],
            number=game.number,
            calls=self.record.announcer_calls(),
            managers=self.managed.manager_views(lines),
            cast=CAST_VIEWS,
            manageable=has_manager(table.game.key),
            pace=game.settings.pace,
            coached=self.managed.seats_with_coach(),
            coaching=list(game.settings.coached),
            correction=correction.view if (correction := self.corrections.open) else None,
            warnings=[text_without_paths(sentence) for sentence in notices.warnings],
            table_rolls=game.settings.table_rolls,
            rematch=game.settings.rematch_seats(table) if public.outcome else [],
            series=game.settings.series_text(table) if game.settings.wins else "",
            win_expected=self.win.expected and has_manager(table.game.key),
            win=self.win.view,
            story=self.win.story,
            people=people,
            league=league,
            league_key=game.settings.league.league if game.settings.league else "",
        )
        tables = self.assistance.seat_tables()
        away, home = (
            replace(
                everybody,
                table=tables[seat],
                automatic=self.seats.automatic_views(given, seat),
                waits=waits[seat],
            )
            for seat in SEATS
        )
        return AudienceViews(everybody, away, home, self.rolls.shown.due if self.rolls.shown else None, game.clock)
