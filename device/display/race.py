"""A race: both dice, the faces that win, and how each side stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PIL import Image, ImageDraw

from device.display import lettering
from device.display.lettering import centred, fit, text, width, wrap
from device.display.widgets import LEFT, RIGHT, ROOM, blank, boxed, choice, die, short_names
from engine.seats import SEATS
from engine.views import RaceView, View

STATES = {"rolling": "roll", "ready": "CALL!", "void": "void", "called": "called", "confirm": "asked"}
"""How a side stands in a race, in one word."""


def race(view: View, run: RaceView) -> Image.Image:
    """Draw a race on 64 lines: dice and winning faces above; below, how each side stands, a notice, or the call to
    confirm."""
    image = blank()
    names = short_names(view.table.scoreboard.sides, 43)
    needs = {seat: winning(one.wins) for seat, one in run.seats.items()}
    text(image, LEFT, 1, "RACE!", "bold")
    first = fit(f"first to {needs['home'] if needs['home'] == needs['away'] else 'win'}", 85)
    text(image, RIGHT + 1 - width(first), 1, first)
    for seat, left in zip(SEATS, (LEFT, 65), strict=True):
        die(image, left, 13, 17, run.seats[seat].face)
        text(image, left + 19, 13, names[seat])
        text(image, left + 19, 23, fit(needs[seat], 43))
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)
    dial, confirm = view.dial, run.confirm
    if view.notice:
        boxed(image, view.notice)
    elif confirm:
        for i, words in enumerate(wrap(question(names[confirm.seat]), ROOM, 2)):
            text(image, LEFT, 34 + 8 * i, words)
        if dial:
            choice(image, dial)
    else:
        for seat, left, right in zip(SEATS, (LEFT, 65), (62, RIGHT), strict=True):
            runner(image, left, right, run.seats[seat].state)
    return image


def winning(faces: Sequence[Any]) -> str:
    """Return the faces that win: "5 or 6", "4, 5, 6"."""
    return (" or " if len(faces) < 3 else ", ").join(map(str, faces))


def question(name: str) -> str:
    """Return what to ask a side that called."""
    return f"{name} called: what does the die show?"


def state_word(state: str) -> tuple[str, bool]:
    """Return how a side stands in one word, and True if it has called or may call."""
    return STATES.get(state, state), state in ("ready", "called", "confirm")


def runner(image: Image.Image, left: int, right: int, state: str) -> None:
    """Draw how a side stands, in large letters; dark on light if it has called or may call."""
    words, lit = state_word(state)
    ImageDraw.Draw(image).rectangle((left, 36, right, 61), outline=1, fill=int(lit))
    font: lettering.Font = "large" if width(words, "large") <= right - left - 3 else "bold"
    top = 41 if font == "large" else 45
    if state == "void":
        centred(image, left + 2, right - 2, 39, words, "bold")
        centred(image, left + 2, right - 2, 50, "roll again")
        return
    centred(image, left + 2, right - 2, top, words, font, ink=int(not lit))
