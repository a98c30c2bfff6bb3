"""The printed board of RallyBird, with stickers for the Gloves, notes on the zones, and a list of the At Bat cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from engine.cards import Card
from engine.games.rallybird.cards import AtBatCard, RallybirdBox, build_box
from engine.games.rallybird.state import State
from engine.games.rallybird.words import describe_result
from engine.printed_board import BoardPieces, PrintedBoard, PrintedCard

PRINTED_RULES = (
    "For the side at bat. The number is what you enter in secret: on a phone tap the card;",
    "on the buttons < adds five, > adds one, and OK plays it. Card 12: < < > > OK. The display does not show it.",
    "The tested Gloves add up to the number to beat with two dice; a zone listed twice counts twice.",
)


def printed_board(cards: Sequence[Card], house: Mapping[str, str]) -> PrintedBoard:
    """Return the printed board of this deck. It has every card and Glove, whatever the house rules leave out."""
    return board_for_box(build_box(cards, {**house, "beginner": "false"}))


def board_for_box(box: RallybirdBox) -> PrintedBoard:
    return PrintedBoard(
        labels=tuple((glove.name, f"shows {glove.front}", f"shows {glove.back}") for glove in box.gloves.values()),
        areas={zone.letter: f"{zone.place}, bare: {zone.printed}" for zone in box.zones.values()},
        title="At Bat cards",
        rules=PRINTED_RULES,
        cards=tuple(map(printed_card, sorted(box.cards.values(), key=lambda card: card.number))),
    )


def printed_card(card: AtBatCard) -> PrintedCard:
    return PrintedCard(card.number, card.name, tuple(_test_lines(card)), tuple(_result_lines(card)))


def _test_lines(card: AtBatCard) -> Iterator[str]:
    if card.blank:
        return
    yield f"tests {' + '.join(card.tests)}"
    if card.second != card.tests:
        yield f"with a runner on second {' + '.join(card.second)}"
    if card.twice:
        yield "two rolls, and both must beat it"
    if card.requires:
        yield "needs a runner" + ("" if card.requires == "any" else f" on {card.requires}")


def _result_lines(card: AtBatCard) -> Iterator[str]:
    """Yield the card's results. Comparisons with the same result share a line."""
    if card.blank:
        yield "Read the card."
    results = {compare: describe_result(result) for compare, result in card.results.items()}
    for words, compares in groupby(results, results.__getitem__):
        yield f"{' or '.join(compares)}: {words}.".capitalize()


def _glove_sides(s: State) -> tuple[tuple[str, bool], ...]:
    return tuple((name, name in s.backs) for name in s.box.gloves)


BOARD_PIECES = BoardPieces("Glove", _glove_sides, printed_board)
