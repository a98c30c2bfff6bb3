"""Keeps one game: its table, its journal, and the roll that is about to count. Every hand and phone comes here.

An answer is checked by the table, made durable in the store, and only then shown: subscribers hear of nothing that a
power cut could take back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from device.inputs.roll_samples import RollSamples
from device.storage.roll_pictures import RollPictures
from device.storage.store import Store, StoreError
from device.table import play_log
from device.table.answer_entry import AnswerEntry
from device.table.board_layout import BoardLayout, LayoutAsk
from device.table.house_turns import decided, drawn
from device.table.notices import Notices
from device.table.proposed_roll import SeenThrow
from device.table.race import OpenRace
from device.table.roll_evidence import RollEvidence
from device.table.seat_entries import SeatEntries
from device.table.secret_entry import SecretEntry
from device.table.tray_roll import TrayRoll
from engine.asks import Thrown
from engine.errors import EngineError, IllegalAnswer, StaleAnswer, WrongSeat
from engine.journal import Amend, Answer, Entry, Undo
from engine.seats import Seat
from engine.table import Table
from vision.matching import Wanted
from vision.reading import Die
from vision.tray.tracker import ShownDie

if TYPE_CHECKING:
    from vision.board.read import Layout

LATE = 0.5
"""Seconds in which a press is for what was shown before, not for what took its place by itself."""

RETRY = 2.0
"""Seconds after which a verdict that the disk would not keep is tried again."""


class Session(Notices):
    """One game in play, safe to use from any thread: the store's last one, or the one that `begin` makes.

    `show` is how many seconds a sure roll is shown before it counts, 0 for at once. `clock` gives seconds that only
    grow. Methods that change the game raise engine.errors.EngineError when refused and StoreError when the disk
    will not keep it; either way nothing has changed.
    """

    def __init__(
        self,
        store: Store,
        begin: Callable[[], Table],
        *,
        show: float = 1.5,
        clock: Callable[[], float] = time.monotonic,
        evidence: RollPictures | None = None,
        lessons: RollSamples | None = None,
    ) -> None:
        super().__init__(clock)
        self._store, self._show = store, show
        self._proof = RollEvidence(evidence, lessons)
        self._felt = TrayRoll(show)
        self._dials = SeatEntries()
        self._race: OpenRace | None = None
        self._field = BoardLayout()
        self._ended = self._passed = -math.inf
        saved = store.latest()
        if saved is not None and saved.table is not None:
            self._game, self._table = saved.id, saved.table
        else:
            self._table = begin()
            self._game = store.begin(self._table)
        troubles = [trouble for trouble in (saved and saved.trouble, store.trouble) if trouble]
        if troubles:
            self._missing["the last game"] = " ".join(troubles)
        self._settle()

    # Answering ---------------------------------------------------------------------------------------------------

    def answer(self, seat: Seat, n: int, value: Any, source: str) -> None:
        """Answer ask `n` for `seat`; `source` says which hand it came from.

        A call in a race is answered only where the table is asked what its die showed: by any face of it, or by
        `device.table.race.FALSE`. The source "operator" may say so at any time, called or not. What chance decides
        only the source "house" answers.
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
        """Take back answer `n` and all after it, and say so; None: the last of a person. Raises IllegalAnswer if there
        is none, and StaleAnswer where the table is not at `version` any more."""
        with self._change():
            self._still(version)
            if n is None and (n := decided(self._table)) is None:
                raise IllegalAnswer("There is nothing to take back.")
            stood, hidden = list(self._table.answers), self._table.hidden()
            self._write(Undo(n), source)
            stands = {one.n for one in self._table.answers}
            self.tell(play_log.back(self._table, [one for one in stood if one.n not in stands], hidden))

    def amend(self, n: int, value: Any, source: str = "phone", version: int | None = None) -> None:
        """Correct answer `n`, keeping what still fits. Of a roll the last play does not tell of, that is said.
        `version` as of `undo`."""
        with self._change():
            self._still(version)
            last = self._table.last()
            self._write(Amend(n, value), source)
            one = next(one for one in self._table.answers if one.n == n)
            if isinstance(one.ask, Thrown) and self._table.last() == last:
                self.tell(f"A roll was corrected: it is {play_log.words(self._table, one)}.")

    def _still(self, version: int | None) -> None:
        """What was looked at is what there is. Raises StaleAnswer."""
        if version not in (None, len(self._table.journal)):
            raise StaleAnswer("The game went on: look again.")

    def new_game(self, table: Table) -> None:
        """Put the game on the table aside and begin another."""
        with self._change():
            self._lay(self._store.begin(table), table)

    def take(self, game: int) -> bool:
        """Put the game on the table aside and play on in one that was put aside; False where there is none of that
        number. Raises IllegalAnswer where it is over, cannot be read, or is on the table."""
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
            self._lay(game, saved.table)
        return True

    def _lay(self, game: int, table: Table) -> None:
        self._game, self._table = game, table
        self._felt.drop()
        self._proof.forget()
        self._settle(new=True)

    def _write(self, entry: Entry, source: str) -> None:
        table, length = self._table, len(self._table.journal)
        try:
            table.write(entry)
            self._store.append(self._game, table, source)
        except EngineError:
            raise
        except Exception as error:
            # Neither a disk that fails nor a fault in the rules may leave half a play behind.
            self._table = Table(table.game, table.decks, table.house, table.journal[:length])
            self._settle()
            self.miss("journal", str(error) or type(error).__name__)
            raise
        self.miss("journal", None)
        self._proof.keep(self._game, table, entry, self._felt.shown, source)
        if source != "house":
            self._notice = None
        if not isinstance(entry, Answer):
            self._felt.drop()
        self._settle(new=not isinstance(entry, Answer))

    def _settle(self, new: bool = False) -> None:
        """After a change: forget what no longer has an open ask, or everything, and lay the dial on the first one."""
        asks = dict(self._table.asks())
        now = self.clock()
        self._felt.settle(asks, now)
        self._dials.settle(self._table, keep=not new)
        if shown := self._felt.shown:
            self._dials.lay(self._table, shown.seat, shown.value, shown.likely)
        self._field.settle(self._table, now, new)
        if self._race is not None and (new or not asks.keys() & self._race.n.values()):
            self._race, self._ended, self._passed = None, now, now
        if self._race is None:
            self._race = OpenRace.of(asks.items(), self._table.house, now)

    # The roll that is about to count -----------------------------------------------------------------------------

    def saw(self, seen: SeenThrow) -> None:
        """A camera saw a throw. It counts when it is sure and was thrown for the roll that is asked.

        Dice that came into motion during a race are that race's, and nothing is said of them.
        """
        with self._change():
            before, ours = self._felt.shown, self._race is None and seen.began >= self._ended
            if notice := self._felt.see(seen, self._table if ours else None, self.clock()):
                self.tell(notice)
            shown = self._felt.shown
            if shown and shown is not before:
                self._dials.lay(self._table, shown.seat, shown.value, shown.likely)
                if self._show == 0:
                    self.tick()

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of dice that a camera is to look for."""
        return self._felt.kinds

    def lie(self, dice: Sequence[Die] | None) -> None:
        """A camera sees these dice lie that nobody threw; with None nobody knows what lies there now."""
        with self._lock:
            self._felt.lie(dice)

    def accept(self, source: str = "phone") -> None:
        """Let the shown roll count now. Raises IllegalAnswer when none is shown or a die of it is not known."""
        with self._change():
            shown = self._felt.shown
            if shown is None:
                raise IllegalAnswer("No roll is shown.")
            self._write(Answer(shown.seat, shown.n, list(shown.value)), source)

    def reject(self, n: int | None = None) -> None:
        """Drop the shown roll, for ask `n` where it is named; it is asked for again. Raises StaleAnswer."""
        with self._change():
            self._felt.reject(n)

    def hold(self, n: int) -> None:
        """Let the roll that is shown for ask `n` wait for a person, who looks at its dice. Raises StaleAnswer."""
        with self._change():
            self._felt.hold(n)

    def tick(self) -> None:
        """Let a sure roll count once its time is up, and old notices go. Call it about ten times a second."""
        with self._lock:
            self._judge()
            now = self.clock()
            over = self._felt.due(now) is not None
        self.hush()
        if over:
            with self._change():
                if shown := self._felt.due(now):
                    try:
                        self.accept(shown.source)
                        if self._show > 0:
                            self._passed = now
                    except (EngineError, StoreError) as error:
                        self._felt.shown = replace(shown, doubt="unclear", advice=str(error), due=None)

    # The race ----------------------------------------------------------------------------------------------------

    @property
    def racing(self) -> Mapping[Seat, Wanted] | None:
        """The dice of the race that is open, by seat: another object for each race; None while there is none."""
        race = self._race
        return None if race is None else race.wanted

    def call(self, seat: Seat, n: int, when: float, source: str) -> None:
        """A seat called out in the race that ask `n` is open for, at `when` seconds of the session's clock."""
        with self._change():
            race = self._race
            if race is None or n not in race.n.values():
                raise StaleAnswer("No race is on.")
            if race.n.get(seat) != n:
                raise WrongSeat("That is for the other side to call.")
            race.call(seat, when, source)
            self._judge()

    def follow(self, when: float, shown: Mapping[Seat, ShownDie]) -> None:
        """A camera saw, at `when` seconds of the session's clock, what the dice of the race show."""
        with self._lock:
            if self._race is None:
                return
            for seat in self._race.n.keys() & shown.keys():
                self._race.referee.see(seat, when, shown[seat])
            self._judge()

    def _judge(self) -> None:
        """Let a verdict count, and show how the race stands where that changed."""
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
                    self._notice = (str(error), race.hold)
        elif race.look(now):
            with self._change():
                if race.dial is not self._dials.shown:
                    self._dials.put(race.asking, race.dial)

    # The board ---------------------------------------------------------------------------------------------------

    @property
    def laying(self) -> LayoutAsk | None:
        """The pieces that are to be laid on the printed board, another object each time; None while none are."""
        return self._field.laying

    def lies(self, laying: LayoutAsk, layout: Layout | None) -> None:
        """A camera sees what lies at rest for `laying`, or that something moves (None). It waits for a person's OK."""
        with self._lock:
            if self._field.see(laying, layout, self.clock()):
                with self._change():
                    if self._field.unmoved(self._dials.of(self._table, laying.seat)):
                        self._dials.lay(self._table, laying.seat, self._field.start)

    # The dials: what the buttons point at ------------------------------------------------------------------------

    def turn(self, seat: Seat, step: int) -> None:
        """Move a seat's dial by `step` (-1 or 1). A shown roll stays shown and waits to be confirmed.

        Of a secret's dial nobody could see that it is turned, nor how often: not even the version rises.
        """
        with self._lock:
            dial = self._dials.of(self._table, seat)
            if step < 0:
                dial.previous()
            else:
                dial.next()
            if isinstance(dial, SecretEntry) or dial.secret:
                return
            with self._change():
                self._dials.shown = dial
                self._felt.turn(dial)

    def press(self, seat: Seat, when: float | None = None) -> None:
        """A seat's OK: take what its dial points at. In a race it is the call, made at `when` seconds (None: now)."""
        with self._change():
            race = self._race
            if race is not None and seat in race.n and race.asking != seat:
                self.call(seat, race.n[seat], self.clock() if when is None else when, "buttons")
                return
            dial, now = self._dials.of(self._table, seat), self.clock()
            roll = self._felt.shown
            shown = roll if roll and roll.n == dial.n else None
            if now < self._passed + LATE and not (isinstance(dial, AnswerEntry) and dial.touched):
                # OK for a roll or a race that ended by itself just now must answer nothing that is asked since.
                raise IllegalAnswer("That had counted already. Press OK again for what is asked now.")
            if isinstance(dial, SecretEntry):
                self._enter(dial, seat)
            elif race is not None and dial.index == 0:
                # OK pressed again for impatience must confirm nothing.
                raise IllegalAnswer("Turn to what your die shows, then press OK.")
            elif shown and shown.due is not None:
                self.accept("buttons")
            elif self._field.unmoved(dial) and self._field.moves(now):
                # The arm that reaches for the button may move over the board.
                raise IllegalAnswer("Something moves over the board. One moment, or turn < > to lay by hand.")
            elif (lies := self._field.sure(dial)) is not None:
                self._write(Answer(seat, dial.n, lies), "buttons")
            elif dial.kind == "roll" and not dial.touched and not (shown and shown.faces):
                # OK pressed twice must not throw a die of 1.
                raise IllegalAnswer("Throw the dice, or turn to what they show.")
            elif (value := dial.ok()) is not None:
                self.answer(seat, dial.n, value, "buttons")

    def _enter(self, blind: SecretEntry, seat: Seat) -> None:
        """Take what was entered blindly; whatever is wrong with it, the refusal tells everyone the same."""
        value = blind.ok()
        with suppress(EngineError):
            if value is not None:
                self._write(Answer(seat, blind.n, value), "buttons")
                return
        raise IllegalAnswer(f"{seat.capitalize()}: {blind.again}{blind.how}.")

    def back(self) -> bool:
        """Take back the last of several dice or places that were turned to, or all that was entered blindly; before the
        first place, go back to what a camera sees lie.

        Returns whether there was anything.
        """
        with self._change():
            if self._dials.blank():
                self.tell("Choose again: what was not confirmed is forgotten.")
                return True
            dial = self._dials.shown
            if dial is None or dial.back():
                return dial is not None
            laying = self._field.laying
            if laying is None or not self._field.moved(dial):
                return False
            self._dials.lay(self._table, laying.seat, self._field.start)
            return True

    # Reading -----------------------------------------------------------------------------------------------------

    @property
    def counting(self) -> bool:
        """Whether a roll is shown whose time is running."""
        return self._felt.shown is not None and self._felt.shown.due is not None

    @property
    def table(self) -> Table:
        """The table, to be read under no lock: a twin of it."""
        return self.game[1]

    @property
    def game(self) -> tuple[int, Table]:
        """The number of the game in the store, and its table as `table` gives it."""
        with self._lock:
            return self._game, self._table.clone()

    def view(self, seat: Seat | None) -> dict[str, Any]:
        """The whole small view of one audience (None: spectators)."""
        with self._lock:
            table = self._table
            log = table.log.read()
            start = max(*log.halves[-1:], *log.games[-1:], 0, 0)
            return {
                "game": {"key": table.game.key, "title": table.game.title},
                "table": table.view(seat),
                "undone": table.undone,
                "plays": self._lines(start),
                "proposal": self._shown(),
                "dial": self._dials.view(),
                "race": self._race.shown if self._race else None,
                "layout": self._field.shown(self._dials.shown),
            } | self.said()

    def _shown(self) -> dict[str, Any] | None:
        shown = self._felt.shown
        if shown is None:
            return None
        roll = next(ask for n, ask in self._table.asks() if n == shown.n and isinstance(ask, Thrown))
        dice = self._table.show(shown.n, roll, None)["dice"]
        proof = self._proof.coming(self._game, self._table, shown)
        return shown.shown(self.clock(), roll, dice) | {"evidence": proof}

    def plays(self) -> list[dict[str, Any]]:
        """The whole play log."""
        with self._lock:
            return self._lines()

    def _lines(self, start: int = 0) -> list[dict[str, Any]]:
        table = self._table
        first = table.log[start].n if start < len(table.log) else 0
        return play_log.lines(table, self._proof.names(self._game, table, first), self._proof.typed, start)

    def picture(self, name: str) -> bytes | None:
        """The picture that `evidence` names, a JPEG; None when there is none, or none any more."""
        with self._lock:
            shown = self._felt.shown
            if shown and name == self._proof.coming(self._game, self._table, shown):
                return shown.picture
            return self._proof.find(name)

    def rolls(self, most: int | None = None) -> list[dict[str, Any]]:
        """The rolls that stand, newest first, at most so many."""
        with self._lock:
            return play_log.rolls(self._table, self._proof.names(self._game, self._table), self._proof.guesses, most)

    def preview(self, n: int, value: Any) -> dict[str, Any]:
        """What `amend` would change."""
        with self._lock:
            return play_log.preview(self._table, n, value)
