"""Lines of a batter's card, which are conditions on dice; the dice he brings; and the odds of his lines.

    lines = ["highest 6: home-run", "two pairs or sum 12+: double", "a pair with a runner on third: sacrifice"]
    dice = "3 with runners on; else 1"

"and" binds closer than "or". A part after "with", "from" or "when" is a guard on the whole line. Without dice no line
is met.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from engine.cards import quoted
from engine.events import spoken
from engine.games.seventh_inning_stretch.dice.odds import (
    FACES,
    Need,
    Ways,
    again,
    avoidable,
    chance,
    counted,
    holds,
    hope,
    reachable,
)
from engine.phrases import ANY, Row, Slot, Vocabulary, digits, meaning, number, size

OUTCOMES = ("single", "double", "triple", "home-run", "walk", "sacrifice")
"""Every outcome of a line (SI-085 to SI-091)."""

MOST_DICE = 4
"""The most dice that a batter brings."""

# Guards ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class At:
    """The facts for guards and star rules.

    `bases` are True where runners are, `lead` is one's own runs minus the other side's, and `bench` counts the batters
    on the bench.
    """

    outs: int = 0
    bases: tuple[bool, bool, bool] = (False, False, False)
    inning: int = 7
    lead: int = 0
    bench: int = 0


@dataclass(frozen=True, slots=True)
class When:
    """One guard: `what` is "bases" (each of `values` has a runner), "runners", "outs", "inning" or "lead"."""

    what: str
    low: int = 0
    high: int = 0
    values: tuple[int, ...] = ()

    def holds(self, at: At) -> bool:
        """True if the guard holds."""
        if self.what == "bases":
            return all(at.bases[base - 1] for base in self.values)
        now = sum(at.bases) if self.what == "runners" else int(getattr(at, self.what))
        return self.low <= now <= self.high


def normal(value: Any) -> str:
    """Return a phrase in lower case with single spaces. Raises ValueError if it is not text."""
    if not isinstance(value, str):
        raise ValueError(f"needs a phrase, not {quoted(value)}.")
    return " ".join(value.lower().split())


def plain(text: str) -> str:
    """Return a normal phrase with digits for numbers and without commas, as the vocabularies here read it."""
    return digits(text.replace(",", ""))


def _bases(text: str) -> tuple[int, ...]:
    return tuple(sorted({BASES.index(base) + 1 for base in text.split(" and ")}))


BASES = ("first", "second", "third")
_BASE = f"(?:{'|'.join(BASES)})"

GUARDS = Vocabulary(
    "condition",
    lambda text, what, low=0, high=None, values=(): When(what, low, low if high is None else high, values),
    {
        "outs": meaning({"nobody": 0, "1": 1, "2": 2}, "nobody", "one", "two"),
        "inning": Slot(r"[0-9][0-9]?(?:st|nd|rd|th)", lambda text: int(text[:-2]), ("9th",)),
        "bases": Slot(f"{_BASE}(?: and {_BASE})*", _bases, ()),
    },
    Row("with runners on", "only with a runner on base", what="runners", low=1, high=3),
    Row("with nobody on", "only with the bases empty", what="runners"),
    Row("with the bases full", "only with the bases full", what="runners", low=3),
    Row(
        "with (?:a runner|runners) on {values:bases}",
        "only with a runner on each of these bases",
        "with a runner on third, with runners on first and third",
        what="bases",
    ),
    Row("with {low:outs} out", "only with this many outs", what="outs"),
    Row("from the {low:inning}", "only in this inning and later", what="inning", high=ANY),
    Row("when behind", "only when the side with the card is behind", what="lead", low=-ANY, high=-1),
    Row("when tied", "only when the score is tied", what="lead"),
    Row("when ahead", "only when the side with the card is ahead", what="lead", low=1, high=ANY),
    plain=plain,
)
"""Every guard."""


def guarded(text: str) -> tuple[str, tuple[When, ...]]:
    """Split a phrase into its condition and its guards. Raises PhraseError."""
    first, *more = re.split(r" (?=(?:with|from|when) )", text)
    return first, tuple(map(GUARDS.read, more))


# Lines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a batter's card: phrase, outcome, condition on dice, and guards (SI-024)."""

    text: str
    outcome: str
    ways: Ways
    when: tuple[When, ...] = ()


def line(value: Any) -> Line:
    """Read a line, as "highest 5+: double". Raises PhraseError."""
    text = normal(value)
    condition, colon, outcome = (part.strip() for part in text.partition(":"))
    if colon and (outcome := outcome.replace(" ", "-")) not in OUTCOMES:
        raise ValueError(f"needs {spoken(OUTCOMES, 'or')} after the colon, not {quoted(outcome)}.")
    if not colon:
        raise PHRASES.unknown(text)
    wanted, guards = guarded(condition)
    return Line(text, outcome, ways(wanted), guards)


def ways(text: str) -> Ways:
    """Read a condition without guards. Raises PhraseError."""
    either = re.split(r" or (?!(?:more|higher|later|less|fewer|lower|earlier)\b)", text)
    return tuple(tuple(NEEDS.read(part) for part in way.split(" and ")) for way in either)


def _need(_: str, what: str, size: tuple[int, int], values: tuple[int, ...] = FACES) -> Need:
    return Need(what, *size, values)


def _or_more(low: int, high: int, *samples: str) -> Slot:
    """Return a slot for a number that means "this many or more"."""
    plain = number(low, high, *samples)
    return replace(plain, read=lambda text: (plain.read(text), ANY))


FACE_LIST = Slot("[1-6](?: [1-6])*", lambda text: tuple(sorted({int(face) for face in text.split()})), ("5 6",))
"""Faces with spaces between them."""

NEEDS = Vocabulary(
    "condition",
    _need,
    {
        "face": size(1, 6, "5+", "4", "2 or less", "3 to 5", least=0),
        "sum": size(1, 72, "12+", "7 or less", least=0),
        "spread": size(0, 5, "3+", least=0),
        "some": size(0, 12, "2+", "1", least=0),
        "thrown": size(1, 12, "exactly 3", "3+", least=0),
        "row": _or_more(2, 6, "3"),
        "alike": _or_more(2, 12, "three"),
        "pairs": _or_more(1, 6, "two"),
        "values": FACE_LIST,
        "value": Slot("[1-6]", lambda text: (int(text),), ("6",)),
    },
    Row("a {values:value}", "at least one die shows it", what="dice", size=(1, ANY)),
    Row("highest {size:face}", "the highest die", what="highest"),
    Row("lowest {size:face}", "the lowest die", "lowest 3+", what="lowest"),
    Row("sum {size:sum}", "all dice added up", what="sum"),
    Row("spread {size:spread}", "the highest die minus the lowest", what="spread"),
    Row(
        "{size:some} (?:die|dice) of {values}",
        "how many dice show one of these",
        "2+ dice of 5 6, 1 die of 5 6",
        what="dice",
    ),
    Row("no (?:die|dice) of {values}", "no die shows one of these", "no die of 1", what="dice", size=(0, 0)),
    Row("(?:a )?pair(?: of {values:value})?", "two alike, or more", "a pair, a pair of 6", what="alike", size=(2, ANY)),
    Row(
        "{size:alike} of a kind(?: of {values:value})?",
        "this many alike, or more",
        "three of a kind, three of a kind of 6",
        what="alike",
    ),
    Row("{size:pairs} pairs?", "this many pairs, or more; four alike are two", "two pairs", what="pairs"),
    Row("straight of {size:row}", "this many values in a row, or more", what="straight"),
    Row("all odd", "every die is odd", what="dice", size=(0, 0), values=(2, 4, 6)),
    Row("all even", "every die is even", what="dice", size=(0, 0), values=(1, 3, 5)),
    Row("all different", "no two dice show the same", what="alike", size=(0, 1)),
    Row("all alike", "all dice show the same", what="spread", size=(0, 0)),
    Row("{size:thrown} (?:die|dice)", "how many dice were rolled", "exactly 3 dice, 3+ dice", what="dice"),
    Row("", "both", "a pair and sum 8+"),
    Row("", "one of the two; `and` binds tighter than `or`", "a pair or a 6"),
    plain=plain,
)
"""Every condition on dice."""

PHRASES: Vocabulary[Line] = Vocabulary(
    "line",
    Line,
    {},
    *NEEDS.framed("{}: single"),
    Row("", "the other outcomes of a line", ", ".join(f"a 6: {outcome}" for outcome in OUTCOMES[1:])),
    *GUARDS.framed("a 6 {}: single"),
)
"""Every form of a line; `line` puts it together."""


# The dice a batter brings ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Dice:
    """How many dice a batter brings: `number` for each `per` ("runner", "out", "batter"; "" once) (SI-053, SI-054).

    It is `other` if a guard of `when` does not hold. With a `table`, a die rolled first gives the number.
    """

    text: str
    number: int = 0
    per: str = ""
    when: tuple[When, ...] = ()
    other: int = 0
    table: tuple[int, ...] = ()

    @property
    def rolled(self) -> bool:
        """True if a d6 has to be rolled first."""
        return bool(self.table)

    def count(self, at: At, face: int | None = None) -> int:
        """Return the number of dice. `face` is the die rolled first. Raises ValueError if it is missing."""
        if self.table:
            if face is None:
                raise ValueError("needs the die that is thrown first.")
            return self.table[face - 1]
        if self.when and not all(when.holds(at) for when in self.when):
            return self.other
        times = {"": 1, "runner": sum(at.bases), "out": at.outs, "batter": at.bench}
        return self.number * times[self.per]


def _table(text: str) -> tuple[int, ...]:
    faces = tuple(map(int, text.split()))
    if max(faces) > MOST_DICE:
        raise ValueError(f"needs numbers from 0 to {MOST_DICE}.")
    return faces


DICE_PHRASES = Vocabulary(
    "number of dice",
    Dice,
    {
        "dice": number(0, MOST_DICE, "1"),
        "any": number(0, MOST_DICE, *map(str, range(MOST_DICE + 1))),
        "per": meaning({"a runner": "runner", "an out": "out", "a batter on the bench": "batter"}),
        "guards": Slot("(?:with|from|when) .+", lambda text: guarded(f" {text}")[1], ()),
        "table": Slot(r"[0-9](?: [0-9]){5}", _table, ("0 0 1 2 2 3",)),
    },
    Row("{number:any}", "this many dice"),
    Row("{number:dice} {per}", "this many for each one there is"),
    Row(
        "{number:dice} {when:guards} else {other:dice}",
        "depends on the runners, the outs, the inning or the score, as a line can",
        "3 with runners on; else 1",
    ),
    Row("by a die: ?{table}", "the dice for 1, 2 and so on to 6 on a die rolled first", "by a die: 0 0 1 2 2 3"),
    plain=lambda text: plain(text.replace(";", "")),
)
"""Every form of a batter's dice."""


def dice(value: Any) -> Dice:
    """Read a number of dice, as 2 or "1 a runner". Raises PhraseError."""
    number = isinstance(value, int) and not isinstance(value, bool)
    return DICE_PHRASES.read(normal(str(value) if number else value))


# At the table ----------------------------------------------------------------------------------------------------


def met(lines: tuple[Line, ...], faces: tuple[int, ...], at: At) -> tuple[str, ...]:
    """Return the outcomes whose condition the dice meet, each once, in the card's order (SI-081 to SI-083)."""
    counts = counted(faces)
    return tuple(dict.fromkeys([one.outcome for one in lines if faces and _open(one, at) and holds(one.ways, counts)]))


def _open(one: Line, at: At) -> bool:
    return not one.when or all(when.holds(at) for when in one.when)


def odds(lines: tuple[Line, ...], count: int, at: At) -> Mapping[str, Fraction]:
    """Return for each outcome of the card the exact chance that `count` dice (0 to 12), rolled once, meet it."""
    return {outcome: chance(wanted, count) for outcome, wanted in _wanted(lines, at).items()}


def hopes(
    lines: tuple[Line, ...], faces: tuple[int, ...], rerolls: int, nudges: int, at: At
) -> Mapping[str, Fraction | None]:
    """Return for each outcome of the card the exact chance to get it from these dice, if one plays for it alone.

    It counts at most one reroll token, and all `nudges`. 1 means met, or within reach of nudges; 0 out of reach; None
    within reach of a reroll, but with too many dice to compute it.
    """
    counts, reroll = counted(faces), rerolls > 0
    return {outcome: hope(wanted, counts, reroll, nudges) for outcome, wanted in _wanted(lines, at).items()}


def rerolls(lines: tuple[Line, ...], faces: tuple[int, ...], nudges: int, at: At) -> Mapping[str, Fraction | None]:
    """Return for each outcome of the card the exact chance to get it with a reroll token and then all `nudges`.

    At least one die is rolled again, and one plays for that outcome alone. None as in `hopes`.
    """
    counts = counted(faces)
    return {outcome: again(wanted, counts, nudges) for outcome, wanted in _wanted(lines, at).items()}


def possible(lines: tuple[Line, ...], faces: tuple[int, ...], reroll: bool, nudges: int, at: At) -> tuple[str, ...]:
    """Return the outcomes that these dice, at least one, can still meet with nudges, and with a reroll if `reroll`."""
    counts = counted(faces)
    return tuple(one for one, wanted in _wanted(lines, at).items() if reachable(wanted, counts, reroll, nudges))


def may_miss(lines: tuple[Line, ...], faces: tuple[int, ...], reroll: bool, nudges: int, at: At) -> bool:
    """True if these dice, at least one, can still meet no line, with nudges, and with a reroll if `reroll`."""
    every = tuple(way for wanted in _wanted(lines, at).values() for way in wanted)
    return avoidable(every, counted(faces), reroll, nudges)


def _wanted(lines: tuple[Line, ...], at: At) -> dict[str, Ways]:
    """Return each outcome of the card with the ways to it that count now."""
    found: dict[str, Ways] = {}
    for one in lines:
        found[one.outcome] = found.get(one.outcome, ()) + (one.ways if _open(one, at) else ())
    return found
