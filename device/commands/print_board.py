"""`dugout sheet`: prints the board, the stickers and the card list of a game whose pieces a camera may read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from device.commands import arguments, pdf, rights
from device.named_file import reason
from device.storage import atomic_file, decks
from engine.cards import cards_of
from engine.games import GAMES
from engine.printed_board import PrintedBoard, PrintedCard

if TYPE_CHECKING:
    from PIL import ImageFont

    from vision.board.sheets import Image

ABOUT = """\
Write a PDF to print at 100 %: the board to lay under a camera, a sticker for each side of each piece, and the list of
the cards with their numbers. docs/play/board.md explains the setup. Exit status: 2 if nothing could be written."""

BOARDS = {key: game.pieces for key, game in GAMES.items() if game.pieces}  # the games with a printed board
LEFT, RIGHT, TOP, BOTTOM = 15, 195, 39, 288  # edges of the card list on its page, in mm
NAMES, RESULTS = 27, 76  # left edges of the columns with the cards' names and results, in mm
SMALL, LINE = 3.1, 3.6  # height of the letters and of the lines of names and results, in mm
NUMBER, MARGIN = 6.0, 1.2  # height of a card's number, and the space above and below a card, in mm


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `sheet` to the command line."""
    parser = commands.add_parser("sheet", help="print the board and stickers that a camera reads", description=ABOUT)
    parser.add_argument("--game", default=next(iter(BOARDS)), metavar="GAME", help=f"the game: {', '.join(BOARDS)}")
    parser.add_argument("--deck", type=arguments.path, metavar="FILE", help="your own deck (default: the built-in one)")
    parser.add_argument("file", type=arguments.path, metavar="FILE.pdf", help="the file to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the sheet as `args` say; return 0, or 2 if it cannot be written."""
    try:
        if args.game not in BOARDS:
            known = f"{GAMES[args.game].title} is played without a board." if args.game in GAMES else "No such game."
            raise ValueError(f"{known} Only {', '.join(BOARDS)} has a sheet.")
        game = GAMES[args.game]
        rights.give_up(args.file.absolute().parent, *filter(None, [args.deck]))
        deck = cards_of(decks.load(game, [args.deck] if args.deck else []))
        atomic_file.check_target(args.file)  # before it is drawn, which takes seconds
        pdf.save(pages(game.title, BOARDS[args.game].printed(deck, game.house({}))), args.file)
    except (OSError, ValueError) as error:
        print(f"dugout sheet: {reason(error)}", file=sys.stderr)
        return 2
    print(f"Print {args.file} at 100%, check its 100 mm line, cut out the stickers, and read docs/play/board.md.")
    return 0


def pages(title: str, board: PrintedBoard) -> list[Image]:
    """Return board, stickers and cards: gray pages, (height, width), at `vision.tray.calibration_sheet.DPI`."""
    from vision.board import sheets

    return [*sheets.pages(board.labels, title, board.areas), *cards(title, board)]


# The list of cards ---------------------------------------------------------------------------------------------------


def cards(title: str, board: PrintedBoard) -> Iterator[Image]:
    """Yield pages with the cards in their order: number, name, notes and results."""
    waiting = list(board.cards)
    while waiting:
        page = _Page(f"{title}: {board.title}", board.rules)
        while waiting and page.take(waiting[0]):
            waiting.pop(0)
        yield page.image()


class _Page:
    """One page of the card list."""

    def __init__(self, title: str, rules: Sequence[str]) -> None:
        from PIL import Image as Picture
        from PIL import ImageDraw

        from vision.tray.calibration_sheet import PAGE, dots

        self._picture = Picture.new("L", (dots(PAGE[0]), dots(PAGE[1])), 255)
        self._draw = ImageDraw.Draw(self._picture)
        self._low = float(TOP)
        self._write(LEFT, 12, title, 7)
        for row, words in enumerate(rules):
            self._write(LEFT, 22 + 5 * row, words, 3.4)

    def take(self, card: PrintedCard) -> bool:
        """Write a card below the others; return False if the page is full."""
        results = [line for words in card.results for line in self._wrap(words, RIGHT - RESULTS)]
        names = [line for words in card.notes for line in self._wrap(words, RESULTS - NAMES - 2)]
        # A font's letters may reach below their nominal height; the number is the largest.
        high = max(LINE * len(results), 5.2 + LINE * len(names), 1.2 * NUMBER) + 2 * MARGIN
        if self._low + high > BOTTOM and self._low > TOP:
            return False
        self._rule(self._low)
        top = self._low + MARGIN
        self._write(LEFT, top, str(card.number), NUMBER)
        self._write(NAMES, top, card.name, 4.2, RESULTS - NAMES - 2)
        for row, words in enumerate(names):
            self._write(NAMES, top + 5.2 + LINE * row, words, SMALL)
        for row, words in enumerate(results):
            self._write(RESULTS, top + LINE * row, words, SMALL)
        self._low += high
        return True

    def image(self) -> Image:
        import numpy as np

        self._rule(self._low)
        return np.asarray(self._picture, np.uint8)

    def _rule(self, y: float) -> None:
        from vision.tray.calibration_sheet import dots

        self._draw.line((dots(LEFT), dots(y), dots(RIGHT), dots(y)), 0, 3)

    def _write(self, x: float, y: float, words: str, size: float, room: float = RIGHT - LEFT) -> None:
        """Write one line with its upper left corner at (`x`, `y`) mm, in letters `size` mm high, smaller if it is wider
        than `room` mm."""
        from vision.tray.calibration_sheet import dots

        width = _font(size).getlength(words)
        self._draw.text((dots(x), dots(y)), words, 0, _font(size * min(1.0, dots(room) / max(width, 1))))

    def _wrap(self, words: str, width: float) -> list[str]:
        """Split the words into lines of at most `width` mm; a longer word gets a line of its own."""
        from vision.tray.calibration_sheet import dots

        lines = [""]
        for word in words.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and _font(SMALL).getlength(longer) > dots(width):
                lines.append(word)
            else:
                lines[-1] = longer
        return lines


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    from vision.tray.calibration_sheet import dots

    return ImageFont.load_default(dots(size))
