"""A throw as a camera hand tells of it, and what becomes of it: a roll that is shown before it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from device.table.answer_entry import spoken
from engine.asks import Roll, Thrown
from engine.dice import Die as Asked
from engine.dice import Face, likely
from engine.seats import Seat
from engine.views import ProposalView
from vision.matching import Wanted, counted, match
from vision.reading import Die

CLEAR = 0.85
"""From this probability on, a die of a roll in doubt is right when the doubt is about how well another was read."""

FIRST = 2
"""So many of the other values that a die may show come first where buttons turn to them."""

PLAIN = ("unclear", "glare")
"""The doubts that are about how well single dice were read."""


@dataclass(frozen=True, slots=True)
class SeenThrow:
    """A throw that a camera saw: its dice left to right, when they came into motion, and the doubt or None.

    `began` is in seconds of the session's clock. `advice` says what to do about the doubt. `picture` is a small JPEG of
    the dice with the reading drawn on. `touched` dice were not thrown but turned or moved where they lay.
    `glimpse` is what `device.inputs.roll_samples` wants to know of it.
    """

    dice: tuple[Die, ...]
    began: float
    doubt: str | None = None
    advice: str | None = None
    picture: bytes | None = None
    touched: bool = False
    glimpse: Any = None


@dataclass(frozen=True, slots=True)
class Guess:
    """What a camera holds of one die of a roll: the values it may show, likeliest first, as far as it has an opinion,
    and whether it is sure of this die even where the roll is in doubt."""

    order: tuple[Face, ...] = ()
    clear: bool = False


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """A roll that is shown before it counts. It counts by itself at `due`; with None a person must confirm it.

    Where dice are thrown again, `faces` are what all of them show and `again` the places of those that were thrown.
    """

    n: int
    seat: Seat
    faces: tuple[Face, ...]
    doubt: str | None
    advice: str | None
    source: str
    due: float | None
    total: float
    picture: bytes | None
    glimpse: Any = None
    guesses: tuple[Guess, ...] = ()
    held: bool = False
    again: tuple[int, ...] | None = None

    @classmethod
    def of(
        cls, seen: SeenThrow, n: int, seat: Seat, fit: RollMatch, due: float | None, total: float, held: bool
    ) -> ProposedRoll:
        """A throw that a camera saw, as it fits ask `n` of `seat`."""
        faces, doubt, advice, guesses, again = fit
        read = (faces, doubt, advice, "camera", due, total, seen.picture, seen.glimpse, guesses)
        return cls(n, seat, *read, held, again)

    @property
    def value(self) -> tuple[Face | None, ...]:
        """The answer it is, as far as it is known."""
        if self.again is None:
            return self.faces
        return tuple(face if place in self.again else None for place, face in enumerate(self.faces))

    @property
    def likely(self) -> list[tuple[Face, ...]]:
        """For each die what else it may show, as far as buttons offer that first."""
        return [guess.order[:FIRST] for guess in self.guesses]

    def view(self, now: float, ask: Thrown, evidence: str | None) -> ProposalView:
        """Return the roll as everybody may see it at `now` seconds; `evidence` will be the name of its picture."""
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
            advice=self.advice,
            source=self.source,
            seconds=None if self.due is None else round(max(0.0, self.due - now), 2),
            total=self.total,
            evidence=evidence,
        )


def others(dice: Sequence[Asked], faces: Sequence[Face | None], guesses: Sequence[Guess] = ()) -> list[list[Face]]:
    """For each die of a roll that stands at `faces`, what else it may show, likeliest first."""
    orders = [guess.order for guess in guesses] or [()] * len(dice)
    return [list(likely(die, face, order)) for die, face, order in zip(dice, faces, orders, strict=True)]


class RollMatch(NamedTuple):
    """How a throw fits what is asked: the faces in the order of its dice, as far as known, the doubt and its advice or
    None, what each die may show, and of a second throw the places of the dice that were thrown again."""

    faces: tuple[Face, ...]
    doubt: str | None
    advice: str | None
    guesses: tuple[Guess, ...]
    again: tuple[int, ...] | None = None


def told(seen: SeenThrow, ask: Roll) -> RollMatch:
    """What a throw tells of a roll. A die that was not found may show what lies there and is none of the others.

    Dice are told apart by kind, those of a kind that differ by colour: whose a die is shows only if the ask gives each
    seat its colour. Of a kind of which a wrong number lies there, dice that differ are not known, nor too many that
    show different values. Where both the picture and its fit to the roll are in doubt, the advice is about both.
    """
    wanted = [Wanted(die.kind, die.colour, die.owner) for die in ask.dice]
    dice = [die for die in seen.dice if die.value is not None]
    found = match(dice, wanted)
    doubt, advice = found.doubt, found.advice
    dice = list(found.dice) or _known(dice, wanted)
    if seen.doubt == "kind":
        # Of what kind it is that lies there nobody knows, nor whether it stands for one that is missing.
        again = f"throw {counted([wanted[0].kind]) if len(wanted) == 1 else 'others'}, or type it"
        doubt, advice = "kind", f"Another kind: {'take it away, or confirm' if doubt is None else again}."
    elif seen.doubt and doubt != "kind":
        doubt, advice = seen.doubt, " ".join(words for words in (seen.advice, advice) if words)
    left = [die for die in seen.dice if not any(die is one for one in dice)]
    guesses = [Guess(die.likely, doubt is None or (doubt in PLAIN and die.confidence >= CLEAR)) for die in dice]
    guesses += [Guess(_loose(left, want.kind, wanted)) for want in wanted[len(dice) :]]
    return RollMatch(tuple(die.value for die in dice if die.value is not None), doubt, advice, tuple(guesses))


def _known(dice: Sequence[Die], wanted: Sequence[Wanted]) -> list[Die]:
    """The first of the dice wanted, as far as they are known where others lie there, or more or fewer."""
    piles: dict[str, list[Die]] = {}
    for kind in {want.kind for want in wanted}:
        mine, asked = [die for die in dice if die.kind == kind], [want for want in wanted if want.kind == kind]
        # Of too many, any may be the one that is taken out.
        alike = len(set(asked)) == 1 and (len(mine) < len(asked) or len({die.value for die in mine}) == 1)
        piles[kind] = list(match(mine, asked).dice) or (mine[: len(asked)] if alike else [])
    known = list[Die]()
    for want in wanted:
        if not piles[want.kind]:
            break
        known.append(piles[want.kind].pop(0))
    return known


def _loose(left: Sequence[Die], kind: str, wanted: Sequence[Wanted]) -> tuple[Face, ...]:
    """What a die of a kind that was not found may show: what lies there that is none of the other kinds wanted."""
    others = {want.kind for want in wanted} - {kind}
    mine = sorted((die for die in left if die.kind not in others), key=lambda die: -die.confidence)
    return tuple(dict.fromkeys(die.value for die in mine if die.value is not None))
