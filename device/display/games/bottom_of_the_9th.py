"""Bottom of the 9th on the display: count, fatigue and bases, the dice as they count, how a race ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display.games import GameScreens
from device.display.lettering import centred, text
from device.display.widgets import BASES, LEFT, OUTS, RIGHT, TOP, diamond, dots, line_bases, line_name
from engine.ask_views import AskView
from engine.scoreboard import Scoreboard


def upper_half(image: Image.Image, board: Scoreboard) -> bool:
    """Draw balls, strikes and outs, the rows of both fatigue tokens, the bases. False before there are tokens."""
    track = board.panel.get("fatigue")
    if not track:
        return False
    balls, strikes = board.count or (0, 0)
    for y, letter, lit, of in ((2, "B", balls, 3), (12, "S", strikes, 2), (22, "O", board.outs, 3)):
        text(image, LEFT, y, letter, "bold")
        dots(image, 11, y, lit, of, size=6)
    for left, part, ace in zip((37, 71), ("direction", "location"), track["ace"], strict=True):
        fatigue(image, left, ace, track[part], track["floor"], track["bottom"])
    diamond(image, board)
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)
    return True


def first_line(image: Image.Image, board: Scoreboard) -> bool:
    """Draw balls and strikes, both tokens, outs and bases in one line. False before there are tokens.

    A token is the first letters of its word, dark on light if that word may not be thrown any more.
    """
    track = board.panel.get("fatigue")
    if not track:
        return False
    balls, strikes = board.count or (0, 0)
    text(image, LEFT, TOP + 1, f"{balls}-{strikes}", "bold")
    for x, part, ace in zip((29, 62), ("direction", "location"), track["ace"], strict=True):
        line_name(image, x, f"{ace[:3]} {track[part]}", track[part] == track["bottom"])
    dots(image, RIGHT - BASES - OUTS - 2, TOP + 3, board.outs, size=3)
    line_bases(image, board)
    return True


def fatigue(image: Image.Image, left: int, ace: str, row: int, floor: int, bottom: int) -> None:
    """Draw a token under its word of the ace pitch: its place among the rows from `floor` to `bottom`, and its number.

    The number is dark on light if that word may not be thrown any more.
    """
    paint = ImageDraw.Draw(image)
    centred(image, left, left + 30, 1, ace)
    step = 22 // (bottom + 1)
    for at in range(floor, bottom + 1):
        y = 10 + at * step
        if at == row:
            paint.rectangle((left, y, left + 13, y + step - 2), fill=1)
        else:
            paint.line((left + 3, y + (step - 2) // 2, left + 10, y + (step - 2) // 2), fill=1)
    spent = row == bottom
    paint.rectangle((left + 16, 11, left + 29, 30), fill=int(spent))
    centred(image, left + 17, left + 28, 13, str(row), "large", ink=int(not spent))


def result(board: Scoreboard) -> str:
    """Return how the race of this pitch ended, as an umpire calls it; else the last dice as they count, if abilities
    changed what is compared; else "".
    """
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


def legend(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Return what the numbers of both tokens mean; "" before there are tokens."""
    track = board.panel.get("fatigue")
    if not track:
        return ""
    parts = (f"{ace} {track[part]}" for part, ace in zip(("direction", "location"), track["ace"], strict=True))
    return f"{', '.join(parts)}: {track['floor']} is fresh, {track['bottom']} exhausted."


def aim(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Return control and letter, abilities included, while the swing is rolled; else ""."""
    pitch: Any = board.panel.get("pitch")
    if not pitch or pitch["control"] is None or pitch["bonus"] is not None:
        return ""
    if not any(ask.why == "swing" or (ask.why == "reroll" and pitch["swing"] is not None) for ask in asks):
        return ""
    return f"Control {pitch['count']['control']}, {pitch['count']['letter']}."


SCREENS = GameScreens(upper_half=upper_half, first_line=first_line, result=result, aim=aim, legend=legend)
