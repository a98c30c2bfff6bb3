"""The proposed roll: what people see before it counts."""

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
"""How many other likely values of a die the buttons offer first."""


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """A throw that a camera saw, and how it fits ask `n` of `seat`. People see it before it counts.

    It counts by itself at `due`, `total` seconds after it was seen; if that is None, a person must confirm it. `held`:
    a person is looking at its dice. `refused` says why the roll could not be counted.
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
        """The answer that the roll gives, as far as it is known."""
        faces, again = self.fit.faces, self.fit.again
        return faces if again is None else tuple(face if place in again else None for place, face in enumerate(faces))

    @property
    def likely_faces(self) -> list[tuple[Face, ...]]:
        """For each die, the other values that buttons offer first."""
        return [guess.order[:MAX_LIKELY_VALUES] for guess in self.fit.guesses]

    def proposal_view(self, now: float, ask: DiceAsk, evidence: str | None, outcome: str = "") -> ProposalView:
        """Return the roll as everybody may see it at `now` seconds; `evidence` will be the name of its picture, and
        `outcome` says what it would do.
        """
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
