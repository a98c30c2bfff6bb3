"""Scoring of a team's dice. Phrases are parsed, and applied to a roll (SI-029, SI-124).

    runs = "the difference of the two lowest"
    runs = "the highest less 3 at most 2; 4 for three of a kind; the lowest from the 9th"

A value is computed from left to right. The best of several values, separated by ";", counts, and never less than 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add, floordiv, sub
from typing import Any

from engine.cards import quoted_value
from engine.games.seventh_inning_stretch.dice.conditions import (
    FACE_LIST_SLOT,
    Guard,
    GuardFacts,
    normal_phrase,
    parse_need_alternatives,
    plain_phrase,
    split_guards,
)
from engine.games.seventh_inning_stretch.dice.odds import (
    DICE_MEASURES,
    DIE_FACES,
    FaceCounts,
    NeedAlternatives,
    face_counts,
    is_any_way_met,
)
from engine.phrases import PhraseError, PhraseRow, PhraseSlot, Vocabulary, value_slot


@dataclass(frozen=True, slots=True)
class ScoreTerm:
    """One value of a score, by `kind`.

    number: `number` itself.
    rank: the face at the rank in `ranks`, 0 if there are too few dice.
    difference: the difference of the faces at two `ranks`, 0 if there are too few dice.
    each: `number` times the measure `what` of the dice with these `values`.
    for: `number` if the dice meet `ways`, otherwise 0.
    """

    kind: str
    number: int = 0
    what: str = ""
    values: tuple[int, ...] = DIE_FACES
    ranks: tuple[int, ...] = ()
    ways: NeedAlternatives = ()

    def __call__(self, faces: tuple[int, ...], counts: FaceCounts) -> int:
        """Return the value for these dice, at least one, in ascending order."""
        match self.kind:
            case "each":
                return self.number * DICE_MEASURES[self.what](counts, self.values)
            case "for":
                return self.number if is_any_way_met(self.ways, counts) else 0
            case "number":
                return self.number
        shown = [_face_at_rank(faces, rank) for rank in self.ranks]
        if self.kind == "rank":
            return shown[0]
        return max(shown) - min(shown) if all(shown) else 0


TermChain = tuple[tuple[str, ScoreTerm], ...]
"""Values, each with the operation that combines it with the total so far."""


@dataclass(frozen=True, slots=True)
class ScoringRule:
    """A team's scoring, as several values with guards, of which the best counts."""

    text: str
    chains: tuple[tuple[TermChain, tuple[Guard, ...]], ...]

    def __call__(self, faces: tuple[int, ...], at: GuardFacts) -> int:
        """Return the runs of these dice, 0 without any. `at` is from the team's view."""
        shown, counts = tuple(sorted(faces)), face_counts(faces)
        open_ = [chain for chain, when in self.chains if faces and all(one.is_met(at) for one in when)]
        return max([0, *(_chain_total(chain, shown, counts) for chain in open_)])


def parse_scoring_rule(value: Any) -> ScoringRule:
    """Parse a score, such as "the highest less 3". Raises PhraseError."""
    text = normal_phrase(value)
    chains = tuple(_parse_chain(part.strip()) for part in text.split(";"))
    if any(when.what not in ("inning", "lead") for _, guards in chains for when in guards):
        raise PhraseError(f"{quoted_value(text)} can hang on the inning or the score, on nothing else.")
    return ScoringRule(text, chains)


def _chain_total(chain: TermChain, faces: tuple[int, ...], counts: FaceCounts) -> int:
    return reduce(lambda total, step: _TERM_OPERATIONS[step[0]](total, step[1](faces, counts)), chain, 0)


_TERM_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "plus": add,
    "less": sub,
    "at most": min,
    "at least": max,
    "divided by": floordiv,
}
_OPERATION_PATTERN = r" (plus|(?<!or )less|at most|at least|divided by) "


def _parse_chain(text: str) -> tuple[TermChain, tuple[Guard, ...]]:
    value, guards = split_guards(text)
    first, *rest = re.split(_OPERATION_PATTERN, value)
    steps = (("plus", first), *zip(rest[::2], rest[1::2], strict=True))
    chain = tuple((operation, TERM_PHRASES.parse_phrase(term.strip())) for operation, term in steps)
    if any(operation == "divided by" and not (term.kind == "number" and term.number) for operation, term in chain):
        raise SCORE_PHRASES.unknown_phrase_error(text)
    return chain, guards


def _build_term(_: str, kind: str, **fields: Any) -> ScoreTerm:
    return ScoreTerm(kind, **fields)


def _parse_rank(text: str) -> int:
    """Return the rank of a die in ascending order, from 1 for the lowest, or from -1 for the highest."""
    place = next(map(int, re.findall(r"[0-9]", text)), 1)
    return place if text.endswith("lowest") else -place


_RANK_SLOT = PhraseSlot(r"the (?:[1-9](?:st|nd|rd|th) )?(?:highest|lowest)", _parse_rank, ())

TERM_PHRASES = Vocabulary(
    "score",
    _build_term,
    {
        "ends": value_slot({"lowest": (1, 2), "highest": (-1, -2)}),
        "first": _RANK_SLOT,
        "second": _RANK_SLOT,
        "measure": value_slot({"the sum": "sum", "the spread": "spread", "the longest straight": "straight"}),
        "counted": value_slot({"a pair": "pairs", "a different face": "faces"}),
        "digit": PhraseSlot(r"[0-9]", int, ("1",)),
        "digits": PhraseSlot(r"[0-9][0-9]?", int, ("2",)),
        "values": FACE_LIST_SLOT,
        "condition": PhraseSlot(".+", parse_need_alternatives, ("a pair and a 6",)),
    },
    PhraseRow("the difference of the two {ranks:ends}", "how far apart these two dice are", kind="difference"),
    PhraseRow(
        "the difference of {first} and {second}",
        "the same for any two dice; 0 if there are too few",
        "the difference of the 2nd lowest and the highest",
        lambda text, first, second: ScoreTerm("difference", ranks=(first, second)),
    ),
    PhraseRow(
        "{first}",
        "what one die shows; 0 if there are too few",
        "the highest, the 2nd highest, the lowest, the 3rd lowest",
        lambda text, first: ScoreTerm("rank", ranks=(first,)),
    ),
    PhraseRow("{what:measure}", "all dice added up; highest minus lowest; most values in a row", kind="each", number=1),
    PhraseRow(
        "{number:digit} a die of {values}", "this many for each die that shows one of these", kind="each", what="dice"
    ),
    PhraseRow(
        "{number:digit} {what:counted}", "this many for each pair (four alike are two), or each face shown", kind="each"
    ),
    PhraseRow("{number:digit} for {ways:condition}", "this many if the dice meet a condition, as in lines", kind="for"),
    PhraseRow("{number:digits}", "this many", kind="number"),
    plain=plain_phrase,
)
"""Every value of a score."""

SCORE_PHRASES: Vocabulary[ScoringRule] = Vocabulary(
    "score",
    ScoringRule,
    {},
    *TERM_PHRASES.framed_rows("{}"),
    PhraseRow("", "rounded down", "the sum divided by 4"),
    PhraseRow(
        "", "minus a number, or another value", "the sum less 10, the highest less 3, the highest less the lowest"
    ),
    PhraseRow("", "two values added", "the lowest plus 1, 1 a pair plus 1 a die of 6"),
    PhraseRow(
        "", "not more, or not less, than a number or another value", "the highest at most 3, the highest at least 2"
    ),
    PhraseRow("", "the best of several counts", "3 for three of a kind; 1 for a pair"),
    PhraseRow(
        "",
        "only in this inning and later; only while the team is behind, and also `tied` or `ahead`",
        "the lowest from the 9th, the lowest when behind; 1 a pair",
    ),
)
"""Every form of a score; `parse_scoring_rule` combines them."""


def _face_at_rank(faces: tuple[int, ...], rank: int) -> int:
    """Return the face of the die at a rank, or 0 if there are too few."""
    return faces[rank - (rank > 0)] if 0 < abs(rank) <= len(faces) else 0
