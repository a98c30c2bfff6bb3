"""The computer pitcher of the solo game. It is Dugout's own; the published solo game is another one (BN-006, A15).

It plays the away seat from that seat's view alone, `Table.view("away")`. It never rolls or races: the player rolls its
dice. `pick` chooses one of several at random.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

from engine.ask_views import ChooseView
from engine.views import TableView

Pick = Callable[[Sequence[str]], str]


class Fatigue(TypedDict):
    """The fatigue track as the panel shows it."""

    direction: int
    location: int
    floor: int
    bottom: int
    ace: list[str]


def answer(view: TableView, pick: Pick) -> tuple[int, str] | None:
    """Return the number and the answer of the away seat's first open choice, or None if only dice are asked for.

    It mixes its pitches, and throws those that tire a worn arm less often. It takes all relief, for the more worn part
    first, and benches a pitcher who still could not throw a part. Of any other choice it takes the first option.
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


def bag(options: Sequence[str], fatigue: Fatigue) -> list[str]:
    """Return the pitches to draw from, each as often as the parts it tires have rows left, at least once."""

    def rows_left(pitch: str) -> int:
        parts = zip((fatigue["direction"], fatigue["location"]), pitch.split("-"), fatigue["ace"], strict=True)
        left = [fatigue["bottom"] - row for row, thrown, ace in parts if thrown == ace]
        return min([fatigue["bottom"] - fatigue["floor"], *left])

    return [pitch for pitch in options for _ in range(max(1, rows_left(pitch)))]


def relief(options: Sequence[str], fatigue: Fatigue) -> str:
    """Return the relief that lifts the lower token highest, or the bench if that still leaves it on the bottom row."""

    def after(option: str) -> tuple[int, int]:
        steps = option.split("-")[1:] if option.startswith("relief") else ["0", "0"]
        rows = (fatigue["direction"] - int(steps[0]), fatigue["location"] - int(steps[1]))
        return max(rows), sum(rows)

    best = min((option for option in options if option != "bench"), key=after)
    return "bench" if "bench" in options and after(best)[0] == fatigue["bottom"] else best
