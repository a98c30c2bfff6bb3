"""`dugout sheet`: prints the board, the stickers and the card list of a game whose pieces a camera may read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from device.commands import pdf
from device.storage import decks
from engine.cards import cards_of
from engine.games import GAMES
from engine.games.rallybird.cards import AtBat, Box, unpack
from engine.games.rallybird.words import says

if TYPE_CHECKING:
    from PIL import ImageFont

    from vision.board.sheets import Image

ABOUT = """\
Write a PDF to print at 100 %: the board to lay under a camera, a sticker for each side of each Glove, and the list of
the At Bat cards with their numbers. docs/board.md explains the setup. Exit status: 2 if nothing could be written."""

GAME = "rallybird"
"""The game with a printed board."""

RULES = (
    "For the side at bat. The number is what you enter in secret: on a phone tap the card;",
    "on the buttons < adds five, > adds one, and OK plays it. Card 12: < < > > OK. The display does not show it.",
    "The tested Gloves add up to the number to beat with two dice; a zone listed twice counts twice.",
)

LEFT, RIGHT, TOP, BOTTOM = 15, 195, 39, 288
"""Edges of the card list on its page, in mm."""

NAMES, RESULTS = 27, 76
"""Left edges of the columns with the cards' names and results, in mm."""

SMALL, LINE = 3.1, 3.6
"""Height of the letters and of the lines of names and results, in mm."""

NUMBER, MARGIN = 6.0, 1.2
"""Height of a card's number, and the space above and below a card, in mm."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `sheet` to the command line."""
    parser = commands.add_parser("sheet", help="print the board and stickers that a camera reads", description=ABOUT)
    parser.add_argument("--game", default=GAME, metavar="GAME", help=f"the game; only {GAME} has a board")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="your own deck (default: the built-in one)")
    parser.add_argument("file", type=Path, metavar="FILE.pdf", help="the file to write")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the sheet as `args` say; return 0, or 2 if it cannot be written."""
    try:
        if args.game != GAME:
            known = f"{GAMES[args.game].title} is played without a board." if args.game in GAMES else "No such game."
            raise ValueError(f"{known} Only {GAME} has a sheet.")
        game = GAMES[GAME]
        box = unpack(cards_of(decks.load(game, [args.deck] if args.deck else [])), game.house({"beginner": "false"}))
        pdf.save(pages(game.title, box), args.file)
    except (OSError, ValueError) as error:
        print(f"dugout sheet: {error}", file=sys.stderr)
        return 2
    print(f"Print {args.file} at 100 %, check its 100 mm line, cut out the stickers, and read docs/board.md.")
    return 0


def pages(title: str, box: Box) -> list[Image]:
    """Return board, stickers and cards of this box: grey pages, (height, width), at
    `vision.tray.calibration_sheet.DPI`."""
    from vision.board import sheets

    labels = [(glove.name, f"shows {glove.front}", f"shows {glove.back}") for glove in box.gloves.values()]
    notes = {zone.letter: f"{zone.place}, bare: {zone.printed}" for zone in box.zones.values()}
    return [*sheets.pages(labels, title, notes), *cards(title, list(box.cards.values()))]


# The list of cards ---------------------------------------------------------------------------------------------------


def cards(title: str, at_bats: Sequence[AtBat]) -> Iterator[Image]:
    """Yield pages with the At Bat cards by number: the name, what each tests, and its results."""
    waiting = sorted(at_bats, key=lambda card: card.number)
    while waiting:
        page = _Page(f"{title}: At Bat cards")
        while waiting and page.take(waiting[0]):
            waiting.pop(0)
        yield page.image()


class _Page:
    """One page of the card list."""

    def __init__(self, title: str) -> None:
        from PIL import Image as Picture
        from PIL import ImageDraw

        from vision.tray.calibration_sheet import PAGE, dots

        self._picture = Picture.new("L", (dots(PAGE[0]), dots(PAGE[1])), 255)
        self._draw = ImageDraw.Draw(self._picture)
        self._low = float(TOP)
        self._write(LEFT, 12, title, 7)
        for row, words in enumerate(RULES):
            self._write(LEFT, 22 + 5 * row, words, 3.4)

    def take(self, card: AtBat) -> bool:
        """Write a card below the others; return False if the page is full."""
        results = [line for words in _results(card) for line in self._wrap(words, RIGHT - RESULTS)]
        names = [line for words in _tests(card) for line in self._wrap(words, RESULTS - NAMES - 2)]
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


def _tests(card: AtBat) -> Iterator[str]:
    """Yield what a card tests and requires."""
    if card.blank:
        return
    yield f"tests {' + '.join(card.tests)}"
    if card.second != card.tests:
        yield f"with a runner on second {' + '.join(card.second)}"
    if card.twice:
        yield "two rolls, both must beat it"
    if card.requires:
        yield "needs a runner" + ("" if card.requires == "any" else f" on {card.requires}")


def _results(card: AtBat) -> Iterator[str]:
    """Yield the card's results, with comparisons that have the same result on one line."""
    if card.blank:
        yield "Read the card."
    results = {compare: says(result) for compare, result in card.results.items()}
    for words, compares in groupby(results, results.__getitem__):
        yield f"{' or '.join(compares)}: {words}.".capitalize()
