"""Secrets are sealed by type, and everything that leaves the engine passes through `redacted_data`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from engine.lazy import LazyFact, LazyFacts
from engine.seats import Seat

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

NamedData: TypeAlias = "Mapping[str, Any] | DataclassInstance"
"""A mapping or a dataclass. In JSON, both are objects."""

T = TypeVar("T")

_JSON_SCALAR_TYPES = frozenset({str, int, float, bool, type(None)})

# Tuples, because building a union in each check (`list | tuple`) would take a third of the time of a view.
_LIST_TYPES = (list, tuple)
_SET_TYPES = (set, frozenset)
_SCALAR_BASE_TYPES = (str, int, float)

HIDDEN_TEXT = "hidden"
"""The text in place of a sealed value for everyone but its owner."""


class SealedValue(Generic[T]):
    """A value that only `owner` may see, given as answer number `n`.

    `repr` and `redacted_data` hide it, and `json.dumps` rejects it. Rules may `peek()` to resolve a play. Only
    `GameState.reveal` makes it public.
    """

    __slots__ = ("_value", "n", "owner")

    def __init__(self, owner: Seat, value: T, n: int) -> None:
        self.owner, self._value, self.n = owner, value, n

    def peek(self) -> T:
        """Return the value. Only for rules, which must reveal it before they show it."""
        return self._value

    def __repr__(self) -> str:
        return f"Sealed(owner={self.owner!r}, n={self.n})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SealedValue) and (self.owner, self._value, self.n) == (
            other.owner,
            other._value,
            other.n,
        )

    def __hash__(self) -> int:
        return hash((self.owner, self.n))


def named_items(value: NamedData) -> Mapping[str, Any]:
    """Return the items of a mapping or the fields of a dataclass by name, one layer deep. Raises TypeError."""
    if names := _field_names(type(value)):
        return {name: getattr(value, name) for name in names}
    if isinstance(value, Mapping):
        return value
    raise TypeError(f"no view of a {type(value).__name__}")


@cache
def _field_names(of: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, () for any other type."""
    return tuple(field.name for field in fields(of)) if is_dataclass(of) else ()


class RedactedObject(dict[str, Any]):
    """A redacted object, as `redacted_data` returns it. It is shared, so nobody may change it."""

    __slots__ = ()


class PublicData(Mapping[str, Any]):
    """Public data that never changes. Its redacted form and its JSON are built only once.

    Not checked: whether `data` changes afterward. Showing one with a secret inside raises TypeError.
    """

    def __init__(self, data: NamedData) -> None:
        self._data = named_items(data)

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    @cached_property
    def redacted_object(self) -> RedactedObject:
        """The redacted form. A secret inside would be hidden."""
        return _redacted_object(self._data, None)

    @cached_property
    def json_text(self) -> str:
        return json.dumps(self._data, default=lambda value: dict(named_items(value)))


def redacted_data(value: Any, seat: Seat | None) -> Any:
    """Return `value` as `seat` may see it (None: a spectator), as data ready for `json.dumps`.

    Dataclasses become objects, and tuples and sets become lists. A sealed value is opened only for its owner.
    """
    kind: type = type(value)
    if kind in _JSON_SCALAR_TYPES or kind is RedactedObject:
        return value
    if kind is dict:
        return _redacted_object(value, seat)
    if kind is PublicData:
        return value.redacted_object
    if kind is SealedValue:
        return redacted_data(value.peek(), seat) if value.owner == seat else HIDDEN_TEXT
    if kind is LazyFact or kind is LazyFacts:
        return redacted_data(value.value, seat)
    if isinstance(value, _LIST_TYPES):
        return [item if type(item) in _JSON_SCALAR_TYPES else redacted_data(item, seat) for item in value]
    if names := _field_names(kind):
        found = RedactedObject()
        for name in names:
            item = getattr(value, name)
            found[name] = item if type(item) in _JSON_SCALAR_TYPES else redacted_data(item, seat)
        return found
    if isinstance(value, _SET_TYPES):
        return sorted((redacted_data(item, seat) for item in value), key=str)
    if isinstance(value, _SCALAR_BASE_TYPES):
        return value
    return _redacted_object(named_items(value), seat)


def _redacted_object(value: Mapping[str, Any], seat: Seat | None) -> RedactedObject:
    found = RedactedObject()
    for key, item in value.items():
        found[str(key)] = item if type(item) in _JSON_SCALAR_TYPES else redacted_data(item, seat)
    return found


JSON_PLACEHOLDER = "\0"
"""Stands for a `PublicData` until its text is inserted."""


def redacted_json(value: Any, seat: Seat | None) -> str:
    """Return the JSON of `redacted_data(value, seat)`, in one pass. Keys must be strings."""
    texts: list[str] = []

    def convert_layer(value: Any) -> Any:
        kind: type = type(value)
        if kind is PublicData:
            texts.append(value.json_text)
            return JSON_PLACEHOLDER
        if names := _field_names(kind):
            return {name: getattr(value, name) for name in names}
        if kind is SealedValue:
            return value.peek() if value.owner == seat else HIDDEN_TEXT
        if isinstance(value, LazyFact):
            return value.value
        if isinstance(value, _SET_TYPES):
            return redacted_data(value, seat)
        return dict(named_items(value))

    pieces = json.dumps(value, default=convert_layer, check_circular=False).split(json.dumps(JSON_PLACEHOLDER))
    if len(pieces) != len(texts) + 1:  # some text equals the placeholder
        return json.dumps(redacted_data(value, seat))
    return "".join(chain.from_iterable(zip_longest(pieces, texts, fillvalue="")))
