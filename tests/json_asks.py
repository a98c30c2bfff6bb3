"""Asks as programs get them over the API, made into the engine's own views again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from engine.ask_views import ArrangeView, AskView, CallView, ChooseView, RerollView, RollView

KINDS: Mapping[str, type[AskView]] = {
    "roll": RollView,
    "reroll": RerollView,
    "call": CallView,
    "choose": ChooseView,
    "draw": ChooseView,
    "arrange": ArrangeView,
}
"""The view of each kind of ask; one whose options are secret is the bare `AskView`."""


def ask_of(data: Mapping[str, Any]) -> AskView:
    """Return the view that `data`, an ask in JSON form, was made from."""
    whole = data.keys() & {"dice", "die", "options", "pieces"}
    kind: type[AskView] = KINDS[data["kind"]] if whole else AskView
    return TypeAdapter(kind).validate_python(data)
