"""The games this house knows, by key."""

from __future__ import annotations

from engine.game import Game
from engine.games.bottom_of_the_9th import GAME as BOTTOM_OF_THE_9TH
from engine.games.clutch import GAME as CLUTCH
from engine.games.rallybird import GAME as RALLYBIRD
from engine.games.seventh_inning_stretch import GAME as SEVENTH_INNING_STRETCH
from engine.games.small_ball import GAME as SMALL_BALL

GAMES: dict[str, Game] = {
    game.key: game for game in (SMALL_BALL, BOTTOM_OF_THE_9TH, RALLYBIRD, SEVENTH_INNING_STRETCH, CLUTCH)
}
