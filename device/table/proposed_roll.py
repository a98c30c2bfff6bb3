"""The proposed roll: what people see before it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from device.table.entry.answer_entry import spoken
from device.table.throw_match import Guess, RollMatch, SeenThrow, others
from engine.asks import Thrown
from engine.dice import Face
from engine.journal import Source
from engine.seats import Seat
from engine.views import ProposalView

if TYPE_CHECKING:
    from vision.clips import ThrowClip

FIRST = 2
"""How many other likely values of a die the buttons offer first."""


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """A roll that is shown before it counts. It counts by itself at `due`; if that is None, a person must confirm it.

    In a reroll, `faces` are the faces of all dice and `again` the places of the dice that were thrown again. `advice`
    says what to do about the dice in the tray, `refused` why the roll could not be counted.
    """

    n: int
    seat: Seat
    faces: tuple[Face, ...]
    doubt: str | None
    advice: str | None
    source: Source
    due: float | None
    total: float
    picture: bytes | None
    glimpse: Any = None
    guesses: tuple[Guess, ...] = ()
    held: bool = False
    again: tuple[int, ...] | None = None
    refused: str | None = None
    clip: ThrowClip | None = None

    @classmethod
    def of(
        cls, seen: SeenThrow, n: int, seat: Seat, fit: RollMatch, due: float | None, total: float, held: bool
    ) -> ProposedRoll:
        """Return the proposal for ask `n` of `seat` that a throw makes, given its match with the ask."""
        faces, doubt, advice, guesses, again = fit
        read = (faces, doubt, advice, Source.CAMERA, due, total, seen.picture, seen.glimpse, guesses)
        return cls(n, seat, *read, held, again, clip=seen.clip)

    @property
    def value(self) -> tuple[Face | None, ...]:
        """The answer that the roll gives, as far as it is known."""
        if self.again is None:
            return self.faces
        return tuple(face if place in self.again else None for place, face in enumerate(self.faces))

    @property
    def likely(self) -> list[tuple[Face, ...]]:
        """For each die, the other values that buttons offer first."""
        return [guess.order[:FIRST] for guess in self.guesses]

    def view(self, now: float, ask: Thrown, evidence: str | None, outcome: str = "") -> ProposalView:
        """Return the roll as everybody may see it at `now` seconds; `evidence` will be the name of its picture, and
        `outcome` says what it would do.
        """
        faces = (*self.faces, *[None] * (len(ask.dice) - len(self.faces)))
        return ProposalView(
            n=self.n,
            seat=self.seat,
            faces=self.faces,
            words=spoken(ask.dice, self.faces),
            again=self.again,
            likely=others(ask.dice, faces, self.guesses),
            clear=[guess.clear for guess in self.guesses],
            sure=self.doubt is None,
            doubt=self.doubt,
            advice=self.refused or self.advice,
            source=self.source.value,
            seconds=None if self.due is None else round(max(0.0, self.due - now), 2),
            total=self.total,
            evidence=evidence,
            outcome=outcome,
        )
