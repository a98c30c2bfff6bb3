"""Answers of the API held against the shapes that document them."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from engine.views import plain


def same(shape: Any, data: Any) -> Any:
    """Return `data` as the documented shape. Fails if a field is missing, undocumented or of another type."""
    found = TypeAdapter(shape).validate_python(data)
    assert data == plain(found)
    return found
