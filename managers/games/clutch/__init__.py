"""The computer manager of Clutch.

`manager` sends each ask to its chapter; `judge` says what a position is worth, from `expectancy` (half-innings and the
rest of the game), `plays` (what a result does on the bases) and `odds` (the dice of one at-bat). `position` rebuilds
the position from a seat's view.
"""

from __future__ import annotations

from engine.cards import cards_of
from engine.games.clutch.cards.card_set import unpack
from managers.games.clutch.expectancy import Study
from managers.games.clutch.manager import ClutchManager
from managers.manager import Setup, Strength

_STUDIES: dict[tuple[object, ...], Study] = {}
_MOST = 4  # Studies that are kept, by decks and house rules.


def make(setup: Setup, strength: Strength) -> ClutchManager:
    """Return a manager of this strength. Raises DeckError if the decks can play no game."""
    key = (tuple(deck.digest for deck in setup.decks), tuple(sorted(setup.house.items())))
    if key not in _STUDIES:
        if len(_STUDIES) >= _MOST:
            _STUDIES.pop(next(iter(_STUDIES)))
        _STUDIES[key] = Study(unpack(cards_of(setup.decks), setup.house), setup.house)
    return ClutchManager(_STUDIES[key], strength)
