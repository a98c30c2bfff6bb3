"""The proposed roll, which people see before it counts."""

from __future__ import annotations

from dataclasses import dataclass

from device.table.entry.answer_entry import dice_text
from device.table.throw_match import RollMatch, SeenThrow, other_faces
from engine.asks import DiceAsk
from engine.dice import Face
from engine.journal import Source
from engine.seats import Seat
from engine.views import ProposalView

MAX_LIKELY_VALUES = 2
"""Other likely values of a die that the buttons offer first."""


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """A throw that a camera saw, matched to ask `n` of `seat`. It counts at `due`, or a person must confirm it.

    due: when it counts by itself, in seconds of the session's clock, or None.
    total: seconds from seeing it to `due`.
    held: True while a person looks at its dice.
    refused: reason why it could not be counted.
    """

    n: int
    seat: Seat
    seen: SeenThrow
    fit: RollMatch
    due: float | None
    total: float
    held: bool = False
    refused: str | None = None

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
            advice=self.refused or fit.advice,
            source=Source.CAMERA.value,
            seconds=None if self.due is None else round(max(0.0, self.due - now), 2),
            total=self.total,
            evidence=evidence,
            outcome=outcome,
        )
