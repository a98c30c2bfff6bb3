"""Bottom of the 9th, a game of one half-inning, pitches to guess, and one run to win."""

from __future__ import annotations

from engine.game import Rulebook
from engine.games.bottom_of_the_9th import scoreboard
from engine.games.bottom_of_the_9th.ask_topics import ASK_TOPICS
from engine.games.bottom_of_the_9th.cards import CARD_SHAPES
from engine.games.bottom_of_the_9th.house_rules import FORMER_HOUSE_RULES, HOUSE_RULES, PACES, race_rules
from engine.games.bottom_of_the_9th.lesson import LESSON
from engine.games.bottom_of_the_9th.rules import next_play
from engine.games.bottom_of_the_9th.state import initial_state
from engine.games.bottom_of_the_9th.words import GAME_WORDS

GAME = Rulebook(
    key="bottom-of-the-9th",
    title="Bottom of the 9th",
    version=3,
    shapes=CARD_SHAPES,
    house_rules=HOUSE_RULES,
    paces=PACES,
    former_house=FORMER_HOUSE_RULES,
    words=GAME_WORDS,
    start=initial_state,
    next_play=next_play,
    scoreboard=scoreboard.build_scoreboard,
    standing=ASK_TOPICS,
    order=2,
    players="1 or 2",
    minutes=10,
    race=race_rules,
    lesson=LESSON,
    usual_names=frozenset(scoreboard.SIDE_NAMES.values()),
)
