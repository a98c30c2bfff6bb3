"""Clutch: the full card game, at-bat by at-bat."""

from __future__ import annotations

from engine.game import Game
from engine.games.clutch import scoreboard
from engine.games.clutch.cards.card_fields import SHAPES
from engine.games.clutch.cards.card_set import warnings
from engine.games.clutch.house_rules import HOUSE_RULES
from engine.games.clutch.rules import next_play, start
from engine.games.clutch.words import WORDS

GAME = Game(
    key="clutch",
    title="Clutch",
    version=1,
    shapes=SHAPES,
    house_rules=HOUSE_RULES,
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard.scoreboard,
    notes=warnings,
)
