"""Card languages, with one row for each phrase that can be typed on a card.

A game writes its phrases once, as the rows of a `Vocabulary`. They define the parser, the help in the deck editor, and
the tables of docs/play/cards (written by `scripts/phrases`).

    Vocabulary(
        "move",
        Move,
        {"steps": number_slot(1, 3)},
        PhraseRow("run to {base:first|second}", "the runner goes there"),
        PhraseRow("run {steps} bases?", "the runner goes this far", "run 1 base, run 2 bases", base="next"),
    )

`parse_phrase("run to first")` returns `Move("run to first", base="first")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Generic, TypeVar

from engine.cards import quoted_value

T = TypeVar("T")

NO_UPPER_BOUND = 10**6
"""Larger than any number in a game. A range up to it has no upper end."""

NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
"""Words that card languages read as digits, by number."""

_SLOT_PATTERN = re.compile(r"\{([a-z_]+)(?::([^{}]+))?\}")
"""The place of a slot: "{slot}", "{field:slot}" if the field has another name, or "{field:one|other}" for words."""


class PhraseError(ValueError):
    """A phrase that cannot be parsed. The message is a complete sentence."""


@dataclass(frozen=True, slots=True)
class PhraseSlot:
    """The texts that one place of a phrase accepts.

    pattern: a regular expression without groups.
    read: from text to value. Raises ValueError with the fault, such as "needs a number from 1 to 9."
    samples: texts for the examples.
    """

    pattern: str
    read: Callable[[str], Any]
    samples: tuple[str, ...]


def word_slot(*texts: str) -> PhraseSlot:
    """Return a slot for any of these texts. Each is its own value."""
    return value_slot({text: text for text in texts})


def value_slot(values: Mapping[str, object], *samples: str, plain: Callable[[str], str] = str) -> PhraseSlot:
    """Return a slot for any of these texts, with the value of each. Without `samples`, all texts are samples.

    `plain` is the normalization of the vocabulary, needed if the texts are not normalized.
    """
    known = {plain(text): value for text, value in values.items()}
    return PhraseSlot(alternatives_pattern(known, re.escape), known.__getitem__, samples or tuple(values))


def signed_number_slot(low: int, high: int, *samples: str) -> PhraseSlot:
    return value_slot({f"{by:+}": by for by in range(low, high + 1) if by}, *samples)


def number_slot(low: int, high: int, *samples: str) -> PhraseSlot:
    """Return a slot for an integer from `low` to `high`. Any other number is a fault."""

    def parse_number(text: str) -> int:
        if not low <= int(text) <= high:
            raise ValueError(f"needs a number from {low} to {high}.")
        return int(text)

    return PhraseSlot(r"0|[1-9][0-9]{0,3}", parse_number, samples or ("1", "2"))


def range_slot(low: int, high: int, *samples: str, least: int = -NO_UPPER_BOUND) -> PhraseSlot:
    """Return a slot for "3", "3+", "3 or more", "3 or less" or "3 to 5", with (lowest, highest) as value. `least` is
    the lowest number of "3 or less".
    """

    def parse_range(text: str) -> tuple[int, int]:
        found = _RANGE_PATTERN.fullmatch(text)
        assert found
        number, more = int(found["low"]), found["more"] or ""
        top = int(found["high"] or number)
        if not low <= number <= top <= high:
            raise ValueError(f"needs a number from {low} to {high}.")
        if more == "+" or more.endswith(("more", "higher", "later")):
            return number, NO_UPPER_BOUND
        return (least if more and not found["high"] else number), top

    return PhraseSlot(re.sub(r"\(\?P<[a-z]+>", "(?:", _RANGE_PATTERN.pattern), parse_range, samples)


_RANGE_PATTERN = re.compile(
    r"(?:exactly )?(?P<low>-?[0-9]{1,4})(?P<more>\+| or (?:more|higher|later)| or (?:less|fewer|lower|earlier)"
    r"| to (?P<high>-?[0-9]{1,4}))?"
)


def text_with_digits(text: str) -> str:
    """Return a text in lower case, with digits for number words."""
    return re.sub(r"[a-z]+", lambda word: _DIGITS_BY_WORD.get(word[0], word[0]), text)


_DIGITS_BY_WORD = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}


class PhraseRow:
    """One kind of phrase. The values of its slots and `fields` together make the effect.

    pattern: a regular expression with places for slots. It must match the complete phrase. A row with "" only
        documents what the game parses in its own code.
    does: the effect in words, with code in backticks.
    examples: phrases separated by ", ". By default they are built from the pattern and the samples of its slots.
    build: builder in place of the vocabulary's.
    """

    def __init__(
        self, pattern: str, does: str, examples: str = "", build: Callable[..., Any] | None = None, **fields: Any
    ) -> None:
        self.pattern = pattern
        self.does = does
        self.examples = examples
        self.build = build
        self.fields = fields


class Vocabulary(Generic[T]):
    """The phrases for one field of a card, or for a part of it. The first row that matches counts.

    what: the noun for one phrase in faults, such as "effect".
    build: called with the phrase as typed and the fields of its row.
    plain: normalizes phrases and patterns before they are compared.
    """

    def __init__(
        self,
        what: str,
        build: Callable[..., T],
        slots: Mapping[str, PhraseSlot],
        *rows: PhraseRow,
        plain: Callable[[str], str] = str,
    ) -> None:
        self.what = what
        self._build, self._slots, self._rows, self._plain = build, slots, rows, plain

    @cached_property
    def _row_readers(self) -> tuple[_RowReader, ...]:
        """Readers of the rows that have a pattern. Made on first use, because compiling all patterns takes a while."""
        rows = (row for row in self._rows if row.pattern)
        return tuple(_RowReader(row, row.build or self._build, self._slots, self._plain) for row in rows)

    @cached_property
    def row_descriptions(self) -> tuple[tuple[str, str], ...]:
        """The examples of each row, and their effect."""
        return tuple(
            (row.examples or ", ".join(_pattern_examples(row.pattern, self._slots)), row.does) for row in self._rows
        )

    @property
    def examples(self) -> tuple[str, ...]:
        return tuple(example for examples, _ in self.row_descriptions for example in examples.split(", "))

    @property
    def help_rows(self) -> list[dict[str, str]]:
        """The rows for people, as [{say, does}]."""
        return [{"say": examples, "does": does.replace("`", "")} for examples, does in self.row_descriptions]

    def find_effect(self, text: str) -> T | None:
        """Return the effect of a phrase, or None if no row matches. Raises PhraseError if a value in it is wrong."""
        phrase = self._plain(text)
        for reader in self._row_readers:
            if found := reader.pattern.fullmatch(phrase):
                effect: T = reader.matched_effect(text, found)
                return effect
        return None

    def parse_phrase(self, text: Any) -> T:
        """Return the effect of a phrase. Raises PhraseError, with the nearest example for an unknown phrase."""
        found = self.find_effect(text) if isinstance(text, str) else None
        if found is None:
            raise self.unknown_phrase_error(text)
        return found

    def unknown_phrase_error(self, text: Any) -> PhraseError:
        """Return the error for an unknown phrase, with the nearest example."""
        near = get_close_matches(text, self.examples, 1) if isinstance(text, str) else []
        hint = f"Did you mean {quoted_value(near[0])}?" if near else f"One example is {quoted_value(self.examples[0])}."
        return PhraseError(f"Unknown {self.what} {quoted_value(text)}. {hint}")

    def framed_rows(self, frame: str) -> Iterator[PhraseRow]:
        """Yield rows that document these phrases as parts of longer ones. `frame` is such as "{} and so on"."""
        for examples, does in self.row_descriptions:
            yield PhraseRow("", does, ", ".join(frame.format(example) for example in examples.split(", ")))


class _RowReader:
    """A compiled row."""

    def __init__(
        self, row: PhraseRow, build: Callable[..., Any], slots: Mapping[str, PhraseSlot], plain: Callable[[str], str]
    ) -> None:
        self._build, self._fields = build, row.fields
        places = {place[1]: _slot_at(place, slots) for place in _SLOT_PATTERN.finditer(row.pattern)}
        self._read = {field: slot.read for field, slot in places.items()}
        parts = {field: f"(?P<{field}>{slot.pattern})" for field, slot in places.items()}
        self.pattern = re.compile(_SLOT_PATTERN.sub(lambda place: parts[place[1]], plain(row.pattern)))

    def matched_effect(self, text: str, found: re.Match[str]) -> Any:
        try:
            said = {field: self._read[field](part) for field, part in found.groupdict().items() if part is not None}
        except PhraseError:
            raise
        except ValueError as error:
            raise PhraseError(f"{quoted_value(text)} {error}") from None
        return self._build(text, **{**self._fields, **said})


def _slot_at(place: re.Match[str], slots: Mapping[str, PhraseSlot]) -> PhraseSlot:
    name = place[2] or place[1]
    return word_slot(*name.split("|")) if "|" in name else slots[name]


def _pattern_examples(pattern: str, slots: Mapping[str, PhraseSlot]) -> Iterator[str]:
    """Yield the pattern without optional groups, with the first sample of each slot, then the second, and so on."""
    pattern = re.sub(r"\(\?:[^()]*\)\?", "", pattern)
    places = {place[0]: _slot_at(place, slots).samples for place in _SLOT_PATTERN.finditer(pattern)}
    for turn in range(max(map(len, places.values()), default=1)):
        example = pattern
        for place, samples in places.items():
            example = example.replace(place, samples[turn % len(samples)])
        yield example


def alternatives_pattern(texts: Iterable[str], pattern: Callable[[str], str] = str) -> str:
    """Return a pattern for any of these texts. Longer texts come first, because they may begin with a shorter one."""
    return "|".join(map(pattern, sorted(texts, key=len, reverse=True)))
