"""Golden playthroughs of Clutch: a full game with cards, a basic game, and three games with tired pitchers.

`python -m tests.golden.clutch` replays the same entries and writes the new results. If a story has no file, sensible
managers play until a game has the events that the story needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from engine.games.clutch import GAME
from engine.journal import JournalEntry
from engine.table import Table
from tests.engine.games.clutch.field import state
from tests.engine.games.clutch.manager import Manager
from tests.golden.stories import Stories, corrected, play

STORIES = Stories(GAME, {"full": {}, "basic": {"level": "basic"}, "series": {"level": "players", "series": "3"}})

WANTED: Mapping[str, set[str]] = {
    "full": {"plays-card", "changed", "negated", "leaves-play", "new-pitcher", "pinch-hitter", "home-run", "mistake"},
    "basic": {"stolen", "caught", "double-play", "sacrifice-fly", "new-pitcher"},
    "series": {"new-pitcher", "sacrifice", "intentional-walk"},
}
"""The events that each story needs; the series also goes to three games and has a pitcher who comes in tired."""


def played(story: str, seed: int) -> tuple[Table, bool]:
    """Play a game of two sensible managers; also return whether a pitcher came in tired."""
    table, weary = STORIES.new(story), False
    for _ in play(table, Manager(lambda: state(table), seed), seed):
        weary = weary or any(arm.owes and arm.pitched for arms in state(table).arms for arm in arms.values())
    return table, weary


def find(story: str) -> list[JournalEntry]:
    """Return the entries of the first game that has the events its story needs."""
    for seed in count():
        table, weary = played(story, seed)
        long = story != "series" or (weary and sum(state(table).won) == 3)
        if corrected(table) and long and {one.event.code for one in table.log} >= WANTED[story]:
            return table.journal
    raise AssertionError(story)


if __name__ == "__main__":
    STORIES.write(find)
