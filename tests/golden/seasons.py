"""Golden playthroughs of 7th Inning Stretch: whole seasons, and a duel with its drafts.

`python -m tests.golden.seasons` plays the same entries again and writes what they give now; without a file a sensible
manager plays until one ends as the story does.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count

from engine.games.seventh_inning_stretch import GAME
from engine.journal import Entry
from engine.table import Table
from tests.engine.games.seventh_inning_stretch.fixture import true
from tests.engine.games.seventh_inning_stretch.manager import Manager
from tests.golden.stories import Stories, corrected, play

STORIES = Stories(
    GAME, {"won": {}, "lost": {}, "extended": {"mode": "extended"}, "duel": {"mode": "duel", "duelFirstBat": "agreed"}}
)
"""A season won under the standard rules; one with less than three stars after six games; long playoffs, won; a duel,
from its deals and picks on."""

ENDS = {"won": "season-won", "lost": "no-playoffs", "extended": "season-won", "duel": "nine-innings"}
"""How each ends."""

WANTED: Mapping[str, set[str]] = {
    "duel": {"ability", "relieves", "rerolls", "nudges", "home-run", "substitute", "stolen", "caught"}
}
"""Events that a story must tell, beside its end."""


def played(story: str, seed: int) -> Table:
    """A sensible manager's season, or a duel of two of the same mind."""
    table = STORIES.new(story)
    for _ in play(table, Manager(lambda: true(table), seed, eager=True), seed):
        pass
    return table


def find(story: str) -> list[Entry]:
    """The entries of the first season that ends so, and tells what is wanted."""
    for seed in count():
        table = played(story, seed)
        assert table.outcome is not None
        told = {one.event.code for one in table.log}
        if corrected(table) and table.outcome.reason == ENDS[story] and told >= WANTED.get(story, set()):
            return table.journal
    raise AssertionError(story)


if __name__ == "__main__":
    STORIES.write(find)
