"""7th Inning Stretch, as a solo season of games from the seventh inning, or a duel of two coaches."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import GameVariant, Rulebook
from engine.games.seventh_inning_stretch import scoreboard
from engine.games.seventh_inning_stretch.ask_topics import ASK_TOPICS
from engine.games.seventh_inning_stretch.cards import CARD_SHAPES
from engine.games.seventh_inning_stretch.house_rules import HOUSE_RULES, PACES
from engine.games.seventh_inning_stretch.lesson import LESSON
from engine.games.seventh_inning_stretch.rules import next_play
from engine.games.seventh_inning_stretch.state import initial_state
from engine.games.seventh_inning_stretch.words import GAME_WORDS, MANAGER_TEAM_NAME, TEAM_NAMES


def game_variants(house: Mapping[str, str]) -> tuple[GameVariant, ...]:
    """Return a solo season and duels for two, without playoffs. Only phones show the hands of a dealt draft."""
    season = GameVariant("Season: one player", {"mode": "season"})
    duels = (
        GameVariant("Duel: a phone each", {"mode": "duel", "cards": "dealt"}),
        GameVariant("Duel: real cards", {"mode": "duel", "cards": "real"}),
    )
    mode = house["mode"]
    return (season, *duels) if mode == "season" else duels if mode == "duel" and house["cards"] == "dealt" else ()


GAME = Rulebook(
    key="seventh-inning-stretch",
    title="7th Inning Stretch",
    version=2,
    shapes=CARD_SHAPES,
    house_rules=HOUSE_RULES,
    paces=PACES,
    words=GAME_WORDS,
    start=initial_state,
    next_play=next_play,
    scoreboard=scoreboard.build_scoreboard,
    standing=ASK_TOPICS,
    seated={"duelFirstBat": "agreed"},
    ways=game_variants,
    on_phones=frozenset({"pick"}),
    plain={"line-up": 1.0},
    order=4,
    players="1 or 2",
    minutes=60,
    lesson=LESSON,
    usual_names=frozenset({*TEAM_NAMES.values(), MANAGER_TEAM_NAME}),
    single={"mode": "duel"},
)
