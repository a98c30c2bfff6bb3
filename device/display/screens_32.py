"""Screens for a display with 32 lines: from a public view to a picture of 128 × 32 one-bit pixels.

The first line shows the state of the game, with those who must answer dark on light; the two below say what to do. The
letters are those of `screens_64`: 1.4 mm high on a 0.91" panel too. A QR code that a phone could read has no room, so
the address is written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from PIL import Image, ImageDraw

from device.display import content, widgets
from device.display.content import own, seated, short_names
from device.display.lettering import bold_if, centred, fit, text, whole, width, wrap
from device.display.widgets import BASES, ENTRY, LEFT, OUTS, RIGHT, ROOM, TOP, die, dots, line_name, marked
from engine.ask_views import AskView
from engine.clock import Outcome
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.views import EntryView, ProposalView, RaceView, View

SIZE = (128, 32)
BOTTOM = 30  # the last line that may be drawn on. The outermost ring stays dark, as on larger displays
SECOND, THIRD = 11, 21  # y of the letters in the second and the third line
DIE = 17  # width and height of dice to confirm, in pixels


def game(view: View) -> Image.Image:
    """Draw the game: the proposed roll, else the result, else a notice, else the race, else the score."""
    if view.proposal:
        return _roll(view, view.proposal)
    if view.table.outcome:
        return _over(view, view.table.outcome)
    if view.notice:
        image = widgets.blank(32)
        widgets.boxed(image, view.notice)
        return image
    return _race(view, view.race) if view.race else _score(view)


# Score ---------------------------------------------------------------------------------------------------------------


def _score(view: View) -> Image.Image:
    """Draw the state in the first line; below it who must answer and what, and the choice or a sentence that helps."""
    if any(ask.secret for ask in view.table.asks):
        return _secret(view)
    turn = content.Turn.of(view)
    if view.layout and view.layout.line is not None:
        return _worded(view, turn.asks, view.layout.line)
    if not turn.entry and (not turn.again or view.missing):
        say = content.brief if turn.waiting else content.advice
        return _worded(view, turn.asks, say(view, turn.asks))
    image, board = widgets.blank(32), view.table.scoreboard
    two = turn.entry is not None and width(turn.entry.label) > ENTRY
    _state(image, board, content.awaited(board, turn.asks), flat=two)
    if not two:
        _second(image, view, turn.asks)
    if turn.entry:
        _choice(image, turn.entry, two)
    elif turn.again:
        widgets.lying(image, turn.again, THIRD - 1, 9, 1)
    return image


def _worded(view: View, asks: Sequence[AskView], words: str) -> Image.Image:
    """Draw a sentence below the state: in one line under who must do what, or in two lines.

    A sentence too long for that takes all three lines, after the name of the side that must answer.
    """
    image, board = widgets.blank(32), view.table.scoreboard
    if width(words) <= ROOM:
        _state(image, board, content.awaited(board, asks), flat=False)
        _second(image, view, asks)
        text(image, LEFT, THIRD, words, bold_if(ROOM, words))
        return image
    asked = content.named(asks, board)
    if asked and (own(board).first_line or not whole(words, ROOM, 2)):
        words = f"{asked}: {words}"
    if whole(words, ROOM, 2):
        _state(image, board, content.awaited(board, asks), flat=True)
    _rows(image, words)
    return image


def _rows(image: Image.Image, words: str) -> None:
    """Draw a sentence in the two lower lines if they hold it, else in all three."""
    rows: tuple[int, ...] = (SECOND, THIRD) if whole(words, ROOM, 2) else (2, SECOND, THIRD)
    for y, part in zip(rows, wrap(words, ROOM, len(rows)), strict=False):
        text(image, LEFT, y, part)


def _two(image: Image.Image, words: str, x: int = LEFT, top: int = SECOND, pitch: int = 10) -> None:
    """Draw a sentence in two lines from (x, top) on, cut if it is longer."""
    for i, part in enumerate(wrap(words, RIGHT - x + 1, 2)):
        text(image, x, top + pitch * i, part)


def _state(image: Image.Image, board: Scoreboard, lit: Collection[Seat], flat: bool) -> None:
    """Draw the state of the game, with the sides in `lit` marked; in the first line alone if `flat`."""
    game_ = own(board)
    if not (game_.first_line and game_.first_line(image, board)) and (flat or not game_.two_lines):
        _teams(image, board, lit)


def _teams(image: Image.Image, board: Scoreboard, lit: Collection[Seat]) -> None:
    """Draw both teams and their runs, the stake or the count, inning, outs and bases."""
    widgets.line_bases(image, board)
    x = RIGHT - BASES - OUTS - 1
    dots(image, x, TOP + 3, board.outs, size=3)
    x = widgets.line_inning(image, x - 2, board) - 3
    runs = {seat: content.number(board.sides[seat].runs, 3) for seat in SEATS}
    least = sum(width(one) + 18 for one in runs.values())
    for extra in own(board).extras(board) or content.figures(board):
        if x - width(extra) - 3 - LEFT >= least:
            x -= width(extra) + 3
            text(image, x, TOP + 1, extra)
    room = (x - LEFT - sum(width(one) + 7 for one in runs.values())) // 2
    words = content.scores(board.sides, runs, room)
    while LEFT + sum(width(one) + 2 for one in words.values()) + 2 > x and room > 0:
        room -= 1
        words = content.scores(board.sides, runs, room)
    at = LEFT
    for seat, one in words.items():
        at = line_name(image, at, one, seat in lit) + 2


def _second(image: Image.Image, view: View, asks: Sequence[AskView]) -> None:
    """Draw who must do what, with the last dice or their result at the right end, and a mark if a part is missing."""
    board, left, right = view.table.scoreboard, LEFT, RIGHT
    if two_lines := own(board).two_lines:
        left = two_lines(image, board, content.awaited(board, asks))
    if called := own(board).result(board):
        right -= width(called, "bold") + 5
        ImageDraw.Draw(image).rectangle((right + 2, SECOND - 1, RIGHT, SECOND + 7), fill=1)
        centred(image, right + 3, RIGHT, SECOND, called, "bold", ink=0)
    else:
        right = widgets.small_dice(image, content.recent(board, asks), SECOND - 1, 9)
    if view.missing:
        ImageDraw.Draw(image).rectangle((right - 6, SECOND - 1, right, SECOND + 7), fill=1)
        centred(image, right - 6, right, SECOND, "!", "bold", ink=0)
        right -= 9
    names = seated(board, short_names(board.sides, 43))
    words = content.who(asks, names, board, right - left if left == LEFT else ROOM)
    if width(words) <= right - left:
        text(image, left, SECOND, words)


def _choice(image: Image.Image, entry: EntryView, two: bool = False) -> None:
    """Draw the choice in the third line, or in the second and the third if `two`."""
    top, middle, rows = (10, 19, (11, 20)) if two else (20, 24, (THIRD,))
    widgets.choice(image, entry, top, middle, rows, bar=29)


def _secret(view: View) -> Image.Image:
    """Draw who is choosing in secret, who is ready and who waits, and nothing else."""
    image, board = widgets.blank(32), view.table.scoreboard
    how, doing = content.secret(view.table, view.dial)
    if how:
        _two(image, f"In secret: {how}")
    else:
        _state(image, board, (), flat=True)
    short = short_names(board.sides, 60)
    names = short | seated(board, short)
    for (seat, words), y in zip(doing, (1,) if how else (10, 20), strict=True):
        widgets.seat_line(image, y, 10, names[seat], words)
    return image


# A roll to confirm, a race, and the end ------------------------------------------------------------------------------


def _roll(view: View, seen: ProposalView) -> Image.Image:
    """Draw the dice just seen with the time left to stop them, or with what to do about them.

    Without room for both, what to do stands alone: the choice below it names the dice. A die that was not seen is drawn
    as `?`.
    """
    image, roll = widgets.blank(32), content.RollContent.of(view, seen, 43)
    faces, counting, words = roll.faces, roll.left is not None, roll.named or roll.advice or roll.title
    many = len(faces) > 6
    size, gap = (9, 1) if many else (min(DIE, 66 // max(1, len(faces)) - 2), 2)
    beside = LEFT if many else LEFT + len(faces) * (size + 2) + (2 if faces else 0)
    if many and counting:
        words = ""
    elif many or (roll.entry and not whole(words, RIGHT - beside + 1, 2)):
        faces, beside = [], LEFT
    for i, face in enumerate(faces):
        marked(image, LEFT + i * (size + gap), 1 + (DIE - size) // 2, size, face, i in (seen.again or ()))
    _two(image, words, beside, 1 if len(wrap(words, RIGHT - beside + 1, 2)) > 1 else 5, 9)
    if roll.left is not None:
        ImageDraw.Draw(image).line((LEFT, 19, RIGHT, 19), fill=1)
        ImageDraw.Draw(image).rectangle((LEFT, 19, LEFT + round((ROOM - 1) * roll.left), 21), fill=1)
    if roll.entry:
        _choice(image, roll.entry)
    else:
        centred(image, LEFT, RIGHT, 23, roll.buttons)
    return image


def _race(view: View, run: RaceView) -> Image.Image:
    """Draw both dice and the faces that win; below, how each side stands, or the call to confirm."""
    image, runners = widgets.blank(32), content.runners(view, run)
    if run.confirm and view.dial:
        _two(image, content.question(runners[run.confirm.seat]), top=1, pitch=9)
        _choice(image, view.dial)
        return image
    for seat, left, right in zip(SEATS, (LEFT, 65), (62, RIGHT), strict=True):
        one = runners[seat]
        die(image, left, 1, DIE, one.face)
        text(image, left + 19, 1, one.name)
        text(image, left + 19, 10, fit(one.wins, 43))
        ImageDraw.Draw(image).rectangle((left, 20, right, BOTTOM), outline=1, fill=int(one.lit))
        words = "roll again" if one.state == "void" else one.state
        centred(image, left + 2, right - 2, 22, words, bold_if(57, words), int(not one.lit))
    return image


def _over(view: View, outcome: Outcome) -> Image.Image:
    """Draw the end: the runs of both teams with the winner marked, or the marks of a season; and how the game ended."""
    image, board = widgets.blank(32), view.table.scoreboard
    words, won = content.ending(view, outcome)
    names, at = content.stubs(board.sides, 40), LEFT
    for seat in () if own(board).final_line(image, board) else SEATS:
        at = line_name(image, at, f"{names[seat]} {content.number(board.sides[seat].runs, 3)}", won[seat]) + 2
    _two(image, words)
    return image


# The other screens ---------------------------------------------------------------------------------------------------


def message(title: str, words: str) -> Image.Image:
    """Draw a title and two lines of text, or three lines without the title if the text needs them."""
    image = widgets.blank(32)
    if whole(words, ROOM, 2):
        widgets.titled(image, title, 9)
    _rows(image, words)
    return image


def join(url: str, address: str, code: str) -> Image.Image:
    """Draw how a phone joins: the name in `url`, the IP address, and the operator's code."""
    image = widgets.blank(32)
    for y, words in ((2, urlsplit(url).netloc), (SECOND, address)):
        text(image, LEFT, y, fit(words, ROOM))
    if code:
        after = text(image, LEFT, THIRD, "Code") + 3
        text(image, after, THIRD, fit(code, RIGHT - after, "bold"), "bold")
    return image


def menu(items: Sequence[str], index: int) -> Image.Image:
    """Draw three lines of a list of choices, with the one at `index` (0 or more) dark on light."""
    return widgets.menu(widgets.blank(32), items, index, 10)


def sleep(tick: int) -> Image.Image:
    """Draw one dot on black, at another place for each `tick`."""
    return widgets.sleep(widgets.blank(32), tick, 13)


def bye(words: str) -> Image.Image:
    """Draw the last picture, which the panel keeps until the power is cut."""
    return widgets.bye(widgets.blank(32), words, 2)
