"""Golden playthroughs of 7th Inning Stretch: whole seasons, and a duel with its drafts.

`python -m tests.golden.seasons` replays the same entries and writes the new results. If a story has no file, a sensible
manager plays until a season ends as the story needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from engine.games.seventh_inning_stretch import GAME
from engine.journal import JournalEntry
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import true
from tests.engine.games.seventh_inning_stretch.manager import Manager
from tests.golden.stories import Stories, corrected, play

STORIES = Stories(
    GAME, {"won": {}, "lost": {}, "extended": {"mode": "extended"}, "duel": {"mode": "duel", "duelFirstBat": "agreed"}}
)
"""A season won by the standard rules; one that ends after six games; long playoffs, won; a duel with its drafts."""

ENDS = {"won": "season-won", "lost": "no-playoffs", "extended": "season-won", "duel": "nine-innings"}
"""How each story ends."""

WANTED: Mapping[str, set[str]] = {
    "duel": {"ability", "relieves", "rerolls", "nudges", "home-run", "substitute", "stolen", "caught"}
}
"""The events that a story needs besides its end."""


def played(story: str, seed: int) -> Table:
    """Play a sensible manager's season, or a duel of two such managers."""
    table = STORIES.new(story)
    for _ in play(table, Manager(lambda: true(table), seed, eager=True), seed):
        pass
    return table


def find(story: str) -> list[JournalEntry]:
    """Return the entries of the first season with the right end and events."""
    for seed in count():
        table = played(story, seed)
        assert table.outcome is not None
        told = {one.event.code for one in table.log}
        if corrected(table) and table.outcome.reason == ENDS[story] and told >= WANTED.get(story, set()):
            return table.journal
    raise AssertionError(story)


if __name__ == "__main__":
    STORIES.write(find)
