"""Match a throw that a camera saw to the roll asked for, and propose it: people see a roll before it counts."""

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
"""From this probability on, a die is clear although another die of its roll was read badly."""

FIRST = 2
"""How many other likely values of a die the buttons offer first."""

PLAIN = ("unclear", "glare")
"""Doubts about how well single dice were read."""


@dataclass(frozen=True, slots=True)
class SeenThrow:
    """A throw that a camera saw: its dice left to right, when they started to move, and its doubt, if any.

    `began` is in seconds of the session's clock. `advice` says what to do about the doubt. `picture` is a small JPEG of
    the dice with the reading drawn on. `touched` is True if the dice were not thrown but turned or moved where they
    lay. `glimpse` is what `device.inputs.roll_samples` needs to learn from the throw.
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
    """What a camera knows about one die of a roll.

    `order` has the values it may show, likeliest first, as far as the camera has an opinion. `clear` is True if the
    camera is sure of this die even where the roll is in doubt.
    """

    order: tuple[Face, ...] = ()
    clear: bool = False


@dataclass(frozen=True, slots=True)
class ProposedRoll:
    """A roll that is shown before it counts. It counts by itself at `due`; if that is None, a person must confirm it.

    In a reroll, `faces` are the faces of all dice and `again` the places of the dice that were thrown again.
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
        """Return the proposal for ask `n` of `seat` that a throw makes, given its match with the ask."""
        faces, doubt, advice, guesses, again = fit
        read = (faces, doubt, advice, "camera", due, total, seen.picture, seen.glimpse, guesses)
        return cls(n, seat, *read, held, again)

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
    """Return, for each die of a roll that reads `faces`, what else it may show, likeliest first."""
    orders = [guess.order for guess in guesses] or [()] * len(dice)
    return [list(likely(die, face, order)) for die, face, order in zip(dice, faces, orders, strict=True)]


class RollMatch(NamedTuple):
    """How a throw fits an ask: the known faces in the order of the ask's dice, the doubt and its advice or None, what
    each die may show, and in a reroll the places of the dice that were thrown again.
    """

    faces: tuple[Face, ...]
    doubt: str | None
    advice: str | None
    guesses: tuple[Guess, ...]
    again: tuple[int, ...] | None = None


def told(seen: SeenThrow, ask: Roll) -> RollMatch:
    """Match a throw to a roll. A die that was not found may be one in the tray that matched none of the other dice.

    Dice are identified by kind, and dice of the same kind by color; the owner of a die is known only if the ask gives
    each seat its own color. If the number of dice of a kind is wrong, those that differ stay unknown, and so do too
    many dice that show different values. If both the picture and the match are in doubt, the advice covers both.
    """
    wanted = [Wanted(die.kind, die.colour, die.owner) for die in ask.dice]
    dice = [die for die in seen.dice if die.value is not None]
    found = match(dice, wanted)
    doubt, advice = found.doubt, found.advice
    dice = list(found.dice) or _known_dice(dice, wanted)
    if seen.doubt == "kind":
        # Nobody knows which kind the odd die is, nor whether it replaces a missing one.
        again = f"throw {counted([wanted[0].kind]) if len(wanted) == 1 else 'others'}, or type it"
        doubt, advice = "kind", f"Another kind: {'take it away, or confirm' if doubt is None else again}."
    elif seen.doubt and doubt != "kind":
        doubt, advice = seen.doubt, " ".join(words for words in (seen.advice, advice) if words)
    left = [die for die in seen.dice if not any(die is one for one in dice)]
    guesses = [Guess(die.likely, doubt is None or (doubt in PLAIN and die.confidence >= CLEAR)) for die in dice]
    guesses += [Guess(_likely_faces(left, want.kind, wanted)) for want in wanted[len(dice) :]]
    return RollMatch(tuple(die.value for die in dice if die.value is not None), doubt, advice, tuple(guesses))


def _known_dice(dice: Sequence[Die], wanted: Sequence[Wanted]) -> list[Die]:
    """Return the first of the wanted dice, as far as they are known when the tray holds other, more or fewer dice."""
    piles: dict[str, list[Die]] = {}
    for kind in {want.kind for want in wanted}:
        mine, asked = [die for die in dice if die.kind == kind], [want for want in wanted if want.kind == kind]
        # If there are too many, any of them may be the one to take out.
        alike = len(set(asked)) == 1 and (len(mine) < len(asked) or len({die.value for die in mine}) == 1)
        piles[kind] = list(match(mine, asked).dice) or (mine[: len(asked)] if alike else [])
    known = list[Die]()
    for want in wanted:
        if not piles[want.kind]:
            break
        known.append(piles[want.kind].pop(0))
    return known


def _likely_faces(left: Sequence[Die], kind: str, wanted: Sequence[Wanted]) -> tuple[Face, ...]:
    """Return the values that a missing die of this kind may show: those of dice that are not of another wanted kind."""
    others = {want.kind for want in wanted} - {kind}
    mine = sorted((die for die in left if die.kind not in others), key=lambda die: -die.confidence)
    return tuple(dict.fromkeys(die.value for die in mine if die.value is not None))
