"""Screens for a display with 32 lines: from a public view to a picture of 128 × 32 one-bit pixels.

The first line shows the state of the game, with those who must answer dark on light; the two below say what to do. The
letters are those of `screens_64`: 1.4 mm high on a 0.91" panel too. A QR code that a phone could read has no room, so
the address is written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from urllib.parse import urlsplit

from PIL import Image, ImageDraw

from device.display import content, widgets
from device.display.content import own, seated, short_names
from device.display.lettering import Font, bold_if, centred, fit, number, text, whole, width
from device.display.pages import Pages, split
from device.display.widgets import BASES, ENTRY, LEFT, OUTS, RIGHT, ROOM, TOP, die, dots, line_name, marked
from engine.clock import Outcome
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.views import EntryView, ProposalView, RaceView, View

SIZE = (128, 32)
BOTTOM = 30  # the last line that may be drawn on. The outermost ring stays dark, as on larger displays
SECOND, THIRD = 11, 21  # y of the letters in the second and the third line
MARK = 9  # the width of the mark that a part is missing, in pixels
DIE = 17  # width and height of dice to confirm, in pixels


def game(view: View, pages: Pages | None = None) -> Image.Image:
    """Draw the game: the proposed roll, else the result, else a notice, else the race, else the score.

    Warnings leave one line to a roll or result, and none to anything else.
    `pages` has the times for what takes turns; None: the first page of everything.
    """
    pages = pages or Pages()
    if view.proposal and view.warnings:
        return _warned_roll(view, view.proposal, pages)
    if view.proposal:
        return roll(view, view.proposal, pages)
    if view.table.outcome:
        return _over(view, view.table.outcome, pages)
    if view.notice:
        image = widgets.blank(32)
        widgets.boxed(image, view, pages)
        return image
    return _race(view, view.race, pages) if view.race else _score(view, pages)


# Score ---------------------------------------------------------------------------------------------------------------


def _score(view: View, pages: Pages) -> Image.Image:
    """Draw the state in the first line; below it who must answer and what, and the choice or a sentence that helps.

    What OK would give always stands below. Above it are first what has just happened, then in turn the state with the
    title of the decision, and the whole question.
    """
    secretly = content.alone(view)
    if any(ask.secret for ask in view.table.asks) and not secretly:
        return _secret(view, pages)
    image, turn = widgets.blank(32), content.Turn.of(view)
    line = view.layout.line if view.layout and view.layout.line else content.presses(secretly)
    entry, again = (None, None) if line else (turn.entry, turn.again)
    two = entry is not None and width(entry.label) > ENTRY
    above = 1 if two else 2 if entry or again else 3
    if said := pages.result(ROOM, above):
        _rows(image, said)
    else:
        helps = line or content.brief(view, turn) if above == 3 else ""
        pages.of(_cards(view, turn, above, helps))(image)
    if entry and two:
        widgets.choice(image, entry, pages, 10, 19, (11, 20))
    elif entry:
        _choice(image, entry, pages)
    elif again:
        widgets.lying(image, again, THIRD - 1, 9, 1)
    return image


Card = Callable[[Image.Image], None]
"""What takes turns with others: draws itself."""


def _cards(view: View, turn: content.Turn, above: int, helps: str) -> list[Card]:
    """Return what takes turns in the lines `above` what OK would give: the state with the title, and the question.

    `helps` stands in the third line if that is free and it fits, else on its own.
    """
    board = view.table.scoreboard
    names, lit = seated(board, short_names(board.sides, 60)), content.awaited(board, turn.asks)
    found = content.headings(turn, names, ROOM)
    fits = width(helps) <= ROOM
    third = helps if fits else ""
    headed: list[Card] = [partial(_headed, one, third) for one in content.headings(turn, names, ROOM, min(above, 2))]
    cards: list[Card]
    if above == 1:
        cards = [*headed, partial(_state, board=board, lit=lit, flat=True)]
    else:
        room = RIGHT - LEFT - (MARK if view.missing else 0)
        beside = content.headings(turn, names, room)
        whole_ = own(board).two_lines is None and all(one.whole for one in beside)
        cards = [] if whole_ else headed
        cards += [
            partial(_main, view=view, turn=turn, names=names, helps=third, which=which)
            for which in range(len(beside) if whole_ else 1)
        ]
        cards += [] if fits else [partial(_rows, lines=page) for page in split(helps, ROOM, 3)]
    for words in content.spoken(view, turn, all(one.named for one in found)):
        cards += [partial(_rows, lines=page) for page in split(words, ROOM, above)]
    return cards


def _main(
    image: Image.Image, view: View, turn: content.Turn, names: Mapping[Seat, str], helps: str, which: int
) -> None:
    """Draw the state, who must do what, and in the third line what helps, if anything does.

    `which` of the titles is drawn, from 0.
    """
    board = view.table.scoreboard
    _state(image, board, content.awaited(board, turn.asks), flat=False)
    _second(image, view, turn, names, which)
    if helps:
        text(image, LEFT, THIRD, helps, bold_if(ROOM, helps))


def _headed(one: content.Heading, helps: str, image: Image.Image) -> None:
    """Draw who must decide, and what, from the first line on, and in the third line what helps, if anything does."""
    widgets.headed(image, one.tag, one.lines, LEFT, 2)
    if helps:
        text(image, LEFT, THIRD, helps, bold_if(ROOM, helps))


def _rows(image: Image.Image, lines: Sequence[str]) -> None:
    """Draw up to three lines from the top."""
    for y, part in zip((2, SECOND, THIRD), lines, strict=False):
        text(image, LEFT, y, part)


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
    runs = {seat: number(board.sides[seat].runs, 3) for seat in SEATS}
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


def _second(image: Image.Image, view: View, turn: content.Turn, names: Mapping[Seat, str], which: int) -> None:
    """Draw who must do what if there is room, and what room is left for at the right end: a mark if a part is missing,
    the last dice or their result.
    """
    board, left, right = view.table.scoreboard, LEFT, RIGHT
    if two_lines := own(board).two_lines:
        left = two_lines(image, board, content.awaited(board, turn.asks))
    if view.missing:
        ImageDraw.Draw(image).rectangle((right - 6, SECOND - 1, right, SECOND + 7), fill=1)
        centred(image, right - 6, right, SECOND, "!", "bold", ink=0)
        right -= MARK
    called, dice = own(board).result(board), content.recent(board, turn.asks)
    wide = width(called, "bold") + 5 if called else sum(widgets.breadth(face, 9) + 2 for face in dice)
    found = content.headings(turn, names, right - left - wide)
    fits = all(one.whole for one in found)
    if not fits and left == LEFT:
        found = content.headings(turn, names, right - left)
        fits = all(one.whole for one in found)
    elif called:
        ImageDraw.Draw(image).rectangle((right + 2 - wide, SECOND - 1, right, SECOND + 7), fill=1)
        centred(image, right + 2 - wide, right, SECOND, called, "bold", ink=0)
    else:
        widgets.small_dice(image, dice, SECOND - 1, 9, right)
    if fits:
        one = found[which]
        widgets.headed(image, one.tag, one.lines, left, SECOND)


def _choice(image: Image.Image, entry: EntryView, pages: Pages) -> None:
    """Draw the choice in the third line."""
    widgets.choice(image, entry, pages, 20, 24, (THIRD,), bar=30)


def _secret(view: View, pages: Pages) -> Image.Image:
    """Draw what each side does while somebody chooses in secret; then in turn what the buttons do, and what it is
    about.
    """
    image, turn = widgets.blank(32), content.Turn.of(view)
    short = short_names(view.table.scoreboard.sides, 60)
    names = short | seated(view.table.scoreboard, short)
    seats = []
    for one in content.waiters(view.table, view.dial):
        tags = [names[one.seat], *content.initials(names, names[one.seat])]
        seats.append((*widgets.seat_parts(tags, one.words), one.ready))
    if said := pages.result(ROOM, 3):
        _rows(image, said)
        return image
    most = max(len(parts) for _, _, parts, _ in seats)
    cards: list[Card] = [
        partial(_seats, seats=seats, which=which, board=view.table.scoreboard) for which in range(most)
    ]
    spoken = [content.presses(view.dial), *content.spoken(view, turn, False)]
    cards += [partial(_rows, lines=page) for words in filter(None, spoken) for page in split(words, ROOM, 3)]
    pages.of(cards)(image)
    return image


def _seats(
    image: Image.Image, seats: Sequence[tuple[str, Font, list[str], bool]], which: int, board: Scoreboard
) -> None:
    """Draw the state, and what each seat does: of several parts that number `which`."""
    _state(image, board, (), flat=True)
    for (name, font, parts, ready), y in zip(seats, (10, 20), strict=True):
        widgets.seat_line(image, y, 10, name, font, parts[which % len(parts)], ready)


# A roll to confirm, a race, and the end ------------------------------------------------------------------------------


def roll(view: View, seen: ProposalView, pages: Pages) -> Image.Image:
    """Draw the dice just seen with the time left to stop them, or with what to do about them and whose they are.

    Without room for both, the words stand alone: the choice below them names the dice. A die that was not seen is drawn
    as `?`.
    """
    image, roll = widgets.blank(32), content.RollContent.of(view, seen, 43)
    faces, counting = roll.faces, roll.left is not None
    many = len(faces) > 6
    size, gap = (9, 1) if many else (min(DIE, 66 // max(1, len(faces)) - 2), 2)
    beside = LEFT if many else LEFT + len(faces) * (size + 2) + (2 if faces else 0)
    said = [""] if many and counting else [roll.named] if roll.named else [*filter(None, [roll.advice]), roll.title]
    room = RIGHT - beside + 1
    shown: list[tuple[bool, list[str]]] = []
    for words in said:
        alone = not counting and (many or (roll.entry is not None and not whole(words, room, 2)))
        shown += [(alone, lines) for lines in split(words, ROOM if alone else room, 2)]
    alone, lines = pages.of(shown)
    for i, face in () if alone else enumerate(faces):
        marked(image, LEFT + i * (size + gap), 1 + (DIE - size) // 2, size, face, i in (seen.again or ()))
    for y, line in zip((1, 10) if len(lines) > 1 else (5,), lines, strict=False):
        text(image, LEFT if alone else beside, y, line)
    if roll.left is not None:
        ImageDraw.Draw(image).line((LEFT, 19, RIGHT, 19), fill=1)
        ImageDraw.Draw(image).rectangle((LEFT, 19, LEFT + round((ROOM - 1) * roll.left), 21), fill=1)
    if roll.entry:
        _choice(image, roll.entry, pages)
    else:
        centred(image, LEFT, RIGHT, 23, roll.buttons)
    return image


def _warned_roll(view: View, seen: ProposalView, pages: Pages) -> Image.Image:
    """Draw in the first line the dice just seen and the value that OK would give or the words beside it, with the time
    left to stop them below; and then the warnings.
    """
    image, roll_ = widgets.blank(32), content.RollContent.of(view, seen, 43)
    for i, face in enumerate(roll_.faces):
        marked(image, LEFT + 10 * i, TOP, 9, face, i in (seen.again or ()))
    beside = LEFT + 10 * len(roll_.faces) + 2
    text(image, beside, TOP + 1, fit(roll_.entry.label if roll_.entry else roll_.title, RIGHT - beside + 1))
    if roll_.left is not None:
        ImageDraw.Draw(image).line((LEFT, SECOND - 1, LEFT + round((ROOM - 1) * roll_.left), SECOND - 1), fill=1)
    widgets.boxed(image, view, pages, SECOND + 1)
    return image


def _race(view: View, run: RaceView, pages: Pages) -> Image.Image:
    """Draw both dice and the faces that win; below, how each side stands, or the call to confirm.

    Until a die lies, the upper lines are first what has just happened, then in turn what the sides have to do.
    """
    image, runners = widgets.blank(32), content.runners(view, run)
    if run.confirm and view.dial:
        _two(image, content.question(runners[run.confirm.seat]), pages, top=1, pitch=9)
        _choice(image, view.dial, pages)
        return image
    spoken = [page for one in content.before_a_die_lies(view, run) for page in split(one, ROOM, 2)]
    said = (pages.result(ROOM, 2) or pages.of([[], *spoken])) if spoken else []
    for y, line in zip((1, 10), said, strict=False):
        text(image, LEFT, y, line)
    for seat, left, right in zip(SEATS, (LEFT, 65), (62, RIGHT), strict=True):
        one = runners[seat]
        if not said:
            die(image, left, 1, DIE, one.face)
            text(image, left + 19, 1, one.name)
            text(image, left + 19, 10, fit(one.wins, 43))
        ImageDraw.Draw(image).rectangle((left, 20, right, BOTTOM), outline=1, fill=int(one.lit))
        words = pages.of([one.state, one.then]) if one.then else one.state
        centred(image, left + 2, right - 2, 22, words, bold_if(57, words), int(not one.lit))
    return image


def _over(view: View, outcome: Outcome, pages: Pages) -> Image.Image:
    """Draw the end: the runs of both teams with the winner marked, or the marks of a season; below, the last play, then
    how the game ended.
    """
    image, board = widgets.blank(32), view.table.scoreboard
    words, won = content.ending(view, outcome)
    names, at = content.stubs(board.sides, 40), LEFT
    for seat in () if own(board).final_line(image, board) else SEATS:
        at = line_name(image, at, f"{names[seat]} {number(board.sides[seat].runs, 3)}", won[seat]) + 2
    if view.warnings:
        widgets.boxed(image, view, pages, SECOND)
    elif said := not view.notice and pages.result(ROOM, 2):
        for i, part in enumerate(said):
            text(image, LEFT, SECOND + 10 * i, part)
    else:
        _two(image, words, pages)
    return image


def _two(image: Image.Image, words: str, pages: Pages, x: int = LEFT, top: int = SECOND, pitch: int = 10) -> None:
    """Draw a sentence in two lines from (x, top) on."""
    for i, part in enumerate(pages.text(words, RIGHT - x + 1, 2)):
        text(image, x, top + pitch * i, part)


def warned(rows: Sequence[str], view: View, pages: Pages | None = None) -> Image.Image:
    """Draw one of some rows of text in turn, and below it the warnings; `pages` as for `game`."""
    image, pages = widgets.blank(32), pages or Pages()
    text(image, LEFT, 2, fit(pages.of(rows), ROOM))
    widgets.boxed(image, view, pages, SECOND)
    return image


# The other screens ---------------------------------------------------------------------------------------------------


def message(title: str, words: str, pages: Pages | None = None) -> Image.Image:
    """Draw a title and two lines of text, or three lines without the title if the text needs them; `pages` as for
    `game`.
    """
    image = widgets.blank(32)
    if whole(words, ROOM, 2):
        widgets.titled(image, title, 9)
        _two(image, words, Pages())
        return image
    _rows(image, (pages or Pages()).text(words, ROOM, 3))
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


def scan(url: str, address: str, invitation: str) -> Image.Image:
    """Draw how one phone signs in without the code: where to type the invitation, and the invitation."""
    image, page = widgets.blank(32), address + urlsplit(url).path
    words = " ".join(invitation[i : i + 4] for i in range(0, len(invitation), 4))
    for y, row in ((2, "Open this and enter:"), (SECOND, page), (THIRD, words)):
        text(image, LEFT, y, fit(row, ROOM))
    return image


def menu(items: Sequence[str], index: int, pages: Pages | None = None) -> Image.Image:
    """Draw three lines of a list of choices, the one at `index` (0 or more) dark on light; `pages` as for `game`."""
    return widgets.menu(widgets.blank(32), items, index, 10, pages or Pages())


def sleep(tick: int) -> Image.Image:
    """Draw one dot on black, at another place for each `tick`."""
    return widgets.sleep(widgets.blank(32), tick, 13)


def bye(words: str) -> Image.Image:
    """Draw the last picture, which the panel keeps until the power is cut."""
    return widgets.bye(widgets.blank(32), words, 2)
