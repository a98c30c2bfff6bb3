"""Small Ball: nine players, one die, and the nerve to stop in time."""

from __future__ import annotations

from engine.game import Game
from engine.games.small_ball import scoreboard
from engine.games.small_ball.cards import SHAPES
from engine.games.small_ball.house_rules import HOUSE_RULES
from engine.games.small_ball.rules import next_play
from engine.games.small_ball.standing import STANDING
from engine.games.small_ball.state import start
from engine.games.small_ball.words import WORDS

GAME = Game(
    key="small-ball",
    title="Small Ball",
    version=1,
    shapes=SHAPES,
    house_rules=HOUSE_RULES,
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard.scoreboard,
    standing=STANDING,
    order=1,
    players="1 or 2",
    minutes=20,
)
