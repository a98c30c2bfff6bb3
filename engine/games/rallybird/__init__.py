"""RallyBird: a card in secret, Gloves over the field, two dice against them, and a bird that rolls again."""

from __future__ import annotations

from engine.game import Game
from engine.games.rallybird import scoreboard
from engine.games.rallybird.cards import SHAPES
from engine.games.rallybird.house_rules import HOUSE_RULES
from engine.games.rallybird.printed import PIECES
from engine.games.rallybird.rules import next_play
from engine.games.rallybird.standing import STANDING
from engine.games.rallybird.state import start
from engine.games.rallybird.words import WORDS

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
    order=3,
    pieces=PIECES,
)
