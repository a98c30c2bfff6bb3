"""The rolls of a game: dice that a camera sees in the tray, the roll that is about to count, and its evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from device.storage.store import StoreError
from device.table import play_log
from device.table.entry.answer_entry import AnswerEntry
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import GameChange, LiveGame
from device.table.play_log import RollEvidence
from device.table.proposed_roll import ProposedRoll
from device.table.race.race import RaceControl
from device.table.throw_match import SeenThrow, has_expected_faces, match_reroll, match_roll
from engine.asks import Ask, Call, Choose, DiceAsk, Reroll, Secret
from engine.errors import EngineError, IllegalAnswer, StaleAnswer
from engine.journal import Answer, Source
from engine.views import CameraActivity, ProposalView
from vision.reading import DOUBT_ADVICE, READABLE_KINDS, DieReading
from vision.tray.at_rest import DiceAtRest


class Rolls:
    """The tray of `game` and the proposed roll, which counts after `show` seconds, 0 for at once.

    Dice set in motion during a `race` belong to that. What a roll shows is put into `entries`. Any thread may use it;
    what is read without a method may be used under the game's lock only.
    """

    def __init__(
        self, game: LiveGame, race: RaceControl, entries: SeatEntries, show: float, evidence: RollEvidence
    ) -> None:
        self._game, self._race, self._entries, self._show = game, race, entries, show
        self.evidence = evidence
        self.shown: ProposedRoll | None = None
        """The roll that is shown before it counts."""
        self.kinds = frozenset({"d6"})
        """The kinds of dice that a camera should look for: those of any seat's open asks, or else those of the last."""
        self.watching = CameraActivity("off", "No camera.")
        """What the dice camera is doing."""
        self.counted = -math.inf
        """When a roll last counted by itself, in seconds of the game's clock."""
        self._resting = DiceAtRest()
        self._opened: dict[int, float] = {}
        """When each open ask was opened."""
        self._outcome: tuple[object, str] = (None, "")
        """What the proposed roll would do, behind the roll and the place in the game that this was worked out for."""

    # From the camera ---------------------------------------------------------------------------------------------

    def handle_throw(self, seen: SeenThrow) -> None:
        """Take a throw that a camera saw. It counts if it is certain and was thrown for the open roll."""
        with self._game.publish_change():
            before, lay = self.shown, len(self._resting.dice or ())
            self._resting.update_dice(seen.reading.dice, seen.touched)
            if self._race.open is not None or seen.began < self._race.ended:
                return
            if notice := self._propose_roll(seen, lay):
                self._game.notices.show_notice(notice)
            if self.shown and self.shown is not before:
                self._start_entry()
                if self._show == 0:
                    self.accept_due_roll()

    def _propose_roll(self, seen: SeenThrow, lay: int) -> str | None:
        """Propose a throw if it fits the roll that is asked for; `lay` dice lay there before. Returns a notice, if any.

        Dice that were only touched change the proposed roll; once it has counted, they are not a throw. Taking dice out
        matters only while the tray holds more dice than the roll needs; then a person must confirm the rest.
        """
        asks = self._game.live.open_asks()
        fewer = seen.touched and len(seen.reading.dice) < lay
        roll = next(((n, ask) for n, ask in asks if isinstance(ask, DiceAsk)), None)
        if fewer and (self.shown is None or roll is None or lay <= len(roll[1].dice)):
            return None
        if roll is None:
            waiting = next((ask for _, ask in asks if isinstance(ask, Choose | Secret)), None)
            return "Choose first, then roll." if waiting else "No roll is needed right now."
        n, ask = roll
        if seen.touched and self.shown is None and not (isinstance(ask, Reroll) and self._resting.thrown_dice):
            if isinstance(ask, Reroll) and has_expected_faces(ask, self._resting):
                return None  # A player turned a die to match the rules' faces.
            covered = DOUBT_ADVICE["hand"] if seen.reading.doubt == "hand" else None
            return covered or "The dice were moved, not rolled: roll them."
        if seen.began < self._opened[n]:
            self._resting.start_counting()
            return "Rolled too early: roll again now."
        fit = (
            match_reroll(seen.reading, ask, self._resting) if isinstance(ask, Reroll) else match_roll(seen.reading, ask)
        )
        if fit.doubt is None and seen.touched and (fewer or self.shown is None):
            taken = "A die was removed: confirm what is left, or roll again."
            fit = fit._replace(doubt="turned", advice=taken if fewer else DOUBT_ADVICE["turned"])
        # A person is looking at these dice: they wait for that person even if they were nudged meanwhile.
        held = seen.touched and self.shown is not None and self.shown.held
        due = None if fit.doubt or held else self._game.clock() + self._show
        self.shown = ProposedRoll(n, ask.seat, seen, fit, due, self._show, held)
        return None

    def set_resting_dice(self, dice: Sequence[DieReading] | None) -> None:
        """Note the dice that a camera sees at rest and nobody threw; None: it is unknown what lies in the tray."""
        with self._game.lock:
            if dice is None:
                self._resting.forget_dice()
            else:
                self._resting.update_dice(dice)

    def set_camera_state(self, state: str, words: str) -> None:
        """Set what the dice camera is doing. In an empty tray, advice about the dice has had its time."""
        with self._game.lock:
            shown = self.shown
            if state == "empty" and shown is not None and shown.fit.advice is not None:
                self.shown = replace(shown, fit=shown.fit._replace(advice=None))
            if self.watching.state != state or self.shown is not shown:
                with self._game.publish_change():
                    if self.watching.state != state:
                        self.watching = CameraActivity(state, words)

    # The proposed roll -------------------------------------------------------------------------------------------

    @property
    def has_thrown_dice(self) -> bool:
        """True if dice are thrown already for what is asked now: a roll is shown, or somebody called in a race."""
        return self.shown is not None or self._race.has_call

    def accept_roll(self, source: Source = Source.PHONE) -> None:
        """Count the proposed roll now. Raises IllegalAnswer if there is none or a die of it is unknown."""
        with self._game.publish_change():
            shown = self.shown
            if shown is None:
                raise IllegalAnswer("No roll is shown.")
            self._entries.check_reroll(self._game.live, self._game.settings.managers, shown.n, shown.answer_value)
            self._game.submit_entry(Answer(shown.seat, shown.n, list(shown.answer_value)), source)

    def reject_roll(self, n: int | None = None) -> None:
        """Drop the proposed roll; the ask stays open. `n` names its ask. Raises StaleAnswer if it is another one."""
        with self._game.publish_change():
            self._require_shown(n)
            self.shown = None

    def stop_countdown(self, n: int) -> None:
        """Stop the countdown of the roll proposed for ask `n`: a person is looking at its dice. Raises StaleAnswer."""
        with self._game.lock:
            shown = self._require_shown(n)
            if not shown.held or shown.due is not None:
                with self._game.publish_change():
                    self.shown = replace(shown, due=None, held=True)

    def _require_shown(self, n: int | None) -> ProposedRoll:
        if self.shown is None or n not in (None, self.shown.n):
            raise StaleAnswer("That roll is no longer shown.")
        return self.shown

    def update_from_entry(self, entry: AnswerEntry) -> None:
        """Have the proposed roll take what a seat has entered for it; then it waits. The caller holds the lock."""
        if self.shown and self.shown.n == entry.n:
            faces = tuple(face for face in entry.entered_faces if face is not None)
            fit = self.shown.fit._replace(faces=faces, again=entry.rerolled_indexes)
            self.shown = replace(self.shown, fit=fit, due=None)

    def accept_due_roll(self) -> float:
        """Count a sure roll once its time is up; return the seconds until then, infinity if there is none."""
        with self._game.lock:
            now, shown = self._game.clock(), self.shown
            if shown is None or shown.due is None:
                return math.inf
            if now < shown.due:
                return shown.due - now
            with self._game.publish_change():
                try:
                    self.accept_roll(Source.CAMERA)
                    if self._show > 0:
                        self.counted = now
                except (EngineError, StoreError) as error:
                    fit = shown.fit._replace(doubt="unclear")
                    self.shown = replace(shown, fit=fit, refused=str(error), due=None)
        return 0.0

    # For the game ------------------------------------------------------------------------------------------------

    def handle_change(self, change: GameChange) -> None:
        """Keep the evidence of what was stored, and drop the roll of an ask that is gone."""
        game = self._game
        if change.another:
            self.evidence.clear_guesses()
            self.shown = None
        for place, entry, source in change.stored:
            self.evidence.store_evidence(game.number, game.live, place, entry, self.shown, source)
            if not isinstance(entry, Answer):
                self.shown = None
        asks, now = dict(game.live.open_asks()), game.clock()
        if change.new:
            # The dice may have been thrown for an ask that is gone.
            self._opened = {}
        if any(isinstance(ask, Reroll) and n not in self._opened for n, ask in asks.items()):
            self._resting.start_counting()
        self._opened = {n: self._opened.get(n, now) for n in asks}
        self.kinds = (
            frozenset(kind for ask in asks.values() for kind in _dice_kinds(ask)) & READABLE_KINDS or self.kinds
        )
        if self.shown and self.shown.n not in asks:
            self.shown = None
        self._start_entry()

    def _start_entry(self) -> None:
        """Start the entry of the seat whose roll is proposed with what the roll shows."""
        if shown := self.shown:
            self._entries.start_entry(self._game.live, shown.seat, shown.answer_value, shown.likely_faces)

    def proposal_view(self) -> ProposalView | None:
        """Return the proposed roll as everybody may see it. The caller holds the lock."""
        game, shown = self._game, self.shown
        if shown is None:
            return None
        roll = next(ask for n, ask in game.live.open_asks() if n == shown.n and isinstance(ask, DiceAsk))
        evidence = self.evidence.next_picture_name(game.number, game.live, shown)
        return shown.proposal_view(game.clock(), roll, evidence, self._predicted_result(shown))

    def _predicted_result(self, shown: ProposedRoll) -> str:
        """Return what the proposed roll would do. It is worked out once for its faces, not for every view."""
        about = (self._game.number, len(self._game.live.journal), shown.n, shown.answer_value)
        if self._outcome[0] != about:
            self._outcome = about, play_log.predicted_result(self._game.live, shown.n, list(shown.answer_value))
        return self._outcome[1]


def _dice_kinds(ask: Ask) -> list[str]:
    """Return the kinds of the dice that are thrown for an ask; empty if none are."""
    dice = ask.dice if isinstance(ask, DiceAsk) else (ask.die,) if isinstance(ask, Call) else ()
    return [die.kind for die in dice]
