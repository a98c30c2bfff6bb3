"""The rolls of a game: dice that a camera sees in the tray, the roll that is about to count, and its evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from device.storage.store import StoreError
from device.table import play_log
from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import Change, LiveGame
from device.table.play_log import RollEvidence
from device.table.proposed_roll import ProposedRoll, TrayRoll
from device.table.race.race import Race
from device.table.throw_match import SeenThrow
from engine.asks import Thrown
from engine.errors import EngineError, IllegalAnswer
from engine.journal import Answer, Source
from engine.views import ProposalView, Watching
from vision.reading import Die


class Rolls:
    """The tray of `game` and the proposed roll, which counts after `show` seconds, 0 for at once.

    Dice set in motion during a `race` belong to that. What a roll shows is put into `entries`. Any thread may use it;
    what is read without a method may be used under the game's lock only.
    """

    def __init__(self, game: LiveGame, race: Race, entries: SeatEntries, show: float, evidence: RollEvidence) -> None:
        self._game, self._race, self._entries, self._show = game, race, entries, show
        self.evidence = evidence
        self.watching = Watching("off", "No camera.")
        """What the dice camera is doing."""
        self.counted = -math.inf
        """When a roll last counted by itself, in seconds of the game's clock."""
        self._tray = TrayRoll(show)
        self._outcome: tuple[object, str] = (None, "")
        """What the proposed roll would do, behind the roll and the place in the game that this was worked out for."""

    # From the camera ---------------------------------------------------------------------------------------------

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of dice that a camera should look for."""
        return self._tray.kinds

    def saw(self, seen: SeenThrow) -> None:
        """Take a throw that a camera saw. It counts if it is certain and was thrown for the open roll."""
        game = self._game
        with game.change():
            before, ours = self._tray.shown, self._race.open is None and seen.began >= self._race.ended
            if notice := self._tray.see(seen, game.live if ours else None, game.clock()):
                game.notices.show(notice)
            if self._tray.shown and self._tray.shown is not before:
                self._lay()
                if self._show == 0:
                    self.count()

    def lie(self, dice: Sequence[Die] | None) -> None:
        """Note the dice that a camera sees at rest and nobody threw; None: it is unknown what lies in the tray."""
        with self._game.lock:
            self._tray.lie(dice)

    def watch(self, state: str, words: str) -> None:
        """Set what the dice camera is doing. In an empty tray, advice about the dice has had its time."""
        with self._game.lock:
            advised = state == "empty" and self._tray.pick_up()
            if advised or self.watching.state != state:
                with self._game.change():
                    if self.watching.state != state:
                        self.watching = Watching(state, words)

    # The proposed roll -------------------------------------------------------------------------------------------

    @property
    def shown(self) -> ProposedRoll | None:
        """The roll that is shown before it counts, if any."""
        return self._tray.shown

    @property
    def thrown(self) -> bool:
        """True if dice are thrown already for what is asked now: a roll is shown, or somebody called in a race."""
        return self.shown is not None or self._race.called

    def accept(self, source: Source = Source.PHONE) -> None:
        """Count the proposed roll now. Raises IllegalAnswer if there is none or a die of it is unknown."""
        with self._game.change():
            shown = self.shown
            if shown is None:
                raise IllegalAnswer("No roll is shown.")
            self._entries.check(self._game.live, self._game.settings.managers, shown.n, shown.value)
            self._game.write(Answer(shown.seat, shown.n, list(shown.value)), source)

    def reject(self, n: int | None = None) -> None:
        """Drop the proposed roll; the ask stays open. `n` names its ask. Raises StaleAnswer if it is another one."""
        with self._game.change():
            self._tray.reject(n)

    def hold(self, n: int) -> None:
        """Stop the countdown of the roll proposed for ask `n`: a person is looking at its dice. Raises StaleAnswer."""
        with self._game.lock:
            if self._tray.hold(n):
                self._game.touch()

    def turn(self, entry: AnswerEntry) -> None:
        """Have the proposed roll take what a seat has entered for it; then it waits. The caller holds the lock."""
        self._tray.turn(entry)

    def count(self) -> None:
        """Count a sure roll once its time is up. Call it about ten times a second."""
        with self._game.lock:
            now = self._game.clock()
            if shown := self._tray.due(now):
                with self._game.change():
                    try:
                        self.accept(shown.source)
                        if self._show > 0:
                            self.counted = now
                    except (EngineError, StoreError) as error:
                        self._tray.shown = replace(shown, doubt="unclear", refused=str(error), due=None)

    # For the game ------------------------------------------------------------------------------------------------

    def settle(self, change: Change) -> None:
        """Keep the evidence of what was stored, and drop the roll of an ask that is gone."""
        game = self._game
        if change.another:
            self._tray.drop()
            self.evidence.forget()
        for place, entry, source in change.stored:
            self.evidence.keep(game.number, game.live, place, entry, self.shown, source)
            if not isinstance(entry, Answer):
                self._tray.drop()
        self._tray.settle(dict(game.live.asks()), game.clock())
        self._lay()

    def _lay(self) -> None:
        """Start the entry of the seat whose roll is proposed with what the roll shows."""
        if shown := self.shown:
            self._entries.lay(self._game.live, shown.seat, shown.value, shown.likely)

    def view(self) -> ProposalView | None:
        """Return the proposed roll as everybody may see it. The caller holds the lock."""
        game, shown = self._game, self.shown
        if shown is None:
            return None
        roll = next(ask for n, ask in game.live.asks() if n == shown.n and isinstance(ask, Thrown))
        evidence = self.evidence.coming(game.number, game.live, shown)
        return shown.view(game.clock(), roll, evidence, self._outcome_of(shown))

    def _outcome_of(self, shown: ProposedRoll) -> str:
        """Return what the proposed roll would do. It is worked out once for its faces, not for every view."""
        about = (self._game.number, len(self._game.live.journal), shown.n, shown.value)
        if self._outcome[0] != about:
            self._outcome = about, play_log.outcome(self._game.live, shown.n, list(shown.value))
        return self._outcome[1]
