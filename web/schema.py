"""The OpenAPI document's response shapes, derived from the dataclasses that are sent.

Responses are not validated: they come from the engine and the device, not from outside.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from types import ModuleType
from typing import Any

from pydantic import ConfigDict

from engine import ask_views, box_score, clock, scoreboard, views
from web import models

DOCUMENTED: tuple[ModuleType, ...] = (ask_views, box_score, clock, scoreboard, views, models)
"""The modules whose dataclasses appear in the document."""


def _describe_fields() -> None:
    """Have pydantic take the docstring below a field as its description. The engine must not know pydantic."""
    for module in DOCUMENTED:
        for shape in vars(module).values():
            if isinstance(shape, type) and is_dataclass(shape) and shape.__module__ == module.__name__:
                setattr(shape, "__pydantic_config__", ConfigDict(use_attribute_docstrings=True))  # noqa: B010 - mypy


_describe_fields()


def returns(shape: Any) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` entry of a route that answers 200 with JSON of this shape."""
    return {200: {"model": shape}}
