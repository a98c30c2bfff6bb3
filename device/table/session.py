"""The game under way: its table, its journal, and the roll that is about to count. Every input and phone comes here.

An answer goes from top to bottom through `_write`: the table checks it, the store makes it durable, everything that
depends on open asks is settled, and the views of the new version are published, one for each audience. Subscribers
receive nothing that a power cut could take back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from device.storage.roll_pictures import RollPictures
from device.storage.store import Saved, Store, StoreError
from device.table import play_log, standing_answers
from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.board_layout import LayoutAsk
from device.table.entry.seat_entries import SecretEntry
from device.table.game_in_play import TableViews
from device.table.house_turns import AUTOMATIC, MANAGER, STANDING, decided, drawn
from device.table.managed_game import ManagedGame
from device.table.play_log import Learner
from device.table.standing_answers import Automatic, StandingSettings
from device.table.throw_match import SeenThrow
from engine.asks import Thrown
from engine.errors import EngineError, IllegalAnswer, StaleAnswer, WrongSeat
from engine.journal import Amend, Answer, Entry, Undo
from engine.scoreboard import seat_words
from engine.seats import SEATS, Seat
from engine.table import Table
from vision.matching import Wanted
from vision.reading import Die
from vision.tray.tracker import ShownDie

if TYPE_CHECKING:
    from vision.board.read import Layout

LATE = 0.5
"""Seconds after a change in which a press still belongs to what was shown before it."""

LONGEST = 500
"""Answers in a row that the table gives by itself: more than any rulebook asks between two throws."""

BY_COMPUTER = frozenset({MANAGER, "house"})
"""The sources of answers that no person gives."""

RETRY = 2.0
"""Seconds after which a verdict that the disk refused is tried again."""


class Session(ManagedGame):
    """One game in play, safe to use from any thread: the store's last one, or the one that `begin` makes.

    `show` is how many seconds a certain roll is shown before it counts, 0 for at once. `clock` returns seconds that
    never decrease. Methods that change the game raise engine.errors.EngineError if the rules refuse and StoreError if
    the disk does; either way nothing has changed.
    """

    def __init__(
        self,
        store: Store,
        begin: Callable[[], Table],
        *,
        show: float = 1.5,
        clock: Callable[[], float] = time.monotonic,
        evidence: RollPictures | None = None,
        lessons: Learner | None = None,
    ) -> None:
        super().__init__(show, clock, evidence, lessons)
        self._store = store
        self._made: TableViews = {}
        self._new = False
        saved = store.latest()
        if saved is not None and saved.table is not None:
            self._game, self._table = saved.id, saved.table
            self._sources, self._standing = list(saved.sources), StandingSettings.of(saved.standing)
        else:
            self._table = begin()
            self._game = store.begin(self._table)
            self._sources, self._standing = [""] * len(self._table.journal), StandingSettings()
        troubles = [trouble for trouble in (saved and saved.trouble, store.trouble) if trouble]
        if troubles:
            self._missing["the last game"] = " ".join(troubles)
        if store.restored:
            self._missing["the backup"] = store.restored
            store.restored_is_shown()
        self._answer_by_itself()

    # Answering ---------------------------------------------------------------------------------------------------

    def answer(self, seat: Seat, n: int, value: Any, source: str) -> None:
        """Answer ask `n` for `seat`. `source` is where the answer came from: "phone", "buttons", "operator", "camera",
        "bot", or "house" for chance; `decide` is for managers.

        A call in a race is confirmed here with a face of its die or `FALSE`, but only while the table
        asks what the die showed; the operator may confirm it at any time. Raises IllegalAnswer for what chance decides
        unless the source is "house".
        """
        with self._change():
            if source != "house" and n in drawn(self._table):
                raise IllegalAnswer("Nobody chooses that: it is drawn by chance.")
            race = self._race
            if race is not None and race.n.get(seat) == n:
                if race.asking != seat and source != "operator":
                    raise IllegalAnswer("Call it: what the die shows is asked only where the camera is not sure.")
                race.confirm(seat, value, self.clock())
                self._judge()
            else:
                self._write(Answer(seat, n, value), source)

    def undo(self, n: int | None = None, source: str = "phone", version: int | None = None) -> None:
        """Take back answer `n` and all after it, and show a notice; None: the last one that a person gave.

        Raises IllegalAnswer if there is none, StaleAnswer unless the table is still at `version` (None: any).
        """
        with self._change():
            self._still(version)
            if n is None and (n := decided(self._table, self._sources)) is None:
                raise IllegalAnswer("There is nothing to take back.")
            stood, hidden = list(self._table.answers), self._table.hidden()
            self._store_entry(Undo(n), source)
            stands = {one.n for one in self._table.answers}
            fell = [one for one in stood if one.n not in stands]
            self.show_notice(play_log.back(self._table, fell, hidden, self._sources))
            self._answer_by_itself()

    def amend(self, n: int, value: Any, source: str = "phone", version: int | None = None) -> None:
        """Correct answer `n` and keep the later answers that still fit. If the last play does not mention the roll, a
        notice does. `version` as in `undo`."""
        with self._change():
            self._still(version)
            last = self._table.last()
            self._store_entry(Amend(n, value), source)
            self._answer_again()
            one = next(one for one in self._table.answers if one.n == n)
            if isinstance(one.ask, Thrown) and self._table.last() == last:
                self.show_warning(f"A roll was corrected: it is {play_log.words(self._table, one)}.")

    # Answering by itself -----------------------------------------------------------------------------------------

    def stand(self, seat: Seat, topic: str, when: str) -> None:
        """Set when a seat is asked about a topic of its game, by a key of `engine.game.ASK_WHEN`.

        Nothing is stored, shown or published if that is as it was. Raises IllegalAnswer for what this game does not
        have.
        """
        with self._lock:
            settings = self._standing.changed(self._table, seat, topic, when)
            if settings != self._standing:
                with self._change():
                    self._keep(settings)
                    self._answer_by_itself()

    def wait(self, seat: Seat, n: int | None = None, source: str = "phone") -> None:
        """Reopen what was answered by itself for a seat since the last throw or answer of a person, and ask it
        everything until the next throw. `n` is one of the answers to reopen, if the input knows one.

        Raises IllegalAnswer if nothing is asked, or if it is too late.
        """
        with self._lock:
            table = self._table
            given = [one.n for one in standing_answers.since_throw(table, self._sources, seat)]
            if not table.asks() and not given:
                raise IllegalAnswer("Nothing is asked now.")
            if n is not None and n not in given:
                raise IllegalAnswer("Too late to wait: the game went on.")
            if self._thrown:
                raise IllegalAnswer("Too late to wait: the dice are thrown.")
            if given and not standing_answers.reaches(table, self._sources, given[0]):
                raise IllegalAnswer("Too late to wait: that was revealed.")
            first = given[0] if given else table.asks()[0][0]
            settings = self._standing.waiting(seat, first)
            if not given and settings == self._standing:
                return
            with self._change():
                # Stored first: after a power cut between the two the seat is asked, and nothing else changes.
                self._keep(settings)
                if given:
                    self._store_entry(Undo(first), source)
                self.show_notice(f"{self._side(seat)}: all is asked until the next throw.")
                self._answer_by_itself()

    def _keep(self, settings: StandingSettings) -> None:
        self._store.stand(self._game, settings.text)
        self._standing = settings

    def _answer_by_itself(self) -> None:
        """Give every answer that needs no person, then settle. If the disk or the rules refuse one, it is asked."""
        try:
            for _ in range(LONGEST):
                found = self._following()
                if found is None:
                    return
                self._store_entry(found.answer, found.source)
        except (StoreError, EngineError):
            pass
        finally:
            self._settle(self._made if self._made.keys() >= set(SEATS) else None, self._new)
            self._made, self._new = {}, False

    def _following(self) -> Automatic | None:
        return standing_answers.following(self._table, self._standing, self._sources)

    def _answer_again(self) -> None:
        """After a correction, give the last answers that needed no person again: now they may differ, or be asked.

        Earlier ones stay, as those of people do.
        """
        stale = standing_answers.last(self._table, self._sources)
        if stale and standing_answers.reaches(self._table, self._sources, stale[0].n):
            with suppress(StoreError):
                self._store_entry(Undo(stale[0].n), STANDING)
        self._answer_by_itself()

    # Games -------------------------------------------------------------------------------------------------------

    def new_game(self, table: Table, settings: StandingSettings | None = None) -> None:
        """Put the game on the table aside and begin another, with these settings of its seats."""
        with self._change():
            standing = settings.text if settings else ""
            game = self._store.begin(table, standing)
            self._lay(Saved(game, table, None, ("",) * len(table.journal), standing))

    @property
    def rematch(self) -> StandingSettings:
        """The settings of the seats for another game of the same people."""
        with self._lock:
            return self._standing.again()

    def take(self, game: int) -> bool:
        """Put the game on the table aside and resume game number `game`. Returns False if there is none.

        Raises IllegalAnswer where that game is over, cannot be read, or is on the table already.
        """
        if game == self._game:
            raise IllegalAnswer("That game is on the table.")
        saved = self._store.load(game)  # it may take a second, and the game on the table goes on meanwhile
        if saved is None:
            return False
        if saved.table is None:
            raise IllegalAnswer(saved.trouble or "")
        if saved.table.outcome:
            raise IllegalAnswer("That game is over. Look at it under All games, or begin a new one.")
        with self._change():
            self._store.take(game, saved.table)
            self._lay(saved)
        return True

    def _lay(self, saved: Saved) -> None:
        assert saved.table is not None
        self._game, self._table = saved.id, saved.table
        self._sources, self._standing = list(saved.sources), StandingSettings.of(saved.standing)
        self._tray.drop()
        self._evidence.forget()
        self._new = True
        self._answer_by_itself()

    def _write(self, entry: Entry, source: str) -> None:
        """Store an entry, then what the table answers by itself. Raises WrongSeat for what a computer decides."""
        ask = dict(self._table.asks()).get(entry.n)
        if isinstance(entry, Answer) and ask is not None and source not in BY_COMPUTER:
            self._managed.check(self._table, self._standing, ask, entry.n, entry.value)
        self._store_entry(entry, source)
        self._answer_by_itself()

    def _store_entry(self, entry: Entry, source: str) -> None:
        """Store an entry. The caller settles: with what the table answers by itself, or at once where that fails.

        The seats see nothing in between, so only the last entry makes their views.
        """
        table, length = self._table, len(self._table.journal)
        try:
            table.write(entry)
            self._sources.append(source)
            self._made = table.views(None, *(() if self._following() else SEATS))
            self._store.append(self._game, table, source, self._made[None])
        except Exception as error:
            del self._sources[length:]
            if isinstance(error, EngineError):
                raise
            # Neither a disk failure nor a bug in the rules may leave half a play behind.
            stood = table.journal[:length]
            self._table, self._made = Table(table.game, table.decks, table.house, stood, table.names), {}
            self._settle()
            self.miss("journal", str(error) or type(error).__name__)
            raise
        self._stored = self.clock()
        self.miss("journal", None)
        self._evidence.keep(self._game, table, entry, self._tray.shown, source)
        if source not in BY_COMPUTER and source not in AUTOMATIC:
            self._notices.clear_notice()
        if not isinstance(entry, Answer):
            self._tray.drop()
            self._new = True

    # The roll that is about to count -----------------------------------------------------------------------------

    def saw(self, seen: SeenThrow) -> None:
        """Take a throw that a camera saw. It counts if it is certain and was thrown for the open roll.

        Dice set in motion during a race belong to that race and are ignored here.
        """
        with self._change():
            before, ours = self._tray.shown, self._race is None and seen.began >= self._ended
            if notice := self._tray.see(seen, self._table if ours else None, self.clock()):
                self.show_notice(notice)
            if self._tray.shown and self._tray.shown is not before:
                self._lay_roll()
                if self._show == 0:
                    self.tick()

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of dice that a camera should look for."""
        return self._tray.kinds

    def lie(self, dice: Sequence[Die] | None) -> None:
        """Note the dice that a camera sees at rest and nobody threw; None: it is unknown what lies in the tray."""
        with self._lock:
            self._tray.lie(dice)

    def accept(self, source: str = "phone") -> None:
        """Count the proposed roll now. Raises IllegalAnswer if there is none or a die of it is unknown."""
        with self._change():
            shown = self._tray.shown
            if shown is None:
                raise IllegalAnswer("No roll is shown.")
            self._write(Answer(shown.seat, shown.n, list(shown.value)), source)

    def reject(self, n: int | None = None) -> None:
        """Drop the proposed roll; the ask stays open. `n` names its ask. Raises StaleAnswer if it is another one."""
        with self._change():
            self._tray.reject(n)

    def hold(self, n: int) -> None:
        """Stop the countdown of the roll proposed for ask `n`: a person is looking at its dice. Raises StaleAnswer."""
        with self._lock:
            if self._tray.hold(n):
                self.touch()

    def tick(self) -> None:
        """Count a sure roll once its time is up, and remove expired notices. Call it about ten times a second."""
        with self._lock:
            self._judge()
            now = self.clock()
            self._expire(now)
            if shown := self._tray.due(now):
                with self._change():
                    try:
                        self.accept(shown.source)
                        if self._show > 0:
                            self._passed = now
                    except (EngineError, StoreError) as error:
                        self._tray.shown = replace(shown, doubt="unclear", refused=str(error), due=None)

    # The race ----------------------------------------------------------------------------------------------------

    @property
    def racing(self) -> Mapping[Seat, Wanted] | None:
        """The dice of the open race by seat, a new object for each race; None while there is none."""
        race = self._race
        return None if race is None else race.wanted

    def call(self, seat: Seat, n: int, when: float | None, source: str) -> None:
        """Call for a seat in the race that ask `n` is open for, at `when` seconds of `clock` (None: now)."""
        with self._change():
            race = self._race
            if race is None or n not in race.n.values():
                raise StaleAnswer("No race is on.")
            if race.n.get(seat) != n or (source == MANAGER) != (seat in self._standing.managers):
                raise WrongSeat("That is for the other side to call.")
            race.call(seat, self.clock() if when is None else when, source)
            self._judge()

    def follow(self, when: float, shown: Mapping[Seat, ShownDie], source: str = "camera") -> None:
        """Take what the dice of the race show, as a camera saw it at `when` seconds of `clock`.

        Nobody throws the die of a seat that a computer manages: what that one shows comes from its manager, `source`.
        """
        with self._lock:
            if self._race is None:
                return
            managed = self._standing.managers.keys()
            theirs = self._race.n.keys() & (managed if source == MANAGER else self._race.n.keys() - managed)
            for seat in theirs & shown.keys():
                self._race.referee.see(seat, when, shown[seat])
            self._judge()

    def _judge(self) -> None:
        """Count a verdict, or publish how the race stands if that changed."""
        race, now = self._race, self.clock()
        if race is None:
            return
        verdict = race.referee.verdict(now)
        if verdict is not None and now >= race.hold:
            race.hold = now + RETRY
            with self._change():
                try:
                    answer = Answer(verdict.seat, race.n[verdict.seat], verdict.face)
                    self._write(answer, race.sources.get(verdict.seat, "camera"))
                except (EngineError, StoreError) as error:
                    self.show_notice(str(error), RETRY)
        elif race.update(now):
            with self._change():
                if race.entry is not self._entries.shown:
                    self._entries.put(race.asking, race.entry)

    # The board ---------------------------------------------------------------------------------------------------

    @property
    def laying(self) -> LayoutAsk | None:
        """The current request to lay pieces on the printed board, a new object each time; None if there is none."""
        return self._layout.laying

    def watch_board(self, on: bool) -> None:
        """Say whether a camera over the board works."""
        with self._lock:
            if on != self._layout.watched:
                with self._change():
                    self._layout.watched = on

    def lies(self, laying: LayoutAsk, layout: Layout | None) -> None:
        """Take a layout that a camera sees at rest for `laying`; None: something moves. It counts when a person presses
        OK.
        """
        with self._lock:
            if self._layout.see(laying, layout, self.clock()):
                with self._change():
                    if self._layout.unmoved(self._entries.of(self._table, laying.seat)):
                        self._entries.lay(self._table, laying.seat, self._layout.start)

    # Buttons -----------------------------------------------------------------------------------------------------

    def turn(self, seat: Seat, step: int) -> None:
        """Move a seat's cursor by `step` (-1 or 1). A proposed roll stays and waits for a confirmation.

        Entering a secret changes nothing that anybody sees, not even the version.
        """
        with self._lock:
            entry = self._entries.of(self._table, seat)
            if step < 0:
                entry.previous()
            else:
                entry.next()
            if isinstance(entry, SecretEntry) or entry.secret:
                return
            with self._change():
                self._entries.shown = entry
                self._tray.turn(entry)

    def press(self, seat: Seat, when: float | None = None) -> None:
        """Press a seat's OK: take what its cursor points at. In a race it is the call, made at `when` (None: now)."""
        with self._change():
            race = self._race
            if race is not None and seat in race.n and race.asking != seat:
                self.call(seat, race.n[seat], when, "buttons")
                return
            if self._may_wait(seat) and all(ask.seat != seat for _, ask in self._table.asks()):
                self._press_wait(seat)
                return
            entry, now = self._entries.of(self._table, seat), self.clock()
            roll = self._tray.shown
            shown = roll if roll and roll.n == entry.n else None
            if now < self._passed + LATE and not (isinstance(entry, AnswerEntry) and entry.touched):
                # This OK was for a roll or race that just ended by itself: it must not answer the next ask.
                raise IllegalAnswer("That had counted already. Press OK again for what is asked now.")
            if isinstance(entry, SecretEntry):
                self._enter(entry, seat)
            elif race is not None and entry.index == 0:
                # A second, impatient OK must not confirm anything.
                raise IllegalAnswer("Turn to what your die shows, then press OK.")
            elif shown and shown.due is not None:
                self.accept("buttons")
            elif self._layout.unmoved(entry) and self._layout.moves(now):
                # The arm reaching for the button may be moving over the board.
                raise IllegalAnswer("Something moves over the board. One moment, or turn < > to lay by hand.")
            elif (lies := self._layout.sure(entry)) is not None:
                self._write(Answer(seat, entry.n, lies), "buttons")
            elif isinstance(entry, AnswerEntry) and self._layout.doubtful(entry):
                # The display does not show the entry yet, so OK must not take a place of it.
                entry.touched = True
            elif entry.kind == "roll" and not entry.touched and not (shown and shown.faces):
                if self._may_reopen(seat):
                    self._press_wait(seat)
                    return
                # OK pressed twice must not enter a 1.
                raise IllegalAnswer("Throw the dice, or turn to what they show.")
            elif (value := entry.ok()) is not None:
                self.answer(seat, entry.n, value, "buttons")

    def _press_wait(self, seat: Seat) -> None:
        """Wait for a seat, unless its OK was still for what was asked before."""
        if self.clock() < max(self._stored, self._passed) + LATE:
            raise IllegalAnswer("That had counted already. Press OK again to wait.")
        self.wait(seat, source="buttons")

    def _enter(self, blind: SecretEntry, seat: Seat) -> None:
        """Take a secret entry. Whatever is wrong with it, everybody sees the same refusal."""
        value = blind.ok()
        with suppress(EngineError):
            if value is not None:
                self._write(Answer(seat, blind.n, value), "buttons")
                return
        raise IllegalAnswer(f"{self._side(seat)}: {blind.again}{blind.how}.")

    def _side(self, seat: Seat) -> str:
        """Return the side that a seat plays now, for people."""
        return seat_words(self._table.scoreboard(), seat)

    def back(self) -> bool:
        """Take back the last step that buttons entered, or a whole secret entry; before the first place of an
        arrangement, go back to what a camera sees. Returns False if there was nothing to take back."""
        with self._change():
            if self._entries.blank():
                self.show_notice("Choose again: what was not confirmed is forgotten.")
                return True
            entry = self._entries.shown
            if entry is None or entry.back():
                return entry is not None
            laying = self._layout.laying
            if laying is None or not self._layout.moved(entry):
                return False
            self._entries.lay(self._table, laying.seat, self._layout.start)
            return True
