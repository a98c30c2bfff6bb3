"""Clutch: the full card game, at-bat by at-bat."""

from __future__ import annotations

from engine.games.clutch.board import scoreboard
from engine.games.clutch.catalogue import warnings
from engine.games.clutch.house import HOUSE_RULES
from engine.games.clutch.rules import next_play, start
from engine.games.clutch.shapes import SHAPES
from engine.games.clutch.words import WORDS
from engine.play import Game

GAME = Game(
    key="clutch",
    title="Clutch",
    version=1,
    shapes=SHAPES,
    house_rules=HOUSE_RULES,
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard,
    notes=warnings,
)
