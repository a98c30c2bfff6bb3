"""Lines of a batter's card, which are conditions on dice with odds. A second phrase gives the batter's number of dice.

    lines = ["highest 6: home-run", "two pairs or sum 12+: double", "a pair with a runner on third: sacrifice"]
    dice = "3 with runners on; else 1"

"and" binds tighter than "or". A part after "with", "from" or "when" is a guard on the complete line. Without dice no
line is met.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from engine.cards import quoted_value
from engine.events import spoken_list
from engine.games.seventh_inning_stretch.dice.odds import (
    DIE_FACES,
    Need,
    NeedAlternatives,
    best_chance,
    can_meet,
    can_miss,
    face_counts,
    is_any_way_met,
    reroll_chance,
    roll_chance,
)
from engine.phrases import (
    NO_UPPER_BOUND,
    PhraseRow,
    PhraseSlot,
    Vocabulary,
    number_slot,
    range_slot,
    text_with_digits,
    value_slot,
)

LINE_OUTCOMES = ("single", "double", "triple", "home-run", "walk", "sacrifice")
"""Every outcome of a line (SI-085 to SI-091)."""

MAX_BATTER_DICE = 4
"""The most dice of a batter's card."""

# Guards ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GuardFacts:
    """Facts for guards and star rules, from the view of the card's side.

    `bases` are True where there are runners, `lead` is its runs minus the other side's, and `bench` counts the batters
    on the bench.
    """

    outs: int = 0
    bases: tuple[bool, bool, bool] = (False, False, False)
    inning: int = 7
    lead: int = 0
    bench: int = 0


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard. `what` is "bases" (each of `values` has a runner), "runners", "outs", "inning" or "lead"."""

    what: str
    low: int = 0
    high: int = 0
    values: tuple[int, ...] = ()

    def is_met(self, at: GuardFacts) -> bool:
        if self.what == "bases":
            return all(at.bases[base - 1] for base in self.values)
        now = sum(at.bases) if self.what == "runners" else int(getattr(at, self.what))
        return self.low <= now <= self.high


def normal_phrase(value: Any) -> str:
    """Return a phrase in lower case with single spaces. Raises ValueError if it is not text."""
    if not isinstance(value, str):
        raise ValueError(f"needs a phrase, not {quoted_value(value)}.")
    return " ".join(value.lower().split())


def plain_phrase(text: str) -> str:
    """Return a normal phrase with digits for numbers and without commas, as the vocabularies here read it."""
    return text_with_digits(text.replace(",", ""))


def _parse_bases(text: str) -> tuple[int, ...]:
    return tuple(sorted({BASE_NAMES.index(base) + 1 for base in text.split(" and ")}))


BASE_NAMES = ("first", "second", "third")
_BASE_PATTERN = f"(?:{'|'.join(BASE_NAMES)})"

GUARD_PHRASES = Vocabulary(
    "condition",
    lambda text, what, low=0, high=None, values=(): Guard(what, low, low if high is None else high, values),
    {
        "outs": value_slot({"nobody": 0, "1": 1, "2": 2}, "nobody", "one", "two"),
        "inning": PhraseSlot(r"[0-9][0-9]?(?:st|nd|rd|th)", lambda text: int(text[:-2]), ("9th",)),
        "bases": PhraseSlot(f"{_BASE_PATTERN}(?: and {_BASE_PATTERN})*", _parse_bases, ()),
    },
    PhraseRow("with runners on", "only with a runner on base", what="runners", low=1, high=3),
    PhraseRow("with nobody on", "only with the bases empty", what="runners"),
    PhraseRow("with the bases full", "only with the bases full", what="runners", low=3),
    PhraseRow(
        "with (?:a runner|runners) on {values:bases}",
        "only with a runner on each of these bases",
        "with a runner on third, with runners on first and third",
        what="bases",
    ),
    PhraseRow("with {low:outs} out", "only with this many outs", what="outs"),
    PhraseRow("from the {low:inning}", "only in this inning and later", what="inning", high=NO_UPPER_BOUND),
    PhraseRow("when behind", "only when the side with the card is behind", what="lead", low=-NO_UPPER_BOUND, high=-1),
    PhraseRow("when tied", "only when the score is tied", what="lead"),
    PhraseRow("when ahead", "only when the side with the card is ahead", what="lead", low=1, high=NO_UPPER_BOUND),
    plain=plain_phrase,
)


def split_guards(text: str) -> tuple[str, tuple[Guard, ...]]:
    """Split a phrase into its condition and its guards. Raises PhraseError."""
    first, *more = re.split(r" (?=(?:with|from|when) )", text)
    return first, tuple(map(GUARD_PHRASES.parse_phrase, more))


# Lines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class CardLine:
    """One line of a batter's card with phrase, outcome, condition on dice, and guards (SI-024)."""

    text: str
    outcome: str
    ways: NeedAlternatives
    when: tuple[Guard, ...] = ()


def parse_line(value: Any) -> CardLine:
    """Parse a line, such as "highest 5+: double". Raises PhraseError."""
    text = normal_phrase(value)
    condition, colon, outcome = (part.strip() for part in text.partition(":"))
    if colon and (outcome := outcome.replace(" ", "-")) not in LINE_OUTCOMES:
        raise ValueError(f"needs {spoken_list(LINE_OUTCOMES, 'or')} after the colon, not {quoted_value(outcome)}.")
    if not colon:
        raise LINE_PHRASES.unknown_phrase_error(text)
    wanted, guards = split_guards(condition)
    return CardLine(f"{condition}: {outcome.replace('-', ' ')}", outcome, parse_need_alternatives(wanted), guards)


def parse_need_alternatives(text: str) -> NeedAlternatives:
    """Parse a condition without guards. Raises PhraseError."""
    either = re.split(r" or (?!(?:more|higher|later|less|fewer|lower|earlier)\b)", text)
    return tuple(tuple(NEED_PHRASES.parse_phrase(part) for part in way.split(" and ")) for way in either)


def _build_need(_: str, what: str, size: tuple[int, int], values: tuple[int, ...] = DIE_FACES) -> Need:
    return Need(what, *size, values)


def _or_more_slot(low: int, high: int, *samples: str) -> PhraseSlot:
    """Return a slot for a number that means "this many or more"."""
    plain = number_slot(low, high, *samples)
    return replace(plain, read=lambda text: (plain.read(text), NO_UPPER_BOUND))


FACE_LIST_SLOT = PhraseSlot(
    "[1-6](?: [1-6])*", lambda text: tuple(sorted({int(face) for face in text.split()})), ("5 6",)
)
"""Faces separated by spaces."""

NEED_PHRASES = Vocabulary(
    "condition",
    _build_need,
    {
        "face": range_slot(1, 6, "5+", "4", "2 or less", "3 to 5", least=0),
        "sum": range_slot(1, 72, "12+", "7 or less", least=0),
        "spread": range_slot(0, 5, "3+", least=0),
        "some": range_slot(0, 12, "2+", "1", least=0),
        "thrown": range_slot(1, 12, "exactly 3", "3+", least=0),
        "row": _or_more_slot(2, 6, "3"),
        "alike": _or_more_slot(2, 12, "three"),
        "pairs": _or_more_slot(1, 6, "two"),
        "values": FACE_LIST_SLOT,
        "value": PhraseSlot("[1-6]", lambda text: (int(text),), ("6",)),
    },
    PhraseRow("a {values:value}", "at least one die shows it", what="dice", size=(1, NO_UPPER_BOUND)),
    PhraseRow("highest {size:face}", "the highest die", what="highest"),
    PhraseRow("lowest {size:face}", "the lowest die", "lowest 3+", what="lowest"),
    PhraseRow("sum {size:sum}", "all dice added up", what="sum"),
    PhraseRow("spread {size:spread}", "the highest die minus the lowest", what="spread"),
    PhraseRow(
        "{size:some} (?:die|dice) of {values}",
        "how many dice show one of these",
        "2+ dice of 5 6, 1 die of 5 6",
        what="dice",
    ),
    PhraseRow("no (?:die|dice) of {values}", "no die shows one of these", "no die of 1", what="dice", size=(0, 0)),
    PhraseRow(
        "(?:a )?pair(?: of {values:value})?",
        "two alike, or more",
        "a pair, a pair of 6",
        what="alike",
        size=(2, NO_UPPER_BOUND),
    ),
    PhraseRow(
        "{size:alike} of a kind(?: of {values:value})?",
        "this many alike, or more",
        "three of a kind, three of a kind of 6",
        what="alike",
    ),
    PhraseRow("{size:pairs} pairs?", "this many pairs, or more; four alike are two", "two pairs", what="pairs"),
    PhraseRow("straight of {size:row}", "this many values in a row, or more", what="straight"),
    PhraseRow("all odd", "every die is odd", what="dice", size=(0, 0), values=(2, 4, 6)),
    PhraseRow("all even", "every die is even", what="dice", size=(0, 0), values=(1, 3, 5)),
    PhraseRow("all different", "no two dice show the same", what="alike", size=(0, 1)),
    PhraseRow("all alike", "all dice show the same", what="spread", size=(0, 0)),
    PhraseRow("{size:thrown} (?:die|dice)", "how many dice were rolled", "exactly 3 dice, 3+ dice", what="dice"),
    PhraseRow("", "both", "a pair and sum 8+"),
    PhraseRow("", "one of the two; `and` binds tighter than `or`", "a pair or a 6"),
    plain=plain_phrase,
)
"""Every condition on dice."""

LINE_PHRASES: Vocabulary[CardLine] = Vocabulary(
    "line",
    CardLine,
    {},
    *NEED_PHRASES.framed_rows("{}: single"),
    PhraseRow("", "the other outcomes of a line", ", ".join(f"a 6: {outcome}" for outcome in LINE_OUTCOMES[1:])),
    *GUARD_PHRASES.framed_rows("a 6 {}: single"),
)
"""Every form of a line; `parse_line` combines them."""


# The dice a batter brings ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiceRule:
    """The dice of a batter. They are `number` for each `per` ("runner", "out", "batter"), or once (SI-053, SI-054).

    They are `other` if a guard of `when` does not hold. With a `table`, a die rolled first decides the number.
    """

    text: str
    number: int = 0
    per: str = ""
    when: tuple[Guard, ...] = ()
    other: int = 0
    table: tuple[int, ...] = ()

    @property
    def needs_die_roll(self) -> bool:
        return bool(self.table)

    def dice_count(self, at: GuardFacts, face: int | None = None) -> int:
        """Return the number of dice. `face` is the die rolled first. Raises ValueError if it is missing."""
        if self.table:
            if face is None:
                raise ValueError("needs the die that is thrown first.")
            return self.table[face - 1]
        if self.when and not all(when.is_met(at) for when in self.when):
            return self.other
        times = {"": 1, "runner": sum(at.bases), "out": at.outs, "batter": at.bench}
        return self.number * times[self.per]


def _parse_table(text: str) -> tuple[int, ...]:
    faces = tuple(map(int, text.split()))
    if max(faces) > MAX_BATTER_DICE:
        raise ValueError(f"needs numbers from 0 to {MAX_BATTER_DICE}.")
    return faces


DICE_PHRASES = Vocabulary(
    "number of dice",
    DiceRule,
    {
        "dice": number_slot(0, MAX_BATTER_DICE, "1"),
        "any": number_slot(0, MAX_BATTER_DICE, *map(str, range(MAX_BATTER_DICE + 1))),
        "per": value_slot({"a runner": "runner", "an out": "out", "a batter on the bench": "batter"}),
        "guards": PhraseSlot("(?:with|from|when) .+", lambda text: split_guards(f" {text}")[1], ()),
        "table": PhraseSlot(r"[0-9](?: [0-9]){5}", _parse_table, ("0 0 1 2 2 3",)),
    },
    PhraseRow("{number:any}", "this many dice"),
    PhraseRow("{number:dice} {per}", "this many for each one there is"),
    PhraseRow(
        "{number:dice} {when:guards} else {other:dice}",
        "depends on the runners, the outs, the inning or the score, as a line can",
        "3 with runners on; else 1",
    ),
    PhraseRow("by a die: ?{table}", "the dice for 1, 2 and so on to 6 on a die rolled first", "by a die: 0 0 1 2 2 3"),
    plain=lambda text: plain_phrase(text.replace(";", "")),
)
"""Every form of a batter's number of dice."""


def parse_dice(value: Any) -> DiceRule:
    """Parse a number of dice, such as 2 or "1 a runner". Raises PhraseError."""
    number = isinstance(value, int) and not isinstance(value, bool)
    return DICE_PHRASES.parse_phrase(normal_phrase(str(value) if number else value))


# At the table ----------------------------------------------------------------------------------------------------


def met_outcomes(lines: tuple[CardLine, ...], faces: tuple[int, ...], at: GuardFacts) -> tuple[str, ...]:
    """Return the outcomes whose condition the dice meet, each once, in the card's order (SI-081 to SI-083)."""
    counts = face_counts(faces)
    return tuple(
        dict.fromkeys(
            [one.outcome for one in lines if faces and _has_guards_met(one, at) and is_any_way_met(one.ways, counts)]
        )
    )


def _has_guards_met(one: CardLine, at: GuardFacts) -> bool:
    return not one.when or all(when.is_met(at) for when in one.when)


def outcome_chances(lines: tuple[CardLine, ...], count: int, at: GuardFacts) -> Mapping[str, Fraction]:
    """Return the exact chance of each outcome of the card with one roll of `count` dice, 0 to 12."""
    return {outcome: roll_chance(wanted, count) for outcome, wanted in _ways_by_outcome(lines, at).items()}


def best_chances(
    lines: tuple[CardLine, ...], faces: tuple[int, ...], rerolls: int, nudges: int, at: GuardFacts
) -> Mapping[str, Fraction | None]:
    """Return the exact chance to get each outcome of the card from these dice if the player plays for it alone.

    It allows at most one reroll token, and all `nudges`. 1 means met or within reach of nudges, 0 out of reach. None
    means within reach of a reroll, but of too many dice to compute.
    """
    counts, reroll = face_counts(faces), rerolls > 0
    return {
        outcome: best_chance(wanted, counts, reroll, nudges) for outcome, wanted in _ways_by_outcome(lines, at).items()
    }


def reroll_chances(
    lines: tuple[CardLine, ...], faces: tuple[int, ...], nudges: int, at: GuardFacts
) -> Mapping[str, Fraction | None]:
    """Return the chance of each outcome after a reroll of at least one die and all `nudges`, as in `best_chances`."""
    counts = face_counts(faces)
    return {outcome: reroll_chance(wanted, counts, nudges) for outcome, wanted in _ways_by_outcome(lines, at).items()}


def possible_outcomes(
    lines: tuple[CardLine, ...], faces: tuple[int, ...], reroll: bool, nudges: int, at: GuardFacts
) -> tuple[str, ...]:
    """Return the outcomes that these dice, at least one, can still meet with nudges, and with a reroll if `reroll`."""
    counts = face_counts(faces)
    return tuple(one for one, wanted in _ways_by_outcome(lines, at).items() if can_meet(wanted, counts, reroll, nudges))


def may_miss(lines: tuple[CardLine, ...], faces: tuple[int, ...], reroll: bool, nudges: int, at: GuardFacts) -> bool:
    """True if these dice, at least one, can still miss every line, with nudges, and with a reroll if `reroll`."""
    every = tuple(way for wanted in _ways_by_outcome(lines, at).values() for way in wanted)
    return can_miss(every, face_counts(faces), reroll, nudges)


def _ways_by_outcome(lines: tuple[CardLine, ...], at: GuardFacts) -> dict[str, NeedAlternatives]:
    """Return each outcome of the card with its ways whose guards hold now."""
    found: dict[str, NeedAlternatives] = {}
    for one in lines:
        found[one.outcome] = found.get(one.outcome, ()) + (one.ways if _has_guards_met(one, at) else ())
    return found
