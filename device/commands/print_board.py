"""`dugout sheet`: the board, the stickers and the list of cards to print for a game whose pieces a camera may see."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from device.storage import decks
from engine.cards import cards_of
from engine.games import GAMES
from engine.games.rallybird.cards import AtBat, Box, unpack
from engine.games.rallybird.words import says

if TYPE_CHECKING:
    from PIL import ImageFont

    from vision.board.sheets import Image

NOTE = """\
Writes a PDF to print at 100 %: the board to lay under a camera, a sticker for each side of each Glove, and the list of
the At Bat cards with their numbers. docs/board.md tells how to put it up. The exit status is 2 when nothing could be
written."""

GAME = "rallybird"
"""The game that lays pieces on a board."""

HOW = (
    "For the side at bat. The number is what you enter in secret: on a phone tap the card;",
    "with the buttons < adds five, > adds one, and OK plays it. Card 12: < < > > OK. Nothing shows what you press.",
    "The tested Gloves add up to the number to beat with two dice; a zone that stands twice counts twice.",
)

LEFT, RIGHT, TOP, LOW = 15, 195, 39, 288
"""Where the list of cards stands on its page, in mm."""

NAMED, TOLD = 27, 76
"""Where the names and the results of the cards begin, in mm."""

SMALL, LINE = 3.1, 3.6
"""How high the letters and the lines of names and results are, in mm."""

NUMBER, OPEN = 6.0, 1.2
"""How high a card's number is, and what is left open above and below what is written of a card, in mm."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the `dugout` command line."""
    parser = commands.add_parser("sheet", help="print a board and stickers for the camera", description=NOTE)
    parser.add_argument("--game", default=GAME, metavar="GAME", help=f"which game's; only {GAME} has one")
    parser.add_argument("--deck", type=Path, metavar="FILE", help="your own cards; none: the house-made deck")
    parser.add_argument("file", type=Path, metavar="FILE.pdf", help="where to write it")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the sheet as `args` say: 0 when it was written, else 2."""
    try:
        if args.game != GAME:
            known = f"{GAMES[args.game].title} is played without a board." if args.game in GAMES else "No such game."
            raise ValueError(f"{known} There is a sheet for {GAME} only.")
        game = GAMES[GAME]
        box = unpack(cards_of(decks.load(game, [args.deck] if args.deck else [])), game.house({"beginner": "false"}))
        save(pages(game.title, box), args.file)
    except (OSError, ValueError) as error:
        print(f"dugout sheet: {error}", file=sys.stderr)
        return 2
    print(f"Print {args.file} at 100 %, check its line of 100 mm, cut out the stickers, and read docs/board.md.")
    return 0


def save(sheets: Sequence[Image], file: Path) -> None:
    """Write pages, grey at `vision.tray.calibration_sheet.DPI`, as a PDF in black and white. Raises OSError."""
    from PIL import Image as Picture

    from vision.tray.calibration_sheet import DPI

    first, *more = [Picture.fromarray(page).point(lambda grey: 255 if grey > 127 else 0, "1") for page in sheets]
    first.save(file, "PDF", resolution=DPI, save_all=True, append_images=more)


def pages(title: str, box: Box) -> list[Image]:
    """Board, stickers and cards of this box, each grey, (height, width), at `vision.tray.calibration_sheet.DPI`."""
    from vision.board import sheets

    labels = [(glove.name, f"shows {glove.front}", f"shows {glove.back}") for glove in box.gloves.values()]
    notes = {zone.letter: f"{zone.place}, bare: {zone.printed}" for zone in box.zones.values()}
    return [*sheets.pages(labels, title, notes), *cards(title, list(box.cards.values()))]


# The list of cards ---------------------------------------------------------------------------------------------------


def cards(title: str, at_bats: Sequence[AtBat]) -> Iterator[Image]:
    """The At Bat cards by number: how each is called, what it tests and what happens; as many pages as it takes."""
    waiting = sorted(at_bats, key=lambda card: card.number)
    while waiting:
        page = _Page(f"{title}: At Bat cards")
        while waiting and page.take(waiting[0]):
            waiting.pop(0)
        yield page.image()


class _Page:
    """One page of the list."""

    def __init__(self, title: str) -> None:
        from PIL import Image as Picture
        from PIL import ImageDraw

        from vision.tray.calibration_sheet import PAGE, dots

        self._picture = Picture.new("L", (dots(PAGE[0]), dots(PAGE[1])), 255)
        self._draw = ImageDraw.Draw(self._picture)
        self._low = float(TOP)
        self._write(LEFT, 12, title, 7)
        for row, words in enumerate(HOW):
            self._write(LEFT, 22 + 5 * row, words, 3.4)

    def take(self, card: AtBat) -> bool:
        """Write a card below the others; False where it has no room any more."""
        told = [line for words in _results(card) for line in self._wrap(words, RIGHT - TOLD)]
        named = [line for words in _tests(card) for line in self._wrap(words, TOLD - NAMED - 2)]
        # A font's letters may reach below their height; the number is the largest.
        high = max(LINE * len(told), 5.2 + LINE * len(named), 1.2 * NUMBER) + 2 * OPEN
        if self._low + high > LOW and self._low > TOP:
            return False
        self._rule(self._low)
        top = self._low + OPEN
        self._write(LEFT, top, str(card.number), NUMBER)
        self._write(NAMED, top, card.name, 4.2, TOLD - NAMED - 2)
        for row, words in enumerate(named):
            self._write(NAMED, top + 5.2 + LINE * row, words, SMALL)
        for row, words in enumerate(told):
            self._write(TOLD, top + LINE * row, words, SMALL)
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
        """One line, its letters `size` mm high or so small that it fits its room; its upper left at `x` and `y` mm."""
        from vision.tray.calibration_sheet import dots

        wide = _font(size).getlength(words)
        self._draw.text((dots(x), dots(y)), words, 0, _font(size * min(1.0, dots(room) / max(wide, 1))))

    def _wrap(self, words: str, wide: float) -> list[str]:
        """The words in lines of at most `wide` mm; a word that is longer stands alone."""
        from vision.tray.calibration_sheet import dots

        lines = [""]
        for word in words.split():
            longer = f"{lines[-1]} {word}".strip()
            if lines[-1] and _font(SMALL).getlength(longer) > dots(wide):
                lines.append(word)
            else:
                lines[-1] = longer
        return lines


def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    from vision.tray.calibration_sheet import dots

    return ImageFont.load_default(dots(size))


def _tests(card: AtBat) -> Iterator[str]:
    """What a card tests, and what it wants."""
    if card.blank:
        return
    yield f"tests {' + '.join(card.tests)}"
    if card.second != card.tests:
        yield f"with a runner on second {' + '.join(card.second)}"
    if card.twice:
        yield "two rolls, both must be more"
    if card.requires:
        yield "wants a runner" + ("" if card.requires == "any" else f" on {card.requires}")


def _results(card: AtBat) -> Iterator[str]:
    """What happens, comparisons with the same result together."""
    if card.blank:
        yield "Read the card."
    told = {compare: says(result) for compare, result in card.results.items()}
    for words, compares in groupby(told, told.__getitem__):
        yield f"{' or '.join(compares)}: {words}.".capitalize()
