"""`dugout sheet`. Prints the board, the stickers and the card list of a game whose pieces a camera can read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from device.commands import arguments, pdf, privileges
from device.named_file import error_text
from device.storage import atomic_file, decks
from engine.cards import cards_in_decks
from engine.games import GAMES
from engine.printed_board import PrintedBoard, PrintedCard

if TYPE_CHECKING:
    from PIL import ImageFont

    from vision.board.sheets import Image

COMMAND_DESCRIPTION = """\
Write a PDF to print at 100 %: the board to lay under a camera, a sticker for each side of each piece, and the list of
the cards with their numbers. docs/play/board.md explains the setup. Exit status: 2 if nothing could be written."""

PRINTED_BOARDS = {key: game.pieces for key, game in GAMES.items() if game.pieces}  # games with a printed board
LEFT_EDGE_MM = 15  # left edge of the card list on its page
RIGHT_EDGE_MM = 195  # its right edge
TOP_EDGE_MM = 39  # its top edge
BOTTOM_EDGE_MM = 288  # its bottom edge
NAME_COLUMN_MM = 27  # left edge of the column of names
RESULT_COLUMN_MM = 76  # left edge of the column of results
SMALL_LETTER_MM = 3.1  # letter height of notes and results
LINE_HEIGHT_MM = 3.6  # distance of their lines
NUMBER_HEIGHT_MM = 6.0  # letter height of a card's number
CARD_MARGIN_MM = 1.2  # space above and below a card


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "sheet", help="print the board and stickers that a camera reads", description=COMMAND_DESCRIPTION
    )
    parser.add_argument(
        "--game", default=next(iter(PRINTED_BOARDS)), metavar="GAME", help=f"the game: {', '.join(PRINTED_BOARDS)}"
    )
    parser.add_argument(
        "--deck", type=arguments.path_argument, metavar="FILE", help="your own deck (default: the built-in one)"
    )
    parser.add_argument("file", type=arguments.path_argument, metavar="FILE.pdf", help="the file to write")
    parser.set_defaults(run=run_command)


def run_command(args: argparse.Namespace) -> int:
    """Write the PDF. Return 0, or 2 if it cannot be written."""
    try:
        if args.game not in PRINTED_BOARDS:
            known = f"{GAMES[args.game].title} is played without a board." if args.game in GAMES else "No such game."
            raise ValueError(f"{known} Only {', '.join(PRINTED_BOARDS)} has a sheet.")
        game = GAMES[args.game]
        privileges.drop_privileges(args.file.absolute().parent, *filter(None, [args.deck]))
        deck = cards_in_decks(decks.load_decks(game, [args.deck] if args.deck else []))
        atomic_file.check_target(args.file)  # before the slow drawing, which takes seconds
        pdf.save_pdf(
            board_pages(game.title, PRINTED_BOARDS[args.game].printed(deck, game.resolve_house_rules({}))), args.file
        )
    except (OSError, ValueError) as error:
        print(f"dugout sheet: {error_text(error)}", file=sys.stderr)
        return 2
    print(f"Print {args.file} at 100%, check its 100 mm line, cut out the stickers, and read docs/play/board.md.")
    return 0


def board_pages(title: str, board: PrintedBoard) -> list[Image]:
    """Board, stickers and cards as (height, width) gray pages at `vision.tray.calibration_sheet.PRINT_DPI`."""
    from vision.board import sheets

    return [*sheets.printable_pages(board.labels, title, board.areas), *card_pages(title, board)]


# The list of cards ---------------------------------------------------------------------------------------------------


def card_pages(title: str, board: PrintedBoard) -> Iterator[Image]:
    """Yield pages with the cards in order: number, name, notes and results."""
    waiting = list(board.cards)
    while waiting:
        page = _CardListPage(f"{title}: {board.title}", board.rules)
        while waiting and page.add_card(waiting[0]):
            waiting.pop(0)
        yield page.render_image()


class _CardListPage:
    def __init__(self, title: str, rules: Sequence[str]) -> None:
        from PIL import Image as Picture
        from PIL import ImageDraw

        from vision.tray.calibration_sheet import PAGE_SIZE_MM, page_pixels

        self._picture = Picture.new("L", (page_pixels(PAGE_SIZE_MM[0]), page_pixels(PAGE_SIZE_MM[1])), 255)
        self._draw = ImageDraw.Draw(self._picture)
        self._low = float(TOP_EDGE_MM)
        self._write_line(LEFT_EDGE_MM, 12, title, 7)
        for row, words in enumerate(rules):
            self._write_line(LEFT_EDGE_MM, 22 + 5 * row, words, 3.4)

    def add_card(self, card: PrintedCard) -> bool:
        """Write a card below the others. Return False if the page is full."""
        results = [
            line for words in card.results for line in self._wrapped_lines(words, RIGHT_EDGE_MM - RESULT_COLUMN_MM)
        ]
        names = [
            line for words in card.notes for line in self._wrapped_lines(words, RESULT_COLUMN_MM - NAME_COLUMN_MM - 2)
        ]
        # A font's letters may reach below their nominal height. The number is the largest.
        high = (
            max(LINE_HEIGHT_MM * len(results), 5.2 + LINE_HEIGHT_MM * len(names), 1.2 * NUMBER_HEIGHT_MM)
            + 2 * CARD_MARGIN_MM
        )
        if self._low + high > BOTTOM_EDGE_MM and self._low > TOP_EDGE_MM:
            return False
        self._draw_rule(self._low)
        top = self._low + CARD_MARGIN_MM
        self._write_line(LEFT_EDGE_MM, top, str(card.number), NUMBER_HEIGHT_MM)
        self._write_line(NAME_COLUMN_MM, top, card.name, 4.2, RESULT_COLUMN_MM - NAME_COLUMN_MM - 2)
        for row, words in enumerate(names):
            self._write_line(NAME_COLUMN_MM, top + 5.2 + LINE_HEIGHT_MM * row, words, SMALL_LETTER_MM)
        for row, words in enumerate(results):
            self._write_line(RESULT_COLUMN_MM, top + LINE_HEIGHT_MM * row, words, SMALL_LETTER_MM)
        self._low += high
        return True

    def render_image(self) -> Image:
        import numpy as np

        self._draw_rule(self._low)
        return np.asarray(self._picture, np.uint8)

    def _draw_rule(self, y: float) -> None:
        from vision.tray.calibration_sheet import page_pixels

        self._draw.line((page_pixels(LEFT_EDGE_MM), page_pixels(y), page_pixels(RIGHT_EDGE_MM), page_pixels(y)), 0, 3)

    def _write_line(
        self, x: float, y: float, words: str, size: float, room: float = RIGHT_EDGE_MM - LEFT_EDGE_MM
    ) -> None:
        """Write one line with its upper left corner at (`x`, `y`) mm, in letters `size` mm high.

        A line wider than `room` mm gets smaller letters.
        """
        from vision.tray.calibration_sheet import page_pixels

        width = _font_of_size(size).getlength(words)
        self._draw.text(
            (page_pixels(x), page_pixels(y)),
            words,
            0,
            _font_of_size(size * min(1.0, page_pixels(room) / max(width, 1))),
        )

    def _wrapped_lines(self, words: str, width: float) -> list[str]:
        """Wrap the words in lines of at most `width` mm. A longer word gets its own line."""
        from vision.tray.calibration_sheet import page_pixels

        lines = [""]
        for word in words.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and _font_of_size(SMALL_LETTER_MM).getlength(longer) > page_pixels(width):
                lines.append(word)
            else:
                lines[-1] = longer
        return lines


def _font_of_size(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    from vision.tray.calibration_sheet import page_pixels

    return ImageFont.load_default(page_pixels(size))
