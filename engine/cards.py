"""Decks: card files, parsed and checked, with errors that name file, card, field and reason.

A deck is a TOML text: a `[deck]` table with `game` and `title`, then one `[[kind]]` table for each card. The game's
`Shape` defines the fields of a kind. This module takes texts, never files.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from engine.errors import DeckError, Fault
from engine.events import spoken
from engine.text import toml_text, visible_text

_MISSING = object()

TITLE = 60
"""Characters that a deck's title may have."""

LONGEST_TEXT = 500
"""Characters that any text on a card may have, also inside its lists and tables: a field may read it many times."""

LONGEST_NAME = 40
"""Characters of an unknown name, of a field or a kind of card, that a fault repeats."""

FAULTS = 200
"""Faults of a deck that are found: a text of 250 kB could have 30,000, and nobody reads more."""

Form = Mapping[str, Any]
"""What a field takes, as plain data; see `Field`."""

Entry = Mapping[str, Any]
"""The fields of one card by name: as TOML data, or checked."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a card: `check` returns the value in immutable form, or raises ValueError with the reason.

    `form` describes the legal input as plain data: {is: "text", longest}, {is: "whole", low, high}, {is: "one-of",
    values}, {is: "flag"}, {is: "several", of: form}, {is: "list", of: form, count}, {is: "map", key: form, of: form} or
    {is: "phrase", example, phrases}, the last a list of {say, does}: every phrase there is. `default` is the value of
    an optional field that is left out; `meaning` is a sentence.
    """

    check: Callable[[Any], Any]
    form: Form
    default: Any = _MISSING
    meaning: str = ""

    def __call__(self, value: Any) -> Any:
        """Return the checked value. Raises ValueError."""
        return self.check(value)

    def means(self, meaning: str) -> Field:
        """Return the same field with a sentence that explains it."""
        return replace(self, meaning=meaning)

    def names(self, kind: str, *like: str) -> Field:
        """Return the same field, to hold the name of a card of this kind. `form` gets {names: kind}, and if the text is
        more than the name also {like}: the texts to choose from, such as "3 {}", with braces for the name.
        """
        return replace(self, form={**self.form, "names": kind} | ({"like": list(like)} if like else {}))

    @property
    def optional(self) -> bool:
        """True if it may be left out."""
        return self.default is not _MISSING

    @property
    def look(self) -> Form:
        """Its form with {optional, means}; for an optional flag also `default`."""
        default = {"default": self.default} if isinstance(self.default, bool) else {}
        return {**self.form, **default, "optional": self.optional, "means": self.meaning}


Shape = Mapping[str, Field]
"""The fields of one kind of card, by name."""


def quoted(value: Any) -> str:
    """Return a wrong value for an error message, cut to its first characters, without hidden characters."""
    try:
        words = visible_text.cleaned(repr(value))
    except (ValueError, RecursionError):  # a number of thousands of digits, a list in a list in a list
        return "this"
    return words if len(words) <= 120 else f"{words[:119]}…"


def text(longest: int = 40) -> Field:
    """Return a field for a line of 1 to `longest` characters that everybody can see (`visible_text.line`)."""

    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("needs a text.")
        return visible_text.line(value, longest)

    return Field(check, {"is": "text", "longest": longest})


def whole(low: int, high: int) -> Field:
    """Return a field for a whole number from `low` to `high`."""

    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"needs a whole number from {low} to {high}, not {quoted(value)}.")
        return value

    return Field(check, {"is": "whole", "low": low, "high": high})


def one_of(*values: str) -> Field:
    """Return a field for one of these words."""

    def check(value: Any) -> str:
        if value not in values:
            raise ValueError(f"needs {spoken(values, 'or')}, not {quoted(value)}.")
        return str(value)

    return Field(check, {"is": "one-of", "values": list(values)})


def flag() -> Field:
    """Return a field for true or false."""

    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(f"needs true or false, not {quoted(value)}.")
        return value

    return Field(check, {"is": "flag"})


def several(field: Field) -> Field:
    """Return a field for a list of one or more values, each checked by `field`; a single value counts as a list."""

    def check(value: Any) -> tuple[Any, ...]:
        values = value if isinstance(value, list) else [value]
        if not values:
            raise ValueError("needs at least one value.")
        return tuple(map(field, values))

    return Field(check, {"is": "several", "of": field.form})


def listed(field: Field, count: int) -> Field:
    """Return a field for a list of exactly `count` values, each checked by `field`."""

    def check(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError(f"needs a list of {count}, not {quoted(value)}.")
        if len(value) != count:
            raise ValueError(f"needs a list of {count}; there {'is' if len(value) == 1 else 'are'} {len(value)}.")
        return tuple(item(place, one) for place, one in enumerate(value, 1))

    def item(place: int, value: Any) -> Any:
        if value == "":
            raise ValueError(f"number {place} is missing.")
        try:
            return field(value)
        except ValueError as error:
            raise ValueError(f"number {place}: {error}") from None

    return Field(check, {"is": "list", "of": field.form, "count": count})


def mapped(key: Field, field: Field) -> Field:
    """Return a field for a table with at least one entry; its value is a tuple of pairs."""

    def check(value: Any) -> tuple[tuple[Any, Any], ...]:
        if not isinstance(value, dict) or not value:
            raise ValueError(f"needs a table, not {quoted(value)}.")
        return tuple((key(name), field(item)) for name, item in value.items())

    return Field(check, {"is": "map", "key": key.form, "of": field.form})


def typed(check: Callable[[Any], Any], example: str, phrases: Sequence[Mapping[str, str]] = ()) -> Field:
    """Return a field with the game's own check; `phrases` are the help of its vocabulary."""
    return Field(check, {"is": "phrase", "example": example, "phrases": list(phrases)})


def optional(field: Field, default: Any = None) -> Field:
    """Return the same field as optional, with this default."""
    return replace(field, default=default)


@dataclass(frozen=True, slots=True)
class Card:
    """One checked card: its kind, its fields, and its place (`file`, and `card` such as "player 3")."""

    kind: str
    fields: Entry
    file: str
    card: str

    def fault(self, field: str, reason: str) -> Fault:
        """Return a fault of this card."""
        return Fault(self.file, self.card, field, reason)


@dataclass(frozen=True, slots=True)
class Deck:
    """A parsed deck. `digest` is the SHA-256 of its text, in hexadecimal; `source` is the text itself."""

    file: str
    title: str
    cards: tuple[Card, ...]
    digest: str
    source: str


def tables(source: str, file: str) -> dict[str, Any]:
    """Parse a deck's text to plain data with a `[deck]` table, and check nothing else. Raises DeckError."""
    try:
        data = toml_text.load(source)
    except toml_text.TooMuch as error:
        raise DeckError(Fault(file, "", "", f"{error}.")) from None
    except ValueError as error:
        raise DeckError(Fault(file, "", "", f"is not TOML: {error}.")) from None
    if not isinstance(data.get("deck"), dict):
        raise DeckError(Fault(file, "", "deck", "the [deck] table with game and title is missing."))
    return data


def parse(source: str, file: str, game: str, shapes: Mapping[str, Shape]) -> Deck:
    """Parse one deck of `game`. Raises DeckError with every fault found, up to `FAULTS`.

    Each card is checked by itself; the game checks at its start whether the cards make a playable set.
    """
    data = tables(source, file)
    return checked(source, data.pop("deck"), data, file, game, shapes)


def checked(source: str, head: Entry, data: Entry, file: str, game: str, shapes: Mapping[str, Shape]) -> Deck:
    """Return the deck that `tables` parsed: its table `[deck]` and everything else. Raises DeckError as `parse`."""
    if faults := tuple(islice(_faults(head, data, file, game, shapes), FAULTS)):
        raise DeckError(*faults)
    cards = tuple(
        Card(kind, _values(entry, shapes[kind]), file, f"{kind} {place}")
        for kind, entries in data.items()
        for place, entry in enumerate(entries, 1)
    )
    return Deck(file, text(TITLE)(head["title"]), cards, hashlib.sha256(source.encode()).hexdigest(), source)


def _faults(head: Entry, data: Entry, file: str, game: str, shapes: Mapping[str, Shape]) -> Iterator[Fault]:
    """Yield the faults of a deck, given as TOML data."""
    for name in head.keys() - {"game", "title"}:
        yield Fault(file, "deck", _short_name(name), "no such field; there are game, title.")
    if head.get("game") != game:
        yield Fault(file, "deck", "game", f"needs {game!r}, not {quoted(head.get('game'))}.")
    try:
        text(TITLE)(head.get("title"))
    except ValueError as error:
        yield Fault(file, "deck", "title", str(error))
    for kind, entries in data.items():
        if kind not in shapes:
            yield Fault(file, _short_name(kind), "", f"no such kind of card; there are {', '.join(shapes)}.")
        elif not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            yield Fault(file, kind, "", f"each card begins with [[{kind}]].")
        else:
            for place, entry in enumerate(entries, 1):
                yield from faults_of(entry, shapes[kind], file, f"{kind} {place}")
    if not data:
        yield Fault(file, "", "", f"has no cards; there can be {', '.join(shapes)}.")


def faults_of(entry: Entry, shape: Shape, file: str, label: str) -> Iterator[Fault]:
    """Yield the faults of one card, given as TOML data."""
    for name in entry:
        if name not in shape:
            yield Fault(file, label, _short_name(name), f"no such field; there are {', '.join(shape)}.")
    for name, field in shape.items():
        if name not in entry:
            if not field.optional:
                yield Fault(file, label, name, "is missing.")
            continue
        if not _texts_fit(entry[name]):
            yield Fault(file, label, name, f"can have at most {LONGEST_TEXT} characters in a text.")
            continue
        try:
            field(entry[name])
        except ValueError as error:
            yield Fault(file, label, name, str(error))


def _short_name(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _texts_fit(value: Any) -> bool:
    """True if no text in a value of TOML, or of JSON, is longer than `LONGEST_TEXT`, however deep it lies."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as words if len(words) > LONGEST_TEXT:
                return False
            case dict() as table:
                pending += [*table, *table.values()]
            case list() as items:
                pending += items
    return True


def _values(entry: Entry, shape: Shape) -> Entry:
    return {name: field(entry[name]) if name in entry else field.default for name, field in shape.items()}


def cards_of(decks: Sequence[Deck]) -> tuple[Card, ...]:
    """Return the cards of several decks, in order."""
    return tuple(card for deck in decks for card in deck.cards)


def doubled(cards: Sequence[Card], field: str, what: str) -> Iterator[Fault]:
    """Yield a fault for each card whose `field` has the same value as another's; `what` is the plural of the cards."""
    count = Counter(card.fields[field] for card in cards)
    for card in cards:
        if count[value := card.fields[field]] > 1:
            yield card.fault(field, f"there are {count[value]} {what} with {field} {value}.")
