"""RallyBird on the display: the six zones with their Gloves, and the roll against them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display import lettering
from device.display.games import GameScreens, PanelData
from device.display.lettering import capped_number, draw_centered_text, draw_text, text_width
from device.display.widgets import (
    BASES_WIDTH_PX,
    OUTS_WIDTH_PX,
    RIGHT_X,
    draw_diamond,
    draw_dots,
    draw_line_bases,
    draw_line_inning,
    draw_line_name,
)
from engine.ask_views import AskView
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat

ZONE_ORIGINS_PX = {"D": (1, 1), "E": (20, 1), "F": (39, 1), "A": (1, 18), "B": (20, 18), "C": (39, 18)}
"""Top left of each zone, arranged as on the field, in cells of 18 by 16 pixels."""

COMPARISON_SIGNS = {"less": "<", "equal": "=", "more": ">"}  # by the result of comparing a roll with its target


def draw_upper_half(image: Image.Image, board: Scoreboard) -> bool:
    """Draw the Gloves on their zones, the runs of both teams, outs and bases."""
    for letter, zone in board.panel["zones"].items():
        draw_zone(image, *ZONE_ORIGINS_PX[letter], zone)
    paint = ImageDraw.Draw(image)
    sides = board.sides
    letters = team_initials(board)
    for seat, y in zip(SEATS, (1, 17), strict=True):
        if board.batting == seat:
            paint.rectangle((59, y, 60, y + 13), fill=1)
        draw_centered_text(image, 62, 69, y + 4, letters[seat], "bold")
        runs = capped_number(sides[seat].runs, 2)
        draw_text(image, 93 - text_width(runs, "large"), y, runs, "large")
    draw_dots(image, 95, 2, board.outs, down=True)
    draw_diamond(image, board)
    paint.line((59, 33, RIGHT_X, 33), fill=1)
    return True


def team_initials(board: Scoreboard) -> dict[Seat, str]:
    """First letters of the team names, A and H if they are equal."""
    letters = {seat: lettering.ascii_text(str(side.name))[:1].upper() for seat, side in board.sides.items()}
    apart = all(letters.values()) and len(set(letters.values())) == len(letters)
    return letters if apart else {"away": "A", "home": "H"}


def draw_two_lines(image: Image.Image, board: Scoreboard, lit: Collection[str]) -> int:
    """Draw the Gloves on their zones in two lines, next to runs and inning in the first and outs in the second.

    The sides in `lit` are highlighted. Returns the free x in the second line.
    """
    for letter, (x, y) in ZONE_ORIGINS_PX.items():
        draw_small_zone(image, 1 + x // 19 * 15, 1 if y < 9 else 10, board.panel["zones"][letter])
    letters, at = team_initials(board), 48
    for seat in SEATS:
        words = f"{letters[seat]} {capped_number(board.sides[seat].runs, 2)}"
        at = draw_line_name(image, at, words, seat in lit) + 1
    draw_line_bases(image, board)
    draw_line_inning(image, RIGHT_X - BASES_WIDTH_PX - 1, board)
    draw_dots(image, 49, 13, board.outs, size=3)
    return 49 + OUTS_WIDTH_PX + 3


def draw_small_zone(image: Image.Image, x: int, y: int, zone: PanelData) -> None:
    """Draw a zone like `draw_zone`, in 14 by 9 pixels. A Glove with its front up is underlined."""
    paint, glove = ImageDraw.Draw(image), zone["glove"]
    if zone["tested"]:
        for bar, hook in ((x, x + 1), (x + 13, x + 12)):
            paint.line([(hook, y), (bar, y), (bar, y + 8), (hook, y + 8)], fill=1)
    if glove and glove["back"]:
        paint.rectangle((x + 2, y, x + 11, y + 8), fill=1)
    elif glove:
        paint.line((x + 3, y + 8, x + 10, y + 8), fill=1)
    words = str(glove["value"] if glove else zone["printed"])
    font: lettering.Font = "bold" if glove else "plain"
    draw_centered_text(image, x + 3, x + 11, y + 1, words, font, ink=int(not (glove and glove["back"])))


def draw_zone(image: Image.Image, x: int, y: int, zone: PanelData) -> None:
    """Draw the value of the zone's Glove, highlighted if its back is up, or the printed value in small digits.

    A zone that the card tests is in brackets.
    """
    paint, glove = ImageDraw.Draw(image), zone["glove"]
    if zone["tested"]:
        for bar, hook in ((x, x + 2), (x + 17, x + 15)):
            paint.line([(hook, y), (bar, y), (bar, y + 15), (hook, y + 15)], fill=1)
    if not glove:
        draw_centered_text(image, x + 3, x + 14, y + 4, str(zone["printed"]))
        return
    if glove["back"]:
        paint.rectangle((x + 3, y, x + 14, y + 15), fill=1)
    draw_centered_text(image, x + 4, x + 13, y + 1, str(glove["value"]), "large", ink=int(not glove["back"]))


def target_text(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Target of the roll against the revealed card, such as "A 3 + D 4 = 7.", or "" before there is one."""
    panel: Any = board.panel
    card = panel.get("card")
    if not card or not card["tests"]:
        return ""
    parts = (f"{letter} {worth}" for letter, worth in zip(card["tests"], card["worths"], strict=True))
    return f"{' + '.join(parts)} = {card['target']}."


def result_text(board: Scoreboard) -> str:
    """Last roll against its target: "8 > 7". "" before that."""
    panel: Any = board.panel
    roll = panel.get("roll")
    return f"{roll['sum']} {COMPARISON_SIGNS[roll['compare']]} {roll['target']}" if roll else ""


def legend_text(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Arrangement of the zones and the look of a Glove with its back up, while Gloves are placed."""
    return "D E F over A B C. Lit: the back of a Glove." if any(ask.why == "gloves" for ask in asks) else ""


GAME_SCREENS = GameScreens(
    upper_half=draw_upper_half, two_lines=draw_two_lines, result=result_text, aim=target_text, legend=legend_text
)
