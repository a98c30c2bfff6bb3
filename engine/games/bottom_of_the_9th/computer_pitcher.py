"""A pitcher for an evening alone. House-made: the published solo game is another one (BN-006, A15).

It plays the away seat from what that seat may see, `Table.view("away")`, and nothing else. It never rolls or races:
real dice are thrown by whoever sits there. Chance comes in as `pick`, which gives one of several.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.ask_views import ChooseView
from engine.views import TableView

Pick = Callable[[Sequence[str]], str]
PARTS = ("direction", "location")


def answer(view: TableView, pick: Pick) -> tuple[int, str] | None:
    """The number and the answer of the first open choice of the away seat, or None where only dice are wanted.

    Pitches are mixed, with those that tire a worn arm thrown less often; relief is taken in full, the more worn part
    first; a pitcher who could not throw a part even after it is benched. Any other choice is the ask's first.
    """
    for ask in view.asks:
        if ask.seat == "away" and isinstance(ask, ChooseView):
            options = [option.value for option in ask.options]
            panel = view.scoreboard.panel
            match ask.why:
                case "starter" | "reliever":
                    return ask.n, pick(options)
                case "pitch-call":
                    return ask.n, pick(bag(options, panel["fatigue"]))
                case "relief":
                    return ask.n, relief(options, panel["fatigue"])
            return ask.n, options[0]
    return None


def bag(options: Sequence[str], fatigue: Mapping[str, Any]) -> list[str]:
    """The pitches to draw from: each as often as the parts it would tire have rows left, at least once."""

    def rows_left(pitch: str) -> int:
        parts = zip(PARTS, pitch.split("-"), fatigue["ace"], strict=True)
        left = [int(fatigue["bottom"] - fatigue[part]) for part, thrown, ace in parts if thrown == ace]
        return min([int(fatigue["bottom"] - fatigue["floor"]), *left])

    return [pitch for pitch in options for _ in range(max(1, rows_left(pitch)))]


def relief(options: Sequence[str], fatigue: Mapping[str, Any]) -> str:
    """All the relief there is, so that the lower token ends as high as it can; the bench where that is the bottom."""

    def after(option: str) -> tuple[int, int]:
        steps = option.split("-")[1:] if option.startswith("relief") else ["0", "0"]
        rows = [fatigue[part] - int(step) for part, step in zip(PARTS, steps, strict=True)]
        return max(rows), sum(rows)

    best = min((option for option in options if option != "bench"), key=after)
    return "bench" if "bench" in options and after(best)[0] == fatigue["bottom"] else best
