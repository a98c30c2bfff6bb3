"""RallyBird on the display: the six zones with their Gloves, and the roll against them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display import lettering
from device.display.games import GameScreens, Panel
from device.display.lettering import centred, number, text, width
from device.display.widgets import BASES, OUTS, RIGHT, diamond, dots, line_bases, line_inning, line_name
from engine.ask_views import AskView
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat

SPOTS = {"D": (1, 1), "E": (20, 1), "F": (39, 1), "A": (1, 18), "B": (20, 18), "C": (39, 18)}
"""The top left of each zone, laid out as on the field, in cells of 18 by 16 pixels."""

SIGNS = {"less": "<", "equal": "=", "more": ">"}


def upper_half(image: Image.Image, board: Scoreboard) -> bool:
    """Draw the Gloves on their zones, the runs of both teams, outs and bases."""
    for letter, zone in board.panel["zones"].items():
        cell(image, *SPOTS[letter], zone)
    paint = ImageDraw.Draw(image)
    sides = board.sides
    letters = initials(board)
    for seat, y in zip(SEATS, (1, 17), strict=True):
        if board.batting == seat:
            paint.rectangle((59, y, 60, y + 13), fill=1)
        centred(image, 62, 69, y + 4, letters[seat], "bold")
        runs = number(sides[seat].runs, 2)
        text(image, 93 - width(runs, "large"), y, runs, "large")
    dots(image, 95, 2, board.outs, down=True)
    diamond(image, board)
    paint.line((59, 33, RIGHT, 33), fill=1)
    return True


def initials(board: Scoreboard) -> dict[Seat, str]:
    """Return the teams' first letters; A and H if they are the same."""
    letters = {seat: lettering.plain_ascii(str(side.name))[:1].upper() for seat, side in board.sides.items()}
    apart = all(letters.values()) and len(set(letters.values())) == len(letters)
    return letters if apart else {"away": "A", "home": "H"}


def two_lines(image: Image.Image, board: Scoreboard, lit: Collection[str]) -> int:
    """Draw the Gloves on their zones in two lines; beside them runs and inning in the first, outs in the second.

    The sides in `lit` are marked. Return the x that is free in the second line.
    """
    for letter, (x, y) in SPOTS.items():
        small(image, 1 + x // 19 * 15, 1 if y < 9 else 10, board.panel["zones"][letter])
    letters, at = initials(board), 48
    for seat in SEATS:
        words = f"{letters[seat]} {number(board.sides[seat].runs, 2)}"
        at = line_name(image, at, words, seat in lit) + 1
    line_bases(image, board)
    line_inning(image, RIGHT - BASES - 1, board)
    dots(image, 49, 13, board.outs, size=3)
    return 49 + OUTS + 3


def small(image: Image.Image, x: int, y: int, zone: Panel) -> None:
    """Draw a zone as `cell` does, in 14 by 9 pixels. A Glove with its front up is underlined."""
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
    centred(image, x + 3, x + 11, y + 1, words, font, ink=int(not (glove and glove["back"])))


def cell(image: Image.Image, x: int, y: int, zone: Panel) -> None:
    """Draw a zone: the value of its Glove, dark on light if the back is up, or in small what is printed.

    A zone that the card tests is in brackets.
    """
    paint, glove = ImageDraw.Draw(image), zone["glove"]
    if zone["tested"]:
        for bar, hook in ((x, x + 2), (x + 17, x + 15)):
            paint.line([(hook, y), (bar, y), (bar, y + 15), (hook, y + 15)], fill=1)
    if not glove:
        centred(image, x + 3, x + 14, y + 4, str(zone["printed"]))
        return
    if glove["back"]:
        paint.rectangle((x + 3, y, x + 14, y + 15), fill=1)
    centred(image, x + 4, x + 13, y + 1, str(glove["value"]), "large", ink=int(not glove["back"]))


def aim(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Return what the roll against the revealed card must beat: "A 3 + D 4 = 7."; "" before that."""
    panel: Any = board.panel
    card = panel.get("card")
    if not card or not card["tests"]:
        return ""
    parts = (f"{letter} {worth}" for letter, worth in zip(card["tests"], card["worths"], strict=True))
    return f"{' + '.join(parts)} = {card['target']}."


def result(board: Scoreboard) -> str:
    """Return the last roll against its target: "8 > 7"; "" before that."""
    panel: Any = board.panel
    card, roll = panel.get("card"), panel.get("roll")
    return f"{roll['sum']} {SIGNS[roll['compare']]} {card['target']}" if card and roll else ""


def legend(board: Scoreboard, asks: Sequence[AskView]) -> str:
    """Return which zone is which, and how a Glove with its back up is drawn, when Gloves are laid."""
    return "D E F over A B C. Lit: the back of a Glove." if any(ask.why == "gloves" for ask in asks) else ""


SCREENS = GameScreens(upper_half=upper_half, two_lines=two_lines, result=result, aim=aim, legend=legend)
