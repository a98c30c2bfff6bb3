"""The live game: its table behind one lock, and its journal in the store.

`LiveGame.submit_entry` is the path of an answer. The table checks it, the store writes it durably, automatic answers
follow, the components handle the change, and the views of the new version are published, one for each audience. A power
cut can take back nothing that subscribers received.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from device.storage.store import SavedGame, Store, StoreError
from device.table import play_log, preset_answers
from device.table.automatic_draws import last_person_answer
from device.table.notices import Notices
from device.table.preset_answers import AutomaticAnswer, SeatSettings
from device.table.publication import AudienceViews, ViewPublisher
from engine.asks import DiceAsk
from engine.errors import EngineError, IllegalAnswer, StaleAnswer, WrongSeat
from engine.journal import Answer, Correction, JournalEntry, Source, Undo
from engine.seats import SEATS, Seat
from engine.table import Table
from engine.views import TableView

MAX_AUTOMATIC_ANSWERS = 500
"""Automatic answers in a row. No rulebook asks as many between two throws."""

TABLE_ROLLS_TEXT = "The table rolls for the computer."
"""Why nobody else may roll, or change what the table rolled."""

RETRY_DELAY_S = 2.0
"""Delay before a rejected or unstored answer is retried, in seconds."""


class StoredEntry(NamedTuple):
    """An entry just stored, with its index in the journal and its source."""

    place: int
    entry: JournalEntry
    source: Source


@dataclass(frozen=True, slots=True)
class GameChange:
    """The entries that a change stored, oldest first. `another` is true if another game is on the table.

    `new` is true if nothing tied to open asks may stay, as the game is another, or answers were undone or corrected.
    """

    stored: Sequence[StoredEntry]
    another: bool
    new: bool


class GameComponent(Protocol):
    """A part that depends on the open asks of a game."""

    def handle_change(self, change: GameChange) -> None:
        """Update after a change, under the game's lock. It must not change the game in turn."""


class LiveGame(ViewPublisher):
    """The game on the table, the store's last one or a new one of `begin`. Any thread may use it.

    `clock` and `build` as in `Publication`. Methods that change the game raise engine.errors.EngineError if the rules
    reject the change and StoreError if the disk fails. In both cases nothing has changed. `number` and `settings` may
    be read at any time, the other attributes below only under `lock`.
    """

    number: int
    """Number of the game in the store."""
    live: Table
    """The live table. `table` is a copy."""
    sources: list[Source]
    """Source of each entry of the journal."""
    settings: SeatSettings
    """Settings of the seats."""
    tables: Mapping[Seat | None, TableView]
    """View of the table for each audience."""

    def __init__(
        self,
        store: Store,
        begin: Callable[[], Table],
        clock: Callable[[], float],
        build: Callable[[int], AudienceViews],
    ) -> None:
        super().__init__(clock, build)
        self.notices = Notices(self)
        self._store = store
        self._parts: Sequence[GameComponent] = ()
        saved = store.current_game()
        troubles = [trouble for trouble in (saved and saved.trouble, store.trouble) if trouble]
        if saved is None or saved.table is None:
            table = begin()
            saved = SavedGame(store.begin_game(table), table, None, ("",) * len(table.journal))
        self._set_game(saved)
        if troubles:
            self.notices.missing["the last game"] = " ".join(troubles)
        if store.restored:
            self.notices.missing["the backup"] = store.restored
            store.forget_restore()

    def attach_components(self, parts: Sequence[GameComponent]) -> None:
        """Give the automatic answers. From now on `parts` handle each change, in this order. Call it once."""
        self._parts = parts
        self.give_automatic_answers()

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """A copy of the table, readable without the lock."""
        return self.number_and_table[1]

    @property
    def number_and_table(self) -> tuple[int, Table]:
        """Number of the game in the store, and a copy of its table."""
        with self.lock:
            return self.number, self.live.clone()

    def check_version(self, version: int | None) -> None:
        """Raise StaleAnswer unless the table is still at `version` (None: any)."""
        if version not in (None, len(self.live.journal)):
            raise StaleAnswer("The game has moved on: check again.")

    def side_name(self, seat: Seat) -> str:
        """Name of the side that a seat plays. The caller holds the lock."""
        board = self.live.scoreboard()
        side = board.plays.get(seat)
        return board.sides[side].name if side else seat.capitalize()

    # Writing -----------------------------------------------------------------------------------------------------

    def submit_entry(self, entry: JournalEntry, source: Source) -> None:
        """Store an entry, then the automatic answers. Raises WrongSeat for a choice that a computer makes."""
        with self.publish_change():
            ask = dict(self.live.open_asks()).get(entry.n)
            person = isinstance(entry, Answer) and source.is_person
            if person and ask is not None and ask.seat in self.settings.managers:
                if not isinstance(ask, DiceAsk):
                    raise WrongSeat("The computer manages that side. Take it over first.")
                if self.settings.table_rolls:
                    raise WrongSeat(TABLE_ROLLS_TEXT)
            stored: list[StoredEntry] = []
            self._append_automatic_answers(self._append_entry(entry, source, stored), stored)

    def undo_answers(self, n: int | None = None, source: Source = Source.PHONE, version: int | None = None) -> None:
        """Undo answer `n` and all after it, and show a notice. None undoes the last answer of a person.

        Raises IllegalAnswer if there is none, StaleAnswer unless the table is still at `version` (None: any).
        """
        with self.publish_change():
            self.check_version(version)
            if n is None and (n := last_person_answer(self.live, self.sources)) is None:
                raise IllegalAnswer("There's nothing to undo.")
            stood, hidden = list(self.live.answers), self.live.hidden_numbers()
            stored: list[StoredEntry] = []
            found = self._append_entry(Undo(n), source, stored)
            stands = {one.n for one in self.live.answers}
            fell = [one for one in stood if one.n not in stands]
            self.notices.show_notice(play_log.undo_notice_text(self.live, fell, hidden, self.sources))
            self._append_automatic_answers(found, stored)

    def correct_roll(self, n: int, value: object, source: Source = Source.PHONE, version: int | None = None) -> None:
        """Correct answer `n` and keep the later answers that still fit. `version` as in `undo_answers`.

        If the last play does not mention the roll, a warning does. The automatic answers at the end are given again,
        because they may now differ or be asked. Earlier ones stay, like those of people.
        """
        with self.publish_change():
            self.check_version(version)
            last = self.live.last_play_text()
            stored: list[StoredEntry] = []
            found = self._append_entry(Correction(n, value), source, stored)
            stale = preset_answers.last_automatic_answers(self.live, self.sources)
            if stale and preset_answers.is_automatic_from(self.live, self.sources, stale[0].n):
                with suppress(StoreError):
                    found = self._append_entry(Undo(stale[0].n), Source.STANDING, stored)
            self._append_automatic_answers(found, stored)
            one = next(one for one in self.live.answers if one.n == n)
            if isinstance(one.ask, DiceAsk) and self.live.last_play_text() == last:
                self.notices.show_warning(f"A roll was corrected: it's {play_log.answer_text(self.live, one)}.")

    def save_seat_settings(self, settings: SeatSettings) -> None:
        """Store the seats' settings. Resulting answers wait for `give_automatic_answers` or the next entry."""
        with self.publish_change():
            self._store.save_seat_settings(self.number, settings.json_text)
            self.settings = settings

    def give_automatic_answers(self, another: bool = False) -> None:
        """Give all automatic answers and update the components. `another` as in `GameChange`."""
        self._append_automatic_answers(self._next_automatic_answer(), [], another)

    # Games -------------------------------------------------------------------------------------------------------

    def begin_game(self, table: Table, settings: SeatSettings | None = None) -> None:
        """Pause the game on the table and begin another, with these seat settings.

        Answers that the table has already are part of the setup: nobody undoes them as his own.
        """
        with self.publish_change():
            standing = settings.json_text if settings else ""
            game = self._store.begin_game(table, standing, Source.HOUSE)
            self._set_game(SavedGame(game, table, None, (Source.HOUSE,) * len(table.journal), standing))
            self.give_automatic_answers(another=True)

    def resume_game(self, game: int) -> bool:
        """Pause the game on the table and resume number `game`. Returns False if there is none.

        Raises IllegalAnswer if that game is over, cannot be read, or is already on the table.
        """
        if game == self.number:
            raise IllegalAnswer("That game is on the table.")
        saved = self._store.load_game(game)  # loading may take a second, during which the game on the table goes on
        if saved is None:
            return False
        if saved.table is None:
            raise IllegalAnswer(saved.trouble or "")
        if saved.table.outcome:
            raise IllegalAnswer("That game is over. See it under All games, or start a new one.")
        with self.publish_change():
            self._store.resume_game(game, saved.table)
            self._set_game(saved)
            self.give_automatic_answers(another=True)
        return True

    def _set_game(self, saved: SavedGame) -> None:
        assert saved.table is not None
        self.number, self.live, self.tables = saved.id, saved.table, {}
        self.sources, self.settings = [Source(one) for one in saved.sources], SeatSettings.from_json(saved.standing)

    # Transactions ------------------------------------------------------------------------------------------------

    def _append_entry(self, entry: JournalEntry, source: Source, stored: list[StoredEntry]) -> AutomaticAnswer | None:
        """Store an entry, add it to `stored`, and return the next automatic answer.

        The seats see nothing in between, so only the last entry builds their views.
        """
        table, place = self.live, len(self.live.journal)
        try:
            table.apply_entry(entry)
            self.sources.append(source)
            found = self._next_automatic_answer()
            tables = table.views_for(None, *(() if found else SEATS))
            self._store.append(self.number, table, source.value, tables[None])
        except Exception as error:
            del self.sources[place:]
            if isinstance(error, EngineError):
                raise
            # Neither a disk failure nor a bug in the rules may leave half a play behind.
            self.live = Table(table.game, table.decks, table.house, table.journal[:place], table.names)
            self.tables = {}
            self._notify_components(stored)
            self.notices.set_fault("journal", str(error) or type(error).__name__)
            raise
        self.tables = tables
        self.notices.set_fault("journal", None)
        if source.is_person:
            self.notices.clear_notice()
        stored.append(StoredEntry(place, entry, source))
        return found

    def _next_automatic_answer(self) -> AutomaticAnswer | None:
        return preset_answers.next_automatic_answer(self.live, self.settings, self.sources)

    def _append_automatic_answers(
        self, found: AutomaticAnswer | None, stored: list[StoredEntry], another: bool = False
    ) -> None:
        """Give `found` and all automatic answers after it. One that the rules or the disk reject is asked instead."""
        try:
            for _ in range(MAX_AUTOMATIC_ANSWERS):
                if found is None:
                    break
                found = self._append_entry(found.answer, found.source, stored)
        except (StoreError, EngineError):
            pass
        finally:
            self._notify_components(stored, another)

    def _notify_components(self, stored: list[StoredEntry], another: bool = False) -> None:
        if not self.tables.keys() >= set(SEATS):
            self.tables = self.live.views_for(None, *SEATS)
        new = another or any(not isinstance(one.entry, Answer) for one in stored)
        change = GameChange(tuple(stored), another, new)
        stored.clear()
        for part in self._parts:
            part.handle_change(change)
