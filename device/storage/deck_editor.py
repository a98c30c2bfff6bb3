"""Edit the text of a deck: a card, its title. What nobody changed stays as it was typed, comments too.

Text in, text out; device/storage/decks.py has the files. The text is split before each table's header, and tomlkit
edits one part. It cannot edit the whole: it moves tables of one kind together, and three of the five house decks mix
kinds. The result is parsed and compared with what it should say, so that a text that was split in the wrong place (at a
header inside a string of many lines) is refused and never spoiled.
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

from device.shapes import Fields
from engine.cards import TITLE, Card, Shape, checked, faults_of, tables, text
from engine.errors import DeckError, Fault, StaleAnswer
from engine.game import Game
from engine.games import GAMES
from engine.text import toml_text, visible_text

LARGEST = 256 * 1024
"""Bytes that a deck's file may have."""

CARDS = 500
"""Cards that a deck may have: a box has some twenty."""

_HEADER = re.compile(r"^[ \t]*(\[\[?)[ \t]*([A-Za-z0-9_-]+)[ \t]*\]\]?[ \t]*(?:#.*)?$", re.MULTILINE)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRAIGHT = str.maketrans("“”„‟", '""""')
_DEEPEST = 10
"""Levels of tables and lists in a card; an ability has five."""


@dataclass(frozen=True, slots=True)
class DeckText:
    """A deck as it is typed in: it may lack cards and, if somebody edited the file, have faulty ones.

    `file` names it in faults; `head` is the table `[deck]` as plain data, `data` is everything else.
    """

    file: str
    source: str
    game: Game
    title: str
    head: Fields
    data: Fields

    def cards(self) -> Iterator[tuple[str, int, Fields]]:
        """Yield kind, place in its kind from 1, and fields of each card, in the order of the game's shapes."""
        for kind in self.game.shapes:
            for place, fields in enumerate(self.of(kind), 1):
                yield kind, place, fields

    def of(self, kind: str) -> Sequence[Fields]:
        """Return the cards of a kind; none if they are not an array of tables."""
        entries = self.data.get(kind, [])
        return entries if isinstance(entries, list) and all(isinstance(one, dict) for one in entries) else []

    def checked(self) -> tuple[Card, ...]:
        """Return its cards if all of them are right. Raises DeckError with every fault."""
        bounded(self)
        return checked(self.source, self.head, self.data, self.file, self.game.key, self.game.shapes).cards

    def lacks(self) -> tuple[list[str], dict[str, str]]:
        """Return what keeps it from being played, in sentences; if nothing does, the house rule it needs, if any."""
        try:
            cards = self.checked()
        except DeckError as error:
            return [sentence(fault) for fault in error.faults], {}
        first: DeckError | None = None
        others = ({rule.key: value} for rule in self.game.house_rules for value in rule.values[1:])
        for house in ({}, *others):
            try:
                self.game.start(cards, self.game.house(house))
            except DeckError as error:
                first = first or error
            else:
                return [], house
        return [sentence(fault) for fault in first.faults] if first else [], {}

    def notes(self) -> tuple[Fault, ...]:
        """Return what may be mistyped but is not a fault; nothing while a card is faulty."""
        try:
            return self.game.notes(self.checked())
        except DeckError:
            return ()


def sentence(fault: Fault) -> str:
    """Return a fault as a sentence, without its file's name."""
    words = str(Fault("", fault.card, fault.field, fault.reason)).removeprefix(": ")
    return words[:1].upper() + words[1:]


def draft(source: str, file: str) -> DeckText:
    """Parse a deck's text. Raises DeckError if it is not TOML, or for no game; cards may have any faults."""
    data = tables(source, file)
    if not _shallow(data, _DEEPEST + 3):
        raise DeckError(Fault(file, "", "", "has too many brackets in brackets."))
    head = data.pop("deck")
    key, title = head.get("game"), head.get("title")
    if not isinstance(key, str) or key not in GAMES:
        raise DeckError(Fault(file, "deck", "game", f"names no game; there are {', '.join(GAMES)}."))
    try:
        shown = visible_text.line(title[:TITLE] if isinstance(title, str) else "", TITLE)
    except ValueError:
        shown = file.removesuffix(".toml")
    return DeckText(file, source, GAMES[key], shown, head, data)


def mark(kind: str, fields: Fields) -> str:
    """Return a short hash of a card, by which a change names the card it was made for."""
    return hashlib.sha256(json.dumps([kind, plain(fields)]).encode()).hexdigest()[:16]


def plain(value: object) -> Any:
    """Return a TOML value as JSON has it; what JSON does not have (dates, infinity) as a text."""
    match value:
        case dict():
            return {visible_text.cleaned(str(name)): plain(one) for name, one in value.items()}
        case list():
            return [plain(one) for one in value]
        case str():
            return visible_text.cleaned(value)
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


def written(value: object) -> str:
    """Return a value as it is typed in a field that the game parses: a text as it is, anything else as TOML."""
    return value if isinstance(value, str) else _toml(plain(value))


# Changes ---------------------------------------------------------------------------------------------------------


def empty(game: Game, title: str) -> str:
    """Return the text of a deck without cards. Raises DeckError for what can be no title."""
    return _table("[deck]", {"game": game.key, "title": _title(title, "")})


def titled(deck: DeckText, title: str) -> str:
    """Return the text with another title. Raises DeckError."""
    head = {**deck.head, "title": _title(title, deck.file)}
    parts = _parts(deck.source)
    return _edited(deck, parts, next(iter(_places(parts, "[", "deck")), 0), "deck", head, head)


def with_card(deck: DeckText, kind: str, place: int | None, fields: Fields, seen: str | None) -> str:
    """Return the text with this card at `place` of its kind, or last of its kind if that is None.

    `fields` are as JSON has them; null and an empty text leave a field out. `seen` is the `mark` of the card that is to
    be replaced, or None for any. Raises DeckError with every fault, StaleAnswer if that card is no longer there.
    """
    if kind not in deck.game.shapes:
        raise DeckError(Fault(deck.file, "", "", f"no such kind of card; there are {', '.join(deck.game.shapes)}."))
    entries = deck.of(kind)
    if place is not None:
        _check_seen(deck, kind, place, seen)
    at = len(entries) if place is None else place - 1
    card = _card(fields, deck.game.shapes[kind], deck.file, f"{kind} {at + 1}")
    if kind in deck.data and not entries:
        raise _by_hand(deck)
    cards, parts = [*entries[:at], card, *entries[at + 1 :]], _parts(deck.source)
    found = _places(parts, "[[", kind)
    if place is not None:
        return _edited(deck, parts, _nth(deck, found, place), kind, card, cards)
    last = found[-1] if found else len(parts) - 1
    body, rest = _apart(parts[last]) if found else (parts[last], "")
    parts[last] = "".join((body.rstrip("\n"), "\n\n", _table(f"[[{kind}]]", card), rest))
    return _verified(deck, parts, kind, cards)


def without_card(deck: DeckText, kind: str, place: int, seen: str | None) -> str:
    """Return the text without this card; a comment after it stays: it is usually about the next one."""
    _check_seen(deck, kind, place, seen)
    entries, parts = deck.of(kind), _parts(deck.source)
    at = _nth(deck, _places(parts, "[[", kind), place)
    parts[at] = _apart(parts[at])[1].lstrip("\n")
    return _verified(deck, parts, kind, [*entries[: place - 1], *entries[place:]] or None)


def _title(title: str, file: str) -> str:
    try:
        return str(text(TITLE)(title))
    except ValueError as error:
        raise DeckError(Fault(file, "deck", "title", str(error))) from None


def _check_seen(deck: DeckText, kind: str, place: int, seen: str | None) -> None:
    entries = deck.of(kind)
    if not 0 < place <= len(entries):
        raise StaleAnswer(f"There is no {kind} {place} in {deck.title} now: load the deck again.")
    if seen is not None and mark(kind, entries[place - 1]) != seen:
        raise StaleAnswer(f"{kind.capitalize()} {place} of {deck.title} has changed since: load the deck again.")


def _card(fields: Fields, shape: Shape, file: str, label: str) -> Fields:
    """Return the fields as they will be written, in the order of the shape. Raises DeckError with every fault."""
    card: dict[str, object] = {}
    faults: list[Fault] = []
    for name in (name for name in dict.fromkeys((*shape, *fields)) if name in fields):
        value = fields[name]
        if isinstance(value, str):
            value = visible_text.strip_hidden(value).strip()
        if value is None or value == "":
            continue
        try:
            if isinstance(value, str) and value[0] in "{[" and name in shape and shape[name].form["is"] == "phrase":
                value = _inline(value)
            if not _shallow(value, _DEEPEST):
                raise ValueError("has too many brackets in brackets.")
            card[name] = value
        except ValueError as error:
            faults.append(Fault(file, label, name, str(error)))
    faulty = {fault.field for fault in faults}
    faults += [fault for fault in faults_of(card, shape, file, label) if fault.field not in faulty]
    if faults:
        raise DeckError(*faults)
    return card


def _inline(typed: str) -> object:
    """Parse what somebody typed in brackets or braces, with curly quotes from a phone too. Raises ValueError."""
    try:
        found = toml_text.load(f"it = {typed.translate(_STRAIGHT)}")
    except toml_text.TooMuch as error:
        raise ValueError(f"{error}.") from None
    except ValueError as error:
        reason = re.sub(r" \(at [^()]*\)", "", str(error))
        raise ValueError(f"is not as TOML has it: {reason[:1].lower()}{reason[1:]}.") from None
    if found.keys() != {"it"}:
        raise ValueError("needs one value.")
    return found["it"]


def _shallow(value: object, levels: int) -> bool:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_shallow(one, levels - 1) for one in inner)
    return True


# Texts -----------------------------------------------------------------------------------------------------------


def _parts(source: str) -> list[str]:
    """Split a text before each header; what stands before the first is a part as well, maybe empty."""
    cuts = [0, *(found.start() for found in _HEADER.finditer(source)), len(source)]
    return [source[a:b] for a, b in pairwise(cuts)]


def _places(parts: list[str], brackets: str, name: str) -> list[int]:
    """Return which parts have this header."""
    headers = [_HEADER.match(part) for part in parts]
    return [at for at, header in enumerate(headers) if header and header.groups() == (brackets, name)]


def _apart(part: str) -> tuple[str, str]:
    """Split a part into its lines, and the empty lines and comments at its end."""
    lines = part.split("\n")
    own = len(lines)
    while own and not lines[own - 1].partition("#")[0].strip():
        own -= 1
    body = "".join(f"{line}\n" for line in lines[:own])[: len(part)]
    return body, part[len(body) :]


def _nth(deck: DeckText, found: list[int], place: int) -> int:
    if place > len(found):
        raise _by_hand(deck)
    return found[place - 1]


def _edited(deck: DeckText, parts: list[str], at: int, name: str, fields: Fields, wanted: object) -> str:
    """Return the text with other fields in the first table of one part, its comments kept; `name` is `wanted` then."""
    import tomlkit  # half a MiB, needed only to edit a card

    body, rest = _apart(parts[at])
    try:
        found: Any = tomlkit.parse(body)
        table, was = found[name], found.unwrap()[name]
        if isinstance(was, list):
            table, was = table[0], was[0]
        for gone in was.keys() - fields.keys():
            del table[gone]
        for field, value in fields.items():
            if field not in was or _exact(was[field]) != _exact(value):
                table[field] = tomlkit.value(_toml(value))
    except Exception as error:  # whatever of TOML's corners it stumbles over
        raise _by_hand(deck) from error
    parts[at] = found.as_string() + rest
    return _verified(deck, parts, name, wanted)


def _verified(deck: DeckText, parts: list[str], name: str, wanted: object) -> str:
    """Return the new text if `name` is `wanted` in it (None: gone), nothing else changed, and it is not too large.

    Raises DeckError.
    """
    new, everything = "".join(parts), {**deck.data, "deck": deck.head, name: wanted}
    if wanted is None:
        del everything[name]
    try:
        right = _exact(tables(new, "")) == _exact(everything)
    except ValueError:
        right = False
    if not right:
        raise _by_hand(deck)
    bounded(draft(new, deck.file))
    return new


def _by_hand(deck: DeckText) -> DeckError:
    return DeckError(Fault(deck.file, "", "", "is written in a way that only a text editor can change here."))


def bounded(deck: DeckText) -> None:
    """Raise DeckError if a deck is too large."""
    if len(deck.source.encode()) > LARGEST:
        raise DeckError(Fault(deck.file, "", "", f"is larger than {LARGEST // 1024} kB."))
    if sum(1 for _ in deck.cards()) > CARDS:
        raise DeckError(Fault(deck.file, "", "", f"has more than {CARDS} cards."))


def _exact(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=repr)


def _table(header: str, fields: Fields) -> str:
    return "\n".join((header, *(f"{_key(name)} = {_toml(value)}" for name, value in fields.items()), ""))


def _toml(value: object) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case list():
            return f"[{', '.join(map(_toml, value))}]"
        case dict():
            return f"{{ {', '.join(f'{_key(name)} = {_toml(one)}' for name, one in value.items())} }}"
    return str(value)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _toml(name)
