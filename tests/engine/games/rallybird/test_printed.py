"""What is printed for RallyBird: the list of At Bat cards, from which a manager enters a card's number."""

from __future__ import annotations

from engine.cards import cards_in_decks, parse_deck
from engine.games.rallybird import GAME
from engine.games.rallybird.cards import CARD_SHAPES
from engine.games.rallybird.printed import printed_board
from engine.printed_board import PrintedCard
from tests.each import each
from tests.engine.games.rallybird.fixture import CARDS, source

PRINTED = printed_board(
    cards_in_decks([parse_deck(source(), "f.toml", GAME.key, CARD_SHAPES)]), GAME.resolve_house_rules({})
)
LISTED = {card.name: card for card in PRINTED.cards}


def test_every_card_is_listed_by_its_number_and_name() -> None:
    numbers = [card.number for card in PRINTED.cards]
    assert sorted(numbers) == numbers
    assert set(CARDS) == set(LISTED)


@each(
    ("card", "notes", "results"),
    [
        ("F-DRIVE", ["tests E"], ["Less or equal: ", "More: "]),
        ("F-PITCH", ["tests F", "with a runner on second B"], ["Less or equal: ", "More: "]),
        ("F-LONG", ["tests E + F", "two rolls, and both must beat it"], ["Less or equal: ", "More: "]),
        ("F-SAC", ["tests B", "needs a runner"], ["Less: ", "Equal or more: "]),
        ("F-THIRD", ["tests A + A + A", "needs a runner on second"], ["Less or equal: ", "More: "]),
        ("F-GAP", ["tests D + E"], ["Less: ", "Equal: ", "More: "]),
        ("F-BLANK", [], ["Read the card."]),
    ],
)
def test_a_listed_card_says_what_it_tests_and_what_comes_of_it(card: str, notes: list[str], results: list[str]) -> None:
    """Comparisons with the same result share a line."""
    found: PrintedCard = LISTED[card]
    assert notes == list(found.notes)
    assert results == [line[: len(start)] for line, start in zip(found.results, results, strict=True)]
