"""How a team's dice score runs: phrases, and the runs of a roll (SI-029, SI-124).

    runs = "the difference of the two lowest"
    runs = "the highest less 3 at most 2; 4 for three of a kind; the lowest from the 9th"

A value is computed from left to right. Of several values, with ";" between, the best counts, and never less than 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from typing import Any

from engine.cards import Phrases, quoted, unknown
from engine.games.seventh_inning_stretch.dice.conditions import At, When, guarded, normal, plain, ways
from engine.games.seventh_inning_stretch.dice.measures import FACES, MEASURES, Counts, Ways, counted, holds

PHRASES: Phrases = {
    "the difference of the two lowest, the difference of the two highest": "how far these two dice are apart",
    "the difference of the 2nd lowest and the highest": "the same for any two; none where there is no such die",
    "the highest, the 2nd highest, the lowest, the 3rd lowest": "what one die shows; 0 where there is no such die",
    "the sum, the spread, the longest straight": (
        "all dice added up, the highest less the lowest, how many values stand in a row"
    ),
    "1 a die of 5 6, 1 a pair, 1 a different face": (
        "so many for each die that shows one of these, for each pair (four alike are two), for each face there is"
    ),
    "3 for a pair and a 6": "so many when dice meet this: all that a batter's line can want",
    "the sum divided by 4": "rounded down",
    "the sum less 10, the highest less 3, the longest straight less 2": "less so many, or less another value",
    "the lowest plus 1, 1 a pair plus 1 a die of 6": "two values added",
    "the highest at most 3, the highest at least 2": "no more than this, no less than this, or than another value",
    "3 for three of a kind; 1 for a pair": "the best of several counts",
    "the lowest from the 9th, the lowest when behind; 1 a pair": (
        "only in this inning and later, only while the team is behind; tied or ahead too"
    ),
}
"""Every form, with its explanation, as in docs/cards.md."""


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
    """Read a score, as "the highest less 3". Raises ValueError with the nearest phrase."""
    text = normal(value)
    found = [_chain(part.strip()) for part in plain(text).split(";")]
    known = tuple(one for one in found if one is not None)
    if len(known) < len(found):
        raise ValueError(unknown(text, "score", PHRASES))
    if any(when.what not in ("inning", "lead") for _, guards in known for when in guards):
        raise ValueError(f"{quoted(text)} can hang on the inning or the score, on nothing else.")
    return Runs(text, known)


def _total(chain: Chain, faces: tuple[int, ...], counts: Counts) -> int:
    return reduce(lambda total, step: _done(total, step[0], step[1](faces, counts)), chain, 0)


def _done(total: int, operation: str, value: int) -> int:
    match operation:
        case "plus":
            return total + value
        case "less":
            return total - value
        case "at most":
            return min(total, value)
        case "at least":
            return max(total, value)
    return total // value


_OPERATIONS = r" (plus|(?<!or )less|at most|at least|divided by) "


def _chain(text: str) -> tuple[Chain, tuple[When, ...]] | None:
    found = guarded(text)
    if found is None:
        return None
    first, *rest = re.split(_OPERATIONS, found[0])
    pairs = zip(rest[::2], rest[1::2], strict=True)
    steps = [("plus", _term(first)), *((operation, _term(value)) for operation, value in pairs)]
    known = tuple((operation, term) for operation, term in steps if term is not None)
    if any(operation == "divided by" and not (term.kind == "number" and term.number) for operation, term in known):
        return None
    return (known, found[1]) if len(known) == len(steps) else None


_RANK = r"the (?:[1-9](?:st|nd|rd|th) )?(?:highest|lowest)"
_EACH = {"a die of": "dice", "a pair": "pairs", "a different face": "faces"}
_MEASURED = {"the sum": "sum", "the spread": "spread", "the longest straight": "straight"}


def _term(text: str) -> Term | None:
    if measured := _MEASURED.get(text):
        return Term("each", 1, measured)
    if each := re.fullmatch(r"(\d) (?:(a pair|a different face)|(a die of) ([1-6](?: [1-6])*))", text):
        values = sorted({int(face) for face in (each[4] or "1 2 3 4 5 6").split()})
        return Term("each", int(each[1]), _EACH[each[2] or each[3]], tuple(values))
    if number := re.fullmatch(r"\d\d?", text):
        return Term("number", int(number[0]))
    if re.fullmatch(_RANK, text):
        return Term("rank", ranks=(_rank(text),))
    if two := re.fullmatch(rf"the difference of (?:the 2 (highest|lowest)|({_RANK}) and ({_RANK}))", text):
        ends = (f"the {two[1]}", f"the 2nd {two[1]}") if two[1] else (two[2], two[3])
        return Term("difference", ranks=tuple(map(_rank, ends)))
    if case := re.fullmatch(r"(\d) for (.+)", text):
        wanted = ways(case[2])
        return Term("for", int(case[1]), ways=wanted) if wanted else None
    return None


def _rank(text: str) -> int:
    """Return which die in ascending order: 1 is the lowest, -1 the highest."""
    place = next(map(int, re.findall(r"\d", text)), 1)
    return place if text.endswith("lowest") else -place


def _ranked(faces: tuple[int, ...], rank: int) -> int:
    """Return what that die shows; 0 if there are too few."""
    return faces[rank - (rank > 0)] if 0 < abs(rank) <= len(faces) else 0
