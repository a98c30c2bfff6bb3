"""Bottom of the 9th on the little display: count, fatigue and bases, the race."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PIL import Image, ImageDraw

from device.display import lettering, status_line
from device.display.lettering import centred, fit, text, width, wrap
from device.display.widgets import LEFT, RIGHT, ROOM, View, blank, boxed, choice, diamond, die, short_names

STANDS = {"rolling": "roll", "ready": "CALL!", "void": "void", "called": "called", "confirm": "asked"}
"""How a seat stands in a race, in one word."""


def state(image: Image.Image, board: View) -> bool:
    """The upper half: balls, strikes and outs, the rows of both fatigue tokens, the bases; False before there are any
    tokens."""
    track = board["panel"].get("fatigue")
    if not track:
        return False
    balls, strikes = board.get("count") or (0, 0)
    for y, letter, lit, of in ((2, "B", balls, 3), (12, "S", strikes, 2), (22, "O", board.get("outs") or 0, 3)):
        text(image, LEFT, y, letter, "bold")
        for i in range(of):
            x = 11 + 8 * i
            ImageDraw.Draw(image).ellipse((x, y, x + 6, y + 6), outline=1, fill=int(i < lit))
    for left, part, ace in zip((37, 71), ("direction", "location"), track["ace"], strict=True):
        fatigue(image, left, ace, track[part], track["floor"], track["bottom"])
    diamond(image, board.get("bases") or (None, None, None), board.get("marker") or "", board.get("half"))
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)
    return True


def strip(image: Image.Image, board: View) -> bool:
    """The first line of a display with 32 lines: balls and strikes, both tokens by the first letters of their words,
    dark on light where that word may not be thrown any more, outs and bases; False before there are any tokens."""
    track = board["panel"].get("fatigue")
    if not track:
        return False
    balls, strikes = board.get("count") or (0, 0)
    text(image, LEFT, status_line.TOP + 1, f"{balls}-{strikes}", "bold")
    for x, part, ace in zip((29, 62), ("direction", "location"), track["ace"], strict=True):
        status_line.name(image, x, f"{ace[:3]} {track[part]}", track[part] == track["bottom"])
    status_line.outs(image, RIGHT - status_line.BASES - status_line.OUTS - 2, board.get("outs") or 0)
    status_line.bases(image, RIGHT + 1 - status_line.BASES, board.get("bases") or (None, None, None))
    return True


def fatigue(image: Image.Image, left: int, ace: str, row: int, floor: int, bottom: int) -> None:
    """One token under the word of the ace pitch that it stands for: its place among the rows from `floor` to `bottom`,
    and the row's number, dark on light where that word may not be thrown any more."""
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


def result(board: View) -> str:
    """How the race of this pitch ended, as an umpire calls it; empty where there was none."""
    race: Any = (board.get("panel") or {}).get("race")
    return str(race["result"]).upper() if isinstance(race, Mapping) and race.get("result") else ""


def race(view: View) -> Image.Image:
    """Both dice as they lie and what each side needs; below, how each stands, a notice, or the call to be confirmed."""
    image, run = blank(), view["race"]
    names = short_names(view["table"]["scoreboard"]["sides"], 43)
    needs = {
        seat: (" or " if len(one["wins"]) < 3 else ", ").join(map(str, one["wins"]))
        for seat, one in run["seats"].items()
    }
    text(image, LEFT, 1, "RACE!", "bold")
    first = fit(f"first to {needs['home'] if needs['home'] == needs['away'] else 'win'}", 85)
    text(image, RIGHT + 1 - width(first), 1, first)
    for left, seat in ((LEFT, "away"), (65, "home")):
        die(image, left, 13, 17, run["seats"][seat]["face"])
        text(image, left + 19, 13, names[seat])
        text(image, left + 19, 23, fit(needs[seat], 43))
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)
    dial, confirm = view.get("dial"), run.get("confirm")
    if view.get("notice"):
        boxed(image, str(view["notice"]))
    elif confirm:
        for i, words in enumerate(wrap(f"{names[confirm['seat']]} called: what does the die show?", ROOM, 2)):
            text(image, LEFT, 34 + 8 * i, words)
        if dial:
            choice(image, dial)
    else:
        for left, right, seat in ((LEFT, 62, "away"), (65, RIGHT, "home")):
            stands(image, left, right, run["seats"][seat]["state"])
    return image


def stands_as(how: str) -> tuple[str, bool]:
    """How a seat stands in a word, and whether it has called or may."""
    return STANDS.get(how, how), how in ("ready", "called", "confirm")


def stands(image: Image.Image, left: int, right: int, how: str) -> None:
    """How a seat stands, large; lit where it has called or may."""
    words, lit = stands_as(how)
    ImageDraw.Draw(image).rectangle((left, 36, right, 61), outline=1, fill=int(lit))
    font: lettering.Font = "large" if width(words, "large") <= right - left - 3 else "bold"
    top = 41 if font == "large" else 45
    if how == "void":
        centred(image, left + 2, right - 2, 39, words, "bold")
        centred(image, left + 2, right - 2, 50, "roll again")
        return
    centred(image, left + 2, right - 2, top, words, font, ink=int(not lit))
