"""Lines of a batter's card, which are conditions on dice; the dice he brings; and the odds of his lines.

    lines = ["highest 6: home-run", "two pairs or sum 12+: double", "a pair with a runner on third: sacrifice"]
    dice = "3 with runners on; else 1"

"and" binds closer than "or". A part after "with", "from" or "when" is a guard on the whole line. Without dice no line
is met.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.cards import Phrases, quoted, unknown
from engine.events import spoken
from engine.games.seventh_inning_stretch.dice.measures import Need, Ways, counted, holds
from engine.games.seventh_inning_stretch.dice.odds import again, chance, hope

OUTCOMES = ("single", "double", "triple", "home-run", "walk", "sacrifice")
"""Every outcome of a line (SI-085 to SI-091)."""

PHRASES: Phrases = {
    "a 6: single": "at least one die shows it",
    "highest 5+: single, highest 4: single, highest 2 or less: single": (
        "the highest die: so much or more, exactly, so much or less; 3 to 5 says from and to"
    ),
    "lowest 3+: single": "the same for the lowest die",
    "sum 12+: single, sum 7 or less: single": "the same for all dice added up",
    "spread 3+: single": "the same for how much the highest is above the lowest",
    "2+ dice of 5 6: single, 1 die of 5 6: single, no die of 1: single": "how many dice show one of these",
    "a pair: single, three of a kind: single, three of a kind of 6: single": "so many alike, or more",
    "two pairs: single": "so many pairs, or more; four alike are two",
    "straight of 3: single": "so many values in a row, or more",
    "all odd: single, all even: single, all different: single, all alike: single": "every die",
    "exactly 3 dice: single, 3+ dice: single": "how many dice were thrown",
    "a pair and sum 8+: single, a pair or a 6: single": "both, or one of the two; and binds closer than or",
    "a 6: double, a 6: triple, a 6: home-run, a 6: walk, a 6: sacrifice": "what else a line can give",
    "a 6 with runners on: single, a 6 with nobody on: single, a 6 with the bases full: single": (
        "only with runners as said"
    ),
    "a 6 with a runner on third: single, a 6 with runners on first and third: single": (
        "only with somebody on each of these bases"
    ),
    "a 6 with nobody out: single, a 6 with one out: single, a 6 with two out: single": "only with so many out",
    "a 6 from the 9th: single": "only in this inning and later",
    "a 6 when behind: single, a 6 when tied: single, a 6 when ahead: single": "only as the score stands",
}
"""Every form of a line, with its explanation, as in docs/cards.md."""

DICE_PHRASES: Phrases = {
    "0, 1, 2, 3, 4": "that many dice",
    "1 a runner, 1 an out, 1 a batter on the bench": "that many for each there is",
    "3 with runners on; else 1": "by the runners, the outs, the inning or the score, as a line has it",
    "by a die: 0 0 1 2 2 3": "a die is thrown first; what it brings when it shows 1, 2 and so on to 6",
}
"""Every form of a batter's dice, with its explanation, as in docs/cards.md."""

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


_BASES = ("first", "second", "third")
_BASE = f"(?:{'|'.join(_BASES)})"
_ANY = 10**6

_GUARDS = {
    "with runners on": When("runners", 1, 3),
    "with nobody on": When("runners"),
    "with the bases full": When("runners", 3, 3),
    "with nobody out": When("outs"),
    "with 1 out": When("outs", 1, 1),
    "with 2 out": When("outs", 2, 2),
    "when behind": When("lead", -_ANY, -1),
    "when tied": When("lead"),
    "when ahead": When("lead", 1, _ANY),
}

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = {word: str(number) for number, word in enumerate(_NUMBERS)}


def normal(value: Any) -> str:
    """Return a phrase in lower case with single spaces. Raises ValueError if it is not text."""
    if not isinstance(value, str):
        raise ValueError(f"wants a phrase, not {quoted(value)}.")
    return " ".join(value.lower().split())


def plain(text: str) -> str:
    """Return a normal phrase with digits for numbers and without commas, as the grammars here read it."""
    return re.sub(r"[a-z]+", lambda word: _WORDS.get(word[0], word[0]), text.replace(",", ""))


def guarded(text: str) -> tuple[str, tuple[When, ...]] | None:
    """Split a plain phrase into its condition and its guards; return None if a guard is unknown."""
    first, *guards = re.split(r" (?=(?:with|from|when) )", text)
    found = [_guard(guard) for guard in guards]
    return None if None in found else (first, tuple(one for one in found if one is not None))


def _guard(text: str) -> When | None:
    if inning := re.fullmatch(r"from the (\d\d?)(?:st|nd|rd|th)", text):
        return When("inning", int(inning[1]), _ANY)
    if bases := re.fullmatch(rf"with (?:a runner|runners) on ({_BASE}(?: and {_BASE})*)", text):
        return When("bases", values=tuple(sorted({_BASES.index(base) + 1 for base in bases[1].split(" and ")})))
    return _GUARDS.get(text)


# Lines -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a batter's card: phrase, outcome, condition on dice, and guards (SI-024)."""

    text: str
    outcome: str
    ways: Ways
    when: tuple[When, ...] = ()


def line(value: Any) -> Line:
    """Read a line, as "highest 5+: double". Raises ValueError with the nearest phrase."""
    text = normal(value)
    condition, colon, outcome = (part.strip() for part in text.partition(":"))
    if colon and (outcome := outcome.replace(" ", "-")) not in OUTCOMES:
        raise ValueError(f"wants {spoken(OUTCOMES, 'or')} after the colon, not {quoted(outcome)}.")
    found = guarded(plain(condition))
    if not colon or found is None or (wanted := ways(found[0])) is None:
        raise ValueError(unknown(text, "line", PHRASES))
    return Line(text, outcome, wanted, found[1])


def ways(text: str) -> Ways | None:
    """Read a condition from a plain phrase without guards; return None if a part is unknown."""
    found = [[_need(part) for part in way.split(" and ")] for way in re.split(r" or (?!more\b|less\b)", text)]
    known = tuple(tuple(one for one in way if one is not None) for way in found)
    return known if sum(map(len, known)) == sum(map(len, found)) else None


_SIZE = r"(?:exactly )?(?P<low>\d\d?)(?P<more>\+| or more| or less| to (?P<high>\d\d?))?"
_OF = r" of (?P<values>[1-6](?: [1-6])*)"

_GRAMMAR = (
    (rf"highest {_SIZE}", "highest", 1, 6),
    (rf"lowest {_SIZE}", "lowest", 1, 6),
    (rf"sum {_SIZE}", "sum", 1, 72),
    (rf"spread {_SIZE}", "spread", 0, 5),
    (rf"{_SIZE} (?:die|dice){_OF}", "dice", 0, 12),
    (rf"{_SIZE} (?:die|dice)", "dice", 1, 12),
    (r"straight of (?P<low>\d)", "straight", 2, 6),
    (r"(?P<low>\d\d?) of a kind(?: of (?P<values>[1-6]))?", "alike", 2, 12),
    (r"(?P<low>\d) pairs?", "pairs", 1, 6),
)
"""The phrases with a number: pattern, measure, and the bounds of the number."""

_SHORT = ((r"a (?=[1-6]$)", "1+ dice of "), (r"no (?=(die|dice) of)", "0 "), (r"(a )?pair(?= of|$)", "2 of a kind"))
"""Short forms at the beginning of phrases."""

_WHOLE = {
    "all odd": Need("dice", 0, 0, (2, 4, 6)),
    "all even": Need("dice", 0, 0, (1, 3, 5)),
    "all different": Need("alike", 0, 1),
    "all alike": Need("spread", 0, 0),
}
"""The phrases without a number."""


def _need(text: str) -> Need | None:
    for short, long in _SHORT:
        text = re.sub(f"^{short}", long, text)
    for pattern, what, low, high in _GRAMMAR:
        if found := re.fullmatch(pattern, text):
            return _sized(text, what, found.groupdict(), low, high)
    return _WHOLE.get(text)


def _sized(text: str, what: str, parts: Mapping[str, str | None], low: int, high: int) -> Need:
    number, more = int(parts["low"] or 0), parts.get("more", "+") or ""
    top = int(parts.get("high") or number)
    if not low <= number <= top <= high:
        raise ValueError(f"{quoted(text)} wants a number from {low} to {high}.")
    bounds = (number, _ANY) if more in ("+", " or more") else (0, number) if more == " or less" else (number, top)
    values = map(int, (parts.get("values") or "1 2 3 4 5 6").split())
    return Need(what, *bounds, tuple(sorted(set(values))))


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
                raise ValueError("wants the die that is thrown first.")
            return self.table[face - 1]
        if not all(when.holds(at) for when in self.when):
            return self.other
        times = {"": 1, "runner": sum(at.bases), "out": at.outs, "batter": at.bench}
        return self.number * times[self.per]


_STAR = r"(?P<number>\d)(?: (?P<per>a runner|an out|a batter on the bench))?"


def dice(value: Any) -> Dice:
    """Read a number of dice, as 2 or "1 a runner". Raises ValueError with the nearest phrase."""
    number = isinstance(value, int) and not isinstance(value, bool)
    text = normal(str(value) if number else value)
    found = _dice(text, plain(text.replace(";", "")))
    if found is None:
        raise ValueError(unknown(text, "number of dice", DICE_PHRASES))
    if not all(0 <= one <= 4 for one in (found.number, found.other, *found.table)):
        raise ValueError(f"{quoted(text)} wants numbers from 0 to 4.")
    return found


def _dice(text: str, said: str) -> Dice | None:
    if table := re.fullmatch(r"by a die: ?(\d(?: \d){5})", said):
        return Dice(text, table=tuple(map(int, table[1].split())))
    if star := re.fullmatch(_STAR, said):
        return Dice(text, int(star["number"]), (star["per"] or "a ").split()[1] if star["per"] else "")
    if split := re.fullmatch(r"(\d .+) else (\d)", said):
        found = guarded(split[1])
        if found and found[1] and re.fullmatch(r"\d", found[0]):
            return Dice(text, int(found[0]), when=found[1], other=int(split[2]))
    return None


# At the table ----------------------------------------------------------------------------------------------------


def met(lines: tuple[Line, ...], faces: tuple[int, ...], at: At) -> tuple[str, ...]:
    """Return the outcomes whose condition the dice meet, each once, in the card's order (SI-081 to SI-083)."""
    counts = counted(faces)
    return tuple(dict.fromkeys(one.outcome for one in lines if faces and _open(one, at) and holds(one.ways, counts)))


def _open(one: Line, at: At) -> bool:
    return all(when.holds(at) for when in one.when)


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


def _wanted(lines: tuple[Line, ...], at: At) -> dict[str, Ways]:
    """Return each outcome of the card with the ways to it that count now."""
    found: dict[str, Ways] = {}
    for one in lines:
        found[one.outcome] = found.get(one.outcome, ()) + (one.ways if _open(one, at) else ())
    return found
