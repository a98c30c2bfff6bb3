"""Small Ball, a game of nine players, one die, and the nerve to stop in time."""

from __future__ import annotations

from engine.game import Rulebook
from engine.games.small_ball import scoreboard
from engine.games.small_ball.ask_topics import ASK_TOPICS
from engine.games.small_ball.cards import CARD_SHAPES
from engine.games.small_ball.house_rules import HOUSE_RULES, PACES
from engine.games.small_ball.lesson import LESSON
from engine.games.small_ball.match_deck import match_deck
from engine.games.small_ball.rules import next_play
from engine.games.small_ball.state import initial_state
from engine.games.small_ball.words import GAME_WORDS

GAME = Rulebook(
    key="small-ball",
    title="Small Ball",
    version=1,
    shapes=CARD_SHAPES,
    house_rules=HOUSE_RULES,
    paces=PACES,
    words=GAME_WORDS,
    start=initial_state,
    next_play=next_play,
    scoreboard=scoreboard.build_scoreboard,
    standing=ASK_TOPICS,
    seated={"awayTeam": "red"},
    order=1,
    players="1 or 2",
    minutes=20,
    lesson=LESSON,
    team_cards="team",
    match_deck=match_deck,
)
