"""Decks of cards, parsed and validated. Each fault names file, card, field and reason.

A deck is a TOML text with a `[deck]` table (`game` and `title`), then one `[[kind]]` table for each card. The game's
`CardShape` defines the fields of a kind. This module takes texts, never files.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from engine.errors import DeckError, DeckFault
from engine.events import spoken_list
from engine.text import toml_text, visible_text

_NO_DEFAULT = object()

MAX_TITLE_LENGTH = 60
"""Characters in the title of a deck."""

MAX_TEXT_LENGTH = 500
"""Characters in any text on a card, including its lists and tables. A field may read a text many times."""

MAX_NAME_LENGTH = 40
"""Characters of an unknown field or kind that a fault repeats."""

MAX_DECK_FAULTS = 200
"""Faults that are listed for one deck. A text of 250 kB could have 30,000."""

FieldForm = Mapping[str, Any]
"""The legal input of a field as plain data. See `CardField`."""

CardData = Mapping[str, Any]
"""The fields of one card by name, as TOML data or validated."""


@dataclass(frozen=True, slots=True)
class CardField:
    """One field of a card.

    check: returns the value in immutable form, or raises ValueError with the reason.
    form: the legal input as plain data: {is: "text", longest}, {is: "whole", low, high}, {is: "one-of", values},
        {is: "flag"}, {is: "several", of: form}, {is: "list", of: form, count}, {is: "map", key: form, of: form} or
        {is: "phrase", example, phrases}. `phrases` lists every phrase as {say, does}.
    default: the value of an optional field that is left out.
    meaning: a sentence.
    """

    check: Callable[[Any], Any]
    form: FieldForm
    default: Any = _NO_DEFAULT
    meaning: str = ""

    def __call__(self, value: Any) -> Any:
        return self.check(value)

    def with_meaning(self, meaning: str) -> CardField:
        return replace(self, meaning=meaning)

    def as_card_name(self, kind: str, *like: str) -> CardField:
        """Return the same field for the name of a card of this kind. Its `form` gets {names: kind}.

        `like`, stored as {like}, are the texts to choose from if the text is more than the name, such as "3 {}".
        """
        return replace(self, form={**self.form, "names": kind} | ({"like": list(like)} if like else {}))

    @property
    def is_optional(self) -> bool:
        return self.default is not _NO_DEFAULT

    @property
    def full_form(self) -> FieldForm:
        """The form with {optional, means}, and for an optional flag with its `default`."""
        default = {"default": self.default} if isinstance(self.default, bool) else {}
        return {**self.form, **default, "optional": self.is_optional, "means": self.meaning}


CardShape = Mapping[str, CardField]
"""The fields of one kind of card, by name."""


def quoted_value(value: Any) -> str:
    """Return a wrong value for an error message, shortened and without hidden characters."""
    try:
        words = visible_text.printable_text(repr(value))
    except (ValueError, RecursionError):  # integers of thousands of digits, or lists nested too deep
        return "this"
    return words if len(words) <= 120 else f"{words[:119]}…"


def text_field(longest: int = 40) -> CardField:
    """Return a field for a line of 1 to `longest` visible characters (`visible_text.visible_line`)."""

    def check_text(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("needs a text.")
        return visible_text.visible_line(value, longest)

    return CardField(check_text, {"is": "text", "longest": longest})


def integer_field(low: int, high: int) -> CardField:
    def check_integer(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"needs a whole number from {low} to {high}, not {quoted_value(value)}.")
        return value

    return CardField(check_integer, {"is": "whole", "low": low, "high": high})


def choice_field(*values: str) -> CardField:
    def check_choice(value: Any) -> str:
        if value not in values:
            raise ValueError(f"needs {spoken_list(values, 'or')}, not {quoted_value(value)}.")
        return str(value)

    return CardField(check_choice, {"is": "one-of", "values": list(values)})


def boolean_field() -> CardField:
    def check_boolean(value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(f"needs true or false, not {quoted_value(value)}.")
        return value

    return CardField(check_boolean, {"is": "flag"})


def list_field(field: CardField) -> CardField:
    """Return a field for a list of one or more values, each validated by `field`. A single value counts as a list."""

    def check_list(value: Any) -> tuple[Any, ...]:
        values = value if isinstance(value, list) else [value]
        if not values:
            raise ValueError("needs at least one value.")
        return tuple(map(field, values))

    return CardField(check_list, {"is": "several", "of": field.form})


def fixed_list_field(field: CardField, count: int) -> CardField:
    """Return a field for a list of exactly `count` values, each validated by `field`."""

    def check_list(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError(f"needs a list of {count}, not {quoted_value(value)}.")
        if len(value) != count:
            raise ValueError(f"needs a list of {count}; there {'is' if len(value) == 1 else 'are'} {len(value)}.")
        return tuple(check_item(place, one) for place, one in enumerate(value, 1))

    def check_item(place: int, value: Any) -> Any:
        if value == "":
            raise ValueError(f"number {place} is missing.")
        try:
            return field(value)
        except ValueError as error:
            raise ValueError(f"number {place}: {error}") from None

    return CardField(check_list, {"is": "list", "of": field.form, "count": count})


def mapping_field(key: CardField, field: CardField) -> CardField:
    """Return a field for a table with at least one entry. Its value is a tuple of pairs."""

    def check_mapping(value: Any) -> tuple[tuple[Any, Any], ...]:
        if not isinstance(value, dict) or not value:
            raise ValueError(f"needs a table, not {quoted_value(value)}.")
        return tuple((key(name), field(item)) for name, item in value.items())

    return CardField(check_mapping, {"is": "map", "key": key.form, "of": field.form})


def custom_field(check: Callable[[Any], Any], example: str, phrases: Sequence[Mapping[str, str]] = ()) -> CardField:
    """Return a field with the game's own check. `phrases` are the help of its vocabulary."""
    return CardField(check, {"is": "phrase", "example": example, "phrases": list(phrases)})


def optional_field(field: CardField, default: Any = None) -> CardField:
    return replace(field, default=default)


@dataclass(frozen=True, slots=True)
class Card:
    """One validated card, with its location (`file`, and `card` such as "player 3")."""

    kind: str
    fields: CardData
    file: str
    card: str

    def field_fault(self, field: str, reason: str) -> DeckFault:
        return DeckFault(self.file, self.card, field, reason)


@dataclass(frozen=True, slots=True)
class Deck:
    """A parsed deck. `source` is its text, and `digest` is the SHA-256 of that in hexadecimal."""

    file: str
    title: str
    cards: tuple[Card, ...]
    digest: str
    source: str


def parse_tables(source: str, file: str) -> dict[str, Any]:
    """Parse the text of a deck and check only that it has a `[deck]` table. Raises DeckError."""
    try:
        data = toml_text.parse_toml(source)
    except toml_text.TomlTooComplex as error:
        raise DeckError(DeckFault(file, "", "", f"{error}.")) from None
    except ValueError as error:
        raise DeckError(DeckFault(file, "", "", f"is not TOML: {error}.")) from None
    if not isinstance(data.get("deck"), dict):
        raise DeckError(DeckFault(file, "", "deck", "the [deck] table with game and title is missing."))
    return data


def parse_deck(source: str, file: str, game: str, shapes: Mapping[str, CardShape]) -> Deck:
    """Parse one deck of `game`. Raises DeckError with every fault found, up to `MAX_DECK_FAULTS`.

    Each card is validated alone. The game checks at its start whether the cards make a playable set.
    """
    data = parse_tables(source, file)
    return build_deck(source, data.pop("deck"), data, file, game, shapes)


def build_deck(
    source: str, head: CardData, data: CardData, file: str, game: str, shapes: Mapping[str, CardShape]
) -> Deck:
    """Build a deck from its `[deck]` table and its cards. Raises DeckError as `parse_deck` does."""
    if faults := tuple(islice(_deck_faults(head, data, file, game, shapes), MAX_DECK_FAULTS)):
        raise DeckError(*faults)
    cards = tuple(
        Card(kind, _card_values(entry, shapes[kind]), file, f"{kind} {place}")
        for kind, entries in data.items()
        for place, entry in enumerate(entries, 1)
    )
    return Deck(
        file, text_field(MAX_TITLE_LENGTH)(head["title"]), cards, hashlib.sha256(source.encode()).hexdigest(), source
    )


def _deck_faults(
    head: CardData, data: CardData, file: str, game: str, shapes: Mapping[str, CardShape]
) -> Iterator[DeckFault]:
    for name in head.keys() - {"game", "title"}:
        yield DeckFault(file, "deck", _short_name(name), "no such field; there are game, title.")
    if head.get("game") != game:
        yield DeckFault(file, "deck", "game", f"needs {game!r}, not {quoted_value(head.get('game'))}.")
    try:
        text_field(MAX_TITLE_LENGTH)(head.get("title"))
    except ValueError as error:
        yield DeckFault(file, "deck", "title", str(error))
    for kind, entries in data.items():
        if kind not in shapes:
            yield DeckFault(file, _short_name(kind), "", f"no such kind of card; there are {', '.join(shapes)}.")
        elif not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            yield DeckFault(file, kind, "", f"each card begins with [[{kind}]].")
        else:
            for place, entry in enumerate(entries, 1):
                yield from card_faults(entry, shapes[kind], file, f"{kind} {place}")
    if not data:
        yield DeckFault(file, "", "", f"has no cards; there can be {', '.join(shapes)}.")


def card_faults(entry: CardData, shape: CardShape, file: str, label: str) -> Iterator[DeckFault]:
    for name in entry:
        if name not in shape:
            yield DeckFault(file, label, _short_name(name), f"no such field; there are {', '.join(shape)}.")
    for name, field in shape.items():
        if name not in entry:
            if not field.is_optional:
                yield DeckFault(file, label, name, "is missing.")
            continue
        if not _has_only_short_texts(entry[name]):
            yield DeckFault(file, label, name, f"can have at most {MAX_TEXT_LENGTH} characters in a text.")
            continue
        try:
            field(entry[name])
        except ValueError as error:
            yield DeckFault(file, label, name, str(error))


def _short_name(name: str) -> str:
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"


def _has_only_short_texts(value: Any) -> bool:
    """Return True if no text in a TOML or JSON value is longer than `MAX_TEXT_LENGTH`, at any depth."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as words if len(words) > MAX_TEXT_LENGTH:
                return False
            case dict() as table:
                pending += [*table, *table.values()]
            case list() as items:
                pending += items
    return True


def _card_values(entry: CardData, shape: CardShape) -> CardData:
    return {name: field(entry[name]) if name in entry else field.default for name, field in shape.items()}


def cards_in_decks(decks: Sequence[Deck]) -> tuple[Card, ...]:
    return tuple(card for deck in decks for card in deck.cards)


def duplicate_faults(cards: Sequence[Card], field: str, what: str) -> Iterator[DeckFault]:
    """Yield a fault for each card whose `field` is not unique. `what` is the plural noun for the cards."""
    count = Counter(card.fields[field] for card in cards)
    for card in cards:
        if count[value := card.fields[field]] > 1:
            yield card.field_fault(field, f"there are {count[value]} {what} with {field} {value}.")
