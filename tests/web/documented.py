"""Answers of the API held against the shapes that document them."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from engine.views import json_data


@cache
def adapter(shape: Any) -> TypeAdapter[Any]:
    """Return the validator of a shape, made once: making one takes a tenth of a second."""
    return TypeAdapter(shape)


def same(shape: Any, data: Any) -> Any:
    """Return `data` as the documented shape. Fails if a field is missing, undocumented or of another type."""
    found = adapter(shape).validate_python(data)
    assert data == json_data(found)
    return found
