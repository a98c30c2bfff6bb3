"""Every decision has a title for small displays, in every game."""

from __future__ import annotations

import re

from engine.table import Table
from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game
from tests.engine.tables import inside

LETTERS, NAMED = 24, 32
"""The most letters of a title without the names and numbers in it, and with them."""


@every_game()
def test_every_decision_has_a_title(contract: Contract) -> None:
    """It is short, begins like a sentence, and has no full stop."""
    words = contract.game.words
    assert set(words.asks) == set(words.titles)
    for why, title in words.titles.items():
        bare = re.sub(r"\{[^}]*\}", "", title)
        assert 0 < len(title), why
        assert len(bare) <= LETTERS, (why, title)
        assert not title.endswith("."), (why, title)
        assert title[0] == "{" or title[0] == title[0].upper(), (why, title)


@every_game()
def test_a_title_is_short_with_its_names_in_it(contract: Contract) -> None:
    """In the stored game of each story, with the names of the house deck."""
    for story in contract.stories.houses:
        table: Table = contract.stories.new(story)
        for entry in contract.stories.entries(story):
            for _, ask in table.asks():
                title = contract.game.words.title(ask.why, inside(ask).facts)
                assert 0 < len(title) <= NAMED, (ask.why, title)
            table.write(entry)
