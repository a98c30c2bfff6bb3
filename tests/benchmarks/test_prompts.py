"""How long the paces of each game take."""

from __future__ import annotations

import pytest

from benchmarks.prompts.__main__ import count_pace_answers
from engine.game import Rulebook
from engine.games import GAMES


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_pace_takes_about_as_long_as_it_says(game: Rulebook) -> None:
    """The average of six games of sensible players is within a quarter of what people read."""
    for pace in game.paces:
        assert count_pace_answers(game.key, pace, 6) == pytest.approx(pace.answers, rel=0.25), pace.key
