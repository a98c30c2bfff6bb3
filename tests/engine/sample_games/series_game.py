"""Several games in one journal, as in a season, for tests of long journals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from engine.asks import Play
from engine.cards import Card
from engine.game import GameState, Rulebook

TABLES = {"news", "revealed", "uncovered"}
"""The fields that the table itself reads during a play."""


def series(game: Rulebook) -> Rulebook:
    """Return a game that repeats endlessly; every game after the first begins with an event that opens it."""
    first: list[Any] = []

    def start(cards: Sequence[Card], house: Mapping[str, str]) -> Any:
        first[:] = [game.start(cards, house)]
        return first[0].copy()

    def next_play(state: GameState) -> Callable[[Any], Play] | None:
        play = game.next_play(state)
        return None if play is None else lambda s: on(play, s)

    def on(play: Callable[[Any], Play], s: Any) -> Play:
        yield from play(s)
        if s.outcome:
            for field in fields(s):
                if field.name not in TABLES:
                    setattr(s, field.name, getattr(first[0], field.name))
            s.emit("opened", opens=True)

    words = replace(game.words, events={**game.words.events, "opened": "The next game."})
    return replace(game, start=start, next_play=next_play, words=words)
