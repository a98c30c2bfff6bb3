"""How a team's dice score runs: phrases, and the runs of a roll (SI-029, SI-124).

    runs = "the difference of the two lowest"
    runs = "the highest less 3 at most 2; 4 for three of a kind; the lowest from the 9th"

A value is computed from left to right. Of several values, with ";" between, the best counts, and never less than 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, floordiv, sub
from typing import Any

from engine.cards import quoted
from engine.games.seventh_inning_stretch.dice.conditions import FACE_LIST, At, When, guarded, normal, plain, ways
from engine.games.seventh_inning_stretch.dice.odds import FACES, MEASURES, Counts, Ways, counted, holds
from engine.phrases import PhraseError, Row, Slot, Vocabulary, meaning


@dataclass(frozen=True, slots=True)
class Term:
    """One value of a score.

    `kind` is "number", "rank" and "difference" (the dice of `ranks`), "each" (`number` times a measure of `values`), or
    "for" (`number` if the dice meet `ways`).
    """

    kind: str
    number: int = 0
    what: str = ""
    values: tuple[int, ...] = FACES
    ranks: tuple[int, ...] = ()
    ways: Ways = ()

    def __call__(self, faces: tuple[int, ...], counts: Counts) -> int:
        """Return the value for these dice, at least one, in ascending order."""
        match self.kind:
            case "each":
                return self.number * MEASURES[self.what](counts, self.values)
            case "for":
                return self.number if holds(self.ways, counts) else 0
            case "number":
                return self.number
        shown = [_ranked(faces, rank) for rank in self.ranks]
        if self.kind == "rank":
            return shown[0]
        return max(shown) - min(shown) if all(shown) else 0


Chain = tuple[tuple[str, Term], ...]
"""Values, each with the operation that adds it to the total so far."""


@dataclass(frozen=True, slots=True)
class Runs:
    """How a team scores: several values, each with guards, of which the best counts."""

    text: str
    chains: tuple[tuple[Chain, tuple[When, ...]], ...]

    def __call__(self, faces: tuple[int, ...], at: At) -> int:
        """Return the runs of these dice; `at` is as the team sees it. 0 without dice."""
        shown, counts = tuple(sorted(faces)), counted(faces)
        open_ = [chain for chain, when in self.chains if faces and all(one.holds(at) for one in when)]
        return max([0, *(_total(chain, shown, counts) for chain in open_)])


def runs(value: Any) -> Runs:
    """Read a score, as "the highest less 3". Raises PhraseError."""
    text = normal(value)
    chains = tuple(_chain(part.strip()) for part in text.split(";"))
    if any(when.what not in ("inning", "lead") for _, guards in chains for when in guards):
        raise PhraseError(f"{quoted(text)} can hang on the inning or the score, on nothing else.")
    return Runs(text, chains)


def _total(chain: Chain, faces: tuple[int, ...], counts: Counts) -> int:
    return reduce(lambda total, step: _OPERATIONS[step[0]](total, step[1](faces, counts)), chain, 0)


_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "plus": add,
    "less": sub,
    "at most": min,
    "at least": max,
    "divided by": floordiv,
}
_BETWEEN = r" (plus|(?<!or )less|at most|at least|divided by) "


def _chain(text: str) -> tuple[Chain, tuple[When, ...]]:
    value, guards = guarded(text)
    first, *rest = re.split(_BETWEEN, value)
    steps = (("plus", first), *zip(rest[::2], rest[1::2], strict=True))
    chain = tuple((operation, TERMS.read(term.strip())) for operation, term in steps)
    if any(operation == "divided by" and not (term.kind == "number" and term.number) for operation, term in chain):
        raise PHRASES.unknown(text)
    return chain, guards


def _term(_: str, kind: str, **fields: Any) -> Term:
    return Term(kind, **fields)


def _rank(text: str) -> int:
    """Return which die in ascending order: 1 is the lowest, -1 the highest."""
    place = next(map(int, re.findall(r"[0-9]", text)), 1)
    return place if text.endswith("lowest") else -place


_RANK = Slot(r"the (?:[1-9](?:st|nd|rd|th) )?(?:highest|lowest)", _rank, ())

TERMS = Vocabulary(
    "score",
    _term,
    {
        "ends": meaning({"lowest": (1, 2), "highest": (-1, -2)}),
        "first": _RANK,
        "second": _RANK,
        "measure": meaning({"the sum": "sum", "the spread": "spread", "the longest straight": "straight"}),
        "counted": meaning({"a pair": "pairs", "a different face": "faces"}),
        "digit": Slot(r"[0-9]", int, ("1",)),
        "digits": Slot(r"[0-9][0-9]?", int, ("2",)),
        "values": FACE_LIST,
        "condition": Slot(".+", ways, ("a pair and a 6",)),
    },
    Row("the difference of the two {ranks:ends}", "how far apart these two dice are", kind="difference"),
    Row(
        "the difference of {first} and {second}",
        "the same for any two dice; 0 if there are too few",
        "the difference of the 2nd lowest and the highest",
        lambda text, first, second: Term("difference", ranks=(first, second)),
    ),
    Row(
        "{first}",
        "what one die shows; 0 if there are too few",
        "the highest, the 2nd highest, the lowest, the 3rd lowest",
        lambda text, first: Term("rank", ranks=(first,)),
    ),
    Row("{what:measure}", "all dice added up; highest minus lowest; most values in a row", kind="each", number=1),
    Row("{number:digit} a die of {values}", "this many for each die that shows one of these", kind="each", what="dice"),
    Row(
        "{number:digit} {what:counted}", "this many for each pair (four alike are two), or each face shown", kind="each"
    ),
    Row("{number:digit} for {ways:condition}", "this many if the dice meet a condition, as in lines", kind="for"),
    Row("{number:digits}", "this many", kind="number"),
    plain=plain,
)
"""Every value of a score."""

PHRASES: Vocabulary[Runs] = Vocabulary(
    "score",
    Runs,
    {},
    *TERMS.framed("{}"),
    Row("", "rounded down", "the sum divided by 4"),
    Row("", "minus a number, or another value", "the sum less 10, the highest less 3, the highest less the lowest"),
    Row("", "two values added", "the lowest plus 1, 1 a pair plus 1 a die of 6"),
    Row("", "not more, or not less, than a number or another value", "the highest at most 3, the highest at least 2"),
    Row("", "the best of several counts", "3 for three of a kind; 1 for a pair"),
    Row(
        "",
        "only in this inning and later; only while the team is behind, and also `tied` or `ahead`",
        "the lowest from the 9th, the lowest when behind; 1 a pair",
    ),
)
"""Every form of a score; `runs` puts it together."""


def _ranked(faces: tuple[int, ...], rank: int) -> int:
    """Return what that die shows; 0 if there are too few."""
    return faces[rank - (rank > 0)] if 0 < abs(rank) <= len(faces) else 0
