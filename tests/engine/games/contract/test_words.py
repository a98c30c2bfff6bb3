"""Every decision has a title for small displays, in every game."""

from __future__ import annotations

import re

from tests.engine.games.contract.contract import Contract
from tests.engine.games.contract.games import every_game

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
