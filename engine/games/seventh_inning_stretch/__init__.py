"""7th Inning Stretch: a season alone from the seventh inning on, or a duel of two coaches."""

from __future__ import annotations

from collections.abc import Mapping

from engine.game import Game, Way
from engine.games.seventh_inning_stretch import scoreboard
from engine.games.seventh_inning_stretch.cards import SHAPES
from engine.games.seventh_inning_stretch.house_rules import HOUSE_RULES
from engine.games.seventh_inning_stretch.rules import next_play
from engine.games.seventh_inning_stretch.standing import STANDING
from engine.games.seventh_inning_stretch.state import start
from engine.games.seventh_inning_stretch.words import WORDS


def ways(house: Mapping[str, str]) -> tuple[Way, ...]:
    """Return a season alone and duels for two, without playoffs; the hands of a dealt draft are seen on phones only."""
    season = Way("Season: one player", {"mode": "season"})
    duels = (
        Way("Duel: a phone each", {"mode": "duel", "cards": "dealt"}),
        Way("Duel: real cards", {"mode": "duel", "cards": "real"}),
    )
    mode = house["mode"]
    return (season, *duels) if mode == "season" else duels if mode == "duel" and house["cards"] == "dealt" else ()


GAME = Game(
    key="seventh-inning-stretch",
    title="7th Inning Stretch",
    version=2,
    shapes=SHAPES,
    house_rules=HOUSE_RULES,
    words=WORDS,
    start=start,
    next_play=next_play,
    scoreboard=scoreboard.scoreboard,
    standing=STANDING,
    ways=ways,
    on_phones=frozenset({"pick"}),
    plain={"line-up": 1.0},
    order=4,
    players="1 or 2",
    minutes=30,
)
