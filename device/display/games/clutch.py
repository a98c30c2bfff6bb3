"""Clutch on the display: the pitcher's arm, Pitch against On-Base, and the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PIL import Image

from device.display.games import GameScreens
from device.display.lettering import draw_centered_text
from device.display.widgets import draw_dots
from engine.ask_views import AskView
from engine.scoreboard import Scoreboard


def current_at_bat(board: Scoreboard) -> Any:
    """Current at-bat. None between games."""
    return board.panel.get("at")


def draw_beside_bases(image: Image.Image, board: Scoreboard) -> bool:
    """Draw the outs, and the number of outs before the pitcher tires."""
    pitcher = board.panel.get("pitcher")
    if not pitcher:
        return False
    draw_dots(image, 79, 2, board.outs)
    if pitcher["tired"]:
        # There is no space for the word next to third base, nor below it if the inning has two digits.
        draw_centered_text(image, 77, 101, 12, f"-{pitcher['penalty']}", "bold")
        draw_centered_text(image, 76, 102, 22, "tired" if len(board.marker) < 2 else "T")
    else:
        draw_centered_text(image, 76, 102, 12, "arm")
        draw_centered_text(image, 77, 101, 22, str(pitcher["left"]), "bold")
    return True


def legend_text(board: Scoreboard, asks: Sequence[AskView]) -> str:
    pitcher = board.panel.get("pitcher")
    if not pitcher:
        return ""
    name, left, penalty = pitcher["name"], pitcher["left"], pitcher["penalty"]
    if pitcher["tired"]:
        return f"{name} is tired: {f'Command -{penalty}, and ' if penalty else ''}every swing is a d24."
    return f"Arm: {left} more out{'s' * (left != 1)} before {name} tires."


def result_text(board: Scoreboard) -> str:
    """Result of the last roll: Pitch against On-Base, the Result, or a throw."""
    at = current_at_bat(board)
    if not at:
        return ""
    throw = at["throw"]
    if throw and throw["made"] is not None:
        words = ("MADE", "FAILED") if throw["kind"] == "check" else ("OUT", "SAFE")
        return words[not throw["made"]]
    if throw:
        return ""
    if at["result"]:
        return str(at["result"])
    return f"{at['pitch']} v {at['on_base']}" if at["advantage"] else ""


def target_text(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Target of the next die. "" for a bunt, because only the ask has its target."""
    at = current_at_bat(board)
    if not at or any(ask.why in ("bunt", "again-bunt") for ask in asks):
        return ""
    need = str(at["need"])
    if at["throw"] or at["pitch_natural"] is None:
        return f"{need[:1].upper()}{need[1:]}." if need else ""
    if at["swing_natural"] is None and at["advantage"]:
        return f"Pitch {at['pitch']} v {at['on_base']}: {at['advantage'].upper()}."
    return ""


def extra_figures(board: Scoreboard) -> list[str]:
    """Number of outs before the pitcher tires, or the mark of a tired one."""
    pitcher = board.panel.get("pitcher")
    if not pitcher:
        return []
    return [f"T-{pitcher['penalty']}" if pitcher["tired"] else f"arm {pitcher['left']}"]


GAME_SCREENS = GameScreens(
    beside_bases=draw_beside_bases,
    extras=extra_figures,
    result=result_text,
    aim=target_text,
    legend=legend_text,
    numerals=True,
)
