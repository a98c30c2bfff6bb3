"""Find what one game draws in its own way.

A game draws something of its own in the module here that is named after its key ("small-ball": `small_ball.py`), as
`SCREENS`. A game without a module gets the common screens. Nothing else in the display names a game.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from PIL import Image

from engine.ask_views import AskView
from engine.scoreboard import Scoreboard

PanelData = Mapping[str, Any]  # what only one game has on its scoreboard, or a part of it


@dataclass(frozen=True, slots=True)
class GameScreens:
    """The parts of the screens that a game draws itself, and the common ones where it does not.

    A function that draws returns False where it has drawn nothing; the common picture is drawn then.
    """

    upper_half: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw the upper half of 64 lines: runs, outs, bases."""
    beside_bases: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw what is between runs and bases on 64 lines: outs, stake, count, fatigue."""
    final: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw the upper half of 64 lines once the game is over."""
    first_line: Callable[[Image.Image, Scoreboard], bool] | None = None
    """Draw the first of 32 lines."""
    two_lines: Callable[[Image.Image, Scoreboard, Collection[str]], int] | None = None
    """Draw the first and part of the second of 32 lines, with these sides marked. Return the x that is free in the
    second."""
    final_line: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw the first of 32 lines once the game is over."""
    extras: Callable[[Scoreboard], Sequence[str]] = lambda board: ()
    """Return what stands behind the runs on 32 lines; nothing for stake, count and fatigue."""
    result: Callable[[Scoreboard], str] = lambda board: ""
    """Return how the last roll or race ended, in a few letters, or ""."""
    aim: Callable[[Scoreboard, Sequence[AskView]], str] = lambda board, asks: ""
    """Return what the next roll must beat, for these asks, or ""."""
    legend: Callable[[Scoreboard, Sequence[AskView]], str] = lambda board, asks: ""
    """Return what a number of the score means that helps with these decisions, in a sentence, or ""."""
    numerals: bool = False
    """True if the game's dice have numerals instead of pips."""


COMMON_SCREENS = GameScreens()  # the screens of a game that draws nothing itself


@cache
def load_game_screens(key: str) -> GameScreens:
    """Return what the game with this key draws in its own way; `COMMON_SCREENS` if it has no module here."""
    name = key.replace("-", "_")
    if not name.isidentifier() or find_spec(f"{__name__}.{name}") is None:
        return COMMON_SCREENS
    found: GameScreens = import_module(f"{__name__}.{name}").GAME_SCREENS
    return found
