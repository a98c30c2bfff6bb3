"""Screen parts of single games.

A game draws its own parts in the module here that is named after its key ("small-ball": `small_ball.py`), as
`GAME_SCREENS`. A game without a module gets the common screens. Nothing else in the display names a game.
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

PanelData = Mapping[str, Any]  # scoreboard data that only one game has


@dataclass(frozen=True, slots=True)
class GameScreens:
    """Screen parts that a game draws itself, with the common ones as defaults.

    A drawing function returns False if it has drawn nothing. Then the common part is drawn.
    """

    upper_half: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw the upper half of 64 lines: runs, outs, bases."""
    beside_bases: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw the area between runs and bases on 64 lines: outs, stake, count, fatigue."""
    final: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw the upper half of 64 lines after the end of the game."""
    first_line: Callable[[Image.Image, Scoreboard], bool] | None = None
    """Draw the first of 32 lines."""
    two_lines: Callable[[Image.Image, Scoreboard, Collection[str]], int] | None = None
    """Draw the first and part of the second of 32 lines, with these sides highlighted. Return the free x in the second.
    """
    final_line: Callable[[Image.Image, Scoreboard], bool] = lambda image, board: False
    """Draw the first of 32 lines after the end of the game."""
    extras: Callable[[Scoreboard], Sequence[str]] = lambda board: ()
    """Figures after the runs on 32 lines. Empty for stake, count and fatigue."""
    result: Callable[[Scoreboard], str] = lambda board: ""
    """Result of the last roll or race in a few letters, or ""."""
    aim: Callable[[Scoreboard, Sequence[AskView]], str] = lambda board, asks: ""
    """What the next roll must beat, for these asks, or ""."""
    legend: Callable[[Scoreboard, Sequence[AskView]], str] = lambda board, asks: ""
    """Sentence that explains a number of the score for these decisions, or ""."""
    numerals: bool = False
    """True if the game's dice have numerals instead of pips."""


COMMON_SCREENS = GameScreens()  # for games without parts of their own


@cache
def load_game_screens(key: str) -> GameScreens:
    """Screen parts of the game with this key, `COMMON_SCREENS` if it has no module here."""
    name = key.replace("-", "_")
    if not name.isidentifier() or find_spec(f"{__name__}.{name}") is None:
        return COMMON_SCREENS
    found: GameScreens = import_module(f"{__name__}.{name}").GAME_SCREENS
    return found
