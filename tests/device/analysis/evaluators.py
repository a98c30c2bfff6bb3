"""Evaluators for tests, which know nothing of baseball."""

from __future__ import annotations

import json
from collections.abc import Callable
from zlib import crc32

from engine.views import TableView, json_data


def scoreboard_chance(view: TableView) -> float:
    """Return a chance that differs for any two boards and asks."""
    seen = json.dumps([json_data(view.scoreboard), json_data(view.asks), view.ready], sort_keys=True, default=str)
    return crc32(seen.encode()) / 2**32


class FakeEvaluator:
    """Gives what `chance` returns, after `studies` calls of `study_cards`. `views` has what it was asked about."""

    margin = 0.02

    def __init__(self, chance: Callable[[TableView], float | None] = scoreboard_chance, studies: int = 0) -> None:
        self.chance, self.studies = chance, studies
        self.views: list[TableView] = []

    def study_cards(self) -> bool:
        self.studies -= 1
        return self.studies >= 0

    def home_win_probability(self, view: TableView) -> float | None:
        assert self.studies < 1, "it has not studied the cards"
        self.views.append(view)
        return self.chance(view)
