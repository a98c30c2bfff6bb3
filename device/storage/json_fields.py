"""Read JSON that people may have edited into a dataclass. Errors name the field, or the line of broken JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from device import named_file
from engine.errors import LeagueError
from engine.text import visible_text

MAX_TEXT_LENGTH = 200  # characters of a text
MAX_NUMBER = 1_000_000

T = TypeVar("T")

_field_types: Callable[[Any], Mapping[str, object]] = cache(get_type_hints)


def read_file(path: Path, name: str, largest: int) -> bytes:
    """Read a file of at most `largest` bytes. Raises LeagueError that begins with `name`."""
    try:
        return named_file.read_file(path, largest)
    except OSError as error:
        raise LeagueError(f"{name}: it cannot be read: {error.strerror}.") from None


def file_error(name: str, error: LeagueError) -> LeagueError:
    """The error with the name of the file before its line or field."""
    reason = str(error)
    return LeagueError(f"{name}{':' if reason.startswith('it ') else ','} {reason}")


def parse_json(data: bytes) -> Any:
    """Parse UTF-8 JSON. Raises LeagueError, with the line if there is one."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_reject_constant)
    except json.JSONDecodeError as error:
        raise LeagueError(f"line {error.lineno}: it is no JSON: {error.msg}.") from None
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise LeagueError(f"line {line}: it is not UTF-8 text.") from None
    except (ValueError, RecursionError):
        raise LeagueError("it has too many brackets in brackets, or a number that is too large.") from None


def _reject_constant(_: str) -> None:
    raise ValueError


def parse_fields(kind: type[T], value: Any, place: str = "") -> T:
    """Build a dataclass from a JSON object. Fields with a default may be absent.

    Fields may be texts, whole numbers, booleans, dataclasses, and lists and maps of these. `place` is where the object
    is, such as "teams[2]". Raises LeagueError that names the field. Not checked: what texts and numbers mean.
    """
    if not isinstance(value, dict):
        raise _place_error(place, "it needs an object in {}.")
    hints = _field_types(kind)
    known = {one.name: one for one in fields(kind)}  # type: ignore[arg-type]
    dot = f"{place}." if place else ""
    if unknown := [name for name in value if name not in known]:
        raise _place_error(f"{dot}{unknown[0][:40]!a}", "this version of Dugout does not know this field.")
    for name, one in known.items():
        if name not in value and one.default is MISSING and one.default_factory is MISSING:
            raise _place_error(f"{dot}{name}", "it is missing.")
    return kind(**{name: _parse_value(hints[name], one, f"{dot}{name}") for name, one in value.items()})


def _parse_value(kind: Any, value: Any, place: str) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is str or origin is Literal:
        if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH or visible_text.printable_text(value) != value:
            raise _place_error(place, f"it needs a visible text of at most {MAX_TEXT_LENGTH} characters.")
        return value
    if kind is bool:
        if not isinstance(value, bool):
            raise _place_error(place, "it needs true or false.")
        return value
    if kind is int:
        if type(value) is not int or not 0 <= value <= MAX_NUMBER:
            raise _place_error(place, f"it needs a whole number from 0 to {MAX_NUMBER}.")
        return value
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, dict):
            raise _place_error(place, "it needs an object in {}.")
        # The place names no key, because that may be private.
        return {_parse_value(str, key, place): _parse_value(inner[1], one, place) for key, one in value.items()}
    if origin is not None:
        if not isinstance(value, list):
            raise _place_error(place, "it needs a list in [].")
        return tuple(_parse_value(inner[0], one, f"{place}[{number}]") for number, one in enumerate(value, 1))
    return parse_fields(kind, value, place)


def _place_error(place: str, reason: str) -> LeagueError:
    return LeagueError(f"{place}: {reason}" if place else reason)


def encode_fields(data: Mapping[str, object]) -> bytes:
    """Encode an object as JSON for people: one field a line, and one line for each object in a list."""
    lines = [f"  {json.dumps(name)}: {_encode_value(value)}" for name, value in data.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _encode_value(value: Any) -> str:
    if isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value):
        return "[\n" + ",\n".join(f"    {json.dumps(one, ensure_ascii=False)}" for one in value) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)
