"""The rolls of a game: dice that a camera sees in the tray, the proposed roll, and its evidence."""

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

    Dice thrown during a `race` belong to it. A roll's faces start the entry in `entries`. Any thread may call the
    methods. Attributes and properties need the game's lock.
    """

    def __init__(
        self, game: LiveGame, race: RaceControl, entries: SeatEntries, show: float, evidence: RollEvidence
    ) -> None:
        self._game, self._race, self._entries, self._proposal_seconds = game, race, entries, show
        self.evidence = evidence
        self.shown: ProposedRoll | None = None
        """The proposed roll, or None."""
        self.kinds = frozenset({"d6"})
        """Kinds of dice that a camera should detect, from the open asks, or else from the last ones."""
        self.watching = CameraActivity("off", "No camera.")
        """State of the dice camera."""
        self.counted = -math.inf
        """When a roll last counted by itself, in seconds of the game's clock."""
        self._resting = DiceAtRest()
        self._opened: dict[int, float] = {}
        """When each open ask was opened."""
        self._outcome: tuple[object, str] = (None, "")
        """Predicted result of the proposed roll, cached with the roll and the game's position."""

    # From the camera ---------------------------------------------------------------------------------------------

    def handle_throw(self, seen: SeenThrow) -> None:
        """Handle a throw that a camera saw. It counts if it is certain and was thrown for the open roll."""
        with self._game.publish_change():
            before, lay = self.shown, len(self._resting.dice or ())
            self._resting.update_dice(seen.reading.dice, seen.touched)
            if self._race.open is not None or seen.began < self._race.ended:
                return
            if notice := self._propose_roll(seen, lay):
                self._game.notices.show_notice(notice)
            if self.shown and self.shown is not before:
                self._start_entry()
                if self._proposal_seconds == 0:
                    self.accept_due_roll()

    def _propose_roll(self, seen: SeenThrow, lay: int) -> str | None:
        """Propose a throw if it fits the open roll. `lay` is the count of dice before it. Returns a notice, if any.

        Touched dice change the proposed roll. After it has counted, they are not a throw. Removing dice matters only
        while the tray holds more than the roll needs, and a person must then confirm the rest.
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
        # A person is looking at these dice, so they wait for a confirmation even if nudged meanwhile.
        held = seen.touched and self.shown is not None and self.shown.held
        due = None if fit.doubt or held else self._game.clock() + self._proposal_seconds
        self.shown = ProposedRoll(n, ask.seat, seen, fit, due, self._proposal_seconds, held)
        return None

    def set_resting_dice(self, dice: Sequence[DieReading] | None) -> None:
        """Set the dice that a camera sees at rest and nobody threw. None if the tray's contents are unknown."""
        with self._game.lock:
            if dice is None:
                self._resting.forget_dice()
            else:
                self._resting.update_dice(dice)

    def set_camera_state(self, state: str, words: str) -> None:
        """Set the state of the dice camera. An empty tray clears the advice about the dice."""
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
        """True if the dice of the open ask are already thrown: a roll is proposed, or a race has a call."""
        return self.shown is not None or self._race.has_call

    def accept_roll(self, source: Source = Source.PHONE) -> None:
        """Count the proposed roll now. Raises IllegalAnswer if there is none or one of its dice is unknown."""
        with self._game.publish_change():
            shown = self.shown
            if shown is None:
                raise IllegalAnswer("No roll is shown.")
            self._entries.check_reroll(self._game.live, self._game.settings.managers, shown.n, shown.answer_value)
            self._game.submit_entry(Answer(shown.seat, shown.n, list(shown.answer_value)), source)

    def reject_roll(self, n: int | None = None) -> None:
        """Discard the proposed roll of ask `n` (None: any). The ask stays open. Raises StaleAnswer for another ask."""
        with self._game.publish_change():
            self._require_shown(n)
            self.shown = None

    def stop_countdown(self, n: int) -> None:
        """Stop the countdown of ask `n`'s roll, because a person is looking at its dice. Raises StaleAnswer."""
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
        """Update the proposed roll from a seat's entry. It then waits. The caller holds the lock."""
        if self.shown and self.shown.n == entry.n:
            faces = tuple(face for face in entry.entered_faces if face is not None)
            fit = self.shown.fit._replace(faces=faces, again=entry.rerolled_indexes)
            self.shown = replace(self.shown, fit=fit, due=None)

    def accept_due_roll(self) -> float:
        """Count a certain roll when its time is up. Returns the seconds until then, infinity if there is none."""
        with self._game.lock:
            now, shown = self._game.clock(), self.shown
            if shown is None or shown.due is None:
                return math.inf
            if now < shown.due:
                return shown.due - now
            with self._game.publish_change():
                try:
                    self.accept_roll(Source.CAMERA)
                    if self._proposal_seconds > 0:
                        self.counted = now
                except (EngineError, StoreError) as error:
                    fit = shown.fit._replace(doubt="unclear")
                    self.shown = replace(shown, fit=fit, refused=str(error), due=None)
        return 0.0

    # For the game ------------------------------------------------------------------------------------------------

    def handle_change(self, change: GameChange) -> None:
        """Store the evidence of new entries, and discard the proposed roll of a closed ask."""
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
            # The dice may have been thrown for an ask that no longer exists.
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
        if shown := self.shown:
            self._entries.start_entry(self._game.live, shown.seat, shown.answer_value, shown.likely_faces)

    def proposal_view(self) -> ProposalView | None:
        """Public view of the proposed roll. The caller holds the lock."""
        game, shown = self._game, self.shown
        if shown is None:
            return None
        roll = next(ask for n, ask in game.live.open_asks() if n == shown.n and isinstance(ask, DiceAsk))
        evidence = self.evidence.next_picture_name(game.number, game.live, shown)
        return shown.proposal_view(game.clock(), roll, evidence, self._predicted_result(shown))

    def _predicted_result(self, shown: ProposedRoll) -> str:
        """Predicted result of the proposed roll, computed once for its faces."""
        about = (self._game.number, len(self._game.live.journal), shown.n, shown.answer_value)
        if self._outcome[0] != about:
            self._outcome = about, play_log.predicted_result(self._game.live, shown.n, list(shown.answer_value))
        return self._outcome[1]


def _dice_kinds(ask: Ask) -> list[str]:
    dice = ask.dice if isinstance(ask, DiceAsk) else (ask.die,) if isinstance(ask, Call) else ()
    return [die.kind for die in dice]
