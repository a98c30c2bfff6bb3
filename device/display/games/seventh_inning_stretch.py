"""7th Inning Stretch on the display: the pool or the tired pitcher in a game, the season between games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display.games import GameScreens, Panel
from device.display.lettering import centred, fit, text, width
from device.display.widgets import LEFT, RIGHT, ROOM, die, dots
from engine.ask_views import AskView
from engine.scoreboard import Scoreboard

TOKENS = {"rerolls": "reroll", "nudges": "+/-1 token"}  # the tokens of the pool, in words
SHORT = "The season"  # the name of a stage whose own has no room


def stage(board: Scoreboard) -> Panel | None:
    """Return the panel between two games; None during a game, or once a duel is over."""
    panel: Any = board.panel
    if panel.get("playing") is not False or (panel["season"] is None and panel["phase"] == "game"):
        return None
    found: Panel = panel
    return found


def upper_half(image: Image.Image, board: Scoreboard) -> bool:
    """Draw the stage between two games, the marks of its games, the stars, and the possible opponents."""
    panel = stage(board)
    if panel is None:
        return False
    words = name(panel)
    text(image, LEFT, 1, words, "bold" if width(words, "bold") <= ROOM else "plain")
    season = panel["season"]
    if season:
        marks(image, 12, games(panel))
        stars = f"{season['stars']}*"
        text(image, RIGHT + 1 - width(stars, "large"), 10, stars, "large")
        text(image, LEFT, 25, fit(ahead(season), ROOM))
    else:
        counts = (len(squad["batters"]) + len(squad["pitchers"]) for squad in panel["squads"].values())
        text(image, LEFT, 14, fit(f"Cards kept: {' and '.join(map(str, counts))}", ROOM))
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)
    return True


def first_line(image: Image.Image, board: Scoreboard) -> bool:
    """Draw the marks and the stars between two games. False during a game."""
    panel = stage(board)
    if panel is None:
        return False
    season = panel["season"]
    if not season:
        text(image, LEFT, 2, fit(name(panel), ROOM, "bold"), "bold")
        return True
    stars = f"{season['stars']}*"
    text(image, RIGHT + 1 - width(stars, "bold"), 2, stars, "bold")
    at = LEFT
    for won in games(panel):
        text(image, at + 1, 2, mark(won), "bold" if won else "plain")
        at += 9
    text(image, at + 2, 2, fit(name(panel), RIGHT - width(stars, "bold") - at - 4))
    return True


def name(panel: Panel) -> str:
    """Return the name of the stage, or a short one if it has no room."""
    words = str(panel["stands"])
    return words if width(words) <= ROOM else SHORT


def games(panel: Panel) -> list[bool | None]:
    """Return the games of the regular season, or of the series under way: won, lost, or None for one to come."""
    season = panel["season"]
    if panel["phase"] in ("semifinals", "finals"):
        played: Sequence[bool] = season["series"]
        most = 2 * int(season["wins_needed"]) - 1
    else:
        played, most = season["won"], int(season["games"])
    return [*played, *[None] * (most - len(played))]


def mark(won: bool | None) -> str:
    """Return W, L, or a dash for a game to come."""
    return "-" if won is None else "W" if won else "L"


def marks(image: Image.Image, y: int, all_of: Sequence[bool | None]) -> None:
    """Draw a box for each game, lit if it was won."""
    for i, won in enumerate(all_of):
        x = LEFT + 14 * i
        ImageDraw.Draw(image).rectangle((x, y, x + 11, y + 10), outline=1, fill=int(bool(won)))
        centred(image, x + 1, x + 10, y + 2, mark(won), "bold", ink=int(not won))


def ahead(season: Panel) -> str:
    """Return where the next game is, and the letters of the waiting teams, or of those on top of the supplies."""
    teams = " ".join(str(one["short"]) for one in season["schedule"] or season["tops"].values())
    where = {None: "", True: "At home v ", False: "Away v "}[season["at_home"]]
    return f"{where}{teams}"


def beside_bases(image: Image.Image, board: Scoreboard) -> bool:
    """Draw outs and the pool: its dice, rerolls (a ring) and +/-1 tokens (a dot).

    A mode without outs shows how tired the pitcher is instead: a square for each exhaustion token he can take.
    """
    panel: Any = board.panel
    pool, pitcher = panel.get("pool"), panel.get("pitcher")
    paint = ImageDraw.Draw(image)
    if pool:
        dots(image, 79, 2, board.outs)
        die(image, 78, 12, 9, 5)
        text(image, 89, 12, str(pool["dice"]), "bold")
        paint.ellipse((78, 25, 82, 29), outline=1)
        text(image, 84, 24, str(pool["rerolls"]))
        paint.ellipse((91, 25, 94, 28), fill=1)
        text(image, 96, 24, str(pool["nudges"]))
        return True
    if pitcher:
        centred(image, 77, 101, 3, f"{pitcher['tired']}/{pitcher['stamina']}", "bold")
        for token in range(int(pitcher["stamina"])):
            x, y = 79 + 8 * (token % 3), 14 + 8 * (token // 3)
            paint.rectangle((x, y, x + 5, y + 5), outline=1, fill=int(token < pitcher["tired"]))
        return True
    return False


def extras(board: Scoreboard) -> list[str]:
    """Return the dice and tokens of the pool, or how tired the pitcher is."""
    panel: Any = board.panel
    pool, pitcher = panel.get("pool"), panel.get("pitcher")
    if pool:
        tokens = [f"{pool[kind]}{letter}" for kind, letter in (("rerolls", "r"), ("nudges", "+")) if pool[kind]]
        return [f"{pool['dice']}d", *tokens]
    return [f"{pitcher['tired']}/{pitcher['stamina']}"] if pitcher else []


def legend(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Return what stands beside the bases: the pool, or how tired the pitcher is; between two games, the marks."""
    panel: Any = board.panel
    pool, pitcher = panel.get("pool"), panel.get("pitcher")
    if between := stage(board):
        return "W: won. L: lost. *: your stars." if between["season"] else ""
    if pool:
        dice = "1 die" if pool["dice"] == 1 else f"{pool['dice']} dice"
        again, nudges = (f"{pool[kind]} {word}{'s' * (pool[kind] != 1)}" for kind, word in TOKENS.items())
        return f"Pool: {dice}, {again} (ring), {nudges} (dot)."
    if pitcher:
        return f"{pitcher['name']} has {pitcher['tired']} of {pitcher['stamina']} exhaustion tokens."
    return ""


SCREENS = GameScreens(
    upper_half=upper_half,
    beside_bases=beside_bases,
    final=upper_half,
    first_line=first_line,
    final_line=first_line,
    extras=extras,
    legend=legend,
)
