"""RallyBird: a card in secret, Gloves over the field, two dice against them, and a bird that rolls again."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Game, Way
from engine.games.rallybird import scoreboard
from engine.games.rallybird.cards import SHAPES
from engine.games.rallybird.house_rules import HOUSE_RULES
from engine.games.rallybird.printed import PIECES
from engine.games.rallybird.rules import next_play
from engine.games.rallybird.standing import STANDING
from engine.games.rallybird.state import start
from engine.games.rallybird.words import WORDS


def ways(house: Mapping[str, str]) -> tuple[Way, ...]:
    """Return the ways to hold the cards; which dealt one sits out is seen on a phone only."""
    if house["cards"] == "real":
        return ()
    return Way("Dealt: a phone each", {}), Way("Real cards", {"cards": "real"})


GAME = Game(
    key="rallybird",
    title="RallyBird",
    version=2,
    shapes=SHAPES,
    house_rules=HOUSE_RULES,
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard.scoreboard,
    standing=STANDING,
    ways=ways,
    order=3,
    players="1 or 2",
    minutes=15,
    pieces=PIECES,
)
