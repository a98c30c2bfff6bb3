"""Open asks as one audience may see them, as typed data for displays, pages and programs.

Each kind of ask has its own view with everything needed to answer it. A secret ask of the other seat is an `AskView`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from engine.dice import Die, Face
from engine.seats import Seat

T = TypeVar("T")


class RandomGenerator(Protocol):
    """A source of random choices, such as `random.Random`. The engine has none."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Return one element of `seq`."""

    def sample(self, population: Sequence[T], k: int, /) -> list[T]:
        """Return `k` different elements of `population`."""

    def randint(self, a: int, b: int, /) -> int:
        """Return an integer from `a` to `b`, both included."""


@dataclass(frozen=True, slots=True)
class DieView:
    """A die to throw. Color and owner are null where they do not matter."""

    kind: str
    colour: str | None
    owner: Seat | None
    faces: tuple[Face, ...]

    @classmethod
    def from_die(cls, die: Die) -> DieView:
        return cls(die.kind, die.colour, die.owner, die.faces)


@dataclass(frozen=True, slots=True)
class Option:
    """A legal answer, or a part of one, with a stable code and a label for people."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class NotedOption(Option):
    """An option with a short note about its effect."""

    note: str


@dataclass(frozen=True, slots=True)
class AskView:
    """One open ask. A seat that may not see its options gets only these fields."""

    n: int
    """The number of the ask and of its answer."""
    seat: Seat
    kind: str
    secret: bool
    race: bool
    """True if the first seat to answer wins."""
    why: str
    """The stable code of the ask."""
    title: str
    """The decision in a few words, for small displays."""
    sentence: str

    def random_answer(self, chance: RandomGenerator) -> Any:
        """Return a legal answer in JSON form. Raises LookupError here, because this view hides the legal answers."""
        raise LookupError(f"Ask {self.n} is secret: its options are not known here.")


@dataclass(frozen=True, slots=True)
class RollView(AskView):
    """Throw `dice`. The answer is a list of their faces."""

    dice: tuple[DieView, ...]

    def random_answer(self, chance: RandomGenerator) -> list[Face]:
        return [chance.choice(die.faces) for die in self.dice]


@dataclass(frozen=True, slots=True)
class RerollView(AskView):
    """Reroll some of the dice. The answer is a list with a face for each rerolled die and null for each other die."""

    dice: tuple[DieView, ...]
    faces: tuple[Face, ...]
    """The face that each die shows now."""
    free: tuple[int, ...]
    """The indexes of the dice that may be rerolled."""
    most: int
    """The most dice that may be rerolled. The least is 1."""

    def random_answer(self, chance: RandomGenerator) -> list[Face | None]:
        thrown = chance.sample(self.free, chance.randint(1, min(self.most, len(self.free))))
        return [chance.choice(die.faces) if place in thrown else None for place, die in enumerate(self.dice)]


@dataclass(frozen=True, slots=True)
class CallView(AskView):
    """Call out as soon as `die` shows one of `wins`. The answer is that face."""

    die: DieView
    wins: tuple[Face, ...]

    def random_answer(self, chance: RandomGenerator) -> Face:
        return chance.choice(self.wins)


@dataclass(frozen=True, slots=True)
class ChooseView(AskView):
    """Choose one of `options`, or draw one at random if `kind` is "draw". The answer is its code."""

    options: tuple[NotedOption | Option, ...]

    def random_answer(self, chance: RandomGenerator) -> str:
        return chance.choice(self.options).value


@dataclass(frozen=True, slots=True)
class ArrangeView(AskView):
    """Place at least `least` of `pieces`, one on a place. The answer is an object from place to piece."""

    least: int
    pieces: tuple[NotedOption | Option, ...]
    places: tuple[NotedOption | Option, ...]

    def random_answer(self, chance: RandomGenerator) -> dict[str, str]:
        pieces, places = ([one.value for one in options] for options in (self.pieces, self.places))
        count = chance.randint(self.least, min(len(pieces), len(places)))
        return dict(zip(chance.sample(places, count), chance.sample(pieces, count), strict=True))


AnyAskView = RollView | RerollView | CallView | ChooseView | ArrangeView | AskView
"""The view of any ask. The bare `AskView` is a secret ask of the other seat."""
