"""Screens for a display with 32 lines: from a public view to a picture of 128 × 32 one-bit pixels.

The first line shows the state of the game, with those who must answer dark on light; the two below say what to do. The
letters are those of `screens_64`: 1.4 mm high on a 0.91" panel too. A QR code that a phone could read has no room, so
the address is written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from PIL import Image, ImageDraw

from device.display import lettering, status_line
from device.display.content import (
    advice,
    awaited,
    brief,
    figures,
    named,
    named_dice,
    secret_word,
    seen_faces,
    unseen,
    who,
)
from device.display.lettering import centred, fit, text, whole, width, wrap
from device.display.race import question, state_word, winning
from device.display.widgets import (
    LEFT,
    RIGHT,
    ROOM,
    THROWS,
    breadth,
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
from engine.ask_views import AskView, RerollView
from engine.clock import Outcome
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.views import EntryView, ProposalView, RaceView, TableView, View

SIZE = (128, 32)
BOTTOM = 30
"""The last line that may be drawn on. The outermost ring stays dark, as on larger displays."""

SECOND, THIRD = 11, 21
"""Y of the letters in the second and the third line."""

DIE = 17
"""Width and height of dice to confirm, in pixels."""


def blank() -> Image.Image:
    """Return a dark screen."""
    return Image.new("1", SIZE)


def game(view: View) -> Image.Image:
    """Draw the game: the proposed roll, else the result, else a notice, else the race, else the score."""
    if view.proposal:
        return proposal(view, view.proposal)
    if view.table.outcome:
        return over(view, view.table.outcome)
    if view.notice:
        return boxed(view.notice)
    if view.race:
        return race(view, view.race)
    return score(view)


# Score ---------------------------------------------------------------------------------------------------------------


def score(view: View) -> Image.Image:
    """Draw the state in the first line; below it who must answer and what, and the choice or a sentence that helps."""
    table, dial = view.table, view.dial
    asks = table.asks
    if any(ask.secret for ask in asks):
        return secretly(table, asks, dial)
    asks = [ask for ask in asks if dial and ask.n == dial.n] or asks
    rolling = bool(asks) and asks[0].kind in THROWS
    if view.layout and view.layout.line is not None:
        return worded(view, asks, view.layout.line)
    if dial and not (rolling and not dial.touched):
        image, label = blank(), dial.label
        two = width(label) > 104
        state(image, table.scoreboard, awaited(table.scoreboard, asks), flat=two)
        if not two:
            second(image, view, asks)
        choice(image, dial, two)
        return image
    if asks and isinstance(asks[0], RerollView) and not view.missing:
        image = blank()
        state(image, table.scoreboard, awaited(table.scoreboard, asks), flat=False)
        second(image, view, asks)
        lying(image, asks[0], THIRD - 1, 9, 1)
        return image
    return worded(view, asks, brief(view, asks) if rolling else advice(view, asks))


def worded(view: View, asks: Sequence[AskView], words: str) -> Image.Image:
    """Draw a sentence below the state: in one line under who must do what, or in two lines.

    A sentence too long for that takes all three lines, after the name of the side that must answer.
    """
    image, board = blank(), view.table.scoreboard
    if width(words) <= ROOM:
        state(image, board, awaited(board, asks), flat=False)
        second(image, view, asks)
        text(image, LEFT, THIRD, words, "bold" if width(words, "bold") <= ROOM else "plain")
        return image
    asked = named(asks, board)
    if asked and (own(board).first_line or not whole(words, ROOM, 2)):
        words = f"{asked}: {words}"
    rows: tuple[int, ...] = (2, SECOND, THIRD)
    if whole(words, ROOM, 2):
        state(image, board, awaited(board, asks), flat=True)
        rows = rows[1:]
    for y, part in zip(rows, wrap(words, ROOM, len(rows)), strict=False):
        text(image, LEFT, y, part)
    return image


def state(image: Image.Image, board: Scoreboard, lit: Collection[Seat], flat: bool) -> None:
    """Draw the state of the game, with the sides in `lit` marked; in the first line alone if `flat`."""
    game_ = own(board)
    if (game_.first_line and game_.first_line(image, board)) or (game_.two_lines and not flat):
        return
    teams(image, board, lit)


def teams(image: Image.Image, board: Scoreboard, lit: Collection[Seat]) -> None:
    """Draw both teams and their runs, the stake or the count, inning, outs and bases."""
    status_line.bases(image, RIGHT + 1 - status_line.BASES, board.bases)
    x = RIGHT - status_line.BASES - status_line.OUTS - 1
    status_line.outs(image, x, board.outs)
    x = status_line.turn(image, x - 2, board.marker, board.half) - 3
    sides = board.sides
    runs = {seat: number(sides[seat].runs, 3) for seat in SEATS}
    least = sum(width(one) + 18 for one in runs.values())
    for extra in extras(board):
        if x - width(extra) - 3 - LEFT >= least:
            x -= width(extra) + 3
            text(image, x, status_line.TOP + 1, extra)
    room = (x - LEFT - sum(width(one) + 7 for one in runs.values())) // 2
    at, words = LEFT, status_line.scores(sides, runs, room)
    while LEFT + sum(width(one) + 2 for one in words.values()) + 2 > x and room > 0:
        room -= 1
        words = status_line.scores(sides, runs, room)
    for seat, one in words.items():
        at = status_line.name(image, at, one, seat in lit) + 2


def extras(board: Scoreboard) -> Sequence[str]:
    """Return stake, count and fatigue if the game has them, or what the game has in their place."""
    if more := own(board).extras(board):
        return more
    return figures(board)


def second(image: Image.Image, view: View, asks: Sequence[AskView]) -> None:
    """Draw who must do what, with the last dice or their result at the right end, and a mark if a part is missing."""
    board = view.table.scoreboard
    left, right = LEFT, RIGHT
    if two_lines := own(board).two_lines:
        left = two_lines(image, board, awaited(board, asks))
    if called := own(board).result(board):
        right -= width(called, "bold") + 5
        ImageDraw.Draw(image).rectangle((right + 2, SECOND - 1, RIGHT, SECOND + 7), fill=1)
        centred(image, right + 3, RIGHT, SECOND, called, "bold", ink=0)
    else:
        for face in reversed(recent(board, asks)):
            wide = breadth(face, 9)
            right -= wide + 2
            die(image, right + 3, SECOND - 1, 9, face, wide)
    if view.missing:
        ImageDraw.Draw(image).rectangle((right - 6, SECOND - 1, right, SECOND + 7), fill=1)
        centred(image, right - 6, right, SECOND, "!", "bold", ink=0)
        right -= 9
    words = who(asks, seated(board, short_names(board.sides, 43)), board, right - left if left == LEFT else ROOM)
    if width(words) <= right - left:
        text(image, left, SECOND, words)


def choice(image: Image.Image, dial: EntryView, two: bool = False) -> None:
    """Draw the choice as `widgets.choice` does, in the third line, or if `two`, in the second and the third."""
    paint = ImageDraw.Draw(image)
    label, count = dial.label, dial.count or 1
    paint.rectangle((LEFT, 10 if two else 20, RIGHT, BOTTOM), fill=1)
    if count > 1:
        middle = 19 if two else 24
        for x, step in ((4, 1), (123, -1)):
            for i in range(5):
                paint.line((x + step * i, middle - i, x + step * i, middle + i), fill=0)
        at = LEFT + (ROOM - 8) * (dial.index or 0) // count
        paint.line((at + 2, 29, at + 2 + max(4, (ROOM - 8) // count), 29), fill=0)
    if two:
        for y, part in zip((11, 20), wrap(label, 104, 2), strict=False):
            centred(image, 12, 115, y, part, ink=0)
        return
    centred(image, 12, 115, THIRD, label, "bold" if width(label, "bold") <= 104 else "plain", ink=0)


def secretly(table: TableView, asks: Sequence[AskView], dial: EntryView | None) -> Image.Image:
    """Draw who is choosing in secret, who is ready and who waits, and nothing else.

    If only one side is asked and enters its secret unseen, how to enter it replaces the other side.
    """
    image, board, ready = blank(), table.scoreboard, table.ready
    short = short_names(board.sides, 60)
    names = short | seated(board, short)
    asked, rows = {ask.seat for ask in asks}, [*zip(SEATS, (10, 20), strict=True)]
    how = unseen(asks, ready, dial)
    if how:
        rows = [(seat, 1) for seat in asked]
        for y, part in zip((SECOND, THIRD), wrap(f"In secret: {how}", ROOM, 2), strict=False):
            text(image, LEFT, y, part)
    else:
        state(image, board, (), flat=True)
    for seat, y in rows:
        words = secret_word(seat, asks, ready, dial)
        lit = words == "ready"
        if lit:
            ImageDraw.Draw(image).rectangle((LEFT, y, RIGHT, y + 9), fill=1)
        name = fit(names[seat], ROOM - 8 - width(words))
        text(image, 4, y + 1, name, "bold" if width(name, "bold") <= 60 else "plain", int(not lit))
        text(image, RIGHT - 2 - width(words), y + 1, words, ink=int(not lit))
    return image


def boxed(words: str) -> Image.Image:
    """Draw an urgent sentence, dark on light, in up to three lines."""
    image, lines = blank(), wrap(words, ROOM - 6, 3)
    ImageDraw.Draw(image).rectangle((LEFT, status_line.TOP, RIGHT, BOTTOM), fill=1)
    top = 16 - (9 * len(lines) - 1) // 2
    for i, part in enumerate(lines):
        centred(image, LEFT + 3, RIGHT - 3, top + 9 * i, part, ink=0)
    return image


# A roll to confirm, a race, and the end ------------------------------------------------------------------------------


def proposal(view: View, seen: ProposalView) -> Image.Image:
    """Draw the dice just seen with the time left to stop them, or with what to do about them.

    Without room for both, what to do stands alone: the choice below it names the dice. A die that was not seen is drawn
    as `?`.
    """
    image, dial = blank(), view.dial
    faces = seen_faces(view, seen)
    seconds = seen.seconds if seen.sure else None
    counting = seconds is not None
    known = bool(faces) and None not in faces
    entry = dial if dial and not counting and dial.n == seen.n else None
    many = len(faces) > 6
    size = 9 if many else min(DIE, 66 // max(1, len(faces)) - 2)
    beside = LEFT if many else LEFT + len(faces) * (size + 2) + (2 if faces else 0)
    words = rolled(view, seen) if counting else "Is this right?" if known else "Not read"
    if not counting and not seen.sure:
        words = seen.advice or words
    if many and counting:
        words = ""
    elif many or (entry and not whole(words, RIGHT - beside + 1, 2)):
        faces, beside = [], LEFT
    for i, face in enumerate(faces):
        x = LEFT + i * (size + (1 if many else 2))
        marked(image, x, 1 + (DIE - size) // 2, size, face, i in (seen.again or ()))
    lines = wrap(words, RIGHT - beside + 1, 2)
    for y, part in zip((1, 10) if len(lines) > 1 else (5,), lines, strict=False):
        text(image, beside, y, part)
    if seconds is not None:
        part_ = min(1.0, max(0.0, seconds / seen.total)) if seen.total > 0 else 0.0
        ImageDraw.Draw(image).line((LEFT, 19, RIGHT, 19), fill=1)
        ImageDraw.Draw(image).rectangle((LEFT, 19, LEFT + round((ROOM - 1) * part_), 21), fill=1)
        centred(image, LEFT, RIGHT, 23, "OK now  < > change")
    elif entry:
        choice(image, entry)
    else:
        centred(image, LEFT, RIGHT, 23, "OK yes  < > change" if known else "< > enter the dice")
    return image


def rolled(view: View, seen: ProposalView) -> str:
    """Return which die shows what if a roll has several colors, else who rolled."""
    if named := named_dice(seen):
        return named
    board = view.table.scoreboard
    return f"{seated(board, short_names(board.sides, 43)).get(seen.seat, '')} rolled"


def race(view: View, run: RaceView) -> Image.Image:
    """Draw both dice and the faces that win; below, how each side stands, or the call to confirm."""
    image, dial = blank(), view.dial
    names = short_names(view.table.scoreboard.sides, 43)
    confirm = run.confirm
    if confirm and dial:
        for y, part in zip((1, 10), wrap(question(names[confirm.seat]), ROOM, 2), strict=False):
            text(image, LEFT, y, part)
        choice(image, dial)
        return image
    for seat, left, right in zip(SEATS, (LEFT, 65), (62, RIGHT), strict=True):
        one = run.seats[seat]
        die(image, left, 1, DIE, one.face)
        text(image, left + 19, 1, names[seat])
        text(image, left + 19, 10, fit(winning(one.wins), 43))
        words, lit = state_word(one.state)
        ImageDraw.Draw(image).rectangle((left, 20, right, BOTTOM), outline=1, fill=int(lit))
        words = "roll again" if one.state == "void" else words
        centred(image, left + 2, right - 2, 22, words, "bold" if width(words, "bold") <= 57 else "plain", int(not lit))
    return image


def over(view: View, outcome: Outcome) -> Image.Image:
    """Draw the end: the runs of both teams with the winner marked, or the marks of a season; and how the game ended."""
    image, board = blank(), view.table.scoreboard
    sides = board.sides
    names, at = status_line.stubs(sides, 40), LEFT
    for seat in () if own(board).final_line(image, board) else SEATS:
        words = f"{names[seat]} {number(sides[seat].runs, 3)}"
        at = status_line.name(image, at, words, played(board, outcome.winner) == seat) + 2
    words = view.notice or outcome.sentence
    for y, part in zip((SECOND, THIRD), wrap(words, ROOM, 2), strict=False):
        text(image, LEFT, y, part)
    return image


# The other screens ---------------------------------------------------------------------------------------------------


def message(title: str, text_: str) -> Image.Image:
    """Draw a title and two lines of text, or three lines without the title if the text needs them."""
    image = blank()
    rows: tuple[int, ...] = (2, SECOND, THIRD)
    if whole(text_, ROOM, 2):
        ImageDraw.Draw(image).rectangle((LEFT, status_line.TOP, RIGHT, status_line.TOP + 8), fill=1)
        font: lettering.Font = "bold" if width(title, "bold") <= ROOM - 4 else "plain"
        centred(image, LEFT + 2, RIGHT - 2, status_line.TOP + 1, title, font, ink=0)
        rows = rows[1:]
    for y, part in zip(rows, wrap(text_, ROOM, len(rows)), strict=False):
        text(image, LEFT, y, part)
    return image


def join(url: str, address: str, code: str) -> Image.Image:
    """Draw how a phone joins: the name in `url`, the IP address, and the operator's code."""
    image = blank()
    for y, words in ((2, urlsplit(url).netloc), (SECOND, address)):
        text(image, LEFT, y, fit(words, ROOM))
    if code:
        after = text(image, LEFT, THIRD, "Code") + 3
        text(image, after, THIRD, fit(code, RIGHT - after, "bold"), "bold")
    return image


def menu(items: Sequence[str], index: int) -> Image.Image:
    """Draw three lines of a list of choices, with the one at `index` (0 or more) dark on light."""
    image, seen = blank(), 3
    paint = ImageDraw.Draw(image)
    font: lettering.Font = "bold" if all(width(item, "bold") <= ROOM - 14 for item in items) else "plain"
    first = min(max(0, index - seen // 2), max(0, len(items) - seen))
    for row, item in enumerate(items[first : first + seen]):
        y = 1 + 10 * row
        here = first + row == index
        if here:
            paint.rectangle((LEFT, y, RIGHT - 5, y + 9), fill=1)
        text(image, LEFT + 4, y + 1, fit(item, ROOM - 14, font), font, int(not here))
    if len(items) > seen:
        height = max(6, (BOTTOM - 1) * seen // len(items))
        y = 1 + (BOTTOM - 1 - height) * first // (len(items) - seen)
        paint.rectangle((RIGHT - 1, y, RIGHT, y + height), fill=1)
    return image


def sleep(tick: int) -> Image.Image:
    """Draw one dot of two by two pixels on black, at another place for each `tick`."""
    image = blank()
    x, y = LEFT + tick * 47 % (ROOM - 1), 1 + tick * 13 % (BOTTOM - 1)
    ImageDraw.Draw(image).rectangle((x, y, x + 1, y + 1), fill=1)
    return image


def bye(text_: str) -> Image.Image:
    """Draw the last picture, which the panel keeps until the power is cut."""
    image = blank()
    lines = wrap(text_, ROOM - 8, 2, "bold")
    ImageDraw.Draw(image).rectangle((LEFT, 1, RIGHT, BOTTOM), outline=1)
    top = 17 - 6 * len(lines)
    for i, words in enumerate(lines):
        centred(image, LEFT + 4, RIGHT - 4, top + 12 * i, words, "bold")
    return image
