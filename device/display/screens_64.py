"""Screens for a display with 64 lines: from a public view to a picture of 128 × 64 one-bit pixels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import segno
from PIL import Image, ImageDraw

from device.display import content, lettering, screens_32, widgets
from device.display.content import own, short_names
from device.display.lettering import bold_if, centred, fit, number, text, width
from device.display.pages import Pages, split
from device.display.widgets import ENTRY, LEFT, RIGHT, ROOM, TOP, boxed, diamond, die, dots, marked
from engine.clock import Outcome
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.views import EntryView, ProposalView, RaceView, View

SIZE = (128, 64)
UPPER = 4  # lines of text in the upper half
LOWER = 35  # y of what stands below the line in the middle


def game(view: View, pages: Pages | None = None) -> Image.Image:
    """Draw the game: the proposed roll, else the result, else the race, else the score and who must do what.

    Warnings take the lower half, whatever is shown. `pages` has the times for what takes turns; None: the first page of
    everything.
    """
    pages = pages or Pages()
    if view.proposal and view.warnings:
        return _warned(view, pages, screens_32.roll(view, view.proposal, pages))
    if view.proposal:
        return _roll(view, view.proposal, pages)
    if view.table.outcome:
        return _over(view, view.table.outcome, pages)
    return _race(view, view.race, pages) if view.race else _score(view, pages)


# Score ---------------------------------------------------------------------------------------------------------------


def _score(view: View, pages: Pages) -> Image.Image:
    """Draw runs, inning, outs, bases, stake, count and fatigue; below them who must answer, and what.

    The upper half is first what has just happened, then the score and the whole question in turn.
    """
    image, board, turn = widgets.blank(64), view.table.scoreboard, content.Turn.of(view)
    room = 67 - max(width(number(side.runs, 3), "large") for side in board.sides.values())
    names, short = short_names(board.sides, room), short_names(board.sides, 60)
    seats = short | content.seated(board, short)
    said = pages.result(ROOM, UPPER)
    named = all(one.named for one in content.headings(turn, seats, ROOM, 2))
    how = content.presses(view.dial)
    spoken = [*([how] if how and how != _secretly(view, turn, seats) else []), *content.spoken(view, turn, named)]
    if said := said or pages.of([[], *(page for one in spoken for page in split(one, ROOM, UPPER))]):
        _words(image, said)
    elif not own(board).upper_half(image, board):
        _teams(image, board, names, room, content.awaited(board, view.table.asks))
    _below(image, view, turn, seats, pages)
    return image


def _words(image: Image.Image, said: Sequence[str]) -> None:
    """Draw up to four lines of text in the upper half."""
    top, pitch = (1, 8) if len(said) == UPPER else (17 - 5 * len(said), 10)
    for i, part in enumerate(said):
        text(image, LEFT, top + pitch * i, part)
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)


def _teams(image: Image.Image, board: Scoreboard, names: Mapping[Seat, str], room: int, lit: Collection[Seat]) -> None:
    """Draw each team's line, with a bar if it bats, its name and its runs; then outs, bases and inning.

    The names of the sides in `lit`, which must answer, are dark on light.
    """
    for seat, y in zip(SEATS, (1, 17), strict=True):
        if board.batting == seat:
            ImageDraw.Draw(image).rectangle((LEFT, y, LEFT + 2, y + 13), fill=1)
        runs = number(board.sides[seat].runs, 3)
        font = bold_if(room - 3, *names.values())
        if seat in lit and names[seat]:
            ImageDraw.Draw(image).rectangle((5, y + 3, 6 + width(names[seat], font), y + 12), fill=1)
        text(image, 6, y + 4, names[seat], font, int(seat not in lit))
        text(image, 75 - width(runs, "large"), y, runs, "large")
    if not own(board).beside_bases(image, board):
        dots(image, 79, 2, board.outs)
        _figures(image, content.figures(board))
    diamond(image, board)
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)


def _figures(image: Image.Image, rows: Sequence[str]) -> None:
    if len(rows) == 1 and width(rows[0], "large") <= 24:
        centred(image, 78, 101, 13, rows[0], "large")
        return
    top, pitch = (9, 8) if len(rows) == 3 else (12, 11)
    for i, row in enumerate(rows):
        centred(image, 77, 101, top + pitch * i, row, "bold")


def _below(image: Image.Image, view: View, turn: content.Turn, names: Mapping[Seat, str], pages: Pages) -> None:
    """Draw who must answer and what, the last dice, and in the lowest lines the choice or a sentence that helps."""
    if view.notice:
        boxed(image, view, pages, LOWER)
        return
    secretly = _secretly(view, turn, names)
    if any(ask.secret for ask in view.table.asks) and not secretly:
        for one, y in zip(content.waiters(view.table, view.dial), (35, 50), strict=True):
            tags = [names[one.seat], *content.initials(names, names[one.seat])]
            name, font, parts = widgets.seat_parts(tags, one.words)
            widgets.seat_line(image, y, 12, name, font, pages.of(parts), one.ready)
        return
    line = view.layout.line if view.layout and view.layout.line else ""
    label = turn.entry.label if turn.entry and not line and not secretly else ""
    helps = "" if label or turn.again else line or secretly or content.advice(view, turn)
    if width(helps) > ROOM and not line and not all(one.whole for one in content.headings(turn, names, ROOM)):
        helps = content.advice(view, turn, with_aim=False)
    tall = turn.again or width(label) > ENTRY or width(helps) > ROOM
    left = _last(image, view, turn, names)
    heading = pages.of(content.headings(turn, names, left - LEFT, 1 if tall else 2))
    two = len(heading.lines) > 1
    widgets.headed(image, heading.tag, heading.lines, LEFT, 36)
    if turn.again and not line:
        widgets.lying(image, turn.again, 48, 12, 2)
    elif label and turn.entry:
        _choice(image, turn.entry, pages, low=two)
    elif helps:
        _help(image, helps, pages, low=two)


def _secretly(view: View, turn: content.Turn, names: Mapping[Seat, str]) -> str:
    """Return what the buttons do if one seat alone chooses in secret, in few words below a long title; else ""."""
    entry = content.alone(view)
    if entry and entry.brief and not all(one.whole for one in content.headings(turn, names, ROOM)):
        return entry.brief
    return content.presses(entry)


def _choice(image: Image.Image, entry: EntryView, pages: Pages, low: bool = False) -> None:
    """Draw the choice: in two lines if it needs them, else in one, below a title of two lines if `low`."""
    if low:
        widgets.choice(image, entry, pages, 53, 57, (54,))
    elif width(entry.label) > ENTRY:
        widgets.choice(image, entry, pages, 45, 54, (46, 54))
    else:
        widgets.choice(image, entry, pages, 50, 56, (51,), bar=61)


def _last(image: Image.Image, view: View, turn: content.Turn, names: Mapping[Seat, str]) -> int:
    """Draw at the right end of the line what the title leaves room for: a mark if a part is missing, the last dice or
    their result. Return the last free x left of them.
    """
    board, right = view.table.scoreboard, RIGHT
    called = own(board).result(board)
    dice = content.recent(board, turn.asks)
    wide = width(called, "bold") + 5 if called else sum(widgets.breadth(face, 11) + 2 for face in dice)
    mark = 11 if view.missing and (turn.again or not turn.waiting) else 0
    if mark:
        ImageDraw.Draw(image).rectangle((right - 8, 35, right, 45), fill=1)
        centred(image, right - 8, right, 37, "!", "bold", ink=0)
        right -= mark
    plain, beside = (content.headings(turn, names, right - taken - LEFT) for taken in (0, wide))
    if not all(one.whole for one in beside) or [one.named for one in plain] != [one.named for one in beside]:
        return right
    if called:
        ImageDraw.Draw(image).rectangle((right + 2 - wide, 35, right, 45), fill=1)
        centred(image, right + 2 - wide, right, 37, called, "bold", ink=0)
        return right - wide
    return widgets.small_dice(image, dice, 35, 11, right)


def _help(image: Image.Image, words: str, pages: Pages, low: bool = False) -> None:
    """Draw a sentence in two lines, or in one of bold letters if it fits, below a title of two lines if `low`."""
    if low or width(words, "bold") <= ROOM:
        text(image, LEFT, 54 if low else 52, words, bold_if(ROOM, words))
        return
    for i, part in enumerate(pages.text(words, ROOM, 2)):
        text(image, LEFT, 46 + 9 * i, part)


# A roll to confirm, a race, and the end ------------------------------------------------------------------------------


def _roll(view: View, seen: ProposalView, pages: Pages) -> Image.Image:
    """Draw the dice just seen, large: a sure roll with the time left to stop it, or a doubtful one with what to do.

    A die that was not seen is drawn as `?`. Dice of several colors are named if there is room.
    """
    image, roll = widgets.blank(64), content.RollContent.of(view, seen, 60)
    if roll.named and width(seen.words) <= ROOM:
        text(image, LEFT, 1, roll.named)
    else:
        text(image, LEFT, 1, fit(roll.title, ROOM, "bold"), "bold")
    beside = _large_dice(image, roll.faces, 72 if roll.advice else ROOM, not roll.advice, seen.again or ())
    for i, part in enumerate(pages.text(roll.advice, RIGHT - beside + 1, 4)):
        text(image, beside, 12 + 9 * i, part)
    if roll.left is not None:
        ImageDraw.Draw(image).rectangle((LEFT, 43, RIGHT, 48), outline=1)
        ImageDraw.Draw(image).rectangle((LEFT, 43, LEFT + round((ROOM - 1) * roll.left), 48), fill=1)
    if roll.entry:
        widgets.choice(image, roll.entry, pages, 50, 56, (51,), bar=61)
    else:
        centred(image, LEFT, RIGHT, 53, roll.buttons)
    return image


def _large_dice(image: Image.Image, faces: Sequence[Any], room: int, centre: bool, again: Collection[int]) -> int:
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


def _race(view: View, run: RaceView, pages: Pages) -> Image.Image:
    """Draw dice and winning faces above; below, how each side stands, a notice, or the call to confirm.

    Until a die lies, the upper half is first what has just happened, then in turn what the sides have to do.
    """
    image, runners = widgets.blank(64), content.runners(view, run)
    spoken = [page for one in content.before_a_die_lies(view, run) for page in split(one, ROOM, UPPER)]
    if said := (pages.result(ROOM, UPPER) or pages.of([[], *spoken])) if spoken else []:
        _words(image, said)
    else:
        _racing(image, runners)
    if view.notice:
        boxed(image, view, pages, LOWER)
    elif run.confirm:
        for i, words in enumerate(pages.text(content.question(runners[run.confirm.seat]), ROOM, 2)):
            text(image, LEFT, 34 + 8 * i, words)
        if view.dial:
            widgets.choice(image, view.dial, pages, 50, 56, (51,), bar=61)
    else:
        for seat, left, right in zip(SEATS, (LEFT, 65), (62, RIGHT), strict=True):
            _runner(image, left, right, runners[seat])
    return image


def _racing(image: Image.Image, runners: Mapping[Seat, content.Runner]) -> None:
    """Draw both dice of a race and the faces that win, in the upper half."""
    text(image, LEFT, 1, "RACE!", "bold")
    wins = {one.wins for one in runners.values()}
    first = fit(f"first to {wins.pop() if len(wins) == 1 else 'win'}", 85)
    text(image, RIGHT + 1 - width(first), 1, first)
    for seat, left in zip(SEATS, (LEFT, 65), strict=True):
        die(image, left, 13, 17, runners[seat].face)
        text(image, left + 19, 13, runners[seat].name)
        text(image, left + 19, 23, fit(runners[seat].wins, 43))
    ImageDraw.Draw(image).line((LEFT, 33, RIGHT, 33), fill=1)


def _runner(image: Image.Image, left: int, right: int, one: content.Runner) -> None:
    """Draw how a side stands, in large letters; dark on light if it has called or may call."""
    ImageDraw.Draw(image).rectangle((left, 36, right, 61), outline=1, fill=int(one.lit))
    if one.then:
        centred(image, left + 2, right - 2, 39, one.state, "bold")
        centred(image, left + 2, right - 2, 50, one.then)
    elif width(one.state, "large") <= right - left - 3:
        centred(image, left + 2, right - 2, 41, one.state, "large", ink=int(not one.lit))
    else:
        centred(image, left + 2, right - 2, 45, one.state, "bold", ink=int(not one.lit))


def _over(view: View, outcome: Outcome, pages: Pages) -> Image.Image:
    """Draw the end: the runs of both teams with the winner marked, or the marks of a season; below, the last play, then
    how the game ended.
    """
    image, board = widgets.blank(64), view.table.scoreboard
    words, won = content.ending(view, outcome)
    season = own(board).final(image, board)
    names = short_names(board.sides, 78)
    for seat, y in () if season else zip(SEATS, (2, 20), strict=True):
        runs = number(board.sides[seat].runs, 3)
        if won[seat]:
            ImageDraw.Draw(image).rectangle((LEFT, y - 1, RIGHT, y + 15), fill=1)
        text(image, 5, y + 4, names[seat], bold_if(78, *names.values()), ink=int(not won[seat]))
        text(image, 121 - width(runs, "large"), y, runs, "large", ink=int(not won[seat]))
    if view.warnings:
        boxed(image, view, pages, LOWER + 2)
        return image
    many = 3 if season else 2
    lines = (not view.notice and pages.result(ROOM, many)) or pages.text(words, ROOM, many) or [""]
    for i, part in enumerate(lines):
        centred(image, LEFT, RIGHT, (49, 45, 36)[len(lines) - 1] + 9 * i, part)
    return image


def warned(rows: Sequence[str], view: View, pages: Pages | None = None) -> Image.Image:
    """Draw up to three rows of text, and below them the warnings; `pages` as for `game`."""
    above = widgets.blank(32)
    for i, words in enumerate(rows[:3]):
        text(above, LEFT, 2 + 10 * i, fit(words, ROOM))
    return _warned(view, pages or Pages(), above)


def _warned(view: View, pages: Pages, above: Image.Image) -> Image.Image:
    """Draw the picture of a display of 32 lines, and the warnings below it."""
    image = widgets.blank(64)
    image.paste(above)
    boxed(image, view, pages, LOWER)
    return image


# The other screens ---------------------------------------------------------------------------------------------------


def message(title: str, words: str, pages: Pages | None = None) -> Image.Image:
    """Draw a title and up to five lines of text; `pages` as for `game`."""
    image, lines = widgets.blank(64), (pages or Pages()).text(words, ROOM, 5)
    widgets.titled(image, title, 11)
    top, pitch = (15, 9) if len(lines) == 5 else (35 - 4 * len(lines), 10)
    for i, part in enumerate(lines):
        text(image, LEFT, top + pitch * i, part)
    return image


def join(url: str, address: str, code: str) -> Image.Image:
    """Draw how a phone joins: a QR code of `url`, the name in it, the IP address, and the operator's code.

    A `url` too long for 29 modules (53 letters, or 77 of A–Z, 0–9 and :/.-) is written instead: a phone cannot read
    modules of one pixel.
    """
    image = widgets.blank(64)
    beside = _qr(image, url)
    room = RIGHT - beside + 1
    rows = [urlsplit(url).hostname or "", address]
    if beside > LEFT:
        rows = [part for row in rows for part in _dotted(row, room)][:4]
    for i, words in enumerate(rows):
        text(image, beside, 1 + 9 * i, fit(words, room))
    if code:
        fonts: tuple[lettering.Font, ...] = ("large", "bold", "plain")
        font = next((font for font in fonts if width(code, font) <= room), fonts[-1])
        text(image, beside, 38, "Code")
        text(image, beside, 47 if font == "large" else 49, fit(code, room, font), font)
    return image


def scan(url: str, address: str, invitation: str) -> Image.Image:
    """Draw how one phone signs in without the code: a QR code of `url`, or the invitation to type, and where.

    A `url` too long for a QR code is not drawn, as in `join`.
    """
    image = widgets.blank(64)
    beside = _qr(image, url)
    room = RIGHT - beside + 1
    rows = ["Scan it, or", *_dotted(address, room), urlsplit(url).path]
    for i, words in enumerate(rows):
        text(image, beside, 1 + 9 * i, fit(words, room))
    half = len(invitation) // 2
    for y, part in ((40, invitation[:half]), (51, invitation[half:])):
        words = " ".join(part[i : i + 4] for i in range(0, half, 4))
        text(image, beside, y, words, bold_if(room, words))
    return image


def _qr(image: Image.Image, url: str) -> int:
    """Draw a QR code at the left, if it is not too long; return the first free x beside it."""
    qr, size = segno.make_qr(url, error="l", boost_error=False), 62
    modules = qr.symbol_size(border=0)[0]
    if 2 * modules > 58:
        return LEFT
    paint = ImageDraw.Draw(image)
    paint.rectangle((LEFT, TOP, LEFT + size - 1, TOP + size - 1), fill=1)
    start = (size - 2 * modules) // 2
    for y, row in enumerate(qr.matrix):
        for x, dark in enumerate(row):
            if dark:
                at = (LEFT + start + 2 * x, TOP + start + 2 * y)
                paint.rectangle((*at, at[0] + 1, at[1] + 1), fill=0)
    return LEFT + size + 3


def _dotted(words: str, room: int) -> list[str]:
    """Return the name or address of a host as one line, or as two: broken before its port if it fits, else a dot."""
    host, colon, port = words.partition(":")
    if width(words) <= room or "." not in words:
        return [words]
    if colon and width(host) <= room:
        return [host, colon + port]
    parts = words.split(".")
    half = next((i for i in range(len(parts) - 1, 0, -1) if width(".".join(parts[:i])) <= room), 1)
    return [".".join(parts[:half]), "." + ".".join(parts[half:])]


def menu(items: Sequence[str], index: int, pages: Pages | None = None) -> Image.Image:
    """Draw five lines of a list of choices, the one at `index` (0 or more) dark on light; `pages` as for `game`."""
    return widgets.menu(widgets.blank(64), items, index, 12, pages or Pages())


def sleep(tick: int) -> Image.Image:
    """Draw one dot on black, at another place for each `tick`."""
    return widgets.sleep(widgets.blank(64), tick, 29)


def bye(words: str) -> Image.Image:
    """Draw the last picture, which the panel keeps until the power is cut."""
    return widgets.bye(widgets.blank(64), words, 3)
