"""Screens of 128 × 32 one-bit pixels, drawn from a public view.

The first line shows the state of the game, with the asked sides highlighted. The two below say what to do. The letters
are those of `screens_64`, 1.4 mm high even on a 0.91" panel. There is no space for a readable QR code, so the address
is written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from urllib.parse import urlsplit

from PIL import Image, ImageDraw

from device.display import content, widgets
from device.display.content import game_screens, names_by_seat, short_names
from device.display.lettering import (
    Font,
    boldest_font,
    can_fit,
    capped_number,
    draw_centered_text,
    draw_text,
    text_width,
    truncated_text,
)
from device.display.pages import PageRotation, text_pages
from device.display.widgets import (
    BASES_WIDTH_PX,
    ENTRY_WIDTH_PX,
    LEFT_X,
    OUTS_WIDTH_PX,
    RIGHT_X,
    TOP_Y,
    USABLE_WIDTH_PX,
    draw_die,
    draw_dots,
    draw_line_name,
    draw_marked_die,
)
from engine.innings import Outcome
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.views import AudienceView, ButtonEntryView, ProposalView, RaceView

SIZE_PX = (128, 32)
BOTTOM_Y = 30  # last line that may be drawn on. The outermost ring stays dark, as on larger displays.
SECOND_LINE_Y = 11  # y of the letters in the second line
THIRD_LINE_Y = 21  # y of the letters in the third line
MARK_WIDTH_PX = 9  # width of the mark for a missing part
DIE_SIZE_PX = 17  # width and height of dice to confirm


def draw_game(view: AudienceView, pages: PageRotation | None = None) -> Image.Image:
    """Draw the game: the proposed roll, else the result, else a notice, else the race, else the score.

    Warnings leave one line to a roll or result, and none to anything else. `pages` has the times of the page rotation.
    None draws all first pages.
    """
    pages = pages or PageRotation()
    if view.proposal and view.warnings:
        return _draw_roll_with_warnings(view, view.proposal, pages)
    if view.proposal:
        return draw_roll(view, view.proposal, pages)
    if view.table.outcome:
        return _draw_game_over(view, view.table.outcome, pages)
    if view.notice:
        image = widgets.blank_screen(32)
        widgets.draw_notice_box(image, view, pages)
        return image
    return _draw_race(view, view.race, pages) if view.race else _draw_score(view, pages)


# Score ---------------------------------------------------------------------------------------------------------------


def _draw_score(view: AudienceView, pages: PageRotation) -> Image.Image:
    """Draw the state in the first line, and below it who must answer what, with the choice or advice.

    The choice of OK always stays below. Above it are first the last result, then in turn the state with the title of
    the decision, and the full question.
    """
    secretly = content.lone_secret_entry(view)
    if any(ask.secret for ask in view.table.asks) and not secretly:
        return _draw_secret(view, pages)
    image, turn = widgets.blank_screen(32), content.TurnContent.from_view(view)
    line = view.layout.line if view.layout and view.layout.line else content.secret_entry_hint(secretly)
    entry, again = (None, None) if line else (turn.entry, turn.again)
    two = entry is not None and text_width(entry.label) > ENTRY_WIDTH_PX
    above = 1 if two else 2 if entry or again else 3
    if said := pages.result_page(USABLE_WIDTH_PX, above):
        _draw_rows(image, said)
    else:
        helps = line or content.short_advice(view, turn) if above == 3 else ""
        pages.current_item(_score_pages(view, turn, above, helps, pages.odds))(image)
    if entry and two:
        widgets.draw_choice(image, entry, pages, 10, 19, (11, 20))
    elif entry:
        _draw_choice(image, entry, pages)
    elif again:
        widgets.draw_reroll_dice(image, again, THIRD_LINE_Y - 1, 9, 1)
    return image


PageDrawer = Callable[[Image.Image], None]  # draws one of several pages that take turns


def _score_pages(view: AudienceView, turn: content.TurnContent, above: int, helps: str, odds: str) -> list[PageDrawer]:
    """Pages for the lines `above` the choice: the state with the title, the question, and the odds of the roll.

    `helps` is in the third line if that is free and it fits, else it has its own page.
    """
    board = view.table.scoreboard
    names, lit = names_by_seat(board, short_names(board.sides, 60)), content.awaited_sides(board, turn.asks)
    found = content.decision_headings(turn, names, USABLE_WIDTH_PX)
    fits = text_width(helps) <= USABLE_WIDTH_PX
    third = helps if fits else ""
    headed: list[PageDrawer] = [
        partial(_draw_heading, one, third)
        for one in content.decision_headings(turn, names, USABLE_WIDTH_PX, min(above, 2))
    ]
    cards: list[PageDrawer]
    if above == 1:
        cards = [*headed, partial(_draw_state, board=board, lit=lit, flat=True)]
    else:
        room = RIGHT_X - LEFT_X - (MARK_WIDTH_PX if view.missing else 0)
        beside = content.decision_headings(turn, names, room)
        whole_ = game_screens(board).two_lines is None and all(one.whole for one in beside)
        cards = [] if whole_ else headed
        cards += [
            partial(_draw_main_page, view=view, turn=turn, names=names, helps=third, which=which)
            for which in range(len(beside) if whole_ else 1)
        ]
        cards += [] if fits else [partial(_draw_rows, lines=page) for page in text_pages(helps, USABLE_WIDTH_PX, 3)]
    for words in filter(None, [*content.question_sentences(view, turn, all(one.named for one in found)), odds]):
        cards += [partial(_draw_rows, lines=page) for page in text_pages(words, USABLE_WIDTH_PX, above)]
    return cards


def _draw_main_page(
    image: Image.Image, view: AudienceView, turn: content.TurnContent, names: Mapping[Seat, str], helps: str, which: int
) -> None:
    """Draw the state, title number `which` (from 0), and in the third line `helps`, if any."""
    board = view.table.scoreboard
    _draw_state(image, board, content.awaited_sides(board, turn.asks), flat=False)
    _draw_second_line(image, view, turn, names, which)
    if helps:
        draw_text(image, LEFT_X, THIRD_LINE_Y, helps, boldest_font(USABLE_WIDTH_PX, helps))


def _draw_heading(one: content.DecisionHeading, helps: str, image: Image.Image) -> None:
    """Draw the decision from the first line on, and in the third line `helps`, if any."""
    widgets.draw_heading(image, one.tag, one.lines, LEFT_X, 2)
    if helps:
        draw_text(image, LEFT_X, THIRD_LINE_Y, helps, boldest_font(USABLE_WIDTH_PX, helps))


def _draw_rows(image: Image.Image, lines: Sequence[str]) -> None:
    """Draw up to three lines from the top."""
    for y, part in zip((2, SECOND_LINE_Y, THIRD_LINE_Y), lines, strict=False):
        draw_text(image, LEFT_X, y, part)


def _draw_state(image: Image.Image, board: Scoreboard, lit: Collection[Seat], flat: bool) -> None:
    """Draw the state of the game with the sides in `lit` highlighted. With `flat`, use the first line only."""
    game_ = game_screens(board)
    if not (game_.first_line and game_.first_line(image, board)) and (flat or not game_.two_lines):
        _draw_teams(image, board, lit)


def _draw_teams(image: Image.Image, board: Scoreboard, lit: Collection[Seat]) -> None:
    """Draw both teams and their runs, the stake or the count, inning, outs and bases."""
    widgets.draw_line_bases(image, board)
    x = RIGHT_X - BASES_WIDTH_PX - OUTS_WIDTH_PX - 1
    draw_dots(image, x, TOP_Y + 3, board.outs, size=3)
    x = widgets.draw_line_inning(image, x - 2, board) - 3
    runs = {seat: capped_number(board.sides[seat].runs, 3) for seat in SEATS}
    least = sum(text_width(one) + 18 for one in runs.values())
    for extra in game_screens(board).extras(board) or content.score_figures(board):
        if x - text_width(extra) - 3 - LEFT_X >= least:
            x -= text_width(extra) + 3
            draw_text(image, x, TOP_Y + 1, extra)
    room = (x - LEFT_X - sum(text_width(one) + 7 for one in runs.values())) // 2
    words = content.score_labels(board.sides, runs, room)
    while LEFT_X + sum(text_width(one) + 2 for one in words.values()) + 2 > x and room > 0:
        room -= 1
        words = content.score_labels(board.sides, runs, room)
    at = LEFT_X
    for seat, one in words.items():
        at = draw_line_name(image, at, one, seat in lit) + 2


def _draw_second_line(
    image: Image.Image, view: AudienceView, turn: content.TurnContent, names: Mapping[Seat, str], which: int
) -> None:
    """Draw the heading if it fits, and at the right a mark for a missing part, the last dice or their result."""
    board, left, right = view.table.scoreboard, LEFT_X, RIGHT_X
    if two_lines := game_screens(board).two_lines:
        left = two_lines(image, board, content.awaited_sides(board, turn.asks))
    if view.missing:
        ImageDraw.Draw(image).rectangle((right - 6, SECOND_LINE_Y - 1, right, SECOND_LINE_Y + 7), fill=1)
        draw_centered_text(image, right - 6, right, SECOND_LINE_Y, "!", "bold", ink=0)
        right -= MARK_WIDTH_PX
    called, dice = game_screens(board).result(board), content.recent_dice(board, turn.asks)
    wide = text_width(called, "bold") + 5 if called else sum(widgets.die_width(face, 9) + 2 for face in dice)
    found = content.decision_headings(turn, names, right - left - wide)
    fits = all(one.whole for one in found)
    if not fits and left == LEFT_X:
        found = content.decision_headings(turn, names, right - left)
        fits = all(one.whole for one in found)
    elif called:
        ImageDraw.Draw(image).rectangle((right + 2 - wide, SECOND_LINE_Y - 1, right, SECOND_LINE_Y + 7), fill=1)
        draw_centered_text(image, right + 2 - wide, right, SECOND_LINE_Y, called, "bold", ink=0)
    else:
        widgets.draw_small_dice(image, dice, SECOND_LINE_Y - 1, 9, right)
    if fits:
        one = found[which]
        widgets.draw_heading(image, one.tag, one.lines, left, SECOND_LINE_Y)


def _draw_choice(image: Image.Image, entry: ButtonEntryView, pages: PageRotation) -> None:
    widgets.draw_choice(image, entry, pages, 20, 24, (THIRD_LINE_Y,), bar=30)


def _draw_secret(view: AudienceView, pages: PageRotation) -> Image.Image:
    """Draw the status of each side during a secret choice, then in turn the button hint and the question."""
    image, turn = widgets.blank_screen(32), content.TurnContent.from_view(view)
    short = short_names(view.table.scoreboard.sides, 60)
    names = short | names_by_seat(view.table.scoreboard, short)
    seats = []
    for one in content.secret_seat_statuses(view.table, view.dial):
        tags = [names[one.seat], *content.distinct_initials(names, names[one.seat])]
        seats.append((*widgets.seat_line_parts(tags, one.words), one.ready))
    if said := pages.result_page(USABLE_WIDTH_PX, 3):
        _draw_rows(image, said)
        return image
    most = max(len(parts) for _, _, parts, _ in seats)
    cards: list[PageDrawer] = [
        partial(_draw_seats, seats=seats, which=which, board=view.table.scoreboard) for which in range(most)
    ]
    spoken = [content.secret_entry_hint(view.dial), *content.question_sentences(view, turn, False)]
    cards += [
        partial(_draw_rows, lines=page)
        for words in filter(None, spoken)
        for page in text_pages(words, USABLE_WIDTH_PX, 3)
    ]
    pages.current_item(cards)(image)
    return image


def _draw_seats(
    image: Image.Image, seats: Sequence[tuple[str, Font, list[str], bool]], which: int, board: Scoreboard
) -> None:
    """Draw the state and the status of each seat, of several parts number `which`."""
    _draw_state(image, board, (), flat=True)
    for (name, font, parts, ready), y in zip(seats, (10, 20), strict=True):
        widgets.draw_seat_line(image, y, 10, name, font, parts[which % len(parts)], ready)


# A roll to confirm, a race, and the end ------------------------------------------------------------------------------


def draw_roll(view: AudienceView, seen: ProposalView, pages: PageRotation) -> Image.Image:
    """Draw the proposed dice with the time left to stop them, or with advice and the name of the side.

    If both do not fit, only the words are shown, because the choice below names the dice. `?` is a die not seen.
    """
    image, roll = widgets.blank_screen(32), content.RollContent.from_view(view, seen, 43)
    faces, counting = roll.faces, roll.left is not None
    many = len(faces) > 6
    size, gap = (9, 1) if many else (min(DIE_SIZE_PX, 66 // max(1, len(faces)) - 2), 2)
    beside = LEFT_X if many else LEFT_X + len(faces) * (size + 2) + (2 if faces else 0)
    said = [""] if many and counting else [roll.named] if roll.named else [*filter(None, [roll.advice]), roll.title]
    room = RIGHT_X - beside + 1
    shown: list[tuple[bool, list[str]]] = []
    for words in said:
        alone = not counting and (many or (roll.entry is not None and not can_fit(words, room, 2)))
        shown += [(alone, lines) for lines in text_pages(words, USABLE_WIDTH_PX if alone else room, 2)]
    alone, lines = pages.current_item(shown)
    for i, face in () if alone else enumerate(faces):
        draw_marked_die(
            image, LEFT_X + i * (size + gap), 1 + (DIE_SIZE_PX - size) // 2, size, face, i in (seen.again or ())
        )
    for y, line in zip((1, 10) if len(lines) > 1 else (5,), lines, strict=False):
        draw_text(image, LEFT_X if alone else beside, y, line)
    if roll.left is not None:
        ImageDraw.Draw(image).line((LEFT_X, 19, RIGHT_X, 19), fill=1)
        ImageDraw.Draw(image).rectangle((LEFT_X, 19, LEFT_X + round((USABLE_WIDTH_PX - 1) * roll.left), 21), fill=1)
    if roll.entry:
        _draw_choice(image, roll.entry, pages)
    else:
        draw_centered_text(image, LEFT_X, RIGHT_X, 23, roll.buttons)
    return image


def _draw_roll_with_warnings(view: AudienceView, seen: ProposalView, pages: PageRotation) -> Image.Image:
    """Draw the proposed dice with the value of OK or a title, the time left to stop them, and the warnings below."""
    image, roll_ = widgets.blank_screen(32), content.RollContent.from_view(view, seen, 43)
    for i, face in enumerate(roll_.faces):
        draw_marked_die(image, LEFT_X + 10 * i, TOP_Y, 9, face, i in (seen.again or ()))
    beside = LEFT_X + 10 * len(roll_.faces) + 2
    draw_text(
        image,
        beside,
        TOP_Y + 1,
        truncated_text(roll_.entry.label if roll_.entry else roll_.title, RIGHT_X - beside + 1),
    )
    if roll_.left is not None:
        ImageDraw.Draw(image).line(
            (LEFT_X, SECOND_LINE_Y - 1, LEFT_X + round((USABLE_WIDTH_PX - 1) * roll_.left), SECOND_LINE_Y - 1), fill=1
        )
    widgets.draw_notice_box(image, view, pages, SECOND_LINE_Y + 1)
    return image


def _draw_race(view: AudienceView, run: RaceView, pages: PageRotation) -> Image.Image:
    """Draw both dice with the faces that win, and below the state of each side or the call to confirm.

    Until a die was seen, the upper lines show the last result, then in turn the tasks of the sides.
    """
    image, runners = widgets.blank_screen(32), content.race_sides(view, run)
    if run.confirm and view.dial:
        _draw_two_lines(image, content.call_question(runners[run.confirm.seat]), pages, top=1, pitch=9)
        _draw_choice(image, view.dial, pages)
        return image
    spoken = [page for one in content.race_task_sentences(view, run) for page in text_pages(one, USABLE_WIDTH_PX, 2)]
    said = (pages.result_page(USABLE_WIDTH_PX, 2) or pages.current_item([[], *spoken])) if spoken else []
    for y, line in zip((1, 10), said, strict=False):
        draw_text(image, LEFT_X, y, line)
    for seat, left, right in zip(SEATS, (LEFT_X, 65), (62, RIGHT_X), strict=True):
        one = runners[seat]
        if not said:
            draw_die(image, left, 1, DIE_SIZE_PX, one.face)
            draw_text(image, left + 19, 1, one.name)
            draw_text(image, left + 19, 10, truncated_text(one.wins, 43))
        ImageDraw.Draw(image).rectangle((left, 20, right, BOTTOM_Y), outline=1, fill=int(one.lit))
        words = pages.current_item([one.state, one.then]) if one.then else one.state
        draw_centered_text(image, left + 2, right - 2, 22, words, boldest_font(57, words), int(not one.lit))
    return image


def _draw_game_over(view: AudienceView, outcome: Outcome, pages: PageRotation) -> Image.Image:
    """Draw the final runs with the winner highlighted, or a season's marks. Below are the last play and the outcome."""
    image, board = widgets.blank_screen(32), view.table.scoreboard
    words, won = content.game_ending(view, outcome)
    names, at = content.team_abbreviations(board.sides, 40), LEFT_X
    for seat in () if game_screens(board).final_line(image, board) else SEATS:
        at = draw_line_name(image, at, f"{names[seat]} {capped_number(board.sides[seat].runs, 3)}", won[seat]) + 2
    if view.warnings:
        widgets.draw_notice_box(image, view, pages, SECOND_LINE_Y)
    elif said := not view.notice and pages.result_page(USABLE_WIDTH_PX, 2):
        for i, part in enumerate(said):
            draw_text(image, LEFT_X, SECOND_LINE_Y + 10 * i, part)
    else:
        _draw_two_lines(image, words, pages)
    return image


def _draw_two_lines(
    image: Image.Image, words: str, pages: PageRotation, x: int = LEFT_X, top: int = SECOND_LINE_Y, pitch: int = 10
) -> None:
    for i, part in enumerate(pages.text_page(words, RIGHT_X - x + 1, 2)):
        draw_text(image, x, top + pitch * i, part)


def draw_with_warnings(rows: Sequence[str], view: AudienceView, pages: PageRotation | None = None) -> Image.Image:
    """Draw rows of text in turn, and the warnings below. `pages` as for `draw_game`."""
    image, pages = widgets.blank_screen(32), pages or PageRotation()
    draw_text(image, LEFT_X, 2, truncated_text(pages.current_item(rows), USABLE_WIDTH_PX))
    widgets.draw_notice_box(image, view, pages, SECOND_LINE_Y)
    return image


# The other screens ---------------------------------------------------------------------------------------------------


def draw_message(title: str, words: str, pages: PageRotation | None = None) -> Image.Image:
    """Draw a title and two lines of text, or three lines without the title if necessary. `pages` as for `draw_game`."""
    image = widgets.blank_screen(32)
    if can_fit(words, USABLE_WIDTH_PX, 2):
        widgets.draw_title(image, title, 9)
        _draw_two_lines(image, words, PageRotation())
        return image
    _draw_rows(image, (pages or PageRotation()).text_page(words, USABLE_WIDTH_PX, 3))
    return image


def draw_join_screen(url: str, other: str, code: str) -> Image.Image:
    """Draw the host in `url`, an `other` address to type and the operator's code, with which a phone joins."""
    image = widgets.blank_screen(32)
    for y, words in zip((2, SECOND_LINE_Y), dict.fromkeys([urlsplit(url).netloc, other]), strict=False):
        draw_text(image, LEFT_X, y, truncated_text(words, USABLE_WIDTH_PX))
    if code:
        after = draw_text(image, LEFT_X, THIRD_LINE_Y, "Code") + 3
        draw_text(image, after, THIRD_LINE_Y, truncated_text(code, RIGHT_X - after, "bold"), "bold")
    return image


def draw_scan_screen(url: str, address: str, invitation: str) -> Image.Image:
    """Draw how one phone signs in without the code: where to type the invitation, and the invitation."""
    image, page = widgets.blank_screen(32), address + urlsplit(url).path
    words = " ".join(invitation[i : i + 4] for i in range(0, len(invitation), 4))
    for y, row in ((2, "Open this and enter:"), (SECOND_LINE_Y, page), (THIRD_LINE_Y, words)):
        draw_text(image, LEFT_X, y, truncated_text(row, USABLE_WIDTH_PX))
    return image


def draw_menu(items: Sequence[str], index: int, pages: PageRotation | None = None) -> Image.Image:
    """Draw three lines of a menu, the one at `index` (from 0) highlighted. `pages` as for `draw_game`."""
    return widgets.draw_menu_items(widgets.blank_screen(32), items, index, 10, pages or PageRotation())


def draw_sleep_screen(tick: int, rows: Sequence[str] = ()) -> Image.Image:
    if rows:
        return widgets.draw_sleep_rows(widgets.blank_screen(32), tick, 13, rows)
    return widgets.draw_sleep_dot(widgets.blank_screen(32), tick, 13)


def draw_goodbye(words: str) -> Image.Image:
    return widgets.draw_framed_text(widgets.blank_screen(32), words, 2)
