"""Open asks as one audience may see them: typed, plain data for displays, pages and programs.

Each kind of ask has its own view, with everything needed to answer it. A secret ask of the other seat is the bare
`AskView`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from engine.dice import Die, Face
from engine.seats import Seat

T = TypeVar("T")


class RandomGenerator(Protocol):
    """A source of random choices, such as `random.Random`. The engine itself has none."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one of `seq`."""

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Return `k` different ones of `population`."""

    def randint(self, a: int, b: int, /) -> int:
        """Return a whole number from `a` to `b`, both included."""


@dataclass(frozen=True, slots=True)
class DieView:
    """A die to throw: its kind, its color and owner where they matter, and its faces."""

    kind: str
    colour: str | None
    owner: Seat | None
    faces: tuple[Face, ...]

    @classmethod
    def from_die(cls, die: Die) -> DieView:
        """Return the view of `die`."""
        return cls(die.kind, die.colour, die.owner, die.faces)


@dataclass(frozen=True, slots=True)
class Option:
    """A legal answer, or a part of one: its stable code and its label for people."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class NotedOption(Option):
    """An option with a short note on what it would do."""

    note: str


@dataclass(frozen=True, slots=True)
class AskView:
    """One open ask. `race`: the first seat to answer wins. `why` is the stable code of the ask, `title` names the
    decision in a few words, for small displays.
    """

    n: int
    seat: Seat
    kind: str
    secret: bool
    race: bool
    why: str
    title: str
    sentence: str

    def random_answer(self, chance: RandomGenerator) -> Any:
        """Return a legal answer in JSON form. Raises LookupError here, because this view hides the legal answers."""
        raise LookupError(f"Ask {self.n} is secret: its options are not known here.")


@dataclass(frozen=True, slots=True)
class RollView(AskView):
    """Throw `dice`. The answer is a list of their faces."""

    dice: tuple[DieView, ...]

    def random_answer(self, chance: RandomGenerator) -> list[Face]:
        """Return a face for each die."""
        return [chance.choice(die.faces) for die in self.dice]


@dataclass(frozen=True, slots=True)
class RerollView(AskView):
    """Throw at least one and at most `most` of the dice at the places `free` again. `faces` are what all show now.

    The answer is a list: a face for each die thrown again, None for each other.
    """

    dice: tuple[DieView, ...]
    faces: tuple[Face, ...]
    free: tuple[int, ...]
    most: int

    def random_answer(self, chance: RandomGenerator) -> list[Face | None]:
        """Return a face for some of the free dice."""
        thrown = chance.sample(self.free, chance.randint(1, min(self.most, len(self.free))))
        return [chance.choice(die.faces) if place in thrown else None for place, die in enumerate(self.dice)]


@dataclass(frozen=True, slots=True)
class CallView(AskView):
    """Call out once `die` shows one of `wins`. The answer is that face."""

    die: DieView
    wins: tuple[Face, ...]

    def random_answer(self, chance: RandomGenerator) -> Face:
        """Return a winning face."""
        return chance.choice(self.wins)


@dataclass(frozen=True, slots=True)
class ChooseView(AskView):
    """Choose one of `options`, or draw one at random if `kind` is "draw". The answer is its code."""

    options: tuple[NotedOption | Option, ...]

    def random_answer(self, chance: RandomGenerator) -> str:
        """Return the code of an option."""
        return chance.choice(self.options).value


@dataclass(frozen=True, slots=True)
class ArrangeView(AskView):
    """Lay at least `least` of `pieces` on `places`, at most one on each. The answer is an object, place to piece."""

    least: int
    pieces: tuple[NotedOption | Option, ...]
    places: tuple[NotedOption | Option, ...]

    def random_answer(self, chance: RandomGenerator) -> dict[str, str]:
        """Return some pieces on some places."""
        pieces, places = ([one.value for one in options] for options in (self.pieces, self.places))
        count = chance.randint(self.least, min(len(pieces), len(places)))
        return dict(zip(chance.sample(places, count), chance.sample(pieces, count), strict=True))


AnyAskView = RollView | RerollView | CallView | ChooseView | ArrangeView | AskView
"""Every kind of ask as a view. The bare `AskView` is a secret ask of the other seat."""
