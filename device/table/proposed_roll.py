"""The proposed roll, which people see before it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.table.entry.answer_entry import dice_text
from device.table.throw_match import RollMatch, SeenThrow, other_faces
from engine.asks import DiceAsk
from engine.dice import Die, Face
from engine.events import spoken_list
from engine.journal import Source
from engine.seats import Seat
from engine.views import ProposalView

MAX_LIKELY_VALUES = 2
"""Other likely values of a die that the buttons offer first."""

MOTION_ADVICE = "Something moved in the tray: waiting until the dice lie still."
"""Why the countdown has stopped."""


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """A roll for ask `n` of `seat`, by a throw that a camera saw or by the table. It counts at `due`, or a person must
    confirm it.

    due: when it counts by itself, in seconds of the session's clock, or None.
    total: seconds from seeing it to `due`.
    held: True while a person looks at its dice.
    refused: reason why it could not be counted.
    left: seconds of the countdown that were left when something moved in the tray, or None. Dice that are seen at rest
        again continue it.
    by_table: True if the table rolled for a computer. It then counts whatever the tray holds, and nobody changes it.
    """

    n: int
    seat: Seat
    seen: SeenThrow
    fit: RollMatch
    due: float | None
    total: float
    held: bool = False
    refused: str | None = None
    left: float | None = None
    by_table: bool = False

    @property
    def is_certain(self) -> bool:
        """True if it counts by itself, now or when nothing moves any more."""
        return self.due is not None or self.left is not None

    def stop_for_motion(self, now: float) -> ProposedRoll:
        """Stop the countdown at `now`, because something moves in the tray."""
        return self if self.due is None else replace(self, due=None, left=max(0.0, self.due - now))

    def continue_countdown(self, now: float) -> ProposedRoll:
        """Continue the countdown at `now`, because the same dice lie still where they were."""
        return self if self.left is None else replace(self, due=now + self.left, left=None)

    def wait_for_person(self, doubt: str, advice: str) -> ProposedRoll:
        """Wait for a person, because nobody saw these dice at rest until the roll counted."""
        return replace(self, due=None, left=None, fit=self.fit._replace(doubt=doubt, advice=advice))

    def change_text(self, dice: Sequence[Die], faces: Sequence[Face]) -> str | None:
        """What its dice became, such as "The die moved: 3 became 5." None if they show the same or are unknown."""
        if len(faces) != len(self.fit.faces):
            return None
        before, now = (Counter(zip(dice, some, strict=False)) for some in (self.fit.faces, faces))
        gone, come = ([face for _, face in some.elements()] for some in (before - now, now - before))
        who = "The die" if len(faces) == 1 else "A die" if len(come) == 1 else "Dice"
        return f"{who} moved: {spoken_list(gone)} became {spoken_list(come)}." if come else None

    @property
    def source(self) -> Source:
        return Source.MANAGER if self.by_table else Source.CAMERA

    @property
    def answer_value(self) -> tuple[Face | None, ...]:
        """The answer as far as the faces are known."""
        faces, again = self.fit.faces, self.fit.again
        return faces if again is None else tuple(face if place in again else None for place, face in enumerate(faces))

    @property
    def likely_faces(self) -> list[tuple[Face, ...]]:
        """Other likely faces of each die, which the buttons offer first."""
        return [guess.order[:MAX_LIKELY_VALUES] for guess in self.fit.guesses]

    def proposal_view(self, now: float, ask: DiceAsk, evidence: str | None, outcome: str = "") -> ProposalView:
        """Build the public view at `now`. `evidence` names its future picture, `outcome` is its predicted result."""
        fit = self.fit
        faces = (*fit.faces, *[None] * (len(ask.dice) - len(fit.faces)))
        return ProposalView(
            n=self.n,
            seat=self.seat,
            faces=fit.faces,
            words=dice_text(ask.dice, fit.faces),
            again=fit.again,
            likely=other_faces(ask.dice, faces, fit.guesses),
            clear=[guess.clear for guess in fit.guesses],
            sure=fit.doubt is None,
            doubt=fit.doubt,
            advice=self.refused or (fit.advice if self.left is None else MOTION_ADVICE),
            source="photo" if self.seen.is_photograph else self.source.value,
            seconds=None if self.due is None else round(max(0.0, self.due - now), 2),
            total=self.total,
            evidence=evidence,
            outcome=outcome,
        )
