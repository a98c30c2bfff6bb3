"""Screens of 128 × 64 one-bit pixels, drawn from a public view."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import segno
from PIL import Image, ImageDraw

from device.display import content, lettering, screens_32, widgets
from device.display.content import game_screens, short_names
from device.display.lettering import (
    boldest_font,
    capped_number,
    draw_centered_text,
    draw_text,
    text_width,
    truncated_text,
)
from device.display.pages import PageRotation, text_pages
from device.display.widgets import (
    ENTRY_WIDTH_PX,
    LEFT_X,
    RIGHT_X,
    TOP_Y,
    USABLE_WIDTH_PX,
    draw_diamond,
    draw_die,
    draw_dots,
    draw_marked_die,
    draw_notice_box,
)
from engine.innings import Outcome
from engine.scoreboard import Scoreboard
from engine.seats import SEATS, Seat
from engine.views import AudienceView, ButtonEntryView, ProposalView, RaceView

SIZE_PX = (128, 64)
MAX_UPPER_LINES = 4  # lines of text in the upper half
LOWER_HALF_Y = 35  # y of the content below the middle line


def draw_game(view: AudienceView, pages: PageRotation | None = None) -> Image.Image:
    """Draw the game: the proposed roll, else the result, else the race, else the score and who must answer what.

    Warnings always take the lower half. `pages` has the times of the page rotation. None draws all first pages.
    """
    pages = pages or PageRotation()
    if view.proposal and view.warnings:
        return _draw_warnings_below(view, pages, screens_32.draw_roll(view, view.proposal, pages))
    if view.proposal:
        return _draw_roll(view, view.proposal, pages)
    if view.table.outcome:
        return _draw_game_over(view, view.table.outcome, pages)
    return _draw_race(view, view.race, pages) if view.race else _draw_score(view, pages)


# Score ---------------------------------------------------------------------------------------------------------------


def _draw_score(view: AudienceView, pages: PageRotation) -> Image.Image:
    """Draw runs, inning, outs, bases, stake, count and fatigue, and below them who must answer what.

    The upper half shows first the last result, then the score and the full question in turn.
    """
    image, board, turn = widgets.blank_screen(64), view.table.scoreboard, content.TurnContent.from_view(view)
    room = 67 - max(text_width(capped_number(side.runs, 3), "large") for side in board.sides.values())
    names, short = short_names(board.sides, room), short_names(board.sides, 60)
    seats = short | content.names_by_seat(board, short)
    said = pages.result_page(USABLE_WIDTH_PX, MAX_UPPER_LINES)
    named = all(one.named for one in content.decision_headings(turn, seats, USABLE_WIDTH_PX, 2))
    how = content.secret_entry_hint(view.dial)
    spoken = [
        *([how] if how and how != _lone_secret_hint(view, turn, seats) else []),
        *content.question_sentences(view, turn, named),
        *filter(None, [pages.odds]),
    ]
    if said := said or pages.current_item(
        [[], *(page for one in spoken for page in text_pages(one, USABLE_WIDTH_PX, MAX_UPPER_LINES))]
    ):
        _draw_upper_text(image, said)
    elif not game_screens(board).upper_half(image, board):
        _draw_teams(image, board, names, room, content.awaited_sides(board, view.table.asks))
    _draw_lower_half(image, view, turn, seats, pages)
    return image


def _draw_upper_text(image: Image.Image, said: Sequence[str]) -> None:
    """Draw up to four lines of text in the upper half."""
    top, pitch = (1, 8) if len(said) == MAX_UPPER_LINES else (17 - 5 * len(said), 10)
    for i, part in enumerate(said):
        draw_text(image, LEFT_X, top + pitch * i, part)
    ImageDraw.Draw(image).line((LEFT_X, 33, RIGHT_X, 33), fill=1)


def _draw_teams(
    image: Image.Image, board: Scoreboard, names: Mapping[Seat, str], room: int, lit: Collection[Seat]
) -> None:
    """Draw a line for each team with a bar if it bats, its name and its runs. Then draw outs, bases and inning.

    The names of the sides in `lit`, which must answer, are highlighted.
    """
    for seat, y in zip(SEATS, (1, 17), strict=True):
        if board.batting == seat:
            ImageDraw.Draw(image).rectangle((LEFT_X, y, LEFT_X + 2, y + 13), fill=1)
        runs = capped_number(board.sides[seat].runs, 3)
        font = boldest_font(room - 3, *names.values())
        if seat in lit and names[seat]:
            ImageDraw.Draw(image).rectangle((5, y + 3, 6 + text_width(names[seat], font), y + 12), fill=1)
        draw_text(image, 6, y + 4, names[seat], font, int(seat not in lit))
        draw_text(image, 75 - text_width(runs, "large"), y, runs, "large")
    if not game_screens(board).beside_bases(image, board):
        draw_dots(image, 79, 2, board.outs)
        _draw_figures(image, content.score_figures(board))
    draw_diamond(image, board)
    ImageDraw.Draw(image).line((LEFT_X, 33, RIGHT_X, 33), fill=1)


def _draw_figures(image: Image.Image, rows: Sequence[str]) -> None:
    if len(rows) == 1 and text_width(rows[0], "large") <= 24:
        draw_centered_text(image, 78, 101, 13, rows[0], "large")
        return
    top, pitch = (9, 8) if len(rows) == 3 else (12, 11)
    for i, row in enumerate(rows):
        draw_centered_text(image, 77, 101, top + pitch * i, row, "bold")


def _draw_lower_half(
    image: Image.Image, view: AudienceView, turn: content.TurnContent, names: Mapping[Seat, str], pages: PageRotation
) -> None:
    """Draw who must answer what, the last dice, and in the lowest lines the choice or advice."""
    if view.notice:
        draw_notice_box(image, view, pages, LOWER_HALF_Y)
        return
    secretly = _lone_secret_hint(view, turn, names)
    if any(ask.secret for ask in view.table.asks) and not secretly:
        for one, y in zip(content.secret_seat_statuses(view.table, view.dial), (35, 50), strict=True):
            tags = [names[one.seat], *content.distinct_initials(names, names[one.seat])]
            name, font, parts = widgets.seat_line_parts(tags, one.words)
            widgets.draw_seat_line(image, y, 12, name, font, pages.current_item(parts), one.ready)
        return
    line = view.layout.line if view.layout and view.layout.line else ""
    label = turn.entry.label if turn.entry and not line and not secretly else ""
    helps = "" if label or turn.again else line or secretly or content.turn_advice(view, turn)
    if (
        text_width(helps) > USABLE_WIDTH_PX
        and not line
        and not all(one.whole for one in content.decision_headings(turn, names, USABLE_WIDTH_PX))
    ):
        helps = content.turn_advice(view, turn, with_aim=False)
    tall = turn.again or text_width(label) > ENTRY_WIDTH_PX or text_width(helps) > USABLE_WIDTH_PX
    left = _draw_last_dice(image, view, turn, names)
    heading = pages.current_item(content.decision_headings(turn, names, left - LEFT_X, 1 if tall else 2))
    two = len(heading.lines) > 1
    widgets.draw_heading(image, heading.tag, heading.lines, LEFT_X, 36)
    if turn.again and not line:
        widgets.draw_reroll_dice(image, turn.again, 48, 12, 2)
    elif label and turn.entry:
        _draw_choice(image, turn.entry, pages, low=two)
    elif helps:
        _draw_help(image, helps, pages, low=two)


def _lone_secret_hint(view: AudienceView, turn: content.TurnContent, names: Mapping[Seat, str]) -> str:
    """Button hint for the only seat that chooses in secret, otherwise "". Below a long title it is the brief one."""
    entry = content.lone_secret_entry(view)
    if entry and entry.brief and not all(one.whole for one in content.decision_headings(turn, names, USABLE_WIDTH_PX)):
        return entry.brief
    return content.secret_entry_hint(entry)


def _draw_choice(image: Image.Image, entry: ButtonEntryView, pages: PageRotation, low: bool = False) -> None:
    """Draw the choice in one line, or in two if necessary. With `low`, it is below a title of two lines."""
    if low:
        widgets.draw_choice(image, entry, pages, 53, 57, (54,))
    elif text_width(entry.label) > ENTRY_WIDTH_PX:
        widgets.draw_choice(image, entry, pages, 45, 54, (46, 54))
    else:
        widgets.draw_choice(image, entry, pages, 50, 56, (51,), bar=61)


def _draw_last_dice(
    image: Image.Image, view: AudienceView, turn: content.TurnContent, names: Mapping[Seat, str]
) -> int:
    """Draw right of the title, if there is space, a mark for a missing part, and the last dice or their result.

    Returns the last free x to their left.
    """
    board, right = view.table.scoreboard, RIGHT_X
    called = game_screens(board).result(board)
    dice = content.recent_dice(board, turn.asks)
    wide = text_width(called, "bold") + 5 if called else sum(widgets.die_width(face, 11) + 2 for face in dice)
    mark = 11 if view.missing and (turn.again or not turn.waiting) else 0
    if mark:
        ImageDraw.Draw(image).rectangle((right - 8, 35, right, 45), fill=1)
        draw_centered_text(image, right - 8, right, 37, "!", "bold", ink=0)
        right -= mark
    plain, beside = (content.decision_headings(turn, names, right - taken - LEFT_X) for taken in (0, wide))
    if not all(one.whole for one in beside) or [one.named for one in plain] != [one.named for one in beside]:
        return right
    if called:
        ImageDraw.Draw(image).rectangle((right + 2 - wide, 35, right, 45), fill=1)
        draw_centered_text(image, right + 2 - wide, right, 37, called, "bold", ink=0)
        return right - wide
    return widgets.draw_small_dice(image, dice, 35, 11, right)


def _draw_help(image: Image.Image, words: str, pages: PageRotation, low: bool = False) -> None:
    """Draw a sentence in two lines, or in one of bold letters if it fits. `low` is for below a title of two lines."""
    if low or text_width(words, "bold") <= USABLE_WIDTH_PX:
        draw_text(image, LEFT_X, 54 if low else 52, words, boldest_font(USABLE_WIDTH_PX, words))
        return
    for i, part in enumerate(pages.text_page(words, USABLE_WIDTH_PX, 2)):
        draw_text(image, LEFT_X, 46 + 9 * i, part)


# A roll to confirm, a race, and the end ------------------------------------------------------------------------------


def _draw_roll(view: AudienceView, seen: ProposalView, pages: PageRotation) -> Image.Image:
    """Draw the proposed dice large: a sure roll with the time left to stop it, or a doubtful one with advice.

    A die that was not seen is `?`. Dice of several colors are named if there is space.
    """
    image, roll = widgets.blank_screen(64), content.RollContent.from_view(view, seen, 60)
    if roll.named and text_width(seen.words) <= USABLE_WIDTH_PX:
        draw_text(image, LEFT_X, 1, roll.named)
    else:
        draw_text(image, LEFT_X, 1, truncated_text(roll.title, USABLE_WIDTH_PX, "bold"), "bold")
    beside = _draw_large_dice(
        image, roll.faces, 72 if roll.advice else USABLE_WIDTH_PX, not roll.advice, seen.again or ()
    )
    for i, part in enumerate(pages.text_page(roll.advice, RIGHT_X - beside + 1, 4 if roll.left is None else 3)):
        draw_text(image, beside, 12 + 9 * i, part)
    if roll.left is not None:
        ImageDraw.Draw(image).rectangle((LEFT_X, 43, RIGHT_X, 48), outline=1)
        ImageDraw.Draw(image).rectangle((LEFT_X, 43, LEFT_X + round((USABLE_WIDTH_PX - 1) * roll.left), 48), fill=1)
    if roll.entry:
        widgets.draw_choice(image, roll.entry, pages, 50, 56, (51,), bar=61)
    else:
        draw_centered_text(image, LEFT_X, RIGHT_X, 53, roll.buttons)
    return image


def _draw_large_dice(image: Image.Image, faces: Sequence[Any], room: int, centre: bool, again: Collection[int]) -> int:
    """Draw dice as large as fit into `room` pixels, up to 28 each, and more than six in two rows.

    The dice at the indexes `again` are marked. Returns the x where text may begin to their right.
    """
    many = min(len(faces), 6)
    if not many:
        return LEFT_X
    two = len(faces) > many
    size = min(12 if two else 28, (room + 3) // many - 3)
    left = LEFT_X + (room - many * (size + 3) + 3) // 2 if centre else LEFT_X
    for i, face in enumerate(faces):
        y = 12 + 15 * (i // many) + (12 - size) // 2 if two else 12 + (28 - size) // 2
        draw_marked_die(image, left + i % many * (size + 3), y, size, face, i in again)
    return left + many * (size + 3) + 2


def _draw_race(view: AudienceView, run: RaceView, pages: PageRotation) -> Image.Image:
    """Draw dice and winning faces above, and below the state of each side, a notice, or the call to confirm.

    Until a die was seen, the upper half shows the last result, then in turn the tasks of the sides.
    """
    image, runners = widgets.blank_screen(64), content.race_sides(view, run)
    spoken = [
        page
        for one in content.race_task_sentences(view, run)
        for page in text_pages(one, USABLE_WIDTH_PX, MAX_UPPER_LINES)
    ]
    if (
        said := (pages.result_page(USABLE_WIDTH_PX, MAX_UPPER_LINES) or pages.current_item([[], *spoken]))
        if spoken
        else []
    ):
        _draw_upper_text(image, said)
    else:
        _draw_race_dice(image, runners)
    if view.notice:
        draw_notice_box(image, view, pages, LOWER_HALF_Y)
    elif run.confirm:
        for i, words in enumerate(
            pages.text_page(content.call_question(runners[run.confirm.seat]), USABLE_WIDTH_PX, 2)
        ):
            draw_text(image, LEFT_X, 34 + 8 * i, words)
        if view.dial:
            widgets.draw_choice(image, view.dial, pages, 50, 56, (51,), bar=61)
    else:
        for seat, left, right in zip(SEATS, (LEFT_X, 65), (62, RIGHT_X), strict=True):
            _draw_race_side(image, left, right, runners[seat])
    return image


def _draw_race_dice(image: Image.Image, runners: Mapping[Seat, content.RaceSide]) -> None:
    draw_text(image, LEFT_X, 1, "RACE!", "bold")
    wins = {one.wins for one in runners.values()}
    first = truncated_text(f"first to {wins.pop() if len(wins) == 1 else 'win'}", 85)
    draw_text(image, RIGHT_X + 1 - text_width(first), 1, first)
    for seat, left in zip(SEATS, (LEFT_X, 65), strict=True):
        draw_die(image, left, 13, 17, runners[seat].face)
        draw_text(image, left + 19, 13, runners[seat].name)
        draw_text(image, left + 19, 23, truncated_text(runners[seat].wins, 43))
    ImageDraw.Draw(image).line((LEFT_X, 33, RIGHT_X, 33), fill=1)


def _draw_race_side(image: Image.Image, left: int, right: int, one: content.RaceSide) -> None:
    """Draw the state of a side in large letters, highlighted if it has called or may call."""
    ImageDraw.Draw(image).rectangle((left, 36, right, 61), outline=1, fill=int(one.lit))
    if one.then:
        draw_centered_text(image, left + 2, right - 2, 39, one.state, "bold")
        draw_centered_text(image, left + 2, right - 2, 50, one.then)
    elif text_width(one.state, "large") <= right - left - 3:
        draw_centered_text(image, left + 2, right - 2, 41, one.state, "large", ink=int(not one.lit))
    else:
        draw_centered_text(image, left + 2, right - 2, 45, one.state, "bold", ink=int(not one.lit))


def _draw_game_over(view: AudienceView, outcome: Outcome, pages: PageRotation) -> Image.Image:
    """Draw the final runs with the winner highlighted, or a season's marks. Below are the last play and the outcome."""
    image, board = widgets.blank_screen(64), view.table.scoreboard
    words, won = content.game_ending(view, outcome)
    season = game_screens(board).final(image, board)
    names = short_names(board.sides, 78)
    for seat, y in () if season else zip(SEATS, (2, 20), strict=True):
        runs = capped_number(board.sides[seat].runs, 3)
        if won[seat]:
            ImageDraw.Draw(image).rectangle((LEFT_X, y - 1, RIGHT_X, y + 15), fill=1)
        draw_text(image, 5, y + 4, names[seat], boldest_font(78, *names.values()), ink=int(not won[seat]))
        draw_text(image, 121 - text_width(runs, "large"), y, runs, "large", ink=int(not won[seat]))
    if view.warnings:
        draw_notice_box(image, view, pages, LOWER_HALF_Y + 2)
        return image
    many = 3 if season else 2
    lines = (
        (not view.notice and pages.result_page(USABLE_WIDTH_PX, many))
        or pages.text_page(words, USABLE_WIDTH_PX, many)
        or [""]
    )
    for i, part in enumerate(lines):
        draw_centered_text(image, LEFT_X, RIGHT_X, (49, 45, 36)[len(lines) - 1] + 9 * i, part)
    return image


def draw_with_warnings(rows: Sequence[str], view: AudienceView, pages: PageRotation | None = None) -> Image.Image:
    """Draw up to three rows of text, and the warnings below. `pages` as for `draw_game`."""
    above = widgets.blank_screen(32)
    for i, words in enumerate(rows[:3]):
        draw_text(above, LEFT_X, 2 + 10 * i, truncated_text(words, USABLE_WIDTH_PX))
    return _draw_warnings_below(view, pages or PageRotation(), above)


def _draw_warnings_below(view: AudienceView, pages: PageRotation, above: Image.Image) -> Image.Image:
    """Draw a picture of 32 lines and the warnings below it."""
    image = widgets.blank_screen(64)
    image.paste(above)
    draw_notice_box(image, view, pages, LOWER_HALF_Y)
    return image


# The other screens ---------------------------------------------------------------------------------------------------


def draw_message(title: str, words: str, pages: PageRotation | None = None) -> Image.Image:
    """Draw a title and up to five lines of text. `pages` as for `draw_game`."""
    image, lines = widgets.blank_screen(64), (pages or PageRotation()).text_page(words, USABLE_WIDTH_PX, 5)
    widgets.draw_title(image, title, 11)
    top, pitch = (15, 9) if len(lines) == 5 else (35 - 4 * len(lines), 10)
    for i, part in enumerate(lines):
        draw_text(image, LEFT_X, top + pitch * i, part)
    return image


def draw_join_screen(url: str, other: str, code: str) -> Image.Image:
    """Draw how a phone joins: a QR code of `url`, its host, an `other` address to type, and the operator's code.

    A `url` too long for 29 modules (53 letters, or 77 of A–Z, 0–9 and :/.-) is written instead, because a phone cannot
    read modules of one pixel.
    """
    image = widgets.blank_screen(64)
    beside = _draw_qr_code(image, url)
    room = RIGHT_X - beside + 1
    rows = list(dict.fromkeys([urlsplit(url).netloc, other]))
    if beside > LEFT_X:
        rows = [part for row in rows for part in _host_lines(row, room)][:4]
    for i, words in enumerate(rows):
        draw_text(image, beside, 1 + 9 * i, truncated_text(words, room))
    if code:
        fonts: tuple[lettering.Font, ...] = ("large", "bold", "plain")
        font = next((font for font in fonts if text_width(code, font) <= room), fonts[-1])
        draw_text(image, beside, 38, "Code")
        draw_text(image, beside, 47 if font == "large" else 49, truncated_text(code, room, font), font)
    return image


def draw_scan_screen(url: str, address: str, invitation: str) -> Image.Image:
    """Draw how one phone signs in without the code: a QR code of `url`, and where to type the invitation.

    A `url` too long for a QR code is not drawn, as in `draw_join_screen`.
    """
    image = widgets.blank_screen(64)
    beside = _draw_qr_code(image, url)
    room = RIGHT_X - beside + 1
    rows = ["Scan it, or", *_host_lines(address, room), urlsplit(url).path]
    for i, words in enumerate(rows):
        draw_text(image, beside, 1 + 9 * i, truncated_text(words, room))
    half = len(invitation) // 2
    for y, part in ((40, invitation[:half]), (51, invitation[half:])):
        words = " ".join(part[i : i + 4] for i in range(0, half, 4))
        draw_text(image, beside, y, words, boldest_font(room, words))
    return image


def _draw_qr_code(image: Image.Image, url: str) -> int:
    """Draw a QR code at the left, unless it is too long. Return the first free x to its right."""
    qr, size = segno.make_qr(url, error="l", boost_error=False), 62
    modules = qr.symbol_size(border=0)[0]
    if 2 * modules > 58:
        return LEFT_X
    paint = ImageDraw.Draw(image)
    paint.rectangle((LEFT_X, TOP_Y, LEFT_X + size - 1, TOP_Y + size - 1), fill=1)
    start = (size - 2 * modules) // 2
    for y, row in enumerate(qr.matrix):
        for x, dark in enumerate(row):
            if dark:
                at = (LEFT_X + start + 2 * x, TOP_Y + start + 2 * y)
                paint.rectangle((*at, at[0] + 1, at[1] + 1), fill=0)
    return LEFT_X + size + 3


def _host_lines(words: str, room: int) -> list[str]:
    """Split a host name or address in at most two lines, before its port if the host fits, else at a dot."""
    host, colon, port = words.partition(":")
    if text_width(words) <= room or "." not in words:
        return [words]
    if colon and text_width(host) <= room:
        return [host, colon + port]
    parts = words.split(".")
    half = next((i for i in range(len(parts) - 1, 0, -1) if text_width(".".join(parts[:i])) <= room), 1)
    return [".".join(parts[:half]), "." + ".".join(parts[half:])]


def draw_menu(items: Sequence[str], index: int, pages: PageRotation | None = None) -> Image.Image:
    """Draw five lines of a menu, the one at `index` (from 0) highlighted. `pages` as for `draw_game`."""
    return widgets.draw_menu_items(widgets.blank_screen(64), items, index, 12, pages or PageRotation())


def draw_sleep_screen(tick: int, rows: Sequence[str] = ()) -> Image.Image:
    if rows:
        return widgets.draw_sleep_rows(widgets.blank_screen(64), tick, 29, rows)
    return widgets.draw_sleep_dot(widgets.blank_screen(64), tick, 29)


def draw_goodbye(words: str) -> Image.Image:
    return widgets.draw_framed_text(widgets.blank_screen(64), words, 3)
