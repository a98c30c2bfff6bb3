"""7th Inning Stretch on the display: the pool or the tired pitcher in a game, the season between games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display.games import GameScreens, PanelData
from device.display.lettering import draw_centered_text, draw_text, text_width, truncated_text
from device.display.widgets import LEFT_X, RIGHT_X, USABLE_WIDTH_PX, draw_die, draw_dots
from engine.ask_views import AskView
from engine.scoreboard import Scoreboard

TOKEN_NAMES = {"rerolls": "reroll", "nudges": "+/-1 token"}  # tokens of the pool in words
SHORT_STAGE_NAME = "The season"  # name for a stage whose own does not fit


def stage_panel(board: Scoreboard) -> PanelData | None:
    """Panel between two games. None during a game, or after a duel."""
    panel: Any = board.panel
    if panel.get("playing") is not False or (panel["season"] is None and panel["phase"] == "game"):
        return None
    found: PanelData = panel
    return found


def draw_upper_half(image: Image.Image, board: Scoreboard) -> bool:
    """Draw the stage between two games, the marks of its games, the stars, and the possible opponents."""
    panel = stage_panel(board)
    if panel is None:
        return False
    words = stage_name(panel)
    draw_text(image, LEFT_X, 1, words, "bold" if text_width(words, "bold") <= USABLE_WIDTH_PX else "plain")
    season = panel["season"]
    if season:
        draw_result_marks(image, 12, game_results(panel))
        stars = f"{season['stars']}*"
        draw_text(image, RIGHT_X + 1 - text_width(stars, "large"), 10, stars, "large")
        draw_text(image, LEFT_X, 25, truncated_text(next_game_text(season), USABLE_WIDTH_PX))
    else:
        counts = (len(squad["batters"]) + len(squad["pitchers"]) for squad in panel["squads"].values())
        draw_text(image, LEFT_X, 14, truncated_text(f"Cards kept: {' and '.join(map(str, counts))}", USABLE_WIDTH_PX))
    ImageDraw.Draw(image).line((LEFT_X, 33, RIGHT_X, 33), fill=1)
    return True


def draw_first_line(image: Image.Image, board: Scoreboard) -> bool:
    """Draw the marks and the stars between two games. Return False during a game."""
    panel = stage_panel(board)
    if panel is None:
        return False
    season = panel["season"]
    if not season:
        draw_text(image, LEFT_X, 2, truncated_text(stage_name(panel), USABLE_WIDTH_PX, "bold"), "bold")
        return True
    stars = f"{season['stars']}*"
    draw_text(image, RIGHT_X + 1 - text_width(stars, "bold"), 2, stars, "bold")
    at = LEFT_X
    for won in game_results(panel):
        draw_text(image, at + 1, 2, result_mark(won), "bold" if won else "plain")
        at += 9
    draw_text(image, at + 2, 2, truncated_text(stage_name(panel), RIGHT_X - text_width(stars, "bold") - at - 4))
    return True


def stage_name(panel: PanelData) -> str:
    """Name of the stage, or a short one if it does not fit."""
    words = str(panel["stands"])
    return words if text_width(words) <= USABLE_WIDTH_PX else SHORT_STAGE_NAME


def game_results(panel: PanelData) -> list[bool | None]:
    """Games of the regular season or the current series: won, lost, or None for a future one."""
    season = panel["season"]
    if panel["phase"] in ("semifinals", "finals"):
        played: Sequence[bool] = season["series"]
        most = 2 * int(season["wins_needed"]) - 1
    else:
        played, most = season["won"], int(season["games"])
    return [*played, *[None] * (most - len(played))]


def result_mark(won: bool | None) -> str:
    return "-" if won is None else "W" if won else "L"


def draw_result_marks(image: Image.Image, y: int, all_of: Sequence[bool | None]) -> None:
    """Draw a box for each game, filled if it was won."""
    for i, won in enumerate(all_of):
        x = LEFT_X + 14 * i
        ImageDraw.Draw(image).rectangle((x, y, x + 11, y + 10), outline=1, fill=int(bool(won)))
        draw_centered_text(image, x + 1, x + 10, y + 2, result_mark(won), "bold", ink=int(not won))


def next_game_text(season: PanelData) -> str:
    """Location of the next game, and the letters of the waiting teams or of those on top of the supplies."""
    teams = " ".join(str(one["short"]) for one in season["schedule"] or season["tops"].values())
    where = {None: "", True: "At home v ", False: "Away v "}[season["at_home"]]
    return f"{where}{teams}"


def draw_beside_bases(image: Image.Image, board: Scoreboard) -> bool:
    """Draw outs and the pool: its dice, rerolls (a ring) and +/-1 tokens (a dot).

    A mode without outs shows the pitcher's fatigue instead, a square for each exhaustion token he can take.
    """
    panel: Any = board.panel
    pool, pitcher = panel.get("pool"), panel.get("pitcher")
    paint = ImageDraw.Draw(image)
    if pool:
        draw_dots(image, 79, 2, board.outs)
        draw_die(image, 78, 12, 9, 5)
        draw_text(image, 89, 12, str(pool["dice"]), "bold")
        paint.ellipse((78, 25, 82, 29), outline=1)
        draw_text(image, 84, 24, str(pool["rerolls"]))
        paint.ellipse((91, 25, 94, 28), fill=1)
        draw_text(image, 96, 24, str(pool["nudges"]))
        return True
    if pitcher:
        draw_centered_text(image, 77, 101, 3, f"{pitcher['tired']}/{pitcher['stamina']}", "bold")
        for token in range(int(pitcher["stamina"])):
            x, y = 79 + 8 * (token % 3), 14 + 8 * (token // 3)
            paint.rectangle((x, y, x + 5, y + 5), outline=1, fill=int(token < pitcher["tired"]))
        return True
    return False


def extra_figures(board: Scoreboard) -> list[str]:
    """Dice and tokens of the pool, or the pitcher's exhaustion tokens."""
    panel: Any = board.panel
    pool, pitcher = panel.get("pool"), panel.get("pitcher")
    if pool:
        tokens = [f"{pool[kind]}{letter}" for kind, letter in (("rerolls", "r"), ("nudges", "+")) if pool[kind]]
        return [f"{pool['dice']}d", *tokens]
    return [f"{pitcher['tired']}/{pitcher['stamina']}"] if pitcher else []


def legend_text(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Explains the pool or the pitcher's exhaustion tokens. Between two games it explains the marks."""
    panel: Any = board.panel
    pool, pitcher = panel.get("pool"), panel.get("pitcher")
    if between := stage_panel(board):
        return "W: won. L: lost. *: your stars." if between["season"] else ""
    if pool:
        dice = "1 die" if pool["dice"] == 1 else f"{pool['dice']} dice"
        again, nudges = (f"{pool[kind]} {word}{'s' * (pool[kind] != 1)}" for kind, word in TOKEN_NAMES.items())
        return f"Pool: {dice}, {again} (ring), {nudges} (dot)."
    if pitcher:
        return f"{pitcher['name']} has {pitcher['tired']} of {pitcher['stamina']} exhaustion tokens."
    return ""


GAME_SCREENS = GameScreens(
    upper_half=draw_upper_half,
    beside_bases=draw_beside_bases,
    final=draw_upper_half,
    first_line=draw_first_line,
    final_line=draw_first_line,
    extras=extra_figures,
    legend=legend_text,
)
