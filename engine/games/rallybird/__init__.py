"""RallyBird, a game of secret cards, Gloves over the field, two dice against them, and a bird that rerolls."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import GameVariant, Rulebook
from engine.games.rallybird import scoreboard
from engine.games.rallybird.ask_topics import ASK_TOPICS
from engine.games.rallybird.cards import CARD_SHAPES
from engine.games.rallybird.house_rules import HOUSE_RULES, PACES
from engine.games.rallybird.lesson import LESSON
from engine.games.rallybird.printed import BOARD_PIECES
from engine.games.rallybird.rules import next_play
from engine.games.rallybird.state import initial_state
from engine.games.rallybird.words import GAME_WORDS, TEAM_NAMES


def game_variants(house: Mapping[str, str]) -> tuple[GameVariant, ...]:
    """Return the ways to handle the cards. Dealt cards need phones, because only a phone shows which card is out."""
    if house["cards"] == "real":
        return ()
    return GameVariant("Dealt: a phone each", {}), GameVariant("Real cards", {"cards": "real"})


GAME = Rulebook(
    key="rallybird",
    title="RallyBird",
    version=2,
    shapes=CARD_SHAPES,
    house_rules=HOUSE_RULES,
    paces=PACES,
    words=GAME_WORDS,
    start=initial_state,
    next_play=next_play,
    scoreboard=scoreboard.build_scoreboard,
    standing=ASK_TOPICS,
    seated={"visitor": "agreed"},
    ways=game_variants,
    order=3,
    players="1 or 2",
    minutes=15,
    pieces=BOARD_PIECES,
    lesson=LESSON,
    usual_names=frozenset(TEAM_NAMES.values()),
)
