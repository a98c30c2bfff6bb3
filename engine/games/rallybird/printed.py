"""The printed board of RallyBird: stickers for the Gloves, notes on the zones, and the At Bat cards by number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from engine.cards import Card
from engine.games.rallybird.cards import AtBat, Box, unpack
from engine.games.rallybird.state import State
from engine.games.rallybird.words import says
from engine.printed_board import BoardPieces, PrintedBoard, PrintedCard

RULES = (
    "For the side at bat. The number is what you enter in secret: on a phone tap the card;",
    "on the buttons < adds five, > adds one, and OK plays it. Card 12: < < > > OK. The display does not show it.",
    "The tested Gloves add up to the number to beat with two dice; a zone listed twice counts twice.",
)


def printed(cards: Sequence[Card], house: Mapping[str, str]) -> PrintedBoard:
    """Return what to print for this deck; every card and Glove is listed, whatever the house rules leave out."""
    return board(unpack(cards, {**house, "beginner": "false"}))


def board(box: Box) -> PrintedBoard:
    """Return what to print for this box."""
    return PrintedBoard(
        labels=tuple((glove.name, f"shows {glove.front}", f"shows {glove.back}") for glove in box.gloves.values()),
        areas={zone.letter: f"{zone.place}, bare: {zone.printed}" for zone in box.zones.values()},
        title="At Bat cards",
        rules=RULES,
        cards=tuple(map(listed, sorted(box.cards.values(), key=lambda card: card.number))),
    )


def listed(card: AtBat) -> PrintedCard:
    """Return a card as the list has it."""
    return PrintedCard(card.number, card.name, tuple(_tests(card)), tuple(_results(card)))


def _tests(card: AtBat) -> Iterator[str]:
    """Yield what a card tests and requires."""
    if card.blank:
        return
    yield f"tests {' + '.join(card.tests)}"
    if card.second != card.tests:
        yield f"with a runner on second {' + '.join(card.second)}"
    if card.twice:
        yield "two rolls, and both must beat it"
    if card.requires:
        yield "needs a runner" + ("" if card.requires == "any" else f" on {card.requires}")


def _results(card: AtBat) -> Iterator[str]:
    """Yield the card's results, with comparisons that have the same result on one line."""
    if card.blank:
        yield "Read the card."
    results = {compare: says(result) for compare, result in card.results.items()}
    for words, compares in groupby(results, results.__getitem__):
        yield f"{' or '.join(compares)}: {words}.".capitalize()


def _lying(s: State) -> tuple[tuple[str, bool], ...]:
    return tuple((name, name in s.backs) for name in s.box.gloves)


PIECES = BoardPieces("Glove", _lying, printed)
