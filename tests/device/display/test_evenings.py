"""The games that the display's sheets are drawn from."""

from __future__ import annotations

from random import Random

from device.storage.decks import house_deck
from tests.device.display.evenings import SEED, random_games
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game


@every_game()
def test_rare_decisions_are_shown_with_house_made_cards(contract: Contract) -> None:
    """The names of the tests' own decks mean nothing to readers of a sheet."""
    first = next(random_games(contract, Random(SEED)))
    assert [house_deck(contract.game).digest] == [deck.digest for deck in first.decks]
