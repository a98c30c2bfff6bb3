"""Secrets are sealed by type, and everything that leaves the engine passes through `view`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, cached_property
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from engine.lazy import Lazy, LazyFacts
from engine.seats import Seat

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Members: TypeAlias = "Mapping[str, Any] | DataclassInstance"
"""Data with names: a mapping or a dataclass. JSON has an object for either."""

T = TypeVar("T")

_PLAIN = frozenset({str, int, float, bool, type(None)})

# Unions made each time (`list | tuple`) would take a third of what a view costs.
_LISTS, _SETS, _SCALARS = (list, tuple), (set, frozenset), (str, int, float)

HIDDEN = "hidden"
"""The text that everyone but the owner sees for a sealed value."""


class Sealed(Generic[T]):
    """A value that only `owner` may see, given as answer number `n`.

    `repr` and `view` hide it, and `json.dumps` refuses it. Rules may `peek()` to resolve a play; only `State.reveal`
    makes what they learn public.
    """

    __slots__ = ("_value", "n", "owner")

    def __init__(self, owner: Seat, value: T, n: int) -> None:
        self.owner, self._value, self.n = owner, value, n

    def peek(self) -> T:
        """Return the value. Only for rules: they must reveal it before they show it."""
        return self._value

    def __repr__(self) -> str:
        return f"Sealed(owner={self.owner!r}, n={self.n})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sealed) and (self.owner, self._value, self.n) == (other.owner, other._value, other.n)

    def __hash__(self) -> int:
        return hash((self.owner, self.n))


def members(value: Members) -> Mapping[str, Any]:
    """Return the items of a mapping or the fields of a dataclass, by name, one layer deep. Raises TypeError."""
    if names := _names(type(value)):
        return {name: getattr(value, name) for name in names}
    if isinstance(value, Mapping):
        return value
    raise TypeError(f"no view of a {type(value).__name__}")


@cache
def _names(of: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields; none for any other type."""
    return tuple(field.name for field in fields(of)) if is_dataclass(of) else ()


class Plain(dict[str, Any]):
    """An object as everybody, or one seat, may see it: what `view` makes of one. Shared, so nobody changes it."""

    __slots__ = ()


class Open(Mapping[str, Any]):
    """Public data that never changes: its plain form and its JSON are made once, however often it is shown.

    Not checked: whether `data` changes afterward. Showing one with a secret inside raises TypeError.
    """

    def __init__(self, data: Members) -> None:
        self._data = members(data)

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    @cached_property
    def plain(self) -> Plain:
        """Its plain form. A secret inside would be hidden."""
        return _object(self._data, None)

    @cached_property
    def text(self) -> str:
        """Its JSON."""
        return json.dumps(self._data, default=lambda value: dict(members(value)))


def view(value: Any, seat: Seat | None) -> Any:
    """Return `value` as `seat` may see it (None: a spectator), as plain data ready for `json.dumps`.

    Dataclasses become objects, tuples and sets become lists. A sealed value is opened for its owner only. What is plain
    already stays as it is.
    """
    kind: type = type(value)
    if kind in _PLAIN or kind is Plain:
        return value
    if kind is dict:
        return _object(value, seat)
    if kind is Open:
        return value.plain
    if kind is Sealed:
        return view(value.peek(), seat) if value.owner == seat else HIDDEN
    if kind is Lazy or kind is LazyFacts:
        return view(value.value, seat)
    if isinstance(value, _LISTS):
        return [item if type(item) in _PLAIN else view(item, seat) for item in value]
    if names := _names(kind):
        found = Plain()
        for name in names:
            item = getattr(value, name)
            found[name] = item if type(item) in _PLAIN else view(item, seat)
        return found
    if isinstance(value, _SETS):
        return sorted((view(item, seat) for item in value), key=str)
    if isinstance(value, _SCALARS):
        return value
    return _object(members(value), seat)


def _object(value: Mapping[str, Any], seat: Seat | None) -> Plain:
    found = Plain()
    for key, item in value.items():
        found[str(key)] = item if type(item) in _PLAIN else view(item, seat)
    return found


GAP = "\0"
"""A placeholder for an Open until its text is inserted."""


def dumps(value: Any, seat: Seat | None) -> str:
    """Return the JSON of `value` as `seat` may see it: `json.dumps(view(value, seat))` in one pass. Keys must be
    strings.
    """
    texts: list[str] = []

    def opened(value: Any) -> Any:
        """Convert one layer of a value that JSON does not know."""
        kind: type = type(value)
        if kind is Open:
            texts.append(value.text)
            return GAP
        if names := _names(kind):
            return {name: getattr(value, name) for name in names}
        if kind is Sealed:
            return value.peek() if value.owner == seat else HIDDEN
        if isinstance(value, Lazy):
            return value.value
        if isinstance(value, _SETS):
            return view(value, seat)
        return dict(members(value))

    pieces = json.dumps(value, default=opened, check_circular=False).split(json.dumps(GAP))
    if len(pieces) != len(texts) + 1:  # somebody's text looks like a gap
        return json.dumps(view(value, seat))
    return "".join(chain.from_iterable(zip_longest(pieces, texts, fillvalue="")))
