"""Bottom of the 9th on the display: count, fatigue and bases, the dice with their modifiers, the result of a race."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display.games import GameScreens
from device.display.lettering import draw_centered_text, draw_text
from device.display.widgets import (
    BASES_WIDTH_PX,
    LEFT_X,
    OUTS_WIDTH_PX,
    RIGHT_X,
    TOP_Y,
    draw_diamond,
    draw_dots,
    draw_line_bases,
    draw_line_name,
)
from engine.ask_views import AskView
from engine.scoreboard import Scoreboard


def draw_upper_half(image: Image.Image, board: Scoreboard) -> bool:
    """Draw balls, strikes and outs, the rows of both fatigue tokens, the bases. Return False without tokens."""
    track = board.panel.get("fatigue")
    if not track:
        return False
    balls, strikes = board.count or (0, 0)
    for y, letter, lit, of in ((2, "B", balls, 3), (12, "S", strikes, 2), (22, "O", board.outs, 3)):
        draw_text(image, LEFT_X, y, letter, "bold")
        draw_dots(image, 11, y, lit, of, size=6)
    for left, part, ace in zip((37, 71), ("direction", "location"), track["ace"], strict=True):
        draw_fatigue_token(image, left, ace, track[part], track["floor"], track["bottom"])
    draw_diamond(image, board)
    ImageDraw.Draw(image).line((LEFT_X, 33, RIGHT_X, 33), fill=1)
    return True


def draw_first_line(image: Image.Image, board: Scoreboard) -> bool:
    """Draw balls and strikes, both tokens, outs and bases in one line. Return False without tokens.

    A token is the first letters of its word, highlighted if that word may no longer be thrown.
    """
    track = board.panel.get("fatigue")
    if not track:
        return False
    balls, strikes = board.count or (0, 0)
    draw_text(image, LEFT_X, TOP_Y + 1, f"{balls}-{strikes}", "bold")
    for x, part, ace in zip((29, 62), ("direction", "location"), track["ace"], strict=True):
        draw_line_name(image, x, f"{ace[:3]} {track[part]}", track[part] == track["bottom"])
    draw_dots(image, RIGHT_X - BASES_WIDTH_PX - OUTS_WIDTH_PX - 2, TOP_Y + 3, board.outs, size=3)
    draw_line_bases(image, board)
    return True


def draw_fatigue_token(image: Image.Image, left: int, ace: str, row: int, floor: int, bottom: int) -> None:
    """Draw a token under its word of the ace pitch: its row between `floor` and `bottom`, and its number.

    The number is highlighted if that word may no longer be thrown.
    """
    paint = ImageDraw.Draw(image)
    draw_centered_text(image, left, left + 30, 1, ace)
    step = 22 // (bottom + 1)
    for at in range(floor, bottom + 1):
        y = 10 + at * step
        if at == row:
            paint.rectangle((left, y, left + 13, y + step - 2), fill=1)
        else:
            paint.line((left + 3, y + (step - 2) // 2, left + 10, y + (step - 2) // 2), fill=1)
    spent = row == bottom
    paint.rectangle((left + 16, 11, left + 29, 30), fill=int(spent))
    draw_centered_text(image, left + 17, left + 28, 13, str(row), "large", ink=int(not spent))


def result_text(board: Scoreboard) -> str:
    """Result of the race of this pitch as an umpire calls it, else the last dice if abilities changed them, else ""."""
    race: Any = board.panel.get("race")
    if isinstance(race, Mapping) and race.get("result"):
        return str(race["result"]).upper()
    pitch: Any = board.panel.get("pitch")
    if not pitch:
        return ""
    counts = pitch["count"]
    changed = {die for die in counts if counts[die] != pitch[die]}
    if counts["bonus"] is not None:
        return f"= {counts['bonus']}" if "bonus" in changed else ""
    if counts["swing"] is not None:
        return f"{counts['swing']} v {counts['control']} {counts['letter']}" if changed else ""
    return f"= {counts['control']} {counts['letter']}" if changed else ""


def legend_text(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Meaning of both tokens' numbers, "" without tokens."""
    track = board.panel.get("fatigue")
    if not track:
        return ""
    parts = (f"{ace} {track[part]}" for part, ace in zip(("direction", "location"), track["ace"], strict=True))
    return f"{', '.join(parts)}: {track['floor']} is fresh, {track['bottom']} exhausted."


def target_text(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Control and letter, including abilities, while the swing is rolled, else ""."""
    pitch: Any = board.panel.get("pitch")
    if not pitch or pitch["control"] is None or pitch["bonus"] is not None:
        return ""
    if not any(ask.why == "swing" or (ask.why == "reroll" and pitch["swing"] is not None) for ask in asks):
        return ""
    return f"Control {pitch['count']['control']}, {pitch['count']['letter']}."


GAME_SCREENS = GameScreens(
    upper_half=draw_upper_half, first_line=draw_first_line, result=result_text, aim=target_text, legend=legend_text
)
