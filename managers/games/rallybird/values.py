"""All that a manager knows of one setup: cards, Gloves, and the chances to win. Worked out once in a process."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from engine.cards import cards_of
from engine.games.rallybird.cards import unpack
from managers.games.rallybird import mixing
from managers.games.rallybird.fielding import Kit, Layouts
from managers.games.rallybird.half_inning import solve
from managers.games.rallybird.innings import Innings
from managers.games.rallybird.matchup import matchups
from managers.games.rallybird.outcomes import Floats, Ints, Outcomes, outcomes
from managers.games.rallybird.situation import Situation
from managers.manager import Setup

KEPT = 4
"""How many setups are kept."""


class Game:
    """An at-bat: the cards that may be played, all layouts, the chances of the side at bat by card and layout, and the
    chance that each card is the one out of this half-inning.
    """

    def __init__(self, playable: Ints, layouts: Layouts, payoffs: Floats, out: Floats) -> None:
        self.playable, self.layouts, self.payoffs, self.out = playable, layouts, payoffs, out

    @cached_property
    def mix(self) -> mixing.Mix:
        """The optimal mixes of both sides."""
        return mixing.solve(self.payoffs, self.out)


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of one setup."""

    cards: Outcomes
    kit: Kit
    innings: Innings
    real: bool
    """True if real cards are used (A18)."""

    _games: dict[tuple[object, ...], Game] = field(default_factory=dict)

    def game(self, now: Situation) -> Game:
        """Return the at-bat as a game; that of the last situation is kept, because both sides may ask for it."""
        key = (*now.now, now.position, now.played)
        game = self._games.get(key)
        if game is None:
            playable = np.flatnonzero(self.cards.playable[now.bases])
            layouts = self.kit.layouts(now.gloves)
            payoffs = self._payoffs(now, layouts)[playable]
            game = Game(playable, layouts, payoffs, self.out(now)[playable])
            self._games.clear()
            self._games[key] = game
        return game

    def _payoffs(self, now: Situation, layouts: Layouts) -> Floats:
        later, bird = self.innings.later(*now.now), self.innings.bird(*now.now)
        found = np.zeros((len(self.cards.names), len(layouts)))
        for met in matchups(self.cards, self.kit, now.gloves, np.array([now.position]), later, bird):
            found[met.cards] = met.values(layouts)[:, 0]
        return found

    def out(self, now: Situation) -> Floats:
        """Return the chance that each card is the one out of this half-inning, as the side in the field knows it."""
        unseen = np.array([card not in now.played for card in range(len(self.cards.names))], float)
        chances: Floats = unseen / max(1.0, unseen.sum())
        return chances


_values: dict[tuple[object, ...], Values] = {}


def values_of(setup: Setup) -> Values:
    """Return the values of a setup; the first time they are worked out."""
    key = (*(deck.digest for deck in setup.decks), *sorted(setup.house.items()))
    if key not in _values:
        while len(_values) >= KEPT:
            del _values[next(iter(_values))]
        box = unpack(cards_of(setup.decks), setup.house)
        cards = outcomes(box, setup.house)
        kit = Kit.of(
            box,
            optional=setup.house["glovePlacement"] == "oneEachOptional",
            last_back=setup.house["lastGlove"] == "lastBackSide",
        )
        innings = Innings(cards, kit, solve(cards, kit), setup.house)
        innings.start(int(setup.house["startInning"]), "top", (True, True))
        _values[key] = Values(cards, kit, innings, setup.house["cards"] == "real")
    return _values[key]
