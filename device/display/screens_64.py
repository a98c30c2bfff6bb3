"""Screens for a display with 64 lines: from a public view to a picture of 128 × 64 one-bit pixels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import segno
from PIL import Image, ImageDraw

from device.display import lettering
from device.display.content import advice, figures, named_dice, secret_word, seen_faces, unseen, who
from device.display.lettering import centred, fit, text, width, wrap
from device.display.race import race
from device.display.widgets import (
    BOTTOM,
    LEFT,
    RIGHT,
    ROOM,
    THROWS,
    TOP,
    blank,
    boxed,
    breadth,
    choice,
    diamond,
    die,
    lying,
    marked,
    number,
    own,
    played,
    recent,
    seated,
    short_names,
)
from device.display.widgets import SIZE as SIZE
from engine.ask_views import AskView, RerollView
from engine.clock import Outcome
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.views import EntryView, ProposalView, View


def game(view: View) -> Image.Image:
    """Draw the game: the proposed roll, else the result, else the race, else the score and who must do what."""
    if view.proposal:
        return proposal(view, view.proposal)
    if view.table.outcome:
        return over(view, view.table.outcome)
    if view.race:
        return race(view, view.race)
    return score(view)


# Score ---------------------------------------------------------------------------------------------------------------


def score(view: View) -> Image.Image:
    """Draw runs, inning, outs, bases, stake, count and fatigue; below them who must answer, and what."""
    image, board = blank(), view.table.scoreboard
    runs = max(width(number(side.runs, 3), "large") for side in board.sides.values())
    room = 67 - runs
    names = short_names(board.sides, room)
    if not own(board).upper_half(image, board):
        teams(image, board, names, room)
    below(image, view, seated(board, names))
    return image


def teams(image: Image.Image, board: Scoreboard, names: Mapping[Seat, str], room: int) -> None:
    """Draw the runs of both teams, then outs, bases and inning."""
    font: lettering.Font = "bold" if all(width(name, "bold") <= room - 3 for name in names.values()) else "plain"
    for seat, y in zip(SEATS, (1, 17), strict=True):
        line(image, y, seat, names[seat], font, board)
    middle(image, board)
    diamond(image, board.bases, board.marker, board.half)
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)


def line(image: Image.Image, y: int, seat: Seat, name: str, font: lettering.Font, board: Scoreboard) -> None:
    """Draw the line of one team: a bar if it bats, its name, its runs."""
    if board.batting == seat:
        ImageDraw.Draw(image).rectangle((LEFT, y, LEFT + 2, y + 13), fill=1)
    runs = number(board.sides[seat].runs, 3)
    text(image, 6, y + 4, name, font)
    text(image, 75 - width(runs, "large"), y, runs, "large")


def middle(image: Image.Image, board: Scoreboard) -> None:
    """Draw the outs, and stake, count and fatigue if the game has them."""
    if own(board).beside_bases(image, board):
        return
    paint = ImageDraw.Draw(image)
    for out in range(3):
        x = 79 + 8 * out
        paint.ellipse((x, 2, x + 5, 7), outline=1, fill=int(out < board.outs))
    rows = figures(board)
    if len(rows) == 1 and width(rows[0], "large") <= 24:
        centred(image, 78, 101, 13, rows[0], "large")
        return
    for i, row in enumerate(rows):
        centred(image, 77, 101, (9 if len(rows) == 3 else 12) + (8 if len(rows) == 3 else 11) * i, row, "bold")


def below(image: Image.Image, view: View, names: Mapping[Seat, str]) -> None:
    """Draw who must answer and what, the last dice, and in the lowest lines the choice or a sentence that helps.

    While a roll is open, the buttons' choice is shown only once a button was pressed: until then the camera decides.
    """
    if view.notice:
        boxed(image, view.notice)
        return
    dial, asks = view.dial, view.table.asks
    if any(ask.secret for ask in asks):
        secretly(image, names, asks, view.table.ready, dial)
        return
    asks = [ask for ask in asks if dial and ask.n == dial.n] or asks
    waiting = bool(asks) and asks[0].kind in THROWS and not (dial and dial.touched)
    again = asks[0] if waiting and isinstance(asks[0], RerollView) else None
    right = last(image, view.table.scoreboard, asks)
    if view.missing and (again or not waiting):
        ImageDraw.Draw(image).rectangle((right - 8, 35, right, 45), fill=1)
        centred(image, right - 8, right, 37, "!", "bold", ink=0)
        right -= 11
    text(image, LEFT, 36, who(asks, names, view.table.scoreboard, right - LEFT - 1))
    if view.layout and view.layout.line:
        help_lines(image, view.layout.line)
    elif again:
        lying(image, again, 48, 12, 2)
    elif dial and not waiting:
        choice(image, dial, lines=2)
    else:
        help_lines(image, advice(view, asks))


def secretly(
    image: Image.Image,
    names: Mapping[Seat, str],
    asks: Sequence[AskView],
    ready: Collection[Seat],
    dial: EntryView | None,
) -> None:
    """Draw who is choosing in secret, who is ready and who waits, and nothing else.

    If only one side is asked and enters its secret unseen, how to enter it replaces the other side.
    """
    asked, rows = {ask.seat for ask in asks}, [*zip(SEATS, (36, 50), strict=True)]
    how = unseen(asks, ready, dial)
    if how:
        rows = [(seat, 36) for seat in asked]
        help_lines(image, f"In secret: {how}")
    for seat, y in rows:
        words = secret_word(seat, asks, ready, dial)
        lit = words == "ready"
        if lit:
            ImageDraw.Draw(image).rectangle((LEFT, y, RIGHT, y + 11), fill=1)
        name = fit(names[seat], ROOM - 8 - width(words))
        text(image, 4, y + 2, name, "bold" if width(name, "bold") <= 60 else "plain", int(not lit))
        text(image, RIGHT - 2 - width(words), y + 2, words, ink=int(not lit))


def last(image: Image.Image, board: Scoreboard, asks: Sequence[AskView] = ()) -> int:
    """Draw the last dice, or their result, at the right end of the line. Return the last free x left of them."""
    if called := own(board).result(board):
        left = RIGHT - width(called, "bold") - 3
        ImageDraw.Draw(image).rectangle((left, 35, RIGHT, 45), fill=1)
        centred(image, left, RIGHT, 37, called, "bold", ink=0)
        return left - 2
    right = RIGHT
    for face in reversed(recent(board, asks)):
        wide = breadth(face, 11)
        right -= wide + 2
        die(image, right + 3, 35, 11, face, wide)
    return right


def help_lines(image: Image.Image, words: str) -> None:
    """Draw a sentence in two lines, or in one of bold letters if it fits."""
    if width(words, "bold") <= ROOM:
        text(image, LEFT, 52, words, "bold")
        return
    for i, part in enumerate(wrap(words, ROOM, 2)):
        text(image, LEFT, 47 + 8 * i, part)


# A roll to confirm, and the end --------------------------------------------------------------------------------------


def proposal(view: View, seen: ProposalView) -> Image.Image:
    """Draw the dice just seen, large: a sure roll with the time left to stop it, or a doubtful one with what to do.

    A die that was not seen is drawn as `?`. Dice of several colors are named if there is room.
    """
    image = blank()
    board = view.table.scoreboard
    names = seated(board, short_names(board.sides, 60))
    dial = view.dial
    faces = seen_faces(view, seen)
    seconds = seen.seconds if seen.sure else None
    counting = seconds is not None
    known = bool(faces) and None not in faces
    title = f"{names.get(seen.seat, '')} rolled" if counting else "Is this right?" if known else "Not read"
    named = named_dice(seen) if counting else ""
    if named and width(seen.words) <= ROOM:
        text(image, LEFT, 1, named)
    else:
        text(image, LEFT, 1, fit(title, ROOM, "bold"), "bold")
    words = "" if counting or seen.sure else seen.advice or ""
    beside = large_dice(image, faces, 72 if words else ROOM, centre=not words, again=seen.again or ())
    for i, part in enumerate(wrap(words, RIGHT - beside + 1, 4)):
        text(image, beside, 12 + 9 * i, part)
    if seconds is not None:
        countdown(image, seconds, seen.total)
        centred(image, LEFT, RIGHT, 53, "OK now  < > change")
    elif dial and dial.n == seen.n:
        choice(image, dial)
    else:
        centred(image, LEFT, RIGHT, 53, "OK yes  < > change" if known else "< > enter the dice")
    return image


def large_dice(image: Image.Image, faces: Sequence[Any], room: int, centre: bool, again: Collection[int] = ()) -> int:
    """Draw dice as large as fit into `room` pixels, up to 28 each, and more than six in two rows.

    The dice at the places `again` are marked. Return the x where words may begin beside them.
    """
    many = min(len(faces), 6)
    if not many:
        return LEFT
    two = len(faces) > many
    size = min(12 if two else 28, (room + 3) // many - 3)
    left = LEFT + (room - many * (size + 3) + 3) // 2 if centre else LEFT
    for i, face in enumerate(faces):
        y = 12 + 15 * (i // many) + (12 - size) // 2 if two else 12 + (28 - size) // 2
        marked(image, left + i % many * (size + 3), y, size, face, i in again)
    return left + many * (size + 3) + 2


def countdown(image: Image.Image, seconds: float, total: float) -> None:
    """Draw a bar for the time left. Both times are in seconds."""
    paint = ImageDraw.Draw(image)
    part = min(1.0, max(0.0, seconds / total)) if total > 0 else 0.0
    paint.rectangle((LEFT, 43, RIGHT, 48), outline=1)
    paint.rectangle((LEFT, 43, LEFT + round((ROOM - 1) * part), 48), fill=1)


def over(view: View, outcome: Outcome) -> Image.Image:
    """Draw the end: the runs of both teams with the winner marked, or the marks of a season; and how the game ended."""
    image, board = blank(), view.table.scoreboard
    season = own(board).final(image, board)
    if not season:
        final(image, board, outcome)
    lines = wrap(view.notice or outcome.sentence, ROOM, 3 if season else 2)
    for i, words in enumerate(lines):
        centred(image, LEFT, RIGHT, (49, 45, 36)[len(lines) - 1] + 9 * i, words)
    return image


def final(image: Image.Image, board: Scoreboard, outcome: Outcome) -> None:
    """Draw the runs of both teams, the winner dark on light."""
    sides = board.sides
    names = short_names(sides, 78)
    font: lettering.Font = "bold" if all(width(name, "bold") <= 78 for name in names.values()) else "plain"
    for seat, y in zip(SEATS, (2, 20), strict=True):
        won = played(board, outcome.winner) == seat
        runs = number(sides[seat].runs, 3)
        if won:
            ImageDraw.Draw(image).rectangle((LEFT, y - 1, RIGHT, y + 15), fill=1)
        text(image, 5, y + 4, names[seat], font, ink=int(not won))
        text(image, 121 - width(runs, "large"), y, runs, "large", ink=int(not won))


# The other screens ---------------------------------------------------------------------------------------------------


def message(title: str, text_: str) -> Image.Image:
    """Draw a title and up to five lines of text."""
    image = blank()
    ImageDraw.Draw(image).rectangle((LEFT, TOP, RIGHT, TOP + 10), fill=1)
    centred(image, LEFT + 2, RIGHT - 2, TOP + 2, title, "bold" if width(title, "bold") <= ROOM - 4 else "plain", ink=0)
    lines = wrap(text_, ROOM, 5)
    top = 15 + max(0, 5 - len(lines)) * 4
    for i, words in enumerate(lines):
        text(image, LEFT, top + 10 * i - (i if len(lines) == 5 else 0), words)
    return image


def join(url: str, address: str, code: str) -> Image.Image:
    """Draw how a phone joins: a QR code of `url`, the name in it, the IP address, and the operator's code.

    A `url` too long for 29 modules (53 letters, or 77 of A–Z, 0–9 and :/.-) is written instead: a phone cannot read
    modules of one pixel.
    """
    image = blank()
    code_ = segno.make_qr(url, error="l", boost_error=False)
    modules = code_.symbol_size(border=0)[0]
    beside = LEFT
    if 2 * modules <= 58:
        size = 62
        paint = ImageDraw.Draw(image)
        paint.rectangle((LEFT, TOP, LEFT + size - 1, TOP + size - 1), fill=1)
        start = (size - 2 * modules) // 2
        for y, row in enumerate(code_.matrix):
            for x, dark in enumerate(row):
                if dark:
                    at = (LEFT + start + 2 * x, TOP + start + 2 * y)
                    paint.rectangle((*at, at[0] + 1, at[1] + 1), fill=0)
        beside = LEFT + size + 3
    room = RIGHT - beside + 1
    name = urlsplit(url).hostname or ""
    rows = [*dotted(name, room), *dotted(address, room)][:4] if room < ROOM else [name, address]
    for i, words in enumerate(rows):
        text(image, beside, 1 + 9 * i, fit(words, room))
    if code:
        fonts: tuple[lettering.Font, ...] = ("large", "bold", "plain")
        font = next((font for font in fonts if width(code, font) <= room), fonts[-1])
        text(image, beside, 38, "Code")
        text(image, beside, 47 if font == "large" else 49, fit(code, room, font), font)
    return image


def dotted(words: str, room: int) -> list[str]:
    """Return the name or address of a host as one line, or as two broken before a dot."""
    if width(words) <= room or "." not in words:
        return [words]
    parts = words.split(".")
    half = next((i for i in range(len(parts) - 1, 0, -1) if width(".".join(parts[:i])) <= room), 1)
    return [".".join(parts[:half]), "." + ".".join(parts[half:])]


def menu(items: Sequence[str], index: int) -> Image.Image:
    """Draw five lines of a list of choices, with the one at `index` (0 or more) dark on light."""
    image = blank()
    paint = ImageDraw.Draw(image)
    seen = 5
    font: lettering.Font = "bold" if all(width(item, "bold") <= ROOM - 14 for item in items) else "plain"
    first = min(max(0, index - seen // 2), max(0, len(items) - seen))
    for row, item in enumerate(items[first : first + seen]):
        y = TOP + 12 * row
        here = first + row == index
        if here:
            paint.rectangle((LEFT, y, RIGHT - 5, y + 11), fill=1)
        text(image, LEFT + 4, y + 2, fit(item, ROOM - 14, font), font, int(not here))
    if len(items) > seen:
        height = max(6, (BOTTOM - TOP) * seen // len(items))
        y = TOP + (BOTTOM - TOP - height) * first // (len(items) - seen)
        paint.rectangle((RIGHT - 1, y, RIGHT, y + height), fill=1)
    return image


def sleep(tick: int) -> Image.Image:
    """Draw one dot of two by two pixels on black, at another place for each `tick`."""
    image = blank()
    x, y = LEFT + tick * 47 % (ROOM - 1), TOP + tick * 29 % (BOTTOM - TOP)
    ImageDraw.Draw(image).rectangle((x, y, x + 1, y + 1), fill=1)
    return image


def bye(text_: str) -> Image.Image:
    """Draw the last picture, which the panel keeps until the power is cut."""
    image = blank()
    lines = wrap(text_, ROOM - 8, 3, "bold")
    ImageDraw.Draw(image).rectangle((LEFT, TOP, RIGHT, BOTTOM), outline=1)
    top = 32 - 6 * len(lines) + 2
    for i, words in enumerate(lines):
        centred(image, LEFT + 4, RIGHT - 4, top + 12 * i, words, "bold")
    return image
