"""The rolls of a game: dice that a camera sees in the tray, the proposed roll, and its evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from device.storage.store import StoreError
from device.table import play_log
from device.table.entry.answer_entry import AnswerEntry, dice_text
from device.table.entry.seat_entries import SeatEntries
from device.table.live_game import TABLE_ROLLS_TEXT, GameChange, LiveGame
from device.table.play_log import RollEvidence
from device.table.proposed_roll import ProposedRoll
from device.table.race.race import RaceControl
from device.table.throw_match import RollMatch, SeenThrow, has_expected_faces, match_reroll, match_roll
from engine.asks import Ask, Call, Choose, DiceAsk, Reroll, Secret
from engine.dice import Face
from engine.errors import EngineError, IllegalAnswer, StaleAnswer
from engine.journal import Answer, Source
from engine.seats import Seat
from engine.views import CameraActivity, ProposalView
from vision.matching import kind_name
from vision.reading import DOUBT_ADVICE, READABLE_KINDS, DieReading, Reading
from vision.tray.at_rest import DiceAtRest, are_unmoved

MAX_FRAME_DELAY_S = 1.0
"""Seconds for which a due roll waits for a frame that still shows its dice at rest. Then a person must confirm it."""

PICKED_UP_ADVICE = "The dice were picked up before the roll counted: confirm, or roll again."
UNSEEN_ADVICE = "The camera stopped before the roll counted: check the dice, then confirm."


class Rolls:
    """The tray of `game` and the proposed roll, which counts after `show` seconds, 0 for at once.

    A certain roll counts with the first frame at the end of its countdown that still shows its dice at rest. Motion
    stops the countdown. Dice that rest again as before continue it, others are read and start their own.

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
        self._still_at = -math.inf
        """When the newest frame with dice at rest was taken."""
        self._counted_words: str | None = None
        """The last entry in words, if it is a roll that counted by itself."""
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

    def handle_resting_dice(self, reading: Reading) -> None:
        """Handle a reading of dice at rest that nobody threw. Dice that lie as before continue a stopped countdown."""
        with self._game.lock:
            shown = self.shown
            if shown is None or shown.left is None:
                self.set_resting_dice(reading.dice)
            elif reading.is_sure and are_unmoved(shown.seen.reading.dice, reading.dice):
                self.set_resting_dice(reading.dice)
                with self._game.publish_change():
                    self.shown = shown.continue_countdown(self._game.clock())
            else:
                self.handle_throw(replace(shown.seen, reading=reading, touched=True, by_hand=True))

    def _propose_roll(self, seen: SeenThrow, lay: int) -> str | None:
        """Propose a throw if it fits the open roll. `lay` is the count of dice before it. Returns a notice, if any.

        Touched dice change the proposed roll. After it has counted, they are not a throw. Removing dice matters only
        while the tray holds more than the roll needs, or before it has counted, and a person must then confirm the
        rest. So they must if a hand was at the dice of a certain roll. One that topples by itself is still thrown.
        """
        before = self.shown
        asks = self._game.live.open_asks()
        fewer = seen.touched and len(seen.reading.dice) < lay
        roll = next(((n, ask) for n, ask in asks if isinstance(ask, DiceAsk)), None)
        settings = self._game.settings
        if roll is not None and settings.table_rolls and roll[1].seat in settings.managers:
            return None if seen.touched or not seen.reading.dice else TABLE_ROLLS_TEXT
        if fewer and (before is None or roll is None or lay <= len(roll[1].dice)):
            if before is not None and before.is_certain:
                self.shown = before.wait_for_person("turned", PICKED_UP_ADVICE)
            return None
        if roll is None and seen.touched:
            return self._moved_notice(seen.reading)
        if roll is None:
            if not seen.reading.dice:
                return None  # Whatever came to rest, nobody asked for dice.
            waiting = next((ask for _, ask in asks if isinstance(ask, Choose | Secret)), None)
            return "Choose first, then roll." if waiting else "No roll is needed right now."
        if seen.reading.doubt == "none":
            return "Nothing is in the tray: roll again, or type the roll." if self.shown is None else None
        n, ask = roll
        if seen.touched and before is None and not (isinstance(ask, Reroll) and self._resting.thrown_dice):
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
        if fit.doubt is None and seen.touched and (fewer or before is None):
            taken = "A die was removed: confirm what is left, or roll again."
            fit = fit._replace(doubt="turned", advice=taken if fewer else DOUBT_ADVICE["turned"])
        elif before is not None and before.is_certain and before.n == n:
            fit = _explain_change(before, ask, fit, seen)
        # A person is looking at these dice, so they wait for a confirmation even if nudged meanwhile.
        held = seen.touched and before is not None and before.held
        due = None if fit.doubt or held else self._game.clock() + self._proposal_seconds
        self.shown = ProposedRoll(n, ask.seat, seen, fit, due, self._proposal_seconds, held)
        return None

    def _moved_notice(self, reading: Reading) -> str:
        """Say why touched dice do nothing while no roll is open."""
        if reading.doubt == "hand":
            return DOUBT_ADVICE["hand"]
        if self._counted_words is None:
            return "The dice were moved, not rolled."
        return f"The dice moved after their roll had counted: it stays {self._counted_words}."

    def set_resting_dice(self, dice: Sequence[DieReading] | None) -> None:
        """Set the dice that a camera sees at rest and nobody threw. None if the tray's contents are unknown."""
        with self._game.lock:
            if dice is None:
                self._resting.forget_dice()
            else:
                self._resting.update_dice(dice)

    def set_camera_state(self, state: str, words: str, when: float = -math.inf) -> None:
        """Set the state of the dice camera in its newest frame, taken at `when` seconds of the game's clock.

        Motion and hands stop the countdown at once. Dice at rest let a due roll count. An empty tray clears the advice
        about the dice.
        """
        with self._game.lock:
            shown = self.shown
            if state == "settled":
                self._still_at = when
            if shown is not None:
                self.shown = _roll_after_state(shown, state, self._game.clock())
            if self.watching.state != state or self.shown is not shown:
                with self._game.publish_change():
                    if self.watching.state != state:
                        self.watching = CameraActivity(state, words)
            if self.shown and self.shown.due is not None and self._still_at >= self.shown.due:
                self.accept_due_roll()

    # From a phone ------------------------------------------------------------------------------------------------

    def photographed_kinds(self, n: int) -> frozenset[str]:
        """Kinds of dice to look for in a photograph for ask `n`. Raises StaleAnswer if it asks for no dice now, and
        IllegalAnswer if none of its dice can be read."""
        with self._game.lock:
            asked = frozenset(die.kind for die in self._require_dice_ask(n).dice)
        if not asked & READABLE_KINDS:
            raise IllegalAnswer(f"I can't read a {kind_name(min(asked))}: enter it.")
        return asked & READABLE_KINDS

    def propose_photograph(self, n: int, seen: SeenThrow) -> None:
        """Propose the dice of a photograph for ask `n`, in place of any roll that is shown. Raises StaleAnswer.

        It waits for a person even if it is certain: no later frame can show that its dice still lie there, nor that
        it is a picture of this roll.
        """
        with self._game.publish_change():
            ask = self._require_dice_ask(n)
            fit = (
                match_reroll(seen.reading, ask, DiceAtRest())
                if isinstance(ask, Reroll)
                else match_roll(seen.reading, ask)
            )
            self.shown = ProposedRoll(n, ask.seat, seen, fit, None, self._proposal_seconds)
            self._start_entry()

    def _require_dice_ask(self, n: int) -> DiceAsk:
        ask = dict(self._game.live.open_asks()).get(n)
        if not isinstance(ask, DiceAsk):
            raise StaleAnswer("These dice are no longer asked for.")
        return ask

    # The proposed roll -------------------------------------------------------------------------------------------

    @property
    def has_thrown_dice(self) -> bool:
        """True if the dice of the open ask are already thrown: a roll is proposed, or a race has a call."""
        return self.shown is not None or self._race.has_call

    def propose_table_roll(self, seat: Seat, n: int, value: Sequence[Face | None], version: int) -> None:
        """Show a roll that the table made for the computer of `seat`. It counts after the countdown.

        value: the answer to ask `n`, None for each die of a reroll that stays.

        Raises StaleAnswer unless the table is still at `version`.
        """
        with self._game.publish_change():
            self._game.check_version(version)
            ask, now = dict(self._game.live.open_asks())[n], self._game.clock()
            fit = RollMatch(tuple(face for face in value if face is not None), None, None, ())
            if isinstance(ask, Reroll):
                again = tuple(place for place, face in enumerate(value) if face is not None)
                fit = fit._replace(faces=ask.faces_after(value), again=again)
            due, seen = now + self._proposal_seconds, SeenThrow(Reading((), None, 0.0), now)
            self.shown = ProposedRoll(n, seat, seen, fit, due, self._proposal_seconds, by_table=True)

    def accept_roll(self, source: Source = Source.PHONE) -> None:
        """Count the proposed roll now. Raises IllegalAnswer if there is none or one of its dice is unknown."""
        with self._game.publish_change():
            shown = self.shown
            if shown is None:
                raise IllegalAnswer("No roll is shown.")
            self._entries.check_reroll(self._game.live, self._game.settings.managers, shown.n, shown.answer_value)
            self._game.submit_entry(Answer(shown.seat, shown.n, list(shown.answer_value)), source)

    def reject_roll(self, n: int | None = None) -> None:
        """Discard the proposed roll of ask `n` (None: any). The ask stays open.

        Raises StaleAnswer for another ask, IllegalAnswer for a roll that the table made.
        """
        with self._game.publish_change():
            self._require_shown(n)
            self.shown = None

    def stop_countdown(self, n: int) -> None:
        """Stop the countdown of ask `n`'s roll, because a person looks at its dice. Raises as `reject_roll` does."""
        with self._game.lock:
            shown = self._require_shown(n)
            if not shown.held or shown.is_certain:
                with self._game.publish_change():
                    self.shown = replace(shown, due=None, left=None, held=True)

    def _require_shown(self, n: int | None) -> ProposedRoll:
        if self.shown is None or n not in (None, self.shown.n):
            raise StaleAnswer("That roll is no longer shown.")
        if self.shown.by_table:
            raise IllegalAnswer(TABLE_ROLLS_TEXT)
        return self.shown

    def update_from_entry(self, entry: AnswerEntry) -> None:
        """Update the proposed roll from a seat's entry. It then waits. The caller holds the lock."""
        if self.shown and self.shown.n == entry.n and not self.shown.by_table:
            faces = tuple(face for face in entry.entered_faces if face is not None)
            fit = self.shown.fit._replace(faces=faces, again=entry.rerolled_indexes)
            self.shown = replace(self.shown, fit=fit, due=None, left=None)

    def accept_due_roll(self) -> float:
        """Count a certain roll when its time is up and a frame taken since then shows its dice at rest.

        Without such a frame for `MAX_FRAME_DELAY_S`, a person must confirm it. Returns the seconds until the next call,
        infinity if there is no such roll.
        """
        with self._game.lock:
            now, shown = self._game.clock(), self.shown
            if shown is None or shown.due is None:
                return math.inf
            if now < shown.due:
                return shown.due - now
            if self._still_at < shown.due and not shown.by_table:
                if now < shown.due + MAX_FRAME_DELAY_S:
                    return shown.due + MAX_FRAME_DELAY_S - now
                with self._game.publish_change():
                    self.shown = shown.wait_for_person("moving", UNSEEN_ADVICE)
                return math.inf
            words = self._dice_words(shown)
            with self._game.publish_change():
                try:
                    self.accept_roll(shown.source)
                    self._counted_words = None if shown.by_table else words
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
        if change.another or change.stored:
            self._counted_words = None
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
        if (shown := self.shown) and not shown.by_table:
            self._entries.start_entry(self._game.live, shown.seat, shown.answer_value, shown.likely_faces)

    def proposal_view(self) -> ProposalView | None:
        """Public view of the proposed roll. The caller holds the lock."""
        game, shown = self._game, self.shown
        if shown is None:
            return None
        roll = next(ask for n, ask in game.live.open_asks() if n == shown.n and isinstance(ask, DiceAsk))
        evidence = self.evidence.next_picture_name(game.number, game.live, shown)
        return shown.proposal_view(game.clock(), roll, evidence, self._predicted_result(shown))

    def _dice_words(self, shown: ProposedRoll) -> str:
        ask = dict(self._game.live.open_asks())[shown.n]
        return dice_text(ask.dice, shown.fit.faces) if isinstance(ask, DiceAsk) else ""

    def _predicted_result(self, shown: ProposedRoll) -> str:
        """Predicted result of the proposed roll, computed once for its faces."""
        about = (self._game.number, len(self._game.live.journal), shown.n, shown.answer_value)
        if self._outcome[0] != about:
            self._outcome = about, play_log.predicted_result(self._game.live, shown.n, list(shown.answer_value))
        return self._outcome[1]


def _dice_kinds(ask: Ask) -> list[str]:
    dice = ask.dice if isinstance(ask, DiceAsk) else (ask.die,) if isinstance(ask, Call) else ()
    return [die.kind for die in dice]


def _roll_after_state(shown: ProposedRoll, state: str, now: float) -> ProposedRoll:
    """The proposed roll after a frame with this state of the tray."""
    if shown.by_table or shown.seen.is_photograph:
        return shown  # The dice of a photograph may lie anywhere.
    if state in ("moving", "hand"):
        return shown.stop_for_motion(now)
    if shown.is_certain and state in ("empty", "off"):
        doubt, advice = ("turned", PICKED_UP_ADVICE) if state == "empty" else ("moving", UNSEEN_ADVICE)
        return shown.wait_for_person(doubt, advice)
    if state == "empty" and shown.fit.advice not in (None, PICKED_UP_ADVICE, UNSEEN_ADVICE):
        return replace(shown, fit=shown.fit._replace(advice=None))
    return shown


def _explain_change(before: ProposedRoll, ask: DiceAsk, fit: RollMatch, seen: SeenThrow) -> RollMatch:
    """Say what the dice of a certain roll became. If a hand was in the tray, a person must confirm them."""
    change = before.change_text(ask.dice, fit.faces)
    if change is None or fit.doubt not in (None, "turned"):
        return fit
    if fit.doubt == "turned" or seen.by_hand:
        return fit._replace(doubt="turned", advice=f"{change} Confirm, or roll again.")
    return fit._replace(advice=change)
