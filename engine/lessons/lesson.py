"""A game's lesson: three cards, and an explanation of each word that a newcomer may not know."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

MAX_EXPLANATION_LENGTH = 200
"""Most characters of an explanation, so that it fits above or below the choices of a small phone."""


@dataclass(frozen=True, slots=True)
class ChartRow:
    """What is rolled or done, what comes of it, and whether that is good for who does it."""

    rolled: str
    result: str
    good: bool


@dataclass(frozen=True, slots=True)
class LessonPicture:
    """The picture of a card, in parts of the table. What is left out is not drawn.

    dice: faces with their color, "" for any.
    chart: rows of a card or chart.
    outs: outs so far, of three.
    score: each side with its runs.
    """

    dice: tuple[tuple[int | str, str], ...] = ()
    chart: tuple[ChartRow, ...] = ()
    outs: int | None = None
    score: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class LessonCard:
    """A card with at most two short sentences."""

    title: str
    text: str
    picture: LessonPicture


@dataclass(frozen=True, slots=True)
class Explanation:
    """A word with its other forms, and what it means in one or two sentences."""

    word: str
    forms: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Lesson:
    """What a newcomer to a game reads.

    cards: from the first state of a game to its cards: what the dice do, what a choice costs, and how one wins. They
        give figures only of these decks and house rules.
    words: explanations by word. A key has all forms of the word, separated by ", ", first the one that is shown.
    """

    cards: Callable[[Any], tuple[LessonCard, ...]]
    words: Mapping[str, str]

    @cached_property
    def explanations(self) -> tuple[Explanation, ...]:
        """The explanations in alphabetical order."""
        found = [
            Explanation(forms.split(", ")[0], tuple(forms.split(", ")), text) for forms, text in self.words.items()
        ]
        return tuple(sorted(found, key=lambda one: one.word.lower()))

    def explained_words(self, text: str) -> tuple[str, ...]:
        """Return the explained words that occur in a text, in order, each as it stands there.

        A form in capitals, such as "GO", must stand there like that; of any other the first letter may be a capital.
        `web/static/js/learn/words.js` finds the same.
        """
        return tuple(match[0] for match in self._pattern.finditer(text))

    def without_explained_words(self, text: str) -> str:
        """Return a text with " … " in place of each explained word."""
        return self._pattern.sub(" … ", text)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        forms = sorted((form for one in self.explanations for form in one.forms), key=len, reverse=True)
        return re.compile(rf"(?<![\w-])(?:{'|'.join(map(_either_case, forms))})(?![\w-])")


def _either_case(form: str) -> str:
    first, rest = form[0], re.escape(form[1:])
    return re.escape(first) + rest if form.isupper() else f"[{first.lower()}{first.upper()}]{rest}"
