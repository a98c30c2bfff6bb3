"""Edit cards and title in the text of a deck. Unchanged parts stay as typed, including comments.

Text in, text out. device/storage/decks.py reads and writes the files. The text is split before each table header, and
tomlkit edits one part. It cannot edit the complete text, because it moves tables of one kind together and three of the
five house decks mix kinds. The result is parsed and compared with the intended content. A text split in the wrong
place, at a header inside a multiline string, is rejected and never corrupted.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from device.shapes import CardFields
from engine.cards import MAX_TITLE_LENGTH, Card, CardShape, build_deck, card_faults, parse_tables, text_field
from engine.errors import DeckError, DeckFault, StaleAnswer
from engine.game import Rulebook
from engine.games import GAMES
from engine.text import toml_text, visible_text

MAX_DECK_BYTES = 256 * 1024  # maximum bytes of a deck's file

MAX_DECK_CARDS = 500
"""Maximum cards of a deck. A box has some twenty."""

_TABLE_HEADER = re.compile(r"^[ \t]*(\[\[?)[ \t]*([A-Za-z0-9_-]+)[ \t]*\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)
_STRAIGHT_QUOTES = str.maketrans("“”„‟", '""""')  # from the curly quotes of phones
_MAX_DEPTH = 10
"""Maximum levels of tables and lists in a card. An ability has five."""


@dataclass(frozen=True, slots=True)
class DeckText:
    """A deck as typed. It may lack cards and, if somebody edited the file, have faulty ones.

    file: its name in faults.
    head: table `[deck]` as TOML data.
    data: all other TOML data.
    """

    file: str
    source: str
    game: Rulebook
    title: str
    head: CardFields
    data: CardFields

    def numbered_cards(self) -> Iterator[tuple[str, int, CardFields]]:
        """Yield kind, place in its kind from 1, and fields of each card, in the order of the game's shapes."""
        for kind in self.game.shapes:
            for place, fields in enumerate(self.cards_of_kind(kind), 1):
                yield kind, place, fields

    def cards_of_kind(self, kind: str) -> Sequence[CardFields]:
        """Cards of a kind. Empty if they are not an array of tables."""
        entries = self.data.get(kind, [])
        return entries if isinstance(entries, list) and all(isinstance(one, dict) for one in entries) else []

    def validated_cards(self) -> tuple[Card, ...]:
        """All cards if they are valid. Raises DeckError with every fault."""
        check_size(self)
        return build_deck(self.source, self.head, self.data, self.file, self.game.key, self.game.shapes).cards

    def check_playability(self) -> tuple[list[str], dict[str, str]]:
        """Sentences about what makes it unplayable. If there are none, also the house rules it needs."""
        try:
            cards = self.validated_cards()
        except DeckError as error:
            return [fault_sentence(fault) for fault in error.faults], {}
        first: DeckError | None = None
        others = ({rule.key: value} for rule in self.game.house_rules for value in rule.values[1:])
        for house in ({}, *others):
            try:
                self.game.start(cards, self.game.resolve_house_rules(house))
            except DeckError as error:
                first = first or error
            else:
                return [], house
        return [fault_sentence(fault) for fault in first.faults] if first else [], {}

    def possible_typos(self) -> tuple[DeckFault, ...]:
        """Possible typos, which do not make the deck invalid. Empty while a card is faulty."""
        try:
            return self.game.notes(self.validated_cards())
        except DeckError:
            return ()


def fault_sentence(fault: DeckFault) -> str:
    """Fault as a sentence, without its file name."""
    words = str(DeckFault("", fault.card, fault.field, fault.reason)).removeprefix(": ")
    return words[:1].upper() + words[1:]


def parse_draft(source: str, file: str) -> DeckText:
    """Parse a deck's text. Raises DeckError if it is not TOML, or for no game. Cards may have any faults."""
    data = parse_tables(source, file)
    if not _is_shallow(data, _MAX_DEPTH + 3):
        raise DeckError(DeckFault(file, "", "", "has too many brackets in brackets."))
    head = data.pop("deck")
    key, title = head.get("game"), head.get("title")
    if not isinstance(key, str) or key not in GAMES:
        raise DeckError(DeckFault(file, "deck", "game", f"names no game; there are {', '.join(GAMES)}."))
    try:
        shown = visible_text.visible_line(title[:MAX_TITLE_LENGTH] if isinstance(title, str) else "", MAX_TITLE_LENGTH)
    except ValueError:
        shown = file.removesuffix(".toml")
    return DeckText(file, source, GAMES[key], shown, head, data)


def card_hash(kind: str, fields: CardFields) -> str:
    """Short hash of a card. A change uses it to identify the card it was made for."""
    return hashlib.sha256(json.dumps([kind, json_value(fields)]).encode()).hexdigest()[:16]


def json_value(value: object) -> Any:
    """JSON equivalent of a TOML value. Dates, infinity and other values without one become strings."""
    match value:
        case dict():
            return {visible_text.printable_text(str(name)): json_value(one) for name, one in value.items()}
        case list():
            return [json_value(one) for one in value]
        case str():
            return visible_text.printable_text(value)
        case bool():
            return value
        case int() if abs(value) < 1 << 53:
            return value
        case float() if math.isfinite(value):
            return value
    try:
        return str(value)
    except ValueError:
        return "a number beyond all bounds"


def field_text(value: object) -> str:
    """Value as typed in a field that the game parses. A string is unchanged, anything else becomes TOML."""
    return value if isinstance(value, str) else toml_text.toml_value(json_value(value))


# Changes ---------------------------------------------------------------------------------------------------------


def empty_deck_text(game: Rulebook, title: str) -> str:
    """Text of a deck without cards. Raises DeckError for an invalid title."""
    return toml_text.table_text("[deck]", {"game": game.key, "title": _checked_title(title, "")})


def with_title(deck: DeckText, title: str) -> str:
    """Deck's text with another title. Raises DeckError."""
    head = {**deck.head, "title": _checked_title(title, deck.file)}
    parts = _text_parts(deck.source)
    return _with_edited_table(deck, parts, next(iter(_part_indexes(parts, "[", "deck")), 0), "deck", head, head)


def with_card(deck: DeckText, kind: str, place: int | None, fields: CardFields, seen: str | None) -> str:
    """Deck's text with this card at `place` of its kind, or last of its kind for None.

    fields: JSON values. null and "" leave a field out.
    seen: `card_hash` of the card to be replaced, or None for any.

    Raises DeckError with every fault, and StaleAnswer if that card has changed.
    """
    if kind not in deck.game.shapes:
        raise DeckError(DeckFault(deck.file, "", "", f"no such kind of card; there are {', '.join(deck.game.shapes)}."))
    entries = deck.cards_of_kind(kind)
    if place is not None:
        _check_card_hash(deck, kind, place, seen)
    at = len(entries) if place is None else place - 1
    card = _checked_card(fields, deck.game.shapes[kind], deck.file, f"{kind} {at + 1}")
    if kind in deck.data and not entries:
        raise _manual_edit_error(deck)
    cards, parts = [*entries[:at], card, *entries[at + 1 :]], _text_parts(deck.source)
    found = _part_indexes(parts, "[[", kind)
    if place is not None:
        return _with_edited_table(deck, parts, _nth_part(deck, found, place), kind, card, cards)
    last = found[-1] if found else len(parts) - 1
    body, rest = _split_trailing(parts[last]) if found else (parts[last], "")
    parts[last] = "".join((body.rstrip("\n"), "\n\n", toml_text.table_text(f"[[{kind}]]", card), rest))
    return _verified_text(deck, parts, kind, cards)


def without_card(deck: DeckText, kind: str, place: int, seen: str | None) -> str:
    """Deck's text without this card. A comment after it stays, because it is usually about the next card."""
    _check_card_hash(deck, kind, place, seen)
    entries, parts = deck.cards_of_kind(kind), _text_parts(deck.source)
    at = _nth_part(deck, _part_indexes(parts, "[[", kind), place)
    parts[at] = _split_trailing(parts[at])[1].lstrip("\n")
    return _verified_text(deck, parts, kind, [*entries[: place - 1], *entries[place:]] or None)


def _checked_title(title: str, file: str) -> str:
    try:
        return str(text_field(MAX_TITLE_LENGTH)(title))
    except ValueError as error:
        raise DeckError(DeckFault(file, "deck", "title", str(error))) from None


def _check_card_hash(deck: DeckText, kind: str, place: int, seen: str | None) -> None:
    entries = deck.cards_of_kind(kind)
    if not 0 < place <= len(entries):
        raise StaleAnswer(f"There is no {kind} {place} in {deck.title} now: load the deck again.")
    if seen is not None and card_hash(kind, entries[place - 1]) != seen:
        raise StaleAnswer(f"{kind.capitalize()} {place} of {deck.title} has changed since: load the deck again.")


def _checked_card(fields: CardFields, shape: CardShape, file: str, label: str) -> CardFields:
    """Fields as they will be written, in the order of the shape. Raises DeckError with every fault."""
    card: dict[str, object] = {}
    faults: list[DeckFault] = []
    for name in (name for name in dict.fromkeys((*shape, *fields)) if name in fields):
        value = fields[name]
        if isinstance(value, str):
            value = visible_text.strip_hidden(value).strip()
        if value is None or value == "":
            continue
        try:
            if isinstance(value, str) and value[0] in "{[" and name in shape and shape[name].form["is"] == "phrase":
                value = _parse_inline(value)
            if not _is_shallow(value, _MAX_DEPTH):
                raise ValueError("has too many brackets in brackets.")
            card[name] = value
        except ValueError as error:
            faults.append(DeckFault(file, label, name, str(error)))
    faulty = {fault.field for fault in faults}
    faults += [fault for fault in card_faults(card, shape, file, label) if fault.field not in faulty]
    if faults:
        raise DeckError(*faults)
    return card


def _parse_inline(typed: str) -> object:
    """Parse a typed value in brackets or braces. Curly quotes from a phone are accepted. Raises ValueError."""
    try:
        found = toml_text.parse_toml(f"it = {typed.translate(_STRAIGHT_QUOTES)}")
    except toml_text.TomlTooComplex as error:
        raise ValueError(f"{error}.") from None
    except ValueError as error:
        reason = re.sub(r" \(at [^()]*\)", "", str(error))
        raise ValueError(f"is not as TOML has it: {reason[:1].lower()}{reason[1:]}.") from None
    if found.keys() != {"it"}:
        raise ValueError("needs one value.")
    return found["it"]


def _is_shallow(value: object, levels: int) -> bool:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_is_shallow(one, levels - 1) for one in inner)
    return True


# Texts -----------------------------------------------------------------------------------------------------------


def _text_parts(source: str) -> list[str]:
    """Split a text before each header. The first part is what precedes all headers, maybe ""."""
    cuts = [0, *(found.start() for found in _TABLE_HEADER.finditer(source)), len(source)]
    return [source[a:b] for a, b in pairwise(cuts)]


def _part_indexes(parts: list[str], brackets: str, name: str) -> list[int]:
    headers = [_TABLE_HEADER.match(part) for part in parts]
    return [at for at, header in enumerate(headers) if header and header.groups() == (brackets, name)]


def _split_trailing(part: str) -> tuple[str, str]:
    """Split a part into its lines, and the empty lines and comments at its end."""
    lines = part.split("\n")
    own = len(lines)
    while own and not lines[own - 1].partition("#")[0].strip():
        own -= 1
    body = "".join(f"{line}\n" for line in lines[:own])[: len(part)]
    return body, part[len(body) :]


def _nth_part(deck: DeckText, found: list[int], place: int) -> int:
    if place > len(found):
        raise _manual_edit_error(deck)
    return found[place - 1]


def _with_edited_table(deck: DeckText, parts: list[str], at: int, name: str, fields: CardFields, wanted: object) -> str:
    """Deck's text with other fields in the first table of part `at`, comments kept. `name` then equals `wanted`."""
    import tomlkit  # half a MiB, needed only to edit a card

    body, rest = _split_trailing(parts[at])
    try:
        found: Any = tomlkit.parse(body)
        table, was = found[name], found.unwrap()[name]
        if isinstance(was, list):
            table, was = table[0], was[0]
        for gone in was.keys() - fields.keys():
            del table[gone]
        for field, value in fields.items():
            if field not in was or _canonical_json(was[field]) != _canonical_json(value):
                table[field] = tomlkit.value(toml_text.toml_value(value))
    except Exception as error:  # whichever corner case of TOML makes it fail
        raise _manual_edit_error(deck) from error
    parts[at] = found.as_string() + rest
    return _verified_text(deck, parts, name, wanted)


def _verified_text(deck: DeckText, parts: list[str], name: str, wanted: object) -> str:
    """New text if only `name` changed, to `wanted` (None: gone), and it is not too large. Raises DeckError."""
    new, everything = "".join(parts), {**deck.data, "deck": deck.head, name: wanted}
    if wanted is None:
        del everything[name]
    try:
        right = _canonical_json(parse_tables(new, "")) == _canonical_json(everything)
    except ValueError:
        right = False
    if not right:
        raise _manual_edit_error(deck)
    check_size(parse_draft(new, deck.file))
    return new


def _manual_edit_error(deck: DeckText) -> DeckError:
    return DeckError(DeckFault(deck.file, "", "", "is written in a way that only a text editor can change here."))


def check_size(deck: DeckText) -> None:
    """Check a deck's size in bytes and cards. Raises DeckError."""
    if len(deck.source.encode()) > MAX_DECK_BYTES:
        raise DeckError(DeckFault(deck.file, "", "", f"is larger than {MAX_DECK_BYTES // 1024} kB."))
    if sum(1 for _ in deck.numbered_cards()) > MAX_DECK_CARDS:
        raise DeckError(DeckFault(deck.file, "", "", f"has more than {MAX_DECK_CARDS} cards."))


def _canonical_json(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=repr)
