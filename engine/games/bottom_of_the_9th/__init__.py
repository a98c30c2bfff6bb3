"""Bottom of the 9th: one half-inning, one run to win it, and a pitch to guess."""

from __future__ import annotations

from engine.game import Game
from engine.games.bottom_of_the_9th import scoreboard
from engine.games.bottom_of_the_9th.cards import SHAPES
from engine.games.bottom_of_the_9th.house_rules import FORMER, HOUSE_RULES, race_rules
from engine.games.bottom_of_the_9th.rules import next_play
from engine.games.bottom_of_the_9th.standing import STANDING
from engine.games.bottom_of_the_9th.state import start
from engine.games.bottom_of_the_9th.words import WORDS

GAME = Game(
    key="bottom-of-the-9th",
    title="Bottom of the 9th",
    version=3,
    shapes=SHAPES,
    house_rules=HOUSE_RULES,
    former_house=FORMER,
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard.scoreboard,
    standing=STANDING,
    order=2,
    players="1 or 2",
    minutes=10,
    race=race_rules,
)
