"""An answer in the words in which it was offered."""

from __future__ import annotations

from typing import Any

from engine.ask_views import AnyAskView, ArrangeView, ChooseView, RerollView
from engine.events import spoken_list


def answer_text(ask: AnyAskView, value: Any) -> str:
    """Format an answer as the choices of an ask are shown. For a reroll, `value` has the indexes of its dice."""
    match ask:
        case ChooseView():
            return next((one.label for one in ask.options if one.value == value), str(value))
        case ArrangeView():
            names = {one.value: one.label for one in (*ask.pieces, *ask.places)}
            return ", ".join(f"{names.get(place, place)}: {names.get(piece, piece)}" for place, piece in value.items())
        case RerollView():
            return f"Reroll {spoken_list(f'the {ask.faces[place]}' for place in value)}"
    return str(value)
